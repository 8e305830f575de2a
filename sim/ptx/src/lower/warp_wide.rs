//! What lanes or warps do together: barriers, votes, shuffles.

use super::instruction::INTEGER;
use super::operands::{Fit, Operands};
use crate::ast::{Operand, Type};
use crate::program::{Action, Atomic, Barrier, Reduction, Reg, Shuffle, Source, Vote, VoteOf};
use crate::semantics;
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::Operation;

const WORD: Type = Type::Bits(32);

/// An instruction of this module, or `None`.
pub(super) fn lower(
    operands: &mut Operands<'_, '_>,
) -> Result<Option<(Action, Operation)>, InputError> {
    let modifiers = operands.modifiers();
    let action = match (operands.instruction.opcode.as_str(), &modifiers[..]) {
        ("bar", ["warp", "sync"]) => Action::Nothing,
        ("bar" | "barrier", rest) => {
            let rest: Vec<&str> =
                rest.iter().copied().filter(|name| !matches!(*name, "cta" | "aligned")).collect();
            return barrier(operands, &rest).map(Some);
        }
        ("vote", _) => vote(operands, &modifiers)?,
        ("activemask", ["b32"]) => {
            operands.expect(1..=1)?;
            let to = operands.target(operands.get(0)?, WORD, Fit::Exact)?;
            Action::Vote { vote: Vote::Active, members: None, of: VoteOf::Nothing, to, holds: None }
        }
        ("match", [kind @ ("any" | "all"), "sync", ty @ ("b32" | "b64")]) => {
            matching(operands, kind, ty)?
        }
        ("shfl", ["sync", kind, "b32"]) => shuffle(operands, kind, true)?,
        ("shfl", [kind, "b32"]) => shuffle(operands, kind, false)?,
        ("redux", ["sync", operation, ty @ ("u32" | "s32" | "b32")]) => {
            reduce(operands, operation, ty)?
        }
        _ => return Ok(None),
    };
    Ok(Some((action, INTEGER)))
}

pub(super) fn not_there(operands: &Operands<'_, '_>) -> InputError {
    let message = format!("`{}` is a form that is not there", operands.full_name());
    operands.refuse(message, "a form that docs/ptx.md lists")
}

fn barrier(
    operands: &mut Operands<'_, '_>,
    modifiers: &[&str],
) -> Result<(Action, Operation), InputError> {
    let number = |operands: &mut Operands<'_, '_>, index: usize| {
        operands.source(operands.get(index)?, Type::Unsigned(32), Fit::Exact)
    };
    let count = operands.instruction.operands.len();
    let (first, waits, reduction) = match modifiers {
        ["sync"] => (0, true, None),
        ["arrive"] => (0, false, None),
        ["red", "popc", "u32"] => (1, true, Some((Reduction::Count, Type::Unsigned(32)))),
        ["red", "and", "pred"] => (1, true, Some((Reduction::All, Type::Predicate))),
        ["red", "or", "pred"] => (1, true, Some((Reduction::Any, Type::Predicate))),
        _ => return Err(not_there(operands)),
    };
    let predicates = usize::from(reduction.is_some());
    operands.expect(first + 1 + predicates..=first + 2 + predicates)?;
    let threads =
        if count == first + 2 + predicates { Some(number(operands, first + 1)?) } else { None };
    if !waits && threads.is_none() {
        return Err(operands.refuse("`bar.arrive` has no count of threads", "one"));
    }
    let id = number(operands, first)?;
    let reduction = match reduction {
        None => None,
        Some((kind, ty)) => {
            let of = operands.flag(operands.get(count - 1)?)?;
            let to = operands.target(operands.get(0)?, ty, Fit::Exact)?;
            let to = to.ok_or_else(|| operands.refuse("nobody takes the result", "a register"))?;
            Some((kind, of, to))
        }
    };
    Ok((Action::Barrier(Barrier { id, threads, waits, reduction }), Operation::Barrier))
}

/// The lanes that must take part, the last operand of `.sync` forms.
fn members(operands: &mut Operands<'_, '_>, sync: bool) -> Result<Option<Source>, InputError> {
    if !sync {
        return Ok(None);
    }
    let last = operands.get(operands.instruction.operands.len() - 1)?;
    operands.source(last, WORD, Fit::Exact).map(Some)
}

fn vote(operands: &mut Operands<'_, '_>, modifiers: &[&str]) -> Result<Action, InputError> {
    let (sync, rest) = match modifiers {
        ["sync", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (vote, ty) = match rest {
        ["all", "pred"] => (Vote::All, Type::Predicate),
        ["any", "pred"] => (Vote::Any, Type::Predicate),
        ["uni", "pred"] => (Vote::Uniform, Type::Predicate),
        ["ballot", "b32"] => (Vote::Ballot, WORD),
        _ => return Err(not_there(operands)),
    };
    operands.expect(2 + usize::from(sync)..=2 + usize::from(sync))?;
    let of = match operands.get(1)? {
        // A predicate that is the same for all lanes.
        Operand::Integer(value) => {
            let bits = u64::from(*value != 0);
            VoteOf::Value(Source::Constant(operands.body.constant(bits)))
        }
        operand => VoteOf::Flag(operands.flag(operand)?),
    };
    let members = members(operands, sync)?;
    let result = operands.target(operands.get(0)?, ty, Fit::Exact)?;
    let (to, holds) = if ty == WORD { (result, None) } else { (None, result) };
    Ok(Action::Vote { vote, members, of, to, holds })
}

/// A register and a predicate, `d|p`, or the register alone.
pub(super) fn with_predicate(
    operands: &mut Operands<'_, '_>,
) -> Result<(Option<Reg>, Option<Reg>), InputError> {
    match operands.get(0)? {
        Operand::Pair(to, holds) => {
            let to = operands.target(&Operand::Name(to.clone()), WORD, Fit::Exact)?;
            let holds = Operand::Name(holds.clone());
            Ok((to, operands.target(&holds, Type::Predicate, Fit::Exact)?))
        }
        operand => Ok((operands.target(operand, WORD, Fit::Exact)?, None)),
    }
}

fn matching(operands: &mut Operands<'_, '_>, kind: &str, ty: &str) -> Result<Action, InputError> {
    operands.expect(3..=3)?;
    let (to, holds) = with_predicate(operands)?;
    let ty = if ty == "b32" { WORD } else { Type::Bits(64) };
    let of = VoteOf::Value(operands.source(operands.get(1)?, ty, Fit::Exact)?);
    let members = members(operands, true)?;
    let vote = if kind == "any" { Vote::MatchAny } else { Vote::MatchAll };
    Ok(Action::Vote { vote, members, of, to, holds })
}

fn shuffle(operands: &mut Operands<'_, '_>, kind: &str, sync: bool) -> Result<Action, InputError> {
    let shuffle = match kind {
        "up" => Shuffle::Up,
        "down" => Shuffle::Down,
        "bfly" => Shuffle::Butterfly,
        "idx" => Shuffle::Index,
        _ => return Err(not_there(operands)),
    };
    operands.expect(4 + usize::from(sync)..=4 + usize::from(sync))?;
    let (to, holds) = with_predicate(operands)?;
    let mut source = |index| operands.source(operands.get(index)?, WORD, Fit::Exact);
    let sources = [source(1)?, source(2)?, source(3)?];
    let members = members(operands, sync)?;
    Ok(Action::Shuffle { shuffle, members, sources, to, holds })
}

fn reduce(
    operands: &mut Operands<'_, '_>,
    operation: &str,
    ty: &str,
) -> Result<Action, InputError> {
    operands.expect(3..=3)?;
    let ty = semantics::parse_type(ty).unwrap_or(WORD);
    let operation = match (operation, ty) {
        ("add", Type::Unsigned(_) | Type::Signed(_)) => Atomic::Add,
        ("min", Type::Unsigned(_) | Type::Signed(_)) => Atomic::Minimum,
        ("max", Type::Unsigned(_) | Type::Signed(_)) => Atomic::Maximum,
        ("and", Type::Bits(_)) => Atomic::And,
        ("or", Type::Bits(_)) => Atomic::Or,
        ("xor", Type::Bits(_)) => Atomic::Xor,
        _ => return Err(not_there(operands)),
    };
    let to = operands.target(operands.get(0)?, ty, Fit::Exact)?;
    let source = operands.source(operands.get(1)?, ty, Fit::Exact)?;
    let members = operands.source(operands.get(2)?, WORD, Fit::Exact)?;
    Ok(to.map_or(Action::Nothing, |to| Action::Reduce { operation, ty, members, source, to }))
}
