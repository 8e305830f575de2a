//! `mbarrier`, and copies that arrive at one.

use std::rc::Rc;

use super::instruction::INTEGER;
use super::memory::{self, Modifiers};
use super::moves::space;
use super::operands::{Fit, Operands};
use super::warp_wide::not_there;
use crate::ast::{Operand, Space, Type};
use crate::program::{Action, Mbarrier, Phased, Source};
use crate::semantics::Apply;
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::{Access, Operation};

const LONG: Type = Type::Bits(64);
const COUNT: Type = Type::Unsigned(32);
/// Bits of the count of those that have not arrived: the low ones of a state.
pub(crate) const COUNT_BITS: u32 = 20;

/// An instruction of this module, or `None`.
pub(super) fn lower(
    operands: &mut Operands<'_, '_>,
) -> Result<Option<(Action, Operation)>, InputError> {
    let modifiers = operands.modifiers();
    let rest = match (operands.instruction.opcode.as_str(), &modifiers[..]) {
        ("mbarrier", rest) => rest,
        // Copies are done at once, so what waits for them arrives with this instruction.
        ("cp", ["async", "mbarrier", rest @ ..]) => return copied(operands, rest).map(Some),
        _ => return Ok(None),
    };
    let [name, rest @ .., "b64"] = rest else { return Err(not_there(operands)) };
    match *name {
        "init" => one(operands, Phased::Initialize, rest, 1).map(Some),
        "inval" => one(operands, Phased::Invalidate, rest, 0).map(Some),
        "expect_tx" => one(operands, Phased::Expect, rest, 1).map(Some),
        "complete_tx" => one(operands, Phased::Complete, rest, 1).map(Some),
        "arrive" | "arrive_drop" if rest.first() == Some(&"expect_tx") => {
            let phased = Phased::ArriveExpecting { drops: *name == "arrive_drop" };
            arrive(operands, phased, &rest[1..]).map(Some)
        }
        "arrive" | "arrive_drop" => {
            let (more_come, rest) = match rest {
                ["noComplete", rest @ ..] => (true, rest),
                rest => (false, rest),
            };
            let phased = Phased::Arrive { drops: *name == "arrive_drop", more_come };
            arrive(operands, phased, rest).map(Some)
        }
        "test_wait" | "try_wait" => {
            let (phased, rest) = match rest {
                ["parity", rest @ ..] => (Phased::TestParity, rest),
                rest => (Phased::Test, rest),
            };
            wait(operands, phased, rest, *name == "try_wait").map(Some)
        }
        "pending_count" if rest.is_empty() => pending(operands).map(Some),
        _ => Err(not_there(operands)),
    }
}

/// The object in operand `index`, of which `modifiers` say the order, the scope and the space.
fn object(
    operands: &mut Operands<'_, '_>,
    (phased, index): (Phased, usize),
    modifiers: &[&str],
) -> Result<(Mbarrier, Operation), InputError> {
    let order = ["release", "acquire", "relaxed", "cta", "cluster"];
    let rest: Vec<&str> = modifiers.iter().copied().filter(|name| !order.contains(name)).collect();
    let space = match rest[..] {
        [] => None,
        [name] => Some(space(name).filter(|space| match space {
            Space::Shared => true,
            // Who arrives there learns nothing of it.
            Space::Cluster => is_of_cluster(operands, phased),
            _ => false,
        })),
        _ => Some(None),
    };
    if space == Some(None) {
        return Err(not_there(operands));
    }
    let modifiers = Modifiers::of(space.flatten(), LONG);
    let (at, issue) = memory::lookup(operands, index, &modifiers, Access::Atomic)?;
    Ok((Mbarrier { phased, at, operand: None, to: None }, issue))
}

/// Whether it may be about an object of another block.
fn is_of_cluster(operands: &Operands<'_, '_>, phased: Phased) -> bool {
    let first = operands.instruction.operands.first();
    let told = !matches!(first, Some(Operand::Name(name)) if name == "_");
    match phased {
        Phased::Expect | Phased::Complete => true,
        Phased::Arrive { more_come, .. } => !more_come && !told,
        Phased::ArriveExpecting { .. } => !told,
        _ => false,
    }
}

fn done((found, issue): (Mbarrier, Operation)) -> (Action, Operation) {
    (Action::Mbarrier(Box::new(found)), issue)
}

/// One that gives nothing, with so many operands behind the address.
fn one(
    operands: &mut Operands<'_, '_>,
    phased: Phased,
    modifiers: &[&str],
    count: usize,
) -> Result<(Action, Operation), InputError> {
    operands.expect(1 + count..=1 + count)?;
    let (mut found, issue) = object(operands, (phased, 0), modifiers)?;
    if count == 1 {
        found.operand = Some(operands.source(operands.get(1)?, COUNT, Fit::Exact)?);
    }
    Ok(done((found, issue)))
}

fn arrive(
    operands: &mut Operands<'_, '_>,
    phased: Phased,
    modifiers: &[&str],
) -> Result<(Action, Operation), InputError> {
    // What must not complete a phase states its count, and so does what expects transactions.
    let least = if matches!(phased, Phased::Arrive { more_come: false, .. }) { 2 } else { 3 };
    operands.expect(least..=3)?;
    let (mut found, issue) = object(operands, (phased, 1), modifiers)?;
    found.operand = match operands.instruction.operands.get(2) {
        Some(count) => Some(operands.source(count, COUNT, Fit::Exact)?),
        None => Some(Source::Constant(operands.body.constant(1))),
    };
    found.to = operands.target(operands.get(0)?, LONG, Fit::Exact)?;
    Ok(done((found, issue)))
}

fn wait(
    operands: &mut Operands<'_, '_>,
    phased: Phased,
    modifiers: &[&str],
    has_hint: bool,
) -> Result<(Action, Operation), InputError> {
    operands.expect(3..=3 + usize::from(has_hint))?;
    let (mut found, issue) = object(operands, (phased, 1), modifiers)?;
    let ty = if phased == Phased::Test { LONG } else { COUNT };
    found.operand = Some(operands.source(operands.get(2)?, ty, Fit::Exact)?);
    if let Some(hint) = operands.instruction.operands.get(3) {
        operands.source(hint, COUNT, Fit::Exact)?;
    }
    found.to = operands.target(operands.get(0)?, Type::Predicate, Fit::Exact)?;
    Ok(done((found, issue)))
}

/// How many had not arrived when the state was taken.
fn pending(operands: &mut Operands<'_, '_>) -> Result<(Action, Operation), InputError> {
    operands.expect(2..=2)?;
    let to = operands.target(operands.get(0)?, COUNT, Fit::Exact)?;
    let sources = vec![operands.source(operands.get(1)?, LONG, Fit::Exact)?];
    let apply = Apply::value(|sources, to| {
        for (state, to) in sources[0].iter().zip(to) {
            *to = state & ((1 << COUNT_BITS) - 1);
        }
    });
    Ok((Action::Compute { apply: Rc::new(apply), sources, to, signed: None }, INTEGER))
}

/// `cp.async.mbarrier.arrive`: unless `.noinc` is there, one more is awaited first.
fn copied(
    operands: &mut Operands<'_, '_>,
    modifiers: &[&str],
) -> Result<(Action, Operation), InputError> {
    let ["arrive", rest @ .., "b64"] = modifiers else { return Err(not_there(operands)) };
    let (arrivals, rest) = match rest {
        ["noinc", rest @ ..] => (1, rest),
        rest => (0, rest),
    };
    operands.expect(1..=1)?;
    let phased = Phased::Arrive { drops: false, more_come: false };
    let (mut found, issue) = object(operands, (phased, 0), rest)?;
    found.operand = Some(Source::Constant(operands.body.constant(arrivals)));
    Ok(done((found, issue)))
}
