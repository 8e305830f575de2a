//! `blockyard verilog`: one file, one top, for every preset.

use super::command::Place;
use std::process::Command;

const PRESETS: [&str; 4] = ["c2050", "denovo15", "gtx480", "k20c"];

fn write(place: &Place, scheduler: &str, gpu: &str, folder: &str) -> String {
    let printed =
        place.fine(&["verilog", "--scheduler", scheduler, "--gpu", gpu, "--out", folder]).stdout;
    assert_eq!(printed, format!("{folder}/blockyard_top.v\n"));
    place.text(printed.trim())
}

/// Whether Icarus is there; on a machine for continuous integration it has to be.
fn icarus() -> bool {
    let found = Command::new("iverilog").arg("-V").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "iverilog is missing");
    if !found {
        println!("skipped: iverilog is absent");
    }
    found
}

#[test]
fn every_preset_gives_one_top_that_icarus_elaborates_and_the_same_bytes_again() {
    let icarus = icarus();
    for scheduler in ["rr", "rr+claso"] {
        for gpu in PRESETS {
            let place = Place::new();
            let text = write(&place, scheduler, gpu, "v");
            assert_eq!(text, write(&place, scheduler, gpu, "again"), "{scheduler} {gpu}");
            let tops = text.lines().filter(|line| line.starts_with("module blockyard_top("));
            assert_eq!(tops.count(), 1, "{scheduler} {gpu}");
            assert!(text.starts_with("// rr"), "{}", text.lines().next().unwrap_or_default());
            assert_eq!(place.names(), ["again", "v"]);
            if icarus {
                // Without -s, Icarus takes every module that nobody instantiates as a top.
                let mut command = Command::new("iverilog");
                command.args(["-g2005", "-Wall", "-o", "top.vvp", "v/blockyard_top.v"]);
                let output = command.current_dir(place.path()).output().expect("iverilog starts");
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(output.status.success(), "{scheduler} {gpu}: {said}");
                assert!(!said.contains("no sensitivities"), "{said}");
                let compiled = place.text("top.vvp");
                // The scope of every other module names its parent.
                let root = |line: &&str| line.contains(".scope module") && !line.contains(", S_");
                let roots: Vec<&str> = compiled.lines().filter(root).collect();
                assert!(roots.len() == 1 && roots[0].contains("\"blockyard_top\""), "{roots:?}");
            }
        }
    }
}

#[test]
fn the_number_of_smxs_and_the_levels_are_in_the_text() {
    let place = Place::new();
    let one = write(&place, "rr+claso(pa=1,pl=0)", "k20c", "one");
    assert_ne!(one, write(&place, "rr+claso(pa=2,pl=0)", "k20c", "two"));
    assert_ne!(one, write(&place, "rr", "k20c", "plain"));
    place.fine(&["verilog", "--scheduler", "rr", "--set", "smx=4", "--out", "small"]);
    let small = place.text("small/blockyard_top.v");
    assert!(small.len() < one.len() && small.contains("for 4 SMXs"), "{}", &small[..80]);
}

#[test]
fn bad_settings_are_refused_and_nothing_is_written() {
    let place = Place::new();
    let verilog = |more: &[&'static str]| -> Vec<&'static str> {
        [&["verilog", "--scheduler", "rr", "--out", "v"], more].concat()
    };
    place.refused(&verilog(&["--set", "smx=0"]), &["the GPU has zero cores"]);
    place.refused(&verilog(&["--set", "smx=145"]), &["expected 1 to 144"]);
    place.refused(&verilog(&["--set", "bfs.block=32"]), &["`bfs.block` is of a workload"]);
    place.refused(&verilog(&["--gpu", "h99"]), &["there is no GPU `h99`"]);
    place.refused(&["verilog", "--scheduler", "rr"], &["--out <DIR>"]);
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn the_traffic_of_a_kit_is_not_asked_for_where_there_is_none() {
    let place = Place::new();
    for option in ["--cycles", "--seed"] {
        let args = ["verilog", "--scheduler", "rr", "--set", "smx=2", "--out", "-", option, "5"];
        place.refused(&args, &["`--seed` and `--cycles` do nothing with `--out -`"]);
    }
}
