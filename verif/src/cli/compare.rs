//! `blockyard compare`.

use super::interrupt;
use super::outputs::{self, Named};
use super::settings::pair;
use super::study::toml_text;
use super::{print, Exit};
use crate::session::Engine;
use crate::study::backend::{Backend, Local, Work};
use crate::study::compare::{compare, Comparison};
use crate::study::read::Source;
use crate::study::{pool, Row, Study};
use blockyard_sim::output::write_file;
use clap::{Args, ValueEnum};
use comfy_table::{presets, CellAlignment, ContentArrangement, Table};
use miette::{IntoDiagnostic, Result};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Mutex;

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Schedulers; the others are relative to the first
    #[arg(value_name = "SCHEDULER", required = true)]
    schedulers: Vec<String>,
    /// Workload; `blockyard list workloads` shows them
    #[arg(long, required_unless_present = "scenario", conflicts_with = "scenario")]
    workload: Option<String>,
    /// Scenario file
    #[arg(long, value_name = "F")]
    scenario: Option<PathBuf>,
    /// Graph of the workload
    #[arg(long, value_name = "F", conflicts_with = "scenario")]
    input: Option<PathBuf>,
    /// GPU preset; `blockyard list gpus` shows them
    #[arg(long, value_name = "PRESET", default_value = "k20c")]
    gpu: String,
    /// A key of the GPU or of the workload
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// How launches from the device reach the scheduler
    #[arg(long, default_value = "flat")]
    launch: super::launch::Launch,
    /// Who decides
    #[arg(long, default_value = "golden")]
    engine: Engine,
    /// Run everything with the seeds from 1 to this
    #[arg(long, value_name = "N", default_value = "1")]
    seeds: NonZeroU64,
    /// Figures to compare, by their names in docs/statistics.md
    #[arg(long, value_name = "NAME,NAME", default_value = "cycles,ipc", value_delimiter = ',')]
    metric: Vec<String>,
    /// Runs at once [default: one on each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also write the comparison as CSV
    #[arg(long, value_name = "F")]
    csv: Option<PathBuf>,
}

/// Runs each scheduler with each seed and prints a row a scheduler.
///
/// # Errors
/// Bad use or bad input, a run that fails, or a figure that a run has not.
pub fn main(args: &CompareArgs) -> Result<Exit> {
    let source = Source { name: "the command line".to_owned(), text: args.text()? };
    let study = Study::parse(source, PathBuf::new())?;
    study.check()?;
    let plan = study.plan()?;
    let named = |path| Named { option: "a file that the runs read", path };
    let read: Vec<Named> = plan.files().into_iter().map(named).collect();
    outputs::check(outputs::named("--csv", args.csv.as_ref()).as_slice(), &read)?;
    for scheduler in &args.schedulers {
        let of = |(axes, _): &&(BTreeMap<String, String>, _)| axes["scheduler"] == *scheduler;
        if let Some(&(_, place)) = plan.points.iter().find(of) {
            plan.runs[place].spec.session()?.check()?;
        }
    }
    let stop = interrupt::flag()?;
    let rows: Mutex<Vec<Row>> = Mutex::default();
    let bar = pool::bar(plan.runs.len());
    let open: Vec<usize> = (0..plan.runs.len()).collect();
    let keep = |row| {
        bar.inc(1);
        rows.lock().expect("nobody panics with it").push(row);
        Ok(())
    };
    let work = Work { plan: &plan.runs, open: &open, keep: &keep, stop: &stop };
    Local { jobs: args.jobs.map(usize::from) }.make(&work)?;
    bar.finish_and_clear();
    if stop.is_raised() {
        return Ok(Exit::Interrupted);
    }
    let rows = rows.into_inner().expect("nobody panics with it");
    if let Some((row, failure)) = rows.iter().find_map(|row| Some((row, row.failure.as_ref()?))) {
        super::complain(&format!("{failure}\nrepeat with: {}", row.command));
        return Ok(Exit::CheckFailed);
    }
    let runs = |scheduler: &String| {
        let of = plan.points.iter().filter(|(axes, _)| axes["scheduler"] == *scheduler);
        let run =
            |&(_, place): &(_, usize)| rows.iter().find(|row| row.run == plan.runs[place].run);
        of.filter_map(run).collect::<Vec<&Row>>()
    };
    let of: Vec<(&str, Vec<&Row>)> =
        args.schedulers.iter().map(|scheduler| (scheduler.as_str(), runs(scheduler))).collect();
    let comparisons = compare(&of, &args.metric)?;
    if let Some(path) = &args.csv {
        let csv = csv(&comparisons)?;
        write_file(path, |out| out.write_all(&csv))?;
    }
    print(&match args.json {
        true => serde_json::to_string_pretty(&comparisons).into_diagnostic()? + "\n",
        false => table(args, &comparisons),
    })?;
    Ok(Exit::Fine)
}

impl CompareArgs {
    /// The study that makes the runs.
    fn text(&self) -> Result<String> {
        let mut text = "[axes]\n".to_owned();
        let schedulers: Vec<String> = self.schedulers.iter().map(|s| toml_text(s)).collect();
        let _ = writeln!(text, "scheduler = [{}]", schedulers.join(", "));
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let options = [
            ("workload", self.workload.clone()),
            ("scenario", path(&self.scenario)),
            ("input", path(&self.input)),
            ("gpu", Some(self.gpu.clone())),
            ("launch", Some(self.launch.name().to_owned())),
            ("engine", self.engine.to_possible_value().map(|engine| engine.get_name().to_owned())),
        ];
        for (name, value) in options {
            if let Some(value) = value {
                let _ = writeln!(text, "{name} = {}", toml_text(&value));
            }
        }
        for setting in &self.set {
            let (key, value) = pair("--set", setting)?;
            let _ = writeln!(text, "{} = {}", toml_text(key), toml_text(value));
        }
        let _ = writeln!(text, "seed = {{ from = 1, to = {} }}", self.seeds);
        Ok(text)
    }
}

/// A row a scheduler, no wider than the terminal.
fn table(args: &CompareArgs, comparisons: &[Comparison]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    let mut header = vec!["scheduler".to_owned()];
    header
        .extend(args.metric.iter().flat_map(|metric| [metric.clone(), "by the first".to_owned()]));
    table.set_header(header);
    let spread = |interval: Option<f64>, digits: usize| {
        interval.map_or(String::new(), |interval| format!(" ±{interval:.digits$}"))
    };
    for of in comparisons.chunks(args.metric.len()) {
        let mut row = vec![of[0].scheduler.clone()];
        for one in of {
            let digits = if one.mean.abs() >= 1000.0 { 0 } else { 4 };
            row.push(format!("{:.digits$}{}", one.mean, spread(one.interval, digits)));
            row.push(match one.ratio {
                None => String::new(),
                Some(ratio) => format!("{ratio:.4}{}", spread(one.ratio_interval, 4)),
            });
        }
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let seeds = match args.seeds.get() {
        1 => "one seed: no intervals\n".to_owned(),
        seeds => format!("means of {seeds} seeds, ± half of the 95 % confidence interval\n"),
    };
    format!("{table}\n{seeds}")
}

fn csv(comparisons: &[Comparison]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    comparisons.iter().try_for_each(|one| writer.serialize(one)).into_diagnostic()?;
    writer.into_inner().into_diagnostic()
}
