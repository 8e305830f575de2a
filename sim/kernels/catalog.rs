//! The kernels as workloads, by name.

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_workloads::graph::SetError;

use crate::histogram::{Histogram, HistogramOptions};
use crate::launch::Computation;
use crate::matmul::{Matmul, MatmulOptions};
use crate::nested::{Nested, NestedOptions};
use crate::reduce::{Reduce, ReduceOptions};
use crate::stencil::{Stencil, StencilOptions};
use crate::vecadd::{Vecadd, VecaddOptions};

/// The name of every workload, and what it computes.
pub const WORKLOADS: [(&str, &str); 6] = [
    ("vecadd", "the sum of two arrays of floats"),
    ("matmul", "the product of two matrices of floats"),
    ("reduce", "the sum of an array of words"),
    ("histogram", "how often each byte occurs"),
    ("stencil", "the heat equation on a plane"),
    ("nested", "the quadtree of a map, whose blocks launch the next level"),
];

/// A workload with its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelWorkload {
    /// See [`Vecadd`].
    Vecadd(VecaddOptions),
    /// See [`Matmul`].
    Matmul(MatmulOptions),
    /// See [`Reduce`].
    Reduce(ReduceOptions),
    /// See [`Histogram`].
    Histogram(HistogramOptions),
    /// See [`Stencil`].
    Stencil(StencilOptions),
    /// See [`Nested`].
    Nested(NestedOptions),
}

impl KernelWorkload {
    /// Its host program, with inputs drawn from `seed`. Only `nested` launches from blocks, and only
    /// unless `mode` is flat.
    ///
    /// # Errors
    /// When there is no memory for its inputs.
    pub fn program(&self, seed: u64, mode: LaunchMode) -> Result<Box<dyn Computation>, InputError> {
        Ok(match self {
            Self::Vecadd(options) => Box::new(Vecadd::new(options, seed)?),
            Self::Matmul(options) => Box::new(Matmul::new(options, seed)?),
            Self::Reduce(options) => Box::new(Reduce::new(options, seed)?),
            Self::Histogram(options) => Box::new(Histogram::new(options, seed)?),
            Self::Stencil(options) => Box::new(Stencil::new(options, seed)?),
            Self::Nested(options) => Box::new(Nested::new(options, seed, mode)?),
        })
    }
}

/// Settings of all workloads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelSettings {
    /// `vecadd.*`.
    pub vecadd: VecaddOptions,
    /// `matmul.*`.
    pub matmul: MatmulOptions,
    /// `reduce.*`.
    pub reduce: ReduceOptions,
    /// `histogram.*`.
    pub histogram: HistogramOptions,
    /// `stencil.*`.
    pub stencil: StencilOptions,
    /// `nested.*`.
    pub nested: NestedOptions,
}

impl KernelSettings {
    /// Sets `key` to `value`. Whether it is a key of one of these workloads.
    ///
    /// # Errors
    /// When the workload has no such key, or the value is not one that it takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, SetError> {
        match key.split_once('.').map(|(workload, _)| workload) {
            Some("vecadd") => self.vecadd.set(key, value)?,
            Some("matmul") => self.matmul.set(key, value)?,
            Some("reduce") => self.reduce.set(key, value)?,
            Some("histogram") => self.histogram.set(key, value)?,
            Some("stencil") => self.stencil.set(key, value)?,
            Some("nested") => self.nested.set(key, value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The workload `name`, if there is one.
    pub fn workload(&self, name: &str) -> Option<KernelWorkload> {
        Some(match name {
            "vecadd" => KernelWorkload::Vecadd(self.vecadd),
            "matmul" => KernelWorkload::Matmul(self.matmul),
            "reduce" => KernelWorkload::Reduce(self.reduce),
            "histogram" => KernelWorkload::Histogram(self.histogram),
            "stencil" => KernelWorkload::Stencil(self.stencil),
            "nested" => KernelWorkload::Nested(self.nested),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_workload_and_others_have_none() {
        let settings = KernelSettings::default();
        assert!(WORKLOADS.iter().all(|(name, _)| settings.workload(name).is_some()));
        assert_eq!(settings.workload("vec"), None);
    }

    #[test]
    fn keys_reach_the_workload_that_they_name() {
        let mut settings = KernelSettings::default();
        assert_eq!(settings.set("reduce.count", "17"), Ok(true));
        assert_eq!(settings.reduce.count, 17);
        assert_eq!(settings.set("bfs.block", "17"), Ok(false));
        assert_eq!(settings.set("count", "17"), Ok(false));
    }

    #[test]
    fn every_key_takes_its_limits_and_nothing_beyond() {
        for (key, least, most) in [
            ("vecadd.count", 0, 1 << 26),
            ("vecadd.block", 1, 1024),
            ("matmul.rows", 0, 8192),
            ("matmul.columns", 0, 8192),
            ("matmul.inner", 0, 8192),
            ("reduce.count", 0, 1 << 26),
            ("reduce.block", 1, 1024),
            ("histogram.count", 0, 1 << 26),
            ("histogram.blocks", 1, 65_535),
            ("histogram.block", 1, 1024),
            ("stencil.width", 0, 8192),
            ("stencil.height", 0, 8192),
            ("stencil.steps", 0, 10_000),
            ("nested.width", 0, 8192),
            ("nested.height", 0, 8192),
            ("nested.rectangles", 0, 10_000),
            ("nested.limit", 0, 10),
            ("nested.leaf", 1, 1024),
            ("nested.block", 1, 32),
        ] {
            let set = |value: i64| KernelSettings::default().set(key, &value.to_string());
            assert_eq!((set(least), set(most)), (Ok(true), Ok(true)), "{key}");
            for beyond in [least - 1, most + 1] {
                let refused = set(beyond);
                assert!(matches!(refused, Err(SetError::BadValue { .. })), "{key} {refused:?}");
            }
            let table = key.split_once('.').expect("a key").0;
            let unknown = KernelSettings::default().set(&format!("{table}.no"), "1");
            let Err(SetError::UnknownKey { known, .. }) = unknown else { panic!("{unknown:?}") };
            assert!(known.contains(&key), "{key} is not among {known:?}");
        }
    }
}
