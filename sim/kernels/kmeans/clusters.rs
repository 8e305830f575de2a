//! Points and centres on the CPU, rounded where the kernel rounds, and what the host computes.

/// Points, `features` numbers each.
#[derive(Clone)]
pub struct Points {
    pub features: usize,
    pub values: Vec<f32>,
}

impl Points {
    /// The number of the nearest centre of each point, the first of several.
    pub fn nearest(&self, centres: &[f32]) -> Vec<u32> {
        let of_point = |point: &[f32]| {
            let mut best = (0, f32::MAX);
            for (number, centre) in centres.chunks(self.features).enumerate() {
                let distance = point.iter().zip(centre).fold(0.0_f32, |sum, (value, middle)| {
                    let apart = value - middle;
                    apart.mul_add(apart, sum)
                });
                if distance < best.1 {
                    best = (number as u32, distance);
                }
            }
            best.0
        };
        self.values.chunks(self.features).map(of_point).collect()
    }

    /// The centres in the middle of their points; one without points stays where it is.
    pub fn moved(&self, centres: &[f32], nearest: &[u32]) -> Vec<f32> {
        let mut sums = vec![0.0; centres.len()];
        let mut counts = vec![0.0; centres.len() / self.features];
        for (point, &number) in self.values.chunks(self.features).zip(nearest) {
            let number = number as usize;
            counts[number] += 1.0;
            let sums = &mut sums[number * self.features..];
            sums.iter_mut().zip(point).for_each(|(sum, value)| *sum += value);
        }
        let middle = |(at, &sum): (usize, &f32)| match counts[at / self.features] {
            0.0 => centres[at],
            count => sum / count,
        };
        sums.iter().enumerate().map(middle).collect()
    }

    /// As the kernel turns them: the first number of all points, then the second one.
    pub fn turned(&self) -> Vec<f32> {
        let feature = |number| self.values.iter().skip(number).step_by(self.features).copied();
        (0..self.features).flat_map(feature).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pairs of points, far from each other.
    fn points() -> Points {
        Points { features: 2, values: vec![0.0, 1.0, 9.0, 8.0, 1.0, 2.0, 10.0, 9.0] }
    }

    #[test]
    fn points_find_their_centre_and_centres_their_points() {
        let (points, centres) = (points(), [1.0, 1.0, 5.0, 5.0]);
        let nearest = points.nearest(&centres);
        assert_eq!(nearest, [0, 1, 0, 1]);
        assert_eq!(points.moved(&centres, &nearest), [0.5, 1.5, 9.5, 8.5]);
    }

    #[test]
    fn the_first_of_two_centres_that_are_as_near_counts_and_the_other_stays() {
        let (points, centres) = (points(), [4.0, 4.0, 4.0, 4.0]);
        let nearest = points.nearest(&centres);
        assert_eq!(nearest, [0; 4]);
        assert_eq!(points.moved(&centres, &nearest), [5.0, 5.0, 4.0, 4.0]);
    }

    #[test]
    fn turned_points_have_a_feature_in_a_row() {
        assert_eq!(points().turned(), [0.0, 9.0, 1.0, 10.0, 1.0, 8.0, 2.0, 9.0]);
    }
}
