//! Pairs of kernels as effects.

use super::{PairRow, PaperRow, Results, Row, Rows};
use crate::reproduce::effect::Effect;
use blockyard_sim::stats::Multiprogram;

/// A figure of a pair, or of their mean: its name, ours, and the paper's.
type Figure = (&'static str, fn(&Multiprogram) -> f64, fn(&PaperRow) -> Option<f64>);

/// The unit of everything but run times: by the kernel alone.
const TIMES: &str = "times";

const FIGURES: [Figure; 3] = [
    ("STP", |ours| ours.stp, |paper| paper.stp),
    ("ANTT", |ours| ours.antt, |paper| paper.antt),
    ("fairness", |ours| ours.fairness, |paper| paper.fairness),
];

/// Tables 5 and 6 with every pair and their geometric means, section 2, Table 3, and the slowdown
/// of section 6.2.2.
pub(super) fn effects(results: &Results) -> Vec<Effect> {
    let mut effects = of_table("Table 5", 0, &results.table5, &results.pairs);
    for (offset, rows) in &results.table6 {
        let figure = if *offset == 25 { "Table 6, 25 %" } else { "Table 6, 50 %" };
        effects.extend(of_table(figure, *offset, rows, &results.pairs));
    }
    for (policy, beside) in &results.section2 {
        let (paper, ours) = (Some(beside.paper), Some(beside.ours));
        effects.push(Effect { paper, ours, ..Effect::flat("Section 2", "STP", policy, TIMES) });
    }
    effects.extend(results.alone.iter().map(|alone| Effect {
        benchmark: alone.name.clone(),
        paper: Some(alone.paper as f64),
        ours: Some(alone.cycles as f64),
        ..Effect::flat("Table 3", "run time alone", "fifo", "cycles")
    }));
    effects.push(Effect {
        benchmark: "RayTracing+JPEG-d".to_owned(),
        paper: Some(results.jpeg_behind_ray.paper),
        ours: Some(results.jpeg_behind_ray.ours),
        ..Effect::flat("Section 6.2.2", "slowdown of the second", "fifo", TIMES)
    });
    effects
}

fn of_table(figure: &'static str, offset: u32, rows: &Rows, pairs: &[PairRow]) -> Vec<Effect> {
    let mut effects = Vec::new();
    for (what, ours_of, paper_of) in FIGURES {
        for (policy, Row { ours, paper }) in rows {
            let own = pairs.iter().filter(|p| p.offset == offset && p.scheduler == *policy);
            effects.extend(own.map(|pair| Effect {
                benchmark: format!("{}+{}", pair.first, pair.second),
                ours: Some(ours_of(&pair.figures.metrics)),
                ..Effect::flat(figure, what, policy, TIMES)
            }));
            let (paper, ours) = (paper_of(paper), Some(ours_of(ours)));
            effects.push(Effect { paper, ours, ..Effect::flat(figure, what, policy, TIMES) });
        }
    }
    effects
}
