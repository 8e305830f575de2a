//! The scoreboard of a warp: which registers still wait for their value.
//!
//! A load blocks the instruction that uses its value, not the warp.

use crate::workload::program::{Instruction, Operation, Register};

/// The cycle of a value whose arrival is not known yet: it comes from memory.
pub const UNKNOWN: u64 = u64::MAX;

/// Pending registers beyond which those that have their values are taken out.
const MOST_KEPT: usize = 4;

/// Pending registers, each with the cycle from which its value can be used.
#[derive(Debug, Default)]
pub struct Scoreboard {
    /// A handful at most, so a list beats a table of all registers.
    pending: Vec<(Register, u64)>,
}

impl Scoreboard {
    /// The first cycle from `now` on in which `instruction` finds its operands and its destination
    /// free, or [`UNKNOWN`]. An exit waits for everything, so that no reply finds its warp gone.
    #[inline]
    pub fn ready_at(&mut self, now: u64, instruction: &Instruction) -> u64 {
        // Values that have come change nothing; to take them out each time would cost more.
        if self.pending.len() > MOST_KEPT {
            self.pending.retain(|&(_, at)| at > now);
        }
        let exit = matches!(instruction.operation, Operation::Exit);
        let mut ready = now;
        for &(register, at) in &self.pending {
            let register = Some(register);
            if at > ready
                && (exit
                    || instruction.destination == register
                    || instruction.sources.contains(&register))
            {
                ready = at;
            }
        }
        ready
    }

    /// `register` gets its value in cycle `at`, or at an [`UNKNOWN`] one.
    #[inline]
    pub fn write(&mut self, register: Register, at: u64) {
        self.pending.push((register, at));
    }

    /// The value of `register`, whose arrival was not known, comes in cycle `at`.
    #[inline]
    pub fn resolve(&mut self, register: Register, at: u64) {
        let waits = |entry: &&mut (Register, u64)| entry.0 == register && entry.1 == UNKNOWN;
        if let Some(entry) = self.pending.iter_mut().find(waits) {
            entry.1 = at;
        }
    }

    /// Forgets everything, for the next warp in the slot.
    pub fn clear(&mut self) {
        self.pending.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::program::{two_sources, Unit};

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
}
