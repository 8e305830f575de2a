//! Effects as pictures: an SVG a figure, a group of bars a benchmark, a black line over the bar where
//! the paper has its value.

use miette::{miette, Result};
use plotters::prelude::*;

use super::effect::Effect;
use super::table::{by_figure, column, columns, rows};
use crate::palette::COLOURS;

/// The height of a picture in pixels.
const HEIGHT: u32 = 460;

/// Pixels of width for a group of bars.
const GROUP: u32 = 70;

/// Share of its room that a group of bars fills.
const FILLED: f64 = 0.8;

/// A picture of each figure of `effects`: its file's name, and the SVG.
///
/// # Errors
/// When a picture cannot be drawn.
pub fn pictures(effects: &[Effect]) -> Result<Vec<(String, String)>> {
    let picture = |figure: Vec<&Effect>| {
        let Effect { figure: number, what, unit, .. } = figure[0];
        let text = picture(&figure).map_err(|error| miette!("cannot draw {number}: {error}"))?;
        let name = format!("{number}-{what}-{unit}.svg").to_lowercase().replace([' ', '.'], "-");
        Ok((name.replace("--", "-").replace("-svg", ".svg"), text))
    };
    by_figure(effects).into_iter().map(picture).collect()
}

fn picture(effects: &[&Effect]) -> Result<String, Box<dyn std::error::Error>> {
    let (columns, rows) = (columns(effects), rows(effects));
    let values = effects.iter().flat_map(|effect| [effect.ours, effect.paper]).flatten();
    let (least, most) =
        values.fold((0.0, 0.0), |(least, most): (f64, f64), v| (least.min(v), most.max(v)));
    let span = (most - least).max(1e-3);
    // The legend stands above the bars.
    let most = most + span * (0.08 + 0.07 * columns.len() as f64);
    let mut text = String::new();
    {
        let size = (160 + GROUP * rows.len() as u32, HEIGHT);
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        area.fill(&WHITE)?;
        let Effect { figure, what, unit, .. } = effects[0];
        let mut chart = ChartBuilder::on(&area)
            .caption(format!("{figure}: {what} ({unit})"), ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(90)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..rows.len() as f64, least - 0.05 * span..most)?;
        let turned = ("sans-serif", 12).into_font().transform(FontTransform::Rotate90);
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_labels(0)
            .y_label_style(("sans-serif", 13))
            .draw()?;
        let plotting = chart.plotting_area();
        for (place, row) in rows.iter().enumerate() {
            let at = (place as f64 + 0.5, least - 0.07 * span);
            plotting.draw(&Text::new((*row).to_owned(), at, turned.clone()))?;
        }
        let width = FILLED / columns.len() as f64;
        for (number, head) in columns.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let own = effects.iter().filter(|effect| column(effect) == *head);
            let left = |effect: &Effect| {
                let place = rows.iter().position(|row| *row == effect.benchmark);
                let group = place.unwrap_or_default() as f64 + (1.0 - FILLED) / 2.0;
                group + width * number as f64
            };
            let bar = |effect: &&&Effect| {
                let (x, value) = (left(effect), effect.ours?);
                Some(Rectangle::new([(x, 0.0), (x + width * 0.9, value)], colour.filled()))
            };
            chart.draw_series(own.clone().filter_map(|effect| bar(&effect)))?.label(head).legend(
                move |(x, y)| Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour.filled()),
            );
            let stated = own.filter_map(|effect| {
                let (x, value) = (left(effect), effect.paper?);
                Some(PathElement::new(
                    [(x, value), (x + width * 0.9, value)],
                    BLACK.stroke_width(3),
                ))
            });
            chart.draw_series(stated)?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE)
            .border_style(BLACK)
            .label_font(("sans-serif", 13))
            .draw()?;
        area.present()?;
    }
    Ok(text)
}
