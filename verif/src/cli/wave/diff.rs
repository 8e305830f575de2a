//! `blockyard wave diff`.

use super::super::number::{count, whole};
use super::super::{print, Exit};
use super::{cycles, open, Selection};
use blockyard_waves::diff;
use clap::Args;
use miette::{miette, Result};
use std::path::PathBuf;

/// Arguments of `wave diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// A dump
    #[arg(value_name = "A.vcd")]
    left: PathBuf,
    /// Another one
    #[arg(value_name = "B.vcd")]
    right: PathBuf,
    /// First cycle to compare [default: the first one that both have]
    #[arg(long, value_name = "C", value_parser = whole)]
    from: Option<u64>,
    /// Last cycle to compare [default: the last one that both have]
    #[arg(long, value_name = "C", value_parser = whole)]
    to: Option<u64>,
    /// Compare only signals whose path matches; may be repeated
    #[arg(long, value_name = "GLOB")]
    signals: Vec<String>,
    /// Leave out signals that only one of the two has
    #[arg(long)]
    common: bool,
    /// Most differences to print
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count)]
    most: usize,
}

/// Prints the first differences by cycle; none is status 0, any is status 1.
///
/// # Errors
/// When a dump cannot be read, or nothing is left to compare.
pub fn main(args: &DiffArgs) -> Result<Exit> {
    let selection = Selection::new(&args.signals)?;
    let (left, right) = (open(&args.left)?, open(&args.right)?);
    let (ours, theirs) = (left.paths(), right.paths());
    let compared = |path: &str| {
        selection.takes(path) && (!args.common || (ours.contains(path) && theirs.contains(path)))
    };
    let signals = ours.union(&theirs).filter(|path| compared(path)).count();
    if signals == 0 {
        return Err(miette!(
            help = "`blockyard wave show F --around C` prints paths",
            "there is no signal to compare"
        ));
    }
    let ((from, to), (also_from, also_to)) = (cycles(&left), cycles(&right));
    let both = from.max(also_from)..=to.min(also_to);
    let from = args.from.unwrap_or(0).max(*both.start());
    let to = args.to.unwrap_or(u64::MAX).min(*both.end());
    if from > to {
        return Err(miette!(
            help = format!("both have cycles {} to {}", both.start(), both.end()),
            "there is no cycle to compare"
        ));
    }
    let found = diff(&left, &right, from..=to, args.most.max(1), compared);
    let Some(first) = found.first() else {
        print(&format!("no difference: {signals} signals in cycles {from} to {to}\n"))?;
        return Ok(Exit::Fine);
    };
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "absent".to_owned());
    print(&format!("first difference: {} in cycle {}\n", first.path, first.cycle))?;
    print(&format!("cycle  signal  {}  {}\n", args.left.display(), args.right.display()))?;
    for difference in found.iter().take(args.most) {
        let (ours, theirs) = (value(&difference.left), value(&difference.right));
        print(&format!("{}  {}  {ours}  {theirs}\n", difference.cycle, difference.path))?;
    }
    Ok(Exit::CheckFailed)
}
