//! `blockyard run --functional`: what kernels compute, without a GPU's timing.

use super::run::write_products;
use super::{complain, print, Exit};
use crate::session::{Session, Workload};
use blockyard_ptx::functional;
use miette::{miette, Result};

/// Runs `session`'s workload block after block, prints what threads print and the counts, writes what
/// is to be written.
///
/// # Errors
/// When the workload has no code, or a thread cannot go on.
pub fn run(session: &Session) -> Result<Exit> {
    if let Some(what) = without_code(&session.workload) {
        return Err(miette!(
            help = "use --scheduler and --gpu: these blocks only take time",
            "--functional does nothing with {what}, whose blocks have no instructions"
        ));
    }
    let mut program = session.program()?;
    let result = functional::run(&mut *program, &mut |_| {});
    let verified = result.is_ok().then(|| program.verify());
    let products = program.products();
    print(&products.printed)?;
    let counts = result?;
    write_products(&products)?;
    let mut text = String::new();
    for (what, count) in [
        ("kernels", counts.kernels),
        ("blocks", counts.blocks),
        ("warp instructions", counts.warp_instructions),
        ("thread instructions", counts.thread_instructions),
    ] {
        text += &format!("{what:<20} {count}\n");
    }
    print(&text)?;
    match verified {
        Some(Err(wrong)) => {
            complain(&wrong);
            Ok(Exit::CheckFailed)
        }
        _ => Ok(Exit::Fine),
    }
}

/// What it is, if its blocks have stated durations.
fn without_code(workload: &Workload) -> Option<&'static str> {
    match workload {
        Workload::Scenario(_) => Some("a scenario"),
        Workload::Erc(_) => Some("kernels of ERCBench"),
        _ => None,
    }
}
