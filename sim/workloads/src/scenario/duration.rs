//! How long the blocks of a scenario's kernel run: one number, one a block, or drawn.

use std::fmt;
use std::rc::Rc;

use rand_distr::{Distribution, Normal};
use rand_pcg::Pcg64;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::gpu::host::Durations;

/// The durations of a kernel's blocks, in cycles.
#[derive(Clone, Debug, PartialEq)]
pub enum DurationSpec {
    /// The same for every block.
    Uniform(u64),
    /// One a block, in order of linear id.
    Each(Rc<[u64]>),
    /// Drawn from a normal distribution, rounded to whole cycles, at least 1.
    Normal {
        /// The mean.
        mean: f64,
        /// The relative standard deviation: standard deviation by mean.
        rsd: f64,
    },
}

impl DurationSpec {
    /// The durations of one instance with `blocks` blocks. What is drawn depends on nothing but
    /// `seed`, the kernel's place in the file and the instance.
    pub fn draw(&self, blocks: u32, seed: u64, kernel: usize, instance: u32) -> Durations {
        let (mean, rsd) = match self {
            DurationSpec::Uniform(cycles) => return Durations::Uniform(*cycles),
            DurationSpec::Each(list) => return Durations::Each(list.clone()),
            DurationSpec::Normal { mean, rsd } => (*mean, *rsd),
        };
        let state = u128::from(seed) << 64 | u128::from(instance);
        let mut random = Pcg64::new(state, kernel as u128);
        let normal = Normal::new(mean, mean * rsd).expect("the file's numbers are finite");
        let draw = |_| normal.sample(&mut random).round().max(1.0) as u64;
        Durations::Each((0..blocks).map(draw).collect())
    }
}

/// A duration as it is written.
pub enum RawDuration {
    Uniform(i64),
    Each(Vec<Spanned<i64>>),
    Normal(RawNormal),
}

/// `{ mean = 5238, rsd = 0.30 }`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawNormal {
    pub mean: Spanned<f64>,
    pub rsd: Spanned<f64>,
}

impl<'de> Deserialize<'de> for RawDuration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DurationVisitor)
    }
}

struct DurationVisitor;

impl<'de> Visitor<'de> for DurationVisitor {
    type Value = RawDuration;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cycles, a list of cycles with one entry a block, or { mean, rsd }")
    }

    fn visit_i64<E>(self, cycles: i64) -> Result<RawDuration, E> {
        Ok(RawDuration::Uniform(cycles))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RawDuration, A::Error> {
        let mut each = Vec::new();
        while let Some(cycles) = list.next_element()? {
            each.push(cycles);
        }
        Ok(RawDuration::Each(each))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawDuration, A::Error> {
        RawNormal::deserialize(MapAccessDeserializer::new(map)).map(RawDuration::Normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(seed: u64, kernel: usize, instance: u32) -> Rc<[u64]> {
        let spec = DurationSpec::Normal { mean: 5238.0, rsd: 0.3 };
        match spec.draw(10_000, seed, kernel, instance) {
            Durations::Each(list) => list,
            Durations::Uniform(_) => panic!("durations are drawn one by one"),
        }
    }

    #[test]
    fn a_seed_repeats_and_seeds_kernels_and_instances_differ() {
        assert_eq!(drawn(1, 0, 0), drawn(1, 0, 0));
        for other in [drawn(2, 0, 0), drawn(1, 1, 0), drawn(1, 0, 1)] {
            assert_ne!(drawn(1, 0, 0)[..8], other[..8]);
        }
    }

    #[test]
    fn drawn_durations_have_the_mean_and_the_deviation() {
        let list = drawn(7, 0, 0);
        let count = list.len() as f64;
        let mean = list.iter().sum::<u64>() as f64 / count;
        let squares: f64 = list.iter().map(|&cycles| (cycles as f64 - mean).powi(2)).sum();
        let rsd = (squares / count).sqrt() / mean;
        assert!((mean / 5238.0 - 1.0).abs() < 0.02, "mean {mean}");
        assert!((rsd - 0.3).abs() < 0.02, "rsd {rsd}");
    }

    #[test]
    fn a_drawn_duration_is_at_least_one_cycle_and_without_deviation_it_is_the_mean() {
        let wild = DurationSpec::Normal { mean: 2.0, rsd: 10.0 };
        let Durations::Each(list) = wild.draw(1000, 0, 0, 0) else { panic!("a list") };
        assert_eq!(list.iter().min(), Some(&1));
        let still = DurationSpec::Normal { mean: 12.4, rsd: 0.0 };
        assert_eq!(still.draw(3, 0, 0, 0), Durations::Each([12; 3].into()));
    }
}
