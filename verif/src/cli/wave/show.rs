//! `blockyard wave show`.

use super::super::number::whole;
use super::super::{print, Exit};
use super::{cycles, open, report, Selection};
use blockyard_waves::{ascii, Dump};
use clap::Args;
use miette::{miette, Result};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Arguments of `wave show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The dump
    #[arg(value_name = "F.vcd")]
    dump: PathBuf,
    /// The cycle in the middle
    #[arg(long, value_name = "C", value_parser = whole)]
    around: u64,
    /// Cycles on either side of it
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole)]
    cycles: u64,
    /// Signals whose path matches, may be repeated; without it those that change
    #[arg(long, value_name = "GLOB")]
    signals: Vec<String>,
}

/// Prints a line a signal and a column a cycle.
///
/// # Errors
/// When the dump cannot be read, does not reach that cycle, or has no such signal.
pub fn main(args: &ShowArgs) -> Result<Exit> {
    let selection = Selection::new(&args.signals)?;
    let dump = open(&args.dump)?;
    let (first, last) = cycles(&dump);
    if !(first..=last).contains(&args.around) {
        return Err(miette!(
            "cycle {} is not in {}: expected {first} to {last}",
            args.around,
            args.dump.display()
        ));
    }
    let from = args.around.saturating_sub(args.cycles).max(first);
    let window = from..=args.around.saturating_add(args.cycles).min(last);
    let paths: Vec<&str> = dump
        .signals()
        .map(|signal| signal.path.as_str())
        .filter(|path| selection.takes(path))
        .filter(|path| !args.signals.is_empty() || changes(&dump, path, &window))
        .collect();
    if paths.is_empty() && !args.signals.is_empty() {
        return Err(miette!(
            help = "without --signals those that change are shown",
            "no signal of {} matches {}",
            args.dump.display(),
            args.signals.join(" or ")
        ));
    }
    print(&ascii(&dump, &paths, window).map_err(report)?)?;
    Ok(Exit::Fine)
}

/// Whether a signal has more than one value in these cycles.
fn changes(dump: &Dump, path: &str, window: &RangeInclusive<u64>) -> bool {
    let value = |cycle| dump.value(path, cycle).ok().flatten();
    let first = value(*window.start());
    window.clone().skip(1).any(|cycle| value(cycle) != first)
}
