//! The ports at which running blocks take blocks that have not started.

use super::BlockId;
use crate::prelude::*;
use crate::prim::Tagged;

/// A thread block that belongs to a running one from now on; all zeros when not valid.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Cancelled {
    /// Whether there is one.
    pub valid: Bit,
    /// The block's index in its grid.
    pub block: BlockId,
}

port_bundle! {
    /// A running block asks for another one of its grid (`docs/launch-control.md`, rules 2 and 3);
    /// no ports unless blocks may. Where clusters ask, a question may be `held`.
    pub struct CancelPorts (present: bool, held: bool) {
        inputs {
            /// The entry of its kernel.
            cancel: Signal<In, Tagged> = Signal::optional(present, Tagged::default()),
        }
        outputs {
            /// The block that is the asker's now, and is not dispatched; combinational from
            /// `cancel` and the state. Not valid without `cancel`.
            cancelled: Signal<Out, Cancelled> = Signal::optional(present, Cancelled::default()),
            /// The question is not answered in this cycle, since a cluster of its kernel is open
            /// (rule 8); combinational from `cancel` and the state. Not up without `cancel`, nor
            /// with `cancelled` valid.
            cancel_held: Signal<Out, Bit> = Signal::optional(held, false),
        }
    }
}
