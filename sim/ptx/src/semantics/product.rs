//! `vmad` (PTX ISA, "Scalar Video Instructions: vmad"): a product of parts of words, to which a
//! third word is added.

use super::video::Part;

/// See the module.
pub struct Product {
    /// Of both sources.
    signed: [bool; 2],
    parts: [Part; 2],
    /// The product is subtracted; the third source is.
    negates: [bool; 2],
    /// One is added as well.
    plus_one: bool,
    saturates: bool,
    shift: u32,
}

impl Product {
    /// The modifiers of a `vmad`, with those parts of both sources, of which the product is negated
    /// or not, and the third one.
    pub fn parse(modifiers: &[&str], parts: [Part; 2], negates: [bool; 2]) -> Option<Self> {
        let signed = |name: &str| match name {
            "u32" => Some(false),
            "s32" => Some(true),
            _ => None,
        };
        let [to, a, b, rest @ ..] = modifiers else { return None };
        signed(to)?;
        let (plus_one, rest) = match rest {
            ["po", rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let (saturates, rest) = match rest {
            ["sat", rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let shift = match rest {
            [] => 0,
            ["shr7"] => 7,
            ["shr15"] => 15,
            _ => return None,
        };
        // One of both is negated at most, and neither where one is added.
        let negations = negates.iter().filter(|negates| **negates).count();
        (negations + usize::from(plus_one) <= 1).then_some(Self {
            signed: [signed(a)?, signed(b)?],
            parts,
            negates,
            plus_one,
            saturates,
            shift,
        })
    }

    /// The result for the words `a`, `b` and `c`.
    pub fn of(&self, a: u32, b: u32, c: u32) -> u32 {
        let signed = self.signed.contains(&true) || self.negates.contains(&true);
        let product = self.parts[0].of(a, self.signed[0]) * self.parts[1].of(b, self.signed[1]);
        let third = Part::WORD.of(c, signed);
        let sum = match self.negates {
            [true, _] => third - product,
            [_, true] => product - third,
            _ => product + third + i128::from(self.plus_one),
        };
        let result = sum >> self.shift;
        if self.saturates {
            return Part::WORD.clamp(result, signed) as u32;
        }
        result as u32
    }
}
