//! And-inverter graphs in the binary AIGER format, as far as Yosys writes it: every latch begins as
//! zero.

use std::collections::BTreeSet;

/// A circuit. A literal is twice a variable, plus one where it is inverted; 0 is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aiger {
    /// Inputs; their variables come first, from 1 on.
    pub inputs: usize,
    /// What each latch is in the next cycle; their variables follow.
    pub latches: Vec<u32>,
    /// Outputs, which [`Aiger::write`] leaves out.
    pub outputs: Vec<u32>,
    /// What Yosys wants never to be true.
    pub(super) bad: Vec<u32>,
    /// What has to hold in every cycle.
    pub(super) constraints: Vec<u32>,
    /// Both operands of each gate; their variables follow.
    pub gates: Vec<(u32, u32)>,
}

/// What is no such file.
#[derive(Debug, thiserror::Error)]
#[error("no AIGER file: {0}")]
pub struct NotAiger(&'static str);

impl Aiger {
    /// A circuit without claims.
    pub fn new(inputs: usize, latches: Vec<u32>, gates: Vec<(u32, u32)>) -> Self {
        Self { inputs, latches, outputs: vec![], bad: vec![], constraints: vec![], gates }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is cut off, or is something else.
    pub fn parse(file: &[u8]) -> Result<Self, NotAiger> {
        let mut rest = file;
        let header = line(&mut rest)?;
        let mut words = header.split_whitespace();
        if words.next() != Some("aig") {
            return Err(NotAiger("it does not begin with `aig`"));
        }
        let numbers: Vec<usize> = words.map_while(|word| word.parse().ok()).collect();
        let at = |place: usize| numbers.get(place).copied().unwrap_or(0);
        let (inputs, latches, outputs, gates) = (at(1), at(2), at(3), at(4));
        let (bad, constraints) = (at(5), at(6));
        let mut literals = |count: usize| -> Result<Vec<u32>, NotAiger> {
            (0..count).map(|_| literal(line(&mut rest)?)).collect()
        };
        let latches = literals(latches)?;
        let outputs = literals(outputs)?;
        let (bad, constraints) = (literals(bad)?, literals(constraints)?);
        let mut aiger = Self { inputs, latches, outputs, bad, constraints, gates: Vec::new() };
        for gate in 0..gates {
            let this = 2 * (1 + inputs + aiger.latches.len() + gate) as u32;
            let first = this.checked_sub(number(&mut rest)?);
            let first = first.ok_or(NotAiger("a gate comes before its operand"))?;
            let second = first.checked_sub(number(&mut rest)?);
            let second = second.ok_or(NotAiger("a gate comes before its operand"))?;
            aiger.gates.push((first, second));
        }
        Ok(aiger)
    }

    /// Whether something that must never be true always is.
    pub fn fails_always(&self) -> bool {
        self.bad.contains(&1)
    }

    /// Whether anything else than these literals must never be true.
    pub fn has_other_claims(&self, known: &[u32]) -> bool {
        let plain = self.plain();
        let same = |literal: &u32| plain[*literal as usize / 2] ^ literal & 1;
        let known: BTreeSet<u32> = known.iter().map(same).collect();
        self.bad.iter().map(same).any(|literal| literal > 1 && !known.contains(&literal))
    }

    /// The literal that each variable is as good as: Yosys writes gates with a constant operand.
    fn plain(&self) -> Vec<u32> {
        let states = 1 + self.inputs + self.latches.len();
        let mut plain: Vec<u32> = (0..states).map(|variable| 2 * variable as u32).collect();
        for (one, other) in &self.gates {
            let same = |literal: &u32| plain[*literal as usize / 2] ^ literal & 1;
            let (one, other) = (same(one), same(other));
            plain.push(match (one.max(other), one.min(other)) {
                (_, 0) => 0,
                (literal, 1) => literal,
                (literal, its_double) if literal == its_double => literal,
                _ => 2 * plain.len() as u32,
            });
        }
        plain
    }

    /// The circuit as a file in which these literals must never be true.
    pub fn write(&self, bad: &[u32]) -> Vec<u8> {
        let (latches, gates) = (self.latches.len(), self.gates.len());
        let variables = self.inputs + latches + gates;
        let mut text = format!(
            "aig {variables} {} {latches} 0 {gates} {} {}\n",
            self.inputs,
            bad.len(),
            self.constraints.len()
        );
        for literal in self.latches.iter().chain(bad).chain(&self.constraints) {
            text += &format!("{literal}\n");
        }
        let mut file = text.into_bytes();
        for (gate, (first, second)) in self.gates.iter().enumerate() {
            let this = 2 * (1 + self.inputs + latches + gate) as u32;
            put(&mut file, this - first);
            put(&mut file, first - second);
        }
        file
    }

    /// The value of every variable in every cycle, for these inputs.
    pub fn simulate(&self, cycles: &[Vec<bool>]) -> Vec<Vec<bool>> {
        let mut all = Vec::new();
        self.run(cycles.iter().cloned(), |values| all.push(values.to_vec()));
        all
    }

    /// Shows the values of all variables in every cycle, for these inputs.
    pub fn run(&self, cycles: impl Iterator<Item = Vec<bool>>, mut show: impl FnMut(&[bool])) {
        let mut state = vec![false; self.latches.len()];
        for inputs in cycles {
            let mut values = vec![false];
            values.extend((0..self.inputs).map(|at| inputs.get(at).copied().unwrap_or(false)));
            values.extend(&state);
            for &(first, second) in &self.gates {
                values.push(value(&values, first) && value(&values, second));
            }
            state = self.latches.iter().map(|&next| value(&values, next)).collect();
            show(&values);
        }
    }
}

/// A literal's value among those of the variables.
pub fn value(values: &[bool], literal: u32) -> bool {
    values.get(literal as usize / 2).copied().unwrap_or(false) != (literal % 2 == 1)
}

fn line<'a>(rest: &mut &'a [u8]) -> Result<&'a str, NotAiger> {
    let end = rest.iter().position(|&byte| byte == b'\n').ok_or(NotAiger("it is cut off"))?;
    let (line, after) = rest.split_at(end);
    *rest = &after[1..];
    std::str::from_utf8(line).map_err(|_| NotAiger("its head is no text"))
}

fn literal(line: &str) -> Result<u32, NotAiger> {
    // Behind a latch may stand what it begins as.
    let mut words = line.split_whitespace();
    let literal = words.next().and_then(|word| word.parse().ok());
    match words.next() {
        None | Some("0") => literal.ok_or(NotAiger("a literal is no number")),
        Some(_) => Err(NotAiger("a latch does not begin as zero")),
    }
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn number(rest: &mut &[u8]) -> Result<u32, NotAiger> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (&byte, after) = rest.split_first().ok_or(NotAiger("it is cut off"))?;
        *rest = after;
        if shift > 28 {
            return Err(NotAiger("a number is too large"));
        }
        number |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            return Ok(number);
        }
    }
}

fn put(file: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        file.push(0x80 | (number & 0x7f) as u8);
        number >>= 7;
    }
    file.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A latch that follows `input & !latch`, and gates enough for numbers of two bytes.
    fn toggles() -> Aiger {
        let mut gates = vec![(5, 2)];
        gates.extend((0..100).map(|_| (2, 2)));
        Aiger { bad: vec![4, 7], constraints: vec![2], ..Aiger::new(1, vec![6], gates) }
    }

    #[test]
    fn what_is_written_reads_the_same() {
        let aiger = toggles();
        assert_eq!(Aiger::parse(&aiger.write(&[4, 7])).expect("it reads"), aiger);
    }

    #[test]
    fn a_claim_is_known_by_a_literal_that_is_as_good_as_its_own() {
        // Gate 3 is both states, gate 4 is gate 3 and true, gate 5 is never.
        let gates = vec![(4, 2), (6, 1), (8, 0)];
        let circuit = |bad| Aiger { bad, ..Aiger::new(1, vec![2], gates.clone()) };
        assert!(!circuit(vec![8, 10]).has_other_claims(&[6]));
        assert!(circuit(vec![8]).has_other_claims(&[7, 4]));
        assert!(circuit(vec![9]).has_other_claims(&[6]));
    }

    #[test]
    fn a_latch_has_the_value_of_the_cycle_before() {
        let values = toggles().simulate(&[vec![true], vec![true], vec![false], vec![true]]);
        let latch: Vec<bool> = values.iter().map(|values| value(values, 4)).collect();
        assert_eq!(latch, [false, true, false, false]);
        assert!(values.iter().all(|values| value(values, 5) != value(values, 4)));
    }

    #[test]
    fn what_is_cut_off_or_something_else_is_refused() {
        let file = toggles().write(&[4]);
        for length in 0..file.len() {
            assert!(Aiger::parse(&file[..length]).is_err(), "{length} bytes");
        }
        assert!(Aiger::parse(b"aag 0 0 0 0 0\n").is_err());
        assert!(Aiger::parse(b"aig 1 0 1 0 0\n2 1\n").is_err());
    }
}
