//! What a waveform viewer shows at first.

use crate::command::{worked_example, Place};
use crate::FAMILIES;
use blockyard_waves::Dump;

/// The rows of GTKWave's list at first sight: groups and their ends by name, traces by path.
fn rows(view: &str) -> Vec<&str> {
    let mut rows = Vec::new();
    let (mut flags, mut closed) = ("", 0);
    for line in view.lines() {
        match line.as_bytes().first() {
            Some(b'@') => flags = line,
            Some(b'[' | b'*' | b'^') | None => {}
            Some(b'-') if flags == "@c00200" => {
                if closed == 0 {
                    rows.push(line);
                }
                closed += 1;
            }
            Some(b'-') if flags == "@1401200" => closed -= 1,
            _ if closed > 0 => {}
            _ => rows.push(line.rsplit(' ').next().unwrap_or_default()),
        }
    }
    rows
}

/// What fits into a window of 1400 x 900.
const FIRST_SCREEN: usize = 33;

#[test]
fn the_first_screen_shows_what_each_scheduler_is_about_and_its_events_are_marked() {
    type About = (&'static [&'static str], &'static str);
    let about: [About; 7] = [
        (&["top.dispatcher.placement.grant"], "launch:"),
        (&["top.gates.claso.core_3.credits", "top.gates.claso.shared.available"], "refuse"),
        (&["top.dispatcher.coalesced_valid", "top.dispatcher.groups.free"], "coalesce:"),
        (&["top.dispatcher.choice.selector.three_valid", "top.queues.heads"], "backup"),
        (&["top.smxs.arbiter.asks", "top.smxs.arbiter.granted"], "steal"),
        (&["top.reserve.limit_0", "top.asked"], "launch:"),
        (&["top.dispatcher.predicted_0", "top.dispatcher.units_0.slot"], "launch:"),
    ];
    for ((scheduler, scenario, more), (signals, marked)) in FAMILIES.into_iter().zip(about) {
        let place = Place::new();
        let path = worked_example(scenario);
        let run = ["run", "--scheduler", scheduler, "--scenario", &path, "--wave", "w.vcd"];
        place.fine(&[&run[..], more].concat());
        let view = place.text("w.gtkw");
        let rows = rows(&view);
        for shown in signals.iter().chain(&["story.events", "story.smx_0.slot_0"]) {
            let row = rows.iter().position(|row| row == shown);
            let row = row.unwrap_or_else(|| panic!("{scheduler}: no {shown}: {rows:?}"));
            assert!(row < FIRST_SCREEN, "{scheduler}: {shown} in row {row}: {rows:?}");
        }
        let markers: Vec<&str> =
            view.lines().filter_map(|l| l.strip_prefix("[markername] ")).collect();
        assert!(markers.iter().any(|name| name[1..].starts_with(marked)), "{markers:?}");
        assert!(rows.contains(&"-All signals") && rows.contains(&"-SMX by SMX"), "{rows:?}");
        assert!(rows.contains(&"-Launches"), "a closed group is a row: {rows:?}");
        assert!(!rows.contains(&"top.launch_valid"), "and what is in it is none: {rows:?}");
    }
}

#[test]
fn a_dump_around_events_opens_at_the_first_one_which_is_marked() {
    let place = Place::new();
    let path = worked_example("laperm-figure-4");
    let run =
        ["run", "--scheduler", "laperm/adaptive-bind", "--launch", "dtbl", "--scenario", &path];
    for (event, name) in [("backup", "backup"), ("dispatch", "dispatch"), ("finish", "finish")] {
        let dump = format!("{event}.vcd");
        let on = ["--wave", &dump, "--wave-on", event, "--wave-around", "50"];
        place.fine(&[&run[..], &on].concat());
        let view = place.text(&format!("{event}.gtkw"));
        let dump = Dump::open(&place.file(&dump)).expect("a dump");
        let stretch = dump.contents().stretch;
        assert!(stretch.end < dump.contents().cycles.end, "{event}: there are several");
        assert!(view.contains(&format!("[timestart] {}\n", stretch.start)), "{event}: {view}");
        let zoom = view.lines().find_map(|line| line.strip_prefix('*')).expect("a zoom");
        let zoom: f64 = zoom.split(' ').next().and_then(|z| z.parse().ok()).expect("a number");
        let shown = 4.8 / zoom.exp2();
        let length = (stretch.end - stretch.start) as f64;
        assert!((shown - length.max(4.8)).abs() < 1.0, "{event}: {shown} of {length}");
        let marked = |line: &str| {
            line.strip_prefix("[markername] ").is_some_and(|marker| &marker[1..] == name)
        };
        assert!(view.lines().any(marked), "{event}: {view}");
        // From the dump alone it is the same.
        place.fine(&["wave", &format!("{event}.vcd")]);
        assert_eq!(place.text(&format!("{event}.gtkw")), view, "{event}");
    }
}
