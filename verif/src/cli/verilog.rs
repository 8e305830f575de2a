//! `blockyard verilog`.

use super::launch::Launch;
use super::settings::GpuArgs;
use super::{print, Exit};
use crate::engine::rtl_module;
use crate::export::{self, properties::Whose};
use blockyard_sim::input::is_standard;
use blockyard_sim::output::write_file;
use clap::Args;
use miette::{miette, Result};
use std::path::PathBuf;

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
    /// Write what modules promise into them, as SystemVerilog behind the define BLOCKYARD_PROPERTIES
    #[arg(long)]
    properties: bool,
    /// Folder to write into, made if it is missing; `-` for standard output
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Writes the Verilog of a scheduler: one file with one top module, `blockyard_top`.
///
/// # Errors
/// Bad input, or a folder that cannot be written to.
pub fn main(args: &VerilogArgs) -> Result<Exit> {
    let composition = args.gpu.scheduler(&args.scheduler)?;
    let (gpu, settings) = args.gpu.preset()?;
    if let Some(key) = settings.keys.first() {
        return Err(miette!(help = "set only keys of the GPU here", "`{key}` is of a workload"));
    }
    gpu.validate()?;
    let launch = args.launch.into();
    let storage = gpu.launch.storage();
    let module = rtl_module(&composition, launch, storage, gpu.floor_plan(), gpu.limits())?;
    let text = match args.properties {
        true => export::with_properties(module.as_module(), TOP, Whose::All)?.0,
        false => export::verilog(module.as_module(), TOP)?,
    };
    if is_standard(&args.out) {
        print(&(header(args, &composition.to_string(), gpu.smx.count) + &text))?;
        return Ok(Exit::Fine);
    }
    std::fs::create_dir_all(&args.out)
        .map_err(|error| miette!("cannot make the folder {}: {error}", args.out.display()))?;
    let path = args.out.join(format!("{TOP}.v"));
    let header = header(args, &composition.to_string(), gpu.smx.count);
    write_file(&path, |out| {
        out.write_all(header.as_bytes())?;
        out.write_all(text.as_bytes())
    })?;
    print(&format!("{}\n", path.display()))?;
    Ok(Exit::Fine)
}

/// What the file says of itself.
fn header(args: &VerilogArgs, scheduler: &str, smx: u32) -> String {
    format!(
        "// {scheduler} for {smx} SMXs of a {}, --launch {}\n// Top module: {TOP}. Clock: clock, rising edge. Reset: reset, synchronous, active high.\n\n",
        args.gpu.gpu,
        args.launch.name()
    )
}

/// The name of the top module.
const TOP: &str = "blockyard_top";
