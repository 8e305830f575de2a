//! The files for simulators and for synthesis.

use super::command::Place;
use super::{fine, has_icarus, has_verilator, has_yosys, write, SCHEDULERS};

const KIT: &str = "v/blockyard_kit";

#[test]
fn the_list_of_files_has_one_top_that_icarus_elaborates() {
    for scheduler in SCHEDULERS.into_iter().filter(|_| has_icarus()) {
        let place = Place::new();
        write(&place, "v", scheduler);
        fine(&place, KIT, "iverilog", &["-g2012", "-Wall", "-o", "top.vvp", "-c", "blockyard.f"]);
        let compiled = place.text(&format!("{KIT}/top.vvp"));
        // The scope of every other module names its parent.
        let root = |line: &&str| line.contains(".scope module") && !line.contains(", S_");
        let roots: Vec<&str> = compiled.lines().filter(root).collect();
        assert!(roots.len() == 1 && roots[0].contains("\"blockyard\""), "{roots:?}");
    }
}

#[test]
fn verilator_warns_of_nothing_but_names_and_what_is_unused() {
    for scheduler in SCHEDULERS.into_iter().filter(|_| has_verilator()) {
        let place = Place::new();
        write(&place, "v", scheduler);
        let waived = ["DECLFILENAME", "UNUSEDPARAM", "UNUSEDSIGNAL", "UNSIGNED", "VARHIDDEN"];
        let waived = waived.map(|warning| format!("-Wno-{warning}"));
        let mut arguments = vec!["--lint-only", "-Wall", "-F", "blockyard.f"];
        arguments.extend(waived.iter().map(String::as_str));
        assert_eq!(fine(&place, KIT, "verilator", &arguments), "", "{scheduler:?}");
    }
}

#[test]
fn the_script_for_yosys_makes_a_netlist_without_latches() {
    if !has_yosys() {
        return;
    }
    let place = Place::new();
    write(&place, "v", &["--scheduler", "rr+claso", "--set", "smx=1"]);
    let said = fine(&place, KIT, "yosys", &["-s", "synth/blockyard.ys"]);
    assert!(!said.contains("Latch inferred"), "{said}");
    let netlist = place.text(&format!("{KIT}/synth/blockyard_netlist.v"));
    assert!(netlist.contains("module blockyard("), "the top is there");
    assert!(said.contains("$_AND_") && said.contains("$mem_v2"), "{said}");
}

#[test]
fn every_file_that_a_list_names_is_there() {
    let place = Place::new();
    write(&place, "v", SCHEDULERS[0]);
    let mut named: Vec<String> =
        place.text(&format!("{KIT}/blockyard.f")).lines().map(str::to_owned).collect();
    assert_eq!(named.len(), 3);
    let core = place.text(&format!("{KIT}/blockyard.core"));
    assert!(core.starts_with("CAPI=2:\n") && core.contains("rr+claso"), "{core}");
    let files = core.lines().filter_map(|line| line.trim().strip_prefix("- "));
    let files: Vec<&str> = files.filter(|file| file.contains('/')).collect();
    assert_eq!(files[..3], named);
    named.extend(files.into_iter().map(str::to_owned));
    for file in named {
        assert!(place.file(&format!("{KIT}/{file}")).is_file(), "{file}");
    }
    let constraints = place.text(&format!("{KIT}/synth/blockyard.sdc"));
    for port in ["reset", "launch_grid_x", "finished_kernel_3"] {
        assert!(constraints.lines().any(|line| line.trim() == port), "{port}");
    }
    assert!(!constraints.contains("dispatch_0_valid"), "outputs are not constrained as inputs");
}
