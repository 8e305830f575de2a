//! The scoreboard of a warp: which registers still wait for their value.
//!
//! A load blocks the instruction that uses its value, not the warp. An instruction waits for the
//! register that it writes, too, so a register has at most one value on its way, and a table by
//! register holds all there is to know.

use crate::prefetch::{prefetch, prefetch_all};
use crate::program::{Instruction, Operation, Register};

/// The cycle of a value whose arrival is not known yet: it comes from memory.
pub const UNKNOWN: u64 = u64::MAX;

/// Registers of a warp.
const REGISTERS: usize = Register::MAX as usize + 1;

/// See the module. The next warp in a slot inherits it as it is: an exit waits for everything.
///
/// Few of the registers are used, the lowest: these and the rest lie together in the processor's
/// cache.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Scoreboard {
    /// A cycle from which on nothing is waited for, but registers whose cycle is not known.
    settled: u64,
    /// The number of these.
    unknown: u32,
    /// The cycle before which the warp issues nothing, whatever it needs.
    held: u64,
    /// For each register the cycle from which its value can be used.
    available: [u64; REGISTERS],
}

impl Default for Scoreboard {
    /// Every value is there.
    fn default() -> Self {
        Self { settled: 0, unknown: 0, held: 0, available: [0; REGISTERS] }
    }
}

impl Scoreboard {
    /// The first cycle from `now` on in which `instruction` finds its operands and its destination
    /// free, or [`UNKNOWN`]. An exit waits for everything, so that no reply finds its warp gone.
    #[inline]
    pub fn ready_at(&self, now: u64, instruction: &Instruction) -> u64 {
        if instruction.operation == Operation::Exit {
            return if self.unknown == 0 { self.settled.max(now) } else { UNKNOWN };
        }
        let available = |register: &Option<Register>| {
            register.map_or(0, |register| self.available[usize::from(register)])
        };
        let sources = instruction.sources.iter().map(available).fold(self.held, u64::max);
        sources.max(available(&instruction.destination)).max(now)
    }

    /// It will be asked soon, of registers of which most are the lowest.
    #[inline]
    pub fn announce(&self) {
        prefetch(&self.settled);
        prefetch_all(&self.available[..16]);
    }

    /// `register` gets its value in cycle `at`, or at an [`UNKNOWN`] one.
    #[inline]
    pub fn write(&mut self, register: Register, at: u64) {
        self.available[usize::from(register)] = at;
        if at == UNKNOWN {
            self.unknown += 1;
        } else {
            self.settled = self.settled.max(at);
        }
    }

    /// The value of `register`, whose arrival was not known, comes in cycle `at`.
    #[inline]
    pub fn resolve(&mut self, register: Register, at: u64) {
        if self.available[usize::from(register)] == UNKNOWN {
            self.unknown -= 1;
            self.write(register, at);
        }
    }

    /// The cycle from which on every value is there and the warp is not held, if it is known.
    pub fn settled(&self) -> Option<u64> {
        (self.unknown == 0).then_some(self.settled)
    }

    /// The warp issues nothing before cycle `until`.
    pub fn hold(&mut self, until: u64) {
        self.held = until;
        self.settled = self.settled.max(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{two_sources, Unit};

    fn add(destination: Register, sources: [Option<Register>; 2]) -> Instruction {
        let sources = two_sources(sources);
        let operation = Operation::Compute(Unit::Integer);
        Instruction { operation, destination: Some(destination), sources, ..Instruction::default() }
    }

    #[test]
    fn an_instruction_waits_for_what_it_reads_and_for_what_it_writes() {
        let mut board = Scoreboard::default();
        board.write(1, 10);
        assert_eq!(board.ready_at(5, &add(2, [Some(1), None])), 10);
        assert_eq!(board.ready_at(5, &add(2, [None, Some(1)])), 10);
        assert_eq!(board.ready_at(5, &add(1, [None; 2])), 10);
        assert_eq!(board.ready_at(5, &add(2, [Some(3), None])), 5);
        assert_eq!(board.ready_at(10, &add(2, [Some(1), None])), 10);
    }

    #[test]
    fn a_load_blocks_its_consumer_until_its_value_comes_and_nothing_else() {
        let mut board = Scoreboard::default();
        board.write(1, UNKNOWN);
        board.write(2, 7);
        assert_eq!(board.ready_at(3, &add(4, [Some(3), None])), 3);
        assert_eq!(board.ready_at(3, &add(4, [Some(1), Some(2)])), UNKNOWN);
        board.resolve(1, 9);
        assert_eq!(board.ready_at(3, &add(4, [Some(1), Some(2)])), 9);
        assert_eq!(board.ready_at(9, &add(4, [Some(1), Some(2)])), 9);
    }

    #[test]
    fn an_exit_waits_for_everything() {
        let mut board = Scoreboard::default();
        assert_eq!(board.ready_at(3, &Instruction::default()), 3);
        board.write(9, UNKNOWN);
        assert_eq!(board.ready_at(3, &Instruction::default()), UNKNOWN);
    }

    #[test]
    fn a_warp_that_is_held_waits_whatever_it_needs() {
        let mut board = Scoreboard::default();
        board.write(1, 8);
        board.hold(20);
        assert_eq!(board.ready_at(3, &add(2, [None; 2])), 20);
        assert_eq!(board.ready_at(3, &Instruction::default()), 20);
        assert_eq!(board.ready_at(20, &add(2, [Some(1), None])), 20);
        board.write(3, 25);
        assert_eq!(board.ready_at(21, &add(2, [Some(1), None])), 21, "it waits no more");
    }
}
