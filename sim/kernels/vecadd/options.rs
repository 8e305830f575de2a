//! Settings, from `--set vecadd.key=value`.

use blockyard_workloads::graph::SetError;

use crate::options::{MAX_BLOCK, MAX_COUNT};

/// Settings of [`Vecadd`](super::Vecadd).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VecaddOptions {
    /// Elements of an array.
    pub count: u32,
    /// Threads of a block.
    pub block: u32,
}

impl Default for VecaddOptions {
    fn default() -> Self {
        Self { count: 10_000, block: 256 }
    }
}

impl VecaddOptions {
    /// Every key that [`VecaddOptions::set`] knows.
    pub const KEYS: &'static [&'static str] = &["vecadd.count", "vecadd.block"];

    /// Sets `vecadd.count` (elements of an array, 0 to 2^26, default 10,000) or `vecadd.block` (threads
    /// of a block, 1 to 1024, default 256).
    ///
    /// # Errors
    /// When the key is unknown, or the value is not one that it takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        match key {
            "vecadd.count" => self.count = SetError::number(key, value, 0, MAX_COUNT)?,
            "vecadd.block" => self.block = SetError::number(key, value, 1, MAX_BLOCK)?,
            _ => return Err(SetError::UnknownKey { key: key.to_owned(), known: Self::KEYS }),
        }
        Ok(())
    }
}
