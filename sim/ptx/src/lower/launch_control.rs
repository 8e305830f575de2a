//! `griddepcontrol` and `clusterlaunchcontrol`: kernels that begin before the one before has ended,
//! and blocks that take others that have not started.

use super::instruction::INTEGER;
use super::memory::{self, Modifiers};
use super::operands::{Fit, Operands};
use super::warp_wide::not_there;
use crate::ast::{Operand, Space, Type};
use crate::program::{Action, LaunchControl, Lookup, Source};
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::{Access, Operation};

const HALF: Type = Type::Bits(64);
const WORD: Type = Type::Bits(32);

/// An instruction of this module, or `None`.
pub(super) fn lower(
    operands: &mut Operands<'_, '_>,
) -> Result<Option<(Action, Operation)>, InputError> {
    let modifiers = operands.modifiers();
    match (operands.instruction.opcode.as_str(), &modifiers[..]) {
        ("griddepcontrol", ["launch_dependents"]) => {
            operands.expect(0..=0)?;
            Ok(Some((Action::Nothing, Operation::Trigger)))
        }
        ("griddepcontrol", ["wait"]) => {
            operands.expect(0..=0)?;
            Ok(Some((Action::Nothing, Operation::AwaitPredecessor)))
        }
        ("clusterlaunchcontrol", ["try_cancel", "async", rest @ .., "b128"]) => {
            cancel(operands, rest).map(|found| Some(done(found, Operation::Cancel)))
        }
        ("clusterlaunchcontrol", ["query_cancel", rest @ .., "b128"]) => {
            query(operands, rest).map(|found| Some(done(found, INTEGER)))
        }
        ("griddepcontrol" | "clusterlaunchcontrol", _) => Err(not_there(operands)),
        _ => Ok(None),
    }
}

fn done(found: LaunchControl, operation: Operation) -> (Action, Operation) {
    (Action::LaunchControl(Box::new(found)), operation)
}

/// `clusterlaunchcontrol.try_cancel`
fn cancel(
    operands: &mut Operands<'_, '_>,
    modifiers: &[&str],
) -> Result<LaunchControl, InputError> {
    let (space, rest) = match modifiers {
        ["shared::cta", rest @ ..] => (Some(Space::Shared), rest),
        rest => (None, rest),
    };
    let multicast = match rest {
        ["mbarrier::complete_tx::bytes"] => false,
        ["mbarrier::complete_tx::bytes", "multicast::cluster::all"] => true,
        _ => return Err(not_there(operands)),
    };
    operands.expect(2..=2)?;
    let mut place = |index| -> Result<Lookup, InputError> {
        let modifiers = Modifiers::of(space, HALF);
        memory::lookup(operands, index, &modifiers, Access::Atomic).map(|(lookup, _)| lookup)
    };
    Ok(LaunchControl::Cancel { to: place(0)?, mbarrier: place(1)?, multicast })
}

/// `clusterlaunchcontrol.query_cancel`
fn query(operands: &mut Operands<'_, '_>, modifiers: &[&str]) -> Result<LaunchControl, InputError> {
    operands.expect(2..=2)?;
    let answer = answer(operands)?;
    let first = operands.get(0)?;
    let axis = match modifiers {
        ["is_canceled", "pred"] => {
            let to = operands.target(first, Type::Predicate, Fit::Exact)?;
            return Ok(LaunchControl::IsCancelled { answer, to });
        }
        ["get_first_ctaid", "v4", "b32"] => {
            let parts = operands.parts_of(std::slice::from_ref(first));
            let [x, y, z, rest] = &parts[..] else {
                let message = format!("`{}` has a vector of {}", operands.full_name(), parts.len());
                return Err(operands.refuse(message, "4 registers"));
            };
            let mut target = |part: &Operand| operands.target(part, WORD, Fit::Exact);
            let to = [target(x)?, target(y)?, target(z)?, target(rest)?];
            return Ok(LaunchControl::FirstBlock { answer, to });
        }
        ["get_first_ctaid::x", "b32"] => 0,
        ["get_first_ctaid::y", "b32"] => 1,
        ["get_first_ctaid::z", "b32"] => 2,
        _ => return Err(not_there(operands)),
    };
    let mut to = [None; 4];
    to[axis] = operands.target(first, WORD, Fit::Exact)?;
    Ok(LaunchControl::FirstBlock { answer, to })
}

/// The two halves of the answer that a register of 128 bits holds.
fn answer(operands: &mut Operands<'_, '_>) -> Result<[Source; 2], InputError> {
    let operand = operands.get(1)?;
    let parts = operands.parts_of(std::slice::from_ref(operand));
    let ([low, high], Operand::Name(_)) = (&parts[..], operand) else {
        let message = format!("an answer of `{}` is in what has no 128 bits", operands.full_name());
        return Err(operands.refuse(message, "a register of `.b128`"));
    };
    Ok([operands.source(low, HALF, Fit::Exact)?, operands.source(high, HALF, Fit::Exact)?])
}
