use super::*;
use crate::prove::aiger::value;

/// Inputs: reset, data, and one that chooses. A latch keeps `data & !reset`; another one, which
/// the fault inverts, keeps the same.
fn two_latches() -> Aiger {
    // Variables: 1 reset, 2 data, 3 choice, 4 and 5 latches, then gates 6 on.
    let gates = vec![
        (4, 3),   // 6: data & !reset
        (13, 6),  // 7: choice & !6
        (12, 7),  // 8: 6 & !choice
        (17, 15), // 9: neither, so that its opposite is 6 ^ choice
    ];
    Aiger::new(3, vec![12, 19], gates)
}

fn with(compared: &[Term]) -> Product {
    let aiger = two_latches();
    product(
        &Choice { aiger: &aiger, chooses: &[2], reset: 0, compared, never: &[], bounded: &[] },
        1,
    )
}

fn term(output: u32, when: &[u32]) -> Term {
    Term { output, when: when.iter().map(|&literal| vec![literal]).collect() }
}

#[test]
fn what_a_fault_cannot_reach_never_differs() {
    let one = with(&[term(8, &[])]);
    assert_eq!(one.differs, 0);
    // Both latches, that of the faulty circuit which is another one, and those that remember.
    assert_eq!(one.aiger.latches.len(), 5);
}

#[test]
fn what_it_reaches_differs_after_a_reset_and_only_where_it_means_something() {
    let resets = [false, true, false, false];
    let cycles: Vec<Vec<bool>> = resets.iter().map(|&reset| vec![reset, !reset, false]).collect();
    let seen = |compared: &[Term]| -> Vec<bool> {
        let Product { aiger, differs } = with(compared);
        let simulated = aiger.simulate(&cycles);
        simulated.iter().map(|values| value(values, differs)).collect()
    };
    assert_eq!(seen(&[term(10, &[])]), [false, false, true, true]);
    // The other latch is zero behind the reset, and then one.
    assert_eq!(seen(&[term(10, &[8])]), [false, false, false, true]);
    assert_eq!(seen(&[term(10, &[8, 9])]), [false; 4]);
}

#[test]
fn in_one_cycle_a_fault_differs_where_the_next_state_does() {
    let aiger = two_latches();
    let choice =
        Choice { aiger: &aiger, chooses: &[2], reset: 0, compared: &[], never: &[], bounded: &[] };
    let Product { aiger, differs } = cycle(&choice, 1);
    // Three inputs, two latches, and the two that remember.
    assert_eq!((aiger.inputs, aiger.latches.len()), (7, 0));
    for inputs in 0..4 {
        let cycle = (0..7).map(|bit| inputs >> bit & 1 == 1).collect();
        // Inverted is never the same.
        assert!(value(&aiger.simulate(&[cycle])[0], differs));
    }
    assert_eq!(super::cycle(&choice, 0).differs, 0);
}

#[test]
fn in_one_cycle_a_fault_is_not_looked_for_where_no_legal_run_is() {
    // Inputs: reset, data, and one that chooses. A latch becomes zero; with the fault it stays
    // what it is.
    let gates = vec![(8, 6)];
    let aiger = Aiger::new(3, vec![10], gates);
    let choice = |never| Choice {
        aiger: &aiger,
        chooses: &[2],
        reset: 0,
        compared: &[],
        never,
        bounded: &[],
    };
    assert_ne!(super::cycle(&choice(&[]), 1).differs, 0, "the latch may be one");
    assert_eq!(super::cycle(&choice(&[4]), 1).differs, 0, "it never is");
}

#[test]
fn in_one_cycle_numbers_are_not_looked_at_beyond_what_they_are_at_most() {
    // Inputs: reset and one that chooses. Three latches keep a number; with the fault its
    // lowest bit is lost where the others are set.
    let gates = vec![(10, 8), (12, 4), (15, 6)];
    let aiger = Aiger::new(2, vec![16, 8, 10], gates);
    let differs = |most| {
        let bounded = [Bounded { bits: vec![3, 4, 5], most }];
        let (chooses, never) = (&[1][..], &[][..]);
        let aiger = &aiger;
        let choice = Choice { aiger, chooses, reset: 0, compared: &[], never, bounded: &bounded };
        let Product { aiger, differs } = cycle(&choice, 1);
        (0..8).any(|state: usize| {
            let is_set = |at| (2..5).contains(&at) && state >> (at - 2) & 1 == 1;
            let bits = (0..aiger.inputs).map(is_set);
            value(&aiger.simulate(&[bits.collect()])[0], differs)
        })
    };
    assert!(differs(7), "seven may be reached");
    assert!(!differs(6) && !differs(5), "it never is");
}

#[test]
fn side_by_side_a_latch_that_is_never_set_stays_so_in_the_sound_circuit_alone() {
    // Inputs: reset, data, and one that chooses. A latch keeps the data; with the fault another one
    // is set, which otherwise is not. Compared is whether both are.
    let gates = vec![(10, 8)];
    let aiger = Aiger::new(3, vec![4, 6], gates);
    let differs = |never: &[usize], data: bool| {
        let compared = [term(12, &[])];
        let bounded = &[];
        let choice =
            Choice { aiger: &aiger, chooses: &[2], reset: 0, compared: &compared, never, bounded };
        let Product { aiger, differs } = product(&choice, 1);
        let cycles = [true, false, false].map(|reset| vec![reset, data, false]);
        aiger.simulate(&cycles).iter().any(|values| value(values, differs))
    };
    assert!(differs(&[], true) && !differs(&[], false));
    assert!(differs(&[5], true), "the faulty circuit sets what the sound one never does");
    assert!(!differs(&[4], true), "data that is never set ends what is legal");
}

#[test]
fn a_cone_has_no_gate_that_its_literal_does_not_depend_on() {
    let gates = vec![(4, 2), (6, 2), (8, 5), (6, 5)];
    let Product { aiger, differs } = cone(Aiger::new(2, vec![], gates), 13);
    assert_eq!((aiger.gates, differs), (vec![(4, 2), (6, 5)], 9));
}

#[test]
fn no_fault_is_no_difference() {
    let aiger = two_latches();
    let compared = [term(8, &[]), term(10, &[])];
    let choice = Choice {
        aiger: &aiger,
        chooses: &[2],
        reset: 0,
        compared: &compared,
        never: &[],
        bounded: &[],
    };
    let same = product(&choice, 0);
    assert_eq!((same.differs, same.aiger.latches.len()), (0, 4));
}
