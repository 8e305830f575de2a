//! Ctrl-C during a run.

use crate::regress::StopFlag;
use miette::{miette, Result};

/// The flag that the first Ctrl-C raises, so that the run ends in an orderly way and its temporary
/// files go. The second one ends the process at once.
///
/// # Errors
/// When the operating system refuses a handler.
pub fn flag() -> Result<StopFlag> {
    let flag = StopFlag::new();
    let seen = flag.clone();
    // Not `try_set_handler`: it fails in background jobs, which start with the signal ignored.
    ctrlc::set_handler(move || {
        if seen.is_raised() {
            std::process::exit(130);
        }
        seen.raise();
    })
    .map_err(|error| miette!("cannot listen for Ctrl-C: {error}"))?;
    Ok(flag)
}
