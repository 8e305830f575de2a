//! The ports at which SMXs tell what they counted.

use super::{GateKind, GatePorts};
use crate::prelude::*;

port_bundle! {
    /// What SMXs counted in a period; no ports unless one of the gates looks at them.
    pub struct SamplePorts (smxs: usize, gates: &[GateKind]) {
        inputs {
            /// The counts are valid in this cycle.
            sample: Signal<In, Bit> = GatePorts::of(smxs, gates).sample(),
        }
        rows {
            /// Cycles of the period in which no warp could issue, but not for memory; valid with `sample`.
            idle: Vec<Signal<In, U<12>>> = GatePorts::of(smxs, gates).counts(),
            /// Cycles in which all warps waited for memory; valid with `sample`.
            memory: Vec<Signal<In, U<12>>> = GatePorts::of(smxs, gates).counts(),
        }
    }
}
