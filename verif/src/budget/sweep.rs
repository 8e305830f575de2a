//! Storage against parameters.

use super::area::{self, Area};
use super::row::{thousands, Total};
use super::{Budget, KindTotal};
use crate::cli::terminal;
use blockyard_sim::gpu::config::GpuConfig;
use comfy_table::{presets::ASCII_MARKDOWN, CellAlignment, Table};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A parameter and the values that it takes in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// As after `--set`.
    pub key: String,
    /// As after `--set key=`.
    pub values: Vec<String>,
}

/// Names that the papers use for keys of the tool.
const ALIASES: [(&str, &str); 2] = [("agt.entries", "launch.table"), ("gpu.smx", "smx.count")];

impl Sweep {
    /// Reads `key=value,value,...`, where commas in brackets part nothing; `gpu.` may stand before
    /// every key of the GPU, and `agt.entries` is `launch.table`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let (key, values) = text.split_once('=').ok_or("it has no `=`")?;
        let mut depth = 0;
        let values = values.split(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ',' && depth == 0
        });
        let values: Vec<String> = values.map(|value| value.trim().to_owned()).collect();
        if values.iter().any(String::is_empty) {
            return Err("a value is missing");
        }
        let key = key.trim();
        let known = ALIASES.iter().find(|(alias, _)| *alias == key).map(|(_, name)| *name);
        let plain = key.strip_prefix("gpu.").unwrap_or(key);
        let plain = GpuConfig::canonical_key(plain);
        Ok(Self { key: known.unwrap_or(plain).to_owned(), values })
    }
}

/// Every combination of values, the last parameter changing first.
pub fn points(sweeps: &[Sweep]) -> Vec<Vec<String>> {
    sweeps.iter().fold(vec![Vec::new()], |points, sweep| {
        let with = |point: &Vec<String>, value: &String| {
            let mut longer = point.clone();
            longer.push(value.clone());
            longer
        };
        points
            .iter()
            .flat_map(|point| sweep.values.iter().map(move |value| with(point, value)))
            .collect()
    })
}

/// A budget for every point, as a table.
pub fn table(sweeps: &[Sweep], budgets: &[(Vec<String>, Budget)]) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    terminal::fit(&mut table);
    let sums = [
        "register bits",
        "memory bits",
        "of it SRAM",
        "bits",
        "bytes",
        "bytes of an SMX's own",
        "% of all registers and shared memory",
    ];
    table.set_header(sweeps.iter().map(|sweep| sweep.key.as_str()).chain(sums));
    for column in 0..sweeps.len() + sums.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for (values, budget) in budgets {
        let Total { register_bits, memory_bits, sram_bits, bits, bytes, .. } = budget.total;
        let mut row = values.clone();
        row.extend([register_bits, memory_bits, sram_bits, bits].map(thousands));
        row.push(bytes.to_string());
        row.push(format!("{:.1}", budget.bytes_per_smx));
        row.push(format!("{:.3}", budget.percent()));
        table.add_row(row);
    }
    match areas(sweeps, budgets) {
        None => format!("{}\n", table.trim_fmt()),
        Some(areas) => format!("{}\n\n{areas}\n", table.trim_fmt()),
    }
}

/// The areas of the points, where they were asked for.
fn areas(sweeps: &[Sweep], budgets: &[(Vec<String>, Budget)]) -> Option<String> {
    let keys: Vec<&str> = sweeps.iter().map(|sweep| sweep.key.as_str()).collect();
    let points: Vec<_> = budgets
        .iter()
        .filter_map(|(values, budget)| Some((values.as_slice(), budget.area.as_ref()?)))
        .collect();
    let area = points.first()?.1;
    let mut table = area::points(&keys, &points);
    terminal::fit(&mut table);
    Some(format!("{}\n\n{}", area::heading(area), table.trim_fmt()))
}

/// The same as CSV.
pub fn csv(sweeps: &[Sweep], budgets: &[(Vec<String>, Budget)]) -> String {
    let keys: Vec<&str> = sweeps.iter().map(|sweep| sweep.key.as_str()).collect();
    let mut out = format!(
        "{},register_bits,memory_bits,bits,bytes,bytes_per_smx,percent,\
         register_file_bits,sram_bits,{}hardware\n",
        keys.join(","),
        area_fields(budgets.first().map(|(_, budget)| budget), |(name, _)| name.to_owned())
    );
    for (values, budget) in budgets {
        let Total { register_bits, memory_bits, register_file_bits, sram_bits, bits, .. } =
            budget.total;
        let bytes = bits as f64 / 8.0;
        let _ = writeln!(
            out,
            // Scripts read the last column; everything is built.
            "{},{register_bits},{memory_bits},{bits},{bytes},{},{},{register_file_bits},{sram_bits},{}built",
            values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(","),
            budget.bytes_per_smx,
            budget.percent(),
            area_fields(Some(budget), |(_, number)| {
                number.map_or(String::new(), |number| number.to_string())
            })
        );
    }
    out
}

/// A field of CSV.
fn quoted(value: &str) -> Cow<'_, str> {
    match value.contains([',', '"']) {
        true => format!("\"{}\"", value.replace('"', "\"\"")).into(),
        false => value.into(),
    }
}

/// The fields of an area, each with a comma behind it; nothing where there is none.
fn area_fields(
    budget: Option<&Budget>,
    field: impl Fn((&'static str, Option<f64>)) -> String,
) -> String {
    let area = budget.and_then(|budget| budget.area.as_ref());
    let fields = area.map(area::figures).into_iter().flatten();
    fields.map(|figure| field(figure) + ",").collect()
}

/// The same as JSON: a list of points, each with what it comes from, one of `runs`.
///
/// # Errors
/// Never; all of it is plain data.
pub fn json(
    sweeps: &[Sweep],
    budgets: &[(Vec<String>, Budget)],
    runs: &[impl Serialize],
) -> Result<String, serde_json::Error> {
    let points = budgets.iter().zip(runs).map(|((values, budget), run)| PointOfSweep {
        set: sweeps.iter().map(|sweep| sweep.key.clone()).zip(values.iter().cloned()).collect(),
        hardware: "built",
        total: budget.total,
        kinds: &budget.kinds,
        bytes_per_smx: budget.bytes_per_smx,
        percent: budget.percent(),
        area: budget.area.as_ref(),
        run,
    });
    Ok(serde_json::to_string_pretty(&points.collect::<Vec<_>>())? + "\n")
}

#[derive(Serialize)]
struct PointOfSweep<'a, R> {
    set: BTreeMap<String, String>,
    hardware: &'static str,
    total: Total,
    kinds: &'a [KindTotal],
    bytes_per_smx: f64,
    percent: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<&'a Area>,
    run: R,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_and_values_are_read() {
        let sweep = |key: &str, values: &[&str]| Sweep {
            key: key.to_owned(),
            values: values.iter().map(|&value| value.to_owned()).collect(),
        };
        assert_eq!(Sweep::parse("agt.entries=256,512"), Ok(sweep("launch.table", &["256", "512"])));
        assert_eq!(Sweep::parse("gpu.smx=13"), Ok(sweep("smx.count", &["13"])));
        assert_eq!(Sweep::parse("gpu.smx.threads=1"), Ok(sweep("smx.threads", &["1"])));
        let schedulers = ["rr", "rr+claso(pa=1,pl=0)", "srtf"];
        let text = format!("scheduler={}", schedulers.join(","));
        assert_eq!(Sweep::parse(&text), Ok(sweep("scheduler", &schedulers)));
        assert!(Sweep::parse("smx").is_err() && Sweep::parse("smx=1,").is_err());
    }

    #[test]
    fn points_are_all_combinations() {
        let sweeps = ["a=1,2", "b=3,4"].map(|text| Sweep::parse(text).expect("it reads"));
        assert_eq!(points(&sweeps), [["1", "3"], ["1", "4"], ["2", "3"], ["2", "4"]]);
    }
}
