//! Parameters and results that are registers, as in files of PTX 1 to 3: they are passed in memory,
//! like all others.

use std::rc::Rc;

use super::body::Body;
use super::instruction::INTEGER;
use crate::ast::{Space, Type};
use crate::program::{Action, Address, Flag, Lookup, Place, Reg, Source};
use crate::semantics;
use blockyard_gpu::program::{self as gpu, Access, Operation};

/// An action, and what the timing sees of it.
pub(super) type Beside = (Action, Operation);

/// A predicate is passed as 1 or 0.
const WORD: Type = Type::Unsigned(32);

/// Bytes that a value of type `ty` takes.
pub(super) fn bytes(ty: Type) -> u64 {
    passed_as(ty).bytes()
}

fn passed_as(ty: Type) -> Type {
    if ty == Type::Predicate {
        WORD
    } else {
        ty
    }
}

/// The place behind `size` bytes for `bytes` more.
pub(super) fn behind(size: &mut u64, bytes: u64) -> Place {
    let offset = size.next_multiple_of(bytes.max(1).next_power_of_two());
    *size = offset + bytes;
    Place { offset, bytes }
}

fn access(ty: Type, offset: u64, access: Access) -> (Lookup, Operation) {
    let address = Address { base: None, offset: offset as i64 };
    let bytes = ty.bytes() as u8;
    let operation = Operation::Memory { space: gpu::Space::Constant, access, bytes };
    (Lookup { space: Some(Space::Parameter), ty, address }, operation)
}

/// Reads `register` from the parameters at `offset`.
pub(super) fn take(body: &mut Body<'_>, register: Reg, offset: u64) -> Vec<Beside> {
    let ty = body.types[register.0 as usize];
    let (from, operation) = access(passed_as(ty), offset, Access::Load);
    let load = |to| (Action::Load { from, to: vec![Some(to)], signed: None }, operation);
    if ty != Type::Predicate {
        return vec![load(register)];
    }
    let word = body.unnamed(WORD);
    let zero = Source::Constant(body.constant(0));
    let form = semantics::form("setp", &["ne", "u32"]).expect("there is such a form");
    let test = Action::Test {
        apply: Rc::new(form.apply),
        combine: None,
        sources: vec![Source::Register(word), zero],
        to: Some(register),
        complement: None,
        value: None,
    };
    vec![load(word), (test, INTEGER)]
}

/// Writes a value of type `ty` to the parameters at `offset`.
pub(super) fn give(value: Source, ty: Type, offset: u64) -> Beside {
    let (to, operation) = access(ty, offset, Access::Store);
    (Action::Store { to, values: vec![value] }, operation)
}

/// Writes `register` to the parameters at `offset`.
pub(super) fn give_register(body: &mut Body<'_>, register: Reg, offset: u64) -> Vec<Beside> {
    let ty = body.types[register.0 as usize];
    if ty != Type::Predicate {
        return vec![give(Source::Register(register), ty, offset)];
    }
    let word = body.unnamed(WORD);
    let sources = [1, 0].map(|value| Source::Constant(body.constant(value)));
    let by = Flag { register, negated: false };
    let select = Action::Select { sources, by, to: word };
    vec![(select, INTEGER), give(Source::Register(word), WORD, offset)]
}

/// Writes all results of the function that are registers.
pub(super) fn give_all(body: &mut Body<'_>) -> Vec<Beside> {
    let gives = body.gives.clone();
    gives
        .into_iter()
        .flat_map(|(register, place)| give_register(body, register, place.offset))
        .collect()
}
