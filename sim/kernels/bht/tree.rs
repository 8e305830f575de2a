//! The octree.

use super::points::Point;
use super::BhtOptions;

/// Deeper cells are not split: bodies that are this near to one another are a leaf, however many
/// they are.
const DEEPEST: u32 = 40;

/// A cell, and where the next ones are in depth-first order: a child follows its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    /// Centre of mass.
    pub centre: Point,
    pub mass: f32,
    /// The softened square of the distance from which on it acts as one mass.
    pub reach: f32,
    /// The cell that follows its last descendant.
    pub after: u32,
    /// Its first body.
    pub first: u32,
    /// Its bodies if it is a leaf, else 0.
    pub count: u32,
}

/// The octree of bodies of equal mass, 1 all together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tree {
    /// In depth-first order; none without bodies.
    pub cells: Vec<Cell>,
    /// The bodies in the order of their leaves.
    pub bodies: Vec<Point>,
    /// Of a body.
    pub mass: f32,
}

impl Tree {
    /// The tree of `points`.
    pub fn of(options: &BhtOptions, points: Vec<Point>) -> Self {
        if points.is_empty() {
            return Self::default();
        }
        let ends = [f32::min, f32::max].map(|end| points.iter().flatten().copied().fold(0.0, end));
        let half = f64::from(ends[1].max(-ends[0]));
        let mass = 1.0 / points.len() as f32;
        let mut tree = Self { cells: Vec::new(), bodies: Vec::new(), mass };
        tree.split(options, points, [0.0; 3], half, 0);
        tree
    }

    /// Appends the cell of `points`, a cube around `middle` of side `2 * half`, and all below it.
    fn split(
        &mut self,
        options: &BhtOptions,
        points: Vec<Point>,
        middle: [f64; 3],
        half: f64,
        depth: u32,
    ) {
        let (cell, number) = (self.cells.len(), points.len());
        let sum = |axis: usize| points.iter().map(|point| f64::from(point[axis])).sum::<f64>();
        let centre = [0, 1, 2].map(|axis| (sum(axis) / number as f64) as f32);
        let opened = 2.0 * half * 100.0 / f64::from(options.theta);
        let leaf = number <= options.leaf as usize || depth == DEEPEST;
        self.cells.push(Cell {
            centre: if number == 1 { points[0] } else { centre },
            mass: self.mass * number as f32,
            // One body is its own centre of mass.
            reach: if number == 1 { 0.0 } else { (opened * opened) as f32 },
            after: 0,
            first: self.bodies.len() as u32,
            count: if leaf { number as u32 } else { 0 },
        });
        if leaf {
            self.bodies.extend(points);
        } else {
            let mut octants: [Vec<Point>; 8] = Default::default();
            for point in points {
                let upper = |axis: usize| usize::from(f64::from(point[axis]) >= middle[axis]);
                octants[upper(0) << 2 | upper(1) << 1 | upper(2)].push(point);
            }
            for (octant, points) in octants.into_iter().enumerate() {
                if points.is_empty() {
                    continue;
                }
                let side = |axis: usize| if octant >> (2 - axis) & 1 == 1 { half } else { -half };
                let middle = [0, 1, 2].map(|axis| middle[axis] + side(axis) / 2.0);
                self.split(options, points, middle, half / 2.0, depth + 1);
            }
        }
        self.cells[cell].after = self.cells.len() as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::super::points::drawn;
    use super::*;

    #[test]
    fn leaves_hold_every_body_once_and_no_more_than_they_may() {
        for (bodies, points, leaf) in [(1, 0, 1), (36, 1, 36), (37, 1, 36), (1000, 0, 1)] {
            let options = BhtOptions { bodies, points, leaf, ..BhtOptions::default() };
            let mut given = drawn(&options, 5);
            let Tree { cells, bodies, .. } = Tree::of(&options, given.clone());
            let mut next = 0;
            for cell in cells.iter().filter(|cell| cell.count != 0) {
                assert!(cell.first == next && cell.count <= leaf, "{cell:?}");
                next += cell.count;
            }
            assert_eq!(next as usize, bodies.len());
            let mut found = bodies;
            let order = |a: &Point, b: &Point| a.partial_cmp(b).expect("numbers");
            given.sort_by(order);
            found.sort_by(order);
            assert_eq!(found, given);
        }
    }

    #[test]
    fn a_cell_is_followed_by_its_children_and_has_their_mass() {
        let options = BhtOptions { bodies: 1000, leaf: 8, ..BhtOptions::default() };
        let cells = Tree::of(&options, drawn(&options, 5)).cells;
        assert_eq!(cells[0].after as usize, cells.len());
        for (at, cell) in cells.iter().enumerate() {
            let (mut child, mut mass) = (at + 1, 0.0);
            while child < cell.after as usize {
                assert!(cell.count == 0 && cells[child].reach < cell.reach);
                mass += cells[child].mass;
                child = cells[child].after as usize;
            }
            assert!(cell.count != 0 || (mass - cell.mass).abs() < 1e-5, "{cell:?}: {mass}");
        }
    }

    #[test]
    fn bodies_in_one_place_are_a_leaf_however_many_they_are() {
        let options = BhtOptions { leaf: 1, ..BhtOptions::default() };
        let tree = Tree::of(&options, vec![[0.25, -0.5, 1.0]; 3]);
        let last = tree.cells.last().expect("a cell");
        assert_eq!((last.count, last.centre), (3, [0.25, -0.5, 1.0]));
        assert_eq!(Tree::of(&options, Vec::new()), Tree::default());
    }
}
