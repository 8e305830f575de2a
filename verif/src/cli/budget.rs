//! `blockyard budget`.

use super::run::Launch;
use super::settings::GpuArgs;
use super::{complain, outputs, print, Exit};
use crate::budget::sweep::{self, Sweep};
use crate::budget::{self, Budget, Hardware, Machine};
use crate::replay::{ReplayError, Tool};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::output::write_file;
use clap::Args;
use miette::{miette, IntoDiagnostic, Report, Result};
use std::path::PathBuf;

/// Arguments of `budget`.
#[derive(Debug, Args)]
pub struct BudgetArgs {
    /// Scheduler, by composition: `rr+claso(pa=1,pl=0)`
    #[arg(long, default_value = "rr")]
    scheduler: String,
    /// How launches from the device reach the scheduler
    #[arg(long, value_enum, default_value_t = Launch::Flat)]
    launch: Launch,
    #[command(flatten)]
    gpu: GpuArgs,
    /// Count flip-flops, memories and cells in the exported Verilog as well; fails where they differ
    /// from what is declared for no known reason
    #[arg(long)]
    yosys: bool,
    /// Table the cost against values of a key: `agt.entries=256,512`; may be repeated
    #[arg(long, value_name = "KEY=V,V", conflicts_with_all = ["yosys", "json"])]
    sweep: Vec<String>,
    /// Print JSON, or write it to F and print the table
    #[arg(long, value_name = "F", num_args = 0..=1, conflicts_with = "markdown")]
    json: Option<Option<PathBuf>>,
    /// Write the rows, or a sweep's points, as CSV
    #[arg(long, value_name = "F")]
    csv: Option<PathBuf>,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
}

/// Prints what a scheduler's hardware stores.
///
/// # Errors
/// Bad input, or a file that cannot be written.
pub fn main(args: &BudgetArgs) -> Result<Exit> {
    check_outputs(args)?;
    if !args.sweep.is_empty() {
        return sweep(args);
    }
    let composition = args.gpu.scheduler(&args.scheduler)?;
    let gpu = gpu(&args.gpu)?;
    let launch = args.launch.into();
    let module = budget::module(&composition, &gpu, launch)?;
    let machine = Machine::new(&gpu, launch);
    let mut budget = Budget::of(composition.to_string(), module.as_module(), &machine);
    let mut skipped = None;
    if args.yosys {
        match Tool::Yosys.status().message() {
            Some(message) => skipped = Some(message),
            None => {
                let folder = tempfile::tempdir().into_diagnostic()?;
                match Hardware::new(&budget, module.as_module(), folder.path()) {
                    Ok(hardware) => budget.yosys = Some(hardware),
                    Err(error @ (ReplayError::Rejected { .. } | ReplayError::Timeout { .. })) => {
                        complain(&error.to_string());
                        return Ok(Exit::CheckFailed);
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        }
    }
    write(args, &budget)?;
    if let Some(message) = skipped {
        complain(&message);
    }
    Ok(verdict(&budget))
}

/// Fails where Yosys finds something else than is declared, for no known reason.
fn verdict(budget: &Budget) -> Exit {
    let Some(hardware) = budget.yosys.as_ref().filter(|hardware| !hardware.is_explained()) else {
        return Exit::Fine;
    };
    for place in hardware.places.iter().filter(|place| place.unexplained) {
        complain(&format!(
            "{}: {} bits declared, {} of flip-flops and {} of memories in the Verilog, {} after opt",
            place.path,
            place.declared_bits,
            place.register_bits,
            place.memory_bits,
            place.optimized_bits
        ));
    }
    Exit::CheckFailed
}

fn write(args: &BudgetArgs, budget: &Budget) -> Result<()> {
    if let Some(path) = &args.csv {
        write_file(path, |out| out.write_all(budget::csv(budget).as_bytes()))?;
    }
    let json = match args.json {
        Some(_) => serde_json::to_string_pretty(budget).into_diagnostic()? + "\n",
        None => String::new(),
    };
    match &args.json {
        Some(None) => {
            print(&json);
            return Ok(());
        }
        Some(Some(path)) => write_file(path, |out| out.write_all(json.as_bytes()))?,
        None => {}
    }
    let text = if args.markdown { budget::markdown(budget) } else { budget::text(budget) };
    print(&text);
    Ok(())
}

fn sweep(args: &BudgetArgs) -> Result<Exit> {
    let sweeps = args.sweep.iter().map(|text| {
        Sweep::parse(text).map_err(|reason| {
            let help = "expected --sweep key=value,value";
            miette!(help = help, "`--sweep {text}`: {reason}")
        })
    });
    let sweeps: Vec<Sweep> = sweeps.collect::<Result<_>>()?;
    let mut budgets = Vec::new();
    for values in sweep::points(&sweeps) {
        let mut point = args.gpu.clone();
        let set = sweeps.iter().zip(&values).map(|(sweep, value)| format!("{}={value}", sweep.key));
        point.set.extend(set);
        let composition = point.scheduler(&args.scheduler)?;
        let budget = Budget::new(&composition, &gpu(&point)?, args.launch.into());
        budgets.push((values, budget.map_err(Report::new)?));
    }
    if let Some(path) = &args.csv {
        write_file(path, |out| out.write_all(sweep::csv(&sweeps, &budgets).as_bytes()))?;
    }
    print(&sweep::table(&sweeps, &budgets));
    Ok(Exit::Fine)
}

/// The GPU; keys of workloads mean nothing here.
fn gpu(args: &GpuArgs) -> Result<GpuConfig> {
    let (gpu, settings) = args.preset()?;
    if let Some(key) = settings.keys.first() {
        return Err(miette!(help = "set only keys of the GPU here", "`{key}` is of a workload"));
    }
    gpu.validate()?;
    Ok(gpu)
}

fn check_outputs(args: &BudgetArgs) -> Result<()> {
    let named = |option, path: Option<&PathBuf>| {
        path.map(|path| outputs::Named { option, path: path.clone() })
    };
    let json = args.json.as_ref().and_then(Option::as_ref);
    let written = [named("--json", json), named("--csv", args.csv.as_ref())];
    outputs::check(&written.into_iter().flatten().collect::<Vec<_>>(), &[])
}
