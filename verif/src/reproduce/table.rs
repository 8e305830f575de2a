//! Effects as tables: one a figure, a row a benchmark and the mean, a column a scheduler or launch
//! mode, the paper's value in brackets where it states one.

use comfy_table::{presets::ASCII_MARKDOWN, CellAlignment, Table};

use super::effect::Effect;

/// What a table has in common.
pub(super) type Title = (&'static str, &'static str, &'static str);

pub(super) fn title(effect: &Effect) -> Title {
    (effect.figure, effect.what, effect.unit)
}

/// The head of an effect's column.
pub(super) fn column(effect: &Effect) -> String {
    let mut head = format!("{} {}", effect.policy.trim_start_matches("laperm/"), effect.launch);
    if let Some(base) = effect.base {
        head += &format!(" / {base}");
    }
    if let Some(set) = &effect.set {
        head += &format!(", {set}");
    }
    head
}

/// The effects by table, in order.
pub(super) fn by_figure(effects: &[Effect]) -> Vec<Vec<&Effect>> {
    let mut figures: Vec<Vec<&Effect>> = Vec::new();
    for effect in effects {
        match figures.iter_mut().find(|figure| title(figure[0]) == title(effect)) {
            Some(figure) => figure.push(effect),
            None => figures.push(vec![effect]),
        }
    }
    figures
}

/// All tables, ending in a newline.
pub fn tables(effects: &[Effect]) -> String {
    let tables = by_figure(effects).into_iter().map(|figure| {
        let (number, what, unit) = title(figure[0]);
        format!("{number}: {what} ({unit})\n\n{}\n", table(&figure).trim_fmt())
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// The heads of all columns, each once.
pub(super) fn columns(effects: &[&Effect]) -> Vec<String> {
    once(effects.iter().map(|effect| column(effect)))
}

/// The benchmarks, each once.
pub(super) fn rows<'a>(effects: &[&'a Effect]) -> Vec<&'a str> {
    once(effects.iter().map(|effect| effect.benchmark.as_str()))
}

fn once<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut kept = Vec::new();
    for one in all {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    kept
}

fn table(effects: &[&Effect]) -> Table {
    let (columns, rows) = (columns(effects), rows(effects));
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header(["benchmark".to_owned()].into_iter().chain(columns.iter().cloned()));
    for number in 1..=columns.len() {
        if let Some(column) = table.column_mut(number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for row in rows {
        let cell = |head: &String| {
            let is = |effect: &&&Effect| effect.benchmark == row && column(effect) == *head;
            effects.iter().find(is).map_or(String::new(), |effect| shown(effect))
        };
        table.add_row([row.to_owned()].into_iter().chain(columns.iter().map(cell)));
    }
    table
}

pub(super) fn shown(effect: &Effect) -> String {
    let number = |value: f64| match effect.unit {
        "points" => format!("{value:+.1}"),
        "percent" | "threads" => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    };
    let ours = effect.ours.map_or("-".to_owned(), number);
    match effect.paper {
        Some(paper) => format!("{ours} ({})", number(paper)),
        None => ours,
    }
}
