//! On which SMX: the next one in turn of the partition that has it.

mod properties;

use crate::clusters::Turns;
use crate::prelude::*;

hdl_module! {
    /// Round robin with a pointer for each of `partitions` partitions (`docs/partitions.md`, rule
    /// 7).
    ///
    /// ```text
    ///   request ---------------------------> [ turns ] --> grant, first
    ///   turn, or partition 0 where it is zero --^
    /// ```
    ///
    /// `grant` is combinational in `request` and `turn`, `first` in `turn`. A pointer moves at the
    /// clock edge after a grant to the SMX behind it. Storage: for each partition the number of an
    /// SMX.
    pub struct PartitionPlacement (smxs: usize, partitions: usize) clocked {
        inputs {
            /// One bit for each SMX that has room and that the gates allow; all of the partition
            /// that has the turn.
            request: Signal<In, Mask> = Signal::mask(smxs),
            /// The partition that has the turn, one-hot; valid when `request` is not zero.
            turn: Signal<In, Mask> = Signal::mask(partitions),
        }
        outputs {
            /// The SMX that receives the block, one-hot; zero when none asks.
            grant: Signal<Out, Mask> = Signal::mask(smxs),
            /// The pointer of the partition that has the turn, of partition 0 if none has.
            first: Signal<Out, Word> = Signal::id(smxs),
        }
        constants {
            partition_0: Constant<Mask> = Constant::new(Mask::gather(partitions, |at| at == 0)),
        }
        children {
            turns: Turns = Turns::new(smxs, partitions),
        }
        properties { properties::of }
    }
}

impl Logic for PartitionPlacement {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.turns.control);
        self.turns.request.next = self.request.val();
        self.turns.group.next = self.turn.val();
        if !self.turn.val().any() {
            self.turns.group.next = self.partition_0.val();
        }
        self.grant.next = self.turns.grant.val();
        self.first.next = self.turns.first.val();
    }
}
