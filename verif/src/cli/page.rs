//! `blockyard page`, and what all commands do with a page.

use super::{command_line, outputs, print, Exit};
use crate::page::blocks::{self, Cycles};
use crate::page::plot::png;
use crate::page::Page;
use blockyard_sim::output;
use clap::{Args, Subcommand, ValueEnum};
use miette::{miette, Result};
use std::path::{Path, PathBuf};

/// Arguments of `page`.
#[derive(Debug, Args)]
pub struct PageArgs {
    #[command(subcommand)]
    of: Of,
}

#[derive(Debug, Subcommand)]
enum Of {
    /// Of the blocks of a run: occupancy of each SMX over time, and block by block
    Blocks(BlocksArgs),
}

/// Arguments of `page blocks`.
#[derive(Debug, Args)]
struct BlocksArgs {
    /// What `run --blocks` has written
    #[arg(value_name = "F.csv")]
    file: PathBuf,
    /// The page [default: the file's name with .html]
    #[arg(long, value_name = "F.html")]
    out: Option<PathBuf>,
    /// First cycle that is drawn block by block
    #[arg(long, value_name = "C")]
    from: Option<u64>,
    /// The cycle behind the last one that is drawn block by block
    #[arg(long, value_name = "C")]
    to: Option<u64>,
    #[command(flatten)]
    plots: PlotArgs,
}

/// Which plots are written as files.
#[derive(Debug, Args)]
pub struct PlotArgs {
    /// Also write each plot as a file of its own into this folder
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// As what
    #[arg(long, value_enum, value_delimiter = ',', requires = "plots", default_value = "svg")]
    format: Vec<Format>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Svg,
    Png,
}

/// Makes a page of a file.
///
/// # Errors
/// When it is none of those, or something cannot be written.
pub fn main(args: &PageArgs) -> Result<Exit> {
    let Of::Blocks(args) = &args.of;
    if let (Some(from), Some(to)) = (args.from, args.to) {
        if from >= to {
            return Err(miette!(
                help = "expected --from below --to",
                "there are no cycles from {from} to {to}"
            ));
        }
    }
    let stays = blocks::read(&args.file)?;
    let name = args.file.file_stem().unwrap_or_default().to_string_lossy();
    let cycles = Cycles { from: args.from, to: args.to };
    blocks::check(&stays, cycles)?;
    let page = blocks::page(&name, &stays, cycles, &command_line());
    let path = args.out.clone().unwrap_or_else(|| args.file.with_extension("html"));
    let read = outputs::named("F.csv", Some(&args.file));
    outputs::check(outputs::named("--out", Some(&path)).as_slice(), read.as_slice())?;
    write(&page, &path, &args.plots)
}

/// Writes a page and, if asked for, its plots; prints the files.
///
/// # Errors
/// The first that cannot be written.
pub fn write(page: &Page, path: &Path, plots: &PlotArgs) -> Result<Exit> {
    if let Some(folder) = &plots.plots {
        std::fs::create_dir_all(folder).map_err(|error| output::unwritable(folder, &error))?;
    }
    save(path, page.html().as_bytes())?;
    let Some(folder) = &plots.plots else { return Ok(Exit::Fine) };
    let mut names: Vec<String> = Vec::new();
    for plot in page.plots() {
        let mut name = plot.name();
        // Two plots of a page may have one title.
        let same = names.iter().filter(|other| **other == name).count();
        names.push(name.clone());
        if same > 0 {
            name += &format!("-{}", same + 1);
        }
        if plots.format.contains(&Format::Svg) {
            save(&folder.join(format!("{name}.svg")), plot.svg().as_bytes())?;
        }
        if plots.format.contains(&Format::Png) {
            save(&folder.join(format!("{name}.png")), &png::png(plot)?)?;
        }
    }
    Ok(Exit::Fine)
}

fn save(path: &Path, bytes: &[u8]) -> Result<()> {
    output::write_file(path, |file| file.write_all(bytes))?;
    print(&format!("{}\n", path.display()))
}
