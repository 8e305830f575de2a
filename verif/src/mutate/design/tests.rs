use super::*;
use crate::mutate::designs;
use crate::replay::{Tool, ToolStatus};

/// Whether all tools are there; says so when they are not.
fn can_run() -> bool {
    [Tool::Abc.status(), Tool::Verilator.status()].iter().all(|status| {
        if let Some(message) = status.message() {
            println!("{message}");
        }
        assert!(!matches!(status, ToolStatus::Required(_)), "a build server has every tool");
        *status == ToolStatus::Found
    })
}

/// Round robin on two SMXs, the smallest design.
fn smallest() -> Design {
    designs(1).into_iter().find(|design| design.id == "rr/flat/rr/n2").expect("it is there")
}

#[test]
fn an_inverted_handshake_is_found_at_once() {
    if !can_run() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let sample = Sample { faults: 1, seed: 3, only: "-mode inv -wire launch_ready" };
    let fates = smallest().run(sample, folder.path(), &StopFlag::new()).expect("it runs");
    let [(fault, Fate::Quick(cycle))] = &fates.faults[..] else { panic!("{:?}", fates.faults) };
    assert!(*cycle < 20 && fault.name.contains("inverted"), "{fault}: {cycle}");
}

#[test]
fn an_inverted_handshake_breaks_a_rule_without_a_twin_and_the_sound_hardware_none() {
    if !can_run() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let sample = Sample { faults: 1, seed: 3, only: "-mode inv -wire launch_ready" };
    // It runs the hardware without a fault as well, which would be an error if that broke a rule.
    let alone = smallest().run_alone(sample, folder.path(), &StopFlag::new()).expect("it runs");
    let [(_, Some(Caught { lockstep, rule: Some((cycle, rule)) }))] = &alone.faults[..] else {
        panic!("{:?}", alone.faults)
    };
    assert!(*lockstep < 20 && *cycle < 20 && rule.contains("launch_ready"), "{cycle}: {rule}");
}

/// A design without a fault survives, or the bench is an error; so that what is found is a fault.
#[test]
fn nothing_that_is_found_is_proved_to_be_equivalent_and_a_dead_fault_is() {
    if !can_run() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (design, stop) = (smallest(), StopFlag::new());
    // The second operands of sums are shorter than the sums: their upper bits are zero as they are.
    let sample = Sample { faults: 6, seed: 1, only: "-mode const0 -port B" };
    let mut bench = Bench::new(&design, sample, folder.path(), &stop).expect("it is built");
    let all: Vec<usize> = (0..bench.faults.len()).collect();
    let found = bench.replay(&design.traffic.quick[0], &all).expect("it runs");
    let found: Vec<usize> = found.into_iter().map(|(at, _)| at).collect();
    let patience = |seconds| Patience { seconds, mebibytes: Some(MEBIBYTES), stop: None };
    let circuit = Circuit::new(folder.path(), &bench.ports, &bench.bounds, patience(SECONDS));
    let circuit = circuit.expect("a circuit");
    let trace = bench.first.as_ref().expect("a recording");
    assert_eq!(circuit.exception(trace), None, "the bounds hold");
    let mut tight = bench.bounds;
    tight.limits.registers = 1;
    let tight = Circuit::new(folder.path(), &bench.ports, &tight, patience(SECONDS));
    let exception = tight.expect("a circuit").exception(trace).map(str::to_owned);
    assert!(exception.is_some_and(|bit| bit.contains("needs.registers")), "blocks have more");
    let equivalent = |at: &usize| {
        let decided = circuit.decide(bench.faults[*at].number, patience(2)).expect("it decides");
        decided == Found::Equivalent
    };
    let (found, rest): (Vec<usize>, Vec<usize>) =
        all.into_iter().partition(|at| found.contains(at));
    assert!(!found.is_empty() && !rest.is_empty(), "{found:?}, {rest:?}");
    for at in found {
        assert!(!equivalent(&at), "{} is found", bench.faults[at]);
    }
    assert!(rest.iter().any(equivalent), "one of {rest:?} is dead");
}
