//! Effects as pictures: a plot a figure, a group of bars a benchmark, a black line over the bar
//! where the paper has its value.

use super::effect::Effect;
use super::table::{by_figure, column, columns, rows, title};
use crate::page::plot::{BarSeries, Bars, Marks, Plot};

/// A plot of each figure of `effects`.
pub fn plots(effects: &[Effect], command: &str) -> Vec<Plot> {
    by_figure(effects).iter().map(|figure| plot(figure, command)).collect()
}

/// A picture of each figure of `effects`: its file's name, and the SVG.
pub fn pictures(effects: &[Effect]) -> Vec<(String, String)> {
    let picture = |plot: Plot| (format!("{}.svg", plot.name()), plot.svg());
    plots(effects, "").into_iter().map(picture).collect()
}

/// The plot of the effects of one figure.
pub(super) fn plot(effects: &[&Effect], command: &str) -> Plot {
    let rows = rows(effects);
    let series = columns(effects).into_iter().map(|head| {
        let at = |row: &&str| {
            effects.iter().find(|effect| effect.benchmark == *row && column(effect) == head)
        };
        let found: Vec<_> = rows.iter().map(at).collect();
        BarSeries {
            name: head.clone(),
            values: found.iter().map(|effect| effect.and_then(|effect| effect.ours)).collect(),
            stated: found.iter().map(|effect| effect.and_then(|effect| effect.paper)).collect(),
        }
    });
    let series = series.collect();
    let groups = rows.iter().map(|row| (*row).to_owned()).collect();
    let (number, what, unit) = title(effects[0]);
    Plot {
        title: format!("{number}: {what} ({unit})"),
        x: String::new(),
        y: format!("{what} ({unit})"),
        note: "A black line is what the paper states.".to_owned(),
        command: command.to_owned(),
        marks: Marks::Bars(Bars {
            groups,
            series,
            level: (unit == "ratio").then_some(1.0),
            first: 0,
        }),
    }
}
