//! `blockyard budget`: the papers' numbers beside ours, totals that are sums, what Yosys finds.

use super::command::Place;
use serde_json::Value;
use std::process::Command;

/// The JSON of a budget.
fn budget(args: &[&str]) -> Value {
    let text = Place::new().fine(&[&["budget", "--json"], args].concat()).stdout;
    serde_json::from_str(&text).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

const RR: &[&str] = &["--scheduler", "rr"];
const DTBL: &[&str] = &["--scheduler", "rr", "--launch", "dtbl"];
const CLASO: &[&str] = &["--scheduler", "rr+claso"];
const LAPERM: &[&str] = &["--scheduler", "laperm/adaptive-bind", "--launch", "dtbl"];
const LAPERM_CDP: &[&str] = &["--scheduler", "laperm/adaptive-bind", "--launch", "cdp"];
const SHIFTING: &[&str] =
    &["--scheduler", "laperm/adaptive-bind", "--launch", "dtbl", "--set", "laperm.queue=shifting"];
const CHUNK: &[&str] = &["--scheduler", "ikra/chunk", "--gpu", "denovo15"];
const FLIP: &[&str] = &["--scheduler", "ikra/flip", "--gpu", "denovo15"];
const STEAL: &[&str] = &["--scheduler", "ikra/steal", "--gpu", "denovo15"];

/// The table of groups: 20 bytes an entry and a flag, what is fetched ahead, the current group, its
/// blocks so far, and the block that is counted.
const TABLE: u64 = 1024 * 161 + 2 * (63 + 32 + 16 + 16) + 4 + 11 + 16 + 12;

#[test]
fn every_number_that_the_papers_state_is_beside_ours() {
    // What a linked queue has beside its entries, links and ring, and what is fetched ahead: a
    // word, another one that was written, and a bit; or an address.
    let queue = 51 + 4 * 85;
    let ahead = |bits: u64| 2 * bits + 1;
    // Scheduler, what, the paper's bytes, our bits; of 13 or 15 SMXs.
    let table: [(&[&str], &str, Option<f64>, u64); 29] = [
        (
            LAPERM,
            "on-chip priority queues",
            Some(13.0 * 3072.0),
            13 * (queue + 128 * 122 + ahead(100) + 2 * ahead(11)),
        ),
        (
            LAPERM,
            "entries of the priority queues",
            Some(13.0 * 128.0 * 24.0),
            13 * (128 * 100 + ahead(100)),
        ),
        (LAPERM, "queue 0, shared", Some(768.0), 160 + 49),
        (LAPERM, "index pointers of the levels", None, 13 * 2 * 4 * 11),
        (LAPERM, "aggregated group table, under LaPerm", Some(20_480.0), 0),
        (
            SHIFTING,
            "entries of the priority queues",
            Some(13.0 * 128.0 * 24.0),
            13 * (128 * 100 + 2 * ahead(100) + 114),
        ),
        (SHIFTING, "index pointers of the levels", None, 13 * 4 * 12),
        (
            LAPERM_CDP,
            "on-chip priority queues",
            Some(13.0 * 768.0),
            13 * (queue + 32 * 122 + ahead(100) + 2 * 11),
        ),
        (DTBL, "aggregated group table", Some(20_480.0), TABLE),
        (DTBL, "AggDim", Some(8192.0), 1024 * 63 + ahead(63)),
        (DTBL, "Next", Some(4096.0), 1024 * 32 + ahead(32)),
        (DTBL, "ExeBL", Some(4096.0), 1024 * (2 * 16 + 1) + 2 * ahead(16)),
        (DTBL, "NAGEI and LAGEI", Some(256.0), 32 * 64),
        (DTBL, "FCFS controller's flags", Some(4.0), 32),
        (DTBL, "SSCR's AGEI", Some(4.0), 0),
        (DTBL, "TBCR's AGEI", Some(832.0), 13 * 16 * 32),
        (DTBL, "all new fields but the table", Some(1096.0), 1092 * 8),
        (CLASO, "local credits", Some(13.0 * 32.0 * 4.0), 13 * 32 * 32),
        (CLASO, "global credits", Some(32.0 * 4.0), 32 * 32),
        (CLASO, "all credits", Some(14.0 * 32.0 * 4.0), 14 * 32 * 32),
        (CHUNK, "chunk entry: start", Some(15.0 * 7.875), 15 * 63),
        (CHUNK, "chunk entry: end", Some(15.0 * 7.875), 15 * 63),
        (CHUNK, "last CU", None, 5),
        (FLIP, "chunk entry: direction", Some(15.0 / 8.0), 15),
        (STEAL, "chunk entry: current block", Some(15.0 * 7.875), 15 * 63),
        (STEAL, "steal queue", Some(15.0 * 252.0), 15 * 2 * (2016 + 127)),
        (STEAL, "steal queue: head and tail", None, 15 * (5 + 6 + 6)),
        (STEAL, "order of chunk and queue", Some(15.0 / 8.0), 15),
        (STEAL, "reinitialisation flag", Some(0.125), 1),
    ];
    for (args, what, paper_bytes, bits) in table {
        let budget = budget(args);
        let comparisons = budget["paper"].as_array().expect("a list");
        let found = comparisons.iter().find(|comparison| comparison["what"] == what);
        let found = found.unwrap_or_else(|| panic!("{args:?} has no `{what}`"));
        assert_eq!(found["bits"], bits, "{args:?} {what}");
        assert_eq!(number(&found["bytes"]), bits as f64 / 8.0, "{args:?} {what}");
        assert_eq!(found["paper_bytes"].as_f64(), paper_bytes, "{args:?} {what}");
        let differs = paper_bytes != Some(bits as f64 / 8.0);
        assert!(!differs || found["why"] != "", "{args:?} {what}: ours differs, and why?");
    }
}

#[test]
fn registers_that_claso_counts_are_those_of_its_formula() {
    let budget = budget(CLASO);
    let all = &budget["paper"].as_array().expect("a list")[2];
    assert_eq!((&all["what"], &all["paper_registers"]), (&"all credits".into(), &(32 * 14).into()));
}

#[test]
fn totals_are_the_sums_of_rows_and_the_top_is_the_total() {
    for args in [RR, CLASO, DTBL, LAPERM, STEAL] {
        let budget = budget(args);
        let rows = budget["rows"].as_array().expect("a list");
        let sum = |of: &str| rows.iter().map(|row| number(&row[of])).sum::<f64>();
        let registers: f64 = rows
            .iter()
            .filter(|row| row.get("memory").is_none())
            .map(|row| number(&row["register_bits"]) * number(&row["instances"]))
            .sum();
        let total = &budget["total"];
        assert_eq!(sum("bits"), number(&total["bits"]), "{args:?}");
        assert_eq!(sum("bytes"), number(&total["bytes"]), "{args:?}");
        assert_eq!(registers, number(&total["register_bits"]), "{args:?}");
        assert_eq!(
            number(&total["register_bits"]) + number(&total["memory_bits"]),
            number(&total["bits"])
        );
        let parts = number(&budget["of_each_smx"]["bits"]) + number(&budget["shared"]["bits"]);
        assert_eq!(parts, number(&total["bits"]), "{args:?}");
        let top = &budget["modules"][0];
        assert_eq!((&top["path"], &top["bits"]), (&"".into(), &total["bits"]));
        for row in rows {
            let memory = row
                .get("memory")
                .map_or(0.0, |memory| number(&memory["words"]) * number(&memory["width"]));
            let each = number(&row["register_bits"]) + memory;
            assert_eq!(each * number(&row["instances"]), number(&row["bits"]), "{row}");
        }
    }
}

#[test]
fn totals_by_kind_are_the_sums_of_rows_with_the_same_ports() {
    for args in [RR, CLASO, DTBL, LAPERM, STEAL] {
        let budget = budget(args);
        let kinds = budget["kinds"].as_array().expect("a list");
        let bits = |of: &str| {
            let of_kind = kinds.iter().filter(|kind| kind["kind"] == of);
            of_kind.map(|kind| number(&kind["bits"])).sum::<f64>()
        };
        let total = &budget["total"];
        assert_eq!(bits("flip-flops"), number(&total["register_bits"]), "{args:?}");
        assert_eq!(bits("register-file"), number(&total["register_file_bits"]), "{args:?}");
        let sram = bits("sram-two-ports") + bits("sram-one-port");
        assert_eq!(sram, number(&total["sram_bits"]), "{args:?}");
        assert_eq!(bits("register-file") + sram, number(&total["memory_bits"]), "{args:?}");
        for kind in kinds.iter().filter(|kind| kind["kind"] != "flip-flops") {
            let shapes = kind["shapes"].as_array().expect("a list").iter();
            let of_shapes = shapes.map(|shape| {
                let words = number(&shape["words"]) * number(&shape["width"]);
                assert_eq!(words * number(&shape["instances"]), number(&shape["bits"]), "{shape}");
                number(&shape["bits"])
            });
            assert_eq!(of_shapes.sum::<f64>(), number(&kind["bits"]), "{args:?} {kind}");
        }
    }
}

#[test]
fn a_register_file_is_told_by_its_ports_words_and_width() {
    let budget = budget(RR);
    let kinds = budget["kinds"].as_array().expect("a list");
    let of_needs = kinds.iter().find(|kind| kind["read_ports"] == 14).expect("needs of kernels");
    assert_eq!(of_needs["write_ports"], 1);
    assert_eq!(
        of_needs["shapes"][0],
        serde_json::json!(
            { "words": 32, "width": 46, "instances": 1, "bits": 1472 }
        )
    );
    let text = Place::new().fine(&["budget"]).stdout;
    for part in ["Totals by kind", "register files, 14r 1w", "1 of 32 x 46"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn shares_are_counted_as_each_paper_counts() {
    let share = |args: &[&str], of: &str| {
        let budget = budget(args);
        let shares = budget["shares"].as_array().expect("a list");
        let found = shares.iter().find(|share| share["of"] == of).expect("it is a share");
        (number(&found["bytes"]), number(&found["base_bytes"]))
    };
    let kepler = 65_536.0 * 4.0;
    let laperm = [LAPERM, &["--set", "shared_memory=32768"]].concat();
    let (bytes, base) = share(&laperm, "on-chip priority queue of an SMX");
    assert_eq!(
        (bytes, base),
        ((51.0 + 128.0 * 122.0 + 4.0 * 85.0 + 201.0 + 46.0) / 8.0, kepler + 32_768.0)
    );
    let (bytes, base) = share(DTBL, "aggregated group table");
    assert_eq!((bytes, base), (TABLE as f64 / 8.0, 13.0 * (kepler + 49_152.0)));
    let queue = (2.0 * (2016.0 + 127.0) + 17.0) / 8.0;
    assert_eq!(share(STEAL, "steal queue of a CU"), (queue, 528.0 * 1024.0));
}

#[test]
fn text_markdown_and_csv_show_the_same() {
    let place = Place::new();
    let text = place.fine(&["budget", "--launch", "dtbl", "--csv", "rows.csv"]).stdout;
    for part in ["dtbl/GroupTable", "20,480", "1,096", "1,092", "0.510", "no SSCR.AGEI, 4 bytes"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let markdown = place.fine(&["budget", "--launch", "dtbl", "--markdown"]).stdout;
    assert!(markdown.contains("## What the papers state\n\n| what "), "{markdown}");
    assert!(markdown.contains("| `dispatcher.groups.grids` "), "{markdown}");
    let csv = place.text("rows.csv");
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let bits = header.iter().position(|&name| name == "bits").expect("a column");
    // Only the last two fields can hold commas.
    let sum: u64 = lines
        .map(|line| line.split(',').nth(bits).and_then(|bits| bits.parse::<u64>().ok()))
        .map(|bits| bits.expect("a number"))
        .sum();
    assert_eq!(budget(DTBL)["total"]["bits"], sum);
}

#[test]
fn bad_use_is_refused() {
    let place = Place::new();
    let table: [(&[&str], &str); 16] = [
        (&["--scheduler", "nope"], "unknown scheduler `nope`"),
        (&["--gpu", "h99"], "there is no GPU `h99`"),
        (&["--set", "smx=145"], "expected 1 to 144"),
        (&["--set", "bfs.block=32"], "`bfs.block` is of a workload"),
        (&["--scheduler", "rr-gpgpusim", "--launch", "dtbl"], "there is no hardware for"),
        (&["--sweep", "smx"], "it has no `=`"),
        (&["--sweep", "smx=4,"], "a value is missing"),
        (&["--sweep", "agt.entries=3"], "power of two"),
        (&["--sweep", "gpu.smx=0"], "zero cores"),
        (&["--sweep", "gpu.smx=145"], "expected 1 to 144"),
        (&["--scheduler", "sjf(runtimes=5:6)", "--sweep", "gpu.smx=80"], "come from outside"),
        (&["--plot", "a.svg"], "--sweep"),
        (&["--sweep", "gpu.smx=4", "--plot", "a.svg"], "there is nothing to plot against"),
        (
            &["--sweep", "scheduler=all", "--sweep", "gpu.smx=4,5", "--plot", "a.svg"],
            "lines cannot be told apart",
        ),
        (&["--target", "virtex"], "invalid value 'virtex'"),
        (&["--json", "none/budget.json"], "cannot write none/budget.json"),
    ];
    for (args, message) in table {
        place.refused(&[&["budget"], args].concat(), &[message]);
    }
    place.refused(&["budget", "--json", "a", "--csv", "a"], &["--json and --csv are both a"]);
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn yosys_finds_what_is_declared_for_laperm_with_dtbl() {
    let found = Command::new("yosys").arg("-V").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "yosys is missing");
    if !found {
        println!("skipped: yosys not found");
        return;
    }
    let budget = budget(&[LAPERM, &["--yosys", "--set", "smx=4"]].concat());
    let yosys = &budget["yosys"];
    let places = yosys["places"].as_array().expect("a list");
    let declared: f64 = places.iter().map(|place| number(&place["declared_bits"])).sum();
    assert_eq!(declared, number(&budget["total"]["bits"]));
    assert!(places.iter().all(|place| place["unexplained"] == false));
    // Nobody asks which kernels are in queue 0: its FCFS control is that of the baseline; nor,
    // where LaPerm's queues take the place of the table, which group an ended block was of.
    let differs = |place: &&Value| place.get("explained").is_some();
    let differing: Vec<&Value> = places.iter().filter(differs).collect();
    let unread: Vec<_> =
        differing.iter().map(|place| (&place["path"], &place["explained"][0])).collect();
    let of =
        ["dispatcher.blocks.just_ended", "dispatcher.blocks.smx[*].rest", "dispatcher.zero.marks"];
    let why = Value::from("read by nothing");
    assert_eq!(unread, of.map(Value::from).each_ref().map(|path| (path, &why)));
    let found = number(&yosys["register_bits"]) + number(&yosys["memory_bits"]);
    assert_eq!(found, declared - 32.0 - 4.0 * (1.0 + 17.0 * 95.0));
    // 27 for the module alone at 13 SMXs (docs/laperm.md); what ABC finds depends on the order of
    // cells.
    let depth = number(&yosys["depths"]["dispatcher.choice.selector"]);
    assert!((21.0..=29.0).contains(&depth), "{depth}");
}

#[test]
fn without_yosys_the_rest_is_shown_but_under_ci_that_is_a_failure() {
    let place = Place::new();
    let mut command = place.command(&["budget", "--yosys"]);
    command.env("PATH", place.path()).env_remove("CI");
    let plain = super::command::ended(command.output().expect("it starts"));
    assert_eq!((plain.status, plain.stderr.trim()), (0, "skipped: yosys not found"));
    assert!(plain.stdout.starts_with("Storage of rr, 13 SMXs"), "{}", plain.stdout);

    let under_ci = super::command::ended(command.env("CI", "true").output().expect("it starts"));
    let failure = "yosys not found, and CI is set: nothing may be skipped";
    assert_eq!((under_ci.status, under_ci.stderr.trim()), (1, failure));
}
