//! The ports at which the host and the SMXs' lookups reach a scheduler.

use super::{Context, Launch};
use crate::prelude::*;
use crate::prim::Tagged;

port_bundle! {
    /// A kernel on its way into the Kernel Distributor.
    pub struct LaunchPorts {
        inputs {
            /// A kernel is offered; accepted when `launch_ready`.
            launch: Signal<In, Launch>,
        }
        outputs {
            /// A kernel that is offered is accepted; depends on the state alone.
            launch_ready: Signal<Out, Bit>,
            /// The entry that it takes; valid with `launch_ready`.
            launch_entry: Signal<Out, U<5>>,
        }
    }
}

port_bundle! {
    /// An SMX asks for a kernel's context.
    pub struct LookupPorts {
        inputs {
            /// Which kernel's.
            lookup: Signal<In, Tagged>,
        }
        outputs {
            /// Whether `lookup` names an occupied entry.
            context_valid: Signal<Out, Bit>,
            /// Its context; zero when not `context_valid`.
            kernel_context: Signal<Out, Context>,
        }
    }
}
