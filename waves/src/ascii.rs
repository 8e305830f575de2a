//! A few signals as text, for tests and reports.

use crate::error::WaveError;
use crate::read::Dump;
use std::ops::RangeInclusive;

/// One line a signal, one column a cycle: values in hexadecimal, those of enums by name, `.` where
/// nothing changes.
///
/// ```text
/// cycle          0 1 2 3
/// top.q          0 1 . 4
/// ```
///
/// # Errors
/// When the dump has no such signal.
pub fn ascii(
    dump: &Dump,
    paths: &[&str],
    cycles: RangeInclusive<u64>,
) -> Result<String, WaveError> {
    let mut rows =
        vec![("cycle".to_owned(), cycles.clone().map(|cycle| cycle.to_string()).collect())];
    for path in paths {
        let mut cells: Vec<String> = Vec::new();
        let mut last = None;
        for cycle in cycles.clone() {
            let value = dump.value(path, cycle)?;
            let same = value == last;
            cells.push(if same { ".".to_owned() } else { shown(dump, path, value.as_deref()) });
            last = value;
        }
        rows.push(((*path).to_owned(), cells));
    }
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let columns = rows[0].1.len();
    let widths: Vec<usize> = (0..columns)
        .map(|at| rows.iter().map(|(_, cells)| cells[at].len()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for (name, cells) in rows {
        text += &format!("{name:<width$} ");
        for (cell, width) in cells.iter().zip(&widths) {
            text += &format!(" {cell:<width$}");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    Ok(text)
}

/// A value as a reader takes it in.
pub(crate) fn shown(dump: &Dump, path: &str, bits: Option<&str>) -> String {
    let Some(bits) = bits else { return "-".to_owned() };
    if dump.is_text(path) {
        return if bits.is_empty() { "-".to_owned() } else { bits.to_owned() };
    }
    let Ok(number) = u128::from_str_radix(bits, 2) else { return bits.to_owned() };
    let name = u64::try_from(number).ok().and_then(|value| dump.name(path, value));
    name.map_or_else(|| format!("{number:x}"), str::to_owned)
}
