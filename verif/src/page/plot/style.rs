//! How series differ: by colour, and by dash, marker or hatch for those who do not see it.

use crate::palette::COLOURS;
use maud::{html, Markup};

/// Dashes of lines, markers of points, hatches of areas.
const SHAPES: [Shape; 7] = [
    Shape { dash: "", marker: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", hatch: "" },
    Shape { dash: "7 3", marker: "M-4-4h8v8h-8z", hatch: "M-1 9L9-1" },
    Shape { dash: "2 3", marker: "M0-5l5 9h-10z", hatch: "M0 2h8M0 6h8" },
    Shape { dash: "9 3 2 3", marker: "M0-6l5 6-5 6-5-6z", hatch: "M-1-1L9 9" },
    Shape { dash: "12 4", marker: "M0 5l5-9h-10z", hatch: "M2 0v8M6 0v8" },
    Shape { dash: "4 2 1 2 1 2", marker: "M-4-4l8 8M-4 4l8-8", hatch: "M4 3v2" },
    Shape { dash: "1 2", marker: "M-5 0h10M0-5v10", hatch: "M-1-1L9 9M-1 9L9-1" },
];

struct Shape {
    dash: &'static str,
    marker: &'static str,
    hatch: &'static str,
}

/// The style of a series by its number; 49 of them differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style(pub(super) usize);

impl Style {
    fn shape(self) -> &'static Shape {
        &SHAPES[(self.0 + self.0 / COLOURS.len()) % SHAPES.len()]
    }

    /// The colour; what is black on paper is light on a dark page.
    pub(super) fn colour(self) -> String {
        match COLOURS[self.0 % COLOURS.len()] {
            [0, 0, 0] => "currentColor".to_owned(),
            [red, green, blue] => format!("#{red:02x}{green:02x}{blue:02x}"),
        }
    }

    pub(super) fn dash(self) -> &'static str {
        self.shape().dash
    }

    /// The marker around the point 0, 0.
    pub(super) fn marker(self) -> &'static str {
        self.shape().marker
    }

    /// What areas are filled with, in the drawing `id`.
    pub(super) fn fill(self, id: &str) -> String {
        match self.shape().hatch {
            "" => self.colour(),
            _ => format!("url(#{id}-hatch-{})", self.0),
        }
    }

    /// The hatch that [`fill`](Self::fill) names, if there is one.
    pub(super) fn hatch(self, id: &str) -> Markup {
        let hatch = self.shape().hatch;
        html! {
            @if !hatch.is_empty() {
                pattern id=(format!("{id}-hatch-{}", self.0)) width="8" height="8"
                    patternUnits="userSpaceOnUse" {
                    rect width="8" height="8" fill=(self.colour()) {}
                    path class="hatch" d=(hatch) stroke="#fff" stroke-width="1.5" fill="none" {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_series_have_colour_and_shape_in_common_and_those_of_one_colour_differ_in_shape() {
        let looks = (0..49).map(|number| (Style(number).colour(), Style(number).marker()));
        assert_eq!(looks.collect::<BTreeSet<_>>().len(), 49);
        let first: BTreeSet<_> = (0..7).map(|number| Style(number).dash()).collect();
        assert_eq!(first.len(), 7, "without colours the first seven differ");
    }
}
