//! The file around the sections.

use super::plot::Plot;
use super::{Cell, Page, Part, Table};
use maud::{html, Markup, PreEscaped, DOCTYPE};

const STYLE: &str = include_str!("assets/page.css");

/// In order: errors are caught from the first line on.
const SCRIPTS: [&str; 4] = [
    include_str!("assets/errors.js"),
    include_str!("assets/plots.js"),
    include_str!("assets/tables.js"),
    include_str!("assets/page.js"),
];

/// Nothing is loaded from anywhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The page as a document.
pub(super) fn document(page: &Page) -> Markup {
    let mut numbers = Numbers::default();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (page.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (page.title) }
                    @for section in &page.sections {
                        section {
                            h2 { (section.heading) }
                            @for part in &section.parts { (numbers.part(part)) }
                        }
                    }
                }
                div id="tip" role="status" aria-live="polite" hidden {}
                pre id="errors" hidden {}
                @for script in SCRIPTS { script { (PreEscaped(script)) } }
            }
        }
    }
}

/// How many of each kind there were.
#[derive(Default)]
struct Numbers {
    tables: usize,
    plots: usize,
}

impl Numbers {
    fn part(&mut self, part: &Part) -> Markup {
        match part {
            Part::Words(text) => html! { p { (text) } },
            Part::Lines(text) => html! { pre class="lines" { (text) } },
            Part::Command(text) => command(text),
            Part::Picture { svg, caption } => html! {
                figure { (PreEscaped(svg)) figcaption { (caption) } }
            },
            Part::Table(of) => {
                self.tables += 1;
                table(of, &format!("table-{}", self.tables))
            }
            Part::Plot(of) => {
                self.plots += 1;
                plot(of, &format!("plot-{}", self.plots))
            }
        }
    }
}

fn plot(plot: &Plot, id: &str) -> Markup {
    html! {
        figure class="plotted" id=(id) tabindex="0" aria-label=(plot.title) {
            (plot.drawing(id))
            div class="tools" hidden {
                button type="button" data-zoom="in" title="zoom in (+)" { "+" }
                button type="button" data-zoom="out" title="zoom out (-)" { "\u{2212}" }
                button type="button" data-zoom="all" title="show all (0)" { "all" }
            }
            @if !plot.note.is_empty() { figcaption { (plot.note) } }
            @if !plot.command.is_empty() { (command(&plot.command)) }
        }
    }
}

fn command(text: &str) -> Markup {
    html! {
        div class="command" {
            code { (text) }
            button type="button" data-copy=(text) hidden { "copy" }
        }
    }
}

fn table(table: &Table, id: &str) -> Markup {
    html! {
        div class="wide" {
            table id=(id) class="sorted" {
                caption { (table.caption) }
                thead {
                    tr {
                        @for (column, head) in table.heads.iter().enumerate() {
                            @let class = table.is_numeric(column).then_some("number");
                            th scope="col" aria-sort="none" class=[class] {
                                button type="button" { (head) }
                            }
                        }
                    }
                }
                tbody { @for row in &table.rows { tr { @for one in row { (cell(one)) } } } }
            }
        }
    }
}

fn cell(cell: &Cell) -> Markup {
    html! {
        @match cell {
            Cell::Text(text) => td { (text) },
            Cell::Number(value, text) => td class="number" data-v=(value) { (text) },
            Cell::Command(text) => td {
                button type="button" data-copy=(text) title=(text) { "copy" }
            },
            Cell::Nothing => td class="nothing" { "-" },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::plot::{BarSeries, Bars, Marks};
    use super::super::{Page, Section};
    use super::*;

    #[test]
    fn what_comes_from_outside_is_escaped_everywhere() {
        const BAD: &str = "<script>alert('x')</script>\"&";
        let bad = || BAD.to_owned();
        let series = BarSeries { name: bad(), values: vec![Some(1.0)], stated: vec![] };
        let marks =
            Marks::Bars(Bars { groups: vec![bad()], series: vec![series], level: None, first: 0 });
        let plot = Plot { title: bad(), x: bad(), y: bad(), note: bad(), command: bad(), marks };
        let mut table = Table::new(BAD, [BAD]);
        table.rows.push(vec![Cell::Text(bad())]);
        table.rows.push(vec![Cell::Command(bad())]);
        let section = Section::new(BAD).words(BAD).with(Part::Lines(bad())).command(BAD);
        let text = Page::new(BAD).with(section.table(table).plot(plot)).html();
        assert!(!text.contains("<script>alert"), "{text}");
        assert!(text.contains("&lt;script&gt;alert"));
        assert!(!text.contains("x')</script>\"&\""), "an attribute ends only where it should");
    }

    #[test]
    fn a_page_loads_nothing() {
        let text = Page::new("t").with(Section::new("s").words("w")).html();
        for way in ["<link", "<img", "@import", "url(h", "<iframe", " src=", "fetch("] {
            assert!(!text.contains(way), "{way}");
        }
        assert!(text.contains("default-src 'none'"));
    }
}
