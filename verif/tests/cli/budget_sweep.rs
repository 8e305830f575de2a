//! `blockyard budget --sweep`.

use super::command::Place;
use serde_json::Value;

/// The columns of a sweep's CSV: the swept values and sums as numbers, and whether it is built.
fn points(csv: &str) -> Vec<(Vec<f64>, String)> {
    let point = |line: &str| {
        let (numbers, hardware) = line.rsplit_once(',').expect("columns");
        let numbers = numbers.split(',').map(|field| field.parse().expect("a number")).collect();
        (numbers, hardware.to_owned())
    };
    csv.lines().skip(1).map(point).collect()
}

/// Bits of an SMX's own under DTBL: what is in use, slots in use and their registers with what is
/// read of them, the queue of blocks that ended.
const OF_AN_SMX: f64 = 56.0 + 32.0 + 16.0 * 100.0 + 96.0 + 32.0 * 11.0 + 17.0;

#[test]
fn a_sweep_tables_every_combination() {
    let place = Place::new();
    let args = ["budget", "--launch", "dtbl", "--csv", "sweep.csv"];
    let sweeps = ["--sweep", "agt.entries=256,512", "--sweep", "gpu.smx=4,13"];
    let text = place.fine(&[&args[..], &sweeps].concat()).stdout;
    assert_eq!(text.lines().count(), 2 + 4, "{text}");
    let points = points(&place.text("sweep.csv"));
    assert!(points.iter().all(|(_, hardware)| hardware == "built"));
    let point = |table: f64, smx: f64| {
        let found = points.iter().find(|(numbers, _)| numbers[..2] == [table, smx]);
        &found.expect("it is there").0
    };
    assert_eq!(point(512.0, 13.0)[4] - point(256.0, 13.0)[4], 256.0 * 161.0);
    assert_eq!(point(256.0, 13.0)[4] - point(256.0, 4.0)[4], 9.0 * OF_AN_SMX);
}

#[test]
fn every_size_of_a_sweep_is_built_and_ids_widen_above_32_smxs() {
    let place = Place::new();
    let args = ["budget", "--launch", "dtbl", "--csv", "sweep.csv", "--json", "sweep.json"];
    let sweeps = ["--sweep", "agt.entries=256,2048", "--sweep", "gpu.smx=13,30,80,132"];
    place.fine(&[&args[..], &sweeps].concat());
    let points = points(&place.text("sweep.csv"));
    assert_eq!(points.len(), 8);
    assert!(points.iter().all(|(_, hardware)| hardware == "built"));
    let bits = |place: usize| points[place].0[4];
    // An SMX's own, two pointers of 5 or 7 bits, 32 counts of 11 or 13 bits.
    assert_eq!(bits(2) - bits(1), 50.0 * OF_AN_SMX + 2.0 * 2.0 + 32.0 * 2.0);
    let json: Value = serde_json::from_str(&place.text("sweep.json")).expect("JSON");
    assert_eq!(
        (&json[3]["set"]["smx.count"], &json[3]["hardware"]),
        (&"132".into(), &"built".into())
    );
}

#[test]
fn budgets_are_built_for_1_to_144_smxs_and_refused_beyond() {
    let place = Place::new();
    for smx in ["1", "17", "144"] {
        place.fine(&["budget", "--scheduler", "ikra/steal", "--set", &format!("smx={smx}")]);
    }
    for smx in ["0", "145"] {
        let asked = format!("smx={smx}");
        place.refused(&["budget", "--set", &asked], &["expected 1 to 144"]);
        place.refused(&["budget", "--sweep", &asked], &["expected 1 to 144"]);
    }
}

#[test]
fn schedulers_and_launches_are_swept_and_what_there_is_not_is_left_out_and_said() {
    let place = Place::new();
    let schedulers = "scheduler=rr,laperm/tb-pri,srtf,rr+claso(pa=1,pl=0)";
    let sweeps = ["--sweep", schedulers, "--sweep", "launch=flat,dtbl"];
    let ended = place.run(&[&["budget", "--csv", "sweep.csv"], &sweeps[..]].concat());
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let table = place.text("sweep.csv");
    let rows: Vec<&str> = table.lines().skip(1).collect();
    let starts =
        ["rr,flat,", "rr,dtbl,", "laperm/tb-pri,flat,", "laperm/tb-pri,dtbl,", "srtf,flat,"];
    let gated = ["\"rr+claso(pa=1,pl=0)\",flat,", "\"rr+claso(pa=1,pl=0)\",dtbl,"];
    assert_eq!(rows.len(), 7, "{table}");
    for (row, start) in rows.iter().zip(starts.iter().chain(&gated)) {
        assert!(row.starts_with(start), "{row} for {start}");
    }
    let left_out = "left out: there is no hardware for srtf(sample=1) with --launch dtbl\n";
    assert_eq!(ended.stderr, left_out);

    let nothing = ["budget", "--sweep", "scheduler=srtf", "--launch", "dtbl"];
    let ended = place.run(&nothing);
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{}", ended.stderr);
}

#[test]
fn all_schedulers_are_those_of_the_list_that_have_hardware() {
    let place = Place::new();
    let args = ["budget", "--sweep", "scheduler=all", "--set", "smx=2", "--csv", "all.csv"];
    let ended = place.run(&args);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stderr.contains("left out: there is no hardware for sjf("), "{}", ended.stderr);
    let table = place.text("all.csv");
    let rows: Vec<&str> = table.lines().skip(1).collect();
    for name in ["rr", "ikra/steal", "most-room", "\"rr+claso(pa=1,pl=0)\""] {
        let start = format!("{name},");
        assert_eq!(rows.iter().filter(|row| row.starts_with(&start)).count(), 1, "{name}\n{table}");
    }
    // Another name of `rr`, and one that the golden engine alone has.
    assert!(rows.iter().all(|row| !row.starts_with("fifo,") && !row.starts_with("sjf")), "{table}");
}

#[test]
fn values_of_a_sweep_that_there_are_not_are_refused() {
    let place = Place::new();
    place.refused(&["budget", "--sweep", "scheduler=rr,nobody"], &["nobody"]);
    place
        .refused(&["budget", "--sweep", "launch=flat,up"], &["`up`", "expected flat, cdp or dtbl"]);
}

#[test]
fn a_key_has_one_value_in_each_budget() {
    let place = Place::new();
    for (args, said) in [
        (&["--sweep", "smx.count=3", "--sweep", "gpu.smx=4"][..], "`--sweep smx.count` stands"),
        (&["--sweep", "smx.count=3,3"], "`3` stands twice in `--sweep smx.count`"),
        (&["--set", "smx=8", "--sweep", "smx.count=3"], "`--set smx.count` and `--sweep smx.co"),
        (&["--scheduler", "srtf", "--sweep", "scheduler=rr"], "`--scheduler` and `--sweep sch"),
        (&["--launch", "cdp", "--sweep", "launch=dtbl"], "`--launch` and `--sweep launch`"),
    ] {
        place.refused(&[&["budget"], args].concat(), &[said]);
    }
}

#[test]
fn a_sweep_is_drawn_as_svg_with_a_dot_for_each_point() {
    let place = Place::new();
    let args = ["budget", "--launch", "dtbl", "--plot", "sweep.svg"];
    let sweeps = ["--sweep", "agt.entries=256,1024", "--sweep", "gpu.smx=4,13,80"];
    place.fine(&[&args[..], &sweeps].concat());
    let svg = place.text("sweep.svg");
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for part in ["launch.table=256", "launch.table=1024", "smx.count"] {
        assert!(svg.contains(part), "{part} is not in\n{svg}");
    }
    assert_eq!(svg.matches(" data-t=").count(), 6, "{svg}");
}

#[test]
fn a_sweep_of_one_key_is_drawn_with_a_line_for_each_kind_of_storage_that_there_is() {
    let place = Place::new();
    place.fine(&["budget", "--sweep", "gpu.smx=4,13", "--plot", "sweep.svg"]);
    let svg = place.text("sweep.svg");
    for part in ["flip-flops", "register files"] {
        assert!(svg.contains(part), "{part} is not in\n{svg}");
    }
    assert!(!svg.contains("SRAM"), "{svg}");
    assert_eq!(svg.matches(" data-t=").count(), 3 * 2, "{svg}");
}
