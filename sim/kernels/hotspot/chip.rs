//! The chip, and a step on the CPU, rounded where the kernel rounds.

/// Of the surroundings.
const AMBIENT: f32 = 80.0;

/// Metres: sides of the chip, and how thick it is.
const SIDE: f32 = 0.016;
const THICKNESS: f32 = 0.0005;

/// Of silicon: J / (m^3 K), and W / (m K); and how much of the former counts.
const HEAT: f32 = 1.75e6;
const CONDUCTIVITY: f32 = 100.0;
const CAPACITY_FACTOR: f32 = 0.5;

/// W / m^2 at most, and how many kelvin that may change in a step.
const MOST_POWER: f32 = 3.0e6;
const PRECISION: f32 = 0.001;

/// What flows between a point and those beside it in its row, in its column, and its surroundings,
/// for each kelvin; and by how much a watt warms it in a step. The constants are Rodinia's.
pub struct Chip {
    pub across: f32,
    pub along: f32,
    pub down: f32,
    pub rate: f32,
}

impl Chip {
    /// Of `width` by `height` points, at least one of each.
    pub fn new(width: u32, height: u32) -> Self {
        let [wide, high] = [width, height].map(|points| SIDE / points.max(1) as f32);
        let capacity = CAPACITY_FACTOR * HEAT * THICKNESS;
        let seconds = PRECISION * capacity / MOST_POWER;
        Self {
            across: 2.0 * CONDUCTIVITY * THICKNESS * high / wide,
            along: 2.0 * CONDUCTIVITY * THICKNESS * wide / high,
            down: CONDUCTIVITY * high * wide / THICKNESS,
            rate: seconds / (capacity * wide * high),
        }
    }

    /// What a step makes of the temperatures `now`, in rows of `width`.
    pub fn step(&self, now: &[f32], power: &[f32], width: usize) -> Vec<f32> {
        let height = now.len() / width.max(1);
        let point = |(at, &here): (usize, &f32)| {
            let (x, y) = (at % width, at / width);
            let [west, east] = [x.saturating_sub(1), (x + 1).min(width - 1)];
            let [north, south] = [y.saturating_sub(1), (y + 1).min(height - 1)];
            let vertical = now[north * width + x] + now[south * width + x];
            let horizontal = now[y * width + west] + now[y * width + east];
            let sum = (-2.0_f32).mul_add(here, vertical).mul_add(self.along, power[at]);
            let sum = (-2.0_f32).mul_add(here, horizontal).mul_add(self.across, sum);
            let sum = (AMBIENT - here).mul_add(self.down, sum);
            self.rate.mul_add(sum, here)
        };
        now.iter().enumerate().map(point).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warm_point_warms_those_beside_it_and_cools_down() {
        let chip = Chip::new(3, 3);
        let mut now = vec![AMBIENT; 9];
        now[4] += 16.0;
        let next = chip.step(&now, &[0.0; 9], 3);
        assert!(next[4] < now[4] && next[4] > AMBIENT);
        for beside in [1, 3, 5, 7] {
            assert!(next[beside] > AMBIENT, "{beside}");
        }
        for corner in [0, 2, 6, 8] {
            assert_eq!(next[corner], AMBIENT, "{corner}");
        }
    }

    #[test]
    fn what_is_as_warm_as_its_surroundings_stays_so_without_power_and_warms_with_it() {
        let chip = Chip::new(2, 2);
        let now = [AMBIENT; 4];
        assert_eq!(chip.step(&now, &[0.0; 4], 2), now);
        assert!(chip.step(&now, &[1.0; 4], 2).iter().all(|&warmer| warmer > AMBIENT));
    }
}
