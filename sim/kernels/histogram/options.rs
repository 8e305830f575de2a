//! Settings, from `--set histogram.key=value`.

use blockyard_workloads::graph::SetError;

use crate::options::{MAX_BLOCK, MAX_COUNT};

/// Settings of [`Histogram`](super::Histogram).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistogramOptions {
    /// Bytes to count.
    pub count: u32,
    /// Blocks, whose threads take the bytes in turn.
    pub blocks: u32,
    /// Threads of a block.
    pub block: u32,
}

impl Default for HistogramOptions {
    fn default() -> Self {
        Self { count: 20_000, blocks: 26, block: 128 }
    }
}

impl HistogramOptions {
    /// Every key that [`HistogramOptions::set`] knows.
    pub const KEYS: &'static [&'static str] =
        &["histogram.count", "histogram.blocks", "histogram.block"];

    /// Sets `histogram.count` (bytes, 0 to 2^26, default 20,000), `histogram.blocks` (1 to 65,535,
    /// default 26) or `histogram.block` (threads of a block, 1 to 1024, default 128).
    ///
    /// # Errors
    /// When the key is unknown, or the value is not one that it takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        match key {
            "histogram.count" => self.count = SetError::number(key, value, 0, MAX_COUNT)?,
            "histogram.blocks" => self.blocks = SetError::number(key, value, 1, 65_535)?,
            "histogram.block" => self.block = SetError::number(key, value, 1, MAX_BLOCK)?,
            _ => return Err(SetError::UnknownKey { key: key.to_owned(), known: Self::KEYS }),
        }
        Ok(())
    }
}
