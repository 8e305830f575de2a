//! What a signal may carry.

use crate::module::BitSource;
use crate::word::U;
use rust_hdl::core::ast::VerilogLiteral;
use rust_hdl::core::type_descriptor::{TypeDescriptor, TypeField, TypeKind};
use rust_hdl::prelude::{Bit, Bits, Clock, Synth, VCDValue};
use std::fmt::Debug;

/// A value that knows its own width. A signal keeps the width of its first value: whoever assigns
/// to it gives one as wide.
///
/// [`Record`](crate::prelude::Record) derives it for a struct of values.
pub trait Value: Copy + PartialEq + Debug + 'static {
    /// How many bits it has.
    fn width(&self) -> usize;

    /// A value of the same width, all bits zero.
    fn zeros(&self) -> Self;

    /// Bit `place`, counted from the least significant.
    ///
    /// # Panics
    /// When it has no such bit.
    fn bit(&self, place: usize) -> bool;

    /// Its type as rust-hdl's dumps know it.
    fn shape(&self) -> TypeDescriptor;

    /// Its bits as rust-hdl's dumps know them.
    fn dump(&self) -> VCDValue;

    /// Calls `see` with the bits of each field that has any, in the order of [`Self::shape`], behind
    /// the place of the lowest of these bits in the field and how many they are: a field of more
    /// than 64 bits comes in several calls, of which the one at place 0 is the first.
    fn fields(&self, see: &mut impl FnMut(usize, usize, u64));

    /// A value of the same width with bits from `source`.
    fn like(&self, source: &mut BitSource) -> Self;

    /// What an input of a child, which holds `before`, gets from the one that it is linked to,
    /// which holds this.
    #[inline(always)]
    fn linked(self, before: Self) -> Self {
        let _ = before;
        self
    }

    /// Its bits as a Verilog literal.
    fn literal(&self) -> VerilogLiteral {
        literal(self.width(), &|place| self.bit(place))
    }
}

impl Value for Bit {
    #[inline(always)]
    fn width(&self) -> usize {
        1
    }
    #[inline(always)]
    fn zeros(&self) -> Self {
        false
    }
    fn bit(&self, place: usize) -> bool {
        assert_eq!(place, 0, "a bit has one bit");
        *self
    }
    fn shape(&self) -> TypeDescriptor {
        Bit::descriptor()
    }
    fn dump(&self) -> VCDValue {
        self.vcd()
    }
    #[inline(always)]
    fn fields(&self, see: &mut impl FnMut(usize, usize, u64)) {
        see(0, 1, u64::from(*self));
    }
    fn like(&self, source: &mut BitSource) -> Self {
        source(1) != 0
    }
}

impl Value for Clock {
    #[inline(always)]
    fn width(&self) -> usize {
        1
    }
    #[inline(always)]
    fn zeros(&self) -> Self {
        Self { clk: false }
    }
    fn bit(&self, place: usize) -> bool {
        self.clk.bit(place)
    }
    fn shape(&self) -> TypeDescriptor {
        Clock::descriptor()
    }
    fn dump(&self) -> VCDValue {
        self.vcd()
    }
    fn fields(&self, see: &mut impl FnMut(usize, usize, u64)) {
        see(0, 1, u64::from(self.clk));
    }
    /// Falling edges alone: rising ones go by `Module::capture`, which passes by what stands still.
    /// A clock that stayed low there must not rise later, together with inputs that are driven
    /// then.
    #[inline(always)]
    fn linked(self, before: Self) -> Self {
        Self { clk: before.clk & self.clk }
    }
    fn like(&self, source: &mut BitSource) -> Self {
        Self { clk: source(1) != 0 }
    }
}

impl<const N: usize> Value for U<N> {
    #[inline(always)]
    fn width(&self) -> usize {
        N
    }
    #[inline(always)]
    fn zeros(&self) -> Self {
        U::wrap(0)
    }
    fn bit(&self, place: usize) -> bool {
        self.get_bit(place)
    }
    fn shape(&self) -> TypeDescriptor {
        word_shape(N)
    }
    fn dump(&self) -> VCDValue {
        word_dump(N, |place| self.get_bit(place))
    }
    #[inline(always)]
    fn fields(&self, see: &mut impl FnMut(usize, usize, u64)) {
        if N > 0 {
            see(0, N, self.raw());
        }
    }
    fn like(&self, source: &mut BitSource) -> Self {
        U::wrap(source(N))
    }
}

/// Values side by side, the first one lowest; a dump calls them `k0`, `k1`, ...
impl<T: Value, const K: usize> Value for [T; K] {
    #[inline(always)]
    fn width(&self) -> usize {
        self.iter().map(T::width).sum()
    }
    #[inline(always)]
    fn zeros(&self) -> Self {
        self.map(|value| value.zeros())
    }
    fn bit(&self, place: usize) -> bool {
        let width = self[0].width();
        self[place / width].bit(place % width)
    }
    fn shape(&self) -> TypeDescriptor {
        let names: Vec<String> = (0..K).map(|place| format!("k{place}")).collect();
        let fields = names.iter().map(String::as_str).zip(self.iter().map(T::shape));
        record_shape(&format!("[{}; {K}]", self[0].shape().name), fields.collect())
    }
    fn dump(&self) -> VCDValue {
        VCDValue::Composite(self.iter().map(|value| Box::new(value.dump())).collect())
    }
    #[inline]
    fn fields(&self, see: &mut impl FnMut(usize, usize, u64)) {
        self.iter().for_each(|value| value.fields(see));
    }
    fn like(&self, source: &mut BitSource) -> Self {
        self.map(|value| value.like(source))
    }
}

/// The type of a word of `width` bits.
pub(crate) fn word_shape(width: usize) -> TypeDescriptor {
    TypeDescriptor { name: format!("Bits::<{width}>"), kind: TypeKind::Bits(width) }
}

/// The type of a record of these fields, the lowest first.
#[doc(hidden)]
pub fn record_shape(name: &str, fields: Vec<(&str, TypeDescriptor)>) -> TypeDescriptor {
    let field = |(name, kind): (&str, _)| Box::new(TypeField { fieldname: name.to_owned(), kind });
    let kind = TypeKind::Composite(fields.into_iter().map(field).collect());
    TypeDescriptor { name: name.to_owned(), kind }
}

/// A word of `width` bits in a dump.
pub(crate) fn word_dump(width: usize, bit: impl Fn(usize) -> bool) -> VCDValue {
    let (VCDValue::Single(zero), VCDValue::Single(one)) =
        (VCDValue::from(false), VCDValue::from(true))
    else {
        unreachable!("a bit is a single value");
    };
    let value = |place| if bit(place) { one } else { zero };
    match width {
        1 => VCDValue::Single(value(0)),
        _ => VCDValue::Vector((0..width).rev().map(value).collect()),
    }
}

/// rust-hdl makes literals of types of a fixed width alone: here is one maker for each width.
///
/// # Panics
/// When the width is zero or above 320.
fn literal(width: usize, bit: &dyn Fn(usize) -> bool) -> VerilogLiteral {
    type Make = fn(&dyn Fn(usize) -> bool) -> VerilogLiteral;
    macro_rules! makers {
        ($($tens:literal)*) => {
            [$(
                make::<{ $tens + 1 }>, make::<{ $tens + 2 }>, make::<{ $tens + 3 }>, make::<{ $tens + 4 }>,
                make::<{ $tens + 5 }>, make::<{ $tens + 6 }>, make::<{ $tens + 7 }>, make::<{ $tens + 8 }>,
                make::<{ $tens + 9 }>, make::<{ $tens + 10 }>,
            )*]
        };
    }
    static MAKERS: [Make; 320] = makers! {
        0 10 20 30 40 50 60 70 80 90 100 110 120 130 140 150
        160 170 180 190 200 210 220 230 240 250 260 270 280 290 300 310
    };
    MAKERS[width - 1](bit)
}

fn make<const N: usize>(bit: &dyn Fn(usize) -> bool) -> VerilogLiteral {
    (0..N).fold(Bits::<N>::default(), |bits, place| bits.replace_bit(place, bit(place))).into()
}
