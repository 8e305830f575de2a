//! Trying candidates: random search, successive halving, Bayesian search.

use super::admission::Admission;
use super::candidates::{candidates, Axes, Candidate};
use super::model::Model;
use super::{Method, Search};
use crate::regress::StopFlag;
use crate::study::axis::Axis;
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
    /// Its goal: the geometric mean over these cases, or the plain one where a value is not
    /// above 0. None if a run failed.
    pub score: Option<f64>,
    /// The most bits that its hardware stores, where there is a limit.
    pub storage_bits: Option<u64>,
}

/// Runs of a study, for a search.
pub struct Runs<'a> {
    /// All of them.
    pub plan: &'a Plan,
    /// The finished one at a place in the plan.
    pub row: &'a dyn Fn(usize) -> Option<Row>,
    /// Makes those at some places.
    pub make: &'a dyn Fn(&[usize]) -> Result<()>,
    /// Ends the search early.
    pub stop: &'a StopFlag,
}

/// A candidate that is still in the race.
pub(super) struct Racer {
    pub candidate: Candidate,
    pub tried: Tried,
}

/// Candidates that a Bayesian search chooses at once, so that they run beside each other. No
/// option: what is tried is not to depend on the machine.
const AT_ONCE: u64 = 4;

impl Search {
    /// Tries candidates, choices of values on `axes`: the best one first, or the first as far as it
    /// came when the search was stopped.
    ///
    /// # Errors
    /// No candidate that is small enough, no run that has the goal, or an error of making runs.
    pub fn run(&self, axes: &[Axis], runs: &Runs<'_>) -> Result<Vec<Tried>> {
        let (mut drawn, others) = candidates(self, runs.plan);
        drawn.shuffle(&mut Pcg64Mcg::seed_from_u64(self.seed));
        (runs.make)(&others)?;
        let admission = Admission::new(self, runs.plan, drawn);
        let tried = match self.method {
            Method::Random => self.race(usize::MAX, admission, runs),
            Method::Halving => self.race(1, admission, runs),
            Method::Bayesian => self.learn(axes, admission, runs),
        }?;
        if tried.iter().all(|tried| tried.score.is_none()) && !runs.stop.is_raised() {
            return Err(miette!(
                help = "goal is a figure of docs/statistics.md; table.csv has those of the runs",
                "no run of the search has the figure `{}`",
                self.goal
            ));
        }
        Ok(tried)
    }

    /// The budget on `cases` first; the better half goes on with twice as many, until a race has
    /// run all.
    fn race(
        &self,
        cases: usize,
        mut admission: Admission<'_>,
        runs: &Runs<'_>,
    ) -> Result<Vec<Tried>> {
        let mut racing = admission.first(self.budget)?;
        let all = racing.iter().map(|racer| racer.candidate.runs.len()).max().unwrap_or(0);
        let mut cases = cases.min(all);
        let mut tried = Vec::new();
        loop {
            self.try_on(cases, &mut racing, runs)?;
            self.sort(&mut racing);
            let is_none_better = racing.iter().all(|racer| racer.tried.score.is_none());
            if cases >= all || runs.stop.is_raised() || is_none_better {
                break;
            }
            let left = racing.split_off(racing.len().div_ceil(2));
            tried.splice(0..0, left.into_iter().map(|racer| racer.tried));
            cases = if racing.len() == 1 { all } else { (2 * cases).min(all) };
        }
        tried.splice(0..0, racing.into_iter().map(|racer| racer.tried));
        Ok(tried)
    }

    /// A quarter of the budget as it was drawn; then what a model of those tried so far expects to
    /// be good, some at once, until the budget is spent. Each runs all cases.
    fn learn(
        &self,
        axes: &[Axis],
        mut admission: Admission<'_>,
        runs: &Runs<'_>,
    ) -> Result<Vec<Tried>> {
        let mut racing = Vec::new();
        let mut next = admission.first(self.budget.div_ceil(4))?;
        loop {
            self.try_on(usize::MAX, &mut next, runs)?;
            racing.append(&mut next);
            self.sort(&mut racing);
            let left = self.budget.saturating_sub(racing.len() as u64);
            if left == 0 || runs.stop.is_raised() {
                break;
            }
            let known = |racer: &Racer| self.order(&racer.tried);
            let known: Vec<(&Axes, f64)> =
                racing.iter().map(|racer| (&racer.tried.axes, known(racer))).collect();
            let mut model = Model::new(axes, &self.axes, &known);
            for _ in 0..left.min(AT_ONCE) {
                admission.prefer(&|candidate| model.promise(&candidate.axes));
                let Some(racer) = admission.next() else { break };
                model.believe(&racer.candidate.axes);
                next.push(racer);
            }
            if next.is_empty() {
                break;
            }
        }
        Ok(racing.into_iter().map(|racer| racer.tried).collect())
    }

    /// Has each of `racing` run its first `cases` cases.
    fn try_on(&self, cases: usize, racing: &mut [Racer], runs: &Runs<'_>) -> Result<()> {
        let own = |racer: &Racer| racer.candidate.runs.iter().take(cases).copied().collect();
        let wanted: Vec<usize> = racing.iter().flat_map(|r| -> Vec<usize> { own(r) }).collect();
        (runs.make)(&wanted)?;
        for racer in racing {
            let rows: Vec<Row> = own(racer).into_iter().filter_map(runs.row).collect();
            racer.tried.cases = rows.len();
            racer.tried.score = self.score(&rows);
        }
        Ok(())
    }

    /// The better first, and of equal ones those that were tried first.
    fn sort(&self, racing: &mut [Racer]) {
        racing.sort_by(|a, b| self.order(&a.tried).total_cmp(&self.order(&b.tried)));
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
