//! Clock domains: SMX cycles, in which the whole GPU counts, and those of the network, the L2 and
//! the DRAM.

use super::divisor::Divisor;

/// The ratio of a domain's frequency to that of the SMXs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Domain cycles in `denominator` SMX cycles.
    numerator: Divisor,
    denominator: Divisor,
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
        Self {
            numerator: Divisor::new(numerator / divisor),
            denominator: Divisor::new(denominator / divisor),
        }
    }

    /// Domain cycles that have begun by SMX cycle `core`.
    #[inline]
    pub fn ticks(self, core: u64) -> u64 {
        if self.numerator.get() == self.denominator.get() {
            return core;
        }
        match small_product(core, self.numerator) {
            Some(product) => self.denominator.divide(product),
            None => {
                let product = u128::from(core) * u128::from(self.numerator.get());
                (product / u128::from(self.denominator.get())) as u64
            }
        }
    }

    /// The first SMX cycle by which domain cycle `tick` has begun; also how many SMX cycles `tick`
    /// domain cycles take, rounded up.
    #[inline]
    pub fn core(self, tick: u64) -> u64 {
        if self.numerator.get() == self.denominator.get() {
            return tick;
        }
        match small_product(tick, self.denominator) {
            Some(0) => 0,
            Some(product) => self.numerator.divide(product - 1) + 1,
            None => {
                let product = u128::from(tick) * u128::from(self.denominator.get());
                product.div_ceil(u128::from(self.numerator.get())) as u64
            }
        }
    }
}

/// The product, if it is one that a [`Divisor`] divides.
#[inline]
fn small_product(cycles: u64, factor: Divisor) -> Option<u64> {
    cycles.checked_mul(factor.get()).filter(|&product| product < 1 << 63)
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
