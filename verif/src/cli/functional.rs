//! `blockyard run --functional`: what kernels compute, without a GPU's timing.

use super::instruments::Watched;
use super::run::write_products;
use super::{complain, print, Exit};
use blockyard_ptx::functional;
use blockyard_sim::workload::trace::Record;
use miette::Result;

/// Runs the watched program block after block, prints what threads print and the counts, writes what
/// is to be written.
///
/// # Errors
/// When a thread cannot go on, or something cannot be written.
pub fn run(watched: Watched) -> Result<Exit> {
    let Watched { mut program, record } = watched;
    let result = functional::run(&mut *program, &mut |_| {});
    let verified = result.is_ok().then(|| program.verify());
    let products = program.products();
    print(&products.printed)?;
    let counts = result?;
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
    print(&text)?;
    match verified {
        Some(Err(wrong)) => {
            complain(&wrong);
            Ok(Exit::CheckFailed)
        }
        _ => Ok(Exit::Fine),
    }
}
