//! `blockyard verilog`.

use super::launch::Launch;
use super::settings::GpuArgs;
use super::{interrupt, print, Exit};
use crate::engine::rtl_module;
use crate::export::{self, properties::Whose};
use crate::kit::{self, KitSpec};
use blockyard_sim::input::is_standard;
use blockyard_sim::output;
use clap::Args;
use miette::{miette, Result};
use std::path::{Path, PathBuf};

/// Arguments of `verilog`.
#[derive(Debug, Args)]
pub struct VerilogArgs {
    /// Scheduler, by composition: `rr+claso(pa=1,pl=0)`
    #[arg(long)]
    scheduler: String,
    /// How launches from the device reach the scheduler
    #[arg(long, value_enum, default_value_t = Launch::Flat)]
    launch: Launch,
    #[command(flatten)]
    gpu: GpuArgs,
    /// Write what modules promise into them, as SystemVerilog behind the define
    /// BLOCKYARD_PROPERTIES
    #[arg(long)]
    properties: bool,
    /// The Verilog alone, without the kit beside it
    #[arg(long, conflicts_with_all = ["seed", "cycles"])]
    no_kit: bool,
    /// Seed of the traffic that is recorded for the kit's test bench [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Cycles of that traffic [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_CYCLES))]
    cycles: Option<u64>,
    /// Folder to write into, made if it is missing; `-` for standard output, and the Verilog alone
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Writes the Verilog of a scheduler, one file with one top module, `blockyard_top`, and beside it
/// the kit.
///
/// # Errors
/// Bad input, or a folder that cannot be written to.
pub fn main(args: &VerilogArgs) -> Result<Exit> {
    if is_standard(&args.out) && (args.seed.is_some() || args.cycles.is_some()) {
        return Err(miette!(
            help = "they are of the traffic of the kit, which is written into a folder",
            "`--seed` and `--cycles` do nothing with `--out -`"
        ));
    }
    let composition = args.gpu.scheduler(&args.scheduler)?;
    let (gpu, settings) = args.gpu.preset()?;
    if let Some(key) = settings.keys.first() {
        return Err(miette!(help = "set only keys of the GPU here", "`{key}` is of a workload"));
    }
    args.gpu.validate(&gpu)?;
    let spec = KitSpec {
        composition,
        launch: args.launch.into(),
        storage: gpu.launch.storage(),
        plan: gpu.floor_plan(),
        limits: gpu.limits(),
        seed: args.seed.unwrap_or(SEED),
        cycles: args.cycles.unwrap_or(CYCLES),
        about: format!(
            "{} SMXs of a {}, --launch {}",
            gpu.smx.count,
            args.gpu.gpu,
            args.launch.name()
        ),
    };
    let text = header(&spec) + &verilog(&spec, args.properties)?;
    if is_standard(&args.out) {
        print(&text)?;
        return Ok(Exit::Fine);
    }
    let path = args.out.join(format!("{TOP}.v"));
    let mut files = vec![(path.clone(), text)];
    if !args.no_kit {
        let folder = args.out.join(kit::FOLDER);
        let stop = interrupt::flag()?;
        let kit = kit::files(&spec, &stop)?.into_iter();
        if stop.is_raised() {
            return Ok(Exit::Interrupted);
        }
        files.extend(kit.map(|(name, text)| (folder.join(name), text)));
    }
    write(&files)?;
    print(&format!("{}\n", path.display()))?;
    Ok(Exit::Fine)
}

fn verilog(spec: &KitSpec, properties: bool) -> Result<String> {
    let KitSpec { composition, launch, storage, plan, limits, .. } = spec;
    let module = rtl_module(composition, *launch, *storage, plan.clone(), *limits)?;
    Ok(match properties {
        true => export::with_properties(module.as_module(), TOP, Whose::All)?.0,
        false => export::verilog(module.as_module(), TOP)?,
    })
}

/// Writes files into folders, which are made; none is written unless all can be.
fn write(files: &[(PathBuf, String)]) -> Result<()> {
    for (path, _) in files {
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)
            .map_err(|error| miette!("cannot make the folder {}: {error}", folder.display()))?;
        output::probe(path).map_err(|error| output::unwritable(path, &error))?;
    }
    for (path, text) in files {
        output::write_file(path, |out| out.write_all(text.as_bytes()))?;
    }
    Ok(())
}

/// What the file says of itself.
fn header(spec: &KitSpec) -> String {
    format!(
        "// {} for {}\n// Top module: {TOP}. Clock: clock, rising edge. Reset: reset, synchronous, active high.\n\n",
        spec.composition, spec.about
    )
}

/// The name of the top module.
const TOP: &str = "blockyard_top";

/// The seed of the traffic that is recorded, unless another one is given.
const SEED: u64 = 1;

/// The cycles of it.
const CYCLES: u64 = 1000;

/// Most cycles that are recorded: minutes for the largest schedulers.
const MOST_CYCLES: u64 = 1_000_000;
