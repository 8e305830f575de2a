//! A counter-example for people: a waveform, and a table of cycles.

use super::aiger::value;
use super::model::Model;
use crate::replay::{write_file as write, ReplayError};
use std::fmt::Write;
use std::path::Path;
use vcd::{IdCode, TimescaleUnit, Value, Writer};

/// Writes `trace.vcd` and `trace.txt` into `folder`, which is made; the promises that are broken in
/// the last cycle.
///
/// # Errors
/// When a file cannot be written.
pub fn write_files(
    model: &Model,
    inputs: &[Vec<bool>],
    promises: &[String],
    folder: &Path,
) -> Result<Vec<String>, ReplayError> {
    let cycles = model.aiger.simulate(inputs);
    let mut failed = Vec::new();
    for name in promises {
        let holds = model.holds(name);
        if cycles.last().is_some_and(|values| !value(values, holds)) {
            failed.push(name.clone());
        }
    }
    std::fs::create_dir_all(folder).map_err(|source| ReplayError::Io {
        what: format!("making {}", folder.display()),
        source,
    })?;
    write(&folder.join("trace.txt"), text(model, &cycles, &failed))?;
    let vcd = waveform(model, &cycles);
    let vcd =
        vcd.map_err(|source| ReplayError::Io { what: "writing a waveform".to_owned(), source })?;
    write(&folder.join("trace.vcd"), vcd)?;
    Ok(failed)
}

/// A row for each signal of the module itself, a column for each cycle.
fn text(model: &Model, cycles: &[Vec<bool>], failed: &[String]) -> String {
    let mut text =
        format!("broken in cycle {}: {}\n\n", cycles.len().saturating_sub(1), failed.join(", "));
    let mut rows: Vec<Vec<String>> = vec![std::iter::once("cycle".to_owned())
        .chain((0..cycles.len()).map(|c| c.to_string()))
        .collect()];
    let own = model.signals.iter().filter(|(name, _)| !name.contains('.') && *name != "clock");
    for (name, bits) in own {
        let values = cycles.iter().map(|values| hex(values, bits));
        rows.push(std::iter::once(name.clone()).chain(values).collect());
    }
    let columns = cycles.len() + 1;
    let widths: Vec<usize> = (0..columns)
        .map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0))
        .collect();
    for row in &rows {
        let _ = write!(text, "{:<width$}", row[0], width = widths[0]);
        for (cell, width) in row[1..].iter().zip(&widths[1..]) {
            let _ = write!(text, "  {cell:>width$}");
        }
        text.push('\n');
    }
    text
}

/// Bits that no property depends on are zero.
fn hex(values: &[bool], bits: &[Option<u32>]) -> String {
    let digit = |bits: &[Option<u32>]| {
        let set = |bit: &Option<u32>| bit.is_some_and(|literal| value(values, literal));
        let number = bits.iter().enumerate().map(|(at, bit)| u32::from(set(bit)) << at).sum();
        char::from_digit(number, 16).unwrap_or('?')
    };
    let digits: String = bits.chunks(4).map(digit).collect::<Vec<_>>().into_iter().rev().collect();
    let short = digits.trim_start_matches('0');
    if short.is_empty() {
        "0".to_owned()
    } else {
        short.to_owned()
    }
}

fn waveform(model: &Model, cycles: &[Vec<bool>]) -> std::io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut out = Writer::new(&mut file);
    out.timescale(1, TimescaleUnit::NS)?;
    out.add_module(crate::replay::TOP)?;
    let signals = model.signals.iter().filter(|(name, _)| !name.ends_with("clock"));
    let mut ids: Vec<(IdCode, &Vec<Option<u32>>)> = Vec::new();
    for (name, bits) in signals {
        ids.push((out.add_wire(bits.len() as u32, name)?, bits));
    }
    out.upscope()?;
    out.enddefinitions()?;
    for (cycle, values) in cycles.iter().enumerate() {
        out.timestamp(cycle as u64)?;
        for (id, bits) in &ids {
            let bit = |bit: &Option<u32>| match bit {
                Some(literal) if value(values, *literal) => Value::V1,
                Some(_) => Value::V0,
                None => Value::X,
            };
            let word: Vec<Value> = bits.iter().rev().map(bit).collect();
            out.change_vector(*id, &word)?;
        }
    }
    out.timestamp(cycles.len() as u64)?;
    Ok(file)
}
