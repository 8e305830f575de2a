//! A circuit with many faults, of which none or one is there.

use super::aiger::Aiger;
use std::collections::HashMap;

/// What is wrong with a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is always 0.
    Zero,
    /// It is always 1.
    One,
    /// It is the opposite of what it should be.
    Inverted,
}

/// A variable of a circuit, and what is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The variable.
    pub variable: u32,
    /// What is wrong.
    pub wrong: Wrong,
}

/// A circuit that additional inputs give one fault in their first cycle, for all time.
pub struct Faulty {
    /// The circuit; the additional inputs are its last ones.
    pub aiger: Aiger,
    /// The literal of each variable of the circuit without faults.
    literals: Vec<u32>,
    bits: usize,
}

impl Faulty {
    /// With these faults, by number; a number that none has is that of no fault.
    pub fn new(sound: &Aiger, faults: &[Fault]) -> Self {
        let bits = (usize::BITS - faults.len().leading_zeros()) as usize;
        let (inputs, latches) = (sound.inputs + bits, sound.latches.len() + bits + 1);
        let input = |at: usize| 2 * (1 + at) as u32;
        let latch = |at: usize| input(inputs + at);
        let mut gates = Gates { first: 1 + inputs + latches, gates: Vec::new() };
        // What is chosen in the first cycle is kept.
        let begun = latch(latches - 1);
        let chosen = |bit: usize| (input(sound.inputs + bit), latch(sound.latches.len() + bit));
        let choice: Vec<u32> =
            (0..bits).map(chosen).map(|(fresh, kept)| gates.select(begun, kept, fresh)).collect();
        let mut of: HashMap<u32, Vec<(u32, Wrong)>> = HashMap::new();
        for (number, fault) in faults.iter().enumerate() {
            let bit = |(bit, choice): (usize, &u32)| choice ^ u32::from(number >> bit & 1 == 0);
            let is_chosen = choice.iter().enumerate().map(bit).collect::<Vec<u32>>();
            let is_chosen = is_chosen.into_iter().fold(1, |all, one| gates.and(all, one));
            of.entry(fault.variable).or_default().push((is_chosen, fault.wrong));
        }
        let mut literals = vec![0];
        let states = (0..sound.inputs).map(input).chain((0..sound.latches.len()).map(latch));
        let states: Vec<Option<u32>> = states.map(Some).collect();
        let operands = sound.gates.iter().map(|gate| Some(*gate));
        let all = states.iter().map(|state| (*state, None));
        for (state, gate) in all.chain(operands.map(|gate| (None, gate))) {
            let plain = match (state, gate) {
                (Some(literal), _) => literal,
                (None, Some((one, other))) => {
                    gates.and(renamed(&literals, one), renamed(&literals, other))
                }
                (None, None) => 0,
            };
            let wrongs = of.get(&(literals.len() as u32)).into_iter().flatten();
            let literal = wrongs.fold(plain, |literal, &(is_chosen, wrong)| match wrong {
                Wrong::Zero => gates.and(literal, is_chosen ^ 1),
                Wrong::One => gates.and(literal ^ 1, is_chosen ^ 1) ^ 1,
                Wrong::Inverted => gates.select(is_chosen, literal ^ 1, literal),
            });
            literals.push(literal);
        }
        let rename = |of: &[u32]| of.iter().map(|&literal| renamed(&literals, literal)).collect();
        let mut next: Vec<u32> = rename(&sound.latches);
        next.extend(choice);
        next.push(1);
        let (bad, constraints) = (rename(&sound.bad), rename(&sound.constraints));
        let gates = gates.gates;
        let aiger = Aiger { bad, constraints, ..Aiger::new(inputs, next, gates) };
        Self { aiger, literals, bits }
    }

    /// A literal of the circuit without faults, here.
    pub fn literal(&self, sound: u32) -> u32 {
        renamed(&self.literals, sound)
    }

    /// The number of the fault that these inputs choose.
    pub fn chosen(&self, cycles: &[Vec<bool>]) -> usize {
        let first = self.aiger.inputs - self.bits;
        let is_set = |bit: usize| {
            cycles.first().is_some_and(|cycle| cycle.get(first + bit).copied().unwrap_or(false))
        };
        (0..self.bits).map(|bit| usize::from(is_set(bit)) << bit).sum()
    }
}

fn renamed(literals: &[u32], literal: u32) -> u32 {
    literals[literal as usize / 2] ^ literal & 1
}

/// Gates in the order in which they are made; their variables begin with `first`.
struct Gates {
    first: usize,
    gates: Vec<(u32, u32)>,
}

impl Gates {
    fn and(&mut self, one: u32, other: u32) -> u32 {
        match (one.max(other), one.min(other)) {
            (_, 0) => 0,
            (literal, 1) => literal,
            gate => {
                self.gates.push(gate);
                2 * (self.first + self.gates.len() - 1) as u32
            }
        }
    }

    /// `one` where the condition holds, `other` where it does not.
    fn select(&mut self, condition: u32, one: u32, other: u32) -> u32 {
        let (yes, no) = (self.and(condition, one), self.and(condition ^ 1, other));
        self.and(yes ^ 1, no ^ 1) ^ 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::aiger::value;
    use super::*;

    const FAULTS: [Fault; 4] = [
        Fault { variable: 2, wrong: Wrong::Zero },
        Fault { variable: 2, wrong: Wrong::Inverted },
        Fault { variable: 3, wrong: Wrong::One },
        Fault { variable: 3, wrong: Wrong::Inverted },
    ];

    /// A latch that follows `input & !latch`.
    fn toggles() -> Aiger {
        Aiger { bad: vec![4], ..Aiger::new(1, vec![6], vec![(5, 2)]) }
    }

    /// The latch and the gate in four cycles of which all but the third have the input.
    fn behaviour(number: usize) -> Vec<(bool, bool)> {
        let faulty = Faulty::new(&toggles(), &FAULTS);
        assert_eq!(faulty.bits, 3);
        let cycle = |at: usize| {
            // Later on, the additional inputs do not count.
            let choice = if at == 0 { number } else { 5 };
            let mut inputs = vec![at != 2];
            inputs.extend((0..3).map(|bit| choice >> bit & 1 == 1));
            inputs
        };
        let inputs: Vec<Vec<bool>> = (0..4).map(cycle).collect();
        assert_eq!(faulty.chosen(&inputs), number);
        let values = faulty.aiger.simulate(&inputs);
        let pair = |values: &Vec<bool>| {
            (value(values, faulty.literal(4)), value(values, faulty.literal(6)))
        };
        values.iter().map(pair).collect()
    }

    #[test]
    fn a_number_without_a_fault_leaves_the_circuit_as_it_is() {
        let sound = toggles().simulate(&[vec![true], vec![true], vec![false], vec![true]]);
        let sound: Vec<(bool, bool)> =
            sound.iter().map(|values| (value(values, 4), value(values, 6))).collect();
        for number in 4..8 {
            assert_eq!(behaviour(number), sound, "{number}");
        }
    }

    #[test]
    fn each_fault_is_there_from_the_first_cycle_on() {
        let (no, yes) = (false, true);
        assert_eq!(behaviour(0), [(no, yes), (no, yes), (no, no), (no, yes)]);
        assert_eq!(behaviour(1), [(yes, no), (yes, no), (yes, no), (yes, no)]);
        assert_eq!(behaviour(2), [(no, yes), (yes, yes), (yes, yes), (yes, yes)]);
        assert_eq!(behaviour(3), [(no, no), (no, no), (no, yes), (yes, yes)]);
    }

    #[test]
    fn the_circuit_is_a_file_that_reads_the_same() {
        let faulty = Faulty::new(&toggles(), &FAULTS);
        let file = faulty.aiger.write(&faulty.aiger.bad);
        assert_eq!(Aiger::parse(&file).expect("it reads"), faulty.aiger);
    }
}
