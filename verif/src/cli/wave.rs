//! `blockyard wave`.

use super::{print, Exit};
use blockyard_waves::write_views;
use clap::Args;
use miette::{miette, Result};
use std::path::PathBuf;

/// Arguments of `wave`.
#[derive(Debug, Args)]
pub struct WaveArgs {
    /// The dump
    #[arg(value_name = "F.vcd")]
    dump: PathBuf,
}

/// Writes the views beside the dump and prints their paths.
///
/// # Errors
/// When the dump cannot be read, or the folder not be written to.
pub fn main(args: &WaveArgs) -> Result<Exit> {
    let written = write_views(&args.dump).map_err(|error| miette!("{error}"))?;
    for path in written {
        print(&format!("{}\n", path.display()));
    }
    Ok(Exit::Fine)
}
