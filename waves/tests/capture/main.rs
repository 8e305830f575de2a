//! Dumps of a small design, read back.

mod bundles;
mod design;
mod written;

use blockyard_waves::{
    ascii, diff, modules, Capture, CaptureOptions, Design, Dump, Format, View, WaveError,
};
use design::{at, Cell, Pair};
use rust_hdl::prelude::*;
use std::io::Cursor;
use std::path::{Path, PathBuf};

fn dump(cycles: &[u64], last: u64, options: CaptureOptions) -> Vec<u8> {
    let mut capture = Capture::new(Cursor::new(Vec::new()), Design::new("top", &at(0)), options)
        .expect("a header");
    for &cycle in cycles {
        capture.sample(cycle, &at(cycle)).expect("a sample");
    }
    capture.finish(last).expect("an end").0.into_inner()
}

fn every(cycles: u64) -> Vec<u64> {
    (0..cycles).collect()
}

/// The views of a dump of which nothing is known.
fn write_views(path: &Path) -> Result<Vec<PathBuf>, WaveError> {
    blockyard_waves::write_views(path, |dump| View {
        title: "Test".to_owned(),
        sections: modules(&dump.signals),
        markers: Vec::new(),
    })
}

fn file(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a writable folder");
    path
}

fn open(bytes: &[u8]) -> Dump {
    let folder = tempfile::tempdir().expect("a folder");
    Dump::open(&file(folder.path(), "a.vcd", bytes)).expect("a dump")
}

fn number(dump: &Dump, path: &str, cycle: u64) -> u64 {
    let bits = dump.value(path, cycle).expect("a signal").expect("a value");
    u64::from_str_radix(&bits, 2).expect("bits")
}

#[test]
fn every_signal_has_its_value_in_every_cycle() {
    let dump = open(&dump(&every(30), 29, CaptureOptions::default()));
    for cycle in 0..30 {
        let step = cycle / 3;
        assert_eq!(number(&dump, "top.count", cycle), step);
        assert_eq!(number(&dump, "top.pair_high", cycle), step % 16);
        assert_eq!(number(&dump, "top.pair_low", cycle), step % 2);
        assert_eq!(number(&dump, "top.phase", cycle), step % 3);
        assert_eq!(number(&dump, "top.cells_1.value", cycle), step * 2);
        assert_eq!(number(&dump, "top.cells_0.value", cycle), 0);
        let wide = dump.value("top.wide", cycle).expect("a signal").expect("a value");
        assert_eq!(u128::from_str_radix(&wide, 2), Ok(u128::from(step) << 70 | u128::from(step)));
    }
    assert_eq!(dump.times().last(), Some(&30));
}

#[test]
fn clocks_are_left_out_and_names_hold_neither_dollar_nor_bracket() {
    let dump = open(&dump(&every(3), 2, CaptureOptions::default()));
    for signal in dump.signals() {
        assert!(!signal.path.contains(['$', '[', ']']), "{}", signal.path);
        assert!(!signal.path.ends_with("clock"), "{}", signal.path);
        assert!(signal.width > 0, "{}", signal.path);
    }
}

#[test]
fn cycles_without_a_sample_change_no_byte() {
    for (from, to) in [(0, u64::MAX), (0, 20), (4, 20), (7, 7), (8, 9), (28, 40)] {
        let options = CaptureOptions { window: from..=to, ..CaptureOptions::default() };
        let all = dump(&every(30), 29, options.clone());
        let changes: Vec<u64> = (0..30).step_by(3).collect();
        assert_eq!(all, dump(&changes, 29, options), "window {from} to {to}");
    }
}

#[test]
fn a_window_shows_its_first_and_its_last_cycle_and_nothing_else() {
    let options = CaptureOptions { window: 4..=10, ..CaptureOptions::default() };
    let dump = open(&dump(&every(30), 29, options));
    assert_eq!(dump.value("top.count", 3).expect("a signal"), None);
    assert_eq!(number(&dump, "top.count", 4), 1);
    assert_eq!(number(&dump, "top.count", 9), 3);
    assert_eq!(number(&dump, "top.count", 10), 3);
    assert_eq!(dump.times().last(), Some(&11));
    assert!(dump.times().iter().all(|time| (4..=11).contains(time)));
}

#[test]
fn a_scope_is_dumped_with_what_is_below_it_and_without_the_rest() {
    let options = CaptureOptions { scopes: vec!["cells_1".into()], ..CaptureOptions::default() };
    let bytes = dump(&every(9), 8, options);
    let scopes = String::from_utf8_lossy(&bytes).matches("$scope").count();
    assert_eq!(scopes, 2, "the top and what is asked for");
    let dump = open(&bytes);
    let paths: Vec<&str> = dump.signals().map(|signal| signal.path.as_str()).collect();
    assert_eq!(paths, ["top.cells_1.value"]);
    assert_eq!(number(&dump, "top.cells_1.value", 8), 4);
}

#[test]
fn an_unknown_scope_is_refused_with_the_ones_there_are() {
    let options = CaptureOptions { scopes: vec!["cell".into()], ..CaptureOptions::default() };
    let error = Capture::new(Cursor::new(Vec::new()), Design::new("top", &at(0)), options)
        .err()
        .expect("no such scope");
    assert!(error.to_string().contains("cells_0, cells_1"), "{error}");
}

#[test]
fn every_path_of_the_save_file_resolves_in_the_dump_and_groups_nest() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "run.vcd", &dump(&every(9), 8, CaptureOptions::default()));
    let written = write_views(&path).expect("views");
    assert_eq!(written[0], folder.path().join("run.gtkw"));
    let text = std::fs::read_to_string(&written[0]).expect("the save file");
    let dump = Dump::open(&path).expect("a dump");
    let known: Vec<&str> = dump.signals().map(|signal| signal.path.as_str()).collect();
    let traces: Vec<&str> =
        text.lines().filter(|line| !line.starts_with(['[', '@', '-', '^', '*'])).collect();
    assert_eq!(traces, known);
    let begins = text.matches("@800200\n").count() + text.matches("@c00200\n").count();
    let ends = text.matches("@1000200\n").count() + text.matches("@1401200\n").count();
    assert_eq!((begins, ends), (3, 3), "{text}");
    assert!(text.contains("[dumpfile] \"run.vcd\""), "{text}");
    assert!(!text.contains(folder.path().to_str().expect("a path")), "absolute path: {text}");
}

#[test]
fn an_enum_keeps_the_names_of_its_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "run.vcd", &dump(&every(9), 8, CaptureOptions::default()));
    let written = write_views(&path).expect("views");
    let filter = std::fs::read_to_string(&written[1]).expect("a filter file");
    assert_eq!(filter, "00 Idle\n01 Count\n10 Rest\n");
    let save = std::fs::read_to_string(&written[0]).expect("the save file");
    assert!(save.contains("@2028\n^1 run.enum0.txt\ntop.phase\n"), "{save}");
}

#[test]
fn two_dumps_differ_where_they_differ() {
    let left = open(&dump(&every(9), 8, CaptureOptions::default()));
    let right = open(&dump(&[0, 3, 7], 8, CaptureOptions::default()));
    assert_eq!(diff(&left, &left, 0..=u64::MAX, 10, |_| true), []);
    let found = diff(&left, &right, 0..=u64::MAX, 10, |_| true);
    assert_eq!((found[0].cycle, found[0].path.as_str()), (6, "top.count"));
    assert_eq!(found[0].left.as_deref(), Some("00000010"));
    assert_eq!(found[0].right.as_deref(), Some("00000001"));
}

#[test]
fn a_few_signals_read_as_text() {
    let dump = open(&dump(&every(9), 8, CaptureOptions::default()));
    let text = ascii(&dump, &["top.count", "top.phase"], 0..=7).expect("signals");
    let expected = "cycle      0    1 2 3     4 5 6    7\n\
                    top.count  0    . . 1     . . 2    .\n\
                    top.phase  Idle . . Count . . Rest .\n";
    assert_eq!(text, expected);
    assert!(matches!(ascii(&dump, &["top.x"], 0..=1), Err(WaveError::NoSuchSignal(_))));
}

#[test]
fn what_is_no_dump_is_refused_with_its_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = dump(&every(9), 8, CaptureOptions::default());
    for (name, bytes) in [
        ("empty.vcd", Vec::new()),
        ("garbage.vcd", b"\xff\xfe\x00garbage".to_vec()),
        ("header.vcd", good[..60].to_vec()),
        ("nothing.vcd", b"$enddefinitions $end\n".to_vec()),
    ] {
        let path = file(folder.path(), name, &bytes);
        let error = Dump::open(&path).err().expect(name).to_string();
        assert!(error.contains(name), "{error}");
    }
    let error = Dump::open(&folder.path().join("missing.vcd")).err().expect("missing").to_string();
    assert!(error.contains("cannot read") && error.contains("missing.vcd"), "{error}");
}

#[test]
fn a_folder_that_is_not_there_is_an_error_with_its_path() {
    let error = write_views(Path::new("no/such/dump.vcd")).expect_err("no such file").to_string();
    assert!(error.contains("no/such/dump.vcd"), "{error}");
}

#[derive(LogicBlock, Default)]
struct Corners {
    first: Signal<Out, Pair>,
    first_high: Signal<Out, Bits<4>>,
    open: Signal<InOut, Pair>,
    cells: [Cell; 2],
    cells_1: Cell,
}
impl Logic for Corners {
    fn update(&mut self) {}
}

#[test]
fn names_that_would_fall_together_stay_apart() {
    let capture = Capture::new(
        Cursor::new(Vec::new()),
        Design::new("top", &Corners::default()),
        CaptureOptions::default(),
    );
    let mut capture = capture.expect("a header");
    capture.sample(0, &Corners::default()).expect("a sample");
    let dump = open(capture.finish(0).expect("an end").0.get_ref());
    let paths: Vec<&str> = dump.signals().map(|signal| signal.path.as_str()).collect();
    let expected = [
        "top.first_high",
        "top.first_low",
        "top.first_high_2",
        "top.open_high",
        "top.open_low",
        "top.cells_0.value",
        "top.cells_1.value",
        "top.cells_1_2.value",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn a_struct_that_nobody_drives_is_z_in_every_field() {
    let mut corners = Corners::default();
    corners.open.set_tristate_is_output(false);
    let capture = Capture::new(
        Cursor::new(Vec::new()),
        Design::new("top", &corners),
        CaptureOptions::default(),
    );
    let mut capture = capture.expect("a header");
    capture.sample(0, &corners).expect("a sample");
    let dump = open(capture.finish(0).expect("an end").0.get_ref());
    assert_eq!(dump.value("top.open_high", 0).expect("a signal").as_deref(), Some("zzzz"));
    assert_eq!(dump.value("top.open_low", 0).expect("a signal").as_deref(), Some("z"));
}

/// The variables of the design in a cycle: signal, variable, place of the lowest bit, bits.
fn words(cycle: u64) -> [(usize, usize, usize, u64); 7] {
    let step = cycle / 3;
    [
        (1, 0, 0, step % 256),
        (2, 0, 0, step % 16),
        (2, 1, 0, step % 2),
        (3, 0, 0, step % 3),
        (4, 0, 0, step),
        (4, 0, 64, step << 6),
        (8, 0, 0, step * 2 % 256),
    ]
}

#[test]
fn a_design_that_tells_its_changes_gives_the_dump_of_one_that_is_looked_at() {
    for format in [Format::Vcd, Format::Fst] {
        let options = CaptureOptions { format, ..CaptureOptions::default() };
        let capture =
            Capture::new(Cursor::new(Vec::new()), Design::new("top", &at(0)), options.clone());
        let mut capture = capture.expect("a header");
        capture.sample(0, &at(0)).expect("a sample");
        for cycle in 1..380 {
            let changed = words(cycle).into_iter().zip(words(cycle - 1)).filter(|(a, b)| a != b);
            let told = capture.sample_changes(cycle, |see| {
                changed.for_each(|((signal, variable, from, bits), _)| {
                    see(signal, variable, from, bits);
                });
            });
            told.expect("a sample");
        }
        let told = capture.finish(379).expect("an end").0.into_inner();
        assert_eq!(told, dump(&every(380), 379, options), "{format:?}");
    }
}

#[test]
fn a_cycle_that_is_not_after_the_last_one_is_refused() {
    for (cycle, fine) in [(4, false), (5, false), (6, true)] {
        let capture = Capture::new(
            Cursor::new(Vec::new()),
            Design::new("top", &at(0)),
            CaptureOptions::default(),
        );
        let mut capture = capture.expect("a header");
        capture.sample(5, &at(5)).expect("a sample");
        assert_eq!(capture.sample(cycle, &at(cycle)).is_ok(), fine, "cycle {cycle}");
    }
}

#[test]
fn a_dump_that_is_cut_within_a_line_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = dump(&every(9), 8, CaptureOptions::default());
    for length in 1..good.len() {
        if good[length - 1] != b'\n' {
            let path = file(folder.path(), "cut.vcd", &good[..length]);
            let error = Dump::open(&path).err().expect("cut").to_string();
            assert!(error.contains("cut.vcd"), "{error}");
        }
    }
}

#[test]
fn a_wrong_value_change_is_refused_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = String::from_utf8(dump(&every(9), 8, CaptureOptions::default())).expect("text");
    let line = good.lines().count() + 1;
    let cases = ["1~~~~", "b100000000 !", "#1", "b12 !", "hello", "b1"];
    for wrong in cases {
        let path = file(folder.path(), "wrong.vcd", format!("{good}{wrong}\n").as_bytes());
        let error = Dump::open(&path).err().expect(wrong).to_string();
        assert!(error.contains(&format!("line {line}:")), "{wrong}: {error}");
    }
    for right in ["b10000000 !", "#9", "bx !", "$comment hello $end"] {
        let path = file(folder.path(), "right.vcd", format!("{good}{right}\n").as_bytes());
        assert!(Dump::open(&path).is_ok(), "{right}");
    }
}

#[test]
fn gtkwave_knows_every_word_by_its_plain_name_and_finds_the_files_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = dump(&every(9), 8, CaptureOptions::default());
    let path = file(folder.path(), "run.vcd", &bytes);
    let text = String::from_utf8(bytes).expect("text");
    for line in text.lines().filter(|line| line.starts_with("$var")) {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words[1], if words[2] == "1" { "wire" } else { "integer" }, "{line}");
    }
    let save =
        std::fs::read_to_string(&write_views(&path).expect("views")[0]).expect("a save file");
    assert!(save.contains("[savefile] \"run.gtkw\"\n"), "{save}");
}

#[test]
fn an_fst_dump_holds_what_the_vcd_dump_of_the_same_samples_holds() {
    let cycles = [0, 1, 2, 5, 9];
    let folder = tempfile::tempdir().expect("a folder");
    let read = |name: &str, format| {
        let options = CaptureOptions { format, ..CaptureOptions::default() };
        let path = folder.path().join(name);
        std::fs::write(&path, dump(&cycles, 12, options)).expect("a file");
        Dump::open(&path).expect("a dump")
    };
    let (vcd, fst) = (read("a.vcd", Format::Vcd), read("a.fst", Format::Fst));
    assert!(vcd.signals().count() > 3);
    let paths = |dump: &Dump| dump.signals().map(|signal| signal.path.clone()).collect::<Vec<_>>();
    assert_eq!(paths(&vcd), paths(&fst));
    assert_eq!(diff(&vcd, &fst, 0..=u64::MAX, 10, |_| true), []);
    // And the same bytes every time.
    let options = || CaptureOptions { format: Format::Fst, ..CaptureOptions::default() };
    assert!(dump(&cycles, 12, options()) == dump(&cycles, 12, options()));
    let views = write_views(&folder.path().join("a.fst")).expect("views");
    assert!(views.iter().all(|view| view.exists()));
}
