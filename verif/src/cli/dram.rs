//! `blockyard dram`.

use super::outputs::{check, Named};
use super::settings::pair;
use super::{print, terminal, Exit};
use blockyard_sim::gpu::channel::alone::{run, Case, CaseRun, Settings, Summary};
use blockyard_sim::output::write_file;
use clap::Args;
use comfy_table::{presets, CellAlignment, Table};
use miette::Result;
use std::borrow::Cow;
use std::path::PathBuf;

/// Arguments of `dram`.
#[derive(Debug, Args)]
pub struct DramArgs {
    /// The requests: CSV with the columns case, id, arrive_cycle, addr_hex and rw (R or W)
    #[arg(value_name = "REQUESTS.csv")]
    requests: PathBuf,
    /// Where the completion cycles go, as CSV
    #[arg(long, value_name = "F.csv")]
    out: PathBuf,
    /// Set a parameter of the channel: `burst=bl8`, `scheduler=open-row`, `queue=64`, `cl=15`
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// Runs every case on a channel that starts afresh, writes the completion cycles and prints a
/// summary.
///
/// # Errors
/// A list that cannot be read or used, an unknown key, a bad value, an output that cannot be
/// written.
pub fn main(args: &DramArgs) -> Result<Exit> {
    let pairs: Vec<(&str, &str)> =
        args.set.iter().map(|setting| pair("--set", setting)).collect::<Result<_>>()?;
    let settings = Settings::from_pairs(pairs)?;
    let written = Named { option: "--out", path: args.out.clone() };
    let read = Named { option: "REQUESTS.csv", path: args.requests.clone() };
    let (cases, text) = Case::read_file(&args.requests)?;
    settings.check_addresses(&cases, &args.requests, &text)?;
    check(&[written], &[read])?;
    let runs: Vec<CaseRun> = cases.iter().map(|case| run(&settings, case)).collect();
    write_file(&args.out, |out| {
        writeln!(out, "case,id,arrive_cycle,complete_cycle")?;
        for (case, run) in cases.iter().zip(&runs) {
            let name = quoted(&case.name);
            for (request, complete) in case.requests.iter().zip(&run.complete) {
                writeln!(out, "{name},{},{},{complete}", request.id, request.arrive_cycle)?;
            }
        }
        Ok(())
    })?;
    print(&table(&cases, &runs))?;
    Ok(Exit::Fine)
}

/// A field of a CSV file, in quotes where it needs them.
fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}

fn table(cases: &[Case], runs: &[CaseRun]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([
        "case",
        "requests",
        "mean",
        "p50",
        "p99",
        "max",
        "row hits",
        "cycles",
        "bytes/cycle",
    ]);
    for (case, run) in cases.iter().zip(runs) {
        let figures = Summary::of(case, run);
        table.add_row([
            case.name.clone(),
            figures.requests.to_string(),
            format!("{:.2}", figures.mean),
            figures.p50.to_string(),
            figures.p99.to_string(),
            figures.max.to_string(),
            format!("{:.2} %", 100.0 * figures.row_hit_rate),
            figures.cycles.to_string(),
            format!("{:.2}", figures.bytes_per_cycle),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    terminal::fit(&mut table);
    format!("{table}\n")
}
