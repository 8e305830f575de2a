//! What every hardware module of the workbench is, and how one is driven from outside.
//!
//! Modules are declared with [`hdl_module!`](crate::hdl_module).

use crate::changes::Watched;
use crate::storage::Declared;
use crate::value::Value;
use crate::wire::{Constant, Signal};
use crate::word::Lit;
use rust_hdl::core::direction::Direction;
use rust_hdl::prelude::{Block, Clock, In};
use std::array;

/// Random bits: called with a number of bits (1 to 64), returns a value below `2^bits`.
pub type BitSource<'a> = dyn FnMut(usize) -> u64 + 'a;

/// An input port, or several in a row.
pub trait InputPort {
    /// Drives bits from a source.
    fn scramble(&mut self, source: &mut BitSource);
}

impl<T: Value> InputPort for Signal<In, T> {
    fn scramble(&mut self, source: &mut BitSource) {
        if self.is_present() {
            self.next = self.next.like(source);
        }
    }
}

impl<P: InputPort> InputPort for Vec<P> {
    fn scramble(&mut self, source: &mut BitSource) {
        self.iter_mut().for_each(|port| port.scramble(source));
    }
}

impl<P: InputPort, const K: usize> InputPort for [P; K] {
    fn scramble(&mut self, source: &mut BitSource) {
        self.iter_mut().for_each(|port| port.scramble(source));
    }
}

/// A port, or several in a row.
pub trait Port {
    /// Takes the next value for the value; whether it is another one.
    fn latch(&mut self) -> bool;

    /// Has bits from a source for the value, whoever drives it.
    fn assume(&mut self, source: &mut BitSource);
}

impl<D: Direction, T: Value> Port for Signal<D, T> {
    #[inline(always)]
    fn latch(&mut self) -> bool {
        self.update_all();
        self.changed
    }

    fn assume(&mut self, source: &mut BitSource) {
        if self.is_present() {
            self.next = self.next.like(source);
            self.latch();
        }
    }
}

impl<P: Port> Port for Vec<P> {
    #[inline(always)]
    fn latch(&mut self) -> bool {
        self.iter_mut().fold(false, |changed, port| changed | port.latch())
    }

    fn assume(&mut self, source: &mut BitSource) {
        self.iter_mut().for_each(|port| port.assume(source));
    }
}

impl<P: Port, const K: usize> Port for [P; K] {
    #[inline(always)]
    fn latch(&mut self) -> bool {
        self.iter_mut().fold(false, |changed, port| changed | port.latch())
    }

    fn assume(&mut self, source: &mut BitSource) {
        self.iter_mut().for_each(|port| port.assume(source));
    }
}

/// Something a module is made of that can be built without parameters.
pub trait Fresh {
    /// A new one, in its initial state.
    fn fresh() -> Self;
}

impl<D: Direction, T: Value + Default> Fresh for Signal<D, T> {
    fn fresh() -> Self {
        Self::of(T::default())
    }
}

impl<const W: usize, const V: u64> Fresh for Lit<W, V> {
    fn fresh() -> Self {
        Self
    }
}

impl<T: Value + Default> Fresh for Constant<T> {
    fn fresh() -> Self {
        Constant::new(T::default())
    }
}

impl<F: Fresh, const K: usize> Fresh for [F; K] {
    fn fresh() -> Self {
        array::from_fn(|_| F::fresh())
    }
}

/// A hardware module, driven from outside through its public input signals.
pub trait Module: Block + Declared + Watched {
    /// Drives the clock input, if the module has one.
    fn drive_clock(&mut self, level: bool);

    /// Drives the reset input, if the module has one.
    fn drive_reset(&mut self, level: bool);

    /// Drives every input but clock and reset with random bits.
    fn scramble(&mut self, source: &mut BitSource);

    /// Drives one input, named as in its declaration, with bits from `source`: the words of an
    /// array in order, the fields of a struct in order. Returns whether there is such an input.
    fn drive(&mut self, port: &str, source: &mut BitSource) -> bool;

    /// Shows bits from `source` at one output, as [`Module::drive`] drives inputs, until it
    /// evaluates: so it stands for hardware that is elsewhere. Returns whether there is such an
    /// output.
    fn assume(&mut self, _port: &str, _source: &mut BitSource) -> bool {
        false
    }

    /// The module as the `Block` that rust-hdl's probes and exporter take.
    fn as_block(&self) -> &dyn Block;

    /// Whether the last edge has changed its outputs: those of a register it has. Those of a module
    /// in which something was stored may change once it evaluates.
    fn has_news(&self) -> bool {
        self.has_changed()
    }

    /// Evaluates if something was stored further down; for a module whose inputs were not driven
    /// since.
    fn update_stirred(&mut self) {
        self.update_all();
    }

    /// A rising edge, for a module that has settled and whose inputs were not driven since: what a
    /// parent does to its children, and [`clock_edge`] to a whole design. Returns whether anything
    /// was stored or is new; where nothing was, nothing will be at the next edge either, unless the
    /// module evaluates before.
    fn capture(&mut self) -> bool {
        self.drive_clock(true);
        self.update_all();
        true
    }
}

/// A child of a module: one module or several in a row.
pub trait Child: Block {
    /// See [`Module::has_news`].
    fn has_news(&self) -> bool;

    /// See [`Module::update_stirred`].
    fn update_stirred(&mut self);

    /// See [`Module::capture`].
    fn capture(&mut self) -> bool;
}

impl<M: Module> Child for M {
    #[inline]
    fn has_news(&self) -> bool {
        Module::has_news(self)
    }

    #[inline]
    fn update_stirred(&mut self) {
        Module::update_stirred(self);
    }

    #[inline]
    fn capture(&mut self) -> bool {
        Module::capture(self)
    }
}

/// A row of modules is a child as each of them is.
macro_rules! rows {
    ($([$($generic:tt)*] $row:ty),*) => {$(
        impl<M: Module $($generic)*> Child for $row {
            #[inline]
            fn has_news(&self) -> bool {
                self.iter().any(|module| Module::has_news(module))
            }

            #[inline]
            fn update_stirred(&mut self) {
                self.iter_mut().for_each(|module| Module::update_stirred(module));
            }

            #[inline]
            fn capture(&mut self) -> bool {
                self.iter_mut().fold(false, |stored, module| stored | Module::capture(module))
            }
        }
    )*};
}

rows! { [] Vec<M>, [, const K: usize] [M; K] }

/// Passes after which a module that still changes is a combinational loop.
pub const SETTLE_LIMIT: usize = 1000;

/// Settles a module on the inputs driven since the last call.
///
/// # Panics
/// When it does not settle: the design has a combinational loop.
pub fn settle<M: Module + ?Sized>(module: &mut M) {
    for _ in 0..SETTLE_LIMIT {
        module.update_all();
        if !module.has_changed() {
            return;
        }
    }
    panic!("the design does not settle: it has a combinational loop");
}

/// Ends a clock cycle: the rising edge stores what the settled inputs decided.
///
/// The falling edge goes together with the next cycle's inputs; call [`settle`] after driving them.
#[inline]
pub fn clock_edge<M: Module + ?Sized>(module: &mut M) {
    module.capture();
    module.drive_clock(false);
}

/// Drives a clock input. A falling edge does not travel to modules that have nothing else to do, so
/// a clock that is still high goes low first: the rising edge that follows is one.
#[doc(hidden)]
#[inline]
pub fn drive(clock: &mut Signal<In, Clock>, level: bool) {
    if level && clock.val().clk {
        clock.next = Clock { clk: false };
        clock.update_all();
    }
    clock.next = Clock { clk: level };
}
