//! Loads and stores, and what atomic operations have in common with them.

use super::atomic;
use super::instruction::widened;
use super::moves::space;
use super::operands::{Fit, Memory, Operands};
use crate::ast::{Operand, Space, Type};
use crate::program::{Action, Atomic, Lookup, Reg};
use crate::semantics::{self, is_half};
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::{self as gpu, Access, Operation};

/// `ld`, `ldu`, `st`, `atom` and `red`.
pub(super) fn lower(operands: &mut Operands<'_, '_>) -> Result<(Action, Operation), InputError> {
    match operands.instruction.opcode.as_str() {
        "ld" | "ldu" => load(operands),
        "st" => store(operands),
        "atom" => atomic::lower(operands, true),
        _ => atomic::lower(operands, false),
    }
}

/// What the modifiers of an access say.
pub(super) struct Modifiers {
    pub space: Option<Space>,
    pub vector: usize,
    pub operation: Option<Atomic>,
    pub ty: Type,
}

impl Modifiers {
    /// Those of an access to one value of type `ty`.
    pub fn of(space: Option<Space>, ty: Type) -> Self {
        Self { space, vector: 1, operation: None, ty }
    }
}

/// Orders, scopes, caches and hints: they change nothing here, where stores are seen at once.
const OF_NO_EFFECT: &[&str] = &[
    "weak",
    "volatile",
    "relaxed",
    "acquire",
    "release",
    "acq_rel",
    "mmio",
    "cta",
    "cluster",
    "gpu",
    "sys",
    "gl",
    "ca",
    "cg",
    "cs",
    "lu",
    "cv",
    "wb",
    "wt",
    "nc",
    "L1::evict_normal",
    "L1::evict_unchanged",
    "L1::evict_first",
    "L1::evict_last",
    "L1::no_allocate",
    "L2::64B",
    "L2::128B",
    "L2::256B",
    "L2::cache_hint",
    "L2::evict_normal",
    "L2::evict_first",
    "L2::evict_last",
    "unified",
];

pub(super) fn modifiers(operands: &Operands<'_, '_>) -> Result<Modifiers, InputError> {
    let names = operands.modifiers();
    let unknown = |name: &str| {
        let full = operands.full_name();
        operands.refuse(
            format!("`{full}` has the modifier `.{name}`, which is not there"),
            "a form that docs/ptx.md lists",
        )
    };
    let Some((last, before)) = names.split_last() else {
        return Err(operands.refuse("an access has no type", "a type such as `.u32`"));
    };
    // Two halves, but for what compares and exchanges both at once.
    let (last, vector) = if *last == "b128" { (&"b64", 2) } else { (last, 1) };
    let ty = semantics::parse_type(last).filter(|ty| ty.bytes() > 0 && ty.width() <= 64);
    let mut found =
        Modifiers { space: None, vector, operation: None, ty: ty.ok_or_else(|| unknown(last))? };
    let atomic = matches!(operands.instruction.opcode.as_str(), "atom" | "red");
    let arithmetic = |name: &&str| ["add", "min", "max"].contains(name);
    let of_halves = atomic && is_half(found.ty) && before.iter().any(arithmetic);
    for name in before {
        if let Some(space) = space(name) {
            found.space = Some(space);
        } else if let Some(operation) = atomic::operation(name).filter(|_| atomic) {
            found.operation = Some(operation);
        } else if let Some(vector) =
            [("v2", 2), ("v4", 4), ("v8", 8)].iter().find(|(known, _)| known == name)
        {
            found.vector *= vector.1;
        } else if !(OF_NO_EFFECT.contains(name) || *name == "noftz" && of_halves) {
            return Err(unknown(name));
        }
    }
    // Eight values, and 32 bytes, are there in global memory alone.
    let wide = found.space == Some(Space::Global) && found.ty.bytes() >= 4;
    let (bytes, most) = (found.vector as u64 * found.ty.bytes(), if wide { 32 } else { 16 });
    if bytes > most || found.vector == 8 && !wide && !of_halves {
        let message = format!("`{}` accesses {bytes} bytes at once", operands.full_name());
        let expected = "at most 16, or 32 of words in `.global`";
        return Err(operands.refuse(message, expected));
    }
    Ok(found)
}

/// The address in operand `index`, and what the timing sees of the access.
pub(super) fn lookup(
    operands: &mut Operands<'_, '_>,
    index: usize,
    modifiers: &Modifiers,
    access: Access,
) -> Result<(Lookup, Operation), InputError> {
    let (named, mut address) = operands.address(operands.get(index)?)?;
    let said = modifiers.space;
    let space = match (named, said) {
        (None, said) => said,
        // Among the bytes that are passed on, behind the function's own parameters.
        (Some(Memory::Passed(place)), Some(Space::Parameter) | None) => {
            let own = operands.body.own_parameters();
            address.offset = address.offset.wrapping_add((own + place.offset) as i64);
            Some(Space::Parameter)
        }
        (Some(Memory::Own), Some(Space::Parameter) | None) => Some(Space::Parameter),
        (Some(Memory::Space(space)), Some(said)) if space == said => Some(space),
        // The own block's are among those of the cluster.
        (Some(Memory::Space(Space::Shared)), Some(Space::Cluster)) => said,
        (Some(Memory::Space(space)), None) => {
            address.offset = address.offset.wrapping_add(crate::address_space::base(space) as i64);
            None
        }
        _ => {
            let message = format!("`{}` accesses what is elsewhere", operands.full_name());
            return Err(operands.refuse(message, "the state space of the variable"));
        }
    };
    let bytes = (modifiers.vector as u64 * modifiers.ty.bytes()) as u8;
    let seen = match space {
        Some(Space::Shared) => gpu::Space::Shared,
        Some(Space::Cluster) => gpu::Space::Cluster,
        Some(Space::Constant | Space::Parameter) => gpu::Space::Constant,
        _ => gpu::Space::Global,
    };
    let operation = Operation::Memory { space: seen, access, bytes };
    Ok((Lookup { space, ty: modifiers.ty, address }, operation))
}

/// The parts of a vector, or the one operand itself.
pub(super) fn parts(
    operands: &Operands<'_, '_>,
    index: usize,
    vector: usize,
) -> Result<Vec<Operand>, InputError> {
    let parts = operands.parts_of(std::slice::from_ref(operands.get(index)?));
    if parts.len() == vector {
        return Ok(parts);
    }
    let message = format!("`{}` has a vector of {}", operands.full_name(), parts.len());
    Err(operands.refuse(message, format!("{vector} registers")))
}

/// Refuses an access that does not have `count` operands, and a policy of caches behind them if it
/// says so.
pub(super) fn expect(operands: &Operands<'_, '_>, count: usize) -> Result<(), InputError> {
    let hint = operands.instruction.modifiers.iter().any(|name| name == "L2::cache_hint");
    let count = count + usize::from(hint);
    operands.expect(count..=count)
}

fn load(operands: &mut Operands<'_, '_>) -> Result<(Action, Operation), InputError> {
    expect(operands, 2)?;
    let modifiers = modifiers(operands)?;
    let (from, operation) = lookup(operands, 1, &modifiers, Access::Load)?;
    let parts = parts(operands, 0, modifiers.vector)?;
    let to = parts.iter().map(|part| operands.target(part, modifiers.ty, Fit::Wider));
    let to = to.collect::<Result<Vec<Option<Reg>>, _>>()?;
    let signed = to.iter().find_map(|to| widened(operands, modifiers.ty, *to));
    Ok((Action::Load { from, to, signed }, operation))
}

fn store(operands: &mut Operands<'_, '_>) -> Result<(Action, Operation), InputError> {
    expect(operands, 2)?;
    let modifiers = modifiers(operands)?;
    let (to, operation) = lookup(operands, 0, &modifiers, Access::Store)?;
    let parts = parts(operands, 1, modifiers.vector)?;
    let values = parts.iter().map(|part| operands.source(part, modifiers.ty, Fit::Wider));
    Ok((Action::Store { to, values: values.collect::<Result<_, _>>()? }, operation))
}
