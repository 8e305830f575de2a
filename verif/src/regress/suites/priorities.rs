//! LaPerm: random traffic in every way of binding, and the graph workloads with dynamic expansion.

use super::{random, session, Case, Extent, Intensity, LaunchMode};

/// Ways of binding with their parameters, and the numbers of SMXs for which they are run.
const SCHEDULERS: [(&str, &[usize]); 12] = [
    ("laperm/tb-pri(levels=1,entries=2)", &[1, 13]),
    ("laperm/tb-pri(levels=8,entries=1,queue=shifting)", &[4, 16]),
    ("laperm/tb-pri", &[13]),
    ("laperm/smx-bind(levels=2,entries=2)", &[4, 13]),
    ("laperm/smx-bind(levels=8,entries=2,queue=shifting)", &[1, 16]),
    ("laperm/smx-bind(cluster=2,entries=2)", &[4, 13]),
    ("laperm/adaptive-bind(entries=2)", &[4, 16]),
    ("laperm/adaptive-bind(levels=3,entries=4,queue=shifting)", &[1, 13]),
    ("laperm/adaptive-bind(cluster=2,levels=6,entries=2)", &[13, 16]),
    ("laperm/adaptive-bind", &[13]),
    ("laperm/tb-pri(entries=2)+claso", &[4]),
    ("laperm/adaptive-bind(entries=2)+claso", &[13]),
];

/// See the module.
pub fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, launch) in [("cdp", LaunchMode::Cdp), ("dtbl", LaunchMode::Dtbl)] {
        for (scheduler, counts) in SCHEDULERS {
            for &smx in counts {
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
                    let id = format!("laperm/{name}/{scheduler}/n{smx}/{density}");
                    cases.push(Case::new(id, weight as u32, move |context| {
                        random(context, scheduler, (launch, 1024), smx, intensity, cycles)
                    }));
                }
            }
        }
        for scheduler in ["laperm/tb-pri", "laperm/smx-bind", "laperm/adaptive-bind"] {
            for workload in ["bfs", "sssp", "clr"] {
                let id = format!("laperm/{workload}/{name}/{scheduler}");
                cases.push(Case::new(id, 1 << (extent.graph_scale - 8), move |context| {
                    let seed = context.seed;
                    session(context, scheduler, launch, "k20c", move |_| {
                        super::launches::expansion(workload, extent.graph_scale, seed)
                    })
                }));
            }
        }
    }
    cases
}
