//! What a search chooses among.

use super::Search;
use crate::study::plan::{Plan, Planned};
use std::collections::{BTreeMap, HashMap};

/// Where a point lies, by axis.
pub type Axes = BTreeMap<String, String>;

/// A choice of values on the axes of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The values.
    pub axes: Axes,
    /// Its runs, a place in the plan for each case: values on the other axes.
    pub runs: Vec<usize>,
}

/// The candidates of a study, in its order, and the runs that lie on none of the search's axes: a
/// baseline, perhaps.
pub fn candidates(search: &Search, plan: &Plan) -> (Vec<Candidate>, Vec<usize>) {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut known: HashMap<Axes, usize> = HashMap::new();
    let mut others = Vec::new();
    for (point, run) in &plan.points {
        let mut axes = point.clone();
        axes.retain(|axis, _| search.axes.contains(axis));
        if axes.is_empty() {
            others.push(*run);
            continue;
        }
        let place = *known.entry(axes.clone()).or_insert_with(|| {
            candidates.push(Candidate { axes, runs: Vec::new() });
            candidates.len() - 1
        });
        candidates[place].runs.push(*run);
    }
    (candidates, others)
}

/// The bits that the hardware of runs stores, each looked at once.
#[derive(Default)]
pub struct Storage(HashMap<String, Option<u64>>);

impl Storage {
    /// Most bits of any of a candidate's runs; `None` if there is no hardware for one of them.
    pub fn of(&mut self, candidate: &Candidate, plan: &[Planned]) -> Option<u64> {
        let bits = candidate.runs.iter().map(|&run| {
            let planned = &plan[run];
            let spec = &planned.spec;
            let key = format!("{:?} {:?} {:?}", spec.scheduler, spec.gpu, spec.launch);
            *self.0.entry(key).or_insert_with(|| planned.storage_bits())
        });
        bits.collect::<Option<Vec<u64>>>()?.into_iter().max()
    }
}
