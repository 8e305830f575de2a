//! Signals and constants whose width is that of their value.
//!
//! rust-hdl's own `Signal` takes its width from a type. The ones here ask the value, so that a
//! value may carry its width. They have rust-hdl's names, and so `#[hdl_gen]` kernels are written
//! as for its own.

use crate::mask::Mask;
use crate::value::Value;
use crate::word::{Lit, Word};
use rust_hdl::core::ast::{VerilogLink, VerilogLinkDetails, VerilogLiteral};
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::direction::Direction;
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::core::type_descriptor::TypeDescriptor;
use rust_hdl::prelude::{
    Block, Clock, In, Local, Logic, LogicLink, Out, PinConstraint, Probe, VCDValue,
};
use std::marker::PhantomData;

/// A port or a local.
#[derive(Clone, Debug)]
pub struct Signal<D: Direction, T: Value> {
    /// The value that the next pass sees.
    pub next: T,
    val: T,
    id: u32,
    /// The last pass brought another value.
    pub changed: bool,
    claimed: bool,
    present: bool,
    direction: PhantomData<D>,
}

impl<D: Direction, T: Value> Signal<D, T> {
    /// A signal that starts as `value` and is as wide.
    pub fn of(value: T) -> Self {
        Self {
            next: value,
            val: value,
            id: get_signal_id() as u32,
            changed: false,
            claimed: false,
            present: true,
            direction: PhantomData,
        }
    }

    /// A signal that a configuration may do without: no port and nothing in a dump unless it is
    /// `present`.
    pub fn optional(present: bool, value: T) -> Self {
        Self { present, ..Self::of(value) }
    }

    /// Whether the configuration has it.
    pub fn is_present(&self) -> bool {
        self.present
    }

    /// `count` signals that start as `value` and are as wide.
    pub fn each(count: usize, value: T) -> Vec<Self> {
        (0..count).map(|_| Self::of(value)).collect()
    }
}

impl<D: Direction> Signal<D, Mask> {
    /// A mask of one bit for each of `count` things.
    pub fn mask(count: usize) -> Self {
        Self::of(Mask::none(count))
    }
}

impl<D: Direction> Signal<D, Word> {
    /// A word of `bits` bits.
    pub fn word(bits: usize) -> Self {
        Self::of(Word::zero(bits))
    }

    /// The number of one of `count` things; see [`Word::id`].
    pub fn id(count: usize) -> Self {
        Self::of(Word::id(count, 0))
    }
}

impl<T: Value> Signal<In, T> {
    /// The value that is driven.
    #[inline(always)]
    pub fn val(&self) -> T {
        self.val
    }
}

// What a module drives counts at once for the rest of its kernel.
#[allow(clippy::misnamed_getters)]
impl<T: Value> Signal<Out, T> {
    /// The value, as the module drives it.
    #[inline(always)]
    pub fn val(&self) -> T {
        self.next
    }
}

#[allow(clippy::misnamed_getters)]
impl<T: Value> Signal<Local, T> {
    /// The value, as the module drives it.
    #[inline(always)]
    pub fn val(&self) -> T {
        self.next
    }
}

impl Signal<In, Clock> {
    /// The clock rises.
    #[inline(always)]
    pub fn pos_edge(&self) -> bool {
        self.changed && self.val.clk
    }

    /// Lets the clock rise, whatever its level is: falling edges do not travel everywhere.
    #[doc(hidden)]
    #[inline(always)]
    pub fn rise(&mut self) {
        self.next = Clock { clk: true };
        self.val = self.next;
        self.changed = true;
    }
}

/// An input of a child is one of its parent's.
impl<T: Value> LogicLink for Signal<In, T> {
    #[inline(always)]
    fn link(&mut self, other: &mut Self) {
        other.next = self.val().linked(other.val());
    }
    fn link_hdl(name: &str, owner: &str, other: &str) -> Vec<VerilogLink> {
        vec![VerilogLink::Forward(link(name, owner, other))]
    }
    fn link_connect_source(&mut self) {}
    fn link_connect_dest(&mut self) {
        self.connect();
    }
}

/// An output of a child is one of its parent's.
impl<T: Value> LogicLink for Signal<Out, T> {
    #[inline(always)]
    fn link(&mut self, other: &mut Self) {
        self.next = other.val();
    }
    fn link_hdl(name: &str, owner: &str, other: &str) -> Vec<VerilogLink> {
        vec![VerilogLink::Backward(link(name, owner, other))]
    }
    fn link_connect_source(&mut self) {
        self.connect();
    }
    fn link_connect_dest(&mut self) {}
}

fn link(name: &str, owner: &str, other: &str) -> VerilogLinkDetails {
    VerilogLinkDetails { my_name: name.into(), owner_name: owner.into(), other_name: other.into() }
}

impl<D: Direction, T: Value> Logic for Signal<D, T> {
    fn update(&mut self) {}
    fn connect(&mut self) {
        self.claimed = true;
    }
}

impl<D: Direction, T: Value> Block for Signal<D, T> {
    fn connect_all(&mut self) {}
    #[inline(always)]
    fn update_all(&mut self) {
        self.changed = self.val != self.next;
        if self.changed {
            debug_assert_eq!(self.val.width(), self.next.width(), "a signal keeps its width");
            self.val = self.next;
        }
    }
    #[inline(always)]
    fn has_changed(&self) -> bool {
        self.changed
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        if self.present {
            probe.visit_atom(name, self);
        }
    }
}

impl<D: Direction, T: Value> Atom for Signal<D, T> {
    fn bits(&self) -> usize {
        self.next.width()
    }
    fn connected(&self) -> bool {
        self.claimed
    }
    fn changed(&self) -> bool {
        self.changed
    }
    fn kind(&self) -> AtomKind {
        D::KIND
    }
    fn descriptor(&self) -> TypeDescriptor {
        self.next.shape()
    }
    /// In a design that has settled, a signal's next value is its value; locals have no other.
    fn vcd(&self) -> VCDValue {
        self.next.dump()
    }
    fn id(&self) -> usize {
        self.id as usize
    }
    /// Nothing: only a constant's value is printed.
    fn verilog(&self) -> VerilogLiteral {
        false.into()
    }
    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}

/// A constant, printed as a `localparam`.
#[derive(Clone, Copy, Debug)]
pub struct Constant<T: Value> {
    value: T,
    present: bool,
}

impl<T: Value> Constant<T> {
    /// A constant of this value.
    pub fn new(value: T) -> Self {
        Self { value, present: true }
    }

    /// A constant that a configuration may do without; see [`Signal::optional`].
    pub fn optional(present: bool, value: T) -> Self {
        Self { value, present }
    }

    /// The constant.
    #[inline(always)]
    pub fn val(&self) -> T {
        self.value
    }

    /// Whether the configuration has it.
    pub fn is_present(&self) -> bool {
        self.present
    }
}

impl Constant<Word> {
    /// The number of a thing of `count`; see [`Word::id`].
    ///
    /// # Panics
    /// When it needs more bits than such numbers have.
    pub fn id(count: usize, number: usize) -> Self {
        Self::new(Word::id(count, number))
    }

    /// The numbers of all of `count` things; see [`Word::id`].
    pub fn ids(count: usize) -> Vec<Self> {
        (0..count).map(|number| Self::id(count, number)).collect()
    }
}

/// What a constant is to rust-hdl.
macro_rules! constant {
    ($([$($generics:tt)*] $constant:ty),* $(,)?) => {$(
        impl<$($generics)*> Logic for $constant {
            fn update(&mut self) {}
        }

        impl<$($generics)*> Block for $constant {
            fn connect_all(&mut self) {}
            fn update_all(&mut self) {}
            fn has_changed(&self) -> bool {
                false
            }
            fn accept(&self, name: &str, probe: &mut dyn Probe) {
                if self.is_present() {
                    probe.visit_atom(name, self);
                }
            }
        }

        impl<$($generics)*> Atom for $constant {
            fn bits(&self) -> usize {
                self.val().width()
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
                self.val().shape()
            }
            fn vcd(&self) -> VCDValue {
                self.val().dump()
            }
            fn id(&self) -> usize {
                0
            }
            fn verilog(&self) -> VerilogLiteral {
                self.val().literal()
            }
            fn constraints(&self) -> Vec<PinConstraint> {
                vec![]
            }
        }
    )*};
}
constant! { [T: Value] Constant<T>, [const W: usize, const V: u64] Lit<W, V> }
