//! Settings, from `--set nested.key=value`.

use blockyard_workloads::graph::SetError;

use crate::options::MAX_SIDE;

/// Settings of [`Nested`](super::Nested).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NestedOptions {
    /// Cells of a row of the map.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Rectangles that are drawn on the map, one over the other.
    pub rectangles: u32,
    /// Levels below those squares with which the host begins.
    pub limit: u32,
    /// Side of the smallest squares, in cells.
    pub leaf: u32,
    /// Side of a block, in threads.
    pub block: u32,
}

impl Default for NestedOptions {
    fn default() -> Self {
        Self { width: 100, height: 60, rectangles: 6, limit: 3, leaf: 2, block: 8 }
    }
}

impl NestedOptions {
    /// Every key that [`NestedOptions::set`] knows.
    pub const KEYS: &'static [&'static str] = &[
        "nested.width",
        "nested.height",
        "nested.rectangles",
        "nested.limit",
        "nested.leaf",
        "nested.block",
    ];

    /// Sets `nested.width` (cells of a row, 0 to 8192, default 100), `nested.height` (rows, 0 to 8192,
    /// default 60), `nested.rectangles` (drawn on the map, 0 to 10,000, default 6), `nested.limit` (levels
    /// of children, 0 to 10, default 3), `nested.leaf` (side of the smallest squares in cells, 1 to 1024,
    /// default 2), or `nested.block` (side of a block in threads, 1 to 32, default 8).
    ///
    /// # Errors
    /// When the key is unknown, or the value is not one that it takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        match key {
            "nested.width" => self.width = SetError::number(key, value, 0, MAX_SIDE)?,
            "nested.height" => self.height = SetError::number(key, value, 0, MAX_SIDE)?,
            "nested.rectangles" => self.rectangles = SetError::number(key, value, 0, 10_000)?,
            "nested.limit" => self.limit = SetError::number(key, value, 0, 10)?,
            "nested.leaf" => self.leaf = SetError::number(key, value, 1, 1024)?,
            "nested.block" => self.block = SetError::number(key, value, 1, 32)?,
            _ => return Err(SetError::UnknownKey { key: key.to_owned(), known: Self::KEYS }),
        }
        Ok(())
    }

    /// Side of the squares with which the host begins, in cells.
    pub(super) fn side(&self) -> u32 {
        self.leaf << self.limit
    }
}
