//! What a signal is called in Verilog.

use quote::ToTokens;
use syn::{BinOp, Error, Expr, ExprLit, Lit, Member, Result};

/// `self.child.port[i]` is `child$port[i]`: rust-hdl puts in a number for the index, and `$` for
/// what is around it.
pub fn name(expr: &Expr) -> Result<String> {
    match expr {
        Expr::Field(field) => match (&field.member, name(&field.base)?.as_str()) {
            (Member::Named(member), "self") => Ok(member.to_string()),
            (Member::Named(member), base) => Ok(format!("{base}${member}")),
            (Member::Unnamed(_), _) => Err(Error::new_spanned(field, "a signal has a name")),
        },
        Expr::Index(array) => {
            check_index(&array.index)?;
            Ok(format!("{}[{}]", name(&array.expr)?, text(&array.index).replace(' ', "")))
        }
        Expr::Path(path) if path.path.get_ident().is_some() => Ok(text(path)),
        _ => Err(Error::new_spanned(expr, "this names no signal: `self.child.port` does")),
    }
}

/// Loops are unrolled: an index is a number, or made of numbers and variables of loops.
fn check_index(index: &Expr) -> Result<()> {
    match index {
        Expr::Lit(ExprLit { lit: Lit::Int(_), .. }) => Ok(()),
        Expr::Path(path) if path.path.get_ident().is_some() => Ok(()),
        Expr::Binary(sum) if matches!(sum.op, BinOp::Add(_) | BinOp::Sub(_)) => {
            check_index(&sum.left)?;
            check_index(&sum.right)
        }
        _ => Err(Error::new_spanned(
            index,
            "an index is a number or a sum of numbers and variables of loops",
        )),
    }
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}
