//! Scalar video instructions, whose operands are parts of registers: `%r1.b0`.

use std::rc::Rc;

use super::names::Named;
use super::operands::{Fit, Operands};
use super::warp_wide::not_there;
use crate::ast::{Operand, Type};
use crate::program::Action;
use crate::semantics::{Apply, Part, Video};
use blockyard_contract::diagnostic::InputError;

const WORD: Type = Type::Bits(32);

/// An instruction of this module, or `None`.
pub(super) fn lower(operands: &mut Operands<'_, '_>) -> Result<Option<Action>, InputError> {
    let opcode = operands.instruction.opcode.as_str();
    let known = ["vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset"];
    if !known.contains(&opcode) {
        return Ok(None);
    }
    operands.expect(3..=4)?;
    let has_third = operands.instruction.operands.len() == 4;
    let [(to, whole), (a, first), (b, second)] =
        [part(operands, 0)?, part(operands, 1)?, part(operands, 2)?];
    let parts = [whole, first, second];
    let Some(video) = Video::parse(opcode, &operands.modifiers(), parts, has_third) else {
        return Err(not_there(operands));
    };
    let c = if has_third { operands.get(3)?.clone() } else { Operand::Integer(0) };
    let to = operands.target(&to, WORD, Fit::Exact)?;
    let all = [a, b, c];
    let sources = all.iter().map(|source| operands.source(source, WORD, Fit::Exact));
    let sources = sources.collect::<Result<_, _>>()?;
    let apply = Apply::Value(Box::new(move |sources, to| {
        for (lane, to) in to.iter_mut().enumerate() {
            let [a, b, c] = [0, 1, 2].map(|source| sources[source][lane] as u32);
            *to = video.of(a, b, c).into();
        }
    }));
    Ok(Some(Action::Compute { apply: Rc::new(apply), sources, to, signed: None }))
}

/// Operand `index` without what says which part of it counts, and that part.
fn part(operands: &Operands<'_, '_>, index: usize) -> Result<(Operand, Part), InputError> {
    let operand = operands.get(index)?;
    if let Operand::Name(name) = operand {
        if let Some((register, selected)) = name.rsplit_once('.') {
            if let (Some(Named::Register(_)), Some(part)) =
                (operands.find(register), Part::parse(selected))
            {
                return Ok((Operand::Name(register.to_owned()), part));
            }
        }
    }
    Ok((operand.clone(), Part::WORD))
}
