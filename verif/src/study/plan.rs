//! The runs of a study: its points, those that are the same run once.

use super::Study;
use crate::cli::run_spec::RunSpec;
use crate::regress::case_seed;
use blockyard_sim::sched::Composition;
use miette::Result;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// A run that is to be made: a line of `plan.jsonl`, from which any machine can make it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Planned {
    /// As in [`Row`](super::Row).
    pub run: String,
    /// As in [`Row`](super::Row): of the first point whose run it is.
    pub axes: BTreeMap<String, String>,
    /// As in [`Row`](super::Row).
    pub command: String,
    /// The run.
    pub spec: RunSpec,
    /// Whether the bits that the scheduler's hardware stores are a figure.
    pub storage: bool,
}

/// All runs of a study, in order, and whose they are.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Each once.
    pub runs: Vec<Planned>,
    /// Every point, by where it lies, with the place of its run in [`runs`](Self::runs).
    pub points: Vec<(BTreeMap<String, String>, usize)>,
}

impl Study {
    /// Its runs.
    ///
    /// # Errors
    /// A point that is no run.
    pub fn plan(&self) -> Result<Plan> {
        let mut plan = Plan { runs: Vec::new(), points: Vec::new() };
        let mut known = HashMap::new();
        for point in self.points() {
            let options =
                || point.options.iter().map(|(name, text)| (name.as_str(), text.as_str()));
            let spec = |folder: &Path| -> Result<RunSpec> {
                let mut spec = RunSpec::of_options(options(), folder)?;
                spec.scheduler = spec.scheduler.map(canonical);
                spec.max_cycles = self.max_cycles;
                spec.footprint = self.footprint;
                Ok(spec)
            };
            // Where the study lies does not change which run it is.
            let run = id(&spec(Path::new(""))?.command());
            let place = match known.get(&run) {
                Some(&place) => place,
                None => {
                    let spec = spec(&self.paths)?;
                    let (axes, command) = (point.axes.clone(), spec.command());
                    let storage = self.storage;
                    known.insert(run.clone(), plan.runs.len());
                    plan.runs.push(Planned { run, axes, command, spec, storage });
                    plan.runs.len() - 1
                }
            };
            plan.points.push((point.axes, place));
        }
        Ok(plan)
    }
}

/// The scheduler as it calls itself; a text that is none stays, and its run fails.
fn canonical(scheduler: String) -> String {
    scheduler.parse().map_or(scheduler, |composition: Composition| composition.to_string())
}

/// Sixteen digits that tell runs apart.
fn id(command: &str) -> String {
    format!("{:08x}{:08x}", case_seed(0, command), case_seed(1, command))
}
