//! The macro that declares a hardware module.
//!
//! rust-hdl's derived `Block` evaluates every block of a design in every pass and needs several
//! passes to settle. [`hdl_module!`](crate::hdl_module) derives an *ordered, lazy* one from the
//! declaration itself: inputs latch first, children follow, the module settles locally, and a
//! module none of whose inputs changed returns at once. On a rising clock edge children only
//! capture; what they stored propagates in the next pass, so every register samples what was there
//! before the edge. A module whose last edge stored nothing, and that has not evaluated since, is
//! passed by. A falling edge goes no further than to modules that are evaluated anyway.

mod evaluate;

/// Declares a hardware module: its struct, its constructor, and the ordered, lazy `Block`.
///
/// ```text
/// hdl_module! {
///     /// What it is.
///     pub struct Name (smxs: usize, limit: u64) clocked {
///         inputs { a: Signal<In, Mask> = Signal::mask(smxs), t: Signal<In, U<8>> => Self::times }
///         outputs { b: Vec<Signal<Out, U<8>>> = Signal::each(smxs, U::new(0)) }
///         locals { c: Signal<Local, Bit> }
///         constants { most: Constant<U<8>> = Constant::new(U::new(limit)) }
///         children { r: Vec<Register<U<8>>> = (0..smxs).map(|_| Register::fresh()).collect() }
///         state { smxs: usize = smxs }
///         properties { properties::of }
///     }
/// }
/// ```
///
/// Parentheses list constructor parameters; without them the module is also
/// [`Fresh`](crate::module::Fresh). What has no width of its own (masks, words, rows of signals or
/// modules) says what it starts as; all else is `Fresh`. Ports that several modules pass on
/// together are declared once, by [`port_bundle!`](macro@crate::port_bundle), and stand in a
/// section `bundles` before the inputs. An input `=> Self::times` counts only while that function
/// of the module says so (see [`crate::condition`]). `state` holds plain fields: the ends of a
/// kernel's loops. `properties` names the function that states what the module promises (see
/// [`crate::property`]). A module that is generic over a type puts its parameters, and the
/// arguments that name them, into two brackets behind its name:
/// `Register [T: Value] [T] (zero: T)`. The kind is
///
/// * `clocked`: has a `control` input; its logic is an `#[hdl_gen]` kernel over children;
/// * `combinational`: the same without clock;
/// * `clocked_primitive`, `combinational_primitive`: no children; its logic is Rust beside
///   hand-written Verilog. A clocked one states what it stores: it is
///   [`Stores`](crate::storage::Stores).
#[macro_export]
macro_rules! hdl_module {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $([$($generics:tt)*] [$($arguments:tt)*])?
        $(($($parameter:ident: $parameter_type:ty),* $(,)?))?
        $kind:ident {
            $(bundles { $($bundle:ident: $bundle_type:ty $(= $bundle_init:expr)?),* $(,)? })?
            inputs {
                $($(#[$input_meta:meta])* $input:ident: $input_type:ty
                    $(= $input_init:expr)? $(=> $condition:path)?),* $(,)?
            }
            outputs { $($(#[$output_meta:meta])* $output:ident: $output_type:ty $(= $output_init:expr)?),* $(,)? }
            $(locals { $($(#[$local_meta:meta])* $local:ident: $local_type:ty $(= $local_init:expr)?),* $(,)? })?
            $(constants { $($(#[$constant_meta:meta])* $constant:ident: $constant_type:ty $(= $constant_init:expr)?),* $(,)? })?
            $(children { $($(#[$child_meta:meta])* $child:ident: $child_type:ty $(= $child_init:expr)?),* $(,)? })?
            $(state { $($(#[$state_meta:meta])* $state:ident: $state_type:ty = $state_init:expr),* $(,)? })?
            $(properties { $properties:path })?
        }
    ) => {
        $crate::hdl_struct! { $kind
            $(#[$meta])*
            $vis struct $name [$($($generics)*)?] {
                $($(
                    #[doc = concat!("See [`", stringify!($bundle_type), "`].")]
                    pub $bundle: $bundle_type,
                )*)?
                $($(#[$input_meta])* pub $input: $input_type,)*
                $($(#[$output_meta])* pub $output: $output_type,)*
                $($($(#[$local_meta])* $local: $local_type,)*)?
                $($($(#[$constant_meta])* $constant: $constant_type,)*)?
                $($($(#[$child_meta])* $child: $child_type,)*)?
                $($($(#[$state_meta])* $state: $state_type,)*)?
                live: bool,
                stirred: bool,
                dirty: bool,
                calm: bool,
                touched: $crate::changes::Touched,
            }
        }

        impl<$($($generics)*)?> $name<$($($arguments)*)?> {
            /// A new module; hold its reset for a cycle before use.
            #[allow(clippy::new_without_default)]
            $vis fn new($($($parameter: $parameter_type),*)?) -> Self {
                $crate::hdl_construct! { $kind {
                    $($($bundle: $crate::hdl_initial!($($bundle_init)?),)*)?
                    $($input: $crate::hdl_initial!($($input_init)?),)*
                    $($output: $crate::hdl_initial!($($output_init)?),)*
                    $($($local: $crate::hdl_initial!($($local_init)?),)*)?
                    $($($constant: $crate::hdl_initial!($($constant_init)?),)*)?
                    $($($state: $state_init,)*)?
                    $($($child: $crate::hdl_initial!($($child_init)?),)*)?
                    live: true,
                    stirred: false,
                    dirty: false,
                    calm: false,
                    touched: Default::default(),
                }}
            }
        }

        $crate::hdl_fresh! { [$($($generics)*)?] $name [$($($arguments)*)?] $(($($parameter)*))? }

        impl<$($($generics)*)?> $crate::module::Module for $name<$($($arguments)*)?> {
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
                $($($crate::port_bundle::PortBundle::scramble(&mut self.$bundle, source);)*)?
                $($crate::module::InputPort::scramble(&mut self.$input, source);)*
            }
            fn drive(&mut self, port: &str, source: &mut $crate::module::BitSource) -> bool {
                match port {
                    $(stringify!($input) => {
                        $crate::module::InputPort::scramble(&mut self.$input, source);
                        true
                    })*
                    _ => false
                        $($(|| $crate::port_bundle::PortBundle::drive(&mut self.$bundle, port, source))*)?,
                }
            }
            fn assume(&mut self, port: &str, source: &mut $crate::module::BitSource) -> bool {
                match port {
                    $(stringify!($output) => {
                        $crate::module::Port::assume(&mut self.$output, source);
                        true
                    })*
                    _ => false
                        $($(|| $crate::port_bundle::PortBundle::assume(&mut self.$bundle, port, source))*)?,
                }
            }
            fn as_block(&self) -> &dyn ::rust_hdl::prelude::Block {
                self
            }
            #[inline]
            fn has_news(&self) -> bool {
                self.dirty & !(self.live | self.stirred)
            }
            #[inline]
            fn update_stirred(&mut self) {
                if self.live | self.stirred {
                    $crate::hdl_update_stirred!($kind self);
                }
            }
            #[inline]
            fn capture(&mut self) -> bool {
                #[allow(unused_imports)]
                use $crate::module::{Child as _, Port as _};
                $crate::hdl_capture! {
                    $kind self [$($($child)*)?] [$($output)*]
                }
            }
        }

        impl<$($($generics)*)?> $name<$($($arguments)*)?> {
            /// What an edge, or inputs that are `driven` to other values, do to it. By itself, so
            /// that parents look at the inputs of small modules without a call.
            #[inline(never)]
            fn evaluate(&mut self, edge: bool, driven: bool) {
                #[allow(unused_imports)]
                use $crate::module::{Child as _, Port as _};
                let shows = $crate::hdl_settle! { $kind self edge driven [$($($child)*)?] };
                (self.live, self.stirred, self.calm) = (false, false, false);
                self.dirty = shows && (false
                    $($(| $crate::port_bundle::PortBundle::publish(&mut self.$bundle))*)?
                    $(| self.$output.latch())*);
                self.touched.mark(self.dirty);
            }
        }

        impl<$($($generics)*)?> $crate::storage::Declared for $name<$($($arguments)*)?> {
            fn kind(&self) -> &'static str {
                concat!(module_path!(), "::", stringify!($name))
            }
            fn parts(&self, _see: &mut $crate::storage::PartVisitor) {
                $($($crate::storage::Part::show(&self.$child, stringify!($child), _see);)*)?
            }
            fn storage(&self) -> Vec<$crate::storage::Storage> {
                $crate::hdl_storage!($kind self)
            }
            fn conditional(&self) -> Vec<&'static str> {
                #[allow(unused_mut)]
                let mut names = Vec::new();
                $($({
                    let _ = $condition;
                    names.push(stringify!($input));
                })?)*
                names
            }
            $(fn properties(&self) -> $crate::property::Properties {
                $properties(self)
            })?
        }

        impl<$($($generics)*)?> $crate::changes::Watched for $name<$($($arguments)*)?> {
            fn watch(&self, _look: &mut $crate::changes::Look) {
                _look.module(&self.touched, |_look| {
                    $crate::hdl_control!($kind { self.control.watch(_look) });
                    $($(self.$bundle.watch(_look);)*)?
                    $(self.$input.watch(_look);)*
                    $(self.$output.watch(_look);)*
                    $($(self.$local.watch(_look);)*)?
                    $($(self.$constant.watch(_look);)*)?
                    $($(self.$child.watch(_look);)*)?
                });
            }
        }

        impl<$($($generics)*)?> ::rust_hdl::prelude::Block for $name<$($($arguments)*)?> {
            fn connect_all(&mut self) {
                ::rust_hdl::prelude::Logic::connect(self);
                $($(self.$bundle.connect_all();)*)?
                $(self.$input.connect_all();)*
                $(self.$output.connect_all();)*
                $($(self.$local.connect_all();)*)?
                $($(self.$child.connect_all();)*)?
            }

            #[inline]
            fn update_all(&mut self) {
                #[allow(unused_imports)]
                use $crate::module::Port as _;
                let (edge, reset) = $crate::hdl_latch_control!($kind self);
                let driven = reset
                    $($(| $crate::port_bundle::PortBundle::latch(&mut self.$bundle))*)?
                    $(| $crate::hdl_latch_input!(self $input $($condition)?))*;
                if edge | driven | self.live | self.stirred {
                    self.evaluate(edge, driven);
                } else {
                    self.dirty = false;
                }
            }

            #[inline]
            fn has_changed(&self) -> bool {
                self.dirty
            }

            fn accept(&self, name: &str, probe: &mut dyn ::rust_hdl::prelude::probe::Probe) {
                probe.visit_start_scope(name, self);
                $crate::hdl_control!($kind { self.control.accept("control", probe) });
                $($(self.$bundle.accept(stringify!($bundle), probe);)*)?
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
    ($kind:ident { $($fields:tt)* }) => { Self { control: $crate::control::Control::new(), $($fields)* } };
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

/// Latches an input: whether a change of it counts.
#[doc(hidden)]
#[macro_export]
macro_rules! hdl_latch_input {
    ($self:ident $input:ident) => {
        $self.$input.latch()
    };
    ($self:ident $input:ident $condition:path) => {
        ($self.$input.latch() && $crate::condition::counts($condition($self)))
    };
}

/// What a module stores beside its children: only clocked primitives do.
#[doc(hidden)]
#[macro_export]
macro_rules! hdl_storage {
    (clocked_primitive $self:ident) => {
        $crate::storage::Stores::stores($self)
    };
    ($kind:ident $self:ident) => {
        Vec::new()
    };
}
