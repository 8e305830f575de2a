//! Registers of 128 bits, which are kept as two of 64.

use super::Text;
use crate::ast::{Registers, Type};
use blockyard_contract::diagnostic::InputError;

/// Most of them in a row.
const MOST: u32 = 1 << 12;

/// Registers of 128 bits as vectors of two halves.
pub(super) fn in_halves(source: &Text<'_>, registers: &Registers) -> Result<Registers, InputError> {
    let mut names = Vec::new();
    for (name, count) in &registers.names {
        match count {
            None => names.push((name.clone(), None)),
            Some(count) if *count <= MOST => {
                names.extend((0..*count).map(|number| (format!("{name}{number}"), None)));
            }
            Some(_) => {
                let message = format!("`{name}` makes too many registers of 128 bits");
                let expected = format!("at most {MOST}");
                return Err(source.refuse(&registers.span, message, expected));
            }
        }
    }
    if registers.vector != 1 {
        let message = "a vector of registers of 128 bits";
        return Err(source.refuse(&registers.span, message, "registers alone"));
    }
    Ok(Registers { ty: Type::Bits(64), vector: 2, names, span: registers.span.clone() })
}
