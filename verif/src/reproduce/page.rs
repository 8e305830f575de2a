//! A paper's evaluation as a page: for each figure a table and a plot, with the paper's values.

use super::effect::Effect;
use super::plot::plot;
use super::table::column;
use super::table::{by_figure, columns, rows, shown, title};
use crate::page::{Cell, Page, Section, Table};

/// The page of the `effects` of a paper, which `command` runs.
pub fn page(paper: &str, effects: &[Effect], command: &str) -> Page {
    let count = effects.iter().filter(|effect| effect.paper.is_some()).count();
    let summary = Section::new("Summary")
        .words(format!(
            "{} values of the evaluation of {paper}; of {count} the paper states its own: in \
             brackets in the tables, as a black line in the plots. A mean of ratios is the \
             geometric one.",
            effects.len()
        ))
        .command(command);
    let page = Page::new(format!("Evaluation of {paper}")).with(summary);
    by_figure(effects).iter().fold(page, |page, figure| {
        let (number, what, unit) = title(figure[0]);
        let section = Section::new(format!("{number}: {what} ({unit})"));
        page.with(section.plot(plot(figure, command)).table(table(figure)))
    })
}

fn table(effects: &[&Effect]) -> Table {
    let columns = columns(effects);
    let heads = ["benchmark"].into_iter().chain(columns.iter().map(String::as_str));
    let mut table = Table::new("Found here, and in brackets what the paper states", heads);
    for row in rows(effects) {
        let cell = |head: &String| {
            let is = |effect: &&&Effect| effect.benchmark == row && column(effect) == *head;
            let value =
                effects.iter().find(is).and_then(|effect| Some((effect.ours?, shown(effect))));
            value.map_or(Cell::Nothing, |(ours, text)| Cell::Number(ours, text))
        };
        table.rows.push(
            [Cell::Text(row.to_owned())].into_iter().chain(columns.iter().map(cell)).collect(),
        );
    }
    table
}
