//! Random search and successive halving.

use super::candidates::{candidates, Axes, Candidate, Storage};
use super::{Method, Search};
use crate::regress::StopFlag;
use crate::study::figures::rounded;
use crate::study::plan::Plan;
use crate::study::row::Row;
use miette::{miette, Result};
use rand::seq::SliceRandom;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// A candidate that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// Its values.
    pub axes: Axes,
    /// The cases that it ran.
    pub cases: usize,
    /// Its goal: the geometric mean over these cases, or the plain one where a value is not above 0. None if
    /// a run failed.
    pub score: Option<f64>,
    /// The most bits that its hardware stores, where there is a limit.
    pub storage_bits: Option<u64>,
}

/// A candidate that is still in the race.
struct Racer {
    candidate: Candidate,
    tried: Tried,
}

impl Search {
    /// Tries candidates of `plan` by `make`, which makes runs, and `row`, which has those that are
    /// finished: the best one first, or the first as far as it came when `stop` is raised.
    ///
    /// # Errors
    /// No candidate that is small enough, no run that has the goal, or an error of `make`.
    pub fn run(
        &self,
        plan: &Plan,
        row: &dyn Fn(usize) -> Option<Row>,
        make: &dyn Fn(&[usize]) -> Result<()>,
        stop: &StopFlag,
    ) -> Result<Vec<Tried>> {
        let (mut drawn, others) = candidates(self, plan);
        drawn.shuffle(&mut Pcg64Mcg::seed_from_u64(self.seed));
        let mut racing = self.admitted(drawn, plan)?;
        make(&others)?;
        let all = racing.iter().map(|racer| racer.candidate.runs.len()).max().unwrap_or(0);
        let mut cases = match self.method {
            Method::Random => all,
            Method::Halving => 1,
        };
        let mut tried = Vec::new();
        loop {
            let runs = |racer: &Racer| racer.candidate.runs.iter().take(cases).copied().collect();
            let wanted: Vec<usize> =
                racing.iter().flat_map(|r| -> Vec<usize> { runs(r) }).collect();
            make(&wanted)?;
            for racer in &mut racing {
                let rows: Vec<Row> = runs(racer).into_iter().filter_map(row).collect();
                racer.tried.cases = rows.len();
                racer.tried.score = self.score(&rows);
            }
            if racing.iter().all(|racer| racer.tried.score.is_none()) && !stop.is_raised() {
                return Err(miette!(
                    help =
                        "goal is a figure of docs/statistics.md; table.csv has those of the runs",
                    "no run of the search has the figure `{}`",
                    self.goal
                ));
            }
            // The better first, and of equal ones those that were drawn first.
            racing.sort_by(|a, b| self.order(&a.tried).total_cmp(&self.order(&b.tried)));
            if cases >= all || stop.is_raised() {
                break;
            }
            let left = racing.split_off(racing.len().div_ceil(2));
            tried.splice(0..0, left.into_iter().map(|racer| racer.tried));
            cases = if racing.len() == 1 { all } else { (2 * cases).min(all) };
        }
        tried.splice(0..0, racing.into_iter().map(|racer| racer.tried));
        Ok(tried)
    }

    /// As many of `drawn` as the budget allows, of those whose hardware is small enough.
    fn admitted(&self, drawn: Vec<Candidate>, plan: &Plan) -> Result<Vec<Racer>> {
        let mut storage = Storage::default();
        let mut admitted = Vec::new();
        for candidate in drawn {
            if admitted.len() as u64 == self.budget {
                break;
            }
            let mut storage_bits = None;
            if let Some(most) = self.max_storage_bits {
                storage_bits = storage.of(&candidate, &plan.runs);
                if storage_bits.is_none_or(|bits| bits > most) {
                    continue;
                }
            }
            let axes = candidate.axes.clone();
            let tried = Tried { axes, cases: 0, score: None, storage_bits };
            admitted.push(Racer { candidate, tried });
        }
        match (admitted.is_empty(), self.max_storage_bits) {
            (true, Some(most)) => Err(miette!(
                help = "set a larger max_storage_bits; `blockyard budget` has what is stored",
                "the hardware of no candidate stores {most} bits or less"
            )),
            (true, None) => Err(miette!(
                help = "the axes of a search are some of those of the study",
                "no point of the study lies on the axes of the search"
            )),
            (false, _) => Ok(admitted),
        }
    }

    fn score(&self, rows: &[Row]) -> Option<f64> {
        let values: Option<Vec<f64>> =
            rows.iter().map(|row| row.figures.get(&self.goal).copied()).collect();
        let values = values.filter(|values| !values.is_empty())?;
        let mean = |of: &dyn Fn(f64) -> f64| {
            values.iter().map(|&value| of(value)).sum::<f64>() / values.len() as f64
        };
        Some(rounded(match values.iter().all(|&value| value > 0.0) {
            true => mean(&f64::ln).exp(),
            false => mean(&|value| value),
        }))
    }

    /// Less is better.
    fn order(&self, tried: &Tried) -> f64 {
        match tried.score {
            None => f64::INFINITY,
            Some(score) if self.maximise => -score,
            Some(score) => score,
        }
    }
}
