//! `blockyard kernel`.

use super::kernel_file::module;
use super::launch::Launch;
use super::{cuda, print, terminal, Exit};
use blockyard_ptx::{Kernel, KernelInfo, Program};
use clap::{Args, Subcommand};
use comfy_table::{presets::ASCII_MARKDOWN, CellAlignment, Table};
use miette::{IntoDiagnostic, Result};
use serde_json::{json, Value};
use std::path::PathBuf;

/// Arguments of `kernel`.
#[derive(Debug, Args)]
pub struct KernelCommandArgs {
    #[command(subcommand)]
    command: KernelCommand,
}

#[derive(Debug, Subcommand)]
enum KernelCommand {
    /// Kernels of a module: parameters, registers, memory, instructions by unit, opcodes, calls
    Info(InfoArgs),
}

#[derive(Debug, Args)]
struct InfoArgs {
    /// The module, in PTX or, if clang is there, in CUDA C++
    #[arg(value_name = "F.ptx|F.cu")]
    kernel: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Architecture that clang compiles a .cu for
    #[arg(long, value_name = "sm_NN", default_value = cuda::ARCHITECTURE, value_parser = cuda::architecture)]
    cuda_arch: String,
    /// How the device code of a .cu launches
    #[arg(long, default_value = "flat")]
    launch: Launch,
}

/// Runs the subcommand.
///
/// # Errors
/// When the module cannot be read, compiled or executed.
pub fn main(args: &KernelCommandArgs) -> Result<Exit> {
    let KernelCommand::Info(args) = &args.command;
    let program = module(&args.kernel, &args.cuda_arch, args.launch.into())?;
    if args.json {
        let kernels = program.kernels().iter().map(|kernel| to_json(&program, kernel));
        let kernels = Value::Array(kernels.collect());
        print(&(serde_json::to_string_pretty(&kernels).into_diagnostic()? + "\n"))?;
    } else {
        let kernels = program.kernels().iter().map(|kernel| render(&program, kernel));
        print(&kernels.collect::<Vec<String>>().join("\n"))?;
    }
    Ok(Exit::Fine)
}

fn to_json(program: &Program, kernel: &Kernel) -> Value {
    let info = program.info(kernel);
    let parameters = kernel.parameters.iter().map(|parameter| {
        json!({
            "name": &*parameter.name,
            "type": parameter.ty.to_string(),
            "offset": parameter.offset,
            "bytes": parameter.bytes,
        })
    });
    json!({
        "name": &*kernel.name,
        "parameters": parameters.collect::<Vec<Value>>(),
        "registers": kernel.registers,
        "shared_memory": kernel.shared_memory,
        "local_memory": kernel.local_memory,
        "most_threads": kernel.most_threads,
        "calls": info.calls,
        "calls_indirectly": info.calls_indirectly,
        "launches": info.launches,
        "units": info.all.units,
        "opcodes": info.all.opcodes,
    })
}

/// What is said of a kernel, and a table of its instructions.
fn render(program: &Program, kernel: &Kernel) -> String {
    let info = program.info(kernel);
    let mut text = table(["kernel", &kernel.name], rows(kernel, &info));
    text.push('\n');
    let parameters = kernel.parameters.iter().map(|parameter| {
        let elements = parameter.bytes / parameter.ty.bytes().max(1);
        let of = if elements == 1 { String::new() } else { format!("[{elements}]") };
        let ty = format!(".{}{of}", parameter.ty);
        [format!("{} {}", parameter.offset, parameter.name), ty]
    });
    if !kernel.parameters.is_empty() {
        text += &table(["offset, parameter", "type"], parameters);
        text.push('\n');
    }
    let counted = |(what, count): (&str, &u64)| [what.to_owned(), count.to_string()];
    let units = info.all.units.iter().map(|(unit, count)| counted((unit, count)));
    text += &table(["unit", "instructions"], units);
    text.push('\n');
    let opcodes = info.all.opcodes.iter().map(|(opcode, count)| counted((opcode, count)));
    text + &table(["opcode", "instructions"], opcodes)
}

fn rows(kernel: &Kernel, info: &KernelInfo) -> Vec<[String; 2]> {
    let all = |mix: &blockyard_ptx::Mix| mix.opcodes.values().sum::<u64>();
    let mut calls: Vec<String> = info.calls.iter().cloned().collect();
    if info.calls_indirectly {
        calls.push("through pointers".to_owned());
    }
    if calls.is_empty() {
        calls.push("none".to_owned());
    }
    let rows = [
        ("registers a thread", kernel.registers.to_string()),
        ("shared memory, bytes", kernel.shared_memory.to_string()),
        ("local memory a thread, bytes", kernel.local_memory.to_string()),
        (
            "threads a block, at most",
            kernel.most_threads.map_or("1024".to_owned(), |most| most.to_string()),
        ),
        ("instructions", all(&info.own).to_string()),
        ("instructions with those of functions", all(&info.all).to_string()),
        ("calls", calls.join(", ")),
        ("launches from the device", if info.launches { "yes" } else { "no" }.to_owned()),
    ];
    rows.map(|(what, value)| [what.to_owned(), value]).to_vec()
}

fn table(header: [&str; 2], rows: impl IntoIterator<Item = [String; 2]>) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header(header);
    for row in rows {
        table.add_row(row);
    }
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    terminal::fit(&mut table);
    table.trim_fmt() + "\n"
}
