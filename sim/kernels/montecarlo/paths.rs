//! What options pay, rounded where the kernels round.

use crate::approximate::{exponential, logarithm};

/// Threads of a block, whose sums meet in a tree.
const THREADS: usize = 256;

/// An option: its price, its strike, and mean and deviation of the price's logarithm at its end.
pub type Call = [f32; 4];

/// `sum` and what is below it, by Horner's rule.
fn polynomial(x: f32, coefficients: &[f32]) -> f32 {
    coefficients.iter().copied().reduce(|sum, next| x.mul_add(sum, next)).unwrap_or(0.0)
}

/// The number below which a normal one is with probability `part`.
fn inverse(part: f32) -> f32 {
    let middle = part - 0.5;
    if middle.abs() < 0.42 {
        let square = middle * middle;
        let above = [-25.441_061, 41.391_198, -18.615, 2.506_628_2];
        let below = [3.130_829, -21.062_24, 23.083_368, -8.473_511, 1.0];
        return middle * polynomial(square, &above) / polynomial(square, &below);
    }
    let tail = if middle > 0.0 { 1.0 - part } else { part };
    let far = logarithm(-logarithm(tail));
    let coefficients = [
        3.960_315e-7,
        2.888_167_4e-7,
        3.217_678_8e-5,
        3.951_896_5e-4,
        3.840_573e-3,
        2.764_388_1e-2,
        0.160_797_97,
        0.976_169,
        0.337_475_48,
    ];
    let sum = polynomial(far, &coefficients);
    if middle > 0.0 {
        sum
    } else {
        -sum
    }
}

/// The normal number of a path.
pub fn sample(path: u32) -> f32 {
    let part = (path.reverse_bits() >> 8 | 1) as f32 / (1 << 24) as f32;
    inverse(part)
}

/// The sum of what a call pays on the paths of these normal numbers, and that of the squares.
pub fn paid([price, strike, mean, deviation]: Call, samples: &[f32]) -> [f32; 2] {
    let mut sums = vec![[0.0_f32; 2]; THREADS];
    for (path, &sample) in samples.iter().enumerate() {
        let grown = exponential(deviation.mul_add(sample, mean));
        let pays = price.mul_add(grown, -strike).max(0.0);
        let [sum, square] = &mut sums[path % THREADS];
        *sum += pays;
        *square = pays.mul_add(pays, *square);
    }
    while sums.len() > 1 {
        let upper = sums.split_off(sums.len() / 2);
        for (sum, other) in sums.iter_mut().flatten().zip(upper.iter().flatten()) {
            *sum += other;
        }
    }
    sums[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_of_the_normal_distribution_takes_its_values_back() {
        for tenths in -40..=40 {
            let x = f64::from(tenths) / 10.0;
            let part = 0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2);
            // A part near 1 has few bits of what is left to 1.
            let error = (f64::from(inverse(part as f32)) - x).abs();
            assert!(error < 2e-3, "{x}: {error}");
        }
    }

    #[test]
    fn the_mean_over_many_paths_comes_near_the_formula_of_black_and_scholes() {
        let (price, strike, years) = (25.0_f32, 20.0, 2.0);
        let (rate, volatility) = (0.02_f32, 0.3_f32);
        let mean = (rate - 0.5 * volatility * volatility) * years;
        let call = [price, strike, mean, volatility * years.sqrt()];
        let samples: Vec<f32> = (0..1 << 14).map(sample).collect();
        let [sum, square] = paid(call, &samples).map(f64::from);
        let mean = sum / f64::from(1 << 14);
        let worth = mean * libm::exp(-f64::from(rate * years));
        // With these numbers the formula gives 7.2833.
        assert!((worth - 7.2833).abs() < 0.02, "{worth}");
        assert!(square / f64::from(1 << 14) > mean * mean);
    }
}
