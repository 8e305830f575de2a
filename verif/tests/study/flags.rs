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
