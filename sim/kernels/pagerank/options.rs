//! Settings of the ranks, from `--set pagerank.key=value`.

use blockyard_contract::key::Key;
use blockyard_workloads::graph::SetError;

use crate::graphs::{block, child_block, threshold, VertexOptions};

const ITERATIONS: &str = "pagerank.iterations";

/// Iterations unless `pagerank.iterations` says otherwise: as many as Pannotia's.
const DEFAULT_ITERATIONS: u32 = 20;

/// Settings of the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagerankOptions {
    pub(super) vertex: VertexOptions,
    pub(super) iterations: u32,
}

impl Default for PagerankOptions {
    fn default() -> Self {
        Self { vertex: VertexOptions::default(), iterations: DEFAULT_ITERATIONS }
    }
}

impl PagerankOptions {
    /// Every key that [`PagerankOptions::set`] knows.
    pub const KEYS: &'static [Key] = &[
        block("pagerank.block"),
        child_block("pagerank.child_block"),
        threshold("pagerank.threshold"),
        Key { name: ITERATIONS, unit: "iterations", default: "20" },
    ];

    /// Sets `pagerank.block` (threads of a block, 1 to 1024, default 256), `pagerank.iterations` (1
    /// to 10,000, default 20), and for launches from the device `pagerank.child_block` (threads of
    /// a child's block, 1 to 1024, default 64) and `pagerank.threshold` (most edges that a thread
    /// walks itself, default 32).
    ///
    /// # Errors
    /// When the key is unknown, or the value is not one that it takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        if key == ITERATIONS {
            self.iterations = SetError::number(key, value, 1, 10_000)?;
            return Ok(());
        }
        if self.vertex.set(key, value)? {
            return Ok(());
        }
        Err(SetError::unknown(key, Self::KEYS))
    }
}
