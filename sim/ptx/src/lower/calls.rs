//! Calls: of functions, of the device's runtime, by address; and branches by a table.

use super::instruction::INTEGER;
use super::names::Named;
use super::operands::{Fit, Operands};
use super::passing;
use crate::ast::{Operand, Space, Type, Variable};
use crate::program::{Action, Callee, Intrinsic, Place};
use crate::semantics::Function;
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::{Operation, Unit};

/// The functions that the runtime has, with how many parameters they take. Those of CUDA's own
/// stand for themselves and for those that begin with `__cudaCDP2` instead.
const INTRINSICS: &[(&str, usize, Intrinsic)] = &[
    ("cudaGetParameterBufferV2", 4, Intrinsic::BufferFor),
    ("cudaLaunchDeviceV2", 2, Intrinsic::LaunchBuffer),
    ("cudaGetParameterBuffer", 2, Intrinsic::Buffer),
    ("cudaLaunchDevice", 6, Intrinsic::LaunchFunction),
    ("blockyard_launch_group", 1, Intrinsic::LaunchGroup),
    ("cudaDeviceSynchronize", 0, Intrinsic::Synchronize),
    ("cudaStreamCreateWithFlags", 2, Intrinsic::Accepted),
    ("cudaStreamDestroy", 1, Intrinsic::Accepted),
    ("cudaEventCreateWithFlags", 2, Intrinsic::Accepted),
    ("cudaEventRecord", 2, Intrinsic::Accepted),
    ("cudaEventRecordWithFlags", 3, Intrinsic::Accepted),
    ("cudaEventDestroy", 1, Intrinsic::Accepted),
    ("cudaStreamWaitEvent", 3, Intrinsic::Accepted),
    ("cudaGetLastError", 0, Intrinsic::Accepted),
    ("cudaPeekAtLastError", 0, Intrinsic::Accepted),
    ("cudaMalloc", 2, Intrinsic::AllocateAt),
    ("cudaFree", 1, Intrinsic::Release),
    ("cudaMemcpyAsync", 5, Intrinsic::Copy),
    ("cudaMemsetAsync", 4, Intrinsic::Fill),
    ("cudaGetDevice", 1, Intrinsic::Device),
    ("cudaGetDeviceCount", 1, Intrinsic::DeviceCount),
    ("cudaDeviceGetAttribute", 3, Intrinsic::Attribute),
    ("cudaOccupancyMaxActiveBlocksPerMultiprocessor", 4, Intrinsic::Occupancy),
    ("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", 5, Intrinsic::Occupancy),
    ("vprintf", 2, Intrinsic::Print),
    ("__assertfail", 5, Intrinsic::AssertionFailed),
    ("__assert_fail", 4, Intrinsic::AssertionFailed),
    ("malloc", 1, Intrinsic::Allocate),
    ("free", 1, Intrinsic::Release),
];

/// `call`.
pub(super) fn lower(operands: &mut Operands<'_, '_>) -> Result<(Action, Operation), InputError> {
    let modifiers = operands.modifiers();
    if !(modifiers.is_empty() || modifiers == ["uni"]) {
        let message = format!("`{}` is a form that is not there", operands.full_name());
        return Err(operands.refuse(message, "`call` or `call.uni`"));
    }
    let (results, rest) = match &operands.instruction.operands[..] {
        [Operand::List(results), rest @ ..] => (&results[..], rest),
        rest => (&[][..], rest),
    };
    let (Some(Operand::Name(name)), arguments) = (rest.first(), rest.get(1)) else {
        return Err(operands.refuse("a call has no function", "`call (result), function, (a, b);`"));
    };
    let arguments = match arguments {
        Some(Operand::List(arguments)) => &arguments[..],
        _ => &[],
    };
    let number = operands.body.functions.numbers.get(name.as_str()).copied();
    let number = if operands.find(name).is_none() { number } else { None };
    let types = declared(operands, number, rest.get(2))?;
    let mut used = 0;
    let arguments = passed(operands, arguments, types.as_deref(), &mut used)?;
    let results = taken(operands, results, &mut used)?;
    let function = match number {
        Some(number) => {
            let defined = &operands.body.functions.defined[number as usize];
            let expected = types_of(&defined.returns).count();
            if results.len() != expected {
                let message = format!("`{name}` is called for {} results", results.len());
                return Err(operands.refuse(message, expected));
            }
            Callee::Known(number)
        }
        None if operands.find(name).is_some() => {
            let name = Operand::Name(name.clone());
            Callee::Indirect(operands.source(&name, Type::Bits(64), Fit::Exact)?)
        }
        None => return intrinsic(operands, name, arguments, &results),
    };
    let expected = types.map_or(arguments.len(), |types| types.len());
    if arguments.len() != expected {
        let message = format!("`{name}` is called with {} arguments", arguments.len());
        return Err(operands.refuse(message, expected));
    }
    Ok((Action::Call { function, arguments, results }, INTEGER))
}

/// The types of what the function takes, or of what the prototype says; parts of vectors apart.
fn declared(
    operands: &Operands<'_, '_>,
    number: Option<u32>,
    prototype: Option<&Operand>,
) -> Result<Option<Vec<Type>>, InputError> {
    let parameters = match (number, prototype) {
        (Some(number), _) => {
            let function = operands.body.functions.defined[number as usize];
            &function.parameters[..]
        }
        (None, Some(Operand::Name(name))) => match operands.find(name) {
            Some(Named::Prototype(parameters)) => parameters,
            Some(Named::Targets(_)) => return Ok(None),
            _ => {
                let message = format!("`{name}` says nothing of a call");
                return Err(operands.refuse(message, "`.callprototype` or `.calltargets`"));
            }
        },
        _ => return Ok(None),
    };
    Ok(Some(types_of(parameters).collect()))
}

/// The types of `parameters`, parts of vectors in registers apart.
fn types_of(parameters: &[Variable]) -> impl Iterator<Item = Type> + '_ {
    parameters.iter().flat_map(|parameter| {
        let parts = if parameter.space == Space::Register { parameter.vector } else { 1 };
        std::iter::repeat_n(parameter.ty, usize::from(parts))
    })
}

/// Where the arguments `list` are: registers and numbers are put behind the first `used` bytes.
fn passed(
    operands: &mut Operands<'_, '_>,
    list: &[Operand],
    types: Option<&[Type]>,
    used: &mut u64,
) -> Result<Vec<Place>, InputError> {
    let mut places = Vec::new();
    for operand in operands.parts_of(list) {
        if let Operand::Name(name) = &operand {
            if let Some(place) = place(operands, name) {
                places.push(place);
                continue;
            }
            if let Some(Named::Register(register)) = operands.find(name) {
                if let Some(&ty) = types.and_then(|types| types.get(places.len())) {
                    operands.check(name, register, ty, Fit::Exact)?;
                }
                let bytes = passing::bytes(operands.body.types[register.0 as usize]);
                let place = operands.body.passed_register(used, bytes);
                let given = passing::give_register(operands.body, register, place.offset);
                operands.before.extend(given);
                places.push(place);
                continue;
            }
        }
        let Some(&ty) = types.and_then(|types| types.get(places.len())) else {
            let message = "a call passes a number to a function of which nothing is known";
            return Err(operands.refuse(message, "a register or a variable in `.param`"));
        };
        let value = operands.source(&operand, ty, Fit::Exact)?;
        let place = operands.body.passed_register(used, passing::bytes(ty));
        operands.before.push(passing::give(value, ty, place.offset));
        places.push(place);
    }
    Ok(places)
}

/// Where the results `list` are: registers are taken from behind the first `used` bytes.
fn taken(
    operands: &mut Operands<'_, '_>,
    list: &[Operand],
    used: &mut u64,
) -> Result<Vec<Place>, InputError> {
    let mut places = Vec::new();
    for operand in operands.parts_of(list) {
        let Operand::Name(name) = &operand else {
            return Err(operands.refuse("a result goes to what is no register", "a register"));
        };
        if let Some(place) = place(operands, name) {
            places.push(place);
            continue;
        }
        let register = match operands.find(name) {
            Some(Named::Register(register)) => Some(register),
            None if name == "_" => None,
            _ => {
                let message = format!("the result of a call goes to `{name}`");
                return Err(operands.refuse(message, "a register or a variable in `.param`"));
            }
        };
        let bytes = register.map_or(8, |r| passing::bytes(operands.body.types[r.0 as usize]));
        let place = operands.body.passed_register(used, bytes);
        if let Some(register) = register {
            let taken = passing::take(operands.body, register, place.offset);
            operands.after.extend(taken);
        }
        places.push(place);
    }
    Ok(places)
}

fn intrinsic(
    operands: &mut Operands<'_, '_>,
    name: &str,
    arguments: Vec<Place>,
    results: &[Place],
) -> Result<(Action, Operation), InputError> {
    let of_cuda = |known: &str| {
        let (own, second) = (known.strip_prefix("cuda"), name.strip_prefix("__cudaCDP2"));
        own.is_some() && own == second
    };
    if let Some(function) = Function::named(name) {
        return library(operands, function, arguments, results);
    }
    let known = INTRINSICS.iter().find(|(known, ..)| *known == name || of_cuda(known));
    let Some(&(_, parameters, intrinsic)) = known else {
        // What a linker would look for; kernels that never come here do without it.
        return Ok((Action::Undefined(name.into()), INTEGER));
    };
    let bytes: u64 = arguments.iter().map(|place| place.bytes).sum();
    // A header may pass extents as one number each.
    let flat = intrinsic == Intrinsic::BufferFor && bytes == 36
        || intrinsic == Intrinsic::LaunchFunction && bytes == 52;
    if arguments.len() != parameters && !flat {
        let message = format!("`{name}` is called with {} arguments", arguments.len());
        return Err(operands.refuse(message, parameters));
    }
    let operation = match intrinsic {
        Intrinsic::LaunchBuffer | Intrinsic::LaunchFunction | Intrinsic::LaunchGroup => {
            Operation::Launch
        }
        _ => INTEGER,
    };
    if let Intrinsic::Copy | Intrinsic::Fill = intrinsic {
        // What was launched before comes first in a stream.
        let (arguments, result) = (Vec::new(), None);
        let intrinsic = Intrinsic::Synchronize;
        operands.before.push((Action::Intrinsic { intrinsic, arguments, result }, INTEGER));
    }
    let result = results.first().copied();
    Ok((Action::Intrinsic { intrinsic, arguments, result }, operation))
}

/// A call of a function of numbers: what its unit computes at once.
fn library(
    operands: &Operands<'_, '_>,
    function: Function,
    arguments: Vec<Place>,
    results: &[Place],
) -> Result<(Action, Operation), InputError> {
    let given: Vec<u64> = arguments.iter().map(|place| place.bytes).collect();
    let wanted = function.arguments();
    if given != wanted {
        let message = format!("`{function}` is called with arguments of {given:?} bytes");
        return Err(operands.refuse(message, format!("arguments of {wanted:?} bytes")));
    }
    let (intrinsic, result) = (Intrinsic::Math(function), results.first().copied());
    let action = Action::Intrinsic { intrinsic, arguments, result };
    Ok((action, Operation::Compute(Unit::Special)))
}

/// Where the argument or result `name` is, if it is a variable in `.param`.
fn place(operands: &Operands<'_, '_>, name: &str) -> Option<Place> {
    let own = operands.body.own_parameters();
    match operands.find(name) {
        Some(Named::Passed(place)) => Some(Place { offset: own + place.offset, ..place }),
        _ => None,
    }
}

/// `brx.idx`
pub(super) fn branch_by_index(operands: &mut Operands<'_, '_>) -> Result<Action, InputError> {
    operands.expect(2..=2)?;
    let index = operands.source(operands.get(0)?, Type::Unsigned(32), Fit::Exact)?;
    let Operand::Name(name) = operands.get(1)? else {
        return Err(operands.refuse("`brx.idx` has no table", "the name of `.branchtargets`"));
    };
    let Some(Named::Targets(labels)) = operands.find(name) else {
        return Err(
            operands.refuse(format!("`{name}` is no table"), "the name of `.branchtargets`")
        );
    };
    let targets = labels.iter().map(|label| operands.label(label)).collect::<Result<_, _>>()?;
    Ok(Action::BranchIndexed { index, targets, reconverge: None })
}
