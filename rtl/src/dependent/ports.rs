//! The ports at which kernels depend on each other.

use crate::prelude::*;
use crate::prim::Tagged;

port_bundle! {
    /// Whom a kernel follows, and blocks that trigger.
    pub struct DependentPorts (smxs: usize) {
        inputs {
            /// The entry of the kernel that the one of `launch` follows; its valid bit is valid
            /// with a launch that is accepted.
            follows: Signal<In, Tagged>,
            /// One bit for each SMX: a block triggers there in this cycle.
            triggered: Signal<In, Mask> = Signal::mask(smxs),
        }
        rows {
            /// Whose block it is; valid with its bit of `triggered`.
            triggered_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
        }
    }
}
