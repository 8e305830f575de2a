//! Settings of the search for the set, from `--set mis.key=value`.

use blockyard_contract::key::Key;
use blockyard_workloads::graph::SetError;

use crate::graphs::{block, child_block, threshold, VertexOptions};

/// Settings of the search for the set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MisOptions {
    pub(super) vertex: VertexOptions,
}

impl MisOptions {
    /// Every key that [`MisOptions::set`] knows.
    pub const KEYS: &'static [Key] =
        &[block("mis.block"), child_block("mis.child_block"), threshold("mis.threshold")];

    /// Sets `mis.block` (threads of a block, 1 to 1024, default 256), and for launches from the
    /// device `mis.child_block` (threads of a child's block, 1 to 1024, default 64) and
    /// `mis.threshold` (most edges that a thread walks itself, default 32).
    ///
    /// # Errors
    /// When the key is unknown, or the value is not one that it takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        if self.vertex.set(key, value)? {
            return Ok(());
        }
        Err(SetError::unknown(key, Self::KEYS))
    }
}
