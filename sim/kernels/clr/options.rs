//! Settings of the colouring, from `--set clr.key=value`.

use blockyard_contract::key::Key;
use blockyard_workloads::graph::SetError;

use crate::graphs::{block, child_block, threshold, VertexOptions};

/// Settings of the colouring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClrOptions {
    pub(super) vertex: VertexOptions,
}

impl ClrOptions {
    /// Every key that [`ClrOptions::set`] knows.
    pub const KEYS: &'static [Key] =
        &[block("clr.block"), child_block("clr.child_block"), threshold("clr.threshold")];

    /// Sets `clr.block` (threads of a block, 1 to 1024, default 256), and for launches from the
    /// device `clr.child_block` (threads of a child's block, 1 to 1024, default 64) and
    /// `clr.threshold` (most edges that a thread walks itself, default 32).
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
