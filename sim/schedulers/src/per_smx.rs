//! One value an SMX: the ports that say something else than yes or no of each.

use crate::port::MAX_SMX;
use std::ops::{Index, IndexMut};

/// A value for each SMX. All that are not stated are the same, so that nothing is stored, copied or
/// compared for the many SMXs that a scheduler may have and that most do not have.
#[derive(Clone, Debug)]
pub struct PerSmx<T> {
    stated: Vec<T>,
    others: T,
}

impl<T> PerSmx<T> {
    /// This value for every SMX; none is stated.
    pub fn all(value: T) -> Self {
        Self { stated: Vec::new(), others: value }
    }

    /// The values of the SMXs from 0 upwards, up to the last one that is stated.
    pub fn stated(&self) -> &[T] {
        &self.stated
    }
}

impl<T: Default> Default for PerSmx<T> {
    fn default() -> Self {
        Self::all(T::default())
    }
}

/// States the values of the SMXs from 0 upwards; the others have the default.
impl<T: Default> FromIterator<T> for PerSmx<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self { stated: values.into_iter().collect(), others: T::default() }
    }
}

impl<T> Index<usize> for PerSmx<T> {
    type Output = T;

    #[inline]
    fn index(&self, smx: usize) -> &T {
        self.stated.get(smx).unwrap_or(&self.others)
    }
}

impl<T: Clone> IndexMut<usize> for PerSmx<T> {
    /// # Panics
    /// When `smx` is not below [`MAX_SMX`].
    #[inline]
    fn index_mut(&mut self, smx: usize) -> &mut T {
        if smx >= self.stated.len() {
            assert!(smx < MAX_SMX, "SMX {smx} of {MAX_SMX}");
            self.stated.resize(smx + 1, self.others.clone());
        }
        &mut self.stated[smx]
    }
}

impl<T: PartialEq> PartialEq for PerSmx<T> {
    fn eq(&self, other: &Self) -> bool {
        let stated = self.stated.len().max(other.stated.len());
        // One more, which stands for all that are stated in neither.
        (0..=stated).all(|smx| self[smx] == other[smx])
    }
}

impl<T: Eq> Eq for PerSmx<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_not_stated_are_those_of_all_others() {
        let mut values = PerSmx::all(7);
        assert_eq!((values[0], values[143], values.stated().len()), (7, 7, 0));
        values[64] = 3;
        assert_eq!([63, 64, 65, 143].map(|smx| values[smx]), [7, 3, 7, 7]);
        let collected: PerSmx<u32> = [1, 2].into_iter().collect();
        assert_eq!([0, 1, 2].map(|smx| collected[smx]), [1, 2, 0]);
    }

    #[test]
    fn values_are_equal_whether_stated_or_not() {
        let mut values = PerSmx::all(7);
        values[143] = 7;
        assert_eq!(values, PerSmx::all(7));
        values[128] = 6;
        assert_ne!(values, PerSmx::all(7));
        assert_ne!(PerSmx::all(7), PerSmx::all(6));
    }

    #[test]
    #[should_panic(expected = "SMX 144 of 144")]
    fn no_value_is_stated_of_an_smx_beyond_the_last() {
        PerSmx::default()[144] = 1;
    }
}
