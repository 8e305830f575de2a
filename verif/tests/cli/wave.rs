//! `blockyard wave`: dumps that are compared and printed.

use super::command::{worked_example, Place};

/// A place with dumps of the worked example: of a run, and of the same with one credit less.
fn dumps() -> Place {
    let place = Place::new();
    let path = worked_example("claso-case-study");
    for (name, scheduler) in [("a.vcd", "rr+claso"), ("same.vcd", "rr+claso"), ("b.vcd", "rr")] {
        let scheduler = ["--scheduler", scheduler];
        let run =
            ["run", "--gpu", "c2050", "--scenario", &path, "--wave", name, "--wave-to", "1100"];
        place.fine(&[&run[..], &scheduler].concat());
    }
    place
}

#[test]
fn a_dump_does_not_differ_from_one_of_the_same_run() {
    let place = dumps();
    let said = place.fine(&["wave", "diff", "a.vcd", "same.vcd"]).stdout;
    assert!(said.contains("no difference: ") && said.contains("in cycles 0 to 1100"), "{said}");
}

#[test]
fn the_first_difference_is_named_with_its_cycle_and_both_values_and_the_status_is_1() {
    let place = dumps();
    let dispatch = ["--common", "--signals", "*dispatch_3_*"];
    let ended = place.run(&[&["wave", "diff", "a.vcd", "b.vcd"][..], &dispatch].concat());
    assert_eq!(ended.status, 1);
    let said = ended.stdout;
    // CLASO refuses core 3 in 1044, where round robin dispatches.
    assert!(said.starts_with("first difference: "), "{said}");
    assert!(said.contains("dispatch_3_valid in cycle 1044"), "{said}");
    assert!(said.contains("  0  1\n"), "{said}");
}

#[test]
fn signals_that_only_one_dump_has_are_differences_unless_only_common_ones_count() {
    let place = dumps();
    let gate = ["wave", "diff", "a.vcd", "b.vcd", "--signals", "*gates.claso*"];
    let said = place.run(&gate).stdout;
    assert!(said.contains("absent"), "{said}");
    place.refused(&[&gate[..], &["--common"]].concat(), &["there is no signal to compare"]);
}

#[test]
fn cycles_around_another_one_are_printed_a_line_a_signal() {
    let place = dumps();
    let around = ["wave", "show", "a.vcd", "--around", "1032", "--cycles", "2"];
    let signals = ["--signals", "*.request", "--signals", "*needs_global"];
    let text = place.fine(&[&around[..], &signals].concat()).stdout;
    let first = text.lines().next().expect("a header");
    let header: Vec<_> = first.split_whitespace().collect();
    assert_eq!(header, ["cycle", "1030", "1031", "1032", "1033", "1034"]);
    assert!(text.contains("request") && text.contains("needs_global"), "{text}");
    // Without a pattern those that change: something ends in 1032.
    let text = place.fine(&around).stdout;
    assert!(text.contains("finished"), "{text}");
    assert!(!text.contains("control"), "{text}");
}

#[test]
fn bad_use_is_refused_with_what_was_expected() {
    let place = dumps();
    place.refused(
        &["wave", "show", "a.vcd", "--around", "1101"],
        &["cycle 1101 is not in a.vcd: expected 0 to 1100"],
    );
    place.fine(&["wave", "show", "a.vcd", "--around", "1100"]);
    place.refused(
        &["wave", "show", "a.vcd", "--around", "5", "--signals", "nothing*"],
        &["no signal of a.vcd matches nothing*"],
    );
    place.refused(
        &["wave", "diff", "a.vcd", "b.vcd", "--signals", "{a"],
        &["--signals {a is no pattern"],
    );
    place.refused(&["wave", "diff", "a.vcd", "absent.vcd"], &["absent.vcd"]);
    place.refused(&["wave"], &["<F.vcd>"]);
}

#[test]
fn windows_are_compared_where_both_have_values_in_either_format() {
    let place = Place::new();
    let path = worked_example("claso-case-study");
    for (name, from, to) in [
        ("whole.vcd", "0", "1100"),
        ("early.vcd", "990", "1040"),
        ("late.fst", "1020", "1060"),
        ("last.fst", "1050", "1090"),
    ] {
        let window = ["--wave", name, "--wave-from", from, "--wave-to", to];
        let run = ["run", "--scheduler", "rr+claso", "--gpu", "c2050", "--scenario", &path];
        place.fine(&[&run[..], &window].concat());
    }
    let run = ["run", "--scheduler", "rr+claso", "--gpu", "c2050", "--scenario", &path];
    place.fine(
        &[&run[..], &["--wave", "on.fst", "--wave-on", "refuse", "--wave-around", "2"]].concat(),
    );
    for (one, other, cycles) in [
        ("whole.vcd", "early.vcd", "990 to 1040"),
        ("late.fst", "whole.vcd", "1020 to 1060"),
        ("early.vcd", "late.fst", "1020 to 1040"),
        ("late.fst", "last.fst", "1050 to 1060"),
    ] {
        let said = place.fine(&["wave", "diff", one, other]).stdout;
        assert!(said.contains("no difference") && said.contains(cycles), "{one} {other}: {said}");
    }
    let said = place.fine(&["wave", "diff", "whole.vcd", "on.fst"]).stdout;
    assert!(
        said.contains("no difference"),
        "what is between two stretches is no difference: {said}"
    );
    let limits = ["wave", "diff", "whole.vcd", "early.vcd", "--from", "1000", "--to", "1010"];
    assert!(place.fine(&limits).stdout.contains("in cycles 1000 to 1010"));
    let none = ["wave", "diff", "early.vcd", "last.fst"];
    place.refused(&none, &["there is no cycle to compare"]);
    let none = ["wave", "diff", "whole.vcd", "early.vcd", "--from", "1041"];
    place.refused(&none, &["there is no cycle to compare", "both have cycles 990 to 1040"]);
    // A difference outside of the window is none.
    let run = ["run", "--scheduler", "rr", "--gpu", "c2050", "--scenario", &path];
    place.fine(&[&run[..], &["--wave", "rr.vcd", "--wave-to", "1100"]].concat());
    let dispatch =
        ["wave", "diff", "whole.vcd", "rr.vcd", "--common", "--signals", "*dispatch_3_valid"];
    assert_eq!(place.run(&dispatch).status, 1, "in 1044");
    place.fine(&[&dispatch[..], &["--to", "1043"]].concat());
    place.fine(&[&dispatch[..], &["--from", "1045", "--to", "1100"]].concat());
}
