//! The exported Verilog in other simulators.
//!
//! The full suite does every check of every configuration in the catalog. The quick one replays in
//! Icarus what Icarus replays, the small configurations and each module's first, and lints the
//! first.

use super::Extent;
use crate::regress::{Case, Outcome};
use crate::replay::{self, Check, ReplayCase, ReplayOutcome};

/// See the module.
pub fn cases(extent: Extent) -> impl Iterator<Item = Case> {
    let wanted = move |case: &ReplayCase| match case.check {
        _ if extent.whole => true,
        Check::Icarus => case.small,
        Check::Lint => case.first,
        Check::Verilator | Check::Yosys => false,
    };
    replay::cases().into_iter().filter(wanted).map(move |case| of(case, extent.replay_cycles))
}

fn of(case: ReplayCase, cycles: usize) -> Case {
    let (id, check) = (case.id.clone(), case.check);
    let run = Case::new(id, weight(check), move |context| {
        let folder = match context.make_out() {
            Ok(folder) => folder,
            Err(error) => return Outcome::failed(format!("no folder\n{error}"), 0),
        };
        match case.run(context.seed, cycles, folder, &context.shared.join("verilator")) {
            ReplayOutcome::Passed { cycles } => Outcome::passed(cycles as u64),
            ReplayOutcome::Skipped(reason) => {
                Outcome::skipped(reason.trim_start_matches("skipped: "))
            }
            ReplayOutcome::Failed { .. } if context.stop.is_raised() => Outcome::not_run(),
            ReplayOutcome::Failed { message, cycles } => Outcome::failed(message, cycles),
        }
    });
    match check {
        Check::Icarus | Check::Verilator => run.taking(cycles as u64),
        Check::Lint | Check::Yosys => run,
    }
}

fn weight(check: Check) -> u32 {
    match check {
        Check::Lint => 20,
        Check::Icarus => 40,
        Check::Yosys => 100,
        Check::Verilator => 400,
    }
}
