//! What a kernel drives, each signal once.

use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use std::collections::HashSet;
use std::mem;
use syn::{Expr, ExprRange, Ident};

/// The body of `connect`. rust-hdl says it again for each assignment; a signal is as connected
/// after the first one.
#[derive(Default)]
pub struct Connections {
    /// What the statements around this loop connect, the outermost first.
    around: Vec<Statements>,
    here: Statements,
}

#[derive(Default)]
struct Statements {
    code: TokenStream,
    connected: HashSet<String>,
}

impl Connections {
    /// The kernel assigns to `signal`.
    pub fn signal(&mut self, signal: &Expr) {
        let text = signal.to_token_stream().to_string();
        let mut around = self.around.iter();
        if around.all(|outer| !outer.connected.contains(&text)) && self.here.connected.insert(text)
        {
            self.here.code.extend(quote!(::blockyard_rtl::hdl::Logic::connect(&mut #signal);));
        }
    }

    /// The kernel links ports of its module to those of a child.
    pub fn link(&mut self, this: &Expr, that: &Expr) {
        self.here.code.extend(quote! {
            ::blockyard_rtl::hdl::LogicLink::link_connect_source(&mut #this);
            ::blockyard_rtl::hdl::LogicLink::link_connect_dest(&mut #that);
        });
    }

    /// A loop begins.
    pub fn enter(&mut self) {
        self.around.push(mem::take(&mut self.here));
    }

    /// It ends, and was for each `variable` of `range`.
    pub fn leave(&mut self, variable: &Ident, range: &ExprRange) {
        let body = mem::replace(&mut self.here, self.around.pop().unwrap_or_default()).code;
        if !body.is_empty() {
            self.here.code.extend(quote!(for #variable in #range { #body }));
        }
    }

    /// All of it.
    pub fn finish(self) -> TokenStream {
        self.here.code
    }
}
