//! `table.csv`: a row a finished run, in the order of the study.

use super::header::Header;
use super::row::Row;
use blockyard_sim::output::write_file;
use miette::Result;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// Writes the table of `rows`, whole or not at all. It is of the runs alone: no times, no machines.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, header: &Header, rows: &[Row]) -> Result<()> {
    Ok(write_file(path, |out| out.write_all(&csv(header, rows)?))?)
}

/// The table as CSV.
///
/// # Errors
/// Never: it is written to memory.
pub fn csv(header: &Header, rows: &[Row]) -> io::Result<Vec<u8>> {
    let figures: BTreeSet<&str> =
        rows.iter().flat_map(|row| row.figures.keys().map(String::as_str)).collect();
    let axes = header.axes.iter().map(|axis| axis.name.as_str());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = ["run"].into_iter().chain(axes.clone()).chain(figures.iter().copied());
    writer.write_record(names.chain(["failure", "command"]))?;
    for row in rows {
        let mut record = vec![row.run.clone()];
        record.extend(axes.clone().map(|axis| row.axes.get(axis).cloned().unwrap_or_default()));
        record.extend(
            figures
                .iter()
                .map(|figure| row.figures.get(*figure).map(f64::to_string).unwrap_or_default()),
        );
        record.push(row.failure.clone().unwrap_or_default());
        record.push(row.command.clone());
        writer.write_record(record)?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}
