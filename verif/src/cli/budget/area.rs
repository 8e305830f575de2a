//! The options of `budget` about chips.

use crate::budget::area::{Cells, Macros, Technology, TechnologyError};
use crate::budget::Budget;
use clap::Args;
use miette::{miette, Result};
use std::path::{Path, PathBuf};

/// What `--area` is computed with.
#[derive(Debug, Args)]
pub struct AreaArgs {
    /// Map the exported Verilog to cells of a chip with Yosys and ABC: square micrometres and the
    /// longest path; takes --liberty or --cells
    #[arg(long)]
    area: bool,
    /// The cells of a liberty file, plain or packed with xz
    #[arg(long, value_name = "F", requires = "area", conflicts_with = "cells")]
    liberty: Option<PathBuf>,
    /// Cells that are known by name
    #[arg(long, value_enum, value_name = "NAME", requires = "area")]
    cells: Option<Cells>,
    /// The model of macros that gives SRAM its area; `45nm` and `7nm` have one of their own
    #[arg(long, value_enum, value_name = "MODEL", requires = "area")]
    sram: Option<Macros>,
    /// Keep modules that are mapped in the folder DIR, and map none that is there
    #[arg(long, value_name = "DIR", requires = "area")]
    mapped: Option<PathBuf>,
}

impl AreaArgs {
    /// What areas are for; nothing where none is asked for.
    ///
    /// # Errors
    /// When no cells are named, or they cannot be used.
    pub fn technology(&self) -> Result<Option<Technology>> {
        if !self.area {
            return Ok(None);
        }
        let technology = match (&self.liberty, self.cells) {
            (Some(path), _) => Technology::of_file(path, self.sram)?,
            (None, Some(cells)) => Technology::named(cells, self.sram)?,
            (None, None) => {
                return Err(miette!(
                    help = "expected --liberty F, or --cells osu018, 45nm or 7nm",
                    "--area needs cells"
                ))
            }
        };
        Ok(Some(technology))
    }

    /// Where modules that are mapped are kept: in the folder `else_in` where none was named.
    pub fn mapped<'a>(&'a self, else_in: &'a Path) -> &'a Path {
        self.mapped.as_deref().unwrap_or(else_in)
    }
}

/// Whether the storage of a budget can be built in a technology.
///
/// # Errors
/// When there is SRAM, and no model of its area.
pub fn check(budget: &Budget, technology: &Technology) -> Result<(), TechnologyError> {
    let bits = budget.total.sram_bits;
    match technology.macros {
        None if bits > 0 => Err(TechnologyError::NoMacros(bits, technology.name.clone())),
        _ => Ok(()),
    }
}
