use super::super::tests::harness::*;
use super::*;

const CLASO: &str = "rr+claso(pa=1,pl=0)";

fn composition(name: &str) -> Composition {
    name.parse().unwrap()
}

/// Nine blocks in three rounds, up to some cycles before a rule says of a kernel that its end does
/// not come.
fn record(faults: &[Fault], skip: bool) -> Record {
    let work = [Work::new(0, kernel(9), &[100])];
    let mut scheduler = build_faulty(&composition(CLASO), 4, slots(1), faults).unwrap();
    run(scheduler.as_mut(), slots(1), &work, 306, skip)
}

fn sound() -> Record {
    let work = [Work::new(0, kernel(9), &[100])];
    golden(CLASO, 4, slots(1), &work)
}

fn wrong_credit(smx: usize, cycle: u64) -> Fault {
    Fault::WrongCredit { kernel: KernelEntry(0), smx, cycle }
}

#[test]
fn without_a_fault_it_is_the_golden_scheduler() {
    assert_eq!(record(&[], false), sound());
}

#[test]
fn until_its_fault_comes_due_a_scheduler_does_what_it_does_without_one() {
    let work = [Work::new(0, kernel(80), &[100]), Work::new(150, kernel(100), &[12])];
    for name in [
        "rr",
        CLASO,
        "rr-gpgpusim+claso",
        "ikra/flip+dyncta+claso",
        "ikra/steal+dyncta",
        "mpmax",
        "srtf+dyncta",
        "srtf/adaptive",
    ] {
        let composition = composition(name);
        let never = Fault::LostCompletion { smx: 0, cycle: u64::MAX };
        let mut faulty = build_faulty(&composition, 2, slots(1), &[never]).unwrap();
        let setup = Setup { last: 100_000, rules: (&composition).into(), ..Setup::default() };
        let record = run_with(faulty.as_mut(), slots(1), &work, &setup);
        assert_eq!(record, golden(name, 2, slots(1), &work), "{name}");
    }
}

#[test]
fn a_credit_taken_away_is_missed_from_that_cycle_on() {
    // Nine blocks on four cores: three local credits each, of which the last needs the one global
    // credit. Core 0 gets blocks 0, 4 and 8; with a credit less it has none for block 8.
    let faulty = record(&[wrong_credit(0, 150)], false);
    let sound = sound();
    assert_eq!(faulty.issues[..8], sound.issues[..8]);
    assert_eq!((sound.issues[8].smx, sound.issues[8].cycle), (0, 201));
    assert_eq!((faulty.issues[8].smx, faulty.issues[8].cycle), (1, 202));
}

#[test]
fn a_credit_taken_away_is_missed_whatever_the_source() {
    // SMX 1 has two blocks of the four, and one credit of two when the first one is to go.
    let work = [Work::new(0, kernel(4), &[10])];
    for name in ["rr(start=last-finished)+claso", "rr-gpgpusim+claso", "ikra/reset+claso"] {
        let run = |faults: &[Fault]| {
            let mut scheduler = build_faulty(&composition(name), 2, slots(1), faults).unwrap();
            let setup = Setup { rules: (&composition(name)).into(), last: 200, ..Setup::default() };
            run_with(scheduler.as_mut(), slots(1), &work, &setup)
        };
        assert_eq!(run(&[]).share(0, 1), 2, "{name}");
        assert_eq!(run(&[wrong_credit(1, 1)]).share(0, 1), 1, "{name}");
    }
}

#[test]
fn a_core_without_a_credit_gets_one_too_many() {
    let consumer = |disturbed: u32| {
        let mut consumer = claso::Consumer::new(claso::Levels::default());
        (0..disturbed).for_each(|_| consumer.disturb(KernelEntry(3)));
        let ask = claso::ConsumerInputs { kernel: KernelEntry(3), ..Default::default() };
        consumer.evaluate(&ask).needs_global
    };
    assert_eq!([0, 1, 2].map(consumer), [false, true, false]);
}

#[test]
fn a_lost_completion_leaves_its_slot_taken_for_ever() {
    let faulty = record(&[Fault::LostCompletion { smx: 2, cycle: 50 }], false);
    assert_eq!(sound().share(0, 2), 2);
    assert_eq!(faulty.share(0, 2), 1);
    assert!(faulty.finished.is_empty(), "the kernel waits for a block that has ended");
}

#[test]
fn only_the_first_completion_at_or_after_the_cycle_is_lost() {
    let lost_in = |cycle| {
        let faults = [Fault::LostCompletion { smx: 2, cycle }];
        let mut scheduler = build_faulty(&composition("rr"), 4, slots(1), &faults).unwrap();
        // Behind the last dispatch, and before a rule says of the kernel that it does not end.
        let work = [Work::new(0, kernel(16), &[100])];
        run(scheduler.as_mut(), slots(1), &work, 450, false).share(0, 2)
    };
    // SMX 2 reports in cycles 103, 203, ...
    assert_eq!((lost_in(103), lost_in(104), lost_in(203)), (1, 2, 2));
    assert_eq!(lost_in(204), 3);
}

#[test]
#[should_panic(expected = "all blocks of entry 0 ended 8 cycles ago, and its kernel has not")]
fn a_rule_tells_of_the_kernel_that_waits_for_a_lost_completion() {
    let fault = Fault::LostCompletion { smx: 1, cycle: 120 };
    let mut scheduler = build_faulty(&composition("rr"), 4, slots(1), &[fault]).unwrap();
    run(scheduler.as_mut(), slots(1), &[Work::new(0, kernel(9), &[100])], 2000, false);
}

#[test]
fn a_driver_that_skips_quiet_cycles_sees_the_fault_in_the_same_cycle() {
    for fault in [wrong_credit(0, 150), Fault::LostCompletion { smx: 1, cycle: 120 }] {
        let (every, skipped) = (record(&[fault], false), record(&[fault], true));
        assert!(skipped.simulated < every.simulated);
        assert_eq!(skipped.issues, every.issues);
    }
}

#[test]
fn reset_starts_the_count_of_cycles_and_the_faults_again() {
    let mut scheduler =
        build_faulty(&composition(CLASO), 4, slots(1), &[wrong_credit(0, 150)]).unwrap();
    let work = [Work::new(0, kernel(9), &[100])];
    let first = run(scheduler.as_mut(), slots(1), &work, 2000, false);
    let reset = Inputs { reset: true, ..Inputs::idle(4) };
    scheduler.cycle(&reset, &mut Outputs::default());
    let second = run(scheduler.as_mut(), slots(1), &work, 2000, false);
    assert_eq!(second, first);
}

#[test]
fn a_fault_that_cannot_happen_is_refused() {
    let refused = |name: &str, fault| {
        build_faulty(&composition(name), 4, LIMITS, &[fault]).err().expect("refused")
    };
    assert!(build_faulty(&composition(CLASO), 4, LIMITS, &[wrong_credit(3, 0)]).is_ok());
    let none = FaultError::NoSuchSmx { smx: 4, count: 4 };
    assert_eq!(refused(CLASO, wrong_credit(4, 0)), none);
    assert_eq!(refused("rr", Fault::LostCompletion { smx: 4, cycle: 0 }), none);
    let fault = Fault::WrongCredit { kernel: KernelEntry(32), smx: 0, cycle: 0 };
    assert_eq!(refused(CLASO, fault), FaultError::NoSuchEntry(32));
    for name in ["rr", "rr-gpgpusim+dyncta", "ikra/chunk", "ikra/steal(nesting=2)+dyncta", "srtf"] {
        assert_eq!(refused(name, wrong_credit(0, 0)), FaultError::NoCredits(composition(name)));
    }
}
