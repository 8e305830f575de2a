//! Settings of the search, from `--set bfs.key=value`.

use blockyard_contract::key::Key;
use blockyard_workloads::graph::{Csr, SetError};

use crate::graphs::{block, child_block, source, threshold, SourceOption, VertexOptions};

const SOURCE: &str = "bfs.source";

/// Settings of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BfsOptions {
    pub(super) vertex: VertexOptions,
    source: SourceOption,
}

impl Default for BfsOptions {
    fn default() -> Self {
        Self { vertex: VertexOptions::default(), source: SourceOption::new(SOURCE) }
    }
}

impl BfsOptions {
    /// Every key that [`BfsOptions::set`] knows.
    pub const KEYS: &'static [Key] = &[
        block("bfs.block"),
        source(SOURCE),
        child_block("bfs.child_block"),
        threshold("bfs.threshold"),
    ];

    /// Sets `bfs.block` (threads of a block, 1 to 1024, default 256), `bfs.source` (the vertex,
    /// counted from 0, at which the search begins; default: the first vertex of highest
    /// out-degree), and for launches from the device `bfs.child_block` (threads of a child's block,
    /// 1 to 1024, default 64) and `bfs.threshold` (most edges that a thread walks itself, default
    /// 32).
    ///
    /// # Errors
    /// When the key is unknown, or the value is not one that it takes. Whether the source is a
    /// vertex is known only with the graph: see [`BfsOptions::source`].
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        if self.vertex.set(key, value)? || self.source.set(key, value)? {
            return Ok(());
        }
        Err(SetError::unknown(key, Self::KEYS))
    }

    /// Where a search of `csr` begins.
    ///
    /// # Errors
    /// When the source that was set is not a vertex of `csr`, or `csr` has none.
    pub fn source(&self, csr: &Csr) -> Result<u32, SetError> {
        self.source.of(csr)
    }
}
