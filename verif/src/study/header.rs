//! What the runs of a study have in common: the first line of its journal.

use super::journal::Common;
use super::Study;
use crate::cli::run_options::says_what_runs;
use crate::provenance::Input;
use crate::regress::of_this_executable;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// The study, as its folder keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Its name.
    pub name: String,
    /// What speed-ups are relative to, by axis.
    pub baseline: BTreeMap<String, String>,
    /// Its axes, in order.
    pub axes: Vec<HeaderAxis>,
    /// The figures that its plots over numbers show, if it says so.
    #[serde(default)]
    pub figures: Vec<String>,
    /// A hash of its runs.
    pub runs: String,
    /// The files that they read.
    #[serde(default)]
    pub inputs: Vec<Input>,
    /// The build that made them.
    pub version: String,
    /// When it began, in seconds since 1970.
    pub created: u64,
}

/// An axis of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeaderAxis {
    /// Its name.
    pub name: String,
    /// Its values, in order.
    pub values: Vec<String>,
    /// Whether it says what runs, and not on what: means over it compare machines.
    #[serde(default)]
    pub work: bool,
}

impl Header {
    /// That of a study called `name`, which is about to begin; `runs` tells its runs from others,
    /// which read `inputs`.
    pub fn new(study: &Study, name: &str, runs: String, inputs: Vec<Input>) -> Self {
        let values = |axis: &super::axis::Axis| axis.iter().map(|value| value.label).collect();
        let axis = |axis: &super::axis::Axis| HeaderAxis {
            name: axis.name.clone(),
            values: values(axis),
            work: axis.value(0).is_some_and(|value| {
                value.gives.iter().all(|(name, value)| says_what_runs(name, value))
            }),
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            name: name.to_owned(),
            baseline: study.baseline.iter().cloned().collect(),
            axes: study.axes.iter().map(axis).collect(),
            figures: study.figures.clone(),
            runs,
            inputs,
            version: of_this_executable(),
            created: now.map_or(0, |now| now.as_secs()),
        }
    }
}

impl Common for Header {
    fn agrees(&self, other: &Self) -> bool {
        // What plots show is no reason to run anything again.
        let runs = |own: &Self| Self {
            created: 0,
            figures: Vec::new(),
            inputs: Vec::new(),
            ..own.clone()
        };
        runs(self) == runs(other)
    }

    fn inputs(&self) -> &[Input] {
        &self.inputs
    }
}
