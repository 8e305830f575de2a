//! The ports at which SMXs tell what they counted, and are told how many blocks may run.

use super::{GateKind, GatePorts};
use crate::prelude::*;

port_bundle! {
    /// What SMXs counted in a period, and the limits that follow from it; no ports unless one of
    /// the gates looks at them, and none of limits unless it pauses blocks.
    pub struct SamplePorts (place: GatePorts) {
        inputs {
            /// The counts are valid in this cycle.
            sample: Signal<In, Bit> = place.sample(),
        }
        rows {
            /// Cycles of the period in which no warp could issue, but not for memory; valid with
            /// `sample`.
            idle: Vec<Signal<In, U<12>>> = place.counts(),
            /// Cycles in which all warps waited for memory; valid with `sample`.
            memory: Vec<Signal<In, U<12>>> = place.counts(),
        }
        output_rows {
            /// How many of its resident blocks each SMX may run, at least 1; depends on the state
            /// alone.
            running_limit: Vec<Signal<Out, U<6>>> = place.limits(),
        }
    }
}

impl SamplePorts {
    /// Of `gates` over `smxs` SMXs.
    pub fn of(smxs: usize, gates: &[GateKind]) -> Self {
        Self::new(GatePorts::of(smxs, gates))
    }
}
