//! Ctrl-C during a run.

use crate::regress::StopFlag;
use miette::Result;

/// The flag that the first Ctrl-C raises, so that the run ends in an orderly way and its temporary
/// files go. The second one ends the process at once.
///
/// # Errors
/// When the operating system refuses a handler.
pub fn flag() -> Result<StopFlag> {
    Ok(StopFlag::on_ctrl_c(None)?)
}
