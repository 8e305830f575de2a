//! A study by flags, and flags beside a file.

use super::{place, Table, STUDY};

#[test]
fn flags_say_what_a_file_says() {
    let place = place(STUDY);
    let args =
        ["study", "--scheduler", "rr,rr+claso(pa=1,pl=0)", "--axis", "scenario=s.toml", "--axis"];
    let args = [&args[..], &["seed=1..2", "--set", "smx.count=3", "--engine", "lockstep"]].concat();
    place.fine(&args);
    let table = Table::of(&place, "study-study/table.csv");
    assert_eq!(
        table.column("scheduler"),
        ["rr", "rr", "rr+claso(pa=1,pl=0)", "rr+claso(pa=1,pl=0)"]
    );
    assert_eq!(table.column("seed"), ["1", "2", "1", "2"]);
    assert!(table.column("command")[3]
        .ends_with("--set smx.count=3 --launch flat --engine lockstep --seed 2"));
    assert_eq!(table.column("speedup")[..2], ["1", "1"], "the first scheduler is the baseline");
}

#[test]
fn every_key_of_a_file_has_its_flag() {
    fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
        let axes = ["--axis", "scenario=s.toml", "--axis", "seed=1..3", "--axis", "smx.count=2,4"];
        [&["study", "--scheduler", "rr,rr+claso(pa=1,pl=0)"], &axes[..], more].concat()
    }
    let place = place(STUDY);
    let base = ["--baseline", "smx.count=2", "--baseline", "scheduler=rr+claso(pa=1,pl=0)"];
    place.fine(&with(
        &[&base[..], &["--storage", "--constraint", "{ not = { seed = 2 } }"]].concat(),
    ));
    let table = Table::of(&place, "study-study/table.csv");
    let ones: Vec<String> = ["1", "1"].map(str::to_owned).into();
    let at = |name: &str| table.column(name);
    assert_eq!(at("seed").len(), 2 * 2 * 2);
    assert!(!at("seed").contains(&"2".to_owned()));
    let base = at("scheduler").into_iter().zip(at("smx.count")).zip(at("speedup"));
    let base = base.filter(|((s, n), _)| s == "rr+claso(pa=1,pl=0)" && n == "2");
    assert_eq!(base.map(|(_, speedup)| speedup).collect::<Vec<_>>(), ones);
    assert!(at("storage_bits").iter().all(|bits| !bits.is_empty()));
    place.refused(&with(&["--max-runs", "11"]), &["these axes make 12 runs, more than 11"]);
    place.fine(&with(&["--max-runs", "12", "--dry-run"]));
    place.fine(&with(&["--figures", "ipc,cycles", "--dry-run"]));
    let search = "{ axes = \"smx.count\", budget = 1, goal = \"cycles\" }";
    place.fine(&with(&["--search", search]));
    assert_eq!(Table::of(&place, "study-study/table.csv").rows.len(), 2 * 3);
    assert_eq!(place.run(&with(&["--max-cycles", "9"])).status, 1, "no run ends so early");
    place.refused(&with(&["--constraint", "{ nto = 1 }"]), &["unknown key `nto`"]);
}

#[test]
fn flags_win_over_the_file() {
    let place = place(STUDY);
    let args = [
        "study",
        "t.toml",
        "--scheduler",
        "rr,rr+claso(pa={pa},pl=3)",
        "--axis",
        "pl=3",
        "--dry-run",
    ];
    place.refused(&args, &["t.toml line ", "`pl` is no option of `run`, and no value has `{pl}`"]);
    let args = ["study", "t.toml", "--axis", "pl=3", "--axis", "seed=4,5", "--dry-run"];
    let dry = place.fine(&args).stdout;
    assert_eq!(dry.lines().last(), Some("6 runs"));
    place.refused(
        &["study", "t.toml", "--axis", "smx.cuont=3"],
        &["line 10: smx.cuont: unknown GPU key"],
    );
    place.refused(&["study", "t.toml", "--axis", "seed"], &["`--axis seed` has no `=`"]);
}
