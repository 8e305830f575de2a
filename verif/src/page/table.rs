//! Tables whose rows are sorted by a click on the head of a column, or a key.

use super::number::shown;

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The heads of its columns.
    pub heads: Vec<String>,
    /// Its rows, each with a cell a column.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Sorted as text.
    Text(String),
    /// A number, sorted as one, and how it is written.
    Number(f64, String),
    /// A command: a button that copies it.
    Command(String),
    /// Nothing, sorted behind everything.
    Nothing,
}

impl Table {
    /// An empty table.
    pub fn new<T: Into<String>>(
        caption: impl Into<String>,
        heads: impl IntoIterator<Item = T>,
    ) -> Self {
        let heads = heads.into_iter().map(Into::into).collect();
        Self { caption: caption.into(), heads, rows: Vec::new() }
    }

    /// Whether a column has numbers, which are aligned to the right.
    pub(super) fn is_numeric(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.any(|cell| matches!(cell, Cell::Number(..)))
    }
}

impl Cell {
    /// A number as [`shown`] writes it, or nothing.
    pub fn number(value: Option<f64>) -> Self {
        value.map_or(Self::Nothing, |value| Self::Number(value, shown(value)))
    }

    /// A text; one that is a number is sorted as one, and written as it is.
    pub fn of(text: &str) -> Self {
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Self::Number(value, text.to_owned()),
            _ => Self::Text(text.to_owned()),
        }
    }
}
