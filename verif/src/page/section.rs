//! Parts of a page.

use super::plot::Plot;
use super::Table;

/// A part of a page under a heading.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// What stands under it.
    pub parts: Vec<Part>,
}

/// What stands in a section.
#[derive(Clone, Debug)]
pub enum Part {
    /// A paragraph.
    Words(String),
    /// Lines as they are: a message.
    Lines(String),
    /// A command, with a button that copies it.
    Command(String),
    /// A table.
    Table(Table),
    /// A plot.
    Plot(Plot),
    /// A picture that something else has drawn.
    Picture {
        /// Trusted SVG: it goes into the page as it is.
        svg: String,
        /// What it shows.
        caption: String,
    },
}

impl Section {
    /// An empty section.
    pub fn new(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), parts: Vec::new() }
    }

    /// It with one more part.
    #[must_use]
    pub fn with(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    /// It with a paragraph.
    #[must_use]
    pub fn words(self, text: impl Into<String>) -> Self {
        self.with(Part::Words(text.into()))
    }

    /// It with a command.
    #[must_use]
    pub fn command(self, text: impl Into<String>) -> Self {
        self.with(Part::Command(text.into()))
    }

    /// It with a table, unless that is empty.
    #[must_use]
    pub fn table(mut self, table: Table) -> Self {
        self.parts.extend(Some(table).filter(|table| !table.rows.is_empty()).map(Part::Table));
        self
    }

    /// It with a plot.
    #[must_use]
    pub fn plot(self, plot: Plot) -> Self {
        self.with(Part::Plot(plot))
    }
}
