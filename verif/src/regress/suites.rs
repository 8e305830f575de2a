//! What the regression runs.

mod few;
mod mutants;
mod particular;
mod proofs;
mod random;
mod reach;
mod replays;
mod schedulers;
mod soak;
mod workloads;

pub use few::{few, few_of_each_kind, Few};
pub use soak::Draws;

use super::{Case, CaseContext, Outcome, Suite, Verdict};
use crate::engine::Mismatch;
use crate::mismatch::{self, Made, Part, Repeatable};
use crate::regress::StopFlag;
use crate::replay::ToolStatus;

/// All suites: `quick` is the default one.
pub fn suites() -> Vec<Suite> {
    vec![
        Suite::new(
            "quick",
            "every scheduler in lockstep on every workload, every module in Icarus, short proofs, \
             in about three minutes; the default",
            || cases(QUICK),
        ),
        Suite::new(
            "full",
            "each with every number of SMXs, density, preset and launch mode, longer; every \
             configuration in Icarus, Verilator and Yosys; all proofs, and faults in the hardware",
            || cases(FULL),
        ),
        Suite::new(
            "reach",
            "every scheduler, gate and launch mode in random lockstep on twelve numbers of SMXs \
             from 1 to 144, 200,000 cycles each",
            reach::cases,
        ),
    ]
}

/// How much a suite does.
#[derive(Clone, Copy)]
struct Extent {
    /// Whether all is combined with all; otherwise each of it is met, and no more.
    whole: bool,
    /// Cycles of each case of random lockstep on a few SMXs; it is less on many.
    random_cycles: u64,
    /// Logarithm of the number of vertices of the generated graphs.
    graph_scale: u32,
    /// The same for colouring, which goes over all of them again and again.
    colouring_scale: u32,
    /// Of a workload's second run the cycle from which on quiet ones are skipped; `None`: none is.
    skip_from: Option<u64>,
    /// Cycles of each trace that is replayed.
    replay_cycles: usize,
}

const QUICK: Extent = Extent {
    whole: false,
    random_cycles: 48_000,
    graph_scale: 8,
    colouring_scale: 5,
    skip_from: Some(50_000),
    replay_cycles: 300,
};

const FULL: Extent = Extent {
    whole: true,
    random_cycles: 240_000,
    graph_scale: 13,
    colouring_scale: 9,
    skip_from: None,
    replay_cycles: 20_000,
};

fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = random::cases(extent);
    cases.extend(particular::cases(extent));
    cases.extend(workloads::cases(extent));
    cases.extend(replays::cases(extent));
    cases.extend(proofs::cases(extent));
    cases.extend(mutants::cases(extent));
    cases
}

/// How a case ends without a tool that it needs, if the tool is not there.
fn without(status: &ToolStatus) -> Option<Outcome> {
    let message = status.message()?;
    Some(match status {
        ToolStatus::Skipped(_) => Outcome::skipped(message.trim_start_matches("skipped: ")),
        _ => Outcome::failed(message, 0),
    })
}

/// The failure of a case whose engines differ, after `cycles` before the run that found it; with
/// its report. `part` says which part of the case that run is, where it is not all of it.
fn differs(
    context: &CaseContext<'_>,
    run: &dyn Repeatable,
    found: &Mismatch,
    cycles: u64,
    part: Option<&Part>,
) -> Outcome {
    let port = found.difference.port.split('[').next().unwrap_or_default();
    let text = format!("mismatch on {port}\ncycle {}: {}", found.cycle, found.difference);
    let mut outcome = Outcome::failed(text, cycles + found.cycle + 1);
    let made = Made { command: &context.command, run: None, part };
    let written = context.make_out().map_err(|error| error.to_string()).and_then(|folder| {
        // Whoever stops the run still wants the report of what it has found.
        let report = mismatch::report(run, found, folder, &made, &StopFlag::new());
        report.map_err(|error| error.to_string())
    });
    if let Verdict::Failed { message, artefacts, .. } = &mut outcome.verdict {
        if let Some(Part { name, command }) = part {
            *message += &format!("\n{name}\nalone: {command}");
        }
        match written {
            Ok(written) => *artefacts = written.files,
            Err(error) => *message += &format!("\nno report: {error}"),
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_lockstep::{RandomFailure, RandomLockstep};
    use crate::session::Engine;
    use crate::traffic::Intensity;
    use crate::traffic_run::TrafficRun;
    use blockyard_sim::port::{LaunchMode, SmxLimits};
    use blockyard_sim::sched::Fault;
    use std::cell::Cell;

    #[test]
    fn a_mismatch_on_random_traffic_leaves_a_waveform_and_names_its_part() {
        let limits =
            SmxLimits { threads: 64, registers: 64, shared_memory: 64, thread_block_slots: 4 };
        let run = TrafficRun {
            random: RandomLockstep {
                composition: "rr".parse().expect("a scheduler"),
                plan: 2.into(),
                limits,
                launch: LaunchMode::Flat,
                storage: 1.into(),
                intensity: Intensity::DENSE,
                seed: 1,
                cycles: 4_000,
            },
            engine: Engine::Lockstep,
            faults: vec![Fault::LostCompletion { smx: 1, cycle: 100 }],
        };
        let Err(RandomFailure::Mismatch(found)) = run.run(None, &StopFlag::new(), None) else {
            panic!("the twin misses a completion")
        };
        let folder = tempfile::tempdir().expect("a folder");
        let context = CaseContext {
            seed: 1,
            out: folder.path().join("case"),
            shared: folder.path().join("shared"),
            command: "blockyard regress quick --filter it".to_owned(),
            cycles: Cell::new(0),
            stop: &StopFlag::new(),
        };
        let part = Part { name: "stretch 2".to_owned(), command: "blockyard run".to_owned() };
        let outcome = differs(&context, &run, &found, 16_000, Some(&part));
        assert_eq!(outcome.cycles, 16_000 + found.cycle + 1);
        let Verdict::Failed { message, artefacts, .. } = outcome.verdict else { panic!("failed") };
        let cause = message.lines().next().expect("a cause");
        assert!(cause.starts_with("mismatch on ") && !cause.contains(char::is_numeric), "{cause}");
        assert!(message.ends_with("\nstretch 2\nalone: blockyard run"), "{message}");
        for name in ["mismatch.vcd", "mismatch.gtkw", "mismatch.txt"] {
            assert!(artefacts.contains(&folder.path().join("case").join(name)), "{artefacts:?}");
        }
        let text = std::fs::read_to_string(folder.path().join("case/mismatch.txt")).expect("it");
        for line in [
            "  part      stretch 2",
            "  alone     blockyard run",
            "  repeat    blockyard regress quick --filter it",
        ] {
            assert!(text.lines().any(|found| found == line), "no `{line}`: {text}");
        }
    }
}
