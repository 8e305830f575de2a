//! Arrays of words in global memory.

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_ptx::Machine;

/// Puts `words` into memory of their own; where they are.
///
/// # Errors
/// When there is no more memory.
pub(crate) fn place(machine: &Machine, words: &[u32]) -> Result<u64, InputError> {
    machine.array(words).ok_or_else(full)
}

fn full() -> InputError {
    InputError::new("the GPU's memory is full")
}

/// An array of words, with what the host has put there.
pub(crate) struct Array {
    machine: Rc<Machine>,
    address: u64,
    given: Vec<u32>,
}

impl Array {
    /// In memory of its own.
    ///
    /// # Errors
    /// As [`place`].
    pub fn new(machine: &Rc<Machine>, given: Vec<u32>) -> Result<Self, InputError> {
        Ok(Self { machine: Rc::clone(machine), address: place(machine, &given)?, given })
    }

    /// As [`Array::new`], of `count` zeros.
    ///
    /// # Errors
    /// As there.
    pub fn zeros(machine: &Rc<Machine>, count: u32) -> Result<Self, InputError> {
        // What is allocated is zero.
        let address = machine.allocate(4 * u64::from(count)).ok_or_else(full)?;
        Ok(Self { machine: Rc::clone(machine), address, given: vec![0; count as usize] })
    }

    /// Of its first word.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The addresses of its bytes.
    pub fn range(&self) -> Range<u64> {
        self.address..self.address + 4 * self.given.len() as u64
    }

    /// What the host has put there.
    pub fn given(&self) -> &[u32] {
        &self.given
    }

    /// As [`Array::given`], bytes.
    pub fn given_bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.given.iter().flat_map(|word| word.to_le_bytes())
    }

    /// As [`Array::given`], f32.
    pub fn given_floats(&self) -> impl Iterator<Item = f32> + '_ {
        self.given.iter().map(|&word| f32::from_bits(word))
    }

    /// What is there now.
    ///
    /// # Errors
    /// When the array is not: a kernel has given its memory back.
    pub fn left(&self) -> Result<Vec<u32>, String> {
        self.look(|words| words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// Shows `see` the bytes of each word that is there now.
    ///
    /// # Errors
    /// As [`Array::left`].
    pub fn look<R>(&self, see: impl FnOnce(&[[u8; 4]]) -> R) -> Result<R, String> {
        let bytes = 4 * self.given.len() as u64;
        let seen = self.machine.look(self.address, bytes, |place| see(place.as_chunks().0));
        seen.ok_or_else(|| format!("the array at {:#x} is no longer there", self.address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::machine;

    #[test]
    fn an_array_keeps_what_was_given_and_shows_what_is_left() {
        let machine = machine("vecadd/vecadd.ptx", include_str!("vecadd/vecadd.ptx"));
        let array = Array::new(&machine, vec![1, 0x3f80_0000]).expect("room");
        assert!(machine.write(array.address() + 4, &[7, 0, 0, 0]));
        assert_eq!(array.left(), Ok(vec![1, 7]));
        assert_eq!(array.given(), [1, 0x3f80_0000]);
        assert_eq!(array.given_floats().nth(1), Some(1.0));
        assert_eq!(array.given_bytes().collect::<Vec<_>>(), [1, 0, 0, 0, 0, 0, 0x80, 0x3f]);
        assert_eq!(array.range(), array.address()..array.address() + 8);
        assert_eq!(Array::zeros(&machine, 0).expect("room").left(), Ok(vec![]));
    }
}
