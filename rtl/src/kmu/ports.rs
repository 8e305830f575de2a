//! The ports at which the Kernel Management Unit sees its queues and pools.

use crate::prelude::*;

port_bundle! {
    /// Queues of the host and pools in memory, as the Kernel Management Unit sees them (DTBL,
    /// section 2.2).
    pub struct ManagementPorts {
        inputs {
            /// The hardware work queue of the kernel that the host offers.
            work_queue: Signal<In, U<5>>,
            /// A kernel launched by a block joins a pool of pending kernels.
            device_launch: Signal<In, Bit>,
            /// A suspended kernel joins the pool of suspended kernels.
            suspend: Signal<In, Bit>,
        }
        outputs {
            /// One bit for each hardware work queue: its head may be offered.
            inspect: Signal<Out, U<32>>,
            /// A record is asked for.
            fetch_record: Signal<Out, Bit>,
            /// From the pool of suspended kernels; low when not `fetch_record`.
            fetch_suspended: Signal<Out, Bit>,
            /// Its place in the pool; zero when not `fetch_record`.
            fetch_index: Signal<Out, U<32>>,
        }
    }
}
