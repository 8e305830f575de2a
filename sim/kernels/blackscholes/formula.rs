//! What an option is worth, rounded where the kernel rounds.

use crate::approximate::{exponential, logarithm};

/// Without risk, a year.
pub const RATE: f32 = 0.02;

/// Of the price, a year.
pub const VOLATILITY: f32 = 0.3;

/// How likely a normal number is below `x`.
fn normal(x: f32) -> f32 {
    let k = 1.0 / 0.231_641_9_f32.mul_add(x.abs(), 1.0);
    let coefficients = [1.330_274_5_f32, -1.821_255_9, 1.781_477_9, -0.356_563_78, 0.319_381_53];
    let sum = coefficients.into_iter().reduce(|sum, next| k.mul_add(sum, next)).unwrap_or(0.0);
    let density = 0.398_942_3 * exponential(-0.5 * x * x);
    let tail = density * (k * sum);
    if x > 0.0 {
        1.0 - tail
    } else {
        tail
    }
}

/// Call and put.
pub fn worth(price: f32, strike: f32, years: f32) -> (f32, f32) {
    let drift = (0.5 * VOLATILITY).mul_add(VOLATILITY, RATE);
    let spread = VOLATILITY * years.sqrt();
    let first = drift.mul_add(years, logarithm(price / strike)) / spread;
    let (above, owed_above) = (normal(first), normal(first - spread));
    let owed = strike * exponential(-RATE * years);
    let call = (-owed).mul_add(owed_above, price * above);
    let put = (-price).mul_add(1.0 - above, owed * (1.0 - owed_above));
    (call, put)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_is_that_of_the_error_function() {
        for tenths in -60..=60 {
            let x = f64::from(tenths) / 10.0;
            let exact = 0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2);
            // The polynomial's own error is 7.5e-8.
            assert!((f64::from(normal(x as f32)) - exact).abs() < 3e-7, "{x}");
        }
    }

    #[test]
    fn a_call_and_a_put_differ_by_the_price_less_what_is_owed() {
        for (price, strike, years) in [(20.0, 20.0, 1.0), (5.0, 90.0, 0.25), (30.0, 1.0, 10.0)] {
            let (call, put) = worth(price, strike, years);
            let owed = f64::from(strike) * libm::exp(f64::from(-RATE * years));
            let (differ, exact) = (f64::from(call - put), f64::from(price) - owed);
            assert!((differ - exact).abs() < 1e-4, "{differ} {exact}");
        }
    }
}
