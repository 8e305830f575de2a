//! Pairs of kernels by duration as effects.

use super::durations::{PairRow, Results, Row, Rows};
use super::stated::{at_offset, PaperRow};
use super::TIMES;
use crate::reproduce::effect::Effect;
use blockyard_sim::stats::Multiprogram;

/// A figure of a pair, or of their mean: its name, ours, and the paper's.
type Figure = (&'static str, fn(&Multiprogram) -> f64, fn(&PaperRow) -> Option<f64>);

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
        effects.extend(of_table(at_offset(*offset), *offset, rows, &results.pairs));
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

#[cfg(test)]
mod tests {
    use super::super::durations::{Alone, Beside, Predictions};
    use super::*;
    use crate::reproduce::effect::MEAN;
    use blockyard_sim::erc::Figures;

    fn pair(offset: u32, slowdowns: [f64; 2]) -> PairRow {
        let metrics = Multiprogram::of(&slowdowns).expect("two programs");
        let figures = Figures { slowdowns, metrics };
        PairRow { offset, scheduler: "srtf", first: "A", second: "B", figures }
    }

    fn rows(stp: f64) -> Rows {
        let ours = Multiprogram { stp, antt: 1.5, fairness: 0.5 };
        let paper = PaperRow { stp: Some(1.59), antt: None, fairness: Some(0.52) };
        vec![("srtf", Row { ours, paper })]
    }

    #[test]
    fn each_table_has_its_own_pairs_and_then_their_mean_beside_the_papers() {
        let results = Results {
            table5: rows(1.4),
            table6: vec![(25, rows(1.6)), (50, rows(1.7))],
            section2: vec![("sjf", Beside { ours: 1.8, paper: 1.82 })],
            jpeg_behind_ray: Beside { ours: 17.0, paper: 17.76 },
            alone: vec![Alone { name: "A".to_owned(), cycles: 900, paper: 1_000 }],
            predictions: Predictions { single_sim: None, mpmax_sliced: None, mpmax_unsliced: None },
            pairs: vec![pair(0, [2.0, 4.0]), pair(25, [1.0, 2.0])],
            effects: Vec::new(),
        };
        let effects = effects(&results);
        let of = |figure: &str, what: &str| -> Vec<(String, Option<f64>, Option<f64>)> {
            let own = effects.iter().filter(|own| (own.figure, own.what) == (figure, what));
            own.map(|own| (own.benchmark.clone(), own.ours, own.paper)).collect()
        };
        let mean = |ours, paper| (MEAN.to_owned(), Some(ours), paper);
        // Half and a quarter of the speed alone; all of it and a half.
        let [zero, quarter] = [0.75, 1.5].map(|stp| ("A+B".to_owned(), Some(stp), None));
        assert_eq!(of("Table 5", "STP"), [zero, mean(1.4, Some(1.59))]);
        assert_eq!(of("Table 6, 25 %", "STP"), [quarter, mean(1.6, Some(1.59))]);
        assert_eq!(of("Table 6, 50 %", "ANTT"), [mean(1.5, None)]);
        assert_eq!(of("Section 2", "STP"), [mean(1.8, Some(1.82))]);
        assert_eq!(of("Table 3", "run time alone"), [("A".to_owned(), Some(900.0), Some(1e3))]);
        assert_eq!(of("Section 6.2.2", "slowdown of the second").len(), 1);
    }
}
