//! A sound and a faulty circuit side by side on the same inputs, and what is never to be true of
//! both.
//!
//! Latches whose next states are the same gates in both circuits stay equal for ever if they begin
//! so, which all do: those are one latch here. What is left of the faulty circuit is what the fault
//! can reach.

use crate::prove::aiger::Aiger;
use std::collections::HashMap;

/// A circuit of which one fault is chosen by inputs, and what of it is compared.
pub struct Choice<'a> {
    /// The circuit.
    pub aiger: &'a Aiger,
    /// The inputs that choose, the lowest first; zero is no fault.
    pub chooses: &'a [usize],
    /// The input that resets it.
    pub reset: usize,
    /// What is compared.
    pub compared: &'a [Term],
    /// Inputs and latches that are zero in every legal run, by variable.
    pub never: &'a [usize],
    /// Numbers that get no further in any legal run.
    pub bounded: &'a [Bounded],
}

/// A number in inputs or latches and the most that it ever is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// The variables of its bits, the lowest first.
    pub bits: Vec<usize>,
    /// What it is at most.
    pub most: u64,
}

/// An output bit, and when it means something: one literal of each list is true. Literals are the
/// circuit's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The output's literal.
    pub output: u32,
    /// The conditions.
    pub when: Vec<Vec<u32>>,
}

/// Both circuits, in a form in which no output may ever be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// The circuit.
    pub aiger: Aiger,
    /// True in a cycle in which an output that means something differs, once there was a reset and
    /// while there is none.
    pub differs: u32,
}

/// With the fault of that number.
pub fn product(choice: &Choice, fault: u32) -> Product {
    let mut shared = vec![true; choice.aiger.latches.len()];
    loop {
        let (mut gates, sound, faulty) = both(choice, fault, &shared, &[]);
        let mut all_same = true;
        for (same, &next) in shared.iter_mut().zip(&choice.aiger.latches) {
            if *same && renamed(&sound, next) != renamed(&faulty, next) {
                (*same, all_same) = (false, false);
            }
        }
        if all_same {
            return finish(choice, &shared, &mut gates, &sound, &faulty);
        }
    }
}

/// Both circuits in one cycle, with the same state, which may be any in which a legal run can be as
/// far as is known: a circuit without latches, whose first inputs are those of the circuit and the
/// others its state. An output that means something differs, or the next state does. Where that is
/// never so, both stay the same for ever.
pub fn cycle(choice: &Choice, fault: u32) -> Product {
    let Choice { aiger, never, bounded, .. } = choice;
    let shared = vec![true; aiger.latches.len()];
    let (mut gates, sound, faulty) = both(choice, fault, &shared, never);
    let mut differs = outputs_differ(choice, &mut gates, &sound, &faulty);
    for &next in &aiger.latches {
        let wrong = gates.unequal(renamed(&sound, next), renamed(&faulty, next));
        differs = gates.or(differs, wrong);
    }
    // A sound run does not leave what is known of it.
    let mut legal = 1;
    let next = |variable: &usize| {
        let latch = variable.checked_sub(1 + aiger.inputs)?;
        Some(renamed(&sound, aiger.latches[latch]))
    };
    for literal in never.iter().filter_map(next) {
        legal = gates.and(legal, literal ^ 1);
    }
    for Bounded { bits, most } in *bounded {
        let now: Vec<u32> = bits.iter().map(|&variable| sound[variable]).collect();
        let then: Vec<u32> = bits.iter().filter_map(next).collect();
        for literals in [now, then] {
            let within = gates.at_most(&literals, *most);
            legal = gates.and(legal, within);
        }
    }
    let differs = gates.and(legal, differs);
    cone(Aiger::new(gates.first - 1, Vec::new(), gates.gates), differs)
}

/// What a literal of a circuit without latches depends on, and no more.
fn cone(aiger: Aiger, literal: u32) -> Product {
    let first = 1 + aiger.inputs;
    let place = |literal: u32| (literal as usize / 2).checked_sub(first);
    let mut needed = vec![false; aiger.gates.len()];
    if let Some(place) = place(literal) {
        needed[place] = true;
    }
    for (at, &(one, other)) in aiger.gates.iter().enumerate().rev() {
        if needed[at] {
            for place in [one, other].into_iter().filter_map(place) {
                needed[place] = true;
            }
        }
    }
    let mut literals: Vec<u32> = (0..first).map(|variable| 2 * variable as u32).collect();
    let mut gates = Vec::new();
    for (&(one, other), needed) in aiger.gates.iter().zip(needed) {
        literals.push(2 * (first + gates.len()) as u32);
        if needed {
            gates.push((renamed(&literals, one), renamed(&literals, other)));
        }
    }
    let differs = renamed(&literals, literal);
    Product { aiger: Aiger::new(aiger.inputs, Vec::new(), gates), differs }
}

/// The literals of the variables of both circuits, where these latches are one, and these variables
/// zero.
fn both(
    choice: &Choice,
    fault: u32,
    shared: &[bool],
    zero: &[usize],
) -> (Gates, Vec<u32>, Vec<u32>) {
    let aiger = choice.aiger;
    let own = shared.iter().filter(|same| !**same).count();
    // Behind the latches of both circuits is the one that remembers the reset.
    let mut gates = Gates::behind(aiger.inputs + aiger.latches.len() + own + 1);
    let latch = |at: usize| 2 * (1 + aiger.inputs + at) as u32;
    let mut states = |number: u32, own: Option<&[bool]>| {
        let mut literals = vec![0];
        literals.extend((0..aiger.inputs).map(|input| {
            match choice.chooses.iter().position(|chooses| *chooses == input) {
                Some(bit) => number >> bit & 1,
                None => 2 * (1 + input) as u32,
            }
        }));

        let mut next = aiger.latches.len();
        literals.extend((0..aiger.latches.len()).map(|at| match own {
            Some(shared) if !shared[at] => {
                next += 1;
                latch(next - 1)
            }
            _ => latch(at),
        }));
        zero.iter().for_each(|&variable| literals[variable] = 0);
        for &(one, other) in &aiger.gates {
            let gate = gates.and(renamed(&literals, one), renamed(&literals, other));
            literals.push(gate);
        }
        literals
    };
    let sound = states(0, None);
    let faulty = states(fault, Some(shared));
    (gates, sound, faulty)
}

fn finish(
    choice: &Choice,
    shared: &[bool],
    gates: &mut Gates,
    sound: &[u32],
    faulty: &[u32],
) -> Product {
    let aiger = choice.aiger;
    let mut next: Vec<u32> = aiger.latches.iter().map(|&next| renamed(sound, next)).collect();
    let own = aiger.latches.iter().zip(shared).filter(|(_, same)| !**same);
    next.extend(own.map(|(&next, _)| renamed(faulty, next)));
    let was_reset = 2 * (1 + aiger.inputs + next.len()) as u32;
    let reset = 2 * (1 + choice.reset) as u32;
    next.push(gates.or(was_reset, reset));
    let mut differs = outputs_differ(choice, gates, sound, faulty);
    let counts = gates.and(was_reset, reset ^ 1);
    differs = gates.and(differs, counts);
    Product { aiger: Aiger::new(aiger.inputs, next, std::mem::take(&mut gates.gates)), differs }
}

/// That an output that means something differs.
fn outputs_differ(choice: &Choice, gates: &mut Gates, sound: &[u32], faulty: &[u32]) -> u32 {
    let mut differs = 0;
    for Term { output, when } in choice.compared {
        let (one, other) = (renamed(sound, *output), renamed(faulty, *output));
        let mut wrong = gates.unequal(one, other);
        for bits in when {
            let any = bits.iter().fold(0, |any, &bit| gates.or(any, renamed(sound, bit)));
            wrong = gates.and(wrong, any);
        }
        differs = gates.or(differs, wrong);
    }
    differs
}

/// The literal of another circuit's literal.
fn renamed(literals: &[u32], literal: u32) -> u32 {
    literals[literal as usize / 2] ^ literal & 1
}

/// Gates in the order in which they are made, each once.
struct Gates {
    first: usize,
    gates: Vec<(u32, u32)>,
    known: HashMap<(u32, u32), u32>,
}

impl Gates {
    /// Behind so many inputs and latches.
    fn behind(states: usize) -> Self {
        Self { first: 1 + states, gates: Vec::new(), known: HashMap::new() }
    }

    fn and(&mut self, one: u32, other: u32) -> u32 {
        match (one.max(other), one.min(other)) {
            (_, 0) => 0,
            (literal, 1) => literal,
            (one, other) if one == other => one,
            (one, other) if one == other ^ 1 => 0,
            gate => *self.known.entry(gate).or_insert_with(|| {
                self.gates.push(gate);
                2 * (self.first + self.gates.len() - 1) as u32
            }),
        }
    }

    fn or(&mut self, one: u32, other: u32) -> u32 {
        self.and(one ^ 1, other ^ 1) ^ 1
    }

    /// That a number of these bits, the lowest first, is not above `most`.
    fn at_most(&mut self, bits: &[u32], most: u64) -> u32 {
        bits.iter().enumerate().fold(1, |below, (place, &bit)| match most >> place & 1 {
            1 => self.or(bit ^ 1, below),
            _ => self.and(bit ^ 1, below),
        })
    }

    fn unequal(&mut self, one: u32, other: u32) -> u32 {
        let (both, none) = (self.and(one, other), self.and(one ^ 1, other ^ 1));
        self.and(both ^ 1, none ^ 1)
    }
}

#[cfg(test)]
mod tests {
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
        // Both latches, that of the faulty circuit which is another one, and the reset's.
        assert_eq!(one.aiger.latches.len(), 4);
    }

    #[test]
    fn what_it_reaches_differs_after_a_reset_and_only_where_it_means_something() {
        let resets = [false, true, false, false];
        let cycles: Vec<Vec<bool>> =
            resets.iter().map(|&reset| vec![reset, !reset, false]).collect();
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
        let choice = Choice {
            aiger: &aiger,
            chooses: &[2],
            reset: 0,
            compared: &[],
            never: &[],
            bounded: &[],
        };
        let Product { aiger, differs } = cycle(&choice, 1);
        // Three inputs, two latches, and the one that remembers the reset.
        assert_eq!((aiger.inputs, aiger.latches.len()), (6, 0));
        for inputs in 0..4 {
            let cycle = (0..6).map(|bit| inputs >> bit & 1 == 1).collect();
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
            let choice =
                Choice { aiger, chooses, reset: 0, compared: &[], never, bounded: &bounded };
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
        assert_eq!((same.differs, same.aiger.latches.len()), (0, 3));
    }
}
