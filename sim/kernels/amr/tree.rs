//! The cells into which the grid is refined: how many they are, and whether a kernel has left them.

use std::collections::BTreeSet;

use super::field::{Field, Place};
use super::AmrOptions;

impl Field {
    /// Cell number `cell` of the grid.
    fn root(&self, cell: u32) -> Place {
        let AmrOptions { width, .. } = self.options;
        let root = (cell % width, cell / width);
        Place { root, corner: (0, 0), side: self.options.whole(), level: 0 }
    }

    /// The cells into which a hot one is refined, row by row.
    fn refined(&self, at: Place) -> impl Iterator<Item = Place> {
        let refine = self.options.refine;
        let side = at.side / refine;
        (0..refine * refine).map(move |number| {
            let corner =
                (at.corner.0 + number % refine * side, at.corner.1 + number / refine * side);
            Place { corner, side, level: at.level + 1, ..at }
        })
    }

    /// How many blocks there will be, or more than `most` when they are more.
    pub fn blocks(&self, most: u64) -> u64 {
        let mut blocks = 0;
        for (cell, &energy) in self.initial.iter().enumerate() {
            self.count(self.root(cell as u32), energy, most, &mut blocks);
        }
        blocks
    }

    fn count(&self, at: Place, energy: f32, most: u64, blocks: &mut u64) {
        if *blocks > most || !self.hot(at.level, energy) {
            return;
        }
        *blocks += 1;
        for finer in self.refined(at) {
            self.count(finer, self.finer(finer, energy), most, blocks);
        }
    }
}

/// What a kernel has left.
pub(super) struct Left {
    /// Of the cells of the grid, then of those of each block.
    pub energies: Vec<u32>,
    /// For each cell the number of the block into which it is refined, from 1 on, or 0.
    pub children: Vec<u32>,
}

impl Left {
    /// Compares it with what is right, whichever numbers the blocks have.
    ///
    /// # Errors
    /// The first cell that is wrong, in the order of the grid, and there depth first.
    pub fn check(&self, field: &Field) -> Result<(), String> {
        let mut met = BTreeSet::new();
        for (cell, &energy) in field.initial.iter().enumerate() {
            self.check_cell(field, cell, field.root(cell as u32), energy, &mut met)?;
        }
        Ok(())
    }

    fn check_cell(
        &self,
        field: &Field,
        cell: usize,
        at: Place,
        energy: f32,
        met: &mut BTreeSet<u32>,
    ) -> Result<(), String> {
        let ((x, y), (left, top)) = (at.root, at.corner);
        let wrong = |what: &str, got: String, expected: String| {
            let name =
                format!("the {what} at ({left}, {top}) of cell ({x}, {y}), level {}", at.level);
            Err(format!("amr: {name}, is {got}, expected {expected}"))
        };
        let left = f32::from_bits(self.energies[cell]);
        if left.to_bits() != energy.to_bits() {
            return wrong("energy", format!("{left:?}"), format!("{energy:?}"));
        }
        let (block, cells) = (self.children[cell], field.options.cells() as usize);
        if !field.hot(at.level, energy) {
            return match block {
                0 => Ok(()),
                _ => wrong("block", block.to_string(), "none".to_owned()),
            };
        }
        let first = field.initial.len() + (block as usize).wrapping_sub(1).wrapping_mul(cells);
        let there = block != 0 && first + cells <= self.energies.len() && met.insert(block);
        if !there {
            return wrong("block", block.to_string(), "one of its own".to_owned());
        }
        for (number, finer) in field.refined(at).enumerate() {
            self.check_cell(field, first + number, finer, field.finer(finer, energy), met)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One cell of energy 1, hot, whose four finer cells are not refined.
    fn one() -> (Field, Left) {
        let options = AmrOptions {
            width: 1,
            height: 1,
            refine: 2,
            levels: 1,
            threshold: 100,
            ..AmrOptions::default()
        };
        let field = Field { options, initial: vec![1.0], bands: vec![0.1] };
        let left = Left { energies: vec![1_f32.to_bits(); 5], children: vec![1, 0, 0, 0, 0] };
        (field, left)
    }

    #[test]
    fn blocks_are_counted_up_to_the_most() {
        let (field, _) = one();
        assert_eq!(field.blocks(10), 1);
        let deep = Field {
            options: AmrOptions { levels: 3, ..field.options },
            bands: vec![0.1; 3],
            ..field
        };
        assert_eq!(deep.blocks(21), 1 + 4 + 16);
        assert_eq!(deep.blocks(7), 8);
    }

    #[test]
    fn energies_and_blocks_that_are_wrong_are_found() {
        let (field, mut left) = one();
        assert_eq!(left.check(&field), Ok(()));
        left.energies[3] = 2_f32.to_bits();
        let message = "amr: the energy at (0, 1) of cell (0, 0), level 1, is 2.0, expected 1.0";
        assert_eq!(left.check(&field), Err(message.to_owned()));
        let (_, mut left) = one();
        for (cell, block, expected) in
            [(0, 0, "one of its own"), (0, 2, "one of its own"), (4, 1, "none")]
        {
            let right = std::mem::replace(&mut left.children[cell], block);
            let message = left.check(&field).expect_err("it is wrong");
            assert!(message.ends_with(&format!("is {block}, expected {expected}")), "{message}");
            left.children[cell] = right;
        }
    }

    #[test]
    fn two_cells_cannot_have_one_block() {
        let (field, _) = one();
        let two = Field {
            options: AmrOptions { width: 2, ..field.options },
            initial: vec![1.0; 2],
            ..field
        };
        let of = |blocks: [u32; 2]| {
            let mut children = vec![0; 10];
            children[..2].copy_from_slice(&blocks);
            Left { energies: vec![1_f32.to_bits(); 10], children }.check(&two)
        };
        assert_eq!((of([1, 2]), of([2, 1])), (Ok(()), Ok(())));
        assert!(of([1, 1]).is_err());
    }
}
