//! Rows as a table.

use super::row::{word, Row};
use comfy_table::{presets::ASCII_MARKDOWN, CellAlignment, Table};

/// For people: a row a property.
pub fn table(rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header(["property", "kind", "module", "size", "engine", "seconds", "result"]);
    if let Some(column) = table.column_mut(5) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for row in rows {
        table.add_row([
            row.property.clone(),
            word(row.kind).to_owned(),
            row.module.clone(),
            row.size.clone(),
            row.engine.clone(),
            format!("{:.1}", row.seconds),
            row.outcome.to_string(),
        ]);
    }
    table.trim_fmt() + "\n"
}

/// For docs/proofs.md: a row for each module and size that was proved at once.
pub fn markdown(rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header(["module", "size", "properties", "engine", "seconds", "result"]);
    let together = |one: &Row, other: &Row| {
        (&one.module, &one.size, &one.engine, one.outcome.to_string())
            == (&other.module, &other.size, &other.engine, other.outcome.to_string())
    };
    for rows in rows.chunk_by(together) {
        let names: Vec<String> = rows.iter().map(|row| format!("`{}`", row.property)).collect();
        let first = &rows[0];
        table.add_row([
            format!("`{}`", first.module),
            first.size.clone(),
            names.join(", "),
            first.engine.clone(),
            format!("{:.1}", first.seconds),
            first.outcome.to_string(),
        ]);
    }
    table.trim_fmt() + "\n"
}

/// The same as JSON.
///
/// # Errors
/// When it cannot be written as JSON; it can.
pub fn json(rows: &[Row]) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(rows)? + "\n")
}
