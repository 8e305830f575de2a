//! Many runs, spread over the cores, each kept as soon as it is finished.

use std::collections::HashMap;
use std::path::PathBuf;

use miette::Result;
use serde::{Deserialize, Serialize};

use super::benchmarks::Benchmark;
use super::measured::Measured;
use super::programs::Watch;
use crate::provenance::Input;
use crate::regress::StopFlag;
use crate::session::Session;
use crate::study::journal::{Common, Journal};
use crate::study::pool;
use blockyard_sim::port::LaunchMode;

/// How blocks launch, with and without the latencies of launching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Launching {
    /// They do not.
    Flat,
    /// Device kernels.
    Cdp,
    /// Aggregated groups.
    Dtbl,
    /// Device kernels that take no time to launch (CDPI).
    CdpIdeal,
    /// Aggregated groups that take no time to launch (DTBLI).
    DtblIdeal,
}

impl Launching {
    /// Its name in effects.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Cdp => "cdp",
            Self::Dtbl => "dtbl",
            Self::CdpIdeal => "cdp-ideal",
            Self::DtblIdeal => "dtbl-ideal",
        }
    }

    /// The launch mode of its runs.
    pub fn mode(self) -> LaunchMode {
        match self {
            Self::Flat => LaunchMode::Flat,
            Self::Cdp | Self::CdpIdeal => LaunchMode::Cdp,
            Self::Dtbl | Self::DtblIdeal => LaunchMode::Dtbl,
        }
    }

    /// What it sets.
    pub fn setting(self) -> Option<&'static str> {
        matches!(self, Self::CdpIdeal | Self::DtblIdeal).then_some("launch.ideal=true")
    }
}

/// One run of a study.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// The place of its benchmark in the study.
    pub benchmark: usize,
    /// The scheduler.
    pub policy: &'static str,
    /// How blocks launch.
    pub launching: Launching,
    /// What is set in this run and not in others: `launch.table=512`.
    pub change: Vec<String>,
    /// Whether what blocks share is looked for.
    pub footprint: bool,
    /// Cycles of the intervals in which it counts, if it does.
    pub intervals: Option<u64>,
}

impl Point {
    /// Benchmark `benchmark` under `policy` without launches from the device, with `change`, and
    /// nothing counted beside.
    pub fn flat<'a>(
        benchmark: usize,
        policy: &'static str,
        change: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let change = change.into_iter().map(str::to_owned).collect();
        let launching = Launching::Flat;
        Self { benchmark, policy, launching, change, footprint: false, intervals: None }
    }
}

/// What a study runs, and where it keeps what is finished.
pub struct Study<'a> {
    /// The benchmarks.
    pub benchmarks: &'a [Benchmark],
    /// The run of a point.
    pub session: &'a (dyn Fn(&Benchmark, &Point) -> Result<Session> + Sync),
    /// Runs at once; one on each core if it is `None`.
    pub jobs: Option<usize>,
    /// The file of finished runs, if they are kept, and whether to go on with it.
    pub journal: Option<(PathBuf, bool)>,
    /// What the runs of a journal have in common.
    pub header: Header,
    /// The files that they read.
    pub inputs: Vec<Input>,
}

/// What a study and the journal that it goes on with must have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The paper.
    pub paper: String,
    /// The preset.
    pub gpu: String,
    /// Everything that was set for all runs, and the graph.
    pub set: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// `full` or `reduced`.
    pub size: String,
    /// Of the tool.
    pub version: String,
}

/// The first line of a journal.
#[derive(Serialize, Deserialize)]
struct FirstLine {
    #[serde(flatten)]
    header: Header,
    #[serde(default)]
    inputs: Vec<Input>,
}

impl Common for FirstLine {
    fn agrees(&self, other: &Self) -> bool {
        self.header == other.header
    }

    fn inputs(&self) -> &[Input] {
        &self.inputs
    }
}

/// A finished run in the journal.
#[derive(Serialize, Deserialize)]
struct Finished {
    run: String,
    measured: Measured,
}

/// The figures of every point that was run.
#[derive(Debug)]
pub struct Figures(HashMap<Point, Measured>);

impl Figures {
    /// Those of a point.
    ///
    /// # Panics
    /// When it was not run.
    pub fn of(&self, point: &Point) -> &Measured {
        &self.0[point]
    }
}

impl Study<'_> {
    /// Runs `points`, those again that stand in them twice only once.
    ///
    /// # Errors
    /// The first run that fails, a journal of another study, or a file or thread that cannot be
    /// had.
    pub fn run(&self, points: &[Point]) -> Result<Figures> {
        let (journal, finished) = match self.journal.clone() {
            None => (None, Vec::new()),
            Some((path, resume)) => {
                let (header, inputs) = (self.header.clone(), self.inputs.clone());
                let line = FirstLine { header, inputs };
                let (journal, finished) = Journal::open(path, &line, resume)?;
                (Some(journal), finished)
            }
        };
        let mut finished: HashMap<String, Measured> =
            finished.into_iter().map(|Finished { run, measured }| (run, measured)).collect();
        let mut open: Vec<&Point> = Vec::new();
        let mut figures = HashMap::new();
        for point in points {
            if let Some(measured) = finished.remove(&self.name(point)) {
                figures.insert(point.clone(), measured);
            } else if !figures.contains_key(point) && !open.contains(&point) {
                open.push(point);
            }
        }
        let bar = pool::bar(open.len());
        let run = |point: &&Point| -> Result<(Point, Measured)> {
            let session = (self.session)(&self.benchmarks[point.benchmark], point)?;
            let mut watch = Watch::default();
            let report = session.run_watched(None, &StopFlag::new(), &mut watch)?;
            let programs = watch.finish(&report.stats.kernels);
            let measured = Measured { programs, ..Measured::of(&report) };
            if let Some(journal) = &journal {
                journal.keep(&Finished { run: self.name(point), measured: measured.clone() })?;
            }
            bar.inc(1);
            Ok(((*point).clone(), measured))
        };
        let ran = pool::for_each(&open, self.jobs, &StopFlag::new(), &run);
        bar.finish_and_clear();
        figures.extend(ran?);
        Ok(Figures(figures))
    }

    fn name(&self, point: &Point) -> String {
        let Point { benchmark, policy, launching, change, footprint: _, intervals: _ } = point;
        let name = &self.benchmarks[*benchmark].name;
        format!("{name} {policy} {} {}", launching.name(), change.join(" "))
    }
}
