//! `blockyard budget`.

mod area;
mod sweep;

use super::launch::Launch;
use super::settings::GpuArgs;
use super::{complain, interrupt, outputs, print, Exit};
use crate::budget::area::{Area, Technology};
use crate::budget::{self, Budget, Hardware, Hierarchy, Machine, Mapping, Target};
use crate::provenance::Provenance;
use crate::regress::StopFlag;
use crate::replay::{scratch, ReplayError, Tool, ToolStatus};
use blockyard_rtl::module::Module;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::input::STANDARD;
use blockyard_sim::output::write_file;
use blockyard_sim::sched::Composition;
use clap::Args;
use miette::{miette, Result};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments of `budget`.
#[derive(Debug, Args)]
pub struct BudgetArgs {
    #[command(flatten)]
    of: BudgetSpec,
    /// Count flip-flops, memories and cells in the exported Verilog as well; fails where they
    /// differ from what is declared for no known reason
    #[arg(long)]
    yosys: bool,
    /// Map the exported Verilog to an FPGA with Yosys: LUTs, flip-flops, memories, LUTs in a row;
    /// this takes half a minute for `rr`, and much longer for large schedulers
    #[arg(long, value_enum)]
    target: Option<Target>,
    /// Map each module alone, once for all its instances: minutes instead of hours for large
    /// schedulers, and a few more LUTs
    #[arg(long, requires = "target")]
    keep_hierarchy: bool,
    #[command(flatten)]
    area: area::AreaArgs,
    /// Table the cost against values of a key: `agt.entries=256,512`, or of `scheduler` (`all`:
    /// those that there are) or `launch`; may be repeated
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

/// What decides on a budget.
#[derive(Clone, Debug, Args, Serialize)]
struct BudgetSpec {
    /// Scheduler, by composition: `rr+claso(pa=1,pl=0)`
    #[arg(long, default_value = "rr")]
    scheduler: String,
    /// How launches from the device reach the scheduler
    #[arg(long, value_enum, default_value_t = Launch::Flat)]
    launch: Launch,
    #[command(flatten)]
    #[serde(flatten)]
    gpu: GpuArgs,
}

impl BudgetSpec {
    fn composition(&self) -> Result<Composition> {
        self.gpu.scheduler(&self.scheduler)
    }

    /// The GPU; keys of workloads mean nothing here.
    fn gpu(&self) -> Result<GpuConfig> {
        let (gpu, settings) = self.gpu.preset()?;
        if let Some(key) = settings.keys.first() {
            return Err(miette!(
                help = "set only keys of the GPU here",
                "`{key}` is of a workload"
            ));
        }
        self.gpu.validate(&gpu)?;
        Ok(gpu)
    }

    /// What `budget` comes from.
    fn comes_from(&self, gpu: &GpuConfig, budget: &Budget) -> Result<Provenance<Self>> {
        let inputs = self.gpu.file().into_iter().map(ToOwned::to_owned).collect();
        let scheduler = Some(budget.scheduler.clone());
        Ok(Provenance { scheduler, ..Provenance::of_many(self.clone(), gpu, inputs)? })
    }
}

/// Prints what a scheduler's hardware stores.
///
/// # Errors
/// Bad input, or a file that cannot be written.
pub fn main(args: &BudgetArgs) -> Result<Exit> {
    check_outputs(args)?;
    let technology = args.area.technology()?;
    if !args.sweep.is_empty() {
        return sweep::main(args, technology.as_ref());
    }
    let (composition, gpu) = (args.of.composition()?, args.of.gpu()?);
    let launch = args.of.launch.into();
    let module = budget::module(&composition, &gpu, launch)?;
    let machine = Machine::new(&gpu, launch);
    let mut budget = Budget::of(composition.to_string(), module.as_module(), &machine);
    if let Some(technology) = &technology {
        area::check(&budget, technology)?;
    }
    let asks_yosys = args.yosys || args.target.is_some();
    let status = tools(asks_yosys, technology.is_some());
    if (asks_yosys || technology.is_some()) && status == ToolStatus::Found {
        let stop = interrupt::flag()?;
        let asked = ask_yosys(args, &mut budget, module.as_module(), technology.as_ref(), &stop);
        if let Err(error) = asked {
            return unasked(error);
        }
    }
    write(args, &budget, &args.of.comes_from(&gpu, &budget)?)?;
    if let Some(message) = status.message() {
        complain(&message);
    }
    match status {
        ToolStatus::Required(_) => Ok(Exit::CheckFailed),
        _ => Ok(verdict(&budget)),
    }
}

/// Whether the tools are there that are asked for.
fn tools(asks_yosys: bool, asks_abc: bool) -> ToolStatus {
    match (asks_yosys, asks_abc) {
        (_, true) => Tool::Abc.status(),
        (true, false) => Tool::Yosys.status(),
        (false, false) => ToolStatus::Found,
    }
}

/// What it means that Yosys did not do what it was asked.
fn unasked(error: ReplayError) -> Result<Exit> {
    match error {
        ReplayError::Stopped { .. } => {
            complain(&error.to_string());
            Ok(Exit::Interrupted)
        }
        ReplayError::Rejected { .. } | ReplayError::Timeout { .. } => {
            complain(&error.to_string());
            Ok(Exit::CheckFailed)
        }
        error => Err(error.into()),
    }
}

/// Adds what Yosys counts, and what the scheduler takes on an FPGA and on a chip.
fn ask_yosys(
    args: &BudgetArgs,
    budget: &mut Budget,
    module: &dyn Module,
    technology: Option<&Technology>,
    stop: &StopFlag,
) -> Result<(), ReplayError> {
    let folder = scratch()?;
    if args.yosys {
        budget.yosys = Some(Hardware::new(budget, module, folder.path(), Some(stop))?);
    }
    if let Some(target) = args.target {
        let hierarchy = match args.keep_hierarchy {
            true => Hierarchy::Kept,
            false => Hierarchy::Flattened,
        };
        let how = (target, hierarchy);
        budget.mapping = Some(Mapping::new(module, how, folder.path(), Some(stop))?);
    }
    if let Some(technology) = technology {
        let mapped = args.area.mapped(folder.path());
        budget.area = Some(Area::new(budget, module, technology, mapped, Some(stop))?);
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

fn write(args: &BudgetArgs, budget: &Budget, comes_from: &Provenance<BudgetSpec>) -> Result<()> {
    if let Some(path) = &args.csv {
        write_file(path, |out| out.write_all(budget::csv(budget).as_bytes()))?;
    }
    let json = || Ok(comes_from.beside(budget));
    let text = || match args.markdown {
        true => budget::markdown(budget),
        false => budget::text(budget),
    };
    write_json_or_text(args, json, text)
}

/// JSON to standard output alone, or to a file beside the text; the text goes to standard error
/// beside a file that goes to standard output.
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

fn check_outputs(args: &BudgetArgs) -> Result<()> {
    let standard = PathBuf::from(STANDARD);
    let json = args.json.as_ref().map(|file| file.as_ref().unwrap_or(&standard));
    let written = [
        outputs::named("--json", json),
        outputs::named("--csv", args.csv.as_ref()),
        outputs::named("--plot", args.plot.as_ref()),
    ];
    let read = outputs::named("--gpu", args.of.gpu.file());
    outputs::check(&written.into_iter().flatten().collect::<Vec<_>>(), read.as_slice())
}
