//! SRTF, sections 2, 4.2 and 6, by the durations of Table 3: throughput, turnaround and fairness of
//! pairs of kernels under each policy, and how well run times are predicted.

use super::super::effect::Effect;
use super::effects;
use super::stated::{stated, PaperRow};
use crate::cli::terminal;
use blockyard_sim::erc::{Accuracy, Evaluation, Figures, Pair, Scheduling, Spread};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::run::error::RunError;
use blockyard_sim::stats::Multiprogram;
use blockyard_sim::workload::erc::KERNELS;
use comfy_table::{presets::ASCII_MARKDOWN, CellAlignment, Table};
use rayon::prelude::*;
use serde::Serialize;

/// Those of Table 5, and zero sampling (section 6.2.2).
const TABLE_5: [Scheduling; 6] = [
    Scheduling::Fifo,
    Scheduling::Mpmax,
    Scheduling::Srtf,
    Scheduling::Adaptive,
    Scheduling::Sjf,
    Scheduling::ZeroSampling,
];

/// Those of Table 6, and the percent of the first kernel's run time after which the second one
/// arrives.
const TABLE_6: ([u32; 2], [Scheduling; 4]) =
    ([25, 50], [Scheduling::Fifo, Scheduling::Mpmax, Scheduling::Srtf, Scheduling::Adaptive]);

/// Section 2: geometric means of the STP of the 28 pairs in alphabetical order.
const SECTION_2: [(Scheduling, f64); 3] =
    [(Scheduling::Sjf, 1.82), (Scheduling::Fifo, 1.58), (Scheduling::Ljf, 1.16)];

/// Section 6.2.2: the slowdown of JPEG-d behind RayTracing under FIFO.
const JPEG_BEHIND_RAY: f64 = 17.76;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The GPU; the paper's is `gtx480`.
    pub gpu: GpuConfig,
    /// Decides the durations of blocks.
    pub seed: u64,
    /// Cycles between the two kernels of a pair beside the offset: section 6.1.3, up to 100.
    pub stagger: u32,
}

/// Our figures beside the paper's, where it states them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Geometric means over the pairs.
    #[serde(flatten)]
    pub ours: Multiprogram,
    /// The paper's.
    pub paper: PaperRow,
}

/// A figure beside the paper's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Beside {
    /// Ours.
    pub ours: f64,
    /// The paper's.
    pub paper: f64,
}

/// A kernel alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alone {
    /// Its benchmark.
    pub name: String,
    /// Its turnaround time, in cycles.
    pub cycles: u64,
    /// Table 3's.
    pub paper: u64,
}

/// The distribution of predictions by actual run times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Predictions {
    /// Each kernel alone.
    pub single_sim: Option<Spread>,
    /// The last slice of each pair under MPMax, with a prediction in each slice.
    pub mpmax_sliced: Option<Spread>,
    /// The same kernels, predicted once.
    pub mpmax_unsliced: Option<Spread>,
}

/// A pair at an offset under a policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairRow {
    /// Percent of the first kernel's run time.
    pub offset: u32,
    /// The policy.
    pub scheduler: &'static str,
    /// The kernel that arrives first.
    pub first: &'static str,
    /// The other one.
    pub second: &'static str,
    /// Slowdowns and metrics.
    #[serde(flatten)]
    pub figures: Figures,
}

/// Rows of a table by their policies' names.
pub type Rows = Vec<(&'static str, Row)>;

/// Everything that is compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    /// Table 5, and zero sampling.
    #[serde(serialize_with = "as_map")]
    pub table5: Rows,
    /// Table 6 by offset.
    #[serde(serialize_with = "as_maps")]
    pub table6: Vec<(u32, Rows)>,
    /// Section 2: STP of the 28 alphabetical pairs.
    #[serde(serialize_with = "as_map")]
    pub section2: Vec<(&'static str, Beside)>,
    /// JPEG-d behind RayTracing under FIFO.
    pub jpeg_behind_ray: Beside,
    /// Table 3.
    pub alone: Vec<Alone>,
    /// Section 4.2.
    pub predictions: Predictions,
    /// Every run of two kernels.
    pub pairs: Vec<PairRow>,
    /// All of it in the form that every evaluation has.
    pub effects: Vec<Effect>,
}

fn as_map<S: serde::Serializer, T: Serialize>(
    rows: &[(&'static str, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(rows.iter().map(|(name, row)| (name, row)))
}

fn as_maps<S: serde::Serializer>(tables: &[(u32, Rows)], serializer: S) -> Result<S::Ok, S::Error> {
    struct Named<'a>(&'a Rows);
    impl Serialize for Named<'_> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            as_map(self.0, serializer)
        }
    }
    serializer.collect_map(tables.iter().map(|(offset, rows)| (offset.to_string(), Named(rows))))
}

impl Plan {
    /// Runs all of it, `jobs` runs at once.
    ///
    /// # Errors
    /// The first run that fails, or threads that cannot be started.
    pub fn run(&self, jobs: Option<usize>) -> miette::Result<Results> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build();
        let pool = pool.map_err(|error| miette::miette!("cannot start threads: {error}"))?;
        Ok(pool.install(|| self.results())?)
    }

    fn results(&self) -> Result<Results, RunError> {
        let evaluation = Evaluation::new(self.gpu.clone(), self.seed, self.stagger)?;
        let mut wanted: Vec<(u32, Scheduling)> = Vec::new();
        wanted.extend(TABLE_5.map(|scheduling| (0, scheduling)));
        wanted.push((0, Scheduling::Ljf));
        let (offsets, rows) = TABLE_6;
        for offset in offsets {
            wanted.extend(rows.map(|scheduling| (offset, scheduling)));
        }
        let runs: Vec<_> = wanted
            .iter()
            .flat_map(|&(offset, scheduling)| {
                Pair::all().into_iter().map(move |pair| (offset, scheduling, pair))
            })
            .collect();
        let figures: Result<Vec<Figures>, RunError> = runs
            .par_iter()
            .map(|&(offset, scheduling, pair)| evaluation.pair(pair, offset, scheduling))
            .collect();
        let runs: Vec<Run> = runs.into_iter().zip(figures?).collect();

        let table = |offset, rows: &[Scheduling]| {
            rows.iter().map(|&scheduling| row(&runs, offset, scheduling)).collect()
        };
        let section2 = SECTION_2.map(|(scheduling, paper)| {
            let alphabetical = |pair: &Pair| pair.first.name < pair.second.name;
            let ours = mean(&runs, 0, scheduling, alphabetical).stp;
            (scheduling.name(), Beside { ours, paper })
        });
        let behind = runs.iter().find(|((offset, scheduling, pair), _)| {
            let names = (pair.first.name, pair.second.name);
            (*offset, *scheduling, names) == (0, Scheduling::Fifo, ("RayTracing", "JPEG-d"))
        });
        let behind = behind.map_or(f64::NAN, |(_, figures)| figures.slowdowns[1]);
        let alone = KERNELS.map(|kernel| Alone {
            name: kernel.name.to_owned(),
            cycles: evaluation.alone(kernel),
            paper: kernel.runtime,
        });
        let pairs = runs.iter().map(|((offset, scheduling, pair), figures)| PairRow {
            offset: *offset,
            scheduler: scheduling.name(),
            first: pair.first.name,
            second: pair.second.name,
            figures: *figures,
        });
        let mut results = Results {
            table5: table(0, &TABLE_5),
            table6: offsets.into_iter().map(|offset| (offset, table(offset, &rows))).collect(),
            section2: section2.to_vec(),
            jpeg_behind_ray: Beside { ours: behind, paper: JPEG_BEHIND_RAY },
            alone: alone.to_vec(),
            predictions: predictions(&evaluation)?,
            pairs: pairs.collect(),
            effects: Vec::new(),
        };
        results.effects = effects::effects(&results);
        Ok(results)
    }
}

/// A run of two kernels, and what came of it.
type Run = ((u32, Scheduling, Pair), Figures);

fn mean(
    runs: &[Run],
    offset: u32,
    scheduling: Scheduling,
    of: impl Fn(&Pair) -> bool,
) -> Multiprogram {
    let chosen =
        runs.iter().filter(|((o, s, pair), _)| (*o, *s) == (offset, scheduling) && of(pair));
    let metrics: Vec<_> = chosen.map(|(_, figures)| figures.metrics).collect();
    Multiprogram::geometric_mean(&metrics).expect("every policy has its pairs")
}

fn row(runs: &[Run], offset: u32, scheduling: Scheduling) -> (&'static str, Row) {
    let ours = mean(runs, offset, scheduling, |_| true);
    (scheduling.name(), Row { ours, paper: stated(offset, scheduling.name()) })
}

fn predictions(evaluation: &Evaluation) -> Result<Predictions, RunError> {
    let single = evaluation.accuracy_alone()?;
    let pairs = Pair::all();
    let each: Result<Vec<Accuracy>, RunError> =
        pairs.par_iter().map(|pair| evaluation.accuracy_under_mpmax(*pair)).collect();
    let mut mpmax = Accuracy::default();
    each?.into_iter().for_each(|accuracy| mpmax.join(accuracy));
    Ok(Predictions {
        single_sim: Spread::of(&single.sliced),
        mpmax_sliced: Spread::of(&mpmax.sliced),
        mpmax_unsliced: Spread::of(&mpmax.unsliced),
    })
}

/// The results as tables, ending in a newline, each figure with the paper's in brackets.
pub fn table(results: &Results) -> String {
    let mut text = String::new();
    let mut section = |title: &str, table: Table| {
        text += &format!("{title}\n{}\n\n", table.trim_fmt());
    };
    section("Table 5: 56 pairs, nearly together", rows(&results.table5));
    for (offset, table) in &results.table6 {
        let title = format!("Table 6: the second kernel arrives at {offset} % of the first one's");
        section(&title, rows(table));
    }
    let mut stp = empty(&["scheduler", "STP"]);
    for (name, beside) in &results.section2 {
        stp.add_row([(*name).to_owned(), bracketed(beside.ours, Some(beside.paper))]);
    }
    section("Section 2: 28 pairs in alphabetical order", stp);
    let mut alone = empty(&["kernel", "cycles alone", "paper"]);
    for kernel in &results.alone {
        alone.add_row([kernel.name.clone(), kernel.cycles.to_string(), kernel.paper.to_string()]);
    }
    section("Table 3", alone);
    let mut spreads =
        empty(&["predicted by actual", "number", "least", "quartiles", "most", "within 2x"]);
    let Predictions { single_sim, mpmax_sliced, mpmax_unsliced } = results.predictions;
    for (name, spread) in
        [("single-sim/SS", single_sim), ("mpmax/SS", mpmax_sliced), ("mpmax, once", mpmax_unsliced)]
    {
        let Some(s) = spread else { continue };
        spreads.add_row([
            name.to_owned(),
            s.predictions.to_string(),
            format!("{:.2}", s.least),
            format!("{:.2} {:.2} {:.2}", s.lower_quartile, s.median, s.upper_quartile),
            format!("{:.2}", s.most),
            format!("{:.0} %", 100.0 * s.within_2x),
        ]);
    }
    section("Section 4.2: the majority is within 2x in the paper", spreads);
    let Beside { ours, paper } = results.jpeg_behind_ray;
    text += &format!("JPEG-d behind RayTracing under fifo is slowed {ours:.2} times ({paper})\n");
    text
}

fn rows(rows: &Rows) -> Table {
    let mut table = empty(&["scheduler", "STP", "ANTT", "fairness"]);
    for (name, Row { ours, paper }) in rows {
        table.add_row([
            (*name).to_owned(),
            bracketed(ours.stp, paper.stp),
            bracketed(ours.antt, paper.antt),
            bracketed(ours.fairness, paper.fairness),
        ]);
    }
    table
}

fn bracketed(ours: f64, paper: Option<f64>) -> String {
    let paper = paper.map_or("-".to_owned(), |paper| format!("{paper:.2}"));
    format!("{ours:.2} ({paper})")
}

fn empty(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    terminal::fit(&mut table);
    table.set_header(header.to_vec());
    for column in 1..header.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
