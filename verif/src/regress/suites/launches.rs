//! Launches from the device: random traffic, and the graph workloads with dynamic expansion.

use super::{graph, random, session, Case, Extent, Intensity, LaunchMode};
use crate::session::Workload;
use blockyard_sim::workload::bfs::BfsOptions;
use blockyard_sim::workload::clr::ClrOptions;
use blockyard_sim::workload::sssp::SsspOptions;

/// The schedulers that have hardware for launches.
const SCHEDULERS: [&str; 3] = ["rr", "rr+claso", "rr+claso(pa=2,pl=1)"];

/// How launches arrive, and how many entries the Aggregated Group Table has: one, few, the paper's.
const LAUNCHES: [(&str, LaunchMode, u32); 4] = [
    ("cdp", LaunchMode::Cdp, 1),
    ("dtbl1", LaunchMode::Dtbl, 1),
    ("dtbl8", LaunchMode::Dtbl, 8),
    ("dtbl1024", LaunchMode::Dtbl, 1024),
];

const SMX_COUNTS: [usize; 4] = [1, 3, 13, 32];

/// See the module.
pub fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    for scheduler in SCHEDULERS {
        for (name, launch, table) in LAUNCHES {
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
                    let id = format!("launches/{name}/{scheduler}/n{smx}/{density}");
                    cases.push(Case::new(id, weight as u32, move |context| {
                        random(context, scheduler, (launch, table), smx, intensity, cycles)
                    }));
                }
            }
        }
        for (name, launch) in [("cdp", LaunchMode::Cdp), ("dtbl", LaunchMode::Dtbl)] {
            for workload in ["bfs", "sssp", "clr"] {
                let id = format!("launches/{workload}/{name}/{scheduler}");
                cases.push(Case::new(id, 1 << (extent.graph_scale - 8), move |context| {
                    let seed = context.seed;
                    session(context, scheduler, launch, "k20c", move |_| {
                        expansion(workload, extent.graph_scale, seed)
                    })
                }));
            }
        }
    }
    cases
}

/// A graph workload with dynamic expansion, on a generated graph.
pub(super) fn expansion(name: &str, scale: u32, seed: u64) -> Result<Workload, super::InputError> {
    let csr = graph("rmat", scale, seed)?;
    Ok(match name {
        "bfs" => Workload::Bfs { csr, options: BfsOptions::default() },
        "sssp" => Workload::Sssp { csr, options: SsspOptions::default() },
        _ => Workload::Clr { csr, options: ClrOptions::default() },
    })
}
