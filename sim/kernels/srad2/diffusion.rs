//! Diffusion on the CPU, rounded where the kernels round: that of `srad1`, too.

/// A quarter of how much of what flows a point takes over.
pub const RATE: f32 = 0.25 * 0.5;

/// From a point to its neighbours; to itself, where there is none.
#[derive(Clone, Copy)]
pub struct Differences {
    pub north: f32,
    pub south: f32,
    pub west: f32,
    pub east: f32,
}

/// The points beside the one at `at` in an image of `points` in rows of `width`: north, south,
/// west, east; that point itself, where there is none.
pub fn beside(at: usize, points: usize, width: usize) -> [usize; 4] {
    let x = at % width;
    let north = if at >= width { at - width } else { at };
    let south = if at + width < points { at + width } else { at };
    let west = if x > 0 { at - 1 } else { at };
    let east = if x + 1 < width { at + 1 } else { at };
    [north, south, west, east]
}

impl Differences {
    /// Of every point of an image in rows of `width`.
    pub fn of(image: &[f32], width: usize) -> Vec<Self> {
        let of = |(at, here): (usize, &f32)| {
            let [north, south, west, east] =
                beside(at, image.len(), width).map(|other| image[other] - here);
            Self { north, south, west, east }
        };
        image.iter().enumerate().map(of).collect()
    }

    /// To north, south, west and east.
    pub fn all(&self) -> [f32; 4] {
        [self.north, self.south, self.west, self.east]
    }

    /// How much flows at a point with these, which has the value `here`.
    fn coefficient(&self, here: f32, speckle: f32) -> f32 {
        let Self { north, south, west, east } = *self;
        let squares = north.mul_add(north, south * south);
        let squares = east.mul_add(east, west.mul_add(west, squares)) / (here * here);
        let bend = (north + south + west + east) / here;
        let above = (-0.0625_f32).mul_add(bend * bend, 0.5 * squares);
        let below = 0.25_f32.mul_add(bend, 1.0);
        let varies = above / (below * below);
        let excess = (varies - speckle) / speckle.mul_add(speckle, speckle);
        let flows = 1.0 / (1.0 + excess);
        // As the kernel: what is no number becomes 0.
        if flows > 0.0 {
            flows.min(1.0)
        } else {
            0.0
        }
    }
}

/// How much flows at every point.
pub fn coefficients(image: &[f32], differences: &[Differences], speckle: f32) -> Vec<f32> {
    let both = image.iter().zip(differences);
    both.map(|(&here, point)| point.coefficient(here, speckle)).collect()
}

/// The image after it has flowed.
pub fn update(image: &[f32], all: &[Differences], flows: &[f32], width: usize) -> Vec<f32> {
    let point = |(at, &here): (usize, &f32)| {
        let [_, south, _, east] = beside(at, image.len(), width).map(|other| flows[other]);
        let flow = flows[at].mul_add(all[at].north, south * all[at].south);
        let flow = east.mul_add(all[at].east, flows[at].mul_add(all[at].west, flow));
        RATE.mul_add(flow, here)
    };
    image.iter().enumerate().map(point).collect()
}

/// How much speckle there is: the variance by the square of the mean.
pub fn speckle(values: impl Iterator<Item = f32>) -> f32 {
    let add = |(count, sum, squares): (f32, f32, f32), value: f32| {
        (count + 1.0, sum + value, value.mul_add(value, squares))
    };
    let (count, sum, squares) = values.fold((0.0, 0.0, 0.0), add);
    of_sums(count, sum, squares)
}

/// As [`speckle`], from the number of values, their sum and that of their squares.
pub fn of_sums(count: f32, sum: f32, squares: f32) -> f32 {
    let mean = sum / count;
    (squares / count - mean * mean) / (mean * mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_in_the_corner_is_its_own_neighbour() {
        assert_eq!(beside(0, 6, 3), [0, 3, 0, 1]);
        assert_eq!(beside(5, 6, 3), [2, 5, 4, 5]);
        assert_eq!(beside(4, 9, 3), [1, 7, 3, 5]);
    }

    #[test]
    fn diffusion_takes_speckle_away_and_leaves_a_plain_image_alone() {
        let width = 8;
        let image: Vec<f32> = (0..64).map(|at| 1.0 + (at * 29 % 13) as f32 / 100.0).collect();
        let there = speckle(image.iter().copied());
        let differences = Differences::of(&image, width);
        let flows = coefficients(&image, &differences, there);
        assert!(flows.iter().all(|flow| (0.0..=1.0).contains(flow)));
        let next = update(&image, &differences, &flows, width);
        assert!(speckle(next.into_iter()) < there);
        let plain = vec![2.0; 64];
        let differences = Differences::of(&plain, width);
        assert_eq!(update(&plain, &differences, &flows, width), plain);
    }

    #[test]
    fn speckle_is_the_variance_by_the_square_of_the_mean() {
        // Mean 2, variance 1.
        assert_eq!(speckle([1.0, 3.0].into_iter()), 0.25);
        assert_eq!(of_sums(4.0, 8.0, 20.0), 0.25);
    }
}
