//! Clock domains: SMX cycles, in which the whole GPU counts, and those of the network, the L2 and
//! the DRAM.

/// The ratio of a domain's frequency to that of the SMXs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Domain cycles in `denominator` SMX cycles.
    numerator: u64,
    denominator: u64,
}

impl Clock {
    /// A domain of `domain` MHz beside SMXs of `core` MHz; both count to three decimals.
    ///
    /// # Panics
    /// When a frequency is less than 1 kHz; [`super::config::GpuConfig::validate`] refuses that.
    pub fn new(domain: f64, core: f64) -> Self {
        let kilohertz = |megahertz: f64| (megahertz * 1000.0).round() as u64;
        let (numerator, denominator) = (kilohertz(domain), kilohertz(core));
        assert!(numerator > 0 && denominator > 0);
        let divisor = greatest_common_divisor(numerator, denominator);
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// Domain cycles that have begun by SMX cycle `core`.
    pub fn ticks(self, core: u64) -> u64 {
        if self.numerator == self.denominator {
            return core;
        }
        match core.checked_mul(self.numerator) {
            Some(product) => product / self.denominator,
            None => {
                let product = u128::from(core) * u128::from(self.numerator);
                (product / u128::from(self.denominator)) as u64
            }
        }
    }

    /// The first SMX cycle by which domain cycle `tick` has begun; also how many SMX cycles `tick`
    /// domain cycles take, rounded up.
    pub fn core(self, tick: u64) -> u64 {
        if self.numerator == self.denominator {
            return tick;
        }
        match tick.checked_mul(self.denominator) {
            Some(product) => product.div_ceil(self.numerator),
            None => {
                let product = u128::from(tick) * u128::from(self.denominator);
                product.div_ceil(u128::from(self.numerator)) as u64
            }
        }
    }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_domain_of_the_same_frequency_counts_the_same_cycles() {
        let clock = Clock::new(700.0, 700.0);
        assert_eq!((clock.ticks(12_345), clock.core(12_345)), (12_345, 12_345));
    }

    #[test]
    fn a_faster_domain_begins_its_cycles_earlier() {
        // GTX 480: 924 MHz beside 700 MHz, 33 to 25.
        let clock = Clock::new(924.0, 700.0);
        assert_eq!((clock.ticks(25), clock.ticks(24)), (33, 31));
        assert_eq!((clock.core(33), clock.core(32)), (25, 25));
    }

    proptest! {
        #[test]
        fn a_domain_cycle_has_begun_exactly_from_its_smx_cycle_on(
            domain in 1_u32..4_000_000, core in 1_u32..4_000_000, tick in 0_u64..1 << 40,
        ) {
            let clock = Clock::new(f64::from(domain) / 1000.0, f64::from(core) / 1000.0);
            let first = clock.core(tick);
            prop_assert!(clock.ticks(first) >= tick);
            prop_assert!(first == 0 || clock.ticks(first - 1) < tick);
        }
    }
}
