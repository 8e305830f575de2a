//! Settings, from `--set reduce.key=value`.

use blockyard_workloads::graph::SetError;

use crate::options::{MAX_BLOCK, MAX_COUNT};

/// Settings of [`Reduce`](super::Reduce).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReduceOptions {
    /// Words to sum up.
    pub count: u32,
    /// Threads of a block.
    pub block: u32,
}

impl Default for ReduceOptions {
    fn default() -> Self {
        Self { count: 20_000, block: 128 }
    }
}

impl ReduceOptions {
    /// Every key that [`ReduceOptions::set`] knows.
    pub const KEYS: &'static [&'static str] = &["reduce.count", "reduce.block"];

    /// Sets `reduce.count` (words to sum up, 0 to 2^26, default 20,000) or `reduce.block` (threads of
    /// a block, 1 to 1024, default 128).
    ///
    /// # Errors
    /// When the key is unknown, or the value is not one that it takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        match key {
            "reduce.count" => self.count = SetError::number(key, value, 0, MAX_COUNT)?,
            "reduce.block" => self.block = SetError::number(key, value, 1, MAX_BLOCK)?,
            _ => return Err(SetError::UnknownKey { key: key.to_owned(), known: Self::KEYS }),
        }
        Ok(())
    }

    /// Blocks that sum up `words`: one even for none.
    pub(super) fn blocks(&self, words: u32) -> u32 {
        words.div_ceil(2 * self.block).max(1)
    }
}
