//! One HTML file that shows results: words, tables that sort, plots, pictures, commands to copy.
//!
//! The file holds all that it shows, and its policy forbids it to load anything: it opens from a
//! disk, without network. Plots are SVG, drawn here, which are readable without a script and on
//! paper; some lines of script add values under the pointer, zoom and series that are switched on
//! and off. Text from outside is escaped by the templates (`maud`). See `docs/pages.md`.

pub mod blocks;
mod html;
pub mod number;
pub mod plot;
mod section;
pub mod study;
mod table;

pub use section::{Part, Section};
pub use table::{Cell, Table};

use plot::Plot;

/// A page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// What stands above it.
    pub title: String,
    /// What it has, in order.
    pub sections: Vec<Section>,
}

impl Page {
    /// An empty page.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), sections: Vec::new() }
    }

    /// It with one more section, unless that has nothing in it.
    #[must_use]
    pub fn with(mut self, section: Section) -> Self {
        self.sections.extend(Some(section).filter(|section| !section.parts.is_empty()));
        self
    }

    /// Its plots, in order.
    pub fn plots(&self) -> impl Iterator<Item = &Plot> {
        self.sections.iter().flat_map(|section| &section.parts).filter_map(|part| match part {
            Part::Plot(plot) => Some(plot),
            _ => None,
        })
    }

    /// The file. The same page gives the same bytes.
    pub fn html(&self) -> String {
        html::document(self).into_string()
    }
}
