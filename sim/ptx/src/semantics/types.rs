//! Types by name, and the values of Rust that stand for them.

use crate::ast::Type;

/// The type that a modifier or a `.reg` names, without its dot.
pub fn parse(name: &str) -> Option<Type> {
    Some(match name {
        "pred" => Type::Predicate,
        "f16x2" => Type::Halves,
        "bf16" => Type::Brain,
        "bf16x2" => Type::Brains,
        "texref" => Type::Texture,
        "samplerref" => Type::Sampler,
        "surfref" => Type::Surface,
        _ => {
            let bits = name.get(1..)?;
            let width = [8, 16, 32, 64, 128].into_iter().find(|w: &u8| w.to_string() == bits)?;
            match (name.as_bytes()[0], width) {
                (b'b', _) => Type::Bits(width),
                (b'u', 8..=64) => Type::Unsigned(width),
                (b's', 8..=64) => Type::Signed(width),
                (b'f', 16..=64) => Type::Float(width),
                _ => return None,
            }
        }
    })
}

impl Type {
    /// Bits of a value; 1 for a predicate, 64 for a texture and its kind, of which it is the
    /// address.
    pub fn width(self) -> u32 {
        match self {
            Type::Bits(width)
            | Type::Unsigned(width)
            | Type::Signed(width)
            | Type::Float(width) => u32::from(width),
            Type::Brain => 16,
            Type::Halves | Type::Brains => 32,
            Type::Predicate => 1,
            Type::Texture | Type::Sampler | Type::Surface => 64,
        }
    }

    /// Bytes of a value in memory; 0 for a predicate.
    pub fn bytes(self) -> u64 {
        u64::from(self.width() / 8)
    }

    /// Whether registers of that type are moved and chosen between; halves are as bits.
    pub(super) fn is_moved(self) -> bool {
        let typed = matches!(self, Type::Unsigned(16..) | Type::Signed(16..) | Type::Float(32..));
        typed || matches!(self, Type::Bits(16..=64))
    }
}

/// A value of a lane, as a type of Rust.
pub(crate) trait Word: Copy + 'static {
    /// The value of the low bits of `bits`.
    fn of(bits: u64) -> Self;
    /// Its bits, zero-extended.
    fn bits(self) -> u64;
}

macro_rules! words {
    ($($word:ty as $unsigned:ty),*) => { $(
        impl Word for $word {
            #[inline]
            fn of(bits: u64) -> Self {
                bits as $word
            }

            #[inline]
            fn bits(self) -> u64 {
                u64::from(self as $unsigned)
            }
        }
    )* };
}

words!(u8 as u8, u16 as u16, u32 as u32, u64 as u64, i8 as u8, i16 as u16, i32 as u32, i64 as u64);

/// NaN as f32 arithmetic gives it (PTX ISA, "Floating Point Instructions").
pub(super) const NAN32: u32 = 0x7fff_ffff;

/// NaN as f64 arithmetic gives it here: PTX leaves its payload open.
pub(super) const NAN64: u64 = 0x7ff8_0000_0000_0000;

impl Word for f32 {
    #[inline]
    fn of(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }

    #[inline]
    fn bits(self) -> u64 {
        u64::from(if self.is_nan() { NAN32 } else { self.to_bits() })
    }
}

impl Word for f64 {
    #[inline]
    fn of(bits: u64) -> Self {
        f64::from_bits(bits)
    }

    #[inline]
    fn bits(self) -> u64 {
        if self.is_nan() {
            NAN64
        } else {
            self.to_bits()
        }
    }
}

/// `$body` with `$word` the type of Rust for the integer type `$ty`, if it is one of those listed.
macro_rules! integers {
    ($ty:expr, [$($bits:tt)*], $word:ident => $body:expr) => {
        integers!(@arms $ty, $word, $body, [] $($bits)*)
    };
    (@arms $ty:expr, $word:ident, $body:expr, [$($arms:tt)*]) => {
        match $ty { $($arms)* _ => None }
    };
    (@arms $ty:expr, $word:ident, $body:expr, [$($arms:tt)*] $name:ident $($rest:tt)*) => {
        integers!(@arms $ty, $word, $body, [
            $($arms)* t if t == $crate::semantics::types::named::$name => { type $word = $name; Some($body) }
        ] $($rest)*)
    };
}
pub(super) use integers;

/// The PTX types of Rust's integers.
#[allow(non_upper_case_globals)]
pub(super) mod named {
    use crate::ast::Type;

    pub const u16: Type = Type::Unsigned(16);
    pub const u32: Type = Type::Unsigned(32);
    pub const u64: Type = Type::Unsigned(64);
    pub const i16: Type = Type::Signed(16);
    pub const i32: Type = Type::Signed(32);
    pub const i64: Type = Type::Signed(64);
}
