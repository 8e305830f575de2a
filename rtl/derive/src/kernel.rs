//! Translates a kernel: to the table of `blockyard_rtl::hdl`, and to what it drives.

use crate::connections::Connections;
use crate::name::name;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, ToTokens};
use syn::{
    BinOp, Block, Error, Expr, ExprAssign, ExprCall, ExprField, ExprForLoop, ExprIf, ExprLit,
    ExprMethodCall, FnArg, Ident, ItemFn, Lit, Member, Pat, PathArguments, Result, Stmt, UnOp,
};

/// `connect` and `hdl` of the kernel `update`.
///
/// # Errors
/// At what has no translation.
pub fn translate(update: &ItemFn) -> Result<TokenStream> {
    let this = match update.sig.inputs.first() {
        Some(FnArg::Receiver(this)) if update.sig.inputs.len() == 1 => &this.self_token,
        _ => return Err(Error::new_spanned(&update.sig, "a kernel takes `&mut self` alone")),
    };
    let mut kernel = Kernel::default();
    kernel.block(&update.block)?;
    let Kernel { ops, values, connections } = kernel;
    let connections = connections.finish();
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_variables)]
        fn connect(&mut #this) {
            #connections
        }

        #[automatically_derived]
        fn hdl(&#this) -> ::blockyard_rtl::hdl::Verilog {
            ::blockyard_rtl::hdl::build(
                const { &[#(::blockyard_rtl::hdl::Op::#ops),*] },
                &[#(#values),*],
            )
        }
    })
}

/// What a kernel has come to so far.
#[derive(Default)]
struct Kernel {
    ops: Vec<TokenStream>,
    /// What only the instance knows, each once.
    values: Vec<TokenStream>,
    connections: Connections,
}

impl Kernel {
    fn op(&mut self, op: TokenStream) {
        self.ops.push(op);
    }

    /// The place of `value` among the values.
    fn value(&mut self, value: impl ToTokens) -> usize {
        let value = value.to_token_stream();
        let text = value.to_string();
        let place = self.values.iter().position(|known| known.to_string() == text);
        place.unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        })
    }

    /// How many statements it has.
    fn block(&mut self, block: &Block) -> Result<usize> {
        for statement in &block.stmts {
            match statement {
                Stmt::Expr(expr, _) => self.statement(expr)?,
                _ => return refuse(statement, "a kernel has no definitions and no macros"),
            }
        }
        Ok(block.stmts.len())
    }

    fn statement(&mut self, expr: &Expr) -> Result<()> {
        match expr {
            Expr::Assign(assign) => self.assign(assign),
            Expr::If(choice) => self.choice(choice),
            Expr::ForLoop(each) => self.each(each),
            Expr::Call(call) => self.link(call),
            _ => refuse(expr, "a kernel assigns, links, and has `if` and `for`, nothing else"),
        }
    }

    fn assign(&mut self, assign: &ExprAssign) -> Result<()> {
        let wrong = "what is assigned to is `signal.next`, or a field of it, `signal.next.field`";
        let Expr::Field(target) = &*assign.left else {
            return refuse(&assign.left, wrong);
        };
        let (next, field) = match &target.member {
            Member::Named(member) if member == "next" => (target, None),
            Member::Named(member) => match &*target.base {
                Expr::Field(next) => (next, Some(member)),
                _ => return refuse(&assign.left, wrong),
            },
            Member::Unnamed(_) => return refuse(&assign.left, wrong),
        };
        if !matches!(&next.member, Member::Named(member) if member == "next") {
            return refuse(&assign.left, wrong);
        }
        self.connections.signal(&next.base);
        if let Some(field) = field {
            let (width, offset) = self.field(&target.base, &next.base, field)?;
            self.op(quote!(AssignField { width: #width, offset: #offset }));
            self.signal(&next.base)?;
        } else {
            self.op(quote!(Assign));
            let name = name(&assign.left)?;
            self.op(quote!(Signal(#name)));
        }
        self.expression(&assign.right)
    }

    fn choice(&mut self, choice: &ExprIf) -> Result<()> {
        let place = self.ops.len();
        self.op(TokenStream::new());
        self.expression(&choice.cond)?;
        let then = self.block(&choice.then_branch)?;
        let otherwise = match &choice.else_branch {
            None => quote!(None),
            Some((_, branch)) => match &**branch {
                Expr::Block(block) => {
                    let statements = self.block(&block.block)?;
                    quote!(Some(#statements))
                }
                branch => return refuse(branch, "`else` has a block: write an `if` into it"),
            },
        };
        self.ops[place] = quote!(If { then: #then, otherwise: #otherwise });
        Ok(())
    }

    fn each(&mut self, each: &ExprForLoop) -> Result<()> {
        let wrong = "a loop is `for name in from..to`";
        let (Pat::Ident(variable), Expr::Range(range)) = (&*each.pat, &*each.expr) else {
            return refuse(&each.pat, wrong);
        };
        let (Some(from), Some(to), syn::RangeLimits::HalfOpen(_)) =
            (&range.start, &range.end, &range.limits)
        else {
            return refuse(range, wrong);
        };
        let (from, to) = (self.value(from), self.value(to));
        let place = self.ops.len();
        self.op(TokenStream::new());
        self.connections.enter();
        let block = self.block(&each.body)?;
        self.connections.leave(&variable.ident, range);
        let index = variable.ident.to_string();
        self.ops[place] = quote!(Loop { index: #index, from: #from, to: #to, block: #block });
        Ok(())
    }

    fn link(&mut self, call: &ExprCall) -> Result<()> {
        let wrong = "ports are linked by `Type::link(&mut self.ports, &mut self.child.ports)`";
        let mut arguments = call.args.iter().map(|argument| match argument {
            Expr::Reference(argument) if argument.mutability.is_some() => Some(&*argument.expr),
            _ => None,
        });
        let (Some(Some(this)), Some(Some(that)), None, Expr::Path(function)) =
            (arguments.next(), arguments.next(), arguments.next(), &*call.func)
        else {
            return refuse(call, wrong);
        };
        let mut function = function.clone();
        match function.path.segments.last_mut() {
            Some(last) if last.ident == "link" => last.ident = format_ident!("link_hdl"),
            _ => return refuse(call, wrong),
        }
        self.connections.link(this, that);
        let (this, that) = (name(this)?, name(that)?);
        self.op(quote!(Link(#function, #this, #that)));
        Ok(())
    }

    fn expression(&mut self, expr: &Expr) -> Result<()> {
        match expr {
            Expr::Path(_) => self.signal(expr),
            Expr::Lit(literal) => self.literal(literal),
            Expr::Paren(paren) => {
                self.op(quote!(Paren));
                self.expression(&paren.expr)
            }
            Expr::Unary(unary) => {
                if !matches!(unary.op, UnOp::Not(_)) {
                    return refuse(unary, "the one unary operator of a kernel is `!`");
                }
                self.unary("Not", &unary.expr)
            }
            Expr::Binary(binary) => {
                let Some(op) = operator(&binary.op) else {
                    return refuse(binary.op, "a kernel has no such operator");
                };
                let op = format_ident!("{op}");
                self.op(quote!(Binary(::blockyard_rtl::hdl::VerilogOp::#op)));
                self.expression(&binary.left)?;
                self.expression(&binary.right)
            }
            Expr::Field(field) => self.read_field(field),
            Expr::Call(call) => self.cast(call),
            Expr::MethodCall(call) => self.method(call),
            _ => refuse(expr, "a kernel has no such expression"),
        }
    }

    fn signal(&mut self, expr: &Expr) -> Result<()> {
        let name = name(expr)?;
        self.op(quote!(Signal(#name)));
        Ok(())
    }

    fn literal(&mut self, literal: &ExprLit) -> Result<()> {
        match &literal.lit {
            Lit::Bool(bit) => self.op(quote!(Bit(#bit))),
            Lit::Int(number) if number.suffix().is_empty() => self.op(quote!(Integer(#number))),
            _ => return refuse(literal, "a literal is a bit, or a number without a type"),
        }
        Ok(())
    }

    fn unary(&mut self, op: &str, operand: &Expr) -> Result<()> {
        let op = format_ident!("{op}");
        self.op(quote!(Unary(::blockyard_rtl::hdl::VerilogOpUnary::#op)));
        self.expression(operand)
    }

    fn read_field(&mut self, read: &ExprField) -> Result<()> {
        match (&*read.base, &read.member) {
            (Expr::MethodCall(val), Member::Named(field)) if val.method == "val" => {
                let (width, offset) = self.field(&read.base, &val.receiver, field)?;
                self.op(quote!(Field { width: #width, offset: #offset }));
                self.signal(&val.receiver)
            }
            _ => refuse(read, "what is read is `signal.val()`, or a field of it"),
        }
    }

    /// Width and offset of a field of `record`, which is a value of `signal`.
    fn field(&mut self, record: &Expr, signal: &Expr, field: &Ident) -> Result<(usize, usize)> {
        if !numbered(signal) {
            return refuse(
                signal,
                "a field of what a loop goes over does not translate: pass the whole word on",
            );
        }
        let (width, offset) =
            (format_ident!("get_my_width_{field}"), format_ident!("get_my_offset_{field}"));
        Ok((self.value(quote!(#record.#width())), self.value(quote!(#record.#offset()))))
    }

    /// The width is one of the arguments, so nobody has to cast anything for it.
    fn cast(&mut self, call: &ExprCall) -> Result<()> {
        let Expr::Path(function) = &*call.func else {
            return refuse(call, "a kernel calls no function but casts");
        };
        let function = &function.path.segments[function.path.segments.len() - 1];
        let width = match &function.arguments {
            PathArguments::AngleBracketed(generics) => {
                generics.args.first().map(ToTokens::to_token_stream)
            }
            _ => call.args.get(1).map(ToTokens::to_token_stream),
        };
        let known = match function.ident.to_string().as_str() {
            "bit_cast" | "bit_cast_of" => call.args.len() == 1,
            "bit_cast_to" => call.args.len() == 2,
            _ => return refuse(call, "a kernel calls no function but casts"),
        };
        let (true, Some(width)) = (known, width) else {
            return refuse(call, "a cast says its width: `bit_cast::<32, 31>(word)`");
        };
        let width = self.value(width);
        self.op(quote!(Cast(#width)));
        self.expression(&call.args[0])
    }

    fn method(&mut self, call: &ExprMethodCall) -> Result<()> {
        let method = call.method.to_string();
        match (method.as_str(), call.args.first(), call.args.len()) {
            ("val", None, _) => self.signal(&call.receiver),
            ("into", None, _) => self.expression(&call.receiver),
            ("any", None, _) => self.unary("Any", &call.receiver),
            ("all", None, _) => self.unary("All", &call.receiver),
            ("get_bit", Some(place), 1) => {
                self.op(quote!(Index));
                self.expression(&call.receiver)?;
                self.expression(place)
            }
            ("get_bits", Some(place), 1) => {
                let Some(width) = call.turbofish.as_ref().and_then(|width| width.args.first())
                else {
                    return refuse(call, "a slice says its width: `word.get_bits::<4>(0)`");
                };
                let width = self.value(width);
                self.op(quote!(Slice(#width)));
                self.expression(&call.receiver)?;
                self.expression(place)
            }
            _ => refuse(&call.method, "a kernel has no such method"),
        }
    }
}

/// Whether every index in it is a number.
fn numbered(signal: &Expr) -> bool {
    match signal {
        Expr::Field(field) => numbered(&field.base),
        Expr::Index(array) => matches!(&*array.index, Expr::Lit(_)) && numbered(&array.expr),
        _ => true,
    }
}

/// Its name in rust-hdl's syntax tree.
fn operator(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) => "Add",
        BinOp::Sub(_) => "Sub",
        BinOp::Mul(_) => "Mul",
        BinOp::BitXor(_) => "BitXor",
        BinOp::BitAnd(_) => "BitAnd",
        BinOp::BitOr(_) => "BitOr",
        BinOp::Shl(_) => "Shl",
        BinOp::Eq(_) => "Eq",
        BinOp::Lt(_) => "Lt",
        BinOp::Le(_) => "Le",
        BinOp::Ne(_) => "Ne",
        BinOp::Ge(_) => "Ge",
        BinOp::Gt(_) => "Gt",
        _ => return None,
    })
}

fn refuse<T>(what: impl ToTokens, why: &str) -> Result<T> {
    Err(Error::new_spanned(what, why))
}

#[cfg(test)]
mod tests;
