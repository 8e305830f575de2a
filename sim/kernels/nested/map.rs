//! The map, and its quadtree computed plainly.

use super::NestedOptions;
use crate::draw::Draw;

/// A map of one value with rectangles of other values on it.
pub(super) fn drawn(options: &NestedOptions, seed: u64) -> Vec<u32> {
    let NestedOptions { width, height, rectangles, .. } = *options;
    let mut draw = Draw::new(seed);
    let mut map = vec![draw.word(); (width * height) as usize];
    for _ in 0..rectangles {
        let (left, top) = (draw.below(width), draw.below(height));
        let (right, bottom) = (left + draw.below(width - left), top + draw.below(height - top));
        let value = draw.word();
        for row in top..bottom {
            let begin = row * width;
            map[(begin + left) as usize..(begin + right) as usize].fill(value);
        }
    }
    map
}

/// What the kernel is to leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quadtree {
    /// For each cell the depth of its leaf.
    pub depths: Vec<u32>,
    /// For each depth how many leaves it has.
    pub leaves: Vec<u32>,
}

impl Quadtree {
    /// The tree of `map`.
    pub fn of(options: &NestedOptions, map: &[u32]) -> Self {
        let leaves = vec![0; options.limit as usize + 1];
        let mut tree = Self { depths: vec![0; map.len()], leaves };
        let side = options.side();
        for top in (0..options.height).step_by(side as usize) {
            for left in (0..options.width).step_by(side as usize) {
                tree.refine(options, map, (left, top), 0);
            }
        }
        tree
    }

    fn refine(&mut self, options: &NestedOptions, map: &[u32], at: (u32, u32), depth: u32) {
        let NestedOptions { width, height, .. } = *options;
        let ((left, top), side) = (at, options.side() >> depth);
        if left >= width || top >= height {
            return;
        }
        let (right, bottom) = (width.min(left + side), height.min(top + side));
        let row = |row: u32| (row * width + left) as usize..(row * width + right) as usize;
        let value = map[row(top).start];
        let alike = |y| map[row(y)].iter().all(|&cell| cell == value);
        if depth == options.limit || (top..bottom).all(alike) {
            (top..bottom).for_each(|y| self.depths[row(y)].fill(depth));
            self.leaves[depth as usize] += 1;
            return;
        }
        let half = side / 2;
        for (x, y) in [(0, 0), (half, 0), (0, half), (half, half)] {
            self.refine(options, map, (left + x, top + y), depth + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_of_another_value_splits_the_squares_around_it() {
        let options =
            NestedOptions { width: 4, height: 3, limit: 2, leaf: 1, ..NestedOptions::default() };
        let mut map = vec![7; 12];
        map[0] = 8;
        let tree = Quadtree::of(&options, &map);
        assert_eq!(tree.depths, [2, 2, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1]);
        assert_eq!(tree.leaves, [0, 3, 4]);
        let tree = Quadtree::of(&options, &[7; 12]);
        assert_eq!((tree.depths, tree.leaves), (vec![0; 12], vec![1, 0, 0]));
    }

    #[test]
    fn rectangles_are_drawn_on_a_map_of_one_value() {
        let mut options = NestedOptions { rectangles: 0, ..NestedOptions::default() };
        let plain = drawn(&options, 3);
        assert!(plain.len() == 6000 && plain.iter().all(|&cell| cell == plain[0]));
        options.rectangles = 6;
        let map = drawn(&options, 3);
        assert!(map.contains(&plain[0]) && map != plain);
        let tree = Quadtree::of(&options, &map);
        assert!(tree.leaves.iter().filter(|&&leaves| leaves != 0).count() > 1, "{tree:?}");
    }
}
