//! Settings of the search, from `--set sssp.key=value`.

use blockyard_contract::key::Key;
use blockyard_workloads::graph::{Csr, SetError};

use super::weights::{generated, listed};
use crate::graphs::{block, child_block, source, threshold, SourceOption, VertexOptions};

const SOURCE: &str = "sssp.source";
pub(super) const WEIGHTS: &str = "sssp.weights";
const MAX_WEIGHT: &str = "sssp.max_weight";

/// The largest generated weight unless `sssp.max_weight` says otherwise.
pub const DEFAULT_MAX_WEIGHT: u32 = 100;

/// Where the weights come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weights {
    Listed,
    Generated,
}

impl Weights {
    /// The name by which `sssp.weights` sets it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Generated => "generated",
        }
    }
}

/// Settings of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SsspOptions {
    pub(super) vertex: VertexOptions,
    source: SourceOption,
    weights: Option<Weights>,
    max_weight: u32,
}

impl Default for SsspOptions {
    fn default() -> Self {
        Self {
            vertex: VertexOptions::default(),
            source: SourceOption::new(SOURCE),
            weights: None,
            max_weight: DEFAULT_MAX_WEIGHT,
        }
    }
}

impl SsspOptions {
    /// Every key that [`SsspOptions::set`] knows.
    pub const KEYS: &'static [Key] = &[
        block("sssp.block"),
        source(SOURCE),
        child_block("sssp.child_block"),
        threshold("sssp.threshold"),
        Key {
            name: WEIGHTS,
            unit: "where weights come from",
            default: "listed if the graph has some",
        },
        Key { name: MAX_WEIGHT, unit: "largest generated weight", default: "100" },
    ];

    /// Sets `sssp.block` (threads of a block, 1 to 1024, default 256), `sssp.source` (the vertex,
    /// counted from 0, at which the search begins; default: the first vertex of highest
    /// out-degree), `sssp.weights` (`listed`: those of the graph; `generated`: drawn from the seed;
    /// default: those of the graph if it has some), `sssp.max_weight` (the largest generated
    /// weight, from 1; default 100), and for launches from the device `sssp.child_block` (threads
    /// of a child's block, 1 to 1024, default 64) and `sssp.threshold` (most edges that a thread
    /// walks itself, default 32).
    ///
    /// # Errors
    /// When the key is unknown, or the value is not one that it takes. Whether source and weights
    /// fit is known only with the graph: see [`SsspOptions::source`] and [`SsspOptions::weights`].
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        if self.vertex.set(key, value)? || self.source.set(key, value)? {
            return Ok(());
        }
        match key {
            WEIGHTS => {
                let all = [Weights::Listed, Weights::Generated];
                let named = all.into_iter().find(|weights| weights.name() == value);
                self.weights = Some(named.ok_or_else(|| SetError::BadValue {
                    key: key.to_owned(),
                    value: value.to_owned(),
                    expected: "listed or generated".to_owned(),
                })?);
            }
            MAX_WEIGHT => self.max_weight = SetError::number(key, value, 1, u32::MAX)?,
            _ => return Err(SetError::unknown(key, Self::KEYS)),
        }
        Ok(())
    }

    /// Where a search of `csr` begins.
    ///
    /// # Errors
    /// When the source that was set is not a vertex of `csr`, or `csr` has none.
    pub fn source(&self, csr: &Csr) -> Result<u32, SetError> {
        self.source.of(csr)
    }

    /// The weight of every edge, parallel to the columns of `csr`; generated ones from `seed`.
    ///
    /// # Errors
    /// When the graph's own are asked for, and it has none or one that is no whole number of 32
    /// bits.
    pub fn weights(&self, csr: &Csr, seed: u64) -> Result<Vec<u32>, SetError> {
        let from = self.weights.unwrap_or(match csr.weights() {
            Some(_) => Weights::Listed,
            None => Weights::Generated,
        });
        match from {
            Weights::Listed => listed(csr),
            Weights::Generated => Ok(generated(csr, self.max_weight, seed)),
        }
    }
}
