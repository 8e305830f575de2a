//! `blockyard run --functional`: what kernels compute, without a GPU's timing.

use super::instruments::Watched;
use super::outputs::write_products;
use super::settings::GpuArgs;
use super::{complain, print, Exit};
use crate::regress::StopFlag;
use blockyard_ptx::functional::{self, Counts, Ended};
use blockyard_sim::workload::trace::Record;
use miette::{miette, Result};
use std::ops::ControlFlow;

/// Refuses to set keys of a GPU, which is not there.
///
/// # Errors
/// The first of them.
pub fn check(args: &GpuArgs) -> Result<()> {
    for setting in &args.set {
        let alone = GpuArgs { gpu: args.gpu.clone(), set: vec![setting.clone()] };
        if alone.preset()?.1.keys.is_empty() {
            return Err(miette!(
                help = "leave it out: instructions are executed without a GPU and its scheduler",
                "`--set {setting}` does nothing with --functional"
            ));
        }
    }
    Ok(())
}

/// Runs the watched program block after block until `stop` is raised, prints what threads print and
/// the counts, writes what is to be written; no counts if `quiet`.
///
/// # Errors
/// When a thread cannot go on, or something cannot be written.
pub fn run(watched: Watched, stop: &StopFlag, quiet: bool) -> Result<Exit> {
    let Watched { mut program, record } = watched;
    let result = functional::run_while(&mut *program, &mut |_| match stop.is_raised() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    let verified = matches!(result, Ok(Ended::Whole(_))).then(|| program.verify());
    let products = program.products();
    print(&products.printed)?;
    let counts = match result? {
        Ended::Whole(counts) => counts,
        Ended::Stopped(Counts { warp_instructions, .. }) => {
            complain(&format!("stopped after {warp_instructions} warp instructions"));
            return Ok(Exit::Interrupted);
        }
    };
    record.map_or(Ok(()), Record::finish)?;
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
    if !quiet {
        print(&text)?;
    }
    match verified {
        Some(Err(wrong)) => {
            complain(&wrong);
            Ok(Exit::CheckFailed)
        }
        _ => Ok(Exit::Fine),
    }
}
