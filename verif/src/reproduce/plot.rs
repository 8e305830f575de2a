//! Effects as pictures: a plot a figure, a group of bars a benchmark, a black line over the bar
//! where the paper has its value.

use super::effect::{Effect, MEAN};
use super::table::{by_figure, column, columns, rows, title};
use crate::page::plot::{BarSeries, Bars, Marks, Plot};

/// Most benchmarks whose names can be read below their bars.
const GROUPS: usize = 30;

const LINE: &str = "A black line is what the paper states.";

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
    let all = rows(effects);
    let means_alone = all.len() > GROUPS && all.contains(&MEAN);
    let rows = if means_alone { vec![MEAN] } else { all.clone() };
    let series = columns(effects).into_iter().map(|head| {
        let at = |row: &&str| {
            effects.iter().find(|effect| effect.benchmark == *row && column(effect) == head)
        };
        let found: Vec<_> = rows.iter().map(at).collect();
        BarSeries {
            name: head.clone(),
            values: found.iter().map(|effect| effect.and_then(|effect| effect.ours)).collect(),
            stated: found.iter().map(|effect| effect.and_then(|effect| effect.paper)).collect(),
            intervals: Vec::new(),
        }
    });
    let series = series.collect();
    let groups = rows.iter().map(|row| (*row).to_owned()).collect();
    let (number, what, unit) = title(effects[0]);
    Plot {
        title: format!("{number}: {what} ({unit})"),
        x: String::new(),
        y: format!("{what} ({unit})"),
        note: match means_alone {
            true => format!("{LINE} The means alone: the table has all {} rows.", all.len()),
            false => LINE.to_owned(),
        },
        command: command.to_owned(),
        marks: Marks::Bars(Bars {
            groups,
            series,
            level: (unit == "ratio").then_some(1.0),
            first: 0,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::effect::RATIO;

    fn of(benchmarks: usize) -> Vec<Effect> {
        let names = (0..benchmarks).map(|number| format!("b{number}")).chain([MEAN.to_owned()]);
        let effect = |benchmark| Effect {
            benchmark,
            ours: Some(1.0),
            ..Effect::flat("Fig. 1", "ipc", "rr", RATIO)
        };
        names.map(effect).collect()
    }

    #[test]
    fn where_names_cannot_be_read_the_means_are_drawn_alone() {
        let groups = |benchmarks| {
            let plot = plots(&of(benchmarks), "").remove(0);
            let Marks::Bars(bars) = plot.marks else { panic!("bars") };
            (bars.groups.len(), bars.series[0].values.len(), plot.note.contains("means alone"))
        };
        assert_eq!(groups(29), (30, 30, false));
        assert_eq!(groups(30), (1, 1, true));
    }
}
