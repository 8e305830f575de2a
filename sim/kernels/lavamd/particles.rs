//! Particles in boxes on the CPU, rounded where the kernel rounds.

use crate::approximate::exponential;

/// Particles of a box.
pub const PARTICLES: usize = 100;

/// Most boxes that one looks at, itself included.
pub const NEIGHBOURS: usize = 27;

/// How fast forces fall off.
pub const ALPHA: f32 = 0.5;

/// Half the square of the distance from the origin, x, y, z; of a force, the potential first.
pub type Particle = [f64; 4];

/// The boxes of a cube of `side` that a box looks at, itself first.
pub fn neighbours(side: usize, number: usize) -> Vec<usize> {
    let place = [number % side, number / side % side, number / side / side];
    let touches = |other: &usize| {
        let there = [other % side, other / side % side, other / side / side];
        place.iter().zip(there).all(|(&here, there)| here.abs_diff(there) <= 1)
    };
    let others = (0..side * side * side).filter(|&other| other != number).filter(touches);
    [number].into_iter().chain(others).collect()
}

/// What `others`, with their charges, do to a particle.
pub fn force<'a>(
    own: &Particle,
    others: impl Iterator<Item = (&'a Particle, &'a f64)>,
) -> Particle {
    let scale = 2.0 * f64::from(ALPHA) * f64::from(ALPHA);
    let mut force = [0.0; 4];
    for (other, &charge) in others {
        let inner = own[2].mul_add(other[2], own[3] * other[3]);
        let apart = own[0] + other[0] - own[1].mul_add(other[1], inner);
        let fades = f64::from(exponential(-((scale * apart) as f32)));
        let strong = 2.0 * fades * charge;
        force[0] = charge.mul_add(fades, force[0]);
        for axis in 1..4 {
            force[axis] = strong.mul_add(own[axis] - other[axis], force[axis]);
        }
    }
    force
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_touches_those_beside_it_and_itself() {
        assert_eq!(neighbours(1, 0), [0]);
        assert_eq!(neighbours(2, 3), [3, 0, 1, 2, 4, 5, 6, 7]);
        let middle = neighbours(3, 13);
        assert_eq!((middle.len(), middle[0], middle[1]), (NEIGHBOURS, 13, 0));
        // The corner of three by three by three.
        assert_eq!(neighbours(3, 0), [0, 1, 3, 4, 9, 10, 12, 13]);
    }

    #[test]
    fn two_particles_push_each_other_apart_and_one_alone_has_a_potential_only() {
        let at = |x: f64| [x * x / 2.0, x, 0.0, 0.0];
        let [left, right] = [at(1.0), at(2.0)];
        let push = |own, other| force(own, [(other, &1.0)].into_iter());
        let (to_left, to_right) = (push(&left, &right), push(&right, &left));
        assert!(to_left[1] < 0.0 && to_left[1] == -to_right[1]);
        assert_eq!(push(&left, &left), [1.0, 0.0, 0.0, 0.0]);
    }
}
