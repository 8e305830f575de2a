//! The warps of an SMX, one array a property, by warp slot.

use super::suspension::SavedWarp;
use super::units::IssueClass;
use crate::coalescer::bank_conflicts;
use crate::diagnostic::InputError;
use crate::host::DeviceLaunch;
use crate::prefetch::{prefetch, prefetch_first};
use crate::program::{Instruction, Reply, WarpProgram, NEAR};
use crate::scoreboard::Scoreboard;
use crate::warp_set::WarpSet;

/// Most warps of an SMX: their sets are 64-bit words.
pub const MAX_WARPS: usize = 64;

/// The place of the instruction before a warp's first one.
pub const NOWHERE: u32 = u32::MAX;

/// What has been asked for of that which it takes to pull the next instruction of a warp.
#[derive(Clone, Copy, Debug)]
pub enum Near {
    /// Nothing.
    Nothing,
    /// The warp's program.
    Program,
    /// And the operands of the instruction.
    Operands,
}

/// See the module.
pub struct Warps {
    /// The instruction that each warp issues next.
    pub next: [Instruction; MAX_WARPS],
    /// What that needs beside its operands.
    pub class: [IssueClass; MAX_WARPS],
    /// How long it takes in shared memory, if it goes there. Counted when it is pulled: its
    /// addresses are near then.
    pub shared_cycles: [u8; MAX_WARPS],
    /// Its pending registers.
    pub boards: Box<[Scoreboard; MAX_WARPS]>,
    /// The thread-block slot of each warp's block.
    pub block_slot: [u8; MAX_WARPS],
    /// Each warp's place in its block.
    pub numbers: [u8; MAX_WARPS],
    /// Instructions in each warp's buffer; unlimited where fetch is not modelled.
    pub buffered: [u8; MAX_WARPS],
    /// Stores on their way.
    pub stores: [u32; MAX_WARPS],
    /// The order in which the warps started.
    pub ages: [u64; MAX_WARPS],
    programs: [Option<Box<dyn WarpProgram>>; MAX_WARPS],
    /// Slots without a warp.
    pub free: WarpSet,
    /// Warps whose next instruction waits for a value from memory, whose cycle is not known yet.
    pub wait_for_memory: WarpSet,
    started: u64,
    /// Kept between calls so that nothing is allocated.
    words: Vec<u64>,
}

impl Warps {
    /// `count` empty slots.
    pub fn new(count: usize) -> Self {
        Self {
            next: std::array::from_fn(|_| Instruction::default()),
            class: [IssueClass::FREE; MAX_WARPS],
            shared_cycles: [0; MAX_WARPS],
            boards: scoreboards(),
            block_slot: [0; MAX_WARPS],
            numbers: [0; MAX_WARPS],
            buffered: [0; MAX_WARPS],
            stores: [0; MAX_WARPS],
            ages: [0; MAX_WARPS],
            programs: std::array::from_fn(|_| None),
            free: WarpSet::MAX >> (MAX_WARPS - count),
            wait_for_memory: 0,
            started: 0,
            words: Vec::new(),
        }
    }

    /// Puts warp `number` of the block in `block_slot` into the lowest free slot.
    ///
    /// # Panics
    /// When no slot is free; the invariants keep that from happening.
    pub fn start(
        &mut self,
        (block_slot, number): (u8, u8),
        program: Box<dyn WarpProgram>,
    ) -> usize {
        let slot = self.free.trailing_zeros() as usize;
        assert!(slot < self.programs.len(), "no warp slot left");
        self.free &= !(1 << slot);
        self.ages[slot] = self.started;
        self.started += 1;
        self.block_slot[slot] = block_slot;
        self.numbers[slot] = number;
        self.buffered[slot] = 0;
        self.stores[slot] = 0;
        self.next[slot].pc = NOWHERE;
        self.programs[slot] = Some(program);
        slot
    }

    /// Takes the `count` lowest free slots for the warps of a block of stated duration; returns
    /// their set.
    ///
    /// # Panics
    /// As [`Warps::start`].
    pub fn reserve(&mut self, count: u32) -> WarpSet {
        let before = self.free;
        for _ in 0..count {
            assert!(self.free != 0, "no warp slot left");
            self.free &= self.free - 1;
        }
        before & !self.free
    }

    /// What the warp in `slot`, which issues a launch, launches.
    pub fn launches(&mut self, slot: usize) -> Vec<DeviceLaunch> {
        let program = self.programs[slot].as_mut().expect("a warp that has not exited");
        program.launches()
    }

    /// Who gets the answers to what the warp in `slot`, which issues a question in each lane, asks.
    pub fn questions(&mut self, slot: usize) -> Vec<Reply> {
        let program = self.programs[slot].as_mut().expect("a warp that has not exited");
        program.questions()
    }

    /// Why the warp in `slot`, which issues a fault, cannot go on.
    pub fn fault(&mut self, slot: usize) -> Option<InputError> {
        let program = self.programs[slot].as_mut().expect("a warp that has not exited");
        program.fault()
    }

    /// The warp in `slot` may issue soon.
    #[inline]
    pub fn announce(&self, slot: usize) {
        self.announce_instruction(slot);
        prefetch(&self.programs[slot]);
    }

    /// A value for the warp in `slot` may come soon.
    #[inline]
    pub fn announce_board(&self, slot: usize) {
        self.boards[slot].announce();
    }

    /// The next instruction of `slot` will be pulled, which is `near` so far.
    #[inline]
    pub fn announce_pull(&self, slot: usize, near: Near) {
        let Some(program) = self.programs[slot].as_deref() else { return };
        match near {
            Near::Nothing => {
                self.announce_instruction(slot);
                prefetch_first(program, NEAR);
            }
            Near::Program => program.announce(),
            Near::Operands => program.announce_data(),
        }
    }

    #[inline]
    fn announce_instruction(&self, slot: usize) {
        let next = &self.next[slot];
        prefetch(&next.operation);
        prefetch(&next.addresses);
        self.boards[slot].announce();
    }

    /// Pulls the next instruction of `slot`.
    #[inline]
    pub fn pull(&mut self, slot: usize) {
        let program = self.programs[slot].as_mut().expect("a warp that has not exited");
        program.next(&mut self.next[slot]);
    }

    /// The instruction of `slot` that was pulled accesses `bytes` bytes a lane of shared memory.
    #[inline]
    pub fn count_shared_cycles(&mut self, slot: usize, bytes: u8) {
        self.shared_cycles[slot] = bank_conflicts(&self.next[slot], bytes, &mut self.words) as u8;
    }

    /// The first cycle from `now` on in which the next instruction of `slot` has its operands, or
    /// [`UNKNOWN`](crate::scoreboard::UNKNOWN).
    #[inline]
    pub fn ready_at(&self, slot: usize, now: u64) -> u64 {
        self.boards[slot].ready_at(now, &self.next[slot])
    }

    /// Takes away what the warp in `slot` needs to go on elsewhere; the slot stays its own.
    pub fn save(&mut self, slot: usize) -> SavedWarp {
        let program = self.programs[slot].take().expect("a warp that has not exited");
        SavedWarp { slot, number: self.numbers[slot], pc: self.next[slot].pc, program }
    }

    /// The warp in `slot` is gone.
    pub fn end(&mut self, slot: usize) {
        self.programs[slot] = None;
        self.free |= 1 << slot;
    }
}

fn scoreboards() -> Box<[Scoreboard; MAX_WARPS]> {
    let boards: Vec<_> = (0..MAX_WARPS).map(|_| Scoreboard::default()).collect();
    boards.into_boxed_slice().try_into().expect("one a warp")
}
