//! `blockyard trace`.

use super::{print, terminal, Exit};
use blockyard_sim::workload::trace::{info, Counts, KernelInfo, TraceInfo, LINE};
use clap::{Args, Subcommand};
use comfy_table::{presets::ASCII_MARKDOWN, CellAlignment, Table};
use miette::{IntoDiagnostic, Result};
use std::fmt::Write;
use std::path::PathBuf;

/// Arguments of `trace`.
#[derive(Debug, Args)]
pub struct TraceArgs {
    #[command(subcommand)]
    command: TraceCommand,
}

#[derive(Debug, Subcommand)]
enum TraceCommand {
    /// Count what is in an instruction trace, and check all of it
    Info(InfoArgs),
}

#[derive(Debug, Args)]
struct InfoArgs {
    /// kernelslist.g, or one kernel's .traceg, .traceg.xz or .tracez
    #[arg(value_name = "F")]
    trace: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// When a file of the trace cannot be read, or is not valid.
pub fn main(args: &TraceArgs) -> Result<Exit> {
    let TraceCommand::Info(args) = &args.command;
    let trace = info(&args.trace)?;
    if args.json {
        print(&(serde_json::to_string_pretty(&trace).into_diagnostic()? + "\n"))?;
    } else {
        print(&render(&trace))?;
    }
    Ok(Exit::Fine)
}

/// A label, and the value that it stands for.
type Row<T, V> = (&'static str, fn(&T) -> V);

/// What the header says of a kernel.
const ROWS: [Row<KernelInfo, String>; 9] = [
    ("name", |kernel| kernel.name.clone()),
    ("id", |kernel| kernel.id.to_string()),
    ("stream", |kernel| kernel.stream.to_string()),
    ("architecture", |kernel| format!("{:?}", kernel.architecture)),
    ("tracer version", |kernel| kernel.tracer_version.to_string()),
    ("grid", |kernel| extent(kernel.grid)),
    ("block", |kernel| extent(kernel.block)),
    ("registers a thread", |kernel| kernel.registers_per_thread.to_string()),
    ("shared memory, bytes", |kernel| kernel.shared_memory.to_string()),
];

/// What is counted.
const COUNTS: [Row<Counts, u64>; 13] = [
    ("blocks", |counts| counts.blocks),
    ("warps", |counts| counts.warps),
    ("warp instructions", |counts| counts.warp_instructions),
    ("thread instructions", |counts| counts.thread_instructions),
    ("global loads", |counts| counts.global_loads),
    ("global stores", |counts| counts.global_stores),
    ("global atomics", |counts| counts.global_atomics),
    ("shared memory", |counts| counts.shared),
    ("constant memory", |counts| counts.constant),
    ("barriers", |counts| counts.barriers),
    ("unknown opcodes", |counts| counts.unknown_opcodes),
    ("bulk copies", |counts| counts.bulk_copies),
    ("footprint, bytes", |counts| counts.footprint),
];

/// A table a kernel, and one for all of them if there are several.
fn render(trace: &TraceInfo) -> String {
    let mut text = String::new();
    for kernel in &trace.kernels {
        let own = ROWS.iter().map(|(what, value)| ((*what).to_owned(), value(kernel)));
        table(&mut text, own.chain(counts(&kernel.counts)));
        grain(&mut text, &kernel.counts);
        text.push('\n');
    }
    let kernels = trace.kernels.len();
    if kernels > 1 {
        let all = [("kernels".to_owned(), kernels.to_string())];
        table(&mut text, all.into_iter().chain(counts(&trace.total)));
        grain(&mut text, &trace.total);
        text.push('\n');
    }
    let (copies, bytes) = (trace.copies, trace.copied_bytes);
    let _ = writeln!(text, "copies to the GPU: {copies}, {bytes} bytes");
    text
}

fn counts(counts: &Counts) -> impl Iterator<Item = (String, String)> + '_ {
    COUNTS.iter().map(|(what, value)| ((*what).to_owned(), value(counts).to_string()))
}

fn table(text: &mut String, rows: impl Iterator<Item = (String, String)>) {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    for (index, (what, value)) in rows.enumerate() {
        if index == 0 {
            table.set_header([what, value]);
        } else {
            table.add_row([what, value]);
        }
    }
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    terminal::fit(&mut table);
    text.push_str(&table.trim_fmt());
    text.push('\n');
}

/// Says so when the footprint is coarser than lines.
fn grain(text: &mut String, counts: &Counts) {
    if counts.footprint_grain != LINE {
        let grain = counts.footprint_grain;
        let _ = writeln!(text, "the footprint, in pieces of {grain} bytes, is an upper bound");
    }
}

fn extent([x, y, z]: [u32; 3]) -> String {
    format!("({x}, {y}, {z})")
}
