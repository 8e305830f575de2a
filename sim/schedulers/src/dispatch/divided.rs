//! What `partitions` has in place of FCFS control and round robin (`docs/partitions.md`, rules 4 to
//! 7).

use crate::cover::when;
use crate::mask;
use crate::partitions::{
    cover, Control, ControlInputs, ControlOutputs, Placement, PlacementInputs,
};
use crate::port::{Activity, FloorPlan, KernelEntry, MAX_SMX};
use crate::SmxMask;

/// The partition that has the turn, and its SMXs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    partition: Option<usize>,
    /// Blocks of the head go to these alone.
    pub(super) smxs: SmxMask,
}

impl Turn {
    /// Of a scheduler without partitions.
    pub(super) fn of_all() -> Self {
        Self { partition: None, smxs: mask::of(0..MAX_SMX) }
    }
}

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Divided {
    partitions: Vec<SmxMask>,
    control: Control,
    placement: Placement,
}

impl Divided {
    /// The partitions of `plan` after reset.
    pub(super) fn new(plan: &FloorPlan) -> Self {
        let partitions = plan.partitions().to_vec();
        let count = partitions.len();
        Self {
            partitions,
            control: Control::new(count),
            placement: Placement::new(plan.smx(), count),
        }
    }

    /// The head, the marks, and whose turn it is.
    pub(super) fn head(&self) -> (Option<KernelEntry>, u32, Turn) {
        let ControlOutputs { head, turn, marked } =
            self.control.evaluate(&ControlInputs::default());
        let smxs = turn.map_or(SmxMask::ZERO, |partition| self.partitions[partition]);
        (head, marked, Turn { partition: turn, smxs })
    }

    /// The SMX that is asked first.
    pub(super) fn first(&self, turn: &Turn) -> usize {
        self.placement.evaluate(&placing(turn, SmxMask::ZERO)).first
    }

    /// The SMX that receives the block.
    pub(super) fn grant(&self, turn: &Turn, request: SmxMask) -> SmxMask {
        self.placement.evaluate(&placing(turn, request)).grant
    }

    /// The clock edge; `mark` has an entry and the number of its partition.
    pub(super) fn clock(
        &mut self,
        turn: &Turn,
        mark: Option<(KernelEntry, u8)>,
        unmark: bool,
        request: SmxMask,
    ) -> Activity {
        let inputs = ControlInputs {
            reset: false,
            mark: mark.map(|(entry, _)| entry),
            partition: mark.map_or(0, |(_, partition)| partition),
            unmark,
        };
        let edges = [self.control.clock(&inputs), self.placement.clock(&placing(turn, request))];
        Activity::any(edges)
    }

    /// The clock edge of a reset cycle.
    pub(super) fn reset(&mut self) -> Activity {
        let reset = true;
        let edges = [
            self.control.clock(&ControlInputs { reset, ..Default::default() }),
            self.placement.clock(&PlacementInputs { reset, ..Default::default() }),
        ];
        Activity::any(edges)
    }

    /// Situations of a cycle in which a block `went`, or not; `fits` are the SMXs that have room
    /// for a kernel's.
    pub(super) fn cover(&self, turn: &Turn, went: bool, fits: impl Fn(KernelEntry) -> SmxMask) {
        let heads = self.partitions.iter().enumerate().filter_map(|(partition, &smxs)| {
            Some((partition, self.control.head_of(partition)?, smxs))
        });
        let heads: Vec<_> = heads.collect();
        let fits_elsewhere = heads.iter().any(|&(partition, head, smxs)| {
            Some(partition) != turn.partition && (fits(head) & smxs).any()
        });
        when(turn.partition.is_some() && !went && fits_elsewhere, &cover::IDLE_TURN);
        let overlaps = heads
            .iter()
            .enumerate()
            .any(|(at, &(.., one))| heads[at + 1..].iter().any(|&(.., other)| (one & other).any()));
        when(overlaps, &cover::OVERLAP);
    }
}

/// What is asked of the placement.
fn placing(turn: &Turn, request: SmxMask) -> PlacementInputs {
    PlacementInputs { reset: false, request, turn: turn.partition }
}
