//! Blocks that wait for what they have launched: where they are, until one has nothing else to do;
//! then it gives back its slot, and comes back with its warps as they were.

use super::{Request, Smx};
use crate::barriers::Barriers;
use crate::block::ResidentBlock;
use crate::device::Waiter;
use crate::event::{Calendar, Event};
use crate::program::WarpProgram;
use crate::warp_set::slots;

/// What is kept of a block that has given back its slot.
pub struct SavedBlock {
    warps: Vec<SavedWarp>,
    barriers: Barriers,
}

impl std::fmt::Debug for SavedBlock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SavedBlock({} warps, {:?})", self.warps.len(), self.barriers)
    }
}

/// A warp that has not exited.
pub struct SavedWarp {
    /// Its slot so far.
    pub slot: usize,
    /// Its place in its block.
    pub number: u8,
    /// Where the instruction is that it issued last.
    pub pc: u32,
    /// What comes next.
    pub program: Box<dyn WarpProgram>,
}

impl Smx {
    /// The warp asks whether what its block has launched has finished. Until the answer it issues
    /// nothing.
    pub(super) fn synchronize(&mut self, slot: usize) {
        self.requests.push_back(Request::Synchronize(slot));
    }

    /// The warp in `slot`, which has asked so, need not wait.
    pub fn go_on(&mut self, slot: usize, calendar: &mut Calendar) {
        self.resume(1 << slot, calendar);
    }

    /// The warp in `slot`, which has asked so, has to wait.
    pub fn wait_for_launches(&mut self, slot: usize, calendar: &mut Calendar) {
        self.at_barrier |= 1 << slot;
        self.block_of(slot).for_launches |= 1 << slot;
        self.check_waiting(self.warps.block_slot[slot], calendar);
        self.measure(calendar.now() + 1);
    }

    /// Where the block of the warp in `slot` is.
    pub fn place_of(&self, slot: usize) -> Waiter {
        Waiter::Resident { smx: self.id, slot: self.warps.block_slot[slot] }
    }

    /// Everything has finished that the block in `block_slot` has launched. One that is about to
    /// give back its slot does so all the same.
    pub fn launches_finished(&mut self, block_slot: u8, calendar: &mut Calendar) {
        let warps = std::mem::take(&mut self.block_mut(block_slot).for_launches);
        self.at_barrier &= !warps;
        self.measure(calendar.now());
        self.resume(warps, calendar);
    }

    /// Where every warp of the block waits that has not exited, it is suspended if some wait for
    /// launches; if none does, it will never go on.
    #[inline]
    pub(super) fn check_waiting(&mut self, block_slot: u8, calendar: &mut Calendar) {
        let block = self.block_mut(block_slot);
        let alive = block.barriers.alive();
        if alive == 0 || block.barriers.waiting() | block.for_launches != alive {
            return;
        }
        if block.for_launches == 0 {
            self.deadlock(block_slot);
        } else {
            self.suspend(block_slot, calendar);
        }
    }

    /// The block gives back its slot as soon as nothing of it is on its way.
    fn suspend(&mut self, block_slot: u8, calendar: &mut Calendar) {
        let block = self.block_mut(block_slot);
        let barriers = std::mem::take(&mut block.barriers);
        block.for_launches = 0;
        let left = barriers.alive();
        block.draining |= left;
        let warps = slots(left).map(|slot| self.warps.save(slot)).collect();
        self.block_mut(block_slot).saved = Some(Box::new(SavedBlock { warps, barriers }));
        self.alive &= !left;
        self.alive_warps -= left.count_ones();
        self.at_barrier &= !left;
        self.buffered &= !left;
        for slot in slots(left) {
            self.part(slot, calendar);
        }
    }

    /// The warp in `slot`, whose block is being suspended, leaves when it has all values that it
    /// waits for, and then as one that exits.
    #[cold]
    pub(super) fn part(&mut self, slot: usize, calendar: &mut Calendar) {
        self.parting |= 1 << slot;
        match self.warps.boards[slot].settled() {
            None => self.warps.wait_for_memory |= 1 << slot,
            Some(at) if at > calendar.now() => {
                let event = Event::WarpReady { smx: self.id, warp: slot as u8 };
                calendar.schedule(at, event);
            }
            Some(_) => {
                self.parting &= !(1 << slot);
                self.leave_or_drain(slot, calendar);
            }
        }
    }

    /// Takes in a `block` again that was suspended, which has waited long enough; it has `warps`
    /// warps in all, which go on `wait` cycles later than they could.
    ///
    /// # Panics
    /// When no slot is free, or nothing is saved of it; the invariants keep that from happening.
    pub fn start_saved(
        &mut self,
        (mut block, wait): (ResidentBlock, u64),
        warps: u32,
        calendar: &mut Calendar,
    ) {
        let saved = block.saved.take().expect("the warps of a suspended block");
        let slot = self.occupy(block, warps, calendar.now());
        let SavedBlock { warps, mut barriers } = *saved;
        let mut places = [0; super::MAX_WARPS];
        let mut started = 0;
        for SavedWarp { slot: before, number, pc, program } in warps {
            let place = self.warps.start((slot, number), program);
            self.warps.next[place].pc = pc;
            places[before] = place;
            started |= 1 << place;
        }
        barriers.renumber(|warp| places[warp]);
        let at_barrier = barriers.waiting();
        self.block_mut(slot).barriers = barriers;
        self.alive |= started;
        self.alive_warps += started.count_ones();
        self.at_barrier |= at_barrier;
        self.measure(calendar.now());
        self.resume_after(wait, started & !at_barrier, calendar);
        self.pause(calendar);
    }
}
