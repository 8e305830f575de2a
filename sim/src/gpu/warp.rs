//! A warp on an SMX: its program, the instruction that it issues next, and its scoreboard.

use super::scoreboard::Scoreboard;
use crate::workload::program::{Instruction, Operation, Space, Unit, WarpProgram};

/// What an instruction needs beside its operands; ready warps are kept in one set for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssueClass {
    /// The scheduler's unit of that kind.
    Unit(Unit),
    /// Room in the load/store queue.
    Global,
    /// Nothing.
    Free,
}

/// Number of sets of ready warps.
pub const ISSUE_CLASSES: usize = 7;

/// Number of units of a scheduler.
pub const UNITS: usize = 5;

impl IssueClass {
    /// The set of this class; the first [`UNITS`] are those of the units.
    pub const fn index(self) -> usize {
        match self {
            IssueClass::Unit(Unit::Integer) => 0,
            IssueClass::Unit(Unit::Single) => 1,
            IssueClass::Unit(Unit::Double) => 2,
            IssueClass::Unit(Unit::Special) => 3,
            IssueClass::Unit(Unit::Tensor) => 4,
            IssueClass::Global => 5,
            IssueClass::Free => 6,
        }
    }
}

/// See the module.
pub struct Warp {
    /// The slot of its block.
    pub block_slot: u8,
    /// The instruction that it issues next.
    pub next: Instruction,
    /// Its pending registers.
    pub scoreboard: Scoreboard,
    /// Whether `next` waits for a value from memory, whose cycle is not known yet.
    pub waits_for_memory: bool,
    program: Box<dyn WarpProgram>,
}

impl Warp {
    /// A warp before its first instruction.
    pub fn new(block_slot: u8, program: Box<dyn WarpProgram>) -> Self {
        Self {
            block_slot,
            next: Instruction::default(),
            scoreboard: Scoreboard::default(),
            waits_for_memory: false,
            program,
        }
    }

    /// Pulls the next instruction.
    pub fn fetch(&mut self) {
        self.program.next(&mut self.next);
    }

    /// What the next instruction needs beside its operands.
    pub fn class(&self) -> IssueClass {
        match self.next.operation {
            Operation::Compute(unit) => IssueClass::Unit(unit),
            Operation::Memory { space: Space::Global, .. } => IssueClass::Global,
            Operation::Memory { .. } => IssueClass::Free,
            Operation::Barrier | Operation::Exit => IssueClass::Free,
        }
    }
}
