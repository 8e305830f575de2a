//! Video instructions, whose operands are parts of registers: `%r1.b0`, `%r1.b3210`.

use std::rc::Rc;

use super::names::Named;
use super::operands::{Fit, Operands};
use super::warp_wide::not_there;
use crate::ast::{Operand, Type};
use crate::program::Action;
use crate::semantics::{self, Apply, Choice, Part, Product, Simd, Video};
use blockyard_contract::diagnostic::InputError;

const WORD: Type = Type::Bits(32);

/// An instruction of this module, or `None`.
pub(super) fn lower(operands: &mut Operands<'_, '_>) -> Result<Option<Action>, InputError> {
    match operands.instruction.opcode.as_str() {
        "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vshl" | "vshr" | "vset" => {
            scalar(operands)
        }
        "vmad" => product(operands),
        opcode => match Simd::parts(opcode) {
            Some(parts) => simd(operands, parts),
            None => return Ok(None),
        },
    }
    .map(Some)
}

/// One part of each operand.
fn scalar(operands: &mut Operands<'_, '_>) -> Result<Action, InputError> {
    operands.expect(3..=4)?;
    let has_third = operands.instruction.operands.len() == 4;
    let [(to, whole), (a, first), (b, second)] =
        [part(operands, 0)?, part(operands, 1)?, part(operands, 2)?];
    let parts = [whole, first, second];
    let opcode = &operands.instruction.opcode;
    let Some(video) = Video::parse(opcode, &operands.modifiers(), parts, has_third) else {
        return Err(not_there(operands));
    };
    let c = if has_third { operands.get(3)?.clone() } else { Operand::Integer(0) };
    computed(operands, &to, &[a, b, c], move |a, b, c| video.of(a, b, c))
}

/// `vmad`
fn product(operands: &mut Operands<'_, '_>) -> Result<Action, InputError> {
    operands.expect(4..=4)?;
    let [(a, first), (b, second)] = [part(operands, 1)?, part(operands, 2)?];
    let [(a, a_minus), (b, b_minus), (c, c_minus)] =
        [sign(a), sign(b), sign(operands.get(3)?.clone())];
    let negates = [a_minus != b_minus, c_minus];
    let found = Product::parse(&operands.modifiers(), [first, second], negates);
    // Where one is added no operand may have a sign, not even both factors.
    let adds_one = operands.modifiers().contains(&"po");
    let Some(product) = found.filter(|_| !(adds_one && a_minus)) else {
        return Err(not_there(operands));
    };
    computed(operands, operands.get(0)?, &[a, b, c], move |a, b, c| product.of(a, b, c))
}

/// Several parts at once.
fn simd(operands: &mut Operands<'_, '_>, parts: usize) -> Result<Action, InputError> {
    operands.expect(4..=4)?;
    let all = (1 << parts) - 1;
    let (to, mask) = selected(operands, 0, |name| semantics::mask(name, parts), all)?;
    let source = |index: u32| {
        let whole = Choice::whole(index, parts);
        selected(operands, 1 + index as usize, |name| Choice::parse(name, parts), whole)
    };
    let [(a, first), (b, second)] = [source(0)?, source(1)?];
    let opcode = &operands.instruction.opcode;
    let Some(simd) = Simd::parse(opcode, &operands.modifiers(), [first, second], mask) else {
        return Err(not_there(operands));
    };
    let c = operands.get(3)?.clone();
    computed(operands, &to, &[a, b, c], move |a, b, c| simd.of(a, b, c))
}

/// What `of` gives for three words, lane by lane.
fn computed(
    operands: &mut Operands<'_, '_>,
    to: &Operand,
    sources: &[Operand; 3],
    of: impl Fn(u32, u32, u32) -> u32 + 'static,
) -> Result<Action, InputError> {
    let to = operands.target(to, WORD, Fit::Exact)?;
    let sources = sources.iter().map(|source| operands.source(source, WORD, Fit::Exact));
    let sources = sources.collect::<Result<_, _>>()?;
    let apply = Apply::value(move |sources, to| {
        for (lane, to) in to.iter_mut().enumerate() {
            let [a, b, c] = [0, 1, 2].map(|source| sources[source][lane] as u32);
            *to = of(a, b, c).into();
        }
    });
    Ok(Action::Compute { apply: Rc::new(apply), sources, to, signed: None })
}

/// An operand without its sign, and whether it has one.
fn sign(operand: Operand) -> (Operand, bool) {
    match operand {
        Operand::Minus(name) => (Operand::Name(name), true),
        other => (other, false),
    }
}

/// Operand `index` without what says which part of it counts, and that part.
fn part(operands: &Operands<'_, '_>, index: usize) -> Result<(Operand, Part), InputError> {
    selected(operands, index, Part::parse, Part::WORD)
}

/// Operand `index` without what stands behind its last dot, and what `parse` makes of that; `whole`
/// if nothing stands there.
fn selected<T>(
    operands: &Operands<'_, '_>,
    index: usize,
    parse: impl Fn(&str) -> Option<T>,
    whole: T,
) -> Result<(Operand, T), InputError> {
    let operand = operands.get(index)?;
    if let Operand::Name(name) | Operand::Minus(name) = operand {
        if let Some((register, chosen)) = name.rsplit_once('.') {
            if let (Some(Named::Register(_)), Some(part)) = (operands.find(register), parse(chosen))
            {
                let register = register.to_owned();
                let minus = matches!(operand, Operand::Minus(_));
                let operand =
                    if minus { Operand::Minus(register) } else { Operand::Name(register) };
                return Ok((operand, part));
            }
        }
    }
    Ok((operand.clone(), whole))
}
