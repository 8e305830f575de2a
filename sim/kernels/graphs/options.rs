//! Settings that the workloads over vertices share, from `--set WORKLOAD.key=value`.

use blockyard_contract::key::Key;
use blockyard_workloads::graph::{Csr, SetError};

use crate::options::MAX_BLOCK;

/// Threads of a block unless `WORKLOAD.block` says otherwise.
const DEFAULT_BLOCK: u32 = 256;

/// Threads of a child's block unless `WORKLOAD.child_block` says otherwise: the device kernels of
/// DTBL's section 3.1 have two warps, and one thread a neighbour of a vertex just above the
/// threshold fits.
const DEFAULT_CHILD_BLOCK: u32 = 64;

/// Most edges that a thread walks itself unless `WORKLOAD.threshold` says otherwise: as many as a
/// warp has lanes.
const DEFAULT_THRESHOLD: u32 = 32;

/// Blocks and children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VertexOptions {
    /// Threads of a block.
    pub block: u32,
    /// Threads of a child's block.
    pub child_block: u32,
    /// Most edges that a thread walks itself where children can be launched.
    pub threshold: u32,
}

impl Default for VertexOptions {
    fn default() -> Self {
        Self {
            block: DEFAULT_BLOCK,
            child_block: DEFAULT_CHILD_BLOCK,
            threshold: DEFAULT_THRESHOLD,
        }
    }
}

/// The key `name`, `WORKLOAD.block`.
pub(crate) const fn block(name: &'static str) -> Key {
    Key { name, unit: "threads of a block", default: "256" }
}

/// The key `name`, `WORKLOAD.child_block`.
pub(crate) const fn child_block(name: &'static str) -> Key {
    Key { name, unit: "threads of a child's block", default: "64" }
}

/// The key `name`, `WORKLOAD.threshold`.
pub(crate) const fn threshold(name: &'static str) -> Key {
    Key { name, unit: "most edges that a thread walks itself", default: "32" }
}

/// The key `name`, `WORKLOAD.source`.
pub(crate) const fn source(name: &'static str) -> Key {
    Key { name, unit: "number of a vertex", default: "the first one of highest out-degree" }
}

impl VertexOptions {
    /// Sets `key`, `WORKLOAD.` and the name of a field, to `value`. Whether there is such a field.
    ///
    /// # Errors
    /// When the value is not one that the key takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, SetError> {
        match key.split_once('.').map(|(_, field)| field) {
            Some("block") => self.block = SetError::number(key, value, 1, MAX_BLOCK)?,
            Some("child_block") => self.child_block = SetError::number(key, value, 1, MAX_BLOCK)?,
            Some("threshold") => self.threshold = SetError::number(key, value, 0, u32::MAX)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The vertex at which a search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceOption {
    key: &'static str,
    vertex: Option<u32>,
}

impl SourceOption {
    /// None yet; `key` sets it.
    pub fn new(key: &'static str) -> Self {
        Self { key, vertex: None }
    }

    /// Sets it to `value`, if `key` is its key. Whether it is.
    ///
    /// # Errors
    /// When the value is no number of a vertex.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, SetError> {
        if key != self.key {
            return Ok(false);
        }
        self.vertex = Some(SetError::number(key, value, 0, u32::MAX)?);
        Ok(true)
    }

    /// Where a search of `csr` begins: unless one was set, at the first vertex of highest
    /// out-degree.
    ///
    /// # Errors
    /// When the vertex that was set is none of `csr`, or `csr` has none.
    pub fn of(&self, csr: &Csr) -> Result<u32, SetError> {
        let refused = |value: String, expected: String| SetError::BadValue {
            key: self.key.to_owned(),
            value,
            expected,
        };
        let Some(busiest) = csr.busiest_vertex() else {
            let value = self.vertex.map_or("any vertex".to_owned(), |vertex| vertex.to_string());
            return Err(refused(value, "a graph of at least one vertex".to_owned()));
        };
        let source = self.vertex.unwrap_or(busiest);
        if source >= csr.vertices() {
            let expected = format!("a vertex of the graph, 0 to {}", csr.vertices() - 1);
            return Err(refused(source.to_string(), expected));
        }
        Ok(source)
    }
}
