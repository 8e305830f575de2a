//! Textures and surfaces.

use super::operands::{Fit, Operands};
use super::warp_wide::not_there;
use crate::ast::{Operand, Type};
use crate::machine::Beyond;
use crate::program::{Action, Fetch, Fetched, Reg, Shape, Source, Surface};
use crate::semantics;
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::{self as gpu, Operation, Unit};

/// What the timing sees of one that reads an array; how many bytes, the array says.
const READ: Operation =
    Operation::Memory { space: gpu::Space::Texture, access: gpu::Access::Load, bytes: 4 };

/// An instruction of this module and what the timing sees of it, or `None`.
pub(super) fn lower(
    operands: &mut Operands<'_, '_>,
) -> Result<Option<(Action, Operation)>, InputError> {
    let modifiers = operands.modifiers();
    let opcode = operands.instruction.opcode.as_str();
    let operation = match opcode {
        "tex" | "tld4" => READ,
        _ => Operation::Compute(Unit::Special),
    };
    match opcode {
        "tex" => texture(operands, &modifiers),
        "tld4" => gather(operands, &modifiers),
        "txq" | "suq" => query(operands, &modifiers),
        "suld" => load(operands, &modifiers),
        "sust" => store(operands, &modifiers),
        _ => return Ok(None),
    }
    .map(|action| Some((action, operation)))
}

/// What the coordinates mean, and how many registers there are for them.
fn shape(name: &str) -> Option<(Shape, usize)> {
    let (dimensions, layered, cube, registers) = match name {
        "1d" => (1, false, false, 1),
        "2d" => (2, false, false, 2),
        "3d" => (3, false, false, 4),
        "a1d" => (1, true, false, 2),
        "a2d" => (2, true, false, 4),
        "cube" => (3, false, true, 4),
        "acube" => (3, true, true, 4),
        _ => return None,
    };
    Some((Shape { dimensions, layered, cube }, registers))
}

/// `tex`; of arrays that have one level all levels are the same.
fn texture(operands: &mut Operands<'_, '_>, modifiers: &[&str]) -> Result<Action, InputError> {
    let (count, rest) = match modifiers {
        ["level", rest @ ..] => (3, rest),
        ["grad", rest @ ..] => (4, rest),
        ["base", rest @ ..] => (2, rest),
        rest => (2, rest),
    };
    let (fetched, geometry, ty) = match rest {
        [geometry, "v4", ty @ ("f32" | "s32" | "u32"), "s32"] => (Fetched::Element, geometry, ty),
        [geometry, "v4", ty @ ("f32" | "s32" | "u32"), "f32"] => (Fetched::Point, geometry, ty),
        _ => return Err(not_there(operands)),
    };
    let apart = matches!(operands.get(1), Ok(Operand::Name(_)));
    let count = count + usize::from(apart);
    operands.expect(count..=count)?;
    fetch(operands, fetched, geometry, ty)
}

/// `tld4`
fn gather(operands: &mut Operands<'_, '_>, modifiers: &[&str]) -> Result<Action, InputError> {
    let [channel, geometry @ ("2d" | "a2d"), "v4", ty @ ("f32" | "s32" | "u32"), "f32"] = modifiers
    else {
        return Err(not_there(operands));
    };
    let Some(channel) = ["r", "g", "b", "a"].iter().position(|name| name == channel) else {
        return Err(not_there(operands));
    };
    operands.expect(2..=2)?;
    fetch(operands, Fetched::Gathered(channel as u8), geometry, ty)
}

fn fetch(
    operands: &mut Operands<'_, '_>,
    fetched: Fetched,
    geometry: &str,
    ty: &str,
) -> Result<Action, InputError> {
    let Some((shape, registers)) = shape(geometry) else { return Err(not_there(operands)) };
    if shape.cube && fetched == Fetched::Element {
        return Err(not_there(operands));
    }
    let (texture, coordinates) = place(operands, 1, shape, registers)?;
    let ty = semantics::parse_type(ty).unwrap_or(Type::Bits(32));
    let to = targets(operands, 4, ty)?;
    Ok(Action::Texture(Fetch { texture, fetched, shape, coordinates, to }))
}

/// The texture or surface in operand `index`, and its coordinates.
fn place(
    operands: &mut Operands<'_, '_>,
    index: usize,
    shape: Shape,
    registers: usize,
) -> Result<(Source, Vec<Source>), InputError> {
    let expected = format!("`[texture, {{...}}]` with {registers} coordinates");
    let (names, coordinates) = match operands.get(index)? {
        Operand::Texture { names, coordinates } => (&names[..], &coordinates[..]),
        // As old files have it, without brackets: `tex.1d.v4.f32.s32 {...}, texture, {x};`
        Operand::Name(name) if operands.instruction.opcode == "tex" => {
            (std::slice::from_ref(name), std::slice::from_ref(operands.get(index + 1)?))
        }
        _ => return Err(operands.refuse("an operand is no texture", expected)),
    };
    let count = usize::from(shape.dimensions) + usize::from(shape.layered);
    let coordinates = operands.parts_of(coordinates);
    // A sampler says nothing that the texture does not say.
    if names.len() > 2 || !(count..=registers.max(4)).contains(&coordinates.len()) {
        return Err(operands.refuse("a texture has other coordinates", expected));
    }
    let texture = operands.source(&Operand::Name(names[0].clone()), Type::Bits(64), Fit::Exact)?;
    let coordinates = coordinates[..count].iter();
    let coordinates = coordinates.map(|at| operands.source(at, Type::Bits(32), Fit::Exact));
    Ok((texture, coordinates.collect::<Result<_, _>>()?))
}

/// The `count` registers in operand 0.
fn targets(
    operands: &mut Operands<'_, '_>,
    count: usize,
    ty: Type,
) -> Result<Vec<Option<Reg>>, InputError> {
    let to = operands.parts_of(std::slice::from_ref(operands.get(0)?));
    if to.len() != count {
        let message = format!("`{}` gives {} values", operands.full_name(), to.len());
        return Err(operands.refuse(message, count));
    }
    to.iter().map(|to| operands.target(to, ty, Fit::Wider)).collect()
}

/// `txq` and `suq`
fn query(operands: &mut Operands<'_, '_>, modifiers: &[&str]) -> Result<Action, InputError> {
    let of_surface = operands.instruction.opcode == "suq";
    let fetched = match modifiers {
        ["width", "b32"] => Fetched::Extent(0),
        ["height", "b32"] => Fetched::Extent(1),
        ["depth" | "array_size", "b32"] => Fetched::Extent(2),
        // Surfaces have no coordinates but bytes, and no modes.
        _ if of_surface => return Err(not_there(operands)),
        ["normalized_coords", "b32"] => Fetched::Normalized,
        ["filter_mode", "b32"] => Fetched::FilterMode,
        ["addr_mode_0" | "addr_mode_1" | "addr_mode_2", "b32"] => Fetched::AddressMode,
        // Of what is no such texture.
        ["num_mipmap_levels" | "num_samples", "b32"] => Fetched::Always(0),
        _ => return Err(not_there(operands)),
    };
    operands.expect(2..=2)?;
    let Operand::Address { base: Some(name), offset: 0, bracketed: true } = operands.get(1)? else {
        return Err(operands.refuse("an operand is no texture", "`[texture]`"));
    };
    let texture = operands.source(&Operand::Name(name.clone()), Type::Bits(64), Fit::Exact)?;
    let to = targets(operands, 1, Type::Bits(32))?;
    let shape = Shape { dimensions: 0, layered: false, cube: false };
    Ok(Action::Texture(Fetch { texture, fetched, shape, coordinates: Vec::new(), to }))
}

/// A surface but for its values, and how many there are.
fn surface(
    operands: &mut Operands<'_, '_>,
    modifiers: &[&str],
    index: usize,
) -> Result<(Surface, usize), InputError> {
    // Caches in front, and the geometry; then vector, type and what happens outside.
    let hints = match operands.instruction.opcode.as_str() {
        "suld" => ["ca", "cg", "cs", "cv"],
        _ => ["wb", "cg", "cs", "wt"],
    };
    let rest: Vec<&str> = modifiers.iter().copied().filter(|name| !hints.contains(name)).collect();
    let (geometry, count, ty, beyond) = match rest[..] {
        ["b", geometry, "v2", ty, beyond] => (geometry, 2, ty, beyond),
        ["b", geometry, "v4", ty, beyond] => (geometry, 4, ty, beyond),
        ["b", geometry, ty, beyond] => (geometry, 1, ty, beyond),
        _ => return Err(not_there(operands)),
    };
    let beyond = match beyond {
        "trap" => Beyond::Trap,
        "clamp" => Beyond::Clamp,
        "zero" => Beyond::Zero,
        _ => return Err(not_there(operands)),
    };
    let found = shape(geometry).filter(|(shape, _)| !shape.cube);
    let ty = semantics::parse_type(ty).filter(|ty| matches!(ty, Type::Bits(8..=64)));
    let (Some((shape, registers)), Some(ty)) = (found, ty) else {
        return Err(not_there(operands));
    };
    operands.expect(2..=2)?;
    let (surface, coordinates) = place(operands, index, shape, registers)?;
    let (values, to) = (Vec::new(), Vec::new());
    Ok((Surface { surface, shape, coordinates, beyond, ty, values, to }, count))
}

fn load(operands: &mut Operands<'_, '_>, modifiers: &[&str]) -> Result<Action, InputError> {
    let (surface, count) = surface(operands, modifiers, 1)?;
    let to = targets(operands, count, surface.ty)?;
    Ok(Action::Surface(Surface { to, ..surface }))
}

fn store(operands: &mut Operands<'_, '_>, modifiers: &[&str]) -> Result<Action, InputError> {
    let (surface, count) = surface(operands, modifiers, 0)?;
    let values = operands.parts_of(std::slice::from_ref(operands.get(1)?));
    if values.len() != count {
        let message = format!("`{}` has {} values", operands.full_name(), values.len());
        return Err(operands.refuse(message, count));
    }
    let values = values.iter().map(|value| operands.source(value, surface.ty, Fit::Wider));
    Ok(Action::Surface(Surface { values: values.collect::<Result<_, _>>()?, ..surface }))
}
