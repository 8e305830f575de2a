//! Settings, from `--set stencil.key=value`.

use blockyard_workloads::graph::SetError;

use crate::options::MAX_SIDE;

/// Settings of [`Stencil`](super::Stencil).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StencilOptions {
    /// Points of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Steps, each a launch.
    pub steps: u32,
}

impl Default for StencilOptions {
    fn default() -> Self {
        Self { width: 100, height: 60, steps: 3 }
    }
}

impl StencilOptions {
    /// Every key that [`StencilOptions::set`] knows.
    pub const KEYS: &'static [&'static str] = &["stencil.width", "stencil.height", "stencil.steps"];

    /// Sets `stencil.width` (points of a row, 0 to 8192, default 100), `stencil.height` (rows, 0 to
    /// 8192, default 60) or `stencil.steps` (launches, 0 to 10,000, default 3).
    ///
    /// # Errors
    /// When the key is unknown, or the value is not one that it takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        match key {
            "stencil.width" => self.width = SetError::number(key, value, 0, MAX_SIDE)?,
            "stencil.height" => self.height = SetError::number(key, value, 0, MAX_SIDE)?,
            "stencil.steps" => self.steps = SetError::number(key, value, 0, 10_000)?,
            _ => return Err(SetError::UnknownKey { key: key.to_owned(), known: Self::KEYS }),
        }
        Ok(())
    }
}
