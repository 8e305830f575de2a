//! Scenario files that cannot be run.

use super::command::{worked_example, Place};

const KERNEL: &str =
    "[[kernel]]\nname = \"A\"\ngrid = [2, 1, 1]\nblock = [64, 1, 1]\nduration = 5\n";

fn refused(text: &str, more: &[&str], expected: &[&str]) {
    let place = Place::new();
    place.write("s.toml", text);
    place
        .refused(&[&["run", "--scheduler", "rr", "--scenario", "s.toml"], more].concat(), expected);
    assert_eq!(place.names(), ["s.toml"]);
}

#[test]
fn a_missing_scenario_is_named() {
    let args = ["run", "--scheduler", "rr", "--scenario", "missing.toml"];
    Place::new().refused(&args, &["cannot read missing.toml"]);
    let args = ["run", "--scheduler", "rr", "--scenario", "."];
    Place::new().refused(&args, &["cannot read ."]);
}

#[test]
fn a_duplicate_key_is_shown_in_its_line() {
    refused(
        &format!("{KERNEL}duration = 6\n"),
        &[],
        &["duplicate key", "[s.toml:6:1]", "duration = 6"],
    );
}

#[test]
fn an_unknown_key_is_shown_with_those_that_there_are() {
    let kernel = format!("{KERNEL}colour = 6\n");
    refused(&kernel, &[], &["unknown key `colour`", "[s.toml:6:1]", "expected one of `name`"]);
    let gpu = format!("[gpu]\nsmxs = 2\n{KERNEL}");
    refused(&gpu, &[], &["unknown GPU key `smxs`", "[s.toml:2:1]", "expected one of"]);
}

#[test]
fn a_grid_of_zero_blocks_is_refused_in_each_dimension() {
    for (grid, column) in [("[0, 1, 1]", 9), ("[1, 0, 1]", 12), ("[1, 1, 0]", 15)] {
        let text = KERNEL.replace("[2, 1, 1]", grid);
        let place = format!("[s.toml:3:{column}]");
        refused(&text, &[], &["`grid` of kernel `A` is 0", &place, "expected 1 to"]);
    }
}

#[test]
fn a_block_that_fits_no_smx_is_shown_with_what_lacks() {
    for (key, number, lack) in [
        ("threads", 32, "it needs 64 threads, an SMX has 32"),
        ("registers", 639, "it needs 640 registers, an SMX has 639"),
        ("shared_memory", 99, "it needs 100 bytes of shared memory, an SMX has 99"),
    ] {
        let kernel = format!("{KERNEL}registers_per_thread = 10\nshared_memory = 100\n");
        let expected = ["a block of kernel `A` fits no SMX", lack, "[s.toml:6:9]"];
        refused(&format!("[gpu]\n{key} = {number}\n{kernel}"), &[], &expected);
        // As an option instead, which moves the block up in the file.
        let option = format!("smx.{key}={number}");
        refused(&kernel, &["--set", &option], &[lack, "[s.toml:4:9]"]);
        // A block that exactly fits runs.
        let place = Place::new();
        place.write("s.toml", kernel);
        let fits = format!("smx.{key}={}", if key == "threads" { 64 } else { number + 1 });
        place.fine(&["run", "--scheduler", "rr", "--scenario", "s.toml", "--set", &fits]);
    }
}

#[test]
fn zero_cores_are_refused_wherever_they_are_stated() {
    let zero = format!("[gpu]\nsmx = 0\n{KERNEL}");
    refused(&zero, &[], &["the GPU has zero cores", "[s.toml:2:7]", "expected 1 to 144 SMXs"]);
    for key in ["smx.count=0", "smx=0"] {
        refused(KERNEL, &["--set", key], &["the GPU has zero cores", "expected 1 to 144 SMXs"]);
        let four = format!("[gpu]\nsmx = 4\n{KERNEL}");
        refused(&four, &["--set", key], &["the GPU has zero cores"]);
    }
    refused(KERNEL, &["--set", "smx=145"], &["smx.count = 145", "expected 1 to 144"]);
}

#[test]
fn a_list_that_does_not_fit_the_number_of_smxs_is_refused() {
    let path = worked_example("claso-case-study");
    let args = ["run", "--scheduler", "rr", "--scenario", &path, "--set", "smx.count=5"];
    Place::new().refused(&args, &["4 slowdowns for 5 SMXs"]);
}

#[test]
fn what_is_no_text_and_what_is_empty_is_refused() {
    let place = Place::new();
    place.write("s.toml", [b'[', 0xff, 0xfe]);
    let args = ["run", "--scheduler", "rr", "--scenario", "s.toml"];
    place.refused(&args, &["s.toml is not UTF-8: byte 0xff", "expected UTF-8 text"]);
    refused("", &[], &["no kernel for the host to launch", "expected a [[kernel]]"]);
    refused("[[kernel]", &[], &["s.toml:1:"]);
}

#[test]
fn partitions_that_are_none_are_refused_wherever_they_are_stated() {
    for (partitions, why) in [
        ("[\"5-4\"]", "partition 0 of smx.partitions, \"5-4\": `5-4` ends before it begins"),
        ("[\"0-3\", \"\"]", "partition 1 of smx.partitions, \"\": it has no SMX"),
        ("[\"0-13\"]", "there is no SMX 13"),
        ("[\"all\"]", "`all` is no SMX"),
        ("[\"2,1-3\"]", "SMX 2 is in it twice"),
    ] {
        let expected = [why, "expected SMXs from 0 to 12"];
        refused(&format!("[gpu]\nsmx_partitions = {partitions}\n{KERNEL}"), &[], &expected);
        let option = format!("smx.partitions={partitions}");
        refused(KERNEL, &["--set", &option], &expected);
        let place = Place::new();
        for args in [
            &["budget", "--scheduler", "partitions", "--set", &option][..],
            &["verilog", "--scheduler", "partitions", "--out", "v", "--set", &option],
        ] {
            place.refused(args, &expected);
        }
        assert_eq!(place.names(), [""; 0], "nothing is written");
    }
    let nine = format!("smx.partitions=[{}]", ["\"0\""; 9].join(","));
    refused(KERNEL, &["--set", &nine], &["smx.partitions has 9 partitions", "at most 8"]);
}

#[test]
fn overlaps_that_cannot_be_are_shown_in_their_lines() {
    for (keys, message, place) in [
        ("partition = 8", "`partition` of kernel `A` is 8", "[s.toml:6:13]"),
        ("trigger = 6", "`trigger` of kernel `A` is 6", "[s.toml:6:11]"),
        ("prologue = 2", "has a prologue, but is no dependent", "[s.toml:6:12]"),
        ("dependent = true", "has a stream of its own", "[s.toml:6:13]"),
        ("dependent = true\nstream = 0", "the first one of stream 0", "[s.toml:6:13]"),
    ] {
        refused(&format!("{KERNEL}{keys}\n"), &[], &[message, place, "expected"]);
    }
}

#[test]
fn domains_that_are_none_are_refused_wherever_they_are_stated() {
    for (domains, why) in [
        ("[6, 6]", "smx.domains has 12 SMXs, the GPU 13"),
        ("[6, 8]", "smx.domains has 14 SMXs, the GPU 13"),
        ("[13, 0]", "domain 1 of smx.domains has no SMX"),
        ("[5, 1, 1, 1, 1, 1, 1, 1, 1]", "smx.domains has 9 domains"),
    ] {
        let expected = [why, "expected at most 8 numbers of SMXs, as [66, 66], 13 SMXs in all"];
        refused(&format!("[gpu]\nsmx_domains = {domains}\n{KERNEL}"), &[], &expected);
        let option = format!("smx.domains={domains}");
        refused(KERNEL, &["--set", &option], &expected);
        let place = Place::new();
        for args in [
            &["budget", "--scheduler", "domains", "--set", &option][..],
            &["verilog", "--scheduler", "domains", "--out", "v", "--set", &option],
        ] {
            place.refused(args, &expected);
        }
        assert_eq!(place.names(), [""; 0], "nothing is written");
    }
    // Fewer SMXs than the domains have.
    let fewer = ["--set", "smx.domains=[7,6]", "--set", "smx.count=12"];
    refused(KERNEL, &fewer, &["smx.domains has 13 SMXs, the GPU 12"]);
}

#[test]
fn blocks_that_ask_for_others_state_no_more_setup_than_they_have() {
    for (keys, message, place) in [
        ("setup = 6", "`setup` of kernel `A` is 6", "[s.toml:6:9]"),
        ("setup = -1", "`setup` of kernel `A` is -1", "[s.toml:6:9]"),
        ("cancels = 1", "expected true or false", "[s.toml:6:11]"),
    ] {
        refused(&format!("{KERNEL}{keys}\n"), &[], &[message, place, "expected"]);
    }
    let latency = ["launch.cancel = 1000001", "expected 0 to 1000000"];
    refused(KERNEL, &["--set", "launch.cancel=1000001"], &latency);
}

#[test]
fn schedulers_of_domains_and_of_launch_control_are_refused_with_the_reason() {
    let place = Place::new();
    place.write("s.toml", KERNEL);
    for (scheduler, expected) in [
        ("domains(chunk=0)", &["`chunk` cannot be `0`: expected 1 to 1024"][..]),
        ("domains(chunk=1025)", &["`chunk` cannot be `1025`: expected 1 to 1024"]),
        (
            "domains(policy=contiguous,chunk=2)",
            &["`policy=contiguous` and `chunk` cannot be together", "one range"],
        ),
        ("domains(policy=both)", &["`policy` cannot be `both`: expected interleave or contiguous"]),
        ("domains+claso", &["`domains` does not take the gate `claso`", "would not suffice"]),
        ("launch-control(setup=4)", &["`launch-control` has no key `setup`", "cancels"]),
    ] {
        place.refused(&["run", "--scheduler", scheduler, "--scenario", "s.toml"], expected);
    }
    for scheduler in ["domains", "launch-control"] {
        let args = ["run", "--scheduler", scheduler, "--scenario", "s.toml", "--launch", "dtbl"];
        place.refused(&args, &["takes no aggregated groups", "--launch cdp"]);
    }
    assert_eq!(place.names(), ["s.toml"]);
}
