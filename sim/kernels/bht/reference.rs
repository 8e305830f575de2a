//! The forces, computed plainly.

use super::points::Point;
use super::tree::{Cell, Tree};

/// As BHT_SOFTENING and BHT_SCALE of the kernel.
const SOFTENING: f32 = 0.0025;
pub(super) const SCALE: f32 = 8_388_608.0;

/// For each body of `tree` its acceleration along x, y and z, in parts of [`SCALE`].
pub(super) fn accelerations(tree: &Tree) -> Vec<u32> {
    let mut all = Vec::new();
    for &on in &tree.bodies {
        let mut pull = Pull { on, sum: [0; 3] };
        if !tree.cells.is_empty() {
            pull.walk(tree, 0);
        }
        all.extend(pull.sum.map(|sum| sum as u32));
    }
    all
}

/// What a body is pulled.
struct Pull {
    on: Point,
    sum: [i32; 3],
}

impl Pull {
    /// Adds what the bodies of a cell pull.
    fn walk(&mut self, tree: &Tree, at: usize) {
        let Cell { centre, mass, reach, after, first, count } = tree.cells[at];
        if self.squared(centre) >= reach {
            self.add(centre, mass);
        } else if count != 0 {
            let bodies = &tree.bodies[first as usize..(first + count) as usize];
            bodies.iter().for_each(|&from| self.add(from, tree.mass));
        } else {
            let mut child = at + 1;
            while child < after as usize {
                self.walk(tree, child);
                child = tree.cells[child].after as usize;
            }
        }
    }

    fn way(&self, from: Point) -> Point {
        [0, 1, 2].map(|axis| from[axis] - self.on[axis])
    }

    fn squared(&self, from: Point) -> f32 {
        let way = self.way(from);
        way.iter().rev().fold(SOFTENING, |sum, part| part.mul_add(*part, sum))
    }

    /// Rounded where the kernel rounds.
    fn add(&mut self, from: Point, mass: f32) {
        let inverse = (1.0 / f64::from(self.squared(from)).sqrt()) as f32;
        let factor = mass * SCALE * inverse * inverse * inverse;
        let way = self.way(from);
        for (sum, part) in self.sum.iter_mut().zip(way) {
            *sum = sum.wrapping_add((part * factor).round_ties_even() as i32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::points::drawn;
    use super::super::BhtOptions;
    use super::*;

    /// The sum over all pairs, in double precision.
    fn exact(tree: &Tree, on: Point) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for from in &tree.bodies {
            let way = [0, 1, 2].map(|axis| f64::from(from[axis]) - f64::from(on[axis]));
            let squared = way.iter().map(|part| part * part).sum::<f64>() + f64::from(SOFTENING);
            let factor = f64::from(tree.mass) / (squared * squared.sqrt());
            (0..3).for_each(|axis| sum[axis] += way[axis] * factor);
        }
        sum
    }

    /// The error of the accelerations in proportion to them, root mean square.
    fn error(options: &BhtOptions) -> f64 {
        let tree = Tree::of(options, drawn(options, 11));
        let found = accelerations(&tree);
        let (mut wrong, mut right) = (0.0, 0.0);
        for (at, &on) in tree.bodies.iter().enumerate() {
            for (axis, exact) in exact(&tree, on).into_iter().enumerate() {
                let found = f64::from(found[3 * at + axis] as i32) / f64::from(SCALE);
                wrong += (found - exact) * (found - exact);
                right += exact * exact;
            }
        }
        (wrong / right).sqrt()
    }

    #[test]
    fn the_tree_comes_near_to_the_sum_over_all_pairs_as_it_opens_more_cells() {
        for points in [0, 1] {
            let at =
                |theta| error(&BhtOptions { bodies: 2000, points, theta, ..BhtOptions::default() });
            let errors = [100, 50, 1].map(at);
            // All cells are opened at 1 %: what is left is the rounding to parts of SCALE.
            assert!(errors[0] < 0.05 && errors[1] < errors[0] / 2.0, "{points}: {errors:?}");
            assert!(errors[2] < 1e-4, "{points}: {errors:?}");
        }
    }

    #[test]
    fn a_body_alone_is_not_pulled() {
        let options = BhtOptions { bodies: 1, ..BhtOptions::default() };
        assert_eq!(accelerations(&Tree::of(&options, vec![[0.5, 0.25, -3.0]])), [0, 0, 0]);
        assert_eq!(accelerations(&Tree::of(&options, Vec::new())), []);
    }
}
