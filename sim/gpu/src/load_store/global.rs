//! Accesses of global memory: the L1 or past it, or, where words have owners, what DeNovo does.

use super::queued::Queued;
use super::{Arrival, LoadStore, Turn};
use crate::coalescer::LineAccess;
use crate::event::Calendar;
use crate::l1::{L1Load, L1Store};
use crate::memory::{FirstLevel, Memory, Purpose};
use crate::program::Access;
use crate::sharing::L1Access;

impl LoadStore {
    /// Makes the access `at` of `first`; `None` when it has to wait. Otherwise a register whose
    /// value is known to come, if there is one.
    #[inline]
    pub(super) fn access(
        &mut self,
        at: LineAccess,
        first: &Queued,
        access: Access,
        memory: &mut Memory,
        calendar: &mut Calendar,
        turn: &mut Turn,
    ) -> Option<Option<Arrival>> {
        let now = calendar.now();
        if self.owner.is_some() {
            return self.owner_access(at, first, access, memory, calendar, turn);
        }
        let room = memory.has_room(self.smx);
        match (access, first.load) {
            (Access::Load, Some(load)) if self.global_through_l1 => {
                let outcome = self.l1.load(at, load, room);
                self.shared_load(at.line, outcome);
                match outcome {
                    L1Load::Hit => return Some(self.loads.known(load, now + self.l1_latency)),
                    L1Load::Miss { way, words, write_back } => {
                        self.write_back(write_back, memory, calendar);
                        let sent = now + self.l1_latency;
                        let fill = Purpose::Fill { cache: FirstLevel::Data, way };
                        memory.send(self.smx, fill, at.line, words, sent, calendar);
                        self.loads.made(load);
                    }
                    L1Load::Merged => self.loads.made(load),
                    L1Load::Stalled => return None,
                }
            }
            (Access::Load | Access::Atomic, _) if !room => return None,
            (Access::Load, Some(load)) => {
                self.counts.past_l1 += 1;
                memory.send(self.smx, Purpose::Load(load), at.line, at.words, now, calendar);
                self.loads.made(load);
            }
            (Access::Atomic, load) => {
                self.counts.past_l1 += 1;
                self.l1.evict(at.line);
                let purpose = load.map_or(Purpose::Reduction { warp: first.warp }, Purpose::Atomic);
                memory.send(self.smx, purpose, at.line, at.words, now, calendar);
                match load {
                    Some(load) => self.loads.made(load),
                    None => self.count_store(first.warp, turn),
                }
            }
            (_, _) => {
                let sends = !(self.global_through_l1 && self.l1.keeps_stores());
                if sends && !room || self.store_buffer > 0 && self.stores >= self.store_buffer {
                    return None;
                }
                match if self.global_through_l1 { self.l1.store(at) } else { L1Store::Through } {
                    L1Store::Stalled => return None,
                    L1Store::Kept { write_back } => {
                        self.shared(at.line, L1Access::Stored);
                        self.write_back(write_back, memory, calendar);
                        turn.stored = Some((first.warp, 0));
                    }
                    L1Store::Through => {
                        self.counts.past_l1 += 1;
                        let purpose = Purpose::Store { warp: first.warp };
                        let sent = now + self.store_latency;
                        memory.send(self.smx, purpose, at.line, at.words, sent, calendar);
                        self.count_store(first.warp, turn);
                    }
                }
            }
        }
        Some(None)
    }

    #[inline]
    pub(super) fn count_store(&mut self, warp: u8, turn: &mut Turn) {
        self.stores += 1;
        turn.stored = Some((warp, 1));
    }
}
