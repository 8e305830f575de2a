use super::*;
use crate::replay::{Tool, ToolStatus};

/// A fault of the sum of the head of a pool.
fn of_the_head(bit: usize, mode: &str, other: Option<usize>) -> Fault {
    let site = Site {
        place: String::new(),
        kind: "add".to_owned(),
        port: "Y".to_owned(),
        bit,
        statement: "head$d = head$q + one;".to_owned(),
    };
    Fault { site, wrong: Wrong { mode: mode.to_owned(), other }, ..Fault::default() }
}

#[test]
fn numbers_are_no_part_of_what_is_compared() {
    assert_eq!(without_numbers("k*24 +: 24] = {18'h0, by$1}"), "k*# +: #] = {#'h#, by$#}");
    assert_eq!(without_numbers("last_x = a"), "last_x = a");
}

#[test]
fn a_place_is_in_the_module_and_in_those_around_it() {
    let of = |module: &str| {
        proofs().into_iter().find(|proof| proof.module == module).expect("a proof").build()
    };
    let rings = of("laperm/level_rings");
    let [top, file] = &modules_around(&*rings, "heads.memory")[..] else { panic!("two modules") };
    assert!(top.0.ends_with("::LevelRings") && top.1 == "heads.memory");
    assert!(file.0.ends_with("::RegisterFile") && file.1 == "memory");
    assert_eq!(modules_around(&*rings, "").len(), 1);
    let residents = of("srtf/residents");
    let around = modules_around(&*residents, "count$3.q");
    assert!(around.len() == 2 && around[1].0.ends_with("::Register"), "{around:?}");
}

#[test]
fn a_bit_that_no_traffic_reaches_fails_a_proof_and_what_the_module_has_not_fails_none() {
    let status = Tool::Abc.status();
    if let Some(message) = status.message() {
        println!("{message}");
        assert!(!matches!(status, ToolStatus::Required(_)), "a build server has every tool");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("proof");
    let limits = Limits { seconds: 300, mebibytes: 4096, out: &out, stop: None };
    let proved = quick();
    let pool = proved.iter().find(|proved| proved.kind.ends_with("::PendingPool"));
    let pool = pool.expect("its proof").proof.build();
    let fails = |fault: &Fault| fails(&proved, &*pool, fault, limits).expect("the tools run");
    let found = Some("kmu/pending_pool (2^32 places)".to_owned());
    assert_eq!(fails(&of_the_head(31, "inv", None)), found);
    assert_eq!(fails(&of_the_head(30, "cnot1", Some(29))), found);
    assert_eq!(fails(&of_the_head(32, "inv", None)), None, "it has 32 bits");
    assert_eq!(fails(&of_the_head(30, "cnot1", Some(32))), None, "the other bit is not there");
    let mut elsewhere = of_the_head(31, "inv", None);
    elsewhere.site.statement = "head$d = head$q - one;".to_owned();
    assert_eq!(fails(&elsewhere), None, "another statement");
}
