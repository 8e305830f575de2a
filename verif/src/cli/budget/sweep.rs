//! `blockyard budget --sweep`: a budget for each combination of values.

use super::{area, tools, unasked, write_json_or_text, BudgetArgs, BudgetSpec};
use crate::budget::area::{Area, Technology};
use crate::budget::sweep::{self, Sweep};
use crate::budget::{self, Budget, Machine};
use crate::cli::launch::Launch;
use crate::cli::{complain, interrupt, Exit};
use crate::replay::{scratch, ToolStatus};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::output::write_file;
use blockyard_sim::sched::{self, Composition};
use clap::ValueEnum;
use miette::{miette, IntoDiagnostic, Report, Result};

/// The key whose values are schedulers.
const SCHEDULER: &str = "scheduler";
/// The key whose values are ways of launching.
const LAUNCH: &str = "launch";
/// The value that stands for all schedulers.
const ALL: &str = "all";

/// A combination of values, read.
struct Point {
    values: Vec<String>,
    spec: BudgetSpec,
    gpu: GpuConfig,
    composition: Composition,
}

/// Prints, draws and writes the budgets of all combinations.
///
/// # Errors
/// Bad input, no hardware for any combination, or a file that cannot be written.
pub fn main(args: &BudgetArgs, technology: Option<&Technology>) -> Result<Exit> {
    let sweeps: Vec<Sweep> = args.sweep.iter().map(|text| read(text)).collect::<Result<_>>()?;
    check(args, &sweeps)?;
    if args.plot.is_some() {
        budget::plot_axis(&sweeps)?;
    }
    let points = sweep::points(&sweeps);
    let points = points.into_iter().map(|values| Point::new(args, &sweeps, values));
    let points: Vec<Point> = points.collect::<Result<_>>()?;
    let status = tools(false, technology.is_some());
    let technology = technology.filter(|_| status == ToolStatus::Found);
    let stop = technology.map(|_| interrupt::flag()).transpose()?;
    let folder = scratch()?;
    // Not every scheduler is there for every GPU and way of launching; every number of a key is to
    // be.
    let may_miss = sweeps.iter().any(|sweep| [SCHEDULER, LAUNCH].contains(&sweep.key.as_str()));
    let (mut budgets, mut runs, mut missing) = (Vec::new(), Vec::new(), None);
    for Point { values, spec, gpu, composition } in points {
        let launch = spec.launch.into();
        let module = match budget::module(&composition, &gpu, launch) {
            Ok(module) => module,
            Err(error) if may_miss => {
                complain(&format!("left out: {error}"));
                missing = Some(error);
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let module = module.as_module();
        let mut budget = Budget::of(composition.to_string(), module, &Machine::new(&gpu, launch));
        if let (Some(technology), Some(stop)) = (technology, &stop) {
            area::check(&budget, technology)?;
            let mapped = args.area.mapped(folder.path());
            match Area::new(&budget, module, technology, mapped, Some(stop)) {
                Ok(area) => budget.area = Some(area),
                Err(error) => return unasked(error),
            }
        }
        runs.push(spec.comes_from(&gpu, &budget)?);
        budgets.push((values, budget));
    }
    if let Some(error) = missing.filter(|_| budgets.is_empty()) {
        return Err(Report::new(error));
    }
    if let Some(path) = &args.csv {
        write_file(path, |out| out.write_all(sweep::csv(&sweeps, &budgets).as_bytes()))?;
    }
    let json = || sweep::json(&sweeps, &budgets, &runs).into_diagnostic();
    write_json_or_text(args, json, || sweep::table(&sweeps, &budgets))?;
    if let Some(path) = &args.plot {
        let plot = budget::svg(&args.of.scheduler, &sweeps, &budgets)?;
        write_file(path, |out| out.write_all(plot.as_bytes()))?;
    }
    if let Some(message) = status.message() {
        complain(&message);
    }
    match status {
        ToolStatus::Required(_) => Ok(Exit::CheckFailed),
        _ => Ok(Exit::Fine),
    }
}

/// Refuses what would say two things of one key.
fn check(args: &BudgetArgs, sweeps: &[Sweep]) -> Result<()> {
    let BudgetSpec { scheduler, launch, gpu } = &args.of;
    for (at, Sweep { key, values }) in sweeps.iter().enumerate() {
        let twice = |message: String| Err(miette!(help = "expected each once", "{message}"));
        if sweeps[..at].iter().any(|other| other.key == *key) {
            return twice(format!("`--sweep {key}` stands twice"));
        }
        if let Some(value) = values.iter().enumerate().find(|(at, v)| values[..*at].contains(v)) {
            return twice(format!("`{}` stands twice in `--sweep {key}`", value.1));
        }
        let stated = match key.as_str() {
            SCHEDULER => scheduler != "rr",
            LAUNCH => *launch != Launch::Flat,
            _ => false,
        };
        if stated {
            return twice(format!("`--{key}` and `--sweep {key}` say two things"));
        }
        let mut set = gpu.set.iter().filter_map(|setting| setting.split_once('='));
        if set.any(|(set, _)| GpuConfig::canonical_key(set.trim()) == key) {
            return twice(format!("`--set {key}` and `--sweep {key}` say two things of one key"));
        }
    }
    Ok(())
}

/// A sweep as it was written, with the schedulers that `all` stands for.
fn read(text: &str) -> Result<Sweep> {
    let sweep = Sweep::parse(text).map_err(|reason| {
        miette!(help = "expected --sweep key=value,value", "`--sweep {text}`: {reason}")
    })?;
    match sweep.key == SCHEDULER && sweep.values == [ALL] {
        true => Ok(Sweep { values: all_schedulers(), ..sweep }),
        false => Ok(sweep),
    }
}

/// All schedulers that are known by a name, each once, and each gate over `rr`.
fn all_schedulers() -> Vec<String> {
    let mut known: Vec<Composition> = Vec::new();
    let names = sched::known().map(|known| match known.name.starts_with('+') {
        true => format!("rr{}", known.name),
        false => known.name.to_owned(),
    });
    names
        .filter(|name| {
            let composition = name.parse().ok().filter(|it| !known.contains(it));
            let is_new = composition.is_some();
            known.extend(composition);
            is_new
        })
        .collect()
}

impl Point {
    fn new(args: &BudgetArgs, sweeps: &[Sweep], values: Vec<String>) -> Result<Self> {
        let mut spec = args.of.clone();
        for (Sweep { key, .. }, value) in sweeps.iter().zip(&values) {
            match key.as_str() {
                SCHEDULER => spec.scheduler.clone_from(value),
                LAUNCH => {
                    spec.launch = Launch::from_str(value, false).map_err(|_| {
                        miette!(
                            help = "expected flat, cdp or dtbl",
                            "`{value}` is no way of launching"
                        )
                    })?;
                }
                _ => spec.gpu.set.push(format!("{key}={value}")),
            }
        }
        let (gpu, composition) = (spec.gpu()?, spec.composition()?);
        Ok(Self { values, spec, gpu, composition })
    }
}
