//! A path of the rates on the CPU, rounded where the kernels round.

use crate::approximate::exponential;

/// Most steps of a path.
pub const STEPS: u32 = 40;

/// Periods from the end of a path to the last end of an option.
pub const SPAN: usize = 40;

/// Part of a year that a period has.
const PERIOD: f32 = 0.25;

/// Its root.
const ROOT: f32 = 0.5;

/// What an option pays for a bond of 1.
const NOTIONAL: f32 = 100.0;

/// Periods and rates of the options: those of Giles' program.
pub const MATURITIES: [u32; 15] = [4, 4, 4, 8, 8, 8, 20, 20, 20, 28, 28, 28, 40, 40, 40];
pub const SWAP_RATES: [f32; 15] = [
    0.045, 0.05, 0.055, 0.045, 0.05, 0.055, 0.045, 0.05, 0.055, 0.045, 0.05, 0.055, 0.045, 0.05,
    0.055,
];

/// Of each forward rate its value today, and, by the periods up to its own, how much it moves.
pub struct Market {
    pub start: Vec<f32>,
    pub volatilities: Vec<f32>,
}

/// What is worth one at the end of a period with this rate.
fn discount(rate: f32) -> f32 {
    1.0 / PERIOD.mul_add(rate, 1.0)
}

/// What bonds and coupons up to each period are worth at the end of a path.
struct Curve {
    bonds: [f32; SPAN],
    coupons: [f32; SPAN],
}

impl Curve {
    /// With these rates behind the end of the path.
    fn new(rates: &[f32]) -> Self {
        let (mut bond, mut coupon) = (1.0, 0.0);
        let mut curve = Self { bonds: [0.0; SPAN], coupons: [0.0; SPAN] };
        for (period, &rate) in rates.iter().enumerate() {
            bond *= discount(rate);
            coupon = PERIOD.mul_add(bond, coupon);
            (curve.bonds[period], curve.coupons[period]) = (bond, coupon);
        }
        curve
    }

    /// What a swap is worth that ends with the period `last` and pays `rate`, less a bond of 1.
    fn worth(&self, last: usize, rate: f32) -> f32 {
        rate.mul_add(self.coupons[last], self.bonds[last]) - 1.0
    }

    /// The options, by their last period and rate.
    fn options() -> impl Iterator<Item = (usize, f32)> {
        MATURITIES.into_iter().map(|periods| periods as usize - 1).zip(SWAP_RATES)
    }

    /// What all options pay.
    fn paid(&self) -> f32 {
        let below = |worth: &f32| *worth < 0.0;
        let worth = Self::options().map(|(last, rate)| self.worth(last, rate)).filter(below);
        worth.fold(0.0, |paid, worth| (-NOTIONAL).mul_add(worth, paid))
    }
}

impl Market {
    /// The rates after step number `step`, in which those from the next one on move.
    fn moved(&self, before: &[f32], step: usize, normal: f32) -> Vec<f32> {
        let mut after = before.to_vec();
        let mut drift = 0.0_f32;
        for rate in step + 1..before.len() {
            let volatility = self.volatilities[rate - step - 1];
            let (moves, now) = (PERIOD * volatility, before[rate]);
            drift = (moves * now).mul_add(discount(now), drift);
            let shock = (-0.5_f32).mul_add(moves, ROOT * normal);
            after[rate] = now * exponential(volatility.mul_add(shock, moves * drift));
        }
        after
    }

    /// The rates before the first step and after each.
    fn path(&self, normals: &[f32]) -> Vec<Vec<f32>> {
        let mut path = vec![self.start.clone()];
        for (step, &normal) in normals.iter().enumerate() {
            path.push(self.moved(&path[step], step, normal));
        }
        path
    }

    /// What the options are worth on the path of these normal numbers, as `libor_values` has it.
    pub fn value(&self, normals: &[f32]) -> f32 {
        let path = self.path(normals);
        let (way, behind) = path[normals.len()].split_at(normals.len());
        way.iter().fold(Curve::new(behind).paid(), |paid, &rate| paid * discount(rate))
    }

    /// As [`Market::value`], and how fast that grows with all of today's rates, as
    /// `libor_sensitivities` has both.
    pub fn sensitivity(&self, normals: &[f32]) -> (f32, f32) {
        let path = self.path(normals);
        let steps = normals.len();
        let (way, behind) = path[steps].split_at(steps);
        let curve = Curve::new(behind);
        let paid = curve.paid();
        let today = way.iter().fold(1.0, |paid, &rate| paid * discount(rate));
        let mut by: Vec<f32> =
            way.iter().map(|&rate| -(paid * today * (PERIOD * discount(rate)))).collect();
        by.resize(steps + SPAN, 0.0);
        let (mut by_bond, mut by_coupon) = (0.0_f32, 0.0_f32);
        for period in (0..SPAN).rev() {
            for (_, rate) in Curve::options().filter(|&(last, _)| last == period) {
                if curve.worth(period, rate) < 0.0 {
                    by_bond -= NOTIONAL;
                    by_coupon = (-NOTIONAL).mul_add(rate, by_coupon);
                }
            }
            by_bond = PERIOD.mul_add(by_coupon, by_bond);
            let discount = discount(behind[period]);
            by[steps + period] = -(by_bond * (PERIOD * curve.bonds[period] * discount) * today);
            by_bond *= discount;
        }
        for step in (0..steps).rev() {
            let mut by_drift = 0.0_f32;
            for rate in (step + 1..by.len()).rev() {
                let moves = PERIOD * self.volatilities[rate - step - 1];
                let (then, now) = (path[step][rate], path[step + 1][rate]);
                by_drift = (by[rate] * now).mul_add(moves, by_drift);
                let discount = discount(then);
                let part = moves * (discount * discount);
                by[rate] = by_drift.mul_add(part, by[rate] * (now / then));
            }
        }
        (paid * today, by.iter().fold(0.0, |sum, by| sum + by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn market(rise: f32) -> Market {
        let rates = 6 + SPAN;
        let start = (0..rates).map(|rate| 0.04 + rate as f32 / 4096.0 + rise).collect();
        Market { start, volatilities: vec![0.2; rates] }
    }

    const NORMALS: [f32; 6] = [0.5, -1.5, 1.0, 0.0, -0.25, 2.0];

    #[test]
    fn what_is_paid_grows_with_the_rates_as_the_way_back_says() {
        let (value, by) = market(0.0).sensitivity(&NORMALS);
        assert!((value / market(0.0).value(&NORMALS) - 1.0).abs() < 1e-6);
        // No option begins or ends to pay between these.
        let rise = 1.0 / 16_384.0;
        let beside = [rise, -rise].map(|rise| market(rise).value(&NORMALS));
        let slope = (beside[0] - beside[1]) / (2.0 * rise);
        assert!(value > 0.0 && (by / slope - 1.0).abs() < 5e-3, "{value} {by} {slope}");
    }

    #[test]
    fn without_steps_an_option_pays_by_today_s_rates_alone() {
        // All rates are 5 %: a bond and coupons of 5.5 % are worth more than one, of 5 % just one.
        let market = Market { start: vec![0.05; SPAN], volatilities: vec![0.2; SPAN] };
        let curve = Curve::new(&market.start);
        assert!(curve.worth(39, 0.055) > 0.0 && curve.worth(39, 0.045) < 0.0);
        assert!(curve.worth(39, 0.05).abs() < 1e-5);
        let lowest = Curve::options().filter(|&(_, rate)| rate == 0.045);
        let paid: f32 = lowest.map(|(last, rate)| -100.0 * curve.worth(last, rate)).sum();
        assert!((market.value(&[]) - paid).abs() < 1e-3);
    }
}
