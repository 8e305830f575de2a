//! The runs of a study: its points, those that are the same run once.

use super::Study;
use crate::cli::run_spec::RunSpec;
use crate::regress::case_seed;
use blockyard_sim::sched::Composition;
use miette::Result;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

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
    /// Where to write when and where each block ran, if that is to be kept.
    pub blocks: Option<PathBuf>,
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
    /// A point that is no run, or none at all.
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
                    plan.runs.push(Planned { run, axes, command, spec, storage, blocks: None });
                    plan.runs.len() - 1
                }
            };
            plan.points.push((point.axes, place));
        }
        if plan.runs.is_empty() {
            let place = self.constraints.first().map_or(0..0, |first| first.place.clone());
            let wrong = self.source.wrong(place, "the constraints leave no point to run");
            return Err(wrong.help("expected that at least one point stays").into());
        }
        Ok(plan)
    }
}

impl Plan {
    /// Every run keeps when and where its blocks ran, in a file in `folder`.
    pub fn keep_blocks(&mut self, folder: &Path) {
        for planned in &mut self.runs {
            planned.blocks = Some(folder.join(format!("{}.csv", planned.run)));
        }
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
