//! Many runs, spread over the cores, each kept as soon as it is finished.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use miette::{miette, IntoDiagnostic, Result};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::benchmarks::Benchmark;
use super::measured::Measured;
use crate::line_file::{LineFile, LineFileError};
use crate::session::Session;
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
    pub change: Option<String>,
    /// Whether what blocks share is looked for.
    pub footprint: bool,
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
    /// The first run that fails, a journal of another study, or a file or thread that cannot be had.
    pub fn run(&self, points: &[Point]) -> Result<Figures> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs.unwrap_or(0)).build();
        let pool = pool.map_err(|error| miette!("cannot start threads: {error}"))?;
        let (journal, mut finished) = self.open()?;
        let mut open: Vec<&Point> = Vec::new();
        let mut figures = HashMap::new();
        for point in points {
            if let Some(measured) = finished.remove(&self.name(point)) {
                figures.insert(point.clone(), measured);
            } else if !figures.contains_key(point) && !open.contains(&point) {
                open.push(point);
            }
        }
        let bar = bar(open.len());
        let run = |point: &Point| -> Result<(Point, Measured)> {
            let session = (self.session)(&self.benchmarks[point.benchmark], point)?;
            let measured = Measured::of(&session.run(None)?);
            if let Some(journal) = &journal {
                let line = Finished { run: self.name(point), measured: measured.clone() };
                journal.append(&line).map_err(unusable)?;
            }
            bar.inc(1);
            Ok((point.clone(), measured))
        };
        let ran: Result<Vec<_>> =
            pool.install(|| open.par_iter().with_max_len(1).map(|&point| run(point)).collect());
        bar.finish_and_clear();
        figures.extend(ran?);
        Ok(Figures(figures))
    }

    fn name(&self, point: &Point) -> String {
        let Point { benchmark, policy, launching, change, footprint: _ } = point;
        let name = &self.benchmarks[*benchmark].name;
        let change = change.as_deref().unwrap_or_default();
        format!("{name} {policy} {} {change}", launching.name())
    }

    fn open(&self) -> Result<(Option<LineFile>, HashMap<String, Measured>)> {
        let mut finished = HashMap::new();
        let Some((path, resume)) = &self.journal else { return Ok((None, finished)) };
        let lines = if *resume { LineFile::lines(path).map_err(unusable)? } else { Vec::new() };
        let mut lines = (1..).zip(&lines);
        let Some((_, header)) = lines.next() else {
            let journal = LineFile::create(path.clone()).map_err(unusable)?;
            journal.append(&self.header).map_err(unusable)?;
            return Ok((Some(journal), finished));
        };
        let found: Header = parse(path, 1, header)?;
        if found != self.header {
            return Err(miette!(
                help = "go on with the same paper, GPU, settings, seed, size and version, or start anew without --resume",
                "{} line 1: these are runs of another study: found {header}, expected {}",
                path.display(),
                serde_json::to_string(&self.header).into_diagnostic()?
            ));
        }
        for (number, line) in lines {
            let Finished { run, measured } = parse(path, number, line)?;
            finished.insert(run, measured);
        }
        Ok((Some(LineFile::reopen(path.clone()).map_err(unusable)?), finished))
    }
}

fn parse<T: for<'a> Deserialize<'a>>(path: &Path, number: usize, line: &str) -> Result<T> {
    serde_json::from_str(line).map_err(|error| {
        miette!(
            help = "mend the line, or start anew without --resume",
            "{} line {number}: found `{}`, expected the journal of a study (column {}: {error})",
            path.display(),
            line.chars().take(60).collect::<String>(),
            error.column()
        )
    })
}

fn unusable(error: LineFileError) -> miette::Report {
    let LineFileError { action, path, source } = error;
    miette!(
        help = "expected a folder that can be written; choose another one with --out",
        "cannot {action} {}: {source}",
        path.display()
    )
}

/// Seen on a terminal only.
fn bar(runs: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{elapsed} [{bar:30}] {pos}/{len} runs, {eta} left");
    let bar = ProgressBar::with_draw_target(Some(runs as u64), ProgressDrawTarget::stderr());
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
