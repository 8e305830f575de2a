//! `blockyard budget`.

use super::launch::Launch;
use super::settings::GpuArgs;
use super::{complain, interrupt, outputs, print, Exit};
use crate::budget::sweep::{self, Sweep};
use crate::budget::{self, Budget, Hardware, Machine, Mapping, Target};
use crate::regress::StopFlag;
use crate::replay::{ReplayError, Tool, ToolStatus};
use blockyard_rtl::module::Module;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::input::STANDARD;
use blockyard_sim::output::write_file;
use clap::Args;
use miette::{miette, IntoDiagnostic, Report, Result};
use std::path::{Path, PathBuf};

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
    /// Map the exported Verilog to an FPGA with Yosys: LUTs, flip-flops, memories, LUTs in a row; this
    /// takes half a minute for `rr`, and much longer for large schedulers
    #[arg(long, value_enum)]
    target: Option<Target>,
    /// Table the cost against values of a key: `agt.entries=256,512`; may be repeated
    #[arg(long, value_name = "KEY=V,V", conflicts_with_all = ["yosys", "target"])]
    sweep: Vec<String>,
    /// Draw the sweep as SVG, against its last key that takes numbers
    #[arg(long, value_name = "F", requires = "sweep")]
    plot: Option<PathBuf>,
    /// Print JSON, or write it to F and print the tables
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
    let asks_yosys = args.yosys || args.target.is_some();
    let status = if asks_yosys { Tool::Yosys.status() } else { ToolStatus::Found };
    if asks_yosys && status == ToolStatus::Found {
        let stop = interrupt::flag()?;
        match ask_yosys(args, &mut budget, module.as_module(), &stop) {
            Ok(()) => {}
            Err(error @ ReplayError::Stopped { .. }) => {
                complain(&error.to_string());
                return Ok(Exit::Interrupted);
            }
            Err(error @ (ReplayError::Rejected { .. } | ReplayError::Timeout { .. })) => {
                complain(&error.to_string());
                return Ok(Exit::CheckFailed);
            }
            Err(error) => return Err(error.into()),
        }
    }
    write(args, &budget)?;
    if let Some(message) = status.message() {
        complain(&message);
    }
    match status {
        ToolStatus::Required(_) => Ok(Exit::CheckFailed),
        _ => Ok(verdict(&budget)),
    }
}

/// Adds what Yosys counts, and what the scheduler takes on an FPGA.
fn ask_yosys(
    args: &BudgetArgs,
    budget: &mut Budget,
    module: &dyn Module,
    stop: &StopFlag,
) -> Result<(), ReplayError> {
    let folder = tempfile::tempdir().map_err(|source| ReplayError::Io {
        what: "making a temporary folder".to_owned(),
        source,
    })?;
    if args.yosys {
        budget.yosys = Some(Hardware::new(budget, module, folder.path(), Some(stop))?);
    }
    if let Some(target) = args.target {
        budget.mapping = Some(Mapping::new(module, target, folder.path(), Some(stop))?);
    }
    Ok(())
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
    let json = || Ok(serde_json::to_string_pretty(budget).into_diagnostic()? + "\n");
    let text = || match args.markdown {
        true => budget::markdown(budget),
        false => budget::text(budget),
    };
    write_json_or_text(args, json, text)
}

/// JSON to standard output alone, or to a file beside the text; the text goes to standard error beside a file that
/// goes to standard output.
fn write_json_or_text(
    args: &BudgetArgs,
    json: impl Fn() -> Result<String>,
    text: impl Fn() -> String,
) -> Result<()> {
    match &args.json {
        Some(None) => {
            let json = json()?;
            write_file(Path::new(STANDARD), |out| out.write_all(json.as_bytes()))?;
        }
        Some(Some(path)) => {
            let json = json()?;
            write_file(path, |out| out.write_all(json.as_bytes()))?;
            print(&text())?;
        }
        None => print(&text())?,
    }
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
        let gpu = gpu(&point)?;
        let budget = Budget::new(&composition, &gpu, args.launch.into());
        budgets.push((values, budget.map_err(Report::new)?));
    }
    if let Some(path) = &args.plot {
        let plot = budget::svg(&args.scheduler, &sweeps, &budgets)?;
        write_file(path, |out| out.write_all(plot.as_bytes()))?;
    }
    if let Some(path) = &args.csv {
        write_file(path, |out| out.write_all(sweep::csv(&sweeps, &budgets).as_bytes()))?;
    }
    let json = || sweep::json(&sweeps, &budgets).into_diagnostic();
    write_json_or_text(args, json, || sweep::table(&sweeps, &budgets))?;
    Ok(Exit::Fine)
}

/// The GPU; keys of workloads mean nothing here.
fn gpu(args: &GpuArgs) -> Result<GpuConfig> {
    let gpu = unchecked_gpu(args)?;
    gpu.validate()?;
    Ok(gpu)
}

fn unchecked_gpu(args: &GpuArgs) -> Result<GpuConfig> {
    let (gpu, settings) = args.preset()?;
    match settings.keys.first() {
        Some(key) => {
            Err(miette!(help = "set only keys of the GPU here", "`{key}` is of a workload"))
        }
        None => Ok(gpu),
    }
}

fn check_outputs(args: &BudgetArgs) -> Result<()> {
    let named = |option, path: Option<&PathBuf>| {
        path.map(|path| outputs::Named { option, path: path.clone() })
    };
    let standard = PathBuf::from(STANDARD);
    let json = args.json.as_ref().map(|file| file.as_ref().unwrap_or(&standard));
    let written = [
        named("--json", json),
        named("--csv", args.csv.as_ref()),
        named("--plot", args.plot.as_ref()),
    ];
    outputs::check(&written.into_iter().flatten().collect::<Vec<_>>(), &[])
}
