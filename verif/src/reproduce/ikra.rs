//! IKRA, section 6.1: the four microbenchmarks under round robin and the four schedulers, with
//! DeNovo (Figure 4) and with GPU coherence (section 7.2 does that for applications), and what the
//! paper states of them. The applications are apart: they have another GPU, and are evaluated as
//! those of other papers.

pub mod applications;
mod cache_sizes;
mod effects;
mod measured;
mod stated;

use super::effect::Effect;
use crate::cli::terminal;
use crate::session::{Engine, Session, Workload, ONE_THREAD};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::sched::Composition;
use blockyard_sim::workload::ikra::{Benchmark, IkraOptions};
use comfy_table::{presets::ASCII_MARKDOWN, CellAlignment, Table};
use measured::Measured;
use rayon::prelude::*;
use serde::Serialize;
pub use stated::Statement;

/// What is compared, in the paper's order: G, C, R, F, S. The first one is the measure of the
/// others.
pub const SCHEDULERS: [&str; 5] =
    ["rr(start=last-finished)", "ikra/chunk", "ikra/reset", "ikra/flip", "ikra/steal"];

/// The preset of the microbenchmarks.
pub const GPU: &str = "denovo3";

/// The protocols, as `coherence.protocol` has them, each with its `l1.write`.
const PROTOCOLS: [(&str, &str); 2] = [("denovo", "back"), ("gpu", "through")];

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The GPU, with all overrides applied but those of the protocol.
    pub gpu: GpuConfig,
    /// Settings of the microbenchmarks.
    pub options: IkraOptions,
    /// Who decides.
    pub engine: Engine,
    /// Decides what is drawn at random.
    pub seed: u64,
}

/// Where loads got their data, as shares of all loads; IKRA's Figure 4(d).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Served {
    /// The SMX's own L1.
    pub l1: f64,
    /// The L1 of another SMX.
    pub remote_l1: f64,
    /// The L2.
    pub l2: f64,
    /// Memory.
    pub memory: f64,
}

/// A microbenchmark under a scheduler and a protocol.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// `denovo` or `gpu`.
    pub protocol: String,
    /// The microbenchmark.
    pub workload: String,
    /// The scheduler.
    pub scheduler: String,
    /// Cycles in all.
    pub cycles: u64,
    /// The same by round robin's.
    pub cycles_by_rr: f64,
    /// Dynamic energy in nJ, without that of DRAM, as in the paper's bars.
    pub energy_nj: f64,
    /// The same by round robin's.
    pub energy_by_rr: f64,
    /// Flits in the network.
    pub flits: u64,
    /// The same by round robin's.
    pub flits_by_rr: f64,
    /// Flits after the first kernel.
    pub warm_flits: u64,
    /// Where loads got their data.
    pub served: Served,
}

/// Everything that is printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Result {
    /// By protocol, microbenchmark and scheduler.
    pub rows: Vec<Row>,
    /// What the paper states, beside ours; under DeNovo.
    pub statements: Vec<Statement>,
    /// All of it in the form that every evaluation has.
    pub effects: Vec<Effect>,
}

impl Plan {
    /// Runs all of it, `jobs` runs at once.
    ///
    /// # Errors
    /// The first run that fails, settings that do not fit, or threads that cannot be started.
    pub fn run(&self, jobs: Option<usize>) -> miette::Result<Result> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build();
        let pool = pool.map_err(|error| miette::miette!("cannot start threads: {error}"))?;
        let of_protocol = |protocol| {
            Benchmark::ALL
                .into_iter()
                .flat_map(move |benchmark| SCHEDULERS.map(|name| (protocol, benchmark, name)))
        };
        let runs: Vec<_> = PROTOCOLS.into_iter().flat_map(of_protocol).collect();
        let measured: miette::Result<Vec<Measured>> = pool.install(|| {
            let runs = runs.par_iter();
            runs.map(|&(protocol, benchmark, name)| self.measure(protocol, benchmark, name))
                .collect()
        });
        let measured = measured?;
        let row = |(number, own): (usize, &Measured)| {
            let ((protocol, _), benchmark, scheduler) = runs[number];
            let base = &measured[number - number % SCHEDULERS.len()];
            let ratio = |own: f64, base: f64| if base == 0.0 { 1.0 } else { own / base };
            Row {
                protocol: protocol.to_owned(),
                workload: benchmark.name().to_owned(),
                scheduler: scheduler.to_owned(),
                cycles: own.cycles,
                cycles_by_rr: ratio(own.cycles as f64, base.cycles as f64),
                energy_nj: own.energy,
                energy_by_rr: ratio(own.energy, base.energy),
                flits: own.flits,
                flits_by_rr: ratio(own.flits as f64, base.flits as f64),
                warm_flits: own.warm_flits,
                served: own.served,
            }
        };
        let rows: Vec<Row> = measured.iter().enumerate().map(row).collect();
        let statements = stated::statements(&rows);
        let effects = effects::effects(&rows);
        Ok(Result { rows, statements, effects })
    }

    fn measure(
        &self,
        (protocol, write): (&str, &str),
        benchmark: Benchmark,
        scheduler: &str,
    ) -> miette::Result<Measured> {
        let mut gpu = self.gpu.clone();
        gpu.set("coherence.protocol", protocol)?;
        gpu.set("l1.write", write)?;
        gpu.validate()?;
        let session = |options: IkraOptions| -> miette::Result<Session> {
            Ok(Session {
                scheduler: scheduler.parse::<Composition>()?,
                engine: self.engine,
                gpu: gpu.clone(),
                workload: Workload::Ikra { benchmark, options },
                launch: LaunchMode::Flat,
                seed: self.seed,
                skip_from: Some(0),
                max_cycles: None,
                faults: Vec::new(),
                footprint: false,
                intervals: None,
                threads: ONE_THREAD,
            })
        };
        let mut first = self.options;
        first.set("ikra.kernels", "1")?;
        let whole = session(self.options)?.run(None)?;
        let cold = session(first)?.run(None)?;
        Ok(measured::measure(&whole, &cold))
    }
}

/// The result as two tables, ending in a newline.
pub fn table(result: &Result) -> String {
    let header = [
        "protocol",
        "workload",
        "scheduler",
        "cycles",
        "by rr",
        "energy",
        "flits",
        "warm flits",
        "L1 %",
        "remote %",
        "L2 %",
        "memory %",
    ];
    let mut rows = aligned(&header, 3);
    for row in &result.rows {
        let Served { l1, remote_l1, l2, memory } = row.served;
        let mut cells = vec![row.protocol.clone(), row.workload.clone(), row.scheduler.clone()];
        cells.push(row.cycles.to_string());
        let ratios = [row.cycles_by_rr, row.energy_by_rr, row.flits_by_rr];
        cells.extend(ratios.map(|ratio| format!("{ratio:.2}")));
        cells.push(row.warm_flits.to_string());
        cells.extend([l1, remote_l1, l2, memory].map(|share| format!("{:.1}", 100.0 * share)));
        rows.add_row(cells);
    }
    let mut statements = aligned(&["section 6.1, under DeNovo", "paper", "here", "distance"], 1);
    for Statement { what, paper, here, unit } in &result.statements {
        let show = |value: f64| format!("{value:.1} {unit}");
        statements.add_row([what.clone(), show(*paper), show(*here), show(here - paper)]);
    }
    format!("{}\n\n{}\n", rows.trim_fmt(), statements.trim_fmt())
}

/// A table whose columns but for the first `left` are of numbers.
fn aligned(header: &[&str], left: usize) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    terminal::fit(&mut table);
    table.set_header(header);
    for column in left..header.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
