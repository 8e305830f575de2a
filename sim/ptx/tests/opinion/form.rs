//! The form of an instruction: which modifiers it has, taken off one by one.

use super::soft::Format;

/// A type as an instruction names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `.b16` to `.b64`.
    Bits(u32),
    /// `.u8` to `.u64`.
    Unsigned(u32),
    /// `.s8` to `.s64`.
    Signed(u32),
    /// `.f16`, `.f32`, `.f64`, `.bf16`.
    Float(Format),
    /// `.f16x2`, `.f32x2`: two floats.
    Floats(Format),
    /// `.u16x2` and `.s16x2`: two halfwords, signed or not.
    Halfwords(bool),
    /// `.pred`
    Predicate,
}

impl Type {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "b16" => Type::Bits(16),
            "b32" => Type::Bits(32),
            "b64" => Type::Bits(64),
            "u8" => Type::Unsigned(8),
            "u16" => Type::Unsigned(16),
            "u32" => Type::Unsigned(32),
            "u64" => Type::Unsigned(64),
            "s8" => Type::Signed(8),
            "s16" => Type::Signed(16),
            "s32" => Type::Signed(32),
            "s64" => Type::Signed(64),
            "f16" => Type::Float(Format::HALF),
            "bf16" => Type::Float(Format::BRAIN),
            "f32" => Type::Float(Format::SINGLE),
            "f64" => Type::Float(Format::DOUBLE),
            "f16x2" => Type::Floats(Format::HALF),
            "bf16x2" => Type::Floats(Format::BRAIN),
            "f32x2" => Type::Floats(Format::SINGLE),
            "u16x2" => Type::Halfwords(false),
            "s16x2" => Type::Halfwords(true),
            "pred" => Type::Predicate,
            _ => return None,
        })
    }

    /// Bits of a value.
    pub fn width(self) -> u32 {
        match self {
            Type::Bits(width) | Type::Unsigned(width) | Type::Signed(width) => width,
            Type::Float(format) => format.width(),
            Type::Floats(format) => 2 * format.width(),
            Type::Halfwords(_) => 32,
            Type::Predicate => 1,
        }
    }

    /// Whether this is an integer of 16 bits or more, signed or not: what most of integer
    /// arithmetic takes.
    pub fn is_wide_integer(self) -> bool {
        matches!(self, Type::Unsigned(16 | 32 | 64) | Type::Signed(16 | 32 | 64))
    }

    /// The number that `bits` stand for in an integer type.
    pub fn integer(self, bits: u64) -> i128 {
        let width = self.width();
        let value = i128::from(bits & ones(width));
        let negative = matches!(self, Type::Signed(_)) && value >= 1 << (width - 1);
        if negative {
            value - (1 << width)
        } else {
            value
        }
    }

    /// The lowest and the highest number of an integer type.
    pub fn range(self) -> (i128, i128) {
        let width = self.width();
        match self {
            Type::Signed(_) => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
            _ => (0, (1 << width) - 1),
        }
    }
}

/// A number of that many one bits.
pub fn ones(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// The low `width` bits of a number in two's complement.
pub fn low(value: i128, width: u32) -> u64 {
    (value as u128 & u128::from(ones(width))) as u64
}

/// What is left of an instruction's modifiers, and its operands.
pub struct Form<'a> {
    left: Vec<&'a str>,
    operands: &'a [u64],
    /// Its types, in order.
    pub types: Vec<Type>,
}

impl<'a> Form<'a> {
    /// Of modifiers with or without a dot in front.
    pub fn new(modifiers: &[&'a str], operands: &'a [u64]) -> Self {
        let mut left: Vec<_> = modifiers.iter().map(|name| name.trim_start_matches('.')).collect();
        let types = left.iter().filter_map(|name| Type::named(name)).collect();
        left.retain(|name| Type::named(name).is_none());
        Self { left, operands, types }
    }

    /// Whether that modifier is there; it is done with then.
    pub fn take(&mut self, name: &str) -> bool {
        let place = self.left.iter().position(|left| *left == name);
        if let Some(place) = place {
            self.left.remove(place);
        }
        place.is_some()
    }

    /// The first of those modifiers that is there.
    pub fn take_any<'b>(&mut self, names: &[&'b str]) -> Option<&'b str> {
        names.iter().copied().find(|name| self.take(name))
    }

    /// The operands, if they are that many and no modifier is left.
    pub fn operands<const N: usize>(&self) -> Option<[u64; N]> {
        if !self.left.is_empty() {
            return None;
        }
        self.operands.try_into().ok()
    }

    /// How many operands there are.
    pub fn count(&self) -> usize {
        self.operands.len()
    }

    /// Its type, if it has one alone.
    pub fn only_type(&self) -> Option<Type> {
        match self.types[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Its types, if it has two.
    pub fn two_types(&self) -> Option<(Type, Type)> {
        match self.types[..] {
            [first, second] => Some((first, second)),
            _ => None,
        }
    }
}
