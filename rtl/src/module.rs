//! What every hardware module of the workbench is, and the macro that declares one.
//!
//! rust-hdl's derived `Block` evaluates every block of a design in every pass and needs several
//! passes to settle. [`hdl_module!`](crate::hdl_module) derives an *ordered, lazy* one from the
//! declaration itself: inputs latch first, children follow, the module settles locally, and a
//! module none of whose inputs changed returns at once. On a rising clock edge children only capture;
//! what they stored propagates in the next pass, so every register samples what was there before
//! the edge. A falling edge goes no further than to modules that are evaluated anyway.

use crate::word::{Lit, U};
use rust_hdl::prelude::*;
use std::array;

/// Random bits: called with a number of bits (1 to 64), returns a value below `2^bits`.
pub type BitSource<'a> = dyn FnMut(usize) -> u64 + 'a;

/// A signal type that random stimulus can fill.
pub trait FromBits: Synth {
    /// A value of random bits.
    fn from_bits(source: &mut BitSource) -> Self;
}

impl FromBits for Bit {
    fn from_bits(source: &mut BitSource) -> Self {
        source(1) != 0
    }
}

impl<const N: usize> FromBits for U<N> {
    fn from_bits(source: &mut BitSource) -> Self {
        U::wrap(source(N))
    }
}

/// Implements [`FromBits`] for a `LogicStruct` from the list of its fields.
#[macro_export]
macro_rules! from_bits {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::module::FromBits for $name {
            fn from_bits(source: &mut $crate::module::BitSource) -> Self {
                Self { $($field: $crate::module::FromBits::from_bits(source)),* }
            }
        }
    };
}

/// An input port, or an array of them.
pub trait InputPort {
    /// Drives bits from a source.
    fn scramble(&mut self, source: &mut BitSource);
}

impl<T: FromBits> InputPort for Signal<In, T> {
    fn scramble(&mut self, source: &mut BitSource) {
        self.next = T::from_bits(source);
    }
}

impl<P: InputPort, const K: usize> InputPort for [P; K] {
    fn scramble(&mut self, source: &mut BitSource) {
        self.iter_mut().for_each(|port| port.scramble(source));
    }
}

/// Something a module is made of that can be built without parameters.
pub trait Fresh {
    /// A new one, in its initial state.
    fn fresh() -> Self;
}

impl<D: rust_hdl::core::direction::Direction, T: Synth> Fresh for Signal<D, T> {
    fn fresh() -> Self {
        Self::default()
    }
}

impl<const W: usize, const V: u64> Fresh for Lit<W, V> {
    fn fresh() -> Self {
        Self
    }
}

impl<T: Synth> Fresh for Constant<T> {
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
pub trait Module: Block {
    /// Drives the clock input, if the module has one.
    fn drive_clock(&mut self, level: bool);

    /// Drives the reset input, if the module has one.
    fn drive_reset(&mut self, level: bool);

    /// Drives every input but clock and reset with random bits.
    fn scramble(&mut self, source: &mut BitSource);

    /// Drives one input, named as in its declaration, with bits from `source`: the words of an
    /// array in order, the fields of a struct in order. Returns whether there is such an input.
    fn drive(&mut self, port: &str, source: &mut BitSource) -> bool;

    /// The module as the `Block` that rust-hdl's probes and exporter take.
    fn as_block(&self) -> &dyn Block;
}

/// A child of a module: one module or an array of them.
pub trait Child: Block {
    /// Passes the clock level on.
    fn pass_clock(&mut self, level: bool);
}

impl<M: Module> Child for M {
    #[inline]
    fn pass_clock(&mut self, level: bool) {
        self.drive_clock(level);
    }
}

impl<M: Module, const K: usize> Child for [M; K] {
    #[inline]
    fn pass_clock(&mut self, level: bool) {
        self.iter_mut().for_each(|module| module.drive_clock(level));
    }
}

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
    module.drive_clock(true);
    module.update_all();
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

/// Declares a hardware module: its struct, its constructor, and the ordered, lazy `Block`.
///
/// ```text
/// hdl_module! {
///     /// What it is.
///     pub struct Name [const N: usize] [N] (limit: u64) clocked {
///         inputs { a: Signal<In, U<N>> }
///         outputs { b: Signal<Out, U<N>> }
///         locals { c: Signal<Local, U<N>> }
///         constants { most: Constant<U<8>> = Constant::new(U::new(limit)) }
///         children { r: Register<U<N>> }
///     }
/// }
/// ```
///
/// The two brackets are the generic parameters and the arguments that name them. Parentheses list
/// constructor parameters; without them the module is also [`Fresh`]. The kind is
///
/// * `clocked`: has a `control` input; its logic is an `#[hdl_gen]` kernel over children;
/// * `combinational`: the same without clock;
/// * `clocked_primitive`, `combinational_primitive`: no children; its logic is Rust beside
///   hand-written Verilog, and `state { .. }` may hold plain fields.
#[macro_export]
macro_rules! hdl_module {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident [$($generics:tt)*] [$($arguments:tt)*]
        $(($($parameter:ident: $parameter_type:ty),* $(,)?))?
        $kind:ident {
            inputs { $($(#[$input_meta:meta])* $input:ident: $input_type:ty),* $(,)? }
            outputs { $($(#[$output_meta:meta])* $output:ident: $output_type:ty),* $(,)? }
            $(locals { $($(#[$local_meta:meta])* $local:ident: $local_type:ty),* $(,)? })?
            $(constants { $($(#[$constant_meta:meta])* $constant:ident: $constant_type:ty $(= $constant_init:expr)?),* $(,)? })?
            $(children { $($(#[$child_meta:meta])* $child:ident: $child_type:ty $(= $child_init:expr)?),* $(,)? })?
            $(state { $($(#[$state_meta:meta])* $state:ident: $state_type:ty = $state_init:expr),* $(,)? })?
        }
    ) => {
        $crate::hdl_struct! { $kind
            $(#[$meta])*
            $vis struct $name [$($generics)*] {
                $($(#[$input_meta])* pub $input: $input_type,)*
                $($(#[$output_meta])* pub $output: $output_type,)*
                $($($(#[$local_meta])* $local: $local_type,)*)?
                $($($(#[$constant_meta])* $constant: $constant_type,)*)?
                $($($(#[$child_meta])* $child: $child_type,)*)?
                $($($(#[$state_meta])* $state: $state_type,)*)?
                live: bool,
                dirty: bool,
            }
        }

        impl<$($generics)*> $name<$($arguments)*> {
            /// A new module; hold its reset for a cycle before use.
            #[allow(clippy::new_without_default)]
            $vis fn new($($($parameter: $parameter_type),*)?) -> Self {
                $crate::hdl_construct! { $kind {
                    $($input: $crate::module::Fresh::fresh(),)*
                    $($output: $crate::module::Fresh::fresh(),)*
                    $($($local: $crate::module::Fresh::fresh(),)*)?
                    $($($constant: $crate::hdl_initial!($($constant_init)?),)*)?
                    $($($child: $crate::hdl_initial!($($child_init)?),)*)?
                    $($($state: $state_init,)*)?
                    live: true,
                    dirty: false,
                }}
            }
        }

        $crate::hdl_fresh! { [$($generics)*] $name [$($arguments)*] $(($($parameter)*))? }

        impl<$($generics)*> $crate::module::Module for $name<$($arguments)*> {
            #[inline]
            fn drive_clock(&mut self, level: bool) {
                $crate::hdl_control!($kind { $crate::module::drive(&mut self.control.clock, level) });
                let _ = level;
            }
            fn drive_reset(&mut self, level: bool) {
                $crate::hdl_control!($kind { self.control.reset.next = level });
                let _ = level;
            }
            fn scramble(&mut self, source: &mut $crate::module::BitSource) {
                $($crate::module::InputPort::scramble(&mut self.$input, source);)*
            }
            fn drive(&mut self, port: &str, source: &mut $crate::module::BitSource) -> bool {
                match port {
                    $(stringify!($input) => $crate::module::InputPort::scramble(&mut self.$input, source),)*
                    _ => return false,
                }
                true
            }
            fn as_block(&self) -> &dyn ::rust_hdl::prelude::Block {
                self
            }
        }

        impl<$($generics)*> ::rust_hdl::prelude::Block for $name<$($arguments)*> {
            fn connect_all(&mut self) {
                ::rust_hdl::prelude::Logic::connect(self);
                $(self.$input.connect_all();)*
                $(self.$output.connect_all();)*
                $($(self.$local.connect_all();)*)?
                $($(self.$child.connect_all();)*)?
            }

            #[inline]
            fn update_all(&mut self) {
                #[allow(unused_imports)]
                use $crate::module::Child as _;
                use ::rust_hdl::prelude::Logic as _;
                let (edge, reset) = $crate::hdl_latch_control!($kind self);
                $(self.$input.update_all();)*
                let driven = reset $(| self.$input.has_changed())*;
                if !(edge | driven | self.live) {
                    self.dirty = false;
                    return;
                }
                $crate::hdl_settle! { $kind self edge driven [$($($child)*)?] }
                $(self.$output.update_all();)*
                $($(self.$local.update_all();)*)?
                self.live = false;
                self.dirty = false $(| self.$output.has_changed())*;
            }

            #[inline]
            fn has_changed(&self) -> bool {
                self.dirty
            }

            fn accept(&self, name: &str, probe: &mut dyn ::rust_hdl::prelude::probe::Probe) {
                probe.visit_start_scope(name, self);
                $crate::hdl_control!($kind { self.control.accept("control", probe) });
                $(self.$input.accept(stringify!($input), probe);)*
                $(self.$output.accept(stringify!($output), probe);)*
                $($(self.$local.accept(stringify!($local), probe);)*)?
                $($(self.$constant.accept(stringify!($constant), probe);)*)?
                $($(self.$child.accept(stringify!($child), probe);)*)?
                probe.visit_end_scope(name, self);
            }
        }
    };
}

/// The struct of an [`hdl_module!`]: adds the control input to clocked kinds.
#[doc(hidden)]
#[macro_export]
macro_rules! hdl_struct {
    (combinational $($rest:tt)*) => { $crate::hdl_struct! { @plain $($rest)* } };
    (combinational_primitive $($rest:tt)*) => { $crate::hdl_struct! { @plain $($rest)* } };
    (clocked $($rest:tt)*) => { $crate::hdl_struct! { @control $($rest)* } };
    (clocked_primitive $($rest:tt)*) => { $crate::hdl_struct! { @control $($rest)* } };
    (@plain $(#[$meta:meta])* $vis:vis struct $name:ident [$($generics:tt)*] { $($fields:tt)* }) => {
        $(#[$meta])*
        $vis struct $name<$($generics)*> { $($fields)* }
    };
    (@control $(#[$meta:meta])* $vis:vis struct $name:ident [$($generics:tt)*] { $($fields:tt)* }) => {
        $(#[$meta])*
        $vis struct $name<$($generics)*> {
            /// Clock and synchronous reset.
            pub control: $crate::control::Control,
            $($fields)*
        }
    };
}

/// The constructor's struct expression of an [`hdl_module!`].
#[doc(hidden)]
#[macro_export]
macro_rules! hdl_construct {
    (combinational { $($fields:tt)* }) => { Self { $($fields)* } };
    (combinational_primitive { $($fields:tt)* }) => { Self { $($fields)* } };
    ($kind:ident { $($fields:tt)* }) => { Self { control: Default::default(), $($fields)* } };
}

/// A field's initial value: the one that is stated, or a fresh one.
#[doc(hidden)]
#[macro_export]
macro_rules! hdl_initial {
    () => {
        $crate::module::Fresh::fresh()
    };
    ($init:expr) => {
        $init
    };
}

/// [`Fresh`](crate::module::Fresh) for modules without constructor parameters.
#[doc(hidden)]
#[macro_export]
macro_rules! hdl_fresh {
    ([$($generics:tt)*] $name:ident [$($arguments:tt)*]) => {
        impl<$($generics)*> $crate::module::Fresh for $name<$($arguments)*> {
            fn fresh() -> Self {
                Self::new()
            }
        }
    };
    ([$($generics:tt)*] $name:ident [$($arguments:tt)*] ($($parameter:ident)*)) => {};
}

/// Code for the control input, in the kinds that have one.
#[doc(hidden)]
#[macro_export]
macro_rules! hdl_control {
    (combinational { $($code:tt)* }) => {};
    (combinational_primitive { $($code:tt)* }) => {};
    ($kind:ident { $($code:tt)* }) => { $($code)* };
}

/// Latches the control input: whether the clock and the reset changed.
#[doc(hidden)]
#[macro_export]
macro_rules! hdl_latch_control {
    (combinational $self:ident) => {
        (false, false)
    };
    (combinational_primitive $self:ident) => {
        (false, false)
    };
    ($kind:ident $self:ident) => {{
        $self.control.update_all();
        ($self.control.clock.changed, $self.control.reset.changed)
    }};
}

/// How a module evaluates once its inputs have latched.
#[doc(hidden)]
#[macro_export]
macro_rules! hdl_settle {
    (combinational_primitive $self:ident $edge:ident $driven:ident []) => {
        let _ = ($edge, $driven);
        $self.update();
    };
    (clocked_primitive $self:ident $edge:ident $driven:ident []) => {
        if !($driven | $self.live) && !$self.control.clock.val().clk {
            $self.dirty = false;
            return;
        }
        $self.update();
    };
    (combinational $self:ident $edge:ident $driven:ident [$($child:ident)*]) => {
        let _ = ($edge, $driven);
        $self.update();
        $crate::hdl_settle! { @children $self [$($child)*] }
    };
    (clocked $self:ident $edge:ident $driven:ident [$($child:ident)*]) => {
        if $edge && $self.control.clock.val().clk {
            // Children capture what was settled before the edge; it propagates in the next pass.
            $($self.$child.pass_clock(true);)*
            $($self.$child.update_all();)*
            $self.live |= $driven $(| $self.$child.has_changed())*;
            $self.dirty = $self.live;
            return;
        }
        if !($driven | $self.live) {
            $self.dirty = false;
            return;
        }
        $self.update();
        $crate::hdl_settle! { @children $self [$($child)*] }
    };
    (@children $self:ident [$($child:ident)*]) => {
        let mut passes = 0;
        loop {
            $($self.$child.update_all();)*
            if !(false $(| $self.$child.has_changed())*) {
                break;
            }
            $self.update();
            passes += 1;
            assert!(passes < $crate::module::SETTLE_LIMIT, "combinational loop");
        }
    };
}
