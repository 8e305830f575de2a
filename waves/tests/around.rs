//! Dumps with texts, and dumps of the cycles around events.

use blockyard_waves::{
    diff, Capture, CaptureOptions, Condition, Design, Dump, Format, TextVariable, Trigger, Watch,
    WaveError,
};
use rust_hdl::prelude::*;
use std::io::Cursor;

#[derive(LogicBlock, Default)]
struct Top {
    count: Signal<Out, Bits<8>>,
    request: Signal<Out, Bits<2>>,
    allow: Signal<Out, Bits<2>>,
}
impl Logic for Top {
    fn update(&mut self) {}
}

/// The design in a cycle: it counts, and asks in 40 and 41, where 40 is refused, and in 70.
fn at(cycle: u64) -> Top {
    let mut top = Top::default();
    top.count.next = (cycle % 256).into();
    top.request.next = u64::from(matches!(cycle, 40 | 41 | 70)).into();
    top.allow.next = u64::from(cycle == 41).into();
    top.update_all();
    top
}

fn options(margin: u64) -> CaptureOptions {
    let (set, unless) = ("top.request".to_owned(), Some("top.allow".to_owned()));
    CaptureOptions {
        watches: vec![Watch { conditions: vec![Condition { set, unless, with: None }] }],
        trigger: Some(Trigger { watches: vec![0], margin }),
        ..CaptureOptions::default()
    }
}

fn dump(cycles: impl Iterator<Item = u64>, last: u64, options: CaptureOptions) -> Dump {
    let top = at(0);
    let mut capture =
        Capture::new(Cursor::new(Vec::new()), Design::new("top", &top), options).expect("a header");
    for cycle in cycles {
        capture.sample(cycle, &at(cycle)).expect("a sample");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.vcd");
    std::fs::write(&path, capture.finish(last).expect("an end").0.into_inner()).expect("a file");
    Dump::open(&path).expect("a dump")
}

/// The cycles that a dump knows.
fn known(dump: &Dump, last: u64) -> Vec<u64> {
    let is_known = |cycle: &u64| {
        let value = dump.value("top.count", *cycle).expect("a signal");
        value.is_some_and(|bits| {
            let known = !bits.contains('x');
            assert!(!known || u64::from_str_radix(&bits, 2) == Ok(*cycle), "{bits} in {cycle}");
            known
        })
    };
    // What holds to the end of the dump holds no further.
    let end = *dump.times().last().expect("times");
    (0..=last.min(end - 1)).filter(is_known).collect()
}

#[test]
fn only_cycles_around_an_event_are_known_and_an_excused_bit_is_none() {
    for format in [Format::Vcd, Format::Fst] {
        let options = CaptureOptions { format, ..options(5) };
        let dump = dump(0..100, 99, options);
        let expected: Vec<u64> = (35..=45).chain(65..=75).collect();
        assert_eq!(known(&dump, 99), expected);
        assert_eq!(dump.times().last(), Some(&76));
    }
}

#[test]
fn a_margin_of_none_keeps_the_event_and_a_wide_one_joins_what_meets() {
    assert_eq!(known(&dump(0..100, 99, options(0)), 99), [40, 70]);
    // Between 40 + 14 and 70 - 14 one cycle is left; 40 + 15 and 70 - 15 meet.
    let apart: Vec<u64> = (26..=54).chain(56..=84).collect();
    assert_eq!(known(&dump(0..100, 99, options(14)), 99), apart);
    let touching: Vec<u64> = (25..=85).collect();
    assert_eq!(known(&dump(0..100, 99, options(15)), 99), touching);
    let all: Vec<u64> = (0..=99).collect();
    assert_eq!(known(&dump(0..100, 99, options(1000)), 99), all);
}

#[test]
fn stretches_that_meet_are_one_and_no_time_stands_twice() {
    let mut capture =
        Capture::new(Cursor::new(Vec::new()), Design::new("top", &at(0)), options(15)).expect("ok");
    // The last cycle of the first one is 55, and the other one begins in 56.
    for cycle in 0..100 {
        let asks = matches!(cycle, 40 | 71);
        capture.sample(cycle, &at(if asks { 40 } else { cycle % 30 })).expect("a sample");
    }
    let bytes = capture.finish(99).expect("an end").0.into_inner();
    let text = String::from_utf8(bytes).expect("text");
    let times = text.lines().filter_map(|line| line.strip_prefix('#')?.parse().ok());
    assert_eq!(times.collect::<Vec<u64>>(), (25..=87).collect::<Vec<u64>>());
    let unknown = |line: &&str| line.contains('x') && !line.starts_with('$');
    assert_eq!(text.lines().filter(unknown).count(), 0, "{text}");
}

#[test]
fn the_window_holds_for_events_and_for_what_is_around_them() {
    let options = CaptureOptions { window: 38..=69, ..options(5) };
    assert_eq!(known(&dump(0..100, 99, options), 99), (38..=45).collect::<Vec<u64>>());
}

#[test]
fn an_event_that_lasts_over_cycles_without_a_sample_is_dumped_as_long() {
    let steps = |cycle: u64| if (50..60).contains(&cycle) { 40 } else { 0 };
    let dump = |cycles: Vec<u64>| {
        let mut capture =
            Capture::new(Cursor::new(Vec::new()), Design::new("top", &at(0)), options(3))
                .expect("ok");
        for cycle in cycles {
            capture.sample(cycle, &at(steps(cycle))).expect("a sample");
        }
        capture.finish(99).expect("an end").0.into_inner()
    };
    assert!(dump((0..100).collect()) == dump(vec![0, 50, 60]));
    assert!(dump((0..100).collect()) == dump(vec![0, 1, 50, 51, 55, 60, 99]));
}

#[test]
fn an_event_from_outside_is_dumped_too_and_without_any_nothing_is() {
    let watches = Vec::new();
    let trigger = Some(Trigger { watches: Vec::new(), margin: 2 });
    let options = CaptureOptions { watches, trigger, ..CaptureOptions::default() };
    let mut capture = Capture::new(Cursor::new(Vec::new()), Design::new("top", &at(0)), options)
        .expect("a header");
    capture.sample(7, &at(7)).expect("a sample");
    assert!(capture.is_empty().expect("no error"));
    capture.sample(8, &at(8)).expect("a sample");
    capture.fire(8).expect("no error");
    assert!(!capture.is_empty().expect("no error"));
}

#[test]
fn an_event_of_a_signal_that_is_not_there_is_refused() {
    let mut wrong = options(1);
    wrong.watches[0].conditions[0].set = "top.nothing".to_owned();
    let error = Capture::new(Cursor::new(Vec::new()), Design::new("top", &at(0)), wrong).err();
    assert!(matches!(error, Some(WaveError::NoSuchSignal(path)) if path == "top.nothing"));
}

#[test]
fn texts_are_the_same_in_both_formats_and_cut_to_their_length() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |name: &str, format| {
        let text = |path: &str, length| TextVariable { path: path.to_owned(), length };
        let texts = vec![text("events", 8), text("smx_0.slot_0", 12), text("smx_0.slot_1", 12)];
        let options = CaptureOptions {
            version: "Blockyard rr --launch flat".to_owned(),
            texts,
            format,
            ..CaptureOptions::default()
        };
        let mut capture =
            Capture::new(Cursor::new(Vec::new()), Design::new("top", &at(0)), options)
                .expect("a header");
        for cycle in 0..10 {
            capture.sample(cycle, &at(cycle)).expect("a sample");
            let event = if cycle == 4 { "launch:long" } else { "" };
            capture.say(cycle, 0, event).expect("a text");
            if cycle == 3 {
                capture.say(cycle, 1, "lost").expect("a text");
                capture.say(cycle, 1, "K#0(1,2,3)").expect("a text");
            }
        }
        let path = folder.path().join(name);
        std::fs::write(&path, capture.finish(9).expect("an end").0.into_inner()).expect("a file");
        Dump::open(&path).expect("a dump")
    };
    let (vcd, fst) = (read("a.vcd", Format::Vcd), read("a.fst", Format::Fst));
    for dump in [&vcd, &fst] {
        let text = |path: &str, cycle| dump.value(path, cycle).expect("a text").expect("a value");
        assert_eq!(dump.version(), "Blockyard rr --launch flat");
        assert_eq!(text("story.smx_0.slot_0", 2), "");
        assert_eq!(text("story.smx_0.slot_0", 3), "K#0(1,2,3)");
        assert_eq!(text("story.smx_0.slot_0", 9), "K#0(1,2,3)");
        assert_eq!(text("story.smx_0.slot_1", 9), "");
        assert_eq!(text("story.events", 4), "launch:~");
        assert_eq!(text("story.events", 5), "");
        let changes = dump.changes("story.events").expect("a text");
        assert!(changes.contains(&(4, "launch:~".to_owned())), "{changes:?}");
        let texts: Vec<&str> =
            dump.signals().filter(|signal| signal.is_text).map(|signal| &*signal.path).collect();
        assert_eq!(texts, ["story.events", "story.smx_0.slot_0", "story.smx_0.slot_1"]);
    }
    assert_eq!(diff(&vcd, &fst, 0..=u64::MAX, 10, |_| true), []);
}

#[test]
fn a_dump_of_texts_alone_has_no_signal() {
    let texts = vec![TextVariable { path: "events".to_owned(), length: 8 }];
    let options = CaptureOptions { texts_only: true, texts, ..CaptureOptions::default() };
    let dump = dump(0..3, 2, options);
    assert_eq!(dump.paths().into_iter().collect::<Vec<_>>(), ["story.events"]);
}

/// Events are told in some cycles, and a slot's block, in one that repeats itself.
fn told(options: CaptureOptions) -> (Dump, blockyard_waves::Contents) {
    let texts = ["events", "smx_0.slot_0", "smx_0.slot_1"];
    let text = |path: &str| TextVariable { path: path.to_owned(), length: 6 };
    let options = CaptureOptions { texts: texts.map(text).to_vec(), ..options };
    let mut capture = Capture::new(Cursor::new(Vec::new()), Design::new("top", &at(0)), options)
        .expect("a header");
    for cycle in 0..90 {
        capture.sample(cycle, &at(cycle)).expect("a sample");
        let event = if cycle % 20 == 0 { "launch:K" } else { "" };
        capture.say(cycle, 0, event).expect("said");
        capture.say(cycle, 1, if (30..60).contains(&cycle) { "K#0" } else { "" }).expect("said");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a");
    let (writer, contents) = capture.finish(95).expect("an end");
    std::fs::write(&path, writer.into_inner()).expect("a file");
    (Dump::open(&path).expect("a dump"), contents)
}

#[test]
fn what_a_capture_tells_views_is_what_they_find_in_its_dump() {
    let window = |first, last| CaptureOptions { window: first..=last, ..CaptureOptions::default() };
    let all = [0, 20, 40, 60, 80];
    let shapes = [
        (CaptureOptions::default(), &all[..]),
        (window(35, 50), &[40]),
        (window(0, 0), &[0]),
        (options(3), &[40]),
        (CaptureOptions { texts_only: true, ..CaptureOptions::default() }, &all),
    ];
    for (number, (shape, launches)) in shapes.into_iter().enumerate() {
        for format in [Format::Vcd, Format::Fst] {
            let (dump, contents) = told(CaptureOptions { format, ..shape.clone() });
            let mut found = dump.contents();
            if format == Format::Fst {
                // Every dump in that format begins at 0, whatever its first value's time.
                found.cycles.start = contents.cycles.start;
            }
            assert_eq!(contents, found, "shape {number}, {format:?}");
            let said = contents.said("story.events");
            let launched = |cycle: &u64| (*cycle, "launc~".to_owned());
            assert_eq!(said, launches.iter().map(launched).collect::<Vec<_>>());
            assert_eq!(contents.said("story.smx_0.slot_1"), [], "never used");
        }
    }
}
