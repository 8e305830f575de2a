//! Barriers that are objects in shared memory (PTX ISA, "mbarrier").

use super::{Lookup, Reg, Source, Use};

/// What is done with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phased {
    /// It is made, for as many arrivals as the operand says.
    Initialize,
    /// Its place is free for other uses.
    Invalidate,
    /// As many arrive as the operand says.
    Arrive {
        /// They do not count in later phases.
        drops: bool,
        /// They must not be the last ones of the phase.
        more_come: bool,
    },
    /// One arrives, behind the expectation of as many transactions as the operand says.
    ArriveExpecting {
        /// As above.
        drops: bool,
    },
    /// As many transactions are expected in this phase as the operand says.
    Expect,
    /// As many are done as the operand says.
    Complete,
    /// Whether the phase of the state in the operand is over.
    Test,
    /// Whether the phase of the parity in the operand is over.
    TestParity,
}

/// An instruction of this module.
#[derive(Clone, Debug)]
pub(crate) struct Mbarrier {
    pub phased: Phased,
    pub at: Lookup,
    pub operand: Option<Source>,
    /// A predicate where something is tested, else the state before.
    pub to: Option<Reg>,
}

impl Mbarrier {
    pub fn registers(&mut self, see: &mut dyn FnMut(&mut Reg, Use)) {
        for source in self.at.address.base.iter_mut().chain(&mut self.operand) {
            if let Source::Register(register) = source {
                see(register, Use::Read);
            }
        }
        self.to.iter_mut().for_each(|to| see(to, Use::Write));
    }
}
