//! Blocks that are paused since their SMX has more than it may run: Kayiran et al., "Neither More
//! Nor Less" (PACT 2013), `docs/dyncta.md`, rules 5 to 7.
//!
//! The first ones run, in the order in which they came. What a paused block has issued goes on: its
//! loads and stores, its fetches, barriers that others of it have reached; its warps issue nothing.

use std::rc::Rc;

use super::Smx;
use crate::event::Calendar;
use crate::warp_set::WarpSet;

/// See the module.
#[derive(Debug)]
pub(super) struct Pausing {
    /// How many blocks may run; all until the scheduler says so.
    limit: u8,
    /// The slots of the resident blocks in the order in which they came.
    order: Vec<u8>,
    /// The warps of the paused ones.
    pub(super) warps: WarpSet,
    /// How many these are.
    pub(super) blocks: u32,
}

impl Default for Pausing {
    fn default() -> Self {
        Self { limit: u8::MAX, order: Vec::new(), warps: 0, blocks: 0 }
    }
}

impl Pausing {
    /// A block has come into `slot`.
    pub(super) fn came(&mut self, slot: u8) {
        self.order.push(slot);
    }

    /// The block in `slot` is gone.
    pub(super) fn left(&mut self, slot: u8) {
        self.order.retain(|&other| other != slot);
    }
}

impl Smx {
    /// From the next cycle on no more than `limit` of its blocks run.
    #[inline]
    pub fn limit_running(&mut self, limit: u8, calendar: &mut Calendar) {
        if limit != self.pausing.limit {
            self.pausing.limit = limit;
            self.pause(calendar);
        }
    }

    /// Looks which blocks are paused from the next cycle on.
    pub(super) fn pause(&mut self, calendar: &mut Calendar) {
        let (mut warps, mut blocks) = (0, 0);
        for &slot in self.pausing.order.iter().skip(usize::from(self.pausing.limit)) {
            // Blocks of stated durations have no warps that issue.
            let block_warps = self.block(slot).map_or(0, |block| block.barriers.alive());
            if block_warps != 0 && !self.is_with_the_first(slot) {
                warps |= block_warps;
                blocks += 1;
            }
        }
        if (warps, blocks) == (self.pausing.warps, self.pausing.blocks) {
            return;
        }
        (self.pausing.warps, self.pausing.blocks) = (warps, blocks);
        self.measure(calendar.now() + 1);
        if self.with_operands() != 0 {
            calendar.wake_issue(calendar.now() + 1, usize::from(self.id));
        }
    }

    /// Whether the block in `slot` works in a cluster with the one that came first, which may wait
    /// for it.
    fn is_with_the_first(&self, slot: u8) -> bool {
        let cluster = |slot: u8| {
            let place = self.block(slot)?.cluster.as_ref()?;
            Some(Rc::as_ptr(&place.cluster))
        };
        let first = self.pausing.order.first().and_then(|&first| cluster(first));
        first.is_some() && cluster(slot) == first
    }

    fn block(&self, slot: u8) -> Option<&super::ResidentBlock> {
        self.slots[usize::from(slot)].as_ref()
    }
}
