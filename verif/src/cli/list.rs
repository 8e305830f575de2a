//! `blockyard list`.

use super::keys::{self, Listed};
use super::{print, terminal, Exit};
use crate::regress;
use blockyard_kernels::{self as kernels, graphs};
use blockyard_rtl::catalog;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::sched;
use blockyard_sim::workload::erc;
use blockyard_sim::workload::ikra::Benchmark;
use clap::{Args, ValueEnum};
use comfy_table::{presets::ASCII_MARKDOWN, Table};
use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

/// What the names of IKRA's microbenchmarks begin with.
pub const IKRA: &str = "ikra/";

/// The GPU whose keys are listed unless another one is named: that of `run`.
const DEFAULT_GPU: &str = "k20c";

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// What to list; everything but keys when left out
    kind: Option<Kind>,
    /// With `keys` a GPU, preset or F.toml, whose values are shown [default: k20c]; with `gpus` the
    /// preset that is printed as TOML, which --gpu F.toml reads back
    #[arg(value_name = "GPU", requires = "kind")]
    name: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Schedulers,
    Workloads,
    Gpus,
    Keys,
    Suites,
    Modules,
}

#[derive(Serialize)]
struct Item {
    kind: Kind,
    name: String,
    description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    paper: String,
}

/// Prints the list.
///
/// # Errors
/// When it cannot be printed.
pub fn main(args: &ListArgs) -> Result<Exit> {
    match (args.kind, args.name.as_deref()) {
        (Some(Kind::Keys), gpu) => return list_keys(gpu.unwrap_or(DEFAULT_GPU), args.json),
        (Some(Kind::Gpus), Some(name)) => return show_gpu(name, args.json),
        (_, Some(name)) => {
            return Err(miette!(
                help = "a GPU is named with keys or gpus: `blockyard list keys gtx480`",
                "`{name}` does nothing here"
            ));
        }
        _ => {}
    }
    let items: Vec<Item> =
        all()?.into_iter().filter(|item| args.kind.is_none_or(|kind| kind == item.kind)).collect();
    if args.json {
        print(&(serde_json::to_string_pretty(&items).into_diagnostic()? + "\n"))?;
        return Ok(Exit::Fine);
    }
    let mut last = None;
    for item in &items {
        if last != Some(item.kind) && args.kind.is_none() {
            print(&format!("{}{:?}\n", if last.is_some() { "\n" } else { "" }, item.kind))?;
        }
        last = Some(item.kind);
        let paper =
            if item.paper.is_empty() { String::new() } else { format!("  [{}]", item.paper) };
        let line = format!("{:<28} {}{paper}", item.name, item.description);
        print(&(terminal::wrapped(&line, 29) + "\n"))?;
    }
    Ok(Exit::Fine)
}

/// Prints every key with what it counts, what it takes, its value on `gpu` and where that comes
/// from.
fn list_keys(gpu: &str, as_json: bool) -> Result<Exit> {
    let keys = keys::all(gpu)?;
    if as_json {
        print(&(serde_json::to_string_pretty(&keys).into_diagnostic()? + "\n"))?;
        return Ok(Exit::Fine);
    }
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(["key", "unit", "range", gpu, "source"]);
    for Listed { name, unit, range, default, source } in keys {
        table.add_row([name, unit, range, default, source]);
    }
    terminal::fit(&mut table);
    print(&(table.trim_fmt() + "\n"))?;
    Ok(Exit::Fine)
}

/// Prints the GPU `name` as its file has it.
fn show_gpu(name: &str, as_json: bool) -> Result<Exit> {
    let text = match as_json {
        true => serde_json::to_string_pretty(&GpuConfig::preset(name)?).into_diagnostic()? + "\n",
        false => GpuConfig::text(name)?,
    };
    print(&text)?;
    Ok(Exit::Fine)
}

fn all() -> Result<Vec<Item>> {
    let item = |kind, name: &str, description: &str, paper: &str| Item {
        kind,
        name: name.to_owned(),
        description: description.to_owned(),
        paper: paper.to_owned(),
    };
    let mut items = Vec::new();
    for known in sched::known() {
        items.push(item(Kind::Schedulers, known.name, known.description, known.paper));
    }
    for (name, description) in graphs::WORKLOADS {
        let description =
            format!("{description} over --input F or a generated graph (--set graph.kind=...)");
        items.push(item(Kind::Workloads, name, &description, ""));
    }
    for (name, description) in kernels::WORKLOADS {
        let description = format!("{description}: PTX, compiled from CUDA C");
        items.push(item(Kind::Workloads, name, &description, ""));
    }
    let names: Vec<_> = erc::KERNELS.iter().map(|kernel| kernel.name).collect();
    let description =
        format!("kernels of ERCBench by duration, one or two of {}", names.join(", "));
    items.push(item(Kind::Workloads, "erc/A+B", &description, "SRTF (2014), section 6.1"));
    let description = "kernels in CUDA C at once, each a program: sad(rows=9)+dct(arrive=75)";
    items.push(item(Kind::Workloads, "A+B", description, "SRTF (2014), section 6.1.3"));
    for benchmark in Benchmark::ALL {
        let name = format!("{IKRA}{}", benchmark.name());
        let description =
            format!("microbenchmark with {} KB of data; --gpu denovo3", benchmark.default_data());
        items.push(item(Kind::Workloads, &name, &description, "IKRA (TACO 2020), section 5.4.1"));
    }
    for name in GpuConfig::names() {
        let gpu = GpuConfig::preset(name)?;
        let limits = gpu.limits();
        let description = format!(
            "{} SMXs, each {} threads, {} registers, {} bytes of shared memory, {} blocks",
            gpu.smx.count,
            limits.threads,
            limits.registers,
            gpu.smx.shared_memory,
            limits.thread_block_slots
        );
        items.push(item(Kind::Gpus, name, &description, ""));
    }
    for suite in regress::suites() {
        items.push(item(Kind::Suites, &suite.name, &suite.description, ""));
    }
    for entry in catalog::entries() {
        let names: Vec<&str> = entry.configurations.iter().map(|each| each.name).collect();
        let description = format!("{} ({})", entry.summary, names.join(", "));
        items.push(item(Kind::Modules, entry.name, &description, entry.paper));
    }
    Ok(items)
}
