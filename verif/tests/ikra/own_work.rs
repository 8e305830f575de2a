//! Rationale: 1. one bit: set and cleared by each combination of inputs that rule 10a of
//! `docs/ikra.md` allows, in that cycle and later ones. 2. There is no twin of this module by
//! itself; the expectation is the rule over the whole history.

use crate::harness::{cycle, fresh, random, reset, stores};
use blockyard_rtl::ikra::OwnWork;
use rand::RngExt;

/// The inputs of one cycle: `begins`, `running`, `exhausted`, `vacant`.
type Inputs = [bool; 4];

const BEGINS: Inputs = [true, false, false, false];
const DONE: Inputs = [false, true, true, true];

fn drive(work: &mut OwnWork, [begins, running, exhausted, vacant]: Inputs) {
    work.begins.next = begins;
    work.running.next = running;
    work.exhausted.next = exhausted;
    work.vacant.next = vacant;
}

fn done(work: &mut OwnWork, inputs: Inputs) -> bool {
    cycle(work, |work| drive(work, inputs), |work| work.done.val())
}

#[test]
fn an_smx_is_done_in_the_cycle_in_which_nothing_is_left_or_resident_and_not_before() {
    let mut work = fresh(OwnWork::new());
    assert!(!done(&mut work, BEGINS));
    assert!(!done(&mut work, [false, true, false, true]), "something is left");
    assert!(!done(&mut work, [false, true, true, false]), "a block is resident");
    assert!(!done(&mut work, [false, false, true, true]), "no kernel runs");
    assert!(done(&mut work, DONE));
}

#[test]
fn it_stays_done_with_stolen_blocks_until_the_next_kernel_begins() {
    let mut work = fresh(OwnWork::new());
    assert!(done(&mut work, DONE));
    assert!(done(&mut work, [false, true, true, false]), "a stolen block is resident");
    assert!(done(&mut work, [false, false, false, false]), "the kernel has ended");
    done(&mut work, BEGINS);
    assert!(!done(&mut work, [false, true, true, false]), "its own block is resident");
}

#[test]
fn without_work_of_its_own_it_is_done_in_the_first_cycle() {
    let mut work = fresh(OwnWork::new());
    done(&mut work, BEGINS);
    assert!(done(&mut work, DONE));
}

#[test]
fn reset_clears_it_and_only_a_change_is_stored() {
    let mut work = fresh(OwnWork::new());
    assert!(stores(&mut work, |work| drive(work, DONE)));
    assert!(!stores(&mut work, |work| drive(work, DONE)));
    reset(&mut work);
    assert!(!done(&mut work, [false, true, true, false]));
}

#[test]
fn over_random_kernels_it_is_done_exactly_if_it_was_ever_idle_since_the_begin() {
    let (mut work, mut random) = (fresh(OwnWork::new()), random(27));
    let (mut history, mut seen): (Vec<Inputs>, [u32; 2]) = (Vec::new(), [0; 2]);
    for _ in 0..20_000 {
        let begins = random.random_bool(0.1);
        let mut bit = |of| random.random_bool(of);
        let inputs = [begins, !begins && bit(0.8), bit(0.5), bit(0.3)];
        history.push(inputs);
        let kernel = history.iter().rposition(|inputs| inputs[0]);
        // In the cycle of a begin the bit is still that of the kernel before.
        let since = match kernel {
            Some(at) if at + 1 == history.len() => kernel_before(&history, at),
            Some(at) => &history[at + 1..],
            None => &history[..],
        };
        let expected = since.contains(&DONE);
        assert_eq!(done(&mut work, inputs), expected, "{inputs:?}");
        seen[usize::from(expected)] += 1;
    }
    assert!(seen.iter().all(|&seen| seen > 1_000), "{seen:?}");
}

/// What came between the begin before and the one at `at`.
fn kernel_before(history: &[Inputs], at: usize) -> &[Inputs] {
    let first = history[..at].iter().rposition(|inputs| inputs[0]).map_or(0, |before| before + 1);
    &history[first..at]
}
