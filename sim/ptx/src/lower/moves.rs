//! Moves: of addresses, special registers and parts of registers; and addresses from space to
//! space.

use std::rc::Rc;

use super::instruction::INTEGER;
use super::operands::{Fit, Operands};
use crate::address_space;
use crate::ast::{Operand, Space, Type};
use crate::program::{Action, Source};
use crate::semantics::{self, Apply, Form};
use blockyard_contract::diagnostic::InputError;

/// A `mov` that is no move from register to register, `cvta` or `isspacep`.
pub(super) fn lower(operands: &mut Operands<'_, '_>) -> Result<Option<Action>, InputError> {
    let modifiers = operands.modifiers();
    match (operands.instruction.opcode.as_str(), &modifiers[..]) {
        ("mov", ["b128"]) => {
            let Some(form) = semantics::form("mov", &["b64"]) else { return Ok(None) };
            operands.expect(2..=2)?;
            by_parts(operands, form, 2).map(Some)
        }
        ("mov", [ty]) => {
            let Some(ty) = semantics::parse_type(ty) else { return Ok(None) };
            operands.expect(2..=2)?;
            let (to, from) = (whole(operands, 0)?, whole(operands, 1)?);
            match (&to, &from) {
                (Operand::Vector(to), from) => unpack(operands, to, from, ty).map(Some),
                (to, Operand::Vector(parts)) => pack(operands, to, parts, ty).map(Some),
                (to, Operand::Integer(value)) if ty == Type::Predicate => {
                    let to = operands.target(to, ty, Fit::Exact)?;
                    let value = *value != 0;
                    Ok(Some(to.map_or(Action::Nothing, |to| Action::SetFlag { to, value })))
                }
                _ => Ok(None),
            }
        }
        ("mov", [vector @ ("v2" | "v4"), ty]) => {
            let Some(form) = semantics::form("mov", &[*ty]) else { return Ok(None) };
            operands.expect(2..=2)?;
            by_parts(operands, form, if *vector == "v2" { 2 } else { 4 }).map(Some)
        }
        ("cvta", [space, size @ ("u32" | "u64")]) => {
            cvta(operands, space, size, u64::wrapping_add).map(Some)
        }
        ("cvta", ["to", space, size @ ("u32" | "u64")]) => {
            cvta(operands, space, size, u64::wrapping_sub).map(Some)
        }
        // Caches have no policies here: all are the same number.
        ("createpolicy", [.., "b64"]) => {
            let to = operands.target(operands.get(0)?, Type::Bits(64), Fit::Exact)?;
            let zero = Source::Constant(operands.body.constant(0));
            let apply = semantics::form("mov", &["b64"]).map(|form| Rc::new(form.apply));
            Ok(apply.map(|apply| Action::Compute { apply, sources: vec![zero], to, signed: None }))
        }
        ("isspacep", [space]) => {
            operands.expect(2..=2)?;
            let space = named(operands, space)?;
            let to = operands.target(operands.get(0)?, Type::Predicate, Fit::Exact)?;
            let address = operands.source(operands.get(1)?, Type::Bits(64), Fit::Exact)?;
            Ok(Some(to.map_or(Action::Nothing, |to| Action::IsInSpace { space, address, to })))
        }
        _ => Ok(None),
    }
}

/// Operand `index`, a vector as the list of its parts.
fn whole(operands: &Operands<'_, '_>, index: usize) -> Result<Operand, InputError> {
    let operand = operands.get(index)?;
    let mut parts = operands.parts_of(std::slice::from_ref(operand));
    let single = parts.len() == 1 && !matches!(operand, Operand::Vector(_));
    Ok(if single { parts.remove(0) } else { Operand::Vector(parts) })
}

/// From vector to vector of `count` parts: all of them are read before one is written.
fn by_parts(
    operands: &mut Operands<'_, '_>,
    form: Form,
    count: usize,
) -> Result<Action, InputError> {
    let (to, from) = (whole(operands, 0)?, whole(operands, 1)?);
    let (Operand::Vector(to), Operand::Vector(from)) = (to, from) else {
        return Err(operands.refuse("a vector is moved to or from what is none", "two vectors"));
    };
    if [to.len(), from.len()] != [count; 2] {
        let message = format!("vectors have {} and {} parts", to.len(), from.len());
        return Err(operands.refuse(message, format!("{count} of both")));
    }
    let (ty, apply) = (form.result, Rc::new(form.apply));
    let moved = |source, to| {
        let apply = Rc::clone(&apply);
        (Action::Compute { apply, sources: vec![source], to, signed: None }, INTEGER)
    };
    for (to, from) in to.iter().zip(&from) {
        let between = operands.body.unnamed(ty);
        let source = operands.source(from, ty, Fit::Exact)?;
        let to = operands.target(to, ty, Fit::Exact)?;
        operands.before.push(moved(source, Some(between)));
        operands.after.push(moved(Source::Register(between), to));
    }
    Ok(Action::Nothing)
}

/// The space that a modifier names.
pub(super) fn named(operands: &Operands<'_, '_>, name: &str) -> Result<Space, InputError> {
    space(name).ok_or_else(|| {
        operands
            .refuse(format!("`.{name}` is no state space"), "`.global`, `.shared`, `.local`, ...")
    })
}

/// The space that a modifier names, if it does.
pub(super) fn space(name: &str) -> Option<Space> {
    Some(match name {
        "global" => Space::Global,
        "shared" | "shared::cta" => Space::Shared,
        "shared::cluster" => Space::Cluster,
        "local" => Space::Local,
        "const" => Space::Constant,
        "param" | "param::entry" | "param::func" => Space::Parameter,
        _ => return None,
    })
}

fn cvta(
    operands: &mut Operands<'_, '_>,
    space: &str,
    size: &str,
    f: impl Fn(u64, u64) -> u64 + 'static,
) -> Result<Action, InputError> {
    operands.expect(2..=2)?;
    let base = address_space::base(named(operands, space)?);
    let ty = if size == "u32" { Type::Bits(32) } else { Type::Bits(64) };
    let to = operands.target(operands.get(0)?, ty, Fit::Exact)?;
    let source = operands.source(operands.get(1)?, ty, Fit::Exact)?;
    let mask = u64::MAX >> (64 - ty.width());
    let apply = Apply::value(move |sources, to| {
        for (to, from) in to.iter_mut().zip(sources[0]) {
            *to = f(*from, base) & mask;
        }
    });
    Ok(Action::Compute { apply: Rc::new(apply), sources: vec![source], to, signed: None })
}

/// The parts of a register: their type and bits, and how wide their registers may be: none has
/// eight bits.
fn parts(
    operands: &Operands<'_, '_>,
    ty: Type,
    count: usize,
) -> Result<(Type, u32, Fit), InputError> {
    let bits = ty.width() / count.max(1) as u32;
    let fits = matches!((count, bits), (2 | 4, 8 | 16 | 32)) && ty.width() <= 64;
    if !fits {
        let message = format!("`{}` has {count} parts", operands.full_name());
        return Err(operands.refuse(message, "2 or 4 parts of 8, 16 or 32 bits"));
    }
    Ok((Type::Bits(bits as u8), bits, if bits == 8 { Fit::Wider } else { Fit::Exact }))
}

fn unpack(
    operands: &mut Operands<'_, '_>,
    to: &[Operand],
    from: &Operand,
    ty: Type,
) -> Result<Action, InputError> {
    let (part, bits, fit) = parts(operands, ty, to.len())?;
    let from = operands.source(from, ty, Fit::Exact)?;
    let to = to.iter().map(|to| operands.target(to, part, fit));
    Ok(Action::Unpack { from, bits, to: to.collect::<Result<_, _>>()? })
}

fn pack(
    operands: &mut Operands<'_, '_>,
    to: &Operand,
    from: &[Operand],
    ty: Type,
) -> Result<Action, InputError> {
    let (part, bits, fit) = parts(operands, ty, from.len())?;
    let from = from.iter().map(|from| operands.source(from, part, fit));
    let parts: Vec<Source> = from.collect::<Result<_, _>>()?;
    let to = operands.target(to, ty, Fit::Exact)?;
    Ok(to.map_or(Action::Nothing, |to| Action::Pack { parts, bits, to }))
}
