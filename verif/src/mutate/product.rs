//! A sound and a faulty circuit side by side on the same inputs, and what is never to be true of
//! both.
//!
//! Latches whose next states are the same gates in both circuits stay equal for ever if they begin
//! so, which all do: those are one latch here. What is left of the faulty circuit is what the fault
//! can reach.

#[cfg(test)]
mod tests;

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
    /// while there is none, and all was legal as far as is known.
    pub differs: u32,
}

/// With the fault of that number.
pub fn product(choice: &Choice, fault: u32) -> Product {
    let mut shared = vec![true; choice.aiger.latches.len()];
    loop {
        let (mut gates, sound, faulty) = both(choice, fault, &shared);
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
    let aiger = choice.aiger;
    let shared = vec![true; aiger.latches.len()];
    let (mut gates, sound, faulty) = both(choice, fault, &shared);
    let mut differs = outputs_differ(choice, &mut gates, &sound, &faulty);
    for &next in &aiger.latches {
        let wrong = gates.unequal(renamed(&sound, next), renamed(&faulty, next));
        differs = gates.or(differs, wrong);
    }
    let legal = stays_legal(choice, &mut gates, &sound);
    let differs = gates.and(legal, differs);
    cone(Aiger::new(gates.first - 1, Vec::new(), gates.gates), differs)
}

/// That the sound circuit does not leave, in this cycle, what is known of it.
fn stays_legal(choice: &Choice, gates: &mut Gates, sound: &[u32]) -> u32 {
    let Choice { aiger, never, bounded, .. } = choice;
    let next = |variable: &usize| {
        let latch = variable.checked_sub(1 + aiger.inputs)?;
        Some(renamed(sound, aiger.latches[latch]))
    };
    let mut legal = 1;
    for literal in never.iter().filter_map(next) {
        legal = gates.and(legal, literal ^ 1);
    }
    for Bounded { bits, most } in *bounded {
        let then: Vec<u32> = bits.iter().filter_map(next).collect();
        let within = gates.at_most(&then, *most);
        legal = gates.and(legal, within);
    }
    legal
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

/// The literals of the variables of both circuits, where these latches are one. What is never set
/// is zero, and so are numbers where they would be above what they are at most, so that gates that
/// follow from that are seen to be the same one by one; but of latches of the faulty circuit's own
/// nothing is known.
fn both(choice: &Choice, fault: u32, shared: &[bool]) -> (Gates, Vec<u32>, Vec<u32>) {
    let Choice { aiger, never, bounded, .. } = choice;
    let own = shared.iter().filter(|same| !**same).count();
    // Behind the latches of both circuits are those that remember the reset and what is not legal.
    let mut gates = Gates::behind(aiger.inputs + aiger.latches.len() + own + 2);
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
        let is_known = |variable: usize| match (own, variable.checked_sub(1 + aiger.inputs)) {
            (Some(shared), Some(latch)) => shared[latch],
            _ => true,
        };
        for &variable in never.iter().filter(|&&variable| is_known(variable)) {
            literals[variable] = 0;
        }
        for Bounded { bits, most } in *bounded {
            if !bits.iter().all(|&variable| is_known(variable)) {
                continue;
            }
            let number: Vec<u32> = bits.iter().map(|&variable| literals[variable]).collect();
            let within = gates.at_most(&number, *most);
            for (&variable, bit) in bits.iter().zip(number) {
                literals[variable] = gates.and(bit, within);
            }
        }
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
    let was_illegal = was_reset + 2;
    let is_illegal = stays_legal(choice, gates, sound) ^ 1;
    let illegal = gates.or(was_illegal, is_illegal);
    next.push(illegal);
    let mut differs = outputs_differ(choice, gates, sound, faulty);
    let counts = gates.and(was_reset, reset ^ 1);
    differs = gates.and(differs, counts);
    differs = gates.and(differs, illegal ^ 1);
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
