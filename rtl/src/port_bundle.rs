//! Ports that go together, declared once and linked in one line.

use crate::changes::Watched;
use crate::module::BitSource;
use rust_hdl::core::ast::{VerilogLink, VerilogLinkDetails};
use rust_hdl::prelude::Block;

/// A group of ports, as [`port_bundle!`](macro@crate::port_bundle) declares it.
pub trait PortBundle: Block + Watched {
    /// Takes over what drives the inputs: whether one has another value now.
    fn latch(&mut self) -> bool;

    /// Lets the outside see the outputs: whether one has another value now.
    fn publish(&mut self) -> bool;

    /// Drives every input with random bits.
    fn scramble(&mut self, source: &mut BitSource);

    /// Drives one input; see [`Module::drive`](crate::module::Module::drive).
    fn drive(&mut self, port: &str, source: &mut BitSource) -> bool;

    /// Shows bits at one output; see [`Module::assume`](crate::module::Module::assume).
    fn assume(&mut self, port: &str, source: &mut BitSource) -> bool;
}

/// The link of a row of inputs. Links are made without a look at the design and do not know how
/// many ports a row has: `$*` stands for the number of each of them.
#[doc(hidden)]
pub fn link_row(name: &str, row: &str, this: &str, that: &str) -> VerilogLink {
    VerilogLink::Forward(row_ends(name, row, this, that))
}

/// The same of a row of outputs.
#[doc(hidden)]
pub fn link_output_row(name: &str, row: &str, this: &str, that: &str) -> VerilogLink {
    VerilogLink::Backward(row_ends(name, row, this, that))
}

fn row_ends(name: &str, row: &str, this: &str, that: &str) -> VerilogLinkDetails {
    VerilogLinkDetails {
        my_name: format!("{name}.{row}$*"),
        owner_name: this.to_owned(),
        other_name: that.to_owned(),
    }
}

/// Declares a bundle of ports: its struct, its constructor, and how it is linked to the same bundle
/// of a child.
///
/// ```text
/// port_bundle! {
///     /// What goes together.
///     pub struct LookupPorts {
///         inputs { lookup: Signal<In, Tagged> }
///         outputs { context_valid: Signal<Out, Bit>, kernel_context: Signal<Out, Context> }
///     }
/// }
/// ```
///
/// A module lists it among its `bundles`, under a name that ends in `_ports`, and passes it on with
/// `LookupPorts::link(&mut self.lookup_ports, &mut self.kernels.lookup_ports)`: its inputs drive
/// the child's, and the child's outputs drive its own. In Verilog and in dumps the ports have their
/// own names alone.
///
/// `rows` has inputs of which there are several, or none: one for each SMX; `output_rows` has such
/// outputs.
#[macro_export]
macro_rules! port_bundle {
    (
        $(#[$meta:meta])*
        pub struct $name:ident $(($($parameter:ident: $parameter_type:ty),* $(,)?))? {
            inputs { $($(#[$input_meta:meta])* $input:ident: Signal<In, $input_type:ty> $(= $input_init:expr)?),* $(,)? }
            $(rows { $($(#[$row_meta:meta])* $row:ident: $row_type:ty = $row_init:expr),* $(,)? })?
            $(outputs { $($(#[$output_meta:meta])* $output:ident: Signal<Out, $output_type:ty> $(= $output_init:expr)?),* $(,)? })?
            $(output_rows { $($(#[$answers_meta:meta])* $answers:ident: $answers_type:ty = $answers_init:expr),* $(,)? })?
        }
    ) => {
        $(#[$meta])*
        pub struct $name {
            $($(#[$input_meta])* pub $input: $crate::wire::Signal<::rust_hdl::prelude::In, $input_type>,)*
            $($($(#[$row_meta])* pub $row: $row_type,)*)?
            $($($(#[$output_meta])* pub $output: $crate::wire::Signal<::rust_hdl::prelude::Out, $output_type>,)*)?
            $($($(#[$answers_meta])* pub $answers: $answers_type,)*)?
        }

        impl $name {
            /// The ports, all zeros.
            #[allow(clippy::new_without_default)]
            pub fn new($($($parameter: $parameter_type),*)?) -> Self {
                Self {
                    $($input: $crate::hdl_initial!($($input_init)?),)*
                    $($($row: $row_init,)*)?
                    $($($output: $crate::hdl_initial!($($output_init)?),)*)?
                    $($($answers: $answers_init,)*)?
                }
            }
        }

        $crate::hdl_fresh! { [] $name [] $(($($parameter)*))? }

        impl ::rust_hdl::prelude::LogicLink for $name {
            #[inline(always)]
            fn link(&mut self, other: &mut Self) {
                $(self.$input.link(&mut other.$input);)*
                $($(self.$row.iter_mut().zip(&mut other.$row).for_each(|(port, other)| port.link(other));)*)?
                $($(self.$output.link(&mut other.$output);)*)?
                $($(self.$answers.iter_mut().zip(&mut other.$answers).for_each(|(port, other)| port.link(other));)*)?
            }
            fn link_hdl(name: &str, this: &str, that: &str) -> Vec<::rust_hdl::core::ast::VerilogLink> {
                let mut links = Vec::new();
                let mut add = |port: &str, link: fn(&str, &str, &str) -> Vec<_>| {
                    links.extend(link(&format!("{name}.{port}"), this, that));
                };
                $(add(
                    stringify!($input),
                    <$crate::wire::Signal<::rust_hdl::prelude::In, $input_type>
                        as ::rust_hdl::prelude::LogicLink>::link_hdl,
                );)*
                $($(add(
                    stringify!($output),
                    <$crate::wire::Signal<::rust_hdl::prelude::Out, $output_type>
                        as ::rust_hdl::prelude::LogicLink>::link_hdl,
                );)*)?
                $($(links.push($crate::port_bundle::link_row(name, stringify!($row), this, that));)*)?
                $($(links.push($crate::port_bundle::link_output_row(name, stringify!($answers), this, that));)*)?
                links
            }
            fn link_connect_source(&mut self) {
                $($(self.$output.link_connect_source();)*)?
                $($(self.$answers.iter_mut().for_each(|port| port.link_connect_source());)*)?
            }
            fn link_connect_dest(&mut self) {
                $(self.$input.link_connect_dest();)*
                $($(self.$row.iter_mut().for_each(|port| port.link_connect_dest());)*)?
            }
        }

        impl ::rust_hdl::prelude::Logic for $name {
            fn update(&mut self) {}
        }

        impl ::rust_hdl::prelude::Block for $name {
            fn connect_all(&mut self) {}
            #[inline(always)]
            fn update_all(&mut self) {
                $crate::port_bundle::PortBundle::latch(self);
                $crate::port_bundle::PortBundle::publish(self);
            }
            fn has_changed(&self) -> bool {
                false $(| self.$input.has_changed())* $($(| self.$row.has_changed())*)?
                    $($(| self.$output.has_changed())*)? $($(| self.$answers.has_changed())*)?
            }
            fn accept(&self, name: &str, probe: &mut dyn ::rust_hdl::prelude::Probe) {
                probe.visit_start_namespace(name, self);
                $(self.$input.accept(stringify!($input), probe);)*
                $($(self.$row.accept(stringify!($row), probe);)*)?
                $($(self.$output.accept(stringify!($output), probe);)*)?
                $($(self.$answers.accept(stringify!($answers), probe);)*)?
                probe.visit_end_namespace(name, self);
            }
        }

        impl $crate::changes::Watched for $name {
            fn watch(&self, look: &mut $crate::changes::Look) {
                $(self.$input.watch(look);)*
                $($(self.$row.watch(look);)*)?
                $($(self.$output.watch(look);)*)?
                $($(self.$answers.watch(look);)*)?
            }
        }

        impl $crate::port_bundle::PortBundle for $name {
            #[inline(always)]
            fn latch(&mut self) -> bool {
                use $crate::module::Port as _;
                false $(| self.$input.latch())* $($(| self.$row.latch())*)?
            }
            #[inline(always)]
            fn publish(&mut self) -> bool {
                #[allow(unused_imports)]
                use $crate::module::Port as _;
                false $($(| self.$output.latch())*)? $($(| self.$answers.latch())*)?
            }
            fn scramble(&mut self, source: &mut $crate::module::BitSource) {
                $($crate::module::InputPort::scramble(&mut self.$input, source);)*
                $($($crate::module::InputPort::scramble(&mut self.$row, source);)*)?
            }
            fn drive(&mut self, port: &str, source: &mut $crate::module::BitSource) -> bool {
                match port {
                    $(stringify!($input) => $crate::module::InputPort::scramble(&mut self.$input, source),)*
                    $($(stringify!($row) => $crate::module::InputPort::scramble(&mut self.$row, source),)*)?
                    _ => return false,
                }
                true
            }
            fn assume(&mut self, _port: &str, _source: &mut $crate::module::BitSource) -> bool {
                match _port {
                    $($(stringify!($output) => $crate::module::Port::assume(&mut self.$output, _source),)*)?
                    $($(stringify!($answers) => $crate::module::Port::assume(&mut self.$answers, _source),)*)?
                    _ => return false,
                }
                #[allow(unreachable_code)]
                true
            }
        }
    };
}
