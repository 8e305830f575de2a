//! How blocks come to an SMX.

use super::Smx;
use crate::barriers::Barriers;
use crate::block::ResidentBlock;
use crate::contention::Contention;
use crate::diagnostic::InputError;
use crate::event::Calendar;
use crate::program::KernelCode;

impl Smx {
    /// Takes in `block` for `duration` cycles from now on; returns the set of the slots of its
    /// `warps` warps, the first warp in the lowest one.
    ///
    /// # Panics
    /// When no slot is free, as for [`Smx::start_code`]; the invariants keep that from happening.
    pub fn start_timed(
        &mut self,
        mut block: ResidentBlock,
        warps: u32,
        duration: u64,
        calendar: &mut Calendar,
    ) -> u64 {
        block.reserved = self.warps.reserve(warps);
        let reserved = block.reserved;
        let slot = self.occupy(block, warps, calendar.now());
        self.ends_in(slot, calendar.now() + duration, calendar);
        reserved
    }

    /// Takes in `block` for a time that is not known yet, and returns its slot.
    ///
    /// # Panics
    /// As [`Smx::start_timed`].
    pub fn start_open(&mut self, mut block: ResidentBlock, warps: u32, cycle: u64) -> u8 {
        block.reserved = self.warps.reserve(warps);
        self.occupy(block, warps, cycle)
    }

    /// Takes in `block` for a time that depends on what runs beside it: `duration` cycles at its
    /// stated pace.
    ///
    /// # Panics
    /// As [`Smx::start_timed`].
    pub fn start_shared(
        &mut self,
        mut block: ResidentBlock,
        warps: u32,
        duration: u64,
        contention: Contention,
        calendar: &mut Calendar,
    ) {
        block.reserved = self.warps.reserve(warps);
        let kernel = block.kernel;
        let slot = self.occupy(block, warps, calendar.now());
        self.shared.start(self.id, (slot, kernel), duration, contention, calendar);
    }

    /// What was foreseen of the blocks of [`Smx::start_shared`] happens, if it is the last of
    /// `version`.
    pub fn shared_ended(&mut self, version: u32, calendar: &mut Calendar) {
        let Self { shared, ended, id, .. } = self;
        shared.end(*id, version, calendar, |slot| ended.push_back(slot));
    }

    /// Takes in `block` with `warps` warps that run `code`, `wait` cycles later than they could;
    /// returns its slot.
    ///
    /// # Errors
    /// Those of [`KernelCode::block`].
    pub fn start_code(
        &mut self,
        (block, wait): (ResidentBlock, u64),
        warps: u32,
        code: &dyn KernelCode,
        calendar: &mut Calendar,
    ) -> Result<u8, InputError> {
        let mut programs = std::mem::take(&mut self.programs);
        code.block(block.block, warps, &mut programs)?;
        let slot = self.occupy(block, warps, calendar.now());
        let mut started = 0;
        for (number, program) in programs.drain(..).enumerate() {
            started |= 1 << self.warps.start((slot, number as u8), program);
        }
        self.programs = programs;
        self.block_mut(slot).barriers = Barriers::new(started);
        self.alive |= started;
        self.alive_warps += started.count_ones();
        self.measure(calendar.now());
        self.resume_after(wait, started, calendar);
        self.pause(calendar);
        Ok(slot)
    }

    pub(super) fn occupy(&mut self, block: ResidentBlock, warps: u32, cycle: u64) -> u8 {
        let slot = self.slots.iter().position(Option::is_none);
        let slot = slot.unwrap_or_else(|| panic!("SMX {} has no free slot", self.id));
        self.block_codes[slot] = block.code;
        self.slots[slot] = Some(block);
        self.block_groups[slot] = self.groups.join(warps);
        self.resident += 1;
        self.pausing.came(slot as u8);
        self.turns.go_on(cycle);
        self.counts.thread_blocks += 1;
        self.measure(cycle);
        slot as u8
    }
}
