//! Arithmetic with a carry, 9.7.2.

use super::form::{ones, Form, Type};
use super::integer::multiplied;

/// See [`super::opinion`].
///
/// After a subtraction the flag is the borrow: 1 if what is taken away was more.
pub fn opinion(opcode: &str, mut form: Form) -> Option<Vec<u64>> {
    let out = form.take("cc");
    let (opcode, takes) = match opcode {
        "addc" | "subc" | "madc" => (opcode.trim_end_matches('c'), true),
        "add" | "sub" | "mad" if out => (opcode, false),
        _ => return None,
    };
    let mode = if opcode == "mad" { form.take_any(&["hi", "lo"])? } else { "" };
    let ty = form.only_type()?;
    if !matches!(ty, Type::Unsigned(32 | 64) | Type::Signed(32 | 64)) {
        return None;
    }
    let sources = if opcode == "mad" { 3 } else { 2 };
    let ([a, b, c], carry) = match (sources, form.count(), takes) {
        (2, 2, false) => {
            let [a, b] = form.operands()?;
            ([a, b, 0], 0)
        }
        (2, 3, _) => {
            let [a, b, carry] = form.operands()?;
            ([a, b, 0], carry)
        }
        (3, 3, false) => (form.operands()?, 0),
        (3, 4, _) => {
            let [a, b, c, carry] = form.operands()?;
            ([a, b, c], carry)
        }
        _ => return None,
    };
    let carry = if takes { u128::from(carry & 1) } else { 0 };
    let wide = |bits: u64| u128::from(bits & ones(ty.width()));
    let (result, flag) = match opcode {
        "add" => {
            let sum = wide(a) + wide(b) + carry;
            (sum as u64, sum > wide(u64::MAX))
        }
        "sub" => {
            let less = wide(b) + carry;
            (wide(a).wrapping_sub(less) as u64, wide(a) < less)
        }
        _ => {
            let sum = wide(multiplied(ty, mode, a, b)?.0) + wide(c) + carry;
            (sum as u64, sum > wide(u64::MAX))
        }
    };
    let mut results = vec![result & ones(ty.width())];
    if out {
        results.push(u64::from(flag));
    }
    Some(results)
}
