//! Settings of the search, from `--set bfs.key=value`.

use super::DEFAULT_BLOCK;
use crate::workload::graph::{Csr, SetError};

const BLOCK: &str = "bfs.block";
const SOURCE: &str = "bfs.source";

/// Most threads of a block on every GPU since Fermi.
const MAX_BLOCK: u32 = 1024;

/// Settings of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BfsOptions {
    block: u32,
    source: Option<u32>,
}

impl Default for BfsOptions {
    fn default() -> Self {
        Self { block: DEFAULT_BLOCK, source: None }
    }
}

impl BfsOptions {
    /// Every key that [`BfsOptions::set`] knows.
    pub const KEYS: &'static [&'static str] = &[BLOCK, SOURCE];

    /// Sets `bfs.block` (threads of a block, 1 to 1024, default 256) or `bfs.source` (the vertex,
    /// counted from 0, at which the search begins; default: the first vertex of highest
    /// out-degree).
    ///
    /// # Errors
    /// When the key is unknown, or the value is not one that it takes. Whether the source is a
    /// vertex is known only with the graph: see [`BfsOptions::source`].
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        match key {
            BLOCK => self.block = SetError::number(key, value, 1, MAX_BLOCK)?,
            SOURCE => self.source = Some(SetError::number(key, value, 0, u32::MAX)?),
            _ => return Err(SetError::UnknownKey { key: key.to_owned(), known: Self::KEYS }),
        }
        Ok(())
    }

    /// Threads of a block.
    pub fn block(&self) -> u32 {
        self.block
    }

    /// Where a search of `csr` begins.
    ///
    /// # Errors
    /// When the source that was set is not a vertex of `csr`, or `csr` has none.
    pub fn source(&self, csr: &Csr) -> Result<u32, SetError> {
        let refused = |value: String, expected: String| SetError::BadValue {
            key: SOURCE.to_owned(),
            value,
            expected,
        };
        let Some(busiest) = csr.busiest_vertex() else {
            let value = self.source.map_or("any vertex".to_owned(), |s| s.to_string());
            return Err(refused(value, "a graph of at least one vertex".to_owned()));
        };
        let source = self.source.unwrap_or(busiest);
        if source >= csr.vertices() {
            let expected = format!("a vertex of the graph, 0 to {}", csr.vertices() - 1);
            return Err(refused(source.to_string(), expected));
        }
        Ok(source)
    }
}
