//! Scalar video instructions (PTX ISA, "Video Instructions"): arithmetic on bytes and halves of
//! words.

/// A part of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its first bit, and how many it has.
    pub first: u32,
    /// See `first`.
    pub bits: u32,
}

impl Part {
    /// The whole word.
    pub const WORD: Self = Self { first: 0, bits: 32 };

    /// `b0` to `b3`, `h0` and `h1`.
    pub fn parse(name: &str) -> Option<Self> {
        let number: u32 = name.get(1..)?.parse().ok()?;
        match name.get(..1)? {
            "b" if number < 4 => Some(Self { first: 8 * number, bits: 8 }),
            "h" if number < 2 => Some(Self { first: 16 * number, bits: 16 }),
            _ => None,
        }
    }

    /// The part of `word`, with its sign if it has one.
    pub(super) fn of(self, word: u32, signed: bool) -> i128 {
        let above = word << (32 - self.bits - self.first);
        if signed {
            i128::from(above as i32 >> (32 - self.bits))
        } else {
            i128::from(above >> (32 - self.bits))
        }
    }

    /// The number in it that is nearest to `value`.
    pub(super) fn clamp(self, value: i128, signed: bool) -> i128 {
        match signed {
            true => value.clamp(-1 << (self.bits - 1), (1 << (self.bits - 1)) - 1),
            false => value.clamp(0, (1 << self.bits) - 1),
        }
    }

    /// `other` with `value` in this part.
    pub(super) fn put(self, value: i128, other: u32) -> u32 {
        let mask = (u32::MAX >> (32 - self.bits)) << self.first;
        (value as u32) << self.first & mask | other & !mask
    }
}

/// What is computed of two parts.
pub(super) type Operation = fn(i128, i128) -> i128;

/// That of the opcode `name`, without a number of parts.
pub(super) fn operation(name: &str) -> Option<Operation> {
    Some(match name {
        "vadd" => |a, b| a + b,
        "vsub" => |a, b| a - b,
        "vabsdiff" => |a, b| (a - b).abs(),
        "vavrg" => |a, b| (a + b + i128::from(a + b >= 0)) >> 1,
        "vmin" => i128::min,
        "vmax" => i128::max,
        _ => return None,
    })
}

/// One where a comparison holds, zero elsewhere.
pub(super) fn comparison(name: &str) -> Option<Operation> {
    Some(match name {
        "eq" => |a, b| (a == b).into(),
        "ne" => |a, b| (a != b).into(),
        "lt" => |a, b| (a < b).into(),
        "le" => |a, b| (a <= b).into(),
        "gt" => |a, b| (a > b).into(),
        "ge" => |a, b| (a >= b).into(),
        _ => return None,
    })
}

/// What is done with the third operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Second {
    Add,
    Least,
    Largest,
    /// The result becomes a part of it.
    Merge,
}

/// An instruction of this module.
pub struct Video {
    compute: Operation,
    /// Of the result and of both sources.
    signed: [bool; 3],
    parts: [Part; 3],
    saturates: bool,
    second: Option<Second>,
}

impl Video {
    /// `opcode.modifiers` with those parts of the result and of both sources, and a third one or
    /// not.
    pub fn parse(
        opcode: &str,
        modifiers: &[&str],
        parts: [Part; 3],
        has_third: bool,
    ) -> Option<Self> {
        let signed = |name: &str| match name {
            "u32" => Some(false),
            "s32" => Some(true),
            _ => None,
        };
        let compares = opcode == "vset";
        let (signed, mut rest) = match modifiers {
            [a, b, rest @ ..] if compares => ([false, signed(a)?, signed(b)?], rest),
            [d, a, b, rest @ ..] => ([signed(d)?, signed(a)?, signed(b)?], rest),
            _ => return None,
        };
        let mut take = |names: &[&'static str]| {
            let (first, behind) = rest.split_first()?;
            let found = names.iter().copied().find(|name| name == first)?;
            rest = behind;
            Some(found)
        };
        let operator = if compares { take(&["eq", "ne", "lt", "le", "gt", "ge"]) } else { None };
        let saturates = !compares && take(&["sat"]).is_some();
        let shifts = matches!(opcode, "vshl" | "vshr");
        let wraps = if shifts { take(&["clamp", "wrap"])? == "wrap" } else { false };
        let compute: Operation = match (opcode, operator) {
            ("vset", Some(operator)) => comparison(operator)?,
            ("vshl", _) if wraps => |a, b| a << (b & 31),
            ("vshr", _) if wraps => |a, b| a >> (b & 31),
            ("vshl", _) => |a, b| a << b.min(32),
            ("vshr", _) => |a, b| a >> b.min(32),
            _ => operation(opcode)?,
        };
        let second = match take(&["add", "min", "max"]) {
            Some("add") => Some(Second::Add),
            Some("min") => Some(Second::Least),
            Some(_) => Some(Second::Largest),
            None => has_third.then_some(Second::Merge),
        };
        let merges = second == Some(Second::Merge);
        let fits = second.is_some() == has_third
            && merges == (parts[0] != Part::WORD)
            && !(shifts && signed[2]);
        (rest.is_empty() && fits).then_some(Self { compute, signed, parts, saturates, second })
    }

    /// The result for the words `a`, `b` and `c`.
    pub fn of(&self, a: u32, b: u32, c: u32) -> u32 {
        let [result, first, second] = self.parts;
        let [signed, a_signed, b_signed] = self.signed;
        let mut value = (self.compute)(first.of(a, a_signed), second.of(b, b_signed));
        if self.saturates {
            value = result.clamp(value, signed);
        }
        let third = Part::WORD.of(c, signed);
        match self.second {
            None => value as u32,
            Some(Second::Add) => value.wrapping_add(third) as u32,
            Some(Second::Least) => Part::WORD.of(value as u32, signed).min(third) as u32,
            Some(Second::Largest) => Part::WORD.of(value as u32, signed).max(third) as u32,
            Some(Second::Merge) => result.put(value, c),
        }
    }
}
