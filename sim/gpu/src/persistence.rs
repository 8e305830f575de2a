//! Blocks that ask for other blocks of their kernel (`docs/launch-control.md`): those of stated
//! duration when their own work is done, to run them; those that execute instructions when an
//! instruction says so. Where the scheduler cancels whole clusters, the blocks of a cluster that
//! have stated durations ask together.

use std::collections::BTreeMap;

use super::host::Body;
use super::Gpu;
use crate::event::Calendar;
use crate::port::{Cluster, Dim3, KernelEntry};
use crate::smx::Smx;

/// Running blocks of stated duration that ask together: those of a cluster, or one alone.
#[derive(Debug, Default)]
pub(super) struct Together {
    /// SMX and slot of each.
    blocks: Vec<(usize, u8)>,
    /// The cycle in which the work of all of them is done.
    done: u64,
}

/// By the number of their kernel and the index of the first of them, as they were dispatched.
pub(super) type Clusters = BTreeMap<(usize, Dim3), Together>;

impl Together {
    /// When the work of all of them is done, the one on the lowest SMX asks for all.
    fn ask(&self, smxs: &[Smx], calendar: &mut Calendar) {
        let &(smx, slot) = self.blocks.iter().min().expect("a cluster has blocks");
        smxs[smx].works_until(slot, self.done, calendar);
    }
}

impl Gpu {
    /// The scheduler cancels whole clusters; at first single blocks. To be called before the first
    /// cycle.
    pub fn cancel_clusters(&mut self) {
        self.cancels_clusters = true;
    }

    /// Which blocks of that kernel are cancelled together.
    fn cancelled_together(&self, kernel: usize) -> Cluster {
        match self.cancels_clusters {
            true => self.kernels[kernel].launch.cluster,
            false => Cluster::default(),
        }
    }

    /// A block that was dispatched to the slot of that SMX has done its work in `cycle`: it asks
    /// from then on, or with the last one of its cluster.
    pub(super) fn asks_behind_work(&mut self, (smx, slot): (usize, u8), cycle: u64) {
        let block = self.smxs[smx].block_mut(slot);
        let (kernel, block) = (block.kernel, block.block);
        let cluster = self.cancelled_together(kernel);
        let together = self.clusters.entry((kernel, cluster.first_of(block))).or_default();
        together.blocks.push((smx, slot));
        together.done = together.done.max(cycle);
        if together.blocks.len() == cluster.blocks() as usize {
            together.ask(&self.smxs, &mut self.calendar);
        }
    }

    /// The block that asks in this cycle, by its SMX and its slot: the one that waits longest, then
    /// that of the lowest SMX.
    fn asker(&self) -> Option<(usize, u8)> {
        let each = self.smxs.iter().enumerate();
        let asking = each.filter_map(|(smx, this)| Some((this.asks_first()?, smx)));
        // Where the cycles are equal, the SMX decides.
        let first = asking.min_by_key(|&((since, _), smx)| (since, smx));
        first.map(|((_, slot), smx)| (smx, slot))
    }

    /// The kernel of which a block asks for another one in this cycle.
    pub(super) fn question(&mut self) -> Option<KernelEntry> {
        if !self.device.ports().takes_cancels() {
            return None;
        }
        let (smx, slot) = self.asker()?;
        Some(self.smxs[smx].block_mut(slot).entry)
    }

    /// The block that asks in `cycle` gets `cancelled`, or its cluster the cluster that begins with
    /// that one. Those of stated duration do the work of what is cancelled, or end in the next
    /// cycle; to an instruction the answer comes `launch.cancel` cycles later, in the next cycle at
    /// the earliest.
    pub(super) fn answer(&mut self, cycle: u64, cancelled: Option<Dim3>) {
        let (smx, slot) = self.asker().expect("it asks");
        let reply = self.smxs[smx].take_question();
        let block = self.smxs[smx].block_mut(slot);
        let (number, block) = (block.kernel, block.block);
        let cluster = self.cancelled_together(number);
        let Self { smxs, kernels, clusters, calendar, config, .. } = self;
        let kernel = &mut kernels[number];
        kernel.asked = true;
        kernel.cancelled += cancelled.map_or(0, |_| u64::from(cluster.blocks()));
        if let Some(reply) = reply {
            smxs[smx].answer_in(cycle, (slot, cancelled, reply), calendar);
            return;
        }
        let first = cluster.first_of(block);
        let Some(begin) = cancelled else {
            let ending = clusters.remove(&(number, first)).expect("it asks");
            for (smx, slot) in ending.blocks {
                smxs[smx].ends_in(slot, cycle + 1, calendar);
            }
            return;
        };
        let Some(Body::Durations(durations)) = &kernel.body else {
            unreachable!("the others have someone who takes the answer")
        };
        let together = clusters.get_mut(&(number, first)).expect("it asks");
        for &(smx, slot) in &together.blocks {
            // That at its own place.
            let Dim3 { x, y, z } = cluster.place_of(smxs[smx].block_mut(slot).block);
            let block = Dim3::new(begin.x + x, begin.y + y, begin.z + z);
            let stated = durations.of(block.linear(kernel.launch.grid));
            let work = stated.saturating_sub(kernel.persistence.setup).max(1);
            let done = cycle + u64::from(config.launch.cancel) + config.slowed(smx, work);
            together.done = together.done.max(done);
        }
        together.ask(smxs, calendar);
    }
}
