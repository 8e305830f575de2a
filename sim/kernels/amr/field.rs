//! The energies of the initial grid, and those of the cells into which it is refined.

use super::AmrOptions;
use crate::draw::Draw;

/// Squarings that make a power of a number near 1: see [`bell`].
const SQUARINGS: i32 = 12;

/// What an energy is computed from.
pub(super) struct Field {
    pub options: AmrOptions,
    /// Row by row.
    pub initial: Vec<f32>,
    /// For each level how far from the threshold a hot cell may be.
    pub bands: Vec<f32>,
}

/// Where a cell is: which one of the grid, where in it, and its side, the last two in units of the
/// smallest cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub root: (u32, u32),
    pub corner: (u32, u32),
    pub side: u32,
    pub level: u32,
}

impl Field {
    /// The sum of hot spots whose centres are drawn.
    pub fn drawn(options: &AmrOptions, seed: u64) -> Self {
        let mut draw = Draw::new(seed);
        let AmrOptions { width, height, .. } = *options;
        let mut sums = vec![0.0; (width * height) as usize];
        let radius = f64::from(options.radius) / 100.0;
        for _ in 0..options.spots {
            let mut along = |cells: u32| f64::from(draw.word()) / 2_f64.powi(32) * f64::from(cells);
            let (x, y) = (along(width), along(height));
            // Beyond five deviations it is less than a hundred-thousandth of the peak.
            let reached = |at: f64, cells: u32| {
                let [from, to] = [-5.0, 5.0].map(|deviations| at + deviations * radius);
                from.max(0.0) as u32..(to.max(0.0) as u32 + 1).min(cells)
            };
            for row in reached(y, height) {
                for column in reached(x, width) {
                    let [dx, dy] = [(x, column), (y, row)]
                        .map(|(at, cell)| (at - f64::from(cell) - 0.5) / radius);
                    sums[(row * width + column) as usize] += bell((dx * dx + dy * dy) / 2.0);
                }
            }
        }
        let hundredths = |value: u32| value as f32 / 100.0;
        let narrower = |band: &f32| Some(band / options.refine as f32);
        let bands = std::iter::successors(Some(hundredths(options.band)), narrower);
        Self {
            initial: sums.into_iter().map(|energy| energy as f32).collect(),
            bands: bands.take(options.levels as usize).collect(),
            options: *options,
        }
    }

    /// In whose neighbourhood a cell is hot.
    pub fn threshold(&self) -> f32 {
        self.options.threshold as f32 / 100.0
    }

    /// Half of the side of the smallest cells.
    pub fn scale(&self) -> f32 {
        0.5 / self.options.whole() as f32
    }

    /// Whether a cell of that level and energy is refined.
    pub fn hot(&self, level: u32, energy: f32) -> bool {
        let band = self.bands.get(level as usize);
        band.is_some_and(|band| (energy - self.threshold()).abs() <= *band)
    }

    /// The energy of a finer cell, of whose parent it is `parent`. Rounded as the kernel does.
    pub fn finer(&self, at: Place, parent: f32) -> f32 {
        let AmrOptions { width, height, .. } = self.options;
        let (x, left, right) = self.between(at.root.0, width, 2 * at.corner.0 + at.side);
        let (y, above, below) = self.between(at.root.1, height, 2 * at.corner.1 + at.side);
        let row = |row: u32| {
            let [first, second] = [left, right].map(|at| self.initial[(row * width + at) as usize]);
            x.mul_add(second - first, first)
        };
        let (upper, lower) = (row(above), row(below));
        let energy = y.mul_add(lower - upper, upper);
        0.5_f32.mul_add(parent - energy, energy)
    }

    /// The two of `cells` cells between whose centres a point of cell `root` lies, and how far from
    /// the first one.
    fn between(&self, root: u32, cells: u32, middle: u32) -> (f32, u32, u32) {
        let before = middle < self.options.whole();
        let (first, second) =
            if before { (root.saturating_sub(1), root) } else { (root, (root + 1).min(cells - 1)) };
        ((middle as f32).mul_add(self.scale(), if before { 0.5 } else { -0.5 }), first, second)
    }
}

/// `e^-x` to within a ten-thousandth, by multiplications alone: the same on every machine.
fn bell(x: f64) -> f64 {
    let mut power = (1.0 - x / 2_f64.powi(SQUARINGS)).max(0.0);
    (0..SQUARINGS).for_each(|_| power *= power);
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spot_is_a_bell() {
        assert_eq!(bell(0.0), 1.0);
        for tenths in 0..200 {
            let x = f64::from(tenths) / 10.0;
            assert!((bell(x) - (-x).exp()).abs() < 1e-4, "{x}: {}", bell(x));
        }
    }

    #[test]
    fn spots_add_up() {
        let options = AmrOptions { width: 30, height: 20, spots: 0, ..AmrOptions::default() };
        assert!(Field::drawn(&options, 1).initial.iter().all(|&energy| energy == 0.0));
        let of = |spots| Field::drawn(&AmrOptions { spots, ..options }, 1).initial;
        let (one, two) = (of(1), of(2));
        assert!(one.iter().zip(&two).all(|(one, two)| one <= two) && one != two);
        assert!(one.iter().all(|&energy| energy <= 1.0) && two.iter().any(|&energy| energy > 0.5));
    }

    #[test]
    fn finer_cells_lie_between_the_centres_of_the_grid_and_their_parent() {
        let options =
            AmrOptions { width: 2, height: 1, refine: 2, levels: 1, ..AmrOptions::default() };
        let field = Field { options, initial: vec![0.0, 8.0], bands: vec![0.1] };
        let finer = |root, corner, parent| {
            field.finer(Place { root: (root, 0), corner: (corner, 0), side: 1, level: 1 }, parent)
        };
        // Centres at 0.25, 0.75, 1.25, 1.75, those of the grid at 0.5 and 1.5.
        let energies = [finer(0, 0, 0.0), finer(0, 1, 0.0), finer(1, 0, 8.0), finer(1, 1, 8.0)];
        assert_eq!(energies, [0.0, 1.0, 7.0, 8.0]);
    }

    #[test]
    fn a_cell_is_hot_up_to_the_ends_of_its_band() {
        let options =
            AmrOptions { threshold: 50, band: 25, refine: 2, levels: 2, ..AmrOptions::default() };
        let field = Field::drawn(&options, 1);
        assert_eq!([0.25, 0.75, 0.24, 0.76].map(|e| field.hot(0, e)), [true, true, false, false]);
        assert_eq!([0.375, 0.625, 0.37].map(|e| field.hot(1, e)), [true, true, false]);
        assert!(!field.hot(2, 0.5), "there is no level below");
    }
}
