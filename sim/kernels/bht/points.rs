//! Where the bodies are.

use super::options::PLUMMER;
use super::BhtOptions;
use crate::draw::Draw;

/// x, y, z.
pub(super) type Point = [f32; 3];

/// Radius of Plummer's model in units in which the mass is 1 and the energy -1/4 (Aarseth, Henon,
/// Wielen, Astronomy and Astrophysics 1974): 3 pi / 16.
const PLUMMER_RADIUS: f64 = 0.589_048_622_548_086_2;

/// The share of the mass within the farthest body: what is beyond is not drawn.
const PLUMMER_SHARE: f64 = 0.999;

/// As many points as `options` says, drawn from `seed`.
pub(super) fn drawn(options: &BhtOptions, seed: u64) -> Vec<Point> {
    let mut draw = Draw::new(seed);
    let one = if options.points == PLUMMER { plummer } else { uniform };
    (0..options.bodies).map(|_| one(&mut draw)).collect()
}

/// From 0 up to and without 1.
fn unit(draw: &mut Draw) -> f64 {
    f64::from(draw.word()) / 4_294_967_296.0
}

/// In the cube from -1 to 1.
fn cube(draw: &mut Draw) -> [f64; 3] {
    std::array::from_fn(|_| 2.0 * unit(draw) - 1.0)
}

fn uniform(draw: &mut Draw) -> Point {
    cube(draw).map(|place| place as f32)
}

/// The share m of the mass is within the radius `PLUMMER_RADIUS / sqrt(m^(-2/3) - 1)`. The cube
/// root of a uniform m is distributed as the largest of three uniform numbers, so that roots and
/// quotients, which are the same on every machine, suffice.
fn plummer(draw: &mut Draw) -> Point {
    let root = loop {
        let root = unit(draw).max(unit(draw)).max(unit(draw));
        if root > 0.0 && root.powi(3) < PLUMMER_SHARE {
            break root;
        }
    };
    let radius = PLUMMER_RADIUS / (1.0 / (root * root) - 1.0).sqrt();
    let (direction, length) = loop {
        let direction = cube(draw);
        let length = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
        if (0.01..=1.0).contains(&length) {
            break (direction, length);
        }
    };
    direction.map(|part| (part / length * radius) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(points: u32) -> Vec<Point> {
        drawn(&BhtOptions { bodies: 8000, points, ..BhtOptions::default() }, 3)
    }

    /// How many of 8000 are within `radius` of the origin.
    fn within(points: &[Point], radius: f32) -> usize {
        let squared = |point: &Point| point.iter().map(|part| part * part).sum::<f32>();
        points.iter().filter(|point| squared(point) < radius * radius).count()
    }

    #[test]
    fn plummer_has_the_mass_within_each_radius_that_the_model_has() {
        let points = points(PLUMMER);
        for radius in [0.2, 0.5, 1.0, 2.0_f32] {
            let ratio = f64::from(radius) / PLUMMER_RADIUS;
            let share = ratio.powi(3) / (1.0 + ratio * ratio).powf(1.5);
            let found = within(&points, radius) as f64 / 8000.0;
            // Three and a half standard deviations of 8000 draws are 0.02 at most.
            assert!((found - share).abs() < 0.02, "{radius}: {found}, {share}");
        }
        assert_eq!(within(&points, 30.0), 8000);
    }

    #[test]
    fn uniform_points_fill_the_cube_evenly() {
        let points = points(1);
        assert!(points.iter().flatten().all(|part| part.abs() <= 1.0));
        for axis in 0..3 {
            let half = points.iter().filter(|point| point[axis] < 0.0).count();
            assert!(half.abs_diff(4000) < 160, "{axis}: {half}");
        }
        // pi / 6 of the cube is within 1 of its centre.
        assert!(within(&points, 1.0).abs_diff(4189) < 160);
    }
}
