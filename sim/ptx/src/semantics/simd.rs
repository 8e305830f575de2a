//! SIMD video instructions (PTX ISA, "SIMD Video Instructions"): two halves or four bytes at once,
//! each chosen from those of both sources.

use super::video::{comparison, operation, Operation, Part};

/// Which halves or bytes of both sources the parts of an operand are, the lowest part first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice([u32; 4]);

impl Choice {
    /// `h32` of two `parts`, `b3210` of four: the highest part first.
    pub fn parse(name: &str, parts: usize) -> Option<Self> {
        let numbers = digits(name, parts)?;
        let fits =
            numbers.len() == parts && numbers.iter().all(|number| *number < 2 * parts as u32);
        fits.then(|| {
            let mut chosen = [0; 4];
            numbers.iter().rev().zip(&mut chosen).for_each(|(number, chosen)| *chosen = *number);
            Self(chosen)
        })
    }

    /// All parts of the first (0) or the second source (1) in order.
    pub fn whole(source: u32, parts: usize) -> Self {
        Self(std::array::from_fn(|part| source * parts as u32 + part as u32))
    }
}

/// The parts of the result that `h1` or `b320` names, one bit each.
pub fn mask(name: &str, parts: usize) -> Option<u32> {
    let numbers = digits(name, parts)?;
    let falls = numbers.windows(2).all(|pair| pair[0] > pair[1]);
    let fits = !numbers.is_empty() && falls && numbers.iter().all(|number| *number < parts as u32);
    fits.then(|| numbers.iter().fold(0, |mask, number| mask | 1 << number))
}

/// The digits behind the letter for one of so many `parts`.
fn digits(name: &str, parts: usize) -> Option<Vec<u32>> {
    let rest = name.strip_prefix(if parts == 2 { 'h' } else { 'b' })?;
    rest.chars().map(|digit| digit.to_digit(8)).collect()
}

/// An instruction of this module.
pub struct Simd {
    compute: Operation,
    /// Of the result and of both sources.
    signed: [bool; 3],
    parts: usize,
    choices: [Choice; 2],
    mask: u32,
    saturates: bool,
    /// The results are added to the third source, instead of becoming parts of it.
    adds: bool,
}

impl Simd {
    /// Halves or bytes that `opcode` computes at once, if it is one of this module.
    pub fn parts(opcode: &str) -> Option<usize> {
        let (name, parts) = match opcode.strip_suffix('2') {
            Some(name) => (name, 2),
            None => (opcode.strip_suffix('4')?, 4),
        };
        let known = ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset"];
        known.contains(&name).then_some(parts)
    }

    /// `opcode.modifiers` with those parts of both sources and of the result.
    pub fn parse(
        opcode: &str,
        modifiers: &[&str],
        choices: [Choice; 2],
        mask: u32,
    ) -> Option<Self> {
        let parts = Self::parts(opcode)?;
        let name = &opcode[..opcode.len() - 1];
        let signed = |name: &str| match name {
            "u32" => Some(false),
            "s32" => Some(true),
            _ => None,
        };
        let (compute, signed, rest) = match (name, modifiers) {
            ("vset", [a, b, operator, rest @ ..]) => {
                (comparison(operator)?, [false, signed(a)?, signed(b)?], rest)
            }
            (_, [d, a, b, rest @ ..]) => {
                (operation(name)?, [signed(d)?, signed(a)?, signed(b)?], rest)
            }
            _ => return None,
        };
        let (saturates, adds) = match rest {
            [] => (false, false),
            ["sat"] if name != "vset" => (true, false),
            ["add"] => (false, true),
            _ => return None,
        };
        Some(Self { compute, signed, parts, choices, mask, saturates, adds })
    }

    /// The result for the words `a`, `b` and `c`.
    pub fn of(&self, a: u32, b: u32, c: u32) -> u32 {
        let bits = 32 / self.parts as u32;
        let part = |number: u32| Part { first: number * bits, bits };
        let chosen = |choice: Choice, at: usize, signed: bool| {
            let number = choice.0[at];
            let (word, number) = match number.checked_sub(self.parts as u32) {
                Some(number) => (b, number),
                None => (a, number),
            };
            part(number).of(word, signed)
        };
        let [signed, a_signed, b_signed] = self.signed;
        let mut result = c;
        for at in (0..self.parts).filter(|at| self.mask >> at & 1 == 1) {
            let (a, b) =
                (chosen(self.choices[0], at, a_signed), chosen(self.choices[1], at, b_signed));
            let to = part(at as u32);
            let mut value = (self.compute)(a, b);
            if self.saturates {
                value = to.clamp(value, signed);
            }
            result = match self.adds {
                true => result.wrapping_add(value as u32),
                false => to.put(value, result),
            };
        }
        result
    }
}
