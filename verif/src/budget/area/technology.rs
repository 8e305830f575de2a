//! The technologies that areas are for: a liberty file, or a table of published areas.

use super::liberty::{Library, LibraryError};
use super::sram::Macros;
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// A technology that the tool knows by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cells {
    /// OSU's 180 nm cells, of Debian's package qflow-tech-osu018
    Osu018,
    /// Gate equivalents of 45 nm: NanGate's open cells
    #[value(name = "45nm")]
    Nm45,
    /// Gate equivalents of 7 nm: ASAP7's predictive cells
    #[value(name = "7nm")]
    Nm7,
}

/// Where Debian's package has its library.
const OSU018: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

/// A dozen cells whose areas are in gate equivalents, with the delays of gates.
const GATES: &str = include_str!("../../../budgets/gates.lib");

/// What areas and times are computed with.
#[derive(Clone, Debug)]
pub struct Technology {
    /// As in tables.
    pub name: String,
    /// Where its figures come from.
    pub source: String,
    /// The cells.
    pub library: Library,
    /// The text of the library, for Yosys.
    pub text: String,
    /// Square micrometres of one unit of the library's areas.
    pub gate: f64,
    /// Whether the library's times mean something.
    pub has_times: bool,
    /// Whether areas are gate equivalents times a published area.
    pub is_estimate: bool,
    /// The model of SRAM.
    pub macros: Option<Macros>,
}

/// Why there is no such technology.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum TechnologyError {
    /// Its library cannot be used.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Library(#[from] LibraryError),
    /// Debian's package is not there.
    #[error("{OSU018} is not there")]
    #[diagnostic(help("apt install qflow-tech-osu018"))]
    NotInstalled,
    /// The scheduler has SRAM and no model is named.
    #[error("{0} bits are SRAM, and `{1}` has none")]
    #[diagnostic(help("name a model of macros: --sram ihp130, fakeram45 or fakeram7"))]
    NoMacros(u64, String),
}

impl Technology {
    /// The cells of a liberty file.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn of_file(path: &Path, macros: Option<Macros>) -> Result<Self, TechnologyError> {
        let (library, text) = Library::open(path)?;
        Ok(Self {
            name: library.name.clone(),
            source: format!("areas and times of the library {}", library.name),
            library,
            text,
            gate: 1.0,
            has_times: true,
            is_estimate: false,
            macros,
        })
    }

    /// A technology by name.
    ///
    /// # Errors
    /// When its library is not there.
    pub fn named(cells: Cells, macros: Option<Macros>) -> Result<Self, TechnologyError> {
        match cells {
            Cells::Osu018 if !Path::new(OSU018).is_file() => Err(TechnologyError::NotInstalled),
            Cells::Osu018 => Self::of_file(Path::new(OSU018), macros),
            // NAND2_X1, 0.57 x 1.4 um, and NAND2xp33, 0.216 x 0.27 um, in the LEF files of
            // OpenROAD-flow-scripts, commit 8c009b0b.
            Cells::Nm45 => Self::described(
                "45nm",
                0.798,
                "0.798 um2 of NanGate's NAND2_X1 a gate equivalent",
                macros.or(Some(Macros::Fakeram45)),
            ),
            Cells::Nm7 => Self::described(
                "7nm",
                0.058_32,
                "0.05832 um2 of ASAP7's NAND2xp33 a gate equivalent",
                macros.or(Some(Macros::Fakeram7)),
            ),
        }
    }

    fn described(
        name: &str,
        gate: f64,
        source: &str,
        macros: Option<Macros>,
    ) -> Result<Self, TechnologyError> {
        let library = Library::parse(GATES, &PathBuf::from("gates.lib"))?;
        Ok(Self {
            name: name.to_owned(),
            source: source.to_owned(),
            library,
            text: GATES.to_owned(),
            gate,
            has_times: false,
            is_estimate: true,
            macros,
        })
    }

    /// How figures are combined, in words.
    pub(super) fn method(&self, has_sram: bool) -> String {
        let mut method = match self.is_estimate {
            true => "gate equivalents by Yosys and ABC, times the published area of a gate: an estimate",
            false => "mapped by Yosys and ABC module by module; time by the library's tables, before layout",
        }
        .to_owned();
        if let Some(macros) = self.macros.filter(|_| has_sram) {
            method = format!("{method}; SRAM by a {}: an estimate", macros.source());
        }
        method
    }
}
