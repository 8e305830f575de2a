//! Views: how each kind of trace, group and marker is written for each viewer.

use blockyard_waves::{
    write_views, Capture, CaptureOptions, Contents, Design, Marker, Section, Shown, TextVariable,
    Trace, View, Views,
};
use rust_hdl::prelude::*;
use std::io::Cursor;
use std::ops::Range;

#[derive(LogicBlock, Default)]
struct Top {
    valid: Signal<Out, Bit>,
    up: Signal<Out, Bit>,
    count: Signal<Out, Bits<8>>,
    place: Signal<Out, Bits<20>>,
}
impl Logic for Top {
    fn update(&mut self) {}
}

fn trace(path: &str, width: u32, shown: Shown) -> Trace {
    let label = path.strip_prefix("top.co").unwrap_or_default().to_owned();
    Trace { path: path.to_owned(), label, width, shown }
}

fn example() -> View {
    let names = (0..).zip(["down".to_owned(), "up".to_owned()]).collect();
    let inner = Section {
        name: "SMX 0".to_owned(),
        traces: vec![trace("top.place", 20, Shown::Hexadecimal)],
        ..Section::default()
    };
    let first = Section {
        name: "Queue of kernels".to_owned(),
        is_open: true,
        traces: vec![
            trace("story.events", 1, Shown::Text),
            trace("top.valid", 1, Shown::Binary),
            trace("top.count", 8, Shown::Decimal),
            trace("top.up", 1, Shown::Names(names)),
        ],
        sections: vec![inner],
        ..Section::default()
    };
    let raw = Section {
        name: "All".to_owned(),
        is_open: true,
        is_raw: true,
        traces: vec![trace("top.place", 20, Shown::Binary)],
        ..Section::default()
    };
    let marker = |cycle, name: &str| Marker { cycle, name: name.to_owned() };
    View {
        title: "A title".to_owned(),
        sections: vec![first, raw],
        markers: vec![marker(3, "launch:K#0"), marker(5, "mismatch")],
    }
}

/// The texts of the views of a dump, by name.
fn written() -> Vec<(String, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.vcd");
    let texts = vec![TextVariable { path: "events".to_owned(), length: 8 }];
    let options = CaptureOptions { texts, ..CaptureOptions::default() };
    let top = Top::default();
    let mut capture =
        Capture::new(Cursor::new(Vec::new()), Design::new("top", &top), options).expect("a header");
    capture.sample(0, &top).expect("a sample");
    std::fs::write(&path, capture.finish(9).expect("an end").0.into_inner()).expect("a file");
    let files = write_views(&path, |_| example()).expect("views");
    let name = |path: &std::path::Path| {
        path.strip_prefix(folder.path()).expect("beside the dump").display().to_string()
    };
    files.iter().map(|path| (name(path), std::fs::read_to_string(path).expect("text"))).collect()
}

#[test]
fn every_view_is_beside_the_dump_and_names_no_other_folder() {
    let names: Vec<String> = written().into_iter().map(|(name, _)| name).collect();
    let expected =
        ["run.gtkw", "run.enum0.txt", "run.sucl", ".surfer/mappings/blockyard_down_up.txt"];
    assert_eq!(names, expected);
    assert!(written().iter().all(|(_, text)| !text.contains("/tmp")));
}

#[test]
fn gtkwave_is_told_each_format_each_group_and_each_marker() {
    let files = written();
    let text = &files[0].1;
    let expected = "@800200\n-Queue of kernels\n@820\nstory.events\n@28\ntop.valid\n@24\n+{unt} top.count\n\
                    @2028\n^1 run.enum0.txt\ntop.up\n@c00200\n-SMX 0\n@22\ntop.place\n@1401200\n-SMX 0\n\
                    @1000200\n-Queue of kernels\n@800200\n-All\n@28\ntop.place\n@1000200\n-All\n";
    assert!(text.ends_with(expected), "{text}");
    assert!(text.contains("\n[markername] Alaunch:K#0\n[markername] Bmismatch\n"), "{text}");
    let line = text.lines().find(|line| line.starts_with('*')).expect("a line of markers");
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!((words.len(), &words[1..5]), (28, &["-1", "3", "5", "-1"][..]), "{line}");
    assert_eq!(files[1].1, "0 down\n1 up\n");
}

#[test]
fn surfer_is_told_what_is_open_and_formats_after_all_is_added() {
    let files = written();
    let text: Vec<&str> = files[2].1.lines().collect();
    let expected = [
        "divider_add Queue_of_kernels",
        "variable_add story.events",
        "variable_add top.valid",
        "variable_add top.count",
        "variable_add top.up",
        "item_focus d_",
        "item_set_format Unsigned",
        "item_focus e_",
        "item_set_format blockyard_down_up",
        "item_unfocus",
        "marker_set launch:K_0 3",
        "marker_set mismatch 5",
        "zoom_fit",
    ];
    assert_eq!(text[1..], expected, "{text:?}");
    assert_eq!(files[3].1, "Name = blockyard_down_up\nBits = 1\n0 down\n1 up\n");
}

#[test]
fn views_of_a_dump_in_a_folder_that_is_not_there_are_refused_and_make_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing");
    let views = Views::of(&missing.join("run.vcd"), &Contents::default(), |_| example());
    let error = views.write().expect_err("there is no folder");
    assert!(error.to_string().contains("run.gtkw"), "{error}");
    assert!(!missing.exists());
}

#[test]
fn gtkwave_begins_with_the_first_stretch_and_zooms_out_as_far_as_that_needs() {
    let folder = tempfile::tempdir().expect("a folder");
    let zoom = |stretch: Range<u64>| {
        let contents = Contents { stretch, ..Contents::default() };
        let views = Views::of(&folder.path().join("run.vcd"), &contents, |_| example());
        let text = std::fs::read_to_string(&views.write().expect("views")[0]).expect("text");
        let line = text.lines().find(|line| line.starts_with('*')).expect("a line of markers");
        let start = text.lines().find_map(|line| line.strip_prefix("[timestart] "));
        let zoom: f64 = line[1..].split(' ').next().expect("a word").parse().expect("a number");
        (start.expect("a start").parse::<u64>().expect("a number"), zoom)
    };
    // A step of the zoom is half as many frames a cycle.
    let (start, wide) = zoom(1 << 20..(1 << 20) + (1 << 16));
    assert_eq!(start, 1 << 20);
    assert_eq!(zoom(0..1 << 16).1, wide, "where it begins is nothing to it");
    assert!((zoom(0..1 << 17).1 - wide + 1.0).abs() < 1e-4);
    assert_eq!(zoom(5..6), (5, 0.0));
}
