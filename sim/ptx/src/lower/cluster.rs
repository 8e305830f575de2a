//! The barrier of a cluster, and addresses in shared memory of its blocks.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::instruction::INTEGER;
use super::operands::{Fit, Operands};
use super::warp_wide::not_there;
use crate::ast::{Space, Type};
use crate::program::{Action, Callee, ClusterAddress, Code, LaunchControl, OfCluster};
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::Operation;

const WORD: Type = Type::Bits(32);

/// An instruction of this module, or `None`.
pub(super) fn lower(
    operands: &mut Operands<'_, '_>,
) -> Result<Option<(Action, Operation)>, InputError> {
    let modifiers = operands.modifiers();
    match (operands.instruction.opcode.as_str(), &modifiers[..]) {
        ("barrier", ["cluster", rest @ ..]) => barrier(operands, rest).map(Some),
        ("mapa" | "getctarank", ["shared::cluster", size]) => {
            address(operands, (false, size)).map(Some)
        }
        ("mapa" | "getctarank", [size]) => address(operands, (true, size)).map(Some),
        ("mapa" | "getctarank", _) => Err(not_there(operands)),
        _ => Ok(None),
    }
}

/// `barrier.cluster`; what is stored is seen at once, so that orders change nothing.
fn barrier(
    operands: &mut Operands<'_, '_>,
    modifiers: &[&str],
) -> Result<(Action, Operation), InputError> {
    let of = match modifiers {
        [of @ .., "aligned"] => of,
        of => of,
    };
    let (waits, operation) = match of {
        ["arrive"] | ["arrive", "release" | "relaxed"] => (false, Operation::ClusterArrive),
        ["wait"] | ["wait", "acquire"] => (true, Operation::ClusterWait),
        _ => return Err(not_there(operands)),
    };
    operands.expect(0..=0)?;
    Ok((Action::ClusterBarrier { waits }, operation))
}

/// `mapa` and `getctarank`
fn address(
    operands: &mut Operands<'_, '_>,
    (generic, size): (bool, &str),
) -> Result<(Action, Operation), InputError> {
    let ty = match size {
        "u32" => WORD,
        "u64" => Type::Bits(64),
        _ => return Err(not_there(operands)),
    };
    let maps = operands.instruction.opcode == "mapa";
    let count = if maps { 3 } else { 2 };
    operands.expect(count..=count)?;
    let to = operands.target(operands.get(0)?, if maps { ty } else { WORD }, Fit::Exact)?;
    let address = operands.source(operands.get(1)?, ty, Fit::Exact)?;
    let of = match maps {
        true => {
            let rank = operands.source(operands.get(2)?, WORD, Fit::Exact)?;
            OfCluster::Address { rank }
        }
        false => OfCluster::Rank,
    };
    let found = ClusterAddress { of, address, generic, to };
    Ok((Action::ClusterAddress(Box::new(found)), INTEGER))
}

/// Whether a thread of the kernel with the number `entry` may come to the barrier of its cluster,
/// or to shared memory of another block there. Who is called by address may be any function.
pub(super) fn works_in_cluster(functions: &[Rc<Code>], entry: u32) -> bool {
    let mut reached = BTreeSet::from([entry]);
    let mut open = vec![entry];
    while let Some(number) = open.pop() {
        let Some(code) = functions.get(number as usize) else { continue };
        for step in &code.steps {
            match &step.action {
                Action::Call { function: Callee::Known(callee), .. } => {
                    open.extend(reached.insert(*callee).then_some(*callee));
                }
                Action::Call { function: Callee::Indirect(_), .. } => {
                    let all = 0..functions.len() as u32;
                    open.extend(all.filter(|callee| reached.insert(*callee)));
                }
                action if is_of_cluster(action) => return true,
                _ => {}
            }
        }
    }
    false
}

fn is_of_cluster(action: &Action) -> bool {
    match action {
        Action::ClusterBarrier { .. } => true,
        Action::ClusterAddress(address) => matches!(address.of, OfCluster::Address { .. }),
        Action::Load { from: at, .. }
        | Action::Store { to: at, .. }
        | Action::Atomic { at, .. }
        | Action::AtomicPair { at, .. } => at.space == Some(Space::Cluster),
        Action::Mbarrier(mbarrier) => mbarrier.at.space == Some(Space::Cluster),
        Action::LaunchControl(control) => {
            matches!(**control, LaunchControl::Cancel { multicast: true, .. })
        }
        _ => false,
    }
}
