//! Steps as they are executed: lanes meet again, registers have slots, the timing knows them.

use rustc_hash::FxHashMap;

use super::body::Body;
use super::instruction::Lowered;
use crate::ast::{Span, Type};
use crate::flow::{self, ptxas, Class, Lifetimes, Node, Slots};
use crate::program::{Action, Intrinsic, Issue, Reg, Source, Step, Use};
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::{Access, Operation, Register, Space, MAX_SOURCES};

/// Names of the scoreboard for values, from 0 on; predicates have those behind them.
const VALUES: u32 = 192;
/// Names for predicates. Not all of those that are left: the last one means none.
const PREDICATES: u32 = 62;

/// A function that has been finished.
pub(super) struct Finished {
    pub steps: Vec<Step>,
    /// Places of registers of up to 32 bits, of wider ones, and of predicates.
    pub narrow: usize,
    pub wide: usize,
    pub flags: usize,
    /// Registers of 32 bits that a thread needs.
    pub registers: u32,
}

/// Finishes the instructions of `body` for the architecture `sm`.
pub(super) fn finish(
    body: &Body<'_>,
    mut lowered: Vec<Lowered>,
    sm: u32,
) -> Result<Finished, InputError> {
    let end = &body.function.span;
    if needs_return(&lowered) {
        lowered.push(end_of_function(end));
    }
    let nodes = nodes(&mut lowered);
    let classes: Vec<Class> = body.types.iter().map(|ty| class(*ty)).collect();
    let lifetimes = Lifetimes::new(&nodes, body.types.len());
    let Some(slots) = Slots::new(&lifetimes, &classes) else {
        return Err(body.refuse(end, "too many values are needed at once", "fewer than 65,536"));
    };
    let mut sizes: Vec<u8> = body.types.iter().map(|ty| size(*ty)).collect();
    let makes: Vec<bool> = lowered.iter().map(is_made_again).collect();
    ptxas::leave_out_remade(&nodes, &makes, &mut sizes);
    let registers = ptxas::registers(lifetimes.pressure(&sizes), sm);
    let meets = flow::reconvergence(&nodes);
    let flags = usize::from(slots.predicates);
    let mut places =
        Places { types: &body.types, slots, known: FxHashMap::default(), counts: [0; 2] };
    let steps = lowered.into_iter().zip(meets).map(|(mut lowered, meets)| {
        meet(&mut lowered.action, meets);
        step(lowered, &mut places)
    });
    let steps = steps.collect();
    let [narrow, wide] = places.counts.map(|count| count as usize);
    Ok(Finished { steps, narrow, wide, flags, registers })
}

/// Where registers are kept. What the timing sees as a slot has a place for values of up to 32 bits
/// and one for wider ones, each if there are any.
struct Places<'a> {
    types: &'a [Type],
    slots: Slots,
    /// The places that there are so far, by slot and whether they are for wider ones.
    known: FxHashMap<(u16, bool), u32>,
    /// How many of them are for values of up to 32 bits, and for wider ones.
    counts: [u32; 2],
}

impl Places<'_> {
    /// The class and slot of a register, and where it is kept.
    fn find(&mut self, register: Reg) -> (Class, u32, Reg) {
        let number = register.0 as usize;
        let (ty, slot) = (self.types[number], self.slots.slot_of[number]);
        let class = class(ty);
        if class == Class::Predicate {
            return (class, slot.into(), Reg(slot.into()));
        }
        let wide = ty.width() > 32;
        let place = *self.known.entry((slot, wide)).or_insert_with(|| {
            let count = &mut self.counts[usize::from(wide)];
            *count += 1;
            *count - 1
        });
        (class, slot.into(), Reg::at(place, wide))
    }
}

/// The return behind the last instruction.
fn end_of_function(span: &Span) -> Lowered {
    Lowered::unguarded((Action::Return, super::instruction::INTEGER), span)
}

/// Whether threads come to the end of `lowered` without a return.
pub(super) fn needs_return(lowered: &[Lowered]) -> bool {
    lowered.last().is_none_or(falls_through) || targets(lowered)
}

fn falls_through(last: &Lowered) -> bool {
    let ends = matches!(
        last.action,
        Action::Return
            | Action::Exit
            | Action::Trap
            | Action::Branch { .. }
            | Action::BranchIndexed { .. }
    );
    !ends || last.guard.is_some()
}

/// Whether a label stands behind the last instruction.
fn targets(lowered: &[Lowered]) -> bool {
    let end = lowered.len() as u32;
    lowered.iter().any(|step| match &step.action {
        Action::Branch { target, .. } => *target == end,
        Action::BranchIndexed { targets, .. } => targets.contains(&end),
        _ => false,
    })
}

fn nodes(lowered: &mut [Lowered]) -> Vec<Node> {
    let nodes = (0..).zip(lowered).map(|(at, step)| {
        let mut node = Node { keeps: step.guard.is_some(), ..Node::default() };
        node.reads.extend(step.guard.map(|guard| guard.register.0));
        step.action.registers(&mut |register, by| match by {
            Use::Read => node.reads.push(register.0),
            Use::Write => node.writes.push(register.0),
        });
        let next = at + 1;
        node.fails = step.guard.is_none() && fails(&step.action);
        node.successors = match &step.action {
            _ if node.fails => vec![],
            Action::Branch { target, .. } if step.guard.is_none() => vec![*target],
            Action::Branch { target, .. } => vec![next, *target],
            Action::BranchIndexed { targets, .. } if step.guard.is_none() => targets.clone(),
            Action::BranchIndexed { targets, .. } => [&[next], &targets[..]].concat(),
            Action::Return | Action::Exit | Action::Trap if step.guard.is_none() => vec![],
            // The lanes that leave keep nobody from meeting the others again.
            _ => vec![next],
        };
        node
    });
    nodes.collect()
}

/// Whether no thread goes on behind it.
fn fails(action: &Action) -> bool {
    let failed = Intrinsic::AssertionFailed;
    match action {
        Action::Intrinsic { intrinsic, .. } => *intrinsic == failed,
        other => matches!(other, Action::Trap),
    }
}

fn class(ty: Type) -> Class {
    if ty == Type::Predicate {
        Class::Predicate
    } else {
        Class::General
    }
}

/// Registers of 32 bits that a value takes.
fn size(ty: Type) -> u8 {
    match ty.width() {
        1 => 0,
        64 => 2,
        128 => 4,
        _ => 1,
    }
}

/// Whether it only takes what lies in constant memory or in the code; see
/// [`ptxas::leave_out_remade`].
fn is_made_again(step: &Lowered) -> bool {
    match &step.action {
        Action::Load { .. } => {
            matches!(
                step.operation,
                Operation::Memory { space: Space::Constant, access: Access::Load, .. }
            )
        }
        Action::Compute { sources, .. } => {
            sources.iter().all(|source| !matches!(source, Source::Special(_))) && sources.len() == 1
        }
        _ => false,
    }
}

fn meet(action: &mut Action, meets: Option<u32>) {
    if let Action::Branch { reconverge, .. } | Action::BranchIndexed { reconverge, .. } = action {
        *reconverge = meets;
    }
}

/// `lowered` with places instead of registers.
fn step(mut lowered: Lowered, places: &mut Places<'_>) -> Step {
    let mut sources = [None; MAX_SOURCES];
    let mut read = 0;
    let mut destination = None;
    let mut place = |register: &mut Reg, by| {
        let (class, slot, found) = places.find(*register);
        let name = match class {
            Class::General => slot % VALUES,
            Class::Predicate => VALUES + slot % PREDICATES,
        } as Register;
        *register = found;
        match by {
            // Of more sources than the timing takes, the last are left out.
            Use::Read if read < MAX_SOURCES && !sources.contains(&Some(name)) => {
                sources[read] = Some(name);
                read += 1;
            }
            Use::Read => {}
            Use::Write => destination = destination.or(Some(name)),
        }
    };
    if let Some(guard) = &mut lowered.guard {
        place(&mut guard.register, Use::Read);
    }
    lowered.action.registers(&mut place);
    Step {
        guard: lowered.guard,
        action: lowered.action,
        issue: Issue { operation: lowered.operation, destination, sources },
        span: lowered.span,
    }
}
