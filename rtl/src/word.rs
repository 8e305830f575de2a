//! Words of up to 64 bits for signals, and constants.
//!
//! rust-hdl's own `Bits<N>` takes 32 bytes for a 32-bit value and goes through big integers for
//! shifts and slices. [`U`] keeps the value in a `u64`. `#[hdl_gen]` works on syntax, so kernels
//! written over `U` translate to the same Verilog. `U` has no operators with `u64`: a literal in an
//! expression would be 32 or 64 bits wide in Verilog and could differ from the simulation, and so
//! it does not compile. Constants are [`Lit`]s of a stated width instead.

use rust_hdl::core::ast::VerilogLiteral;
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::type_descriptor::{TypeDescriptor, TypeKind};
use rust_hdl::prelude::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Sub};

/// An unsigned word of `N` bits, 1 to 64. Arithmetic wraps modulo `2^N`, as hardware does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct U<const N: usize>(u64);

impl<const N: usize> U<N> {
    /// The largest value.
    pub const MASK: u64 = if N >= 64 { u64::MAX } else { (1 << N) - 1 };

    /// A word of this value.
    ///
    /// # Panics
    /// When the value needs more than `N` bits.
    #[inline(always)]
    pub const fn new(value: u64) -> Self {
        assert!(value <= Self::MASK, "value needs more bits than the word has");
        Self(value)
    }

    /// The lowest `N` bits of a value.
    #[inline(always)]
    pub const fn wrap(value: u64) -> Self {
        Self(value & Self::MASK)
    }

    /// The value.
    #[inline(always)]
    pub const fn raw(self) -> u64 {
        self.0
    }

    /// The value as an array index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether any bit is set.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether all bits are set.
    #[inline(always)]
    pub const fn all(self) -> bool {
        self.0 == Self::MASK
    }

    /// Bit `index`, counted from the least significant.
    ///
    /// # Panics
    /// When the word has no such bit.
    #[inline(always)]
    pub const fn get_bit(self, index: usize) -> bool {
        assert!(index < N, "the word has no such bit");
        self.0 >> index & 1 != 0
    }

    /// `M` bits from bit `offset` upwards.
    #[inline(always)]
    pub const fn get_bits<const M: usize>(self, offset: usize) -> U<M> {
        U::wrap(self.0 >> offset)
    }
}

macro_rules! operator {
    ($($operator:ident $method:ident $compute:expr);* $(;)?) => {$(
        impl<const N: usize> $operator for U<N> {
            type Output = U<N>;
            #[inline(always)]
            fn $method(self, right: Self) -> Self {
                let compute: fn(u64, u64) -> u64 = $compute;
                U::wrap(compute(self.0, right.0))
            }
        }
    )*}
}
operator! {
    Add add |a, b| a.wrapping_add(b);
    Sub sub |a, b| a.wrapping_sub(b);
    Mul mul |a, b| a.wrapping_mul(b);
    BitAnd bitand |a, b| a & b;
    BitOr bitor |a, b| a | b;
    BitXor bitxor |a, b| a ^ b;
}

impl<const N: usize> Not for U<N> {
    type Output = U<N>;
    #[inline(always)]
    fn not(self) -> Self {
        U::wrap(!self.0)
    }
}

impl<const N: usize, const M: usize> Shl<U<M>> for U<N> {
    type Output = U<N>;
    #[inline(always)]
    fn shl(self, by: U<M>) -> Self {
        U::wrap(if by.0 < 64 { self.0 << by.0 } else { 0 })
    }
}

impl<const N: usize> From<U<N>> for Bits<N> {
    fn from(word: U<N>) -> Self {
        word.0.into()
    }
}

impl<const N: usize> Synth for U<N> {
    const BITS: usize = N;
    fn descriptor() -> TypeDescriptor {
        TypeDescriptor { name: format!("Bits::<{N}>"), kind: TypeKind::Bits(N) }
    }
    fn vcd(self) -> VCDValue {
        Bits::<N>::from(self).into()
    }
    fn verilog(self) -> VerilogLiteral {
        Bits::<N>::from(self).into()
    }
}

/// A word of `M` bits with the value of one of `N`: zeros above, or the upper bits cut off.
///
/// The name is rust-hdl's, so that `#[hdl_gen]` prints the cast. Put a sum into a local of its own
/// width before casting it: Verilog would keep a carry that Rust has dropped.
#[inline(always)]
pub const fn bit_cast<const M: usize, const N: usize>(word: U<N>) -> U<M> {
    U::wrap(word.raw())
}

/// A constant of `W` bits, printed as a `localparam`: `one: Lit<7, 1>`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lit<const W: usize, const V: u64>;

impl<const W: usize, const V: u64> Lit<W, V> {
    /// The constant.
    #[inline(always)]
    pub const fn val(&self) -> U<W> {
        const { U::<W>::new(V) }
    }
}

impl<const W: usize, const V: u64> Logic for Lit<W, V> {
    fn update(&mut self) {}
}

impl<const W: usize, const V: u64> Block for Lit<W, V> {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn rust_hdl::core::probe::Probe) {
        probe.visit_atom(name, self)
    }
}

impl<const W: usize, const V: u64> Atom for Lit<W, V> {
    fn bits(&self) -> usize {
        W
    }
    fn connected(&self) -> bool {
        true
    }
    fn changed(&self) -> bool {
        false
    }
    fn kind(&self) -> AtomKind {
        AtomKind::Constant
    }
    fn descriptor(&self) -> TypeDescriptor {
        U::<W>::descriptor()
    }
    fn vcd(&self) -> VCDValue {
        self.val().vcd()
    }
    fn id(&self) -> usize {
        0
    }
    fn verilog(&self) -> VerilogLiteral {
        self.val().verilog()
    }
    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}
