//! How kernels tell the host that there is more to do.

use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_ptx::Machine;

use crate::array::Array;

/// A word in memory that the host clears before a launch, and threads set.
pub(crate) struct Flag {
    machine: Rc<Machine>,
    word: Array,
}

impl Flag {
    /// In memory of its own.
    ///
    /// # Errors
    /// When there is no more memory.
    pub fn new(machine: &Rc<Machine>) -> Result<Self, InputError> {
        Ok(Self { machine: Rc::clone(machine), word: Array::zeros(machine, 1)? })
    }

    /// Of the word.
    pub fn address(&self) -> u64 {
        self.word.address()
    }

    /// Clears it.
    pub fn clear(&self) {
        self.machine.write(self.word.address(), &[0; 4]);
    }

    /// Whether a thread has set it.
    pub fn is_set(&self) -> bool {
        self.word.left().is_ok_and(|word| word != [0])
    }
}
