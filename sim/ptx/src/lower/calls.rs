//! Calls: of functions, of the device's runtime, by address; and branches by a table.

use super::body::Named;
use super::instruction::INTEGER;
use super::operands::{Fit, Operands};
use crate::ast::{Operand, Type};
use crate::program::{Action, Callee, Intrinsic, Place};
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::Operation;

/// The functions that the runtime has, with how many parameters they take.
const INTRINSICS: &[(&str, usize, Intrinsic)] = &[
    ("cudaGetParameterBufferV2", 4, Intrinsic::BufferFor),
    ("__cudaCDP2GetParameterBufferV2", 4, Intrinsic::BufferFor),
    ("cudaLaunchDeviceV2", 2, Intrinsic::LaunchBuffer),
    ("__cudaCDP2LaunchDeviceV2", 2, Intrinsic::LaunchBuffer),
    ("cudaGetParameterBuffer", 2, Intrinsic::Buffer),
    ("__cudaCDP2GetParameterBuffer", 2, Intrinsic::Buffer),
    ("cudaLaunchDevice", 6, Intrinsic::LaunchFunction),
    ("__cudaCDP2LaunchDevice", 6, Intrinsic::LaunchFunction),
    ("blockyard_launch_group", 1, Intrinsic::LaunchGroup),
    ("cudaDeviceSynchronize", 0, Intrinsic::Synchronize),
    ("__cudaCDP2DeviceSynchronize", 0, Intrinsic::Synchronize),
    ("cudaStreamCreateWithFlags", 2, Intrinsic::Accepted),
    ("__cudaCDP2StreamCreateWithFlags", 2, Intrinsic::Accepted),
    ("cudaStreamDestroy", 1, Intrinsic::Accepted),
    ("__cudaCDP2StreamDestroy", 1, Intrinsic::Accepted),
    ("cudaEventCreateWithFlags", 2, Intrinsic::Accepted),
    ("cudaEventRecord", 2, Intrinsic::Accepted),
    ("cudaEventDestroy", 1, Intrinsic::Accepted),
    ("cudaStreamWaitEvent", 3, Intrinsic::Accepted),
    ("cudaGetLastError", 0, Intrinsic::Accepted),
    ("__cudaCDP2GetLastError", 0, Intrinsic::Accepted),
    ("cudaPeekAtLastError", 0, Intrinsic::Accepted),
    ("vprintf", 2, Intrinsic::Print),
    ("__assertfail", 5, Intrinsic::AssertionFailed),
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
    let passed = |operands: &Operands<'_, '_>, list: &[Operand]| {
        list.iter().map(|operand| place(operands, operand)).collect::<Result<Vec<Place>, _>>()
    };
    let (results, arguments) = (passed(operands, results)?, passed(operands, arguments)?);
    if let Some(Named::Register(_)) = operands.find(name) {
        let source = operands.source(&Operand::Name(name.clone()), Type::Bits(64), Fit::Exact)?;
        let function = Callee::Indirect(source);
        return Ok((Action::Call { function, arguments, results }, INTEGER));
    }
    if let Some(&number) = operands.body.functions.get(name.as_str()) {
        let function = Callee::Known(number);
        return Ok((Action::Call { function, arguments, results }, INTEGER));
    }
    intrinsic(operands, name, arguments, &results)
}

fn intrinsic(
    operands: &Operands<'_, '_>,
    name: &str,
    arguments: Vec<Place>,
    results: &[Place],
) -> Result<(Action, Operation), InputError> {
    let known = INTRINSICS.iter().find(|(known, ..)| *known == name);
    let Some(&(_, parameters, intrinsic)) = known else {
        let message = format!("the function `{name}` is called and not defined");
        return Err(operands.refuse(message, "a function of this file or of the device's runtime"));
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
    let result = results.first().copied();
    Ok((Action::Intrinsic { intrinsic, arguments, result }, operation))
}

/// Where the argument or result `operand` is.
fn place(operands: &Operands<'_, '_>, operand: &Operand) -> Result<Place, InputError> {
    let Operand::Name(name) = operand else {
        return Err(operands.refuse("a call passes a number", "a variable in `.param`"));
    };
    let own = operands.body.own_parameters();
    match operands.find(name) {
        Some(Named::Passed(place)) => Ok(Place { offset: own + place.offset, ..place }),
        Some(_) => {
            Err(operands.refuse(format!("a call passes `{name}`"), "a variable in `.param`"))
        }
        None => Err(operands.refuse(format!("nobody declares `{name}`"), "a variable in `.param`")),
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
