//! Denoising on the CPU, rounded where the kernel rounds.

use crate::approximate::exponential;

/// Points along a side of a block, and around a point on each side.
const SIDE: usize = 8;
const RADIUS: isize = 3;

/// By how much a weight falls for each unit of difference, and for each of distance.
const NOISE: f32 = 1.45;
const SPREAD: f32 = 1.0 / 49.0;

/// From which weight on a point is like the middle, how many make a place flat, and how much of its
/// mean a point takes over elsewhere, and there.
const ALIKE: f32 = 0.10;
const FLAT: f32 = 0.10 * 8.0 * 8.0;
const TAKES: [f32; 2] = [0.20, 0.80];

/// Points in rows.
pub struct Picture {
    pub width: usize,
    pub points: Vec<f32>,
}

/// The weights of a block, by rows.
type Weights = [[f32; SIDE]; SIDE];

impl Picture {
    fn height(&self) -> usize {
        self.points.len() / self.width
    }

    /// That point, or the one of the rim that is nearest.
    fn point(&self, x: isize, y: isize) -> f32 {
        let clamped = |at: isize, extent: usize| at.clamp(0, extent as isize - 1) as usize;
        self.points[clamped(y, self.height()) * self.width + clamped(x, self.width)]
    }

    /// How much the surroundings of each point of the block at `left`, `top` are like those of its
    /// middle.
    fn weights(&self, left: isize, top: isize) -> Weights {
        let weight = |column: usize, row: usize| {
            let (column, row) = (column as isize, row as isize);
            let mut apart = 0.0_f32;
            for down in -RADIUS..=RADIUS {
                for across in -RADIUS..=RADIUS {
                    let middle = self.point(left + RADIUS + across, top + RADIUS + down);
                    let difference = middle - self.point(left + column + across, top + row + down);
                    apart = difference.mul_add(difference, apart);
                }
            }
            let far = (column - RADIUS).pow(2) + (row - RADIUS).pow(2);
            exponential(-(far as f32).mul_add(SPREAD, apart * NOISE))
        };
        std::array::from_fn(|row| std::array::from_fn(|column| weight(column, row)))
    }

    /// The point at `x`, `y` without noise.
    fn cleaned(&self, x: usize, y: usize, weights: &Weights) -> f32 {
        let (mut sum, mut all, mut alike) = (0.0_f32, 0.0, 0);
        for (down, row) in weights.iter().enumerate() {
            for (across, &weight) in row.iter().enumerate() {
                let at = |start: usize, by: usize| (start + by) as isize - RADIUS;
                sum = self.point(at(x, across), at(y, down)).mul_add(weight, sum);
                all += weight;
                alike += i32::from(weight > ALIKE);
            }
        }
        let here = self.points[y * self.width + x];
        TAKES[usize::from(alike as f32 > FLAT)].mul_add(sum / all - here, here)
    }

    /// All points without noise.
    pub fn clean(&self) -> Vec<f32> {
        let mut clean = self.points.clone();
        if clean.is_empty() {
            return clean;
        }
        for top in (0..self.height()).step_by(SIDE) {
            for left in (0..self.width).step_by(SIDE) {
                let weights = self.weights(left as isize, top as isize);
                for y in top..self.height().min(top + SIDE) {
                    for x in left..self.width.min(left + SIDE) {
                        clean[y * self.width + x] = self.cleaned(x, y, &weights);
                    }
                }
            }
        }
        clean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deviation(points: &[f32]) -> f32 {
        points.iter().map(|point| (point - 0.5).powi(2)).sum()
    }

    #[test]
    fn noise_gets_less_and_a_plain_picture_stays_as_it_is() {
        let noisy: Vec<f32> = (0..256).map(|at| 0.45 + (at * 37 % 11) as f32 / 100.0).collect();
        let clean = Picture { width: 16, points: noisy.clone() }.clean();
        assert!(deviation(&clean) < deviation(&noisy) / 4.0);
        let plain = Picture { width: 16, points: vec![0.5; 256] }.clean();
        assert!(plain.iter().all(|point| (point - 0.5).abs() < 1e-6));
    }

    #[test]
    fn a_block_whose_middle_is_like_nothing_keeps_most_of_its_points() {
        let mut points = vec![0.0; 64];
        points[3 * 8 + 3] = 9.0;
        let picture = Picture { width: 8, points };
        let weights = picture.weights(0, 0);
        assert_eq!(weights[3][3], 1.0);
        assert!(weights.as_flattened().iter().filter(|&&weight| weight > ALIKE).count() < 7);
        // Only the middle counts: a point is a mean of itself.
        assert!((picture.cleaned(3, 3, &weights) - 9.0).abs() < 1e-3);
    }
}
