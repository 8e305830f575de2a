//! Settings, from `--set matmul.key=value`.

use blockyard_workloads::graph::SetError;

use crate::options::MAX_SIDE;

/// Settings of [`Matmul`](super::Matmul).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatmulOptions {
    /// Rows of the first factor and of the product.
    pub rows: u32,
    /// Columns of the second factor and of the product.
    pub columns: u32,
    /// Columns of the first factor and rows of the second.
    pub inner: u32,
}

impl Default for MatmulOptions {
    fn default() -> Self {
        Self { rows: 56, columns: 56, inner: 56 }
    }
}

impl MatmulOptions {
    /// Every key that [`MatmulOptions::set`] knows.
    pub const KEYS: &'static [&'static str] = &["matmul.rows", "matmul.columns", "matmul.inner"];

    /// Sets `matmul.rows`, `matmul.columns` (of the product) or `matmul.inner` (the factors' common
    /// side), each 0 to 8192, default 56.
    ///
    /// # Errors
    /// When the key is unknown, or the value is not one that it takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        match key {
            "matmul.rows" => self.rows = SetError::number(key, value, 0, MAX_SIDE)?,
            "matmul.columns" => self.columns = SetError::number(key, value, 0, MAX_SIDE)?,
            "matmul.inner" => self.inner = SetError::number(key, value, 0, MAX_SIDE)?,
            _ => return Err(SetError::UnknownKey { key: key.to_owned(), known: Self::KEYS }),
        }
        Ok(())
    }
}
