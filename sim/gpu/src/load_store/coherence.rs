//! What the L1 forgets at the boundary of a kernel, and what it writes back.

use super::LoadStore;
use crate::coalescer::LineAccess;
use crate::event::Calendar;
use crate::memory::Memory;

impl LoadStore {
    /// Forgets the L1's lines; dirty ones are written back.
    pub fn invalidate(&mut self, memory: &mut Memory, calendar: &mut Calendar) {
        let mut write_backs = std::mem::take(&mut self.write_backs);
        self.l1.invalidate(&mut write_backs);
        for old in write_backs.drain(..) {
            self.send_back(old, memory, calendar);
        }
        self.write_backs = write_backs;
    }

    /// The L1 has `size` bytes from now on. It stays as it is if that is its size, or something is
    /// on its way.
    pub fn resize_l1(&mut self, size: u32, memory: &mut Memory, calendar: &mut Calendar) {
        if self.l1.may_become(size) {
            self.invalidate(memory, calendar);
            self.l1.resize(size);
        }
    }

    /// A kernel starts: what the L1 holds is forgotten, except words that it owns.
    pub fn acquire(&mut self, memory: &mut Memory, calendar: &mut Calendar) {
        if self.owner.is_none() {
            self.invalidate(memory, calendar);
            return;
        }
        #[cfg(test)]
        memory.shadow.acquire(self.smx);
        self.forget_unowned();
    }

    /// What is on its way may be older than the kernel: the unit waits for it and forgets it too.
    pub(super) fn forget_unowned(&mut self) {
        self.coherence.invalidations += self.l1.acquire();
        self.acquiring = self.l1.coming_lines() > 0;
    }

    #[inline]
    pub(super) fn write_back(
        &mut self,
        old: Option<LineAccess>,
        memory: &mut Memory,
        calendar: &mut Calendar,
    ) {
        if let Some(old) = old {
            self.send_back(old, memory, calendar);
        }
    }
}
