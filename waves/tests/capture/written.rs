//! What is written, byte for byte.

use super::design::at;
use blockyard_waves::{
    ascii, diff, Capture, CaptureOptions, Condition, Design, Dump, Format, TextVariable, Watch,
    WaveError,
};
use expect_test::expect;
use fst_reader::{FstHierarchyEntry, FstReader, FstVarType};
use rust_hdl::prelude::*;
use std::io::Cursor;
use std::ops::RangeInclusive;

#[derive(LogicBlock, Default)]
struct Small {
    clock: Signal<In, Clock>,
    bit: Signal<Out, Bit>,
    word: Signal<Out, Bits<4>>,
}
impl Logic for Small {
    fn update(&mut self) {}
}

/// The design in a cycle: it counts.
fn small(cycle: u64) -> Small {
    let mut small = Small::default();
    small.bit.next = cycle % 2 == 1;
    small.word.next = (cycle % 16).into();
    small.update_all();
    small
}

fn options(window: RangeInclusive<u64>) -> CaptureOptions {
    let text = |path: &str| TextVariable { path: path.to_owned(), length: 8 };
    let texts = ["events", "smx_0.slot_0", "smx_0.slot_1", "smx_1.slot_0"].map(text).to_vec();
    CaptureOptions { window, texts, about: "a test".to_owned(), ..CaptureOptions::default() }
}

fn capture(options: CaptureOptions) -> Capture<Cursor<Vec<u8>>> {
    let design = Design::new("top", &small(0));
    Capture::new(Cursor::new(Vec::new()), design, options).expect("a header")
}

/// A VCD dump of four cycles, in which something is said.
fn written(window: RangeInclusive<u64>, last: u64) -> String {
    let mut capture = capture(options(window));
    for cycle in 2..6 {
        capture.sample(cycle, &small(cycle)).expect("a sample");
        if cycle == 3 {
            capture.say(cycle, 1, "K#0").expect("said");
        }
        capture.say(cycle, 0, if cycle == 4 { "launch:K" } else { "" }).expect("said");
    }
    String::from_utf8(capture.finish(last).expect("an end").0.into_inner()).expect("text")
}

#[test]
fn each_scope_stands_once_each_time_once_and_the_first_cycle_has_every_value() {
    let expected = expect![[r#"
        $version
            Blockyard
        $end
        $comment
            Blockyard: one time unit is one clock cycle; clocks are left out
        $end
        $comment
            run a test
        $end
        $timescale 1 ns $end
        $scope module top $end
        $var wire 1 ! bit $end
        $var integer 4 " word $end
        $upscope $end
        $scope module story $end
        $var string 1 # events $end
        $scope module smx_0 $end
        $var string 1 $ slot_0 $end
        $var string 1 % slot_1 $end
        $upscope $end
        $scope module smx_1 $end
        $var string 1 & slot_0 $end
        $upscope $end
        $upscope $end
        $enddefinitions $end
        #2
        $dumpvars
        0!
        b0010 "
        s #
        s $
        s %
        s &
        $end
        #3
        1!
        b0011 "
        sK#0 $
        #4
        0!
        b0100 "
        slaunch:K #
        #5
        1!
        b0101 "
        s #
        #8
    "#]];
    expected.assert_eq(&written(0..=u64::MAX, 7));
}

#[test]
fn a_window_that_begins_with_a_sample_has_its_values_alone() {
    let text = written(3..=4, 7);
    let (_, body) = text.split_once("$enddefinitions $end\n").expect("a header");
    let expected = expect![[r##"
        #3
        $dumpvars
        1!
        b0011 "
        s #
        sK#0 $
        s %
        s &
        $end
        #4
        0!
        b0100 "
        slaunch:K #
        #5
    "##]];
    expected.assert_eq(body);
}

#[test]
fn of_a_run_that_ends_before_the_window_there_is_no_time() {
    let text = written(9..=12, 7);
    assert!(text.ends_with("$enddefinitions $end\n"), "{text}");
}

#[test]
fn a_text_of_an_earlier_cycle_is_refused_and_one_of_the_same_is_not() {
    let mut capture = capture(options(0..=u64::MAX));
    capture.sample(5, &small(5)).expect("a sample");
    capture.say(5, 0, "now").expect("the same cycle");
    let error = capture.say(4, 0, "late").expect_err("the cycle before");
    assert!(matches!(error, WaveError::CycleWentBack { cycle: 4, last: 5 }), "{error}");
    capture.say(6, 0, "then").expect("the cycle behind");
}

#[test]
fn a_capture_wants_what_it_dumps_or_watches_and_no_more() {
    // Clock, `count`, `pair`, `phase`, `wide`, and clock and `value` of either cell.
    let wanted = |options: CaptureOptions| -> Vec<usize> {
        let capture = Capture::new(Cursor::new(Vec::new()), Design::new("top", &at(0)), options)
            .expect("a header");
        (0..12).filter(|number| capture.wants(*number)).collect()
    };
    assert_eq!(wanted(CaptureOptions::default()), [1, 2, 3, 4, 6, 8]);
    let below = CaptureOptions { scopes: vec!["cells_1".to_owned()], ..CaptureOptions::default() };
    assert_eq!(wanted(below.clone()), [8]);
    let set = Condition { set: "top.count".to_owned(), unless: None, with: None };
    let watches = vec![Watch { conditions: vec![set] }];
    assert_eq!(wanted(CaptureOptions { watches: watches.clone(), ..below }), [1, 8]);
    let texts = CaptureOptions { texts_only: true, ..CaptureOptions::default() };
    assert_eq!(wanted(texts.clone()), [0; 0]);
    assert_eq!(wanted(CaptureOptions { watches, ..texts }), [1]);
}

#[test]
fn a_design_knows_the_signals_of_its_dump() {
    for format in [Format::Vcd, Format::Fst] {
        let design = Design::new("top", &at(0));
        let known = design.signals();
        let options = CaptureOptions { format, ..CaptureOptions::default() };
        let mut capture = Capture::new(Cursor::new(Vec::new()), design, options).expect("a header");
        capture.sample(0, &at(0)).expect("a sample");
        let (_, contents) = capture.finish(0).expect("an end");
        assert_eq!(known, contents.signals);
        assert_eq!(known.len(), 7);
    }
}

#[test]
fn differences_are_those_of_the_cycles_that_are_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = |name: &str, other: u64| {
        let mut capture = capture(CaptureOptions::default());
        for cycle in 0..9 {
            let shown = if matches!(cycle, 2 | 6) { other } else { cycle };
            capture.sample(cycle, &small(shown)).expect("a sample");
        }
        let path = folder.path().join(name);
        std::fs::write(&path, capture.finish(8).expect("an end").0.into_inner()).expect("a file");
        Dump::open(&path).expect("a dump")
    };
    let (left, right) = (open("a.vcd", 0), open("b.vcd", 1));
    let cycles = |range: RangeInclusive<u64>| -> Vec<u64> {
        diff(&left, &right, range, 9, |path| path == "top.word").iter().map(|d| d.cycle).collect()
    };
    assert_eq!(cycles(0..=u64::MAX), [2, 6]);
    assert_eq!(cycles(3..=8), [6]);
    assert_eq!(cycles(0..=5), [2]);
    assert_eq!(cycles(3..=5), [0; 0]);
}

#[test]
fn a_dump_says_of_what_it_is_which_signals_it_has_and_which_of_them_are_texts() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, format) in [("a.vcd", Format::Vcd), ("a.fst", Format::Fst)] {
        for about in ["", "a test"] {
            let about = about.to_owned();
            let mut capture =
                capture(CaptureOptions { format, about: about.clone(), ..options(0..=9) });
            capture.sample(0, &small(0)).expect("a sample");
            capture.say(0, 0, "101").expect("said");
            let path = folder.path().join(name);
            let (writer, _) = capture.finish(1).expect("an end");
            std::fs::write(&path, writer.into_inner()).expect("a file");
            let dump = Dump::open(&path).expect("a dump");
            assert_eq!(dump.about().unwrap_or_default(), about);
            assert_eq!(dump.about().is_some(), !about.is_empty());
            assert!(dump.has("top.word") && dump.has("story.events") && !dump.has("top.wor"));
            let text = ascii(&dump, &["top.word", "story.events"], 0..=0).expect("a table");
            assert!(text.contains("story.events  101\n"), "{text}");
        }
    }
}

#[test]
fn in_fst_a_bit_is_a_wire_and_a_word_an_integer_as_in_vcd() {
    let mut capture = capture(CaptureOptions { format: Format::Fst, ..CaptureOptions::default() });
    capture.sample(0, &small(0)).expect("a sample");
    let (writer, _) = capture.finish(1).expect("an end");
    let mut reader = FstReader::open(Cursor::new(writer.into_inner())).expect("a dump");
    let mut kinds = Vec::new();
    let see = |entry| {
        if let FstHierarchyEntry::Var { tpe, name, .. } = entry {
            kinds.push((name, tpe));
        }
    };
    reader.read_hierarchy(see).expect("its names");
    let expected = [("bit", FstVarType::Wire), ("word", FstVarType::Integer)];
    assert_eq!(kinds, expected.map(|(name, kind)| (name.to_owned(), kind)));
}
