//! The transform of a picture on the CPU, rounded where the kernels round.

/// Points along a side of a block.
pub const SIDE: usize = 8;

/// Half of the cosine of so many sixteenths of pi.
const HALF: [f32; 8] = [
    0.5,
    0.490_392_64,
    0.461_939_75,
    0.415_734_8,
    0.353_553_38,
    0.277_785_12,
    0.191_341_72,
    0.097_545_16,
];

/// What point `at` has to do with coefficient `number`, in the definition.
fn weight(number: usize, at: usize) -> f32 {
    if number == 0 {
        return HALF[4];
    }
    // A whole turn is 32 sixteenths of pi; the cosine is even, and odd about a quarter of it.
    match number * (2 * at + 1) % 32 {
        angle @ 0..=7 => HALF[angle],
        8 | 24 => 0.0,
        angle @ 9..=16 => -HALF[16 - angle],
        angle @ 17..=23 => -HALF[angle - 16],
        angle => HALF[32 - angle],
    }
}

/// Four products, summed up in order.
fn sum(values: [f32; 4], weights: [f32; 4]) -> f32 {
    let first = values[0] * weights[0];
    values.into_iter().zip(weights).skip(1).fold(first, |sum, (value, by)| value.mul_add(by, sum))
}

/// The coefficients of eight points.
fn forward(points: [f32; SIDE]) -> [f32; SIDE] {
    let sums = std::array::from_fn(|at| points[at] + points[7 - at]);
    let differences = std::array::from_fn(|at| points[at] - points[7 - at]);
    std::array::from_fn(|number| {
        let weights = std::array::from_fn(|at| weight(number, at));
        sum(if number % 2 == 0 { sums } else { differences }, weights)
    })
}

/// The points of eight coefficients.
fn inverse(coefficients: [f32; SIDE]) -> [f32; SIDE] {
    let half = |odd: usize, at: usize| {
        let number = |of: usize| 2 * of + odd;
        let values = std::array::from_fn(|of| coefficients[number(of)]);
        sum(values, std::array::from_fn(|of| weight(number(of), at)))
    };
    std::array::from_fn(|at| match at {
        0..4 => half(0, at) + half(1, at),
        _ => half(0, 7 - at) - half(1, 7 - at),
    })
}

/// A picture in rows of `width`, rows of its blocks first, then columns.
pub fn transform(picture: &[f32], width: usize, decodes: bool) -> Vec<f32> {
    let line = if decodes { inverse } else { forward };
    let mut of = picture.to_vec();
    of.as_chunks_mut().0.iter_mut().for_each(|row| *row = line(*row));
    for blocks in of.chunks_mut((SIDE * width).max(1)) {
        for x in 0..width {
            let column = line(std::array::from_fn(|row| blocks[row * width + x]));
            (0..SIDE).for_each(|row| blocks[row * width + x] = column[row]);
        }
    }
    of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_the_definition() {
        for number in 1..SIDE {
            for at in 0..SIDE {
                let angle = (number * (2 * at + 1)) as f64 * std::f64::consts::PI / 16.0;
                let expected = 0.5 * libm::cos(angle);
                assert!((f64::from(weight(number, at)) - expected).abs() < 1e-7, "{number} {at}");
            }
        }
    }

    #[test]
    fn what_is_decoded_is_what_was_encoded_and_a_plain_block_has_one_coefficient() {
        let picture: Vec<f32> = (0..128).map(|at| (at * 37 % 101) as f32).collect();
        let back = transform(&transform(&picture, 16, false), 16, true);
        assert!(picture.iter().zip(&back).all(|(then, now)| (then - now).abs() < 1e-3));
        let plain = transform(&[2.0; 64], 8, false);
        assert!((plain[0] - 16.0).abs() < 1e-5);
        assert!(plain[1..].iter().all(|other| other.abs() < 1e-5));
    }
}
