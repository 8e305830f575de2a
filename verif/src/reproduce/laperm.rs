//! LaPerm, section V-B: hit rates of both caches and IPC of round robin and the three schedulers, for
//! device kernels and for aggregated groups.

use crate::session::{Engine, Report, Session, Workload, ONE_THREAD};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::sched::Composition;
use comfy_table::{presets::ASCII_MARKDOWN, CellAlignment, Table};
use rayon::prelude::*;
use serde::Serialize;

/// What is compared; the first one is the measure of the others.
pub const SCHEDULERS: [&str; 4] =
    ["rr", "laperm/tb-pri", "laperm/smx-bind", "laperm/adaptive-bind"];

/// The launch modes, and what the paper states for each scheduler beside the first: by how many points
/// the L2 and the L1 hit rate are above round robin's on average, and the IPC by round robin's.
/// Where a number is not stated it is the sum of those that are (sections V-B: smx-bind's IPC from
/// tb-pri's, adaptive-bind's L1 from smx-bind's).
const MODES: [(&str, LaunchMode, [Stated; 3]); 2] = [
    (
        "cdp",
        LaunchMode::Cdp,
        [
            Stated { l2: Some(6.7), l1: Some(1.1), ipc: Some(1.04) },
            Stated { l2: None, l1: Some(6.6), ipc: Some(0.95) },
            Stated { l2: None, l1: Some(4.3), ipc: Some(1.06) },
        ],
    ),
    (
        "dtbl",
        LaunchMode::Dtbl,
        [
            Stated { l2: Some(8.7), l1: Some(2.1), ipc: Some(1.13) },
            Stated { l2: None, l1: Some(13.6), ipc: Some(1.08) },
            Stated { l2: None, l1: Some(10.5), ipc: Some(1.27) },
        ],
    ),
];

/// The paper's averages over all its benchmarks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Stated {
    /// Points of L2 hit rate above round robin.
    pub l2: Option<f64>,
    /// Points of L1 hit rate above round robin.
    pub l1: Option<f64>,
    /// IPC by round robin's.
    pub ipc: Option<f64>,
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// [`SCHEDULERS`] with their parameters.
    pub schedulers: Vec<Composition>,
    /// The GPU, with all overrides applied.
    pub gpu: GpuConfig,
    /// Who decides.
    pub engine: Engine,
    /// Decides what is drawn at random.
    pub seed: u64,
}

/// A scheduler under a launch mode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The scheduler, without its parameters.
    pub scheduler: String,
    /// `cdp` or `dtbl`.
    pub launch: String,
    /// Cycles in all.
    pub cycles: u64,
    /// Instructions of all warps by cycles.
    pub ipc: f64,
    /// Hits of loads by loads, if there were any.
    pub l1_hit_rate: Option<f64>,
    /// Hits by accesses, if there were any.
    pub l2_hit_rate: Option<f64>,
    /// IPC by round robin's under the same mode.
    pub ipc_by_rr: f64,
    /// The paper's averages.
    pub paper: Stated,
}

impl Plan {
    /// Runs all of it on `workload`, `jobs` runs at once; rows by launch mode, then by scheduler.
    ///
    /// # Errors
    /// The first run that fails, or threads that cannot be started.
    pub fn run(
        &self,
        jobs: Option<usize>,
        workload: impl Fn() -> miette::Result<Workload> + Sync,
    ) -> miette::Result<Vec<Row>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build();
        let pool = pool.map_err(|error| miette::miette!("cannot start threads: {error}"))?;
        let modes =
            MODES.iter().flat_map(|mode| (0..self.schedulers.len()).map(move |s| (mode, s)));
        let runs: Vec<(LaunchMode, &Composition)> =
            modes.clone().map(|(mode, s)| (mode.1, &self.schedulers[s])).collect();
        let measured: miette::Result<Vec<Measured>> = pool.install(|| {
            let runs = runs.into_par_iter();
            runs.map(|(launch, scheduler)| {
                let session = self.session(scheduler, launch, workload()?);
                Ok(measure(&session.run(None)?))
            })
            .collect()
        });
        let measured = measured?;
        let rows = modes.zip(&measured).enumerate().map(|(number, ((mode, s), own))| {
            let first = measured[number - s];
            Row {
                scheduler: SCHEDULERS[s].to_owned(),
                launch: mode.0.to_owned(),
                cycles: own.cycles,
                ipc: own.ipc,
                l1_hit_rate: own.l1,
                l2_hit_rate: own.l2,
                ipc_by_rr: own.ipc / first.ipc,
                paper: if s == 0 { Stated::default() } else { mode.2[s - 1] },
            }
        });
        Ok(rows.collect())
    }

    fn session(&self, scheduler: &Composition, launch: LaunchMode, workload: Workload) -> Session {
        Session {
            scheduler: scheduler.clone(),
            engine: self.engine,
            gpu: self.gpu.clone(),
            workload,
            launch,
            seed: self.seed,
            skip: true,
            max_cycles: None,
            faults: Vec::new(),
            footprint: false,
            threads: ONE_THREAD,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Measured {
    cycles: u64,
    ipc: f64,
    l1: Option<f64>,
    l2: Option<f64>,
}

fn measure(report: &Report) -> Measured {
    let execution = report.stats.execution.as_ref();
    Measured {
        cycles: report.stats.cycles,
        ipc: execution.map_or(0.0, |execution| execution.ipc),
        l1: execution.and_then(|execution| execution.l1.hit_rate),
        l2: execution.and_then(|execution| execution.l2.hit_rate),
    }
}

/// The rows as JSON, ending in a newline.
///
/// # Panics
/// Never: the rows are plain numbers and names.
pub fn json(rows: &[Row]) -> String {
    let mut text = serde_json::to_string_pretty(rows).expect("plain data");
    text.push('\n');
    text
}

/// The rows as a table, ending in a newline: hit rates in percent, in brackets the points above round
/// robin, and the paper's averages over its benchmarks.
pub fn table(rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    let header =
        ["launch", "scheduler", "cycles", "L1 %", "paper", "L2 %", "paper", "IPC", "paper"];
    table.set_header(header);
    for column in 2..header.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut first = &rows[0];
    for row in rows {
        if row.paper == Stated::default() {
            first = row;
        }
        let rate = |own: Option<f64>, base: Option<f64>| match (own, base) {
            (Some(own), Some(base)) => {
                format!("{:.1} ({:+.1})", 100.0 * own, 100.0 * (own - base))
            }
            _ => "-".to_owned(),
        };
        let points = |stated: Option<f64>| stated.map_or("-".to_owned(), |p| format!("{p:+.1}"));
        table.add_row([
            row.launch.clone(),
            row.scheduler.clone(),
            row.cycles.to_string(),
            rate(row.l1_hit_rate, first.l1_hit_rate),
            points(row.paper.l1),
            rate(row.l2_hit_rate, first.l2_hit_rate),
            points(row.paper.l2),
            format!("{:.3} ({:.2})", row.ipc, row.ipc_by_rr),
            row.paper.ipc.map_or("-".to_owned(), |ipc| format!("{ipc:.2}")),
        ]);
    }
    format!("{}\n", table.trim_fmt())
}
