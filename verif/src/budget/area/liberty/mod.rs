//! Cell libraries in the Liberty format: what area, what load, what delay each cell has.
//!
//! ```text
//!   file --[syntax]--> groups --> cells with pins and arcs --[table]--> delays and slews
//! ```
//!
//! Read is what area and time need: functions as text, tables of the non-linear delay model, setup
//! times. Power, noise, wire loads and what depends on `when` beyond its worst case are not.

mod cell;
mod syntax;
mod table;
mod token;

pub use cell::{Cell, Edge, Sense};
pub use table::At;

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use syntax::{Fault, Group};

/// A library: times in nanoseconds, capacitances in picofarads, areas in square micrometres.
#[derive(Clone, Debug)]
pub struct Library {
    /// As the file calls it.
    pub name: String,
    /// Cells that may be used, in the order of the file.
    pub cells: Vec<Cell>,
    places: HashMap<String, usize>,
}

/// Why a library cannot be used.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum LibraryError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is packed in a way that is not read.
    #[error("{} is packed with gzip", .0.display())]
    #[diagnostic(help("expected a plain liberty file or one packed with xz: unpack it first"))]
    Packed(PathBuf),
    /// It is no liberty file.
    #[error("{}:{line}: {found}, expected {expected}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is there.
        found: String,
        /// What should be.
        expected: String,
    },
    /// Nothing can be mapped to it.
    #[error("{} has no {}", path.display(), missing.join(", and no "))]
    #[diagnostic(help(
        "expected a library of standard cells: flip-flops, inverters, buffers and gates of two inputs"
    ))]
    Incomplete {
        /// The file.
        path: PathBuf,
        /// What it lacks.
        missing: Vec<&'static str>,
    },
}

impl Library {
    /// The library in a file, plain or packed with xz, and its text.
    ///
    /// # Errors
    /// When the file cannot be read, is no liberty file, or lacks what every design needs.
    pub fn open(path: &Path) -> Result<(Self, String), LibraryError> {
        let text = text(path)?;
        let library = Self::parse(&text, path)?;
        Ok((library, text))
    }

    /// The library that a text is; `path` is for messages.
    ///
    /// # Errors
    /// When it is no liberty file, or lacks what every design needs.
    pub fn parse(text: &str, path: &Path) -> Result<Self, LibraryError> {
        let read = || Self::of(&syntax::parse(text)?);
        let library = read().map_err(|Fault { line, found, expected }| LibraryError::Syntax {
            path: path.to_owned(),
            line,
            found,
            expected,
        })?;
        let missing = library.missing();
        match missing.is_empty() {
            true => Ok(library),
            false => Err(LibraryError::Incomplete { path: path.to_owned(), missing }),
        }
    }

    fn of(group: &Group) -> Result<Self, Fault> {
        if group.kind != "library" {
            let expected = "`library (name) {`".to_owned();
            return Err(Fault { line: group.line, found: format!("`{}`", group.kind), expected });
        }
        let units = Units { time: time_unit(group)?, capacitance: capacitance_unit(group)? };
        let templates = table::templates(group)?;
        let mut library =
            Self { name: group.name().to_owned(), cells: Vec::new(), places: HashMap::new() };
        let default = group.number("default_max_capacitance")?.map(|load| load * units.capacitance);
        for cell in group.all("cell").filter(|cell| cell.value("dont_use") != Some("true")) {
            let cell = Cell::read(cell, &templates, units, default)?;
            library.places.insert(cell.name.clone(), library.cells.len());
            library.cells.push(cell);
        }
        Ok(library)
    }

    /// The place of a cell in `cells`.
    pub fn place(&self, cell: &str) -> Option<usize> {
        self.places.get(cell).copied()
    }

    /// The smallest cell of which this holds.
    pub fn smallest(&self, is: impl Fn(&Cell) -> bool) -> Option<&Cell> {
        let cells = self.cells.iter().filter(|cell| is(cell));
        cells.min_by(|left, right| left.area.total_cmp(&right.area))
    }

    fn missing(&self) -> Vec<&'static str> {
        let needed: [(&str, Is); 4] = [
            ("flip-flop", Cell::is_plain_flip_flop),
            ("inverter", Cell::is_inverter),
            ("buffer", Cell::is_buffer),
            ("gate of two inputs", Cell::is_gate_of_two),
        ];
        let lacks = |is: &Is| !self.cells.iter().any(is);
        needed.iter().filter(|(_, is)| lacks(is)).map(|(what, _)| *what).collect()
    }
}

/// Whether a cell is of some kind.
type Is = fn(&Cell) -> bool;

/// What a file's numbers are multiplied with.
#[derive(Clone, Copy, Debug)]
struct Units {
    /// To nanoseconds.
    time: f64,
    /// To picofarads.
    capacitance: f64,
}

fn time_unit(library: &Group) -> Result<f64, Fault> {
    let Some(unit) = library.attribute("time_unit") else { return Ok(1.0) };
    let text = unit.values.first().map_or("", String::as_str);
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let scale = match &text[digits.len()..] {
        "ns" => 1.0,
        "ps" => 1e-3,
        "us" => 1e3,
        _ => f64::NAN,
    };
    let unit_of = |number: f64| number * scale;
    digits.trim().parse().ok().map(unit_of).filter(|unit| *unit > 0.0).ok_or_else(|| Fault {
        line: unit.line,
        found: format!("`time_unit` is `{text}`"),
        expected: "a number of ps, ns or us".to_owned(),
    })
}

fn capacitance_unit(library: &Group) -> Result<f64, Fault> {
    let Some(unit) = library.attribute("capacitive_load_unit") else { return Ok(1.0) };
    let scale = match unit.values.get(1).map(|name| name.to_lowercase()).as_deref() {
        Some("pf") => 1.0,
        Some("ff") => 1e-3,
        _ => f64::NAN,
    };
    let number = unit.values.first().and_then(|number| number.trim().parse::<f64>().ok());
    number.map(|number| number * scale).filter(|unit| *unit > 0.0).ok_or_else(|| Fault {
        line: unit.line,
        found: format!("`capacitive_load_unit` is ({})", unit.values.join(", ")),
        expected: "(number, pf) or (number, ff)".to_owned(),
    })
}

/// The text of a file, unpacked.
fn text(path: &Path) -> Result<String, LibraryError> {
    let failed = |source| LibraryError::Read { path: path.to_owned(), source };
    let bytes = std::fs::read(path).map_err(failed)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return Err(LibraryError::Packed(path.to_owned()));
    }
    let mut text = String::new();
    match bytes.starts_with(b"\xfd7zXZ\0") {
        true => liblzma::read::XzDecoder::new(bytes.as_slice()).read_to_string(&mut text),
        false => bytes.as_slice().read_to_string(&mut text),
    }
    .map_err(failed)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Library::parse(text, Path::new("cells.lib")).expect_err("refused").to_string()
    }

    #[test]
    fn units_that_are_not_known_are_refused_by_line() {
        let time = refused("library (a) {\n time_unit : \"1 fortnight\";\n}");
        assert_eq!(
            time,
            "cells.lib:2: `time_unit` is `1 fortnight`, expected a number of ps, ns or us"
        );
        let load = refused("library (a) {\n\n capacitive_load_unit (1, gallon);\n}");
        assert!(load.starts_with("cells.lib:3: `capacitive_load_unit` is (1, gallon)"), "{load}");
        assert!(refused("cell (a) {\n}").contains("cells.lib:1: `cell`, expected `library"));
    }

    #[test]
    fn a_library_that_lacks_something_is_refused_by_what_it_lacks() {
        let inverter = "cell (INV) { area : 1; pin (A) { direction : input; } \
                        pin (Y) { direction : output; function : \"!A\"; } }";
        let message = refused(&format!("library (a) {{ {inverter} }}"));
        assert_eq!(message, "cells.lib has no flip-flop, and no buffer, and no gate of two inputs");
    }

    #[test]
    fn a_file_packed_with_gzip_is_told_from_one_that_is_wrong() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("cells.lib.gz");
        std::fs::write(&path, [0x1f, 0x8b, 8, 0]).expect("a file");
        assert!(matches!(Library::open(&path), Err(LibraryError::Packed(_))));
    }

    #[test]
    fn the_gates_of_the_project_and_an_open_library_are_read() {
        let gates = include_str!("../../../../budgets/gates.lib");
        let gates = Library::parse(gates, Path::new("gates.lib")).expect("it reads");
        let flip_flop = gates.smallest(Cell::is_plain_flip_flop).expect("a flip-flop");
        assert_eq!((flip_flop.name.as_str(), flip_flop.area), ("DFF", 5.667));
        assert_eq!(gates.smallest(Cell::is_inverter).map(|cell| cell.name.as_str()), Some("INV"));

        let shared = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/cells");
        let path = Path::new(shared).join("sg13g2_stdcell_typ.lib.xz");
        if !path.exists() {
            println!("skipped: ../shared is absent");
            return;
        }
        let (library, text) = Library::open(&path).expect("it reads");
        assert!(text.starts_with("/***") && library.cells.len() > 70, "{}", library.cells.len());
        let inverter = library.smallest(Cell::is_inverter).expect("an inverter");
        assert_eq!((inverter.name.as_str(), inverter.area), ("sg13g2_inv_1", 5.4432));
        let rise = inverter.arcs[0].rise.as_ref().expect("it rises");
        // The first value of its table.
        assert_eq!(rise.delay.at(At { slew: 0.0186, load: 0.001 }), 0.020_564_7);
    }
}
