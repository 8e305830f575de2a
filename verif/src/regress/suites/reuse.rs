//! IKRA: random traffic whose kernels come again, and the workloads that every scheduler runs.

use super::{bfs, random, scenarios, session, Case, Extent, Intensity, LaunchMode, Workload};
use std::rc::Rc;

/// The schedulers with their parameters: queues that are always full, messages that take long.
const SCHEDULERS: [&str; 11] = [
    "rr(start=last-finished)",
    "ikra/chunk",
    "ikra/reset",
    "ikra/flip",
    "ikra/steal",
    "ikra/steal(queue=2,latency=1)",
    "ikra/steal(queue=2,latency=16)",
    "ikra/steal(queue=2,latency=0,full=stop)",
    "ikra/steal(queue=4,latency=5,full=stop)",
    "ikra/steal(relations=on)",
    "ikra/steal(queue=2,latency=3,relations=on)",
];

/// The schedulers of kernels that launch kernels; queues of two are always told to forget.
const NESTED: [&str; 4] = [
    "ikra/steal(nesting=2)",
    "ikra/steal(nesting=4)",
    "ikra/steal(queue=2,nesting=2)",
    "ikra/steal(queue=2,nesting=4)",
];

/// Numbers of SMXs: one, a few, the paper's 15, and its neighbour.
const SMX_COUNTS: [usize; 5] = [1, 3, 4, 15, 16];

/// See the module.
pub fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    let flat = SCHEDULERS.map(|scheduler| (scheduler, LaunchMode::Flat));
    let nested = NESTED.map(|scheduler| (scheduler, LaunchMode::Cdp));
    for (scheduler, launch) in flat.into_iter().chain(nested) {
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
                let weight = cycles * smx as u64 / 5_000 + 1;
                let id = format!("ikra/{scheduler}/n{smx}/{density}");
                cases.push(Case::new(id, weight as u32, move |context| {
                    random(context, scheduler, (launch, 1), smx, intensity, cycles)
                }));
            }
        }
    }
    for scheduler in &SCHEDULERS[..5] {
        for scenario in scenarios::names() {
            let id = format!("scenario/{scenario}/{scheduler}");
            cases.push(Case::new(id, 1, move |context| {
                session(context, scheduler, LaunchMode::Flat, "c2050", |_| {
                    Ok(Workload::Scenario(Rc::new(scenarios::load(scenario)?)))
                })
            }));
        }
        for preset in ["k20c", "denovo15"] {
            let id = format!("bfs/rmat/{preset}/{scheduler}");
            cases.push(Case::new(id, 1 << (extent.graph_scale - 8), move |context| {
                let seed = context.seed;
                session(context, scheduler, LaunchMode::Flat, preset, move |_| {
                    bfs("rmat", extent.graph_scale, seed)
                })
            }));
        }
    }
    cases
}
