//! Every key that `--set` takes.
//!
//! There is no list of them beside the code that sets them: names, units and defaults come from
//! there, the sources of a GPU's values from its text, and which values a key takes is what setting
//! it to a bad one says.

use super::settings::{GpuArgs, LAPERM};
use blockyard_kernels::graphs::GraphSettings;
use blockyard_kernels::KernelSettings;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::key::Key;
use blockyard_sim::sched::laperm::LapermConfig;
use blockyard_sim::workload::erc::ErcOptions;
use blockyard_sim::workload::graph::GraphSpec;
use blockyard_sim::workload::ikra::IkraOptions;
use miette::{Report, Result};
use serde::Serialize;

/// The GPU whose keys stand for those of all.
const ANY_GPU: &str = "k20c";
/// A scheduler that has the keys of LaPerm.
const ANY_LAPERM: &str = "laperm/smx-bind";
/// What the help of a refused value begins with.
const EXPECTED: &str = "expected ";

/// A key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// As it is written behind `--set`.
    pub name: String,
    /// What its value counts or selects.
    pub unit: String,
    /// What it takes.
    pub range: String,
    /// Its value unless it is set.
    pub default: String,
    /// Where that comes from; empty of what belongs to no GPU.
    pub source: String,
}

/// All keys, those of the GPU with the values of `gpu`, a preset or a file.
///
/// # Errors
/// When there is no such GPU.
pub fn all(gpu: &str) -> Result<Vec<Listed>> {
    let config = GpuConfig::preset(gpu)?;
    let text = GpuConfig::text(gpu)?;
    let mut keys: Vec<Listed> = GpuConfig::sources(&text)
        .map(|(name, source)| {
            let value = config.value(&name).map(|value| value.to_string()).unwrap_or_default();
            let default = value.trim_matches('"').to_owned();
            let unit = GpuConfig::unit(&name).unwrap_or_default().to_owned();
            let range = range(gpu, &name, &value);
            Listed { name, unit, range, default, source: source.to_owned() }
        })
        .collect();
    for setting in KernelSettings::all() {
        let names = setting.names;
        let named = names.get(setting.default as usize).map(ToString::to_string);
        let default = named.unwrap_or_else(|| setting.default.to_string());
        let (name, unit) = (setting.key.to_owned(), sentence(setting.about));
        let range = range(gpu, &name, &default);
        keys.push(Listed { name, unit, range, default, source: String::new() });
    }
    for (prefix, key) in of_tables() {
        let name = format!("{prefix}{}", key.name);
        let range = range(gpu, &name, "");
        let (unit, default) = (key.unit.to_owned(), key.default.to_owned());
        keys.push(Listed { name, unit, range, default, source: String::new() });
    }
    Ok(keys)
}

/// The names of all keys.
pub fn names() -> Vec<String> {
    let gpu = GpuConfig::preset(ANY_GPU).map(|gpu| gpu.keys()).unwrap_or_default();
    let kernels = KernelSettings::all().map(|setting| setting.key.to_owned());
    let tables = of_tables().map(|(prefix, key)| format!("{prefix}{}", key.name));
    gpu.into_iter().chain(kernels).chain(tables).collect()
}

/// Keys that are neither of the GPU nor of kernels in CUDA C, with what stands before their names.
fn of_tables() -> impl Iterator<Item = (&'static str, Key)> {
    let tables = [GraphSpec::KEYS, ErcOptions::KEYS, IkraOptions::KEYS];
    let workloads = GraphSettings::keys().chain(tables.into_iter().flatten());
    let workloads = workloads.map(|key| ("", *key));
    workloads.chain(LapermConfig::KEYS.map(|key| (LAPERM, key)))
}

/// What `key` takes: what setting it to values that it cannot have says. `value` is one that it
/// has.
fn range(gpu: &str, key: &str, value: &str) -> String {
    let refusal = |value: &str| {
        let args = GpuArgs { gpu: gpu.to_owned(), set: vec![format!("{key}={value}")] };
        let set = || -> Result<()> {
            match key.starts_with(LAPERM) {
                true => args.scheduler(ANY_LAPERM).map(drop),
                false => args.override_gpu(&mut GpuConfig::preset(gpu)?),
            }
        };
        set().err()
    };
    // First what is too large or too small: a word is refused for being no number.
    let number = value.parse::<f64>().is_ok();
    let list = value.starts_with('[');
    let first = value.trim_start_matches('[').split([',', ']']).next().unwrap_or_default();
    let list_beyond = format!("[{}, 99]", if first.is_empty() { "0" } else { first });
    let bad: &[&str] = match (number, list) {
        (true, _) if value.contains('.') => &["-1.0", "1e300"],
        (true, _) => &["4294967295", "0"],
        (_, true) => &[&list_beyond, "[]"],
        _ => &[],
    };
    let expected = |report: Report| {
        let help = report.help().map(|help| help.to_string());
        let expected = help.and_then(|help| Some(help.split_once(EXPECTED)?.1.to_owned()));
        // What names its values says so in the message.
        expected.or_else(|| Some(report.to_string().split_once(EXPECTED)?.1.to_owned()))
    };
    let found = bad.iter().chain(&["?"]).find_map(|bad| refusal(bad).and_then(expected));
    let found = found.unwrap_or_default();
    let found = found.replace('`', "");
    match found.strip_prefix("a whole number from ") {
        Some(range) if range.contains(" to ") => range.to_owned(),
        _ => found,
    }
}

/// What `text` says before it explains it, the first letter small, and no full stop: part of a
/// line.
fn sentence(text: &str) -> String {
    let said = text.split([':', ';']).next().unwrap_or_default();
    let mut letters = said.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
