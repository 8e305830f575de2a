//! SRTF: random traffic of kernels that run at once, and the scenarios.

use super::{random, scenarios, session, Case, Extent, Intensity, LaunchMode, Workload};
use std::rc::Rc;

/// The schedulers with their parameters: several blocks a sample, sharing always or never far away.
const SCHEDULERS: [&str; 6] = [
    "mpmax",
    "srtf",
    "srtf(sample=3)",
    "srtf/adaptive",
    "srtf/adaptive(limit=1,threshold=0)",
    "srtf/adaptive(sample=2,limit=2,threshold=20)",
];

/// Numbers of SMXs: one, a few, the paper's 15, and its neighbour.
const SMX_COUNTS: [usize; 6] = [1, 3, 4, 13, 15, 16];

/// See the module.
pub fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    for scheduler in SCHEDULERS {
        for smx in SMX_COUNTS {
            for (density, intensity) in [
                ("dense", Intensity::DENSE),
                ("mixed", Intensity::MIXED),
                ("sparse", Intensity::SPARSE),
            ] {
                // There are many of them: the quick suite runs a quarter of its cycles.
                let cycles = match extent.full_replay {
                    true => extent.random_cycles,
                    false => extent.random_cycles / 4,
                };
                let weight = cycles * smx as u64 / 2_000 + 1;
                let id = format!("srtf/{scheduler}/n{smx}/{density}");
                cases.push(Case::new(id, weight as u32, move |context| {
                    random(context, scheduler, (LaunchMode::Flat, 1), smx, intensity, cycles)
                }));
            }
        }
    }
    for scheduler in ["mpmax", "srtf", "srtf/adaptive"] {
        for scenario in scenarios::names() {
            let id = format!("scenario/{scenario}/{scheduler}");
            cases.push(Case::new(id, 1, move |context| {
                session(context, scheduler, LaunchMode::Flat, "gtx480", |_| {
                    Ok(Workload::Scenario(Rc::new(scenarios::load(scenario)?)))
                })
            }));
        }
    }
    cases
}
