//! Some signals of a dump as a picture, for reports.

use crate::ascii::shown;
use crate::error::WaveError;
use crate::read::Dump;
use maud::{html, Markup};
use std::ops::RangeInclusive;

/// Pixels of the picture's width, and of a signal's height.
const WIDTH: f64 = 960.0;
const HIGH: f64 = 22.0;
/// Pixels of a character.
const CHARACTER: f64 = 6.7;

/// Cycles in which a signal has one value.
struct Segment {
    from: u64,
    until: u64,
    /// As it is written; `None` where the dump has no value.
    value: Option<String>,
}

/// Signals over `cycles` as SVG, a line each: bits as a line that is high or low, words as boxes
/// with their value in hexadecimal, or by name. Signals that are `marked` are tinted, in bold type
/// and with an arrow, and framed in the last cycle.
///
/// # Errors
/// When the dump has no such signal.
pub fn picture(
    dump: &Dump,
    paths: &[&str],
    cycles: RangeInclusive<u64>,
    marked: impl Fn(&str) -> bool,
) -> Result<String, WaveError> {
    let (first, last) = (*cycles.start(), *cycles.end());
    let longest = paths.iter().map(|path| path.chars().count()).max().unwrap_or(0) + 2;
    let left = longest as f64 * CHARACTER + 8.0;
    let wide = (WIDTH - left - 4.0) / (last.saturating_sub(first) + 1) as f64;
    let x = |cycle: u64| left + cycle.saturating_sub(first) as f64 * wide;
    let high = HIGH * (paths.len() + 1) as f64 + 6.0;
    let mut rows = Vec::new();
    for path in paths {
        rows.push((*path, segments(dump, path, first, last)?));
    }
    let step = (60.0 / wide).ceil().max(1.0) as usize;
    let drawing = html! {
        svg xmlns="http://www.w3.org/2000/svg" class="wave" role="img" width=(WIDTH) height=(high)
            viewBox=(format!("0 0 {WIDTH} {high}")) color="#000" font-size="11"
            font-family="ui-monospace, 'DejaVu Sans Mono', monospace"
            aria-label=(format!("signals in cycles {first} to {last}")) {
            rect class="paper" width=(WIDTH) height=(high) fill="#fff" {}
            @for cycle in (first..=last).step_by(step) {
                path d=(format!("M{:.1} {HIGH}V{high}", x(cycle))) stroke="currentColor"
                    stroke-opacity="0.15" {}
                text x=(format!("{:.1}", x(cycle) + 2.0)) y="14" fill="currentColor" { (cycle) }
            }
            @for (number, (path, segments)) in rows.iter().enumerate() {
                @let top = HIGH * (number + 1) as f64;
                @let is_marked = marked(path);
                @if is_marked {
                    rect x="0" y=(top) width=(WIDTH) height=(HIGH) fill="#d55e00"
                        fill-opacity="0.14" {}
                    rect x=(format!("{:.1}", x(last))) y=(top) width=(format!("{wide:.1}"))
                        height=(HIGH) fill="none" stroke="#d55e00" stroke-width="2" {}
                }
                text x="2" y=(top + 15.0) fill="currentColor"
                    font-weight=[is_marked.then_some("bold")] {
                    @if is_marked { "\u{25b6} " } (path)
                }
                @let is_bit = dump.width(path) == 1;
                @for segment in segments {
                    (drawn(segment, is_bit, top, &x))
                }
            }
        }
    };
    Ok(drawing.into_string())
}

fn drawn(segment: &Segment, is_bit: bool, top: f64, x: &dyn Fn(u64) -> f64) -> Markup {
    let (from, until) = (x(segment.from), x(segment.until));
    let (high, low) = (top + 4.0, top + HIGH - 4.0);
    let middle = (high + low) / 2.0;
    let value = segment.value.as_deref();
    let line = match value {
        None => format!("M{from:.1} {middle}H{until:.1}"),
        Some("0") if is_bit => format!("M{from:.1} {high}V{low}H{until:.1}"),
        Some("1") if is_bit => format!("M{from:.1} {low}V{high}H{until:.1}"),
        Some(_) => format!("M{from:.1} {high}H{until:.1}V{low}H{from:.1}Z"),
    };
    let fits = |text: &&str| {
        text.chars().count() as f64 * CHARACTER + 4.0 <= until - from
            && !(is_bit && text.len() == 1)
    };
    html! {
        path d=(line) fill="none" stroke="currentColor"
            stroke-dasharray=[value.is_none().then_some("2 3")] {
            @if let Some(value) = value {
                title { (value) " in cycles " (segment.from) " to " (segment.until - 1) }
            }
        }
        @if let Some(text) = value.filter(fits) {
            text x=(format!("{:.1}", from + 3.0)) y=(top + 15.0) fill="currentColor" { (text) }
        }
    }
}

fn segments(dump: &Dump, path: &str, first: u64, last: u64) -> Result<Vec<Segment>, WaveError> {
    let mut segments: Vec<Segment> = Vec::new();
    for cycle in first..=last {
        let value = dump.value(path, cycle)?;
        let value = value.map(|bits| shown(dump, path, Some(&bits)));
        match segments.last_mut().filter(|segment| segment.value == value) {
            Some(segment) => segment.until = cycle + 1,
            None => segments.push(Segment { from: cycle, until: cycle + 1, value }),
        }
    }
    Ok(segments)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    const DUMP: &str = "$timescale 1 ns $end\n$scope module top $end\n$var wire 1 ! valid $end\n\
        $var wire 8 \" word $end\n$upscope $end\n$enddefinitions $end\n#5\n0!\nb1 \"\n#7\n1!\n\
        b11111111 \"\n#9\n";

    fn dump() -> Dump {
        read(DUMP)
    }

    fn read(text: &str) -> Dump {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("d.vcd");
        std::fs::write(&path, text).expect("written");
        Dump::open(&path).expect("a dump")
    }

    #[test]
    fn a_word_of_nought_is_a_box_as_well() {
        let dump = read(&DUMP.replace("b1 ", "b0 "));
        let text = picture(&dump, &["top.word"], 5..=8, |_| false).expect("a picture");
        assert_eq!(text.matches("Z\"").count(), 2, "{text}");
    }

    #[test]
    fn a_value_is_drawn_from_cycle_to_cycle_and_nothing_before_the_dump_begins() {
        let found = segments(&dump(), "top.word", 4, 8).expect("a signal");
        let found: Vec<_> = found.iter().map(|s| (s.from, s.until, s.value.as_deref())).collect();
        assert_eq!(found, [(4, 5, None), (5, 7, Some("1")), (7, 9, Some("ff"))]);
    }

    #[test]
    fn only_what_is_marked_has_an_arrow_and_a_missing_signal_is_named() {
        let dump = dump();
        let paths = ["top.valid", "top.word"];
        let text = picture(&dump, &paths, 5..=8, |path| path == "top.word").expect("a picture");
        assert_eq!(text.matches('\u{25b6}').count(), 1, "{text}");
        assert!(text.contains("\u{25b6} top.word") && text.contains(">ff</text>"), "{text}");
        let error = picture(&dump, &["top.no"], 5..=8, |_| false).expect_err("no such signal");
        assert!(error.to_string().contains("top.no"));
    }

    #[test]
    fn bits_are_lines_and_words_are_boxes_with_their_values() {
        let paths = ["top.valid", "top.word"];
        let text = picture(&dump(), &paths, 4..=8, |path| path == "top.word").expect("a picture");
        let lines = text.replace('>', ">\n");
        let expected = expect![[r##"
            <svg xmlns="http://www.w3.org/2000/svg" class="wave" role="img" width="960" height="72" viewBox="0 0 960 72" color="#000" font-size="11" font-family="ui-monospace, 'DejaVu Sans Mono', monospace" aria-label="signals in cycles 4 to 8">
            <rect class="paper" width="960" height="72" fill="#fff">
            </rect>
            <path d="M81.7 22V72" stroke="currentColor" stroke-opacity="0.15">
            </path>
            <text x="83.7" y="14" fill="currentColor">
            4</text>
            <path d="M256.6 22V72" stroke="currentColor" stroke-opacity="0.15">
            </path>
            <text x="258.6" y="14" fill="currentColor">
            5</text>
            <path d="M431.4 22V72" stroke="currentColor" stroke-opacity="0.15">
            </path>
            <text x="433.4" y="14" fill="currentColor">
            6</text>
            <path d="M606.3 22V72" stroke="currentColor" stroke-opacity="0.15">
            </path>
            <text x="608.3" y="14" fill="currentColor">
            7</text>
            <path d="M781.1 22V72" stroke="currentColor" stroke-opacity="0.15">
            </path>
            <text x="783.1" y="14" fill="currentColor">
            8</text>
            <text x="2" y="37" fill="currentColor">
            top.valid</text>
            <path d="M81.7 33H256.6" fill="none" stroke="currentColor" stroke-dasharray="2 3">
            </path>
            <path d="M256.6 26V40H606.3" fill="none" stroke="currentColor">
            <title>
            0 in cycles 5 to 6</title>
            </path>
            <path d="M606.3 40V26H956.0" fill="none" stroke="currentColor">
            <title>
            1 in cycles 7 to 8</title>
            </path>
            <rect x="0" y="44" width="960" height="22" fill="#d55e00" fill-opacity="0.14">
            </rect>
            <rect x="781.1" y="44" width="174.9" height="22" fill="none" stroke="#d55e00" stroke-width="2">
            </rect>
            <text x="2" y="59" fill="currentColor" font-weight="bold">
            ▶ top.word</text>
            <path d="M81.7 55H256.6" fill="none" stroke="currentColor" stroke-dasharray="2 3">
            </path>
            <path d="M256.6 48H606.3V62H256.6Z" fill="none" stroke="currentColor">
            <title>
            1 in cycles 5 to 6</title>
            </path>
            <text x="259.6" y="59" fill="currentColor">
            1</text>
            <path d="M606.3 48H956.0V62H606.3Z" fill="none" stroke="currentColor">
            <title>
            ff in cycles 7 to 8</title>
            </path>
            <text x="609.3" y="59" fill="currentColor">
            ff</text>
            </svg>
        "##]];
        expected.assert_eq(&lines);
    }

    #[test]
    fn a_value_is_written_where_it_has_room_and_cycles_are_numbered_at_a_distance() {
        let drawn = |cycles: u64| {
            let last = 4 + cycles;
            let text = picture(&dump(), &["top.word"], 5..=last, |_| false).expect("a picture");
            (text.matches(">1</text>").count(), text.matches("stroke-opacity").count())
        };
        // 881 pixels for all cycles: a number and what is free behind it take 60.
        assert_eq!((drawn(14), drawn(15)), ((1, 14), (1, 8)));
        assert_eq!((drawn(29), drawn(30)), ((1, 15), (1, 10)));
        // Two cycles for a character and a margin, 10.7 pixels.
        assert_eq!((drawn(164), drawn(165)), ((1, 14), (0, 14)));
    }
}
