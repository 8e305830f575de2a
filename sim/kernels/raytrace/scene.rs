//! Balls, and what rays see of them, on the CPU, rounded where the kernel rounds.

use crate::approximate::reciprocal_root;

/// Most balls that constant memory has room for.
pub const BALLS: u32 = 64;

/// How far a ray must go at least, and what is farther than all.
const NEAR: f32 = 0.001;
const FAR: f32 = 1.0e30;

/// What is left of a ray that is followed no more, and how bright a ball is in the shade.
const LEAST: f32 = 0.01;
const SHADE: f32 = 0.2;

/// Where the light comes from.
const LIGHT: Vector = [0.48, 0.6, -0.64];

type Vector = [f32; 3];

/// One of them.
#[derive(Clone, Copy)]
pub struct Ball {
    pub centre: Vector,
    pub radius: f32,
    pub brightness: f32,
    /// Which part of a ray goes on.
    pub mirrors: f32,
}

fn product(a: Vector, b: Vector) -> f32 {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

fn difference(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

/// From `from` on, `far` times `along`.
fn moved(from: Vector, far: f32, along: Vector) -> Vector {
    std::array::from_fn(|axis| far.mul_add(along[axis], from[axis]))
}

impl Ball {
    /// How far it is along a ray, if it is met.
    fn met(&self, from: Vector, along: Vector) -> Option<f32> {
        let to = difference(self.centre, from);
        let middle = product(to, along);
        let beyond = (-self.radius).mul_add(self.radius, product(to, to));
        let inside = middle.mul_add(middle, -beyond);
        (inside > 0.0).then(|| middle - inside.sqrt()).filter(|&far| far > NEAR)
    }
}

/// What the point at `x`, `y` of a picture sees, with so many bounces at most.
pub fn seen(balls: &[Ball], (x, y): (u32, u32), (width, height): (u32, u32), bounces: u32) -> f32 {
    let scale = 0.5 * (2.0 / height as f32);
    let from_middle = |twice: u32, extent: u32| (i64::from(twice) - i64::from(extent)) as f32;
    let mut from = [0.0, 0.0, -2.0];
    let mut along = [from_middle(2 * x, width) * scale, from_middle(height, 2 * y) * scale, 2.0];
    let length = reciprocal_root(product(along, along));
    along = along.map(|part| part * length);
    let (mut seen, mut left) = (0.0_f32, 1.0);
    for _ in 0..=bounces {
        if left <= LEAST {
            break;
        }
        let mut nearest = (FAR, None);
        for ball in balls {
            match ball.met(from, along) {
                Some(far) if far < nearest.0 => nearest = (far, Some(ball)),
                _ => {}
            }
        }
        let (far, Some(ball)) = nearest else {
            return left.mul_add(0.25_f32.mul_add(along[1], 0.5), seen);
        };
        from = moved(from, far, along);
        let turned = 1.0 / ball.radius;
        let normal = difference(from, ball.centre).map(|part| part * turned);
        let lit = product(normal, LIGHT).max(0.0) + SHADE;
        let bright = left * (1.0 - ball.mirrors) * ball.brightness;
        seen = bright.mul_add(lit, seen);
        left *= ball.mirrors;
        along = moved(along, -2.0 * product(along, normal), normal);
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (u32, u32) = (64, 64);

    fn ball(mirrors: f32) -> Ball {
        Ball { centre: [0.0, 0.0, 2.0], radius: 1.0, brightness: 1.0, mirrors }
    }

    #[test]
    fn the_middle_sees_the_ball_and_the_corner_the_sky() {
        let balls = [ball(0.0)];
        // It looks at the point that faces the eye: 0.64 of the light, and the shade.
        assert!((seen(&balls, (32, 32), SIZE, 3) - 0.84).abs() < 1e-5);
        let sky = |at| seen(&[], at, SIZE, 3);
        assert_eq!(seen(&balls, (0, 0), SIZE, 3), sky((0, 0)));
        assert!(sky((32, 0)) > sky((32, 32)) && sky((32, 32)) > sky((32, 63)));
    }

    #[test]
    fn a_mirror_sends_the_ray_back_and_none_is_followed_beyond_its_bounces() {
        // Straight back: the sky at the height of the eye.
        assert!((seen(&[ball(1.0)], (32, 32), SIZE, 3) - 0.5).abs() < 1e-5);
        assert_eq!(seen(&[ball(1.0)], (32, 32), SIZE, 0), 0.0);
    }
}
