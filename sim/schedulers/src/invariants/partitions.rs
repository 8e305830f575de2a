//! Kernels stay on the SMXs of their partition, and the partitions take turns, by the rules of
//! `docs/partitions.md`.

use std::collections::VecDeque;

use super::issue::Issued;
use crate::port::{FloorPlan, KernelEntry, KernelLaunch};

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct PartitionRules {
    plan: FloorPlan,
    /// Of each partition the kernels that have blocks left, or whose empty grid has not been seen,
    /// the oldest first.
    queues: Vec<VecDeque<KernelEntry>>,
    /// The partition that is asked first.
    pointer: usize,
    /// The partition whose turn it is in this cycle, and its head.
    turn: Option<(usize, KernelEntry)>,
}

impl PartitionRules {
    /// Nothing is marked on the SMXs of `plan`.
    pub(super) fn new(plan: &FloorPlan) -> Self {
        let queues = vec![VecDeque::new(); plan.partitions().len()];
        Self { plan: plan.clone(), queues, pointer: 0, turn: None }
    }

    /// Rule 6: `launch` is that of the block's kernel.
    pub(super) fn check_smx(&self, smx: usize, launch: &KernelLaunch) -> Result<(), String> {
        let partition = self.plan.partition_of(launch.partition);
        if self.plan.partitions()[partition][smx] {
            return Ok(());
        }
        Err(format!(
            "SMX {smx} receives a block of a kernel of partition {partition}, in which it is not"
        ))
    }

    /// Rules 4 and 5: the blocks of one cycle, at most one, are of the head of the partition that
    /// has the turn.
    pub(super) fn check(
        &mut self,
        issued: &[Issued],
        launch: impl Fn(KernelEntry) -> Option<KernelLaunch>,
    ) -> Result<(), String> {
        if issued.len() > 1 {
            return Err(format!("{} blocks dispatched in one cycle", issued.len()));
        }
        for block in issued {
            let entry = block.kernel.0;
            let of =
                launch(block.kernel).map_or(0, |launch| self.plan.partition_of(launch.partition));
            match self.turn {
                Some((partition, _)) if partition != of => {
                    return Err(format!(
                        "entry {entry} of partition {of} dispatches in the turn of partition {partition}"
                    ));
                }
                Some((_, oldest)) if oldest != block.kernel => {
                    let oldest = oldest.0;
                    return Err(format!(
                        "entry {entry} dispatches before entry {oldest}, which is older"
                    ));
                }
                _ => {}
            }
            if block.id + 1 == block.blocks {
                self.queues[of].pop_front();
            }
        }
        Ok(())
    }

    /// The clock edge: `has_blocks` says whether a kernel has blocks left, `entering` are those
    /// that are accepted.
    pub(super) fn clock(
        &mut self,
        has_blocks: impl Fn(KernelEntry) -> bool,
        entering: impl Iterator<Item = (KernelLaunch, KernelEntry)>,
    ) {
        if let Some((partition, head)) = self.turn {
            // The head's empty grid is seen.
            self.queues[partition].pop_front_if(|entry| *entry == head && !has_blocks(head));
            self.pointer = (partition + 1) % self.queues.len();
        }
        for (launch, entry) in entering {
            self.queues[self.plan.partition_of(launch.partition)].push_back(entry);
        }
        let partitions = self.queues.len();
        let mut asked = (0..partitions).map(|step| (self.pointer + step) % partitions);
        self.turn = asked
            .find_map(|partition| self.queues[partition].front().map(|&head| (partition, head)));
    }
}
