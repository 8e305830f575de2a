//! One instruction.

use std::rc::Rc;

use super::body::Body;
use super::operands::{Fit, Operands};
use super::{
    calls, cluster, launch_control, mbarrier, memory, moves, passing, tensor, textures, unseen,
    video, warp_wide,
};
use crate::ast::{Instruction, Operand, Span, Type};
use crate::program::{Action, Flag, Guard, Reg, Source, Widening};
use crate::semantics::{self, Apply, Combine, Form};
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::{Operation, Unit};

/// An instruction that has been lowered but for its registers' slots.
pub(super) struct Lowered {
    pub guard: Option<Guard>,
    pub action: Action,
    pub operation: Operation,
    pub span: Span,
}

impl Lowered {
    /// A step that no instruction of the file stands for.
    pub fn unguarded((action, operation): (Action, Operation), span: &Span) -> Self {
        Self { guard: None, action, operation, span: span.clone() }
    }
}

/// Lowers `instruction`, whose names are those of `scope`, to the end of `steps`.
pub(super) fn lower<'a>(
    body: &mut Body<'a>,
    instruction: &'a Instruction,
    scope: usize,
    steps: &mut Vec<Lowered>,
) -> Result<(), InputError> {
    let (before, after) = (Vec::new(), Vec::new());
    let mut operands = Operands { body, instruction, scope, before, after };
    let guard = match &instruction.guard {
        None => None,
        Some(guard) => {
            let flag = operands.flag(&Operand::Name(guard.predicate.clone()))?;
            Some(Flag { negated: guard.negated, ..flag })
        }
    };
    let (action, operation) = action(&mut operands)?;
    let Operands { before, after, .. } = operands;
    // What an instruction needs beside itself is none of the file's.
    let nowhere = instruction.span.start..instruction.span.start;
    let beside = |step| Lowered { guard, ..Lowered::unguarded(step, &nowhere) };
    steps.extend(before.into_iter().map(beside));
    steps.push(Lowered { guard, action, operation, span: instruction.span.clone() });
    steps.extend(after.into_iter().map(beside));
    Ok(())
}

/// An integer instruction, to the timing.
pub(super) const INTEGER: Operation = Operation::Compute(Unit::Integer);

fn action(operands: &mut Operands<'_, '_>) -> Result<(Action, Operation), InputError> {
    let opcode = operands.instruction.opcode.as_str();
    let modifiers = operands.modifiers();
    if let Some(found) = moves::lower(operands)? {
        return Ok((found, INTEGER));
    }
    if let Some(found) = video::lower(operands)? {
        return Ok((found, INTEGER));
    }
    if let ("lop3", [combine, ty]) = (opcode, &modifiers[..]) {
        return table(operands, combine, ty).map(|action| (action, INTEGER));
    }
    match opcode {
        "ld" | "ldu" | "st" | "atom" | "red" => return memory::lower(operands),
        "call" => return calls::lower(operands),
        _ => {}
    }
    if let Some(found) = cluster::lower(operands)? {
        return Ok(found);
    }
    if let Some(found) = warp_wide::lower(operands)? {
        return Ok(found);
    }
    if let Some(found) = textures::lower(operands)? {
        return Ok(found);
    }
    if let Some(found) = mbarrier::lower(operands)? {
        return Ok(found);
    }
    if let Some(found) = launch_control::lower(operands)? {
        return Ok(found);
    }
    if let Some(found) = tensor::lower(operands)? {
        return Ok(found);
    }
    match control(operands)? {
        Some(found) => Ok(found),
        None => match form(opcode, &modifiers) {
            Some(form) => computed(operands, form),
            None => Err(unknown(operands)),
        },
    }
}

/// The form; compilers of PTX 2 wrote `.ftz` before what belongs before it, and the mode of `prmt`
/// stands behind its type.
fn form(opcode: &str, modifiers: &[&str]) -> Option<Form> {
    semantics::form(opcode, modifiers).or_else(|| match (opcode, modifiers) {
        (_, ["ftz", first, rest @ ..]) => {
            semantics::form(opcode, &[&[*first, "ftz"], rest].concat())
        }
        ("prmt", &[ty, mode]) => semantics::form(opcode, &[mode, ty]),
        _ => None,
    })
}

/// The complaint about a form that is not there.
fn unknown(operands: &Operands<'_, '_>) -> InputError {
    let name = operands.full_name();
    let opcode = &operands.instruction.opcode;
    if known(opcode) {
        let expected = format!("a form of `{opcode}` that docs/ptx.md lists");
        operands.refuse(format!("`{name}` is a form of `{opcode}` that is not there"), expected)
    } else {
        let message = format!("the opcode `{opcode}` is not there (`{name}`)");
        operands.refuse(message, "an opcode that docs/ptx.md lists")
    }
}

/// Whether some form of `opcode` is there.
fn known(opcode: &str) -> bool {
    super::OPCODES.contains(&opcode)
}

fn control(operands: &mut Operands<'_, '_>) -> Result<Option<(Action, Operation)>, InputError> {
    let uniform = |modifiers: &[&str]| modifiers.is_empty() || modifiers == ["uni"];
    let modifiers = operands.modifiers();
    let action = match (operands.instruction.opcode.as_str(), &modifiers[..]) {
        ("bra", modifiers) if uniform(modifiers) => {
            operands.expect(1..=1)?;
            let Operand::Name(label) = operands.get(0)? else {
                return Err(operands.refuse("`bra` goes to what is no label", "a label"));
            };
            Action::Branch { target: operands.label(label)?, reconverge: None }
        }
        ("brx", ["idx"] | ["idx", "uni"]) => calls::branch_by_index(operands)?,
        ("ret", modifiers) if uniform(modifiers) => {
            operands.expect(0..=0)?;
            operands.before = passing::give_all(operands.body);
            Action::Return
        }
        ("exit" | "trap", []) => {
            operands.expect(0..=0)?;
            match operands.instruction.opcode.as_str() {
                "exit" => Action::Exit,
                _ => Action::Trap,
            }
        }
        (opcode, modifiers) if unseen::is_known(opcode, modifiers) => Action::Nothing,
        _ => return Ok(None),
    };
    Ok(Some((action, INTEGER)))
}

/// An instruction that computes a value from values.
fn computed(
    operands: &mut Operands<'_, '_>,
    form: Form,
) -> Result<(Action, Operation), InputError> {
    operands.expect(1 + form.sources.len()..=1 + form.sources.len())?;
    let operation = Operation::Compute(form.unit);
    let Form { sources: types, result, apply, .. } = form;
    let apply = Rc::new(apply);
    // Only conversions take registers that are wider than their type.
    let fit = match operands.instruction.opcode.as_str() {
        "cvt" => Fit::Wider,
        _ => Fit::Exact,
    };
    let values: Vec<Type> = types.iter().copied().filter(|ty| *ty != Type::Predicate).collect();
    let action = match &*apply {
        Apply::Logic(_) => {
            let all = 1..1 + types.len();
            let sources = all.map(|index| operands.flag(operands.get(index)?));
            let sources = sources.collect::<Result<Vec<Flag>, _>>()?;
            let Some(to) = operands.target(operands.get(0)?, result, fit)? else {
                return Ok((Action::Nothing, operation));
            };
            Action::Logic { apply, sources, to }
        }
        Apply::Select => {
            let sources = sources(operands, &values, fit)?;
            let by = operands.flag(operands.get(3)?)?;
            let Some(to) = operands.target(operands.get(0)?, result, fit)? else {
                return Ok((Action::Nothing, operation));
            };
            Action::Select { sources: [sources[0], sources[1]], by, to }
        }
        Apply::Test(_, combine) => {
            let combine = match combine {
                Some(combine) => Some((*combine, operands.flag(operands.get(3)?)?)),
                None => None,
            };
            let sources = sources(operands, &values, fit)?;
            let (to, complement) = pair(operands, result)?;
            let value = semantics::set_values(result, types[0]);
            Action::Test { apply, combine, sources, to, complement, value }
        }
        Apply::Value(_) => {
            let sources = sources(operands, &values, fit)?;
            let to = operands.target(operands.get(0)?, result, fit)?;
            let signed = widened(operands, result, to);
            Action::Compute { apply, sources, to, signed }
        }
        &Apply::Carry { reads, writes, .. } => {
            let sources = sources(operands, &values, fit)?;
            let to = operands.target(operands.get(0)?, result, fit)?;
            let carry = operands.body.carry();
            let bit = |is: bool| is.then_some(carry);
            Action::Carry { apply, sources, to, reads: bit(reads), writes: bit(writes) }
        }
    };
    Ok((action, operation))
}

/// `lop3.and.b32 d|p, a, b, c, table, q`
fn table(operands: &mut Operands<'_, '_>, combine: &str, ty: &str) -> Result<Action, InputError> {
    let combine = Combine::parse(combine).filter(|combine| *combine != Combine::Xor);
    let (Some(combine), Some(form)) = (combine, form("lop3", &[ty])) else {
        return Err(unknown(operands));
    };
    operands.expect(6..=6)?;
    let sources = sources(operands, &form.sources, Fit::Exact)?;
    let flag = operands.flag(operands.get(5)?)?;
    let (to, holds) = warp_wide::with_predicate(operands)?;
    Ok(Action::Table { apply: Rc::new(form.apply), sources, to, combine: (combine, flag), holds })
}

fn sources(
    operands: &mut Operands<'_, '_>,
    types: &[Type],
    fit: Fit,
) -> Result<Vec<Source>, InputError> {
    let all = types.iter().enumerate();
    all.map(|(index, ty)| operands.source(operands.get(1 + index)?, *ty, fit)).collect()
}

/// The result `p`, or `p|q`.
fn pair(
    operands: &mut Operands<'_, '_>,
    result: Type,
) -> Result<(Option<Reg>, Option<Reg>), InputError> {
    let operand = operands.get(0)?;
    if let (Operand::Pair(first, second), Type::Predicate) = (operand, result) {
        let mut one =
            |name: &String| operands.target(&Operand::Name(name.clone()), result, Fit::Exact);
        return Ok((one(first)?, one(second)?));
    }
    Ok((operands.target(operand, result, Fit::Exact)?, None))
}

/// How a signed result is extended to its register.
pub(super) fn widened(operands: &Operands<'_, '_>, ty: Type, to: Option<Reg>) -> Option<Widening> {
    let widening = Widening { from: ty.width(), to: operands.width(to) };
    (widening.from < widening.to && matches!(ty, Type::Signed(_))).then_some(widening)
}
