//! `blockyard prove`.

use super::command::{ended, Place};

#[test]
fn a_module_without_proofs_is_refused_with_those_that_have_some() {
    let known = "there are proofs of prim/fifo, prim/ahead_memory";
    Place::new().refused(&["prove", "prim/fifi"], &["nothing is proved of `prim/fifi`", known]);
}

#[test]
fn a_limit_of_no_seconds_is_refused() {
    Place::new().refused(&["prove", "prim/fifo", "--timeout", "0"], &["--timeout"]);
}

#[test]
fn limits_and_places_that_make_no_sense_are_refused() {
    let place = Place::new();
    place.refused(&["prove", "prim/fifo", "--memory", "63"], &["--memory"]);
    place.refused(&["prove", "prim/fifo", "--jobs", "0"], &["--jobs"]);
    place.refused(&["prove", "prim/fifo", "--out", "-"], &["`-`", "expected a folder"]);
}

#[test]
fn without_yosys_it_is_skipped_and_on_a_build_server_it_fails() {
    for (ci, status, said) in
        [("", 0, "skipped: yosys not found"), ("true", 1, "nothing may be skipped")]
    {
        let place = Place::new();
        let mut command = place.command(&["prove", "prim/fifo"]);
        let ended = ended(command.env("PATH", "/").env("CI", ci).output().expect("it starts"));
        assert_eq!(ended.status, status, "{}", ended.stderr);
        assert!(ended.said().contains(said), "{}", ended.said());
    }
}

#[test]
fn what_has_no_proof_is_named() {
    let place = Place::new();
    place.refused(&["prove", "prim/popcount"], &["nothing is proved of `prim/popcount`"]);
    place.refused(&["prove", "--filter", "nope"], &["nothing is proved of `nope`"]);
}
