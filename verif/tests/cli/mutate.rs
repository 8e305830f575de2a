//! `blockyard mutate`.

use super::command::{ended, Place};

#[test]
fn a_scheduler_that_there_is_not_is_refused_with_those_that_there_are() {
    let known = "rr/flat/rr/n2";
    Place::new().refused(&["mutate", "--filter", "rr/flat/rx"], &["`rr/flat/rx`", known]);
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let place = Place::new();
    place.refused(&["mutate", "--faults", "0"], &["--faults"]);
    place.refused(&["mutate", "--faults", "100000"], &["--faults"]);
    place.refused(&["mutate", "--jobs", "0"], &["--jobs"]);
    place.refused(&["mutate", "--seed", "x"], &["--seed"]);
    place.refused(&["mutate", "--json", "no/such/folder/f.json"], &["no/such/folder/f.json"]);
}

#[test]
fn what_rules_find_alone_is_neither_kept_nor_written() {
    let place = Place::new();
    for other in [&["--kept"][..], &["--list"], &["--json", "f.json"]] {
        place.refused(&[&["mutate", "--alone"], other].concat(), &["--alone", other[0]]);
    }
}

#[test]
fn its_list_has_each_launch_mode_of_each_variant_once() {
    let ended = Place::new().run(&["mutate", "--list"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let ids: Vec<&str> = ended.stdout.lines().collect();
    for id in ["rr/flat/rr/n2", "rr/dtbl8/rr/n2", "rr/flat/rr+claso/n3"] {
        assert!(ids.contains(&id), "{}", ended.stdout);
    }
    let all = Place::new().run(&["mutate", "--list", "--all"]);
    assert!(ids.iter().all(|id| all.stdout.lines().any(|line| line == *id)));
    assert!(all.stdout.lines().count() > 2 * ids.len());
}

#[test]
fn without_its_tools_it_is_skipped_and_on_a_build_server_it_fails() {
    for (ci, status, said) in
        [("", 0, "skipped: yosys not found"), ("true", 1, "nothing may be skipped")]
    {
        let place = Place::new();
        let mut command = place.command(&["mutate", "--filter", "rr/flat/rr/n2"]);
        let ended = ended(command.env("PATH", "/").env("CI", ci).output().expect("it starts"));
        assert_eq!(ended.status, status, "{}", ended.stderr);
        assert!(ended.said().contains(said), "{}", ended.said());
    }
}
