//! What the regression runs.

mod random;
mod reach;
mod replays;
mod schedulers;
mod workloads;

use super::{Case, CaseContext, Outcome, Suite, Verdict};
use crate::engine::Mismatch;
use crate::mismatch::{self, Made, Repeatable};
use crate::regress::StopFlag;

/// All suites: `quick` is the default one.
pub fn suites() -> Vec<Suite> {
    vec![
        Suite {
            name: "quick".to_owned(),
            description: "every scheduler in lockstep on every workload, every module in Icarus, \
                          in three minutes; the default"
                .to_owned(),
            cases: cases(QUICK),
        },
        Suite {
            name: "full".to_owned(),
            description:
                "each with every number of SMXs, density, preset and launch mode, longer; \
                          every configuration in Icarus, Verilator and Yosys"
                    .to_owned(),
            cases: cases(FULL),
        },
        Suite {
            name: "reach".to_owned(),
            description: "every scheduler, gate and launch mode in random lockstep on twelve \
                          numbers of SMXs from 1 to 144, 200,000 cycles each"
                .to_owned(),
            cases: reach::cases(),
        },
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
    /// Cycles of each trace that is replayed.
    replay_cycles: usize,
}

const QUICK: Extent =
    Extent { whole: false, random_cycles: 48_000, graph_scale: 9, replay_cycles: 1_000 };

const FULL: Extent =
    Extent { whole: true, random_cycles: 240_000, graph_scale: 13, replay_cycles: 20_000 };

fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = random::cases(extent);
    cases.extend(workloads::cases(extent));
    cases.extend(replays::cases(extent));
    cases
}

/// The failure of a case whose engines differ, after `cycles` before the run that found it; with its
/// report. `part` says which part of the case that run is, where it is not all of it.
fn differs(
    context: &CaseContext<'_>,
    run: &dyn Repeatable,
    found: &Mismatch,
    cycles: u64,
    part: Option<&str>,
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
        *message += &part.map_or(String::new(), |part| format!("\n{part}"));
        match written {
            Ok(written) => *artefacts = written.files,
            Err(error) => *message += &format!("\nno report: {error}"),
        }
    }
    outcome
}
