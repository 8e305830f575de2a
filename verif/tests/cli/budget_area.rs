//! `blockyard budget --area`: square micrometres and the longest path.
//!
//! Rationale. The cells are a dozen of the project's own, in gate equivalents and gate delays, so
//! that nothing from outside but Yosys is needed. What Yosys and ABC make of a small scheduler is
//! kept like a budget; flip-flops are those declared for any version.

use super::command::Place;
use expect_test::expect_file;
use serde_json::Value;
use std::process::Command;
use std::sync::OnceLock;

const GATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/budgets/gates.lib");
const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/budgets/area/rr-1smx.json");

fn yosys_is_there() -> bool {
    let found = |program: &str| Command::new(program).arg("-h").output().is_ok();
    let missing = ["yosys", "yosys-abc"].into_iter().find(|program| !found(program));
    assert!(missing.is_none() || std::env::var_os("CI").is_none(), "{missing:?} is missing");
    if let Some(program) = missing {
        println!("skipped: {program} not found");
    }
    missing.is_none()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

/// `rr` for one SMX in the project's own cells, as text and as JSON; mapped once.
fn in_gates() -> &'static (String, Value) {
    static MAPPED: OnceLock<(String, Value)> = OnceLock::new();
    MAPPED.get_or_init(|| {
        let place = Place::new();
        let args = ["budget", "--set", "smx=1", "--area", "--liberty", GATES, "--json", "a"];
        let text = place.fine(&args).stdout;
        (text, serde_json::from_str(&place.text("a")).expect("JSON"))
    })
}

#[test]
fn areas_and_the_longest_path_are_those_kept_and_flip_flops_those_declared() {
    if !yosys_is_there() {
        return;
    }
    let (text, budget) = in_gates();
    for part in ["Area in gates: ", "trees of buffers between modules", "The longest path"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let area = &budget["area"];
    let parts = &area["square_micrometres"];
    let names = ["flip_flops", "register_files", "logic", "sram", "buffers"];
    let sum: f64 = names.iter().map(|name| number(&parts[name])).sum();
    assert!((sum - number(&parts["total"])).abs() < 1e-6 * sum, "{parts}");
    assert_eq!(area["flip_flops_declared"], budget["total"]["bits"], "rr has no SRAM");
    assert_flip_flops_are_declared(area);
    let kept = std::fs::read_to_string(KEPT).unwrap_or_default();
    let kept: Value = serde_json::from_str(&kept).unwrap_or_default();
    let is_updated = std::env::var_os("UPDATE_EXPECT").is_some();
    if is_updated || kept["yosys"] == area["yosys"] {
        let text = serde_json::to_string_pretty(area).expect("plain") + "\n";
        expect_file![KEPT].assert_eq(&text);
    }
}

/// An area in 45 nm, of `rr` for one SMX.
#[cfg(unix)]
fn assert_is_an_estimate(estimate: &Value) {
    let area = &in_gates().1["area"];
    let total = |area: &Value| number(&area["square_micrometres"]["total"]);
    // The same gates, each as large as NanGate's.
    let ratio = total(estimate) / total(area);
    assert!((ratio - 0.798).abs() < 1e-9, "{ratio}");
    assert_eq!((&estimate["is_estimate"], &area["is_estimate"]), (&true.into(), &false.into()));
    assert_eq!(estimate["longest_path"].get("nanoseconds"), None);
    let whole = &estimate["shares"][0];
    assert_eq!(whole["of"], "the whole scheduler");
    assert!(number(&whole["percent"]) > number(&whole["percent_of_bits"]), "{whole}");
}

/// Yosys removes what is constant or read by nothing: at most 2 %.
fn assert_flip_flops_are_declared(area: &Value) {
    let (found, declared) = (number(&area["flip_flops"]), number(&area["flip_flops_declared"]));
    assert!(found <= declared && found >= 0.98 * declared, "{found} of {declared}");
}

#[test]
fn flip_flops_beside_sram_are_those_declared_without_the_outputs_of_sram() {
    assert_flip_flops_beside_sram(&["ikra/chunk", "ikra/steal"]);
}

#[test]
#[ignore = "its queues take Yosys eleven seconds on two cores; CI runs it"]
fn flip_flops_beside_sram_are_those_declared_of_laperm_as_well() {
    assert_flip_flops_beside_sram(&["laperm/adaptive-bind"]);
}

fn assert_flip_flops_beside_sram(schedulers: &[&str]) {
    if !yosys_is_there() {
        return;
    }
    let place = Place::new();
    let sweep = format!("--sweep=scheduler={}", schedulers.join(","));
    let args = ["budget", &sweep, "--set", "smx=1", "--area", "--cells", "45nm", "--json", "a"];
    place.fine(&args);
    let points: Value = serde_json::from_str(&place.text("a")).expect("JSON");
    let points = points.as_array().expect("a list");
    assert_eq!(points.len(), schedulers.len());
    for point in points {
        let (area, total) = (&point["area"], &point["total"]);
        assert_flip_flops_are_declared(area);
        let outside = number(&total["register_bits"]) + number(&total["register_file_bits"]);
        assert!(number(&total["sram_bits"]) > 0.0, "{total}");
        assert!(number(&area["flip_flops_declared"]) < outside, "{area}");
    }
}

#[cfg(unix)]
#[test]
fn an_estimate_s_mapping_is_kept_and_not_mapped_again_but_where_it_is_cut_off() {
    if !yosys_is_there() {
        return;
    }
    // Stands for Yosys: it tells its version, notes that it was asked for more, and does it.
    let script =
        "if [ \"$*\" != -V ]; then echo mapped >> \"$HERE/log\"; fi; exec \"$REAL\" \"$@\"";
    let place = super::budget_target::with_yosys(script);
    let real = Command::new("sh").args(["-c", "command -v yosys"]).output().expect("a shell");
    let real = String::from_utf8(real.stdout).expect("a path");
    let areas = |file: &str| {
        let args = ["budget", "--set", "smx=1", "--area", "--cells", "45nm", "--mapped", "kept"];
        let mut command = place.command(&[&args[..], &["--json", file]].concat());
        command.env("PATH", super::budget_target::search_path(&place));
        command.env("HERE", place.path()).env("REAL", real.trim());
        let ended = super::command::ended(command.output().expect("it starts"));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        let log = std::fs::read_to_string(place.file("log")).unwrap_or_default();
        (place.text(file), log.lines().count())
    };
    let (first, modules) = areas("first.json");
    assert!(modules > 10, "{modules} modules");
    let budget: Value = serde_json::from_str(&first).expect("JSON");
    assert_is_an_estimate(&budget["area"]);
    assert_eq!(areas("first.json"), (first.clone(), modules));

    let kept = std::fs::read_dir(place.file("kept")).expect("a folder");
    let how = kept.map(|entry| entry.expect("a folder").path()).next().expect("one folder");
    let one = std::fs::read_dir(&how).expect("a folder").next().expect("a file").expect("a file");
    let whole = std::fs::read(one.path()).expect("a file");
    std::fs::write(one.path(), &whole[..whole.len() / 2]).expect("a file");
    assert_eq!(areas("first.json"), (first, modules + 1));
    assert_eq!(std::fs::read(one.path()).expect("a file"), whole);
}

#[test]
fn a_liberty_file_that_cannot_be_used_is_refused_by_file_and_line() {
    let place = Place::new();
    let gates = std::fs::read_to_string(GATES).expect("a file");
    let without = |cell: &str| {
        let start = gates.find(&format!("  cell ({cell}) {{")).expect("a cell");
        let end = gates[start..].find("\n  }\n").expect("its end");
        format!("{}{}", &gates[..start], &gates[start + end + 5..])
    };
    place.write("open.lib", "library (a) {\n  cell (b) {\n");
    place.write("area.lib", "library (a) {\n  cell (b) {\n    area : big;\n  }\n}\n");
    place.write("no-flip-flop.lib", without("DFF"));
    place.write("no-inverter.lib", without("INV"));
    place.write("packed.lib.gz", [0x1f, 0x8b, 8, 0]);
    let table = [
        ("none.lib", "cannot read none.lib"),
        ("open.lib", "open.lib:2: the end of the file, expected `}` for `cell` of line 2"),
        ("area.lib", "area.lib:3: `area` is `big`, expected a number"),
        ("no-flip-flop.lib", "no-flip-flop.lib has no flip-flop"),
        ("no-inverter.lib", "no-inverter.lib has no inverter"),
        ("packed.lib.gz", "packed.lib.gz is packed with gzip"),
    ];
    for (file, message) in table {
        place.refused(&["budget", "--area", "--liberty", file], &[message]);
    }
}

#[test]
fn bad_use_is_refused() {
    let place = Place::new();
    let table: [(&[&str], &str); 6] = [
        (&["--area"], "--area needs cells"),
        (&["--cells", "45nm"], "--area"),
        (&["--mapped", "here"], "--area"),
        (&["--area", "--cells", "28nm"], "invalid value '28nm'"),
        (&["--area", "--cells", "45nm", "--liberty", GATES], "cannot be used with"),
        (&["--area", "--cells", "45nm", "--sram", "mine"], "invalid value 'mine'"),
    ];
    for (args, message) in table {
        place.refused(&[&["budget"], args].concat(), &[message]);
    }
    assert_eq!(place.names(), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_yosys_and_all_that_it_started_in_a_sweep_as_well() {
    // Stands for Yosys, which starts ABC: the child would write a file if it went on.
    let script = "(sleep 2; touch \"$HERE/late\") & touch \"$HERE/begun\"; wait";
    let place = super::budget_target::with_yosys(script);
    std::fs::copy(place.file("bin/yosys"), place.file("bin/yosys-abc")).expect("a file");
    let sweep = ["budget", "--area", "--cells", "7nm", "--sweep", "smx=1,2", "--json", "a.json"];
    let mut command = place.command(&sweep);
    command.env("PATH", super::budget_target::search_path(&place));
    command.env("HERE", place.path()).env("TMPDIR", place.path());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    while !place.file("begun").exists() {
        assert!(child.try_wait().expect("a child").is_none(), "ended before Ctrl-C");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
    let ended = super::command::ended(child.wait_with_output().expect("it ends"));
    assert_eq!((ended.status, ended.stdout.as_str()), (130, ""), "{}", ended.stderr);
    assert_eq!(ended.stderr.trim(), "stopped while yosys was running");
    std::thread::sleep(std::time::Duration::from_millis(2500));
    assert_eq!(place.names(), ["begun", "bin"]);
}
