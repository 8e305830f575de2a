//! Atomic operations.

use super::memory::{expect, lookup, modifiers, parts, Modifiers};
use super::operands::{Fit, Operands};
use super::warp_wide::not_there;
use crate::ast::{Space, Type};
use crate::program::{Action, Atomic};
use crate::semantics::is_half;
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::{Access, Operation};

/// The operation that a modifier names.
pub(super) fn operation(name: &str) -> Option<Atomic> {
    Some(match name {
        "and" => Atomic::And,
        "or" => Atomic::Or,
        "xor" => Atomic::Xor,
        "exch" => Atomic::Exchange,
        "cas" => Atomic::CompareAndSwap,
        "add" => Atomic::Add,
        "inc" => Atomic::Increment,
        "dec" => Atomic::Decrement,
        "min" => Atomic::Minimum,
        "max" => Atomic::Maximum,
        _ => return None,
    })
}

/// `atom`, which `answers` with what was there, and `red`.
pub(super) fn lower(
    operands: &mut Operands<'_, '_>,
    answers: bool,
) -> Result<(Action, Operation), InputError> {
    let modifiers = modifiers(operands)?;
    if answers && operands.modifiers().last() == Some(&"b128") {
        return pair(operands, modifiers);
    }
    if modifiers.vector > 1 {
        return vector(operands, answers, modifiers);
    }
    let known = modifiers.operation.filter(|operation| {
        let swaps = matches!(operation, Atomic::Exchange | Atomic::CompareAndSwap);
        // What nobody takes is swapped by `atom` alone; and sums of halves have to say that they
        // are not flushed.
        let says = operands.modifiers().contains(&"noftz") || !is_half(modifiers.ty);
        fits(*operation, modifiers.ty) && (answers || !swaps) && says && !is_elsewhere(&modifiers)
    });
    let Some(operation) = known else { return Err(not_there(operands)) };
    let count = if operation == Atomic::CompareAndSwap { 2 } else { 1 };
    let first = usize::from(answers);
    expect(operands, first + 1 + count)?;
    let (at, issue) = lookup(operands, first, &modifiers, Access::Atomic)?;
    let to =
        if answers { operands.target(operands.get(0)?, modifiers.ty, Fit::Exact)? } else { None };
    let sources = (0..count)
        .map(|index| operands.source(operands.get(first + 1 + index)?, modifiers.ty, Fit::Exact));
    let sources = sources.collect::<Result<_, _>>()?;
    Ok((Action::Atomic { operation, at, operands: sources, to }, issue))
}

/// `atom.exch.b128` and `atom.cas.b128`
fn pair(
    operands: &mut Operands<'_, '_>,
    modifiers: Modifiers,
) -> Result<(Action, Operation), InputError> {
    let compares = modifiers.operation == Some(Atomic::CompareAndSwap);
    let known = compares || modifiers.operation == Some(Atomic::Exchange);
    if !known || modifiers.vector != 2 || is_elsewhere(&modifiers) {
        return Err(not_there(operands));
    }
    let count = 1 + usize::from(compares);
    expect(operands, 2 + count)?;
    let (mut at, issue) = lookup(operands, 1, &modifiers, Access::Atomic)?;
    at.ty = Type::Bits(128);
    let to = parts(operands, 0, 2)?;
    let to = to.iter().map(|part| operands.target(part, modifiers.ty, Fit::Exact));
    let to = to.collect::<Result<_, _>>()?;
    let mut values = Vec::new();
    for index in 2..2 + count {
        for part in parts(operands, index, 2)? {
            values.push(operands.source(&part, modifiers.ty, Fit::Exact)?);
        }
    }
    Ok((Action::AtomicPair { compares, at, operands: values, to }, issue))
}

/// Those of vectors, which there are in global memory alone.
fn vector(
    operands: &mut Operands<'_, '_>,
    answers: bool,
    modifiers: Modifiers,
) -> Result<(Action, Operation), InputError> {
    let is_global = matches!(modifiers.space, Some(Space::Global) | None);
    let known = modifiers.operation.filter(|operation| {
        let says = operands.modifiers().contains(&"noftz");
        is_global && says == is_half(modifiers.ty) && fits_vector(*operation, &modifiers)
    });
    let Some(operation) = known else { return Err(not_there(operands)) };
    let first = usize::from(answers);
    expect(operands, first + 2)?;
    let (at, issue) = lookup(operands, first, &modifiers, Access::Atomic)?;
    let mut to = Vec::new();
    if answers {
        for part in parts(operands, 0, modifiers.vector)? {
            to.push(operands.target(&part, modifiers.ty, Fit::Exact)?);
        }
    }
    let values = parts(operands, first + 1, modifiers.vector)?;
    let values = values.iter().map(|part| operands.source(part, modifiers.ty, Fit::Exact));
    let values = values.collect::<Result<_, _>>()?;
    Ok((Action::AtomicVector { operation, at, operands: values, to }, issue))
}

/// Whether there is `operation` of such vectors.
fn fits_vector(operation: Atomic, modifiers: &Modifiers) -> bool {
    let longest = match modifiers.ty {
        Type::Float(32) if operation == Atomic::Add => 4,
        ty if is_half(ty)
            && matches!(operation, Atomic::Add | Atomic::Minimum | Atomic::Maximum) =>
        {
            16 / ty.bytes() as usize
        }
        _ => 0,
    };
    modifiers.vector <= longest
}

/// Whether it says a space that has no atomic operations.
fn is_elsewhere(modifiers: &Modifiers) -> bool {
    modifiers
        .space
        .is_some_and(|space| !matches!(space, Space::Global | Space::Shared | Space::Cluster))
}

/// Whether there is `operation` of `ty`.
fn fits(operation: Atomic, ty: Type) -> bool {
    match operation {
        Atomic::And | Atomic::Or | Atomic::Xor => matches!(ty, Type::Bits(32 | 64)),
        Atomic::CompareAndSwap => matches!(ty, Type::Bits(16 | 32 | 64)),
        Atomic::Exchange => matches!(ty, Type::Bits(32 | 64)),
        Atomic::Increment | Atomic::Decrement => ty == Type::Unsigned(32),
        Atomic::Minimum | Atomic::Maximum => {
            matches!(ty, Type::Unsigned(32 | 64) | Type::Signed(32 | 64))
        }
        Atomic::Add => {
            matches!(ty, Type::Unsigned(32 | 64) | Type::Signed(32 | 64) | Type::Float(_))
                || is_half(ty)
        }
    }
}
