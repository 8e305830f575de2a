//! Derives what a record of values needs to be the value of a signal, and translates kernels.

mod connections;
mod kernel;
mod name;

use proc_macro::TokenStream;
use quote::{format_ident, quote};
use syn::{parse_macro_input, Data, DeriveInput, Error, Fields, ItemFn};

/// Makes a struct with named fields a `Value`, as wide as its fields together, the first one
/// lowest, and writes the accessors that `#[hdl_gen]` calls for its fields (`get_my_width_x`,
/// `get_my_offset_x`).
///
/// Of rust-hdl's own derive, `LogicStruct`, it differs in that a field may have a width that only
/// its value knows.
#[proc_macro_derive(Record)]
pub fn record(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let Data::Struct(data) = &input.data else {
        return error(&input, "only a struct can be a record");
    };
    let Fields::Named(fields) = &data.fields else {
        return error(&input, "the fields of a record have names");
    };
    let name = &input.ident;
    let fields: Vec<_> = fields.named.iter().filter_map(|field| field.ident.clone()).collect();
    let widths = fields.iter().map(|field| format_ident!("get_my_width_{field}"));
    let offsets = fields.iter().enumerate().map(|(place, field)| {
        let (offset, before) = (format_ident!("get_my_offset_{field}"), &fields[..place]);
        quote! {
            #[doc(hidden)]
            pub fn #offset(&self) -> usize {
                0 #(+ ::blockyard_rtl::value::Value::width(&self.#before))*
            }
        }
    });
    quote! {
        impl #name {
            #(
                #[doc(hidden)]
                pub fn #widths(&self) -> usize {
                    ::blockyard_rtl::value::Value::width(&self.#fields)
                }
            )*
            #(#offsets)*
        }

        impl ::blockyard_rtl::value::Value for #name {
            #[inline(always)]
            fn width(&self) -> usize {
                0 #(+ ::blockyard_rtl::value::Value::width(&self.#fields))*
            }
            #[inline(always)]
            fn zeros(&self) -> Self {
                Self { #(#fields: ::blockyard_rtl::value::Value::zeros(&self.#fields)),* }
            }
            fn bit(&self, place: usize) -> bool {
                let mut place = place;
                #(
                    let width = ::blockyard_rtl::value::Value::width(&self.#fields);
                    if place < width {
                        return ::blockyard_rtl::value::Value::bit(&self.#fields, place);
                    }
                    place -= width;
                )*
                unreachable!("the record has no bit {place} above its last one")
            }
            fn shape(&self) -> ::rust_hdl::prelude::TypeDescriptor {
                ::blockyard_rtl::value::record_shape(
                    stringify!(#name),
                    vec![#((stringify!(#fields), ::blockyard_rtl::value::Value::shape(&self.#fields))),*],
                )
            }
            fn dump(&self) -> ::rust_hdl::prelude::VCDValue {
                ::rust_hdl::prelude::VCDValue::Composite(
                    vec![#(Box::new(::blockyard_rtl::value::Value::dump(&self.#fields))),*]
                )
            }
            #[inline]
            fn fields(&self, see: &mut impl FnMut(usize, usize, u64)) {
                #(::blockyard_rtl::value::Value::fields(&self.#fields, see);)*
            }
            fn like(&self, source: &mut ::blockyard_rtl::module::BitSource) -> Self {
                Self { #(#fields: ::blockyard_rtl::value::Value::like(&self.#fields, source)),* }
            }
        }
    }
    .into()
}

/// Leaves the kernel `update` of a module as it is, and writes beside it what it drives, `connect`,
/// and what it is in Verilog, `hdl`.
///
/// It has the name of rust-hdl's own macro and takes the part of its language that kernels here
/// use: assignments to signals and fields, `if`, `for`, links, casts, operators, `get_bit`,
/// `get_bits`, `any`, `all`. The rest is refused where it stands. rust-hdl's writes code that makes
/// the syntax tree, this one data (`blockyard_rtl::hdl`).
#[proc_macro_attribute]
pub fn hdl_gen(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    let original = item.clone();
    let written = kernel::translate(&parse_macro_input!(item as ItemFn));
    let written = written.unwrap_or_else(|error| error.into_compile_error());
    [original, written.into()].into_iter().collect()
}

fn error(input: &DeriveInput, what: &str) -> TokenStream {
    Error::new_spanned(&input.ident, what).into_compile_error().into()
}
