//! Matrices (PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions"), and copies that go on
//! beside the warp.

use super::instruction::INTEGER;
use super::memory::{self, Modifiers};
use super::moves::space;
use super::operands::{Fit, Operands};
use super::warp_wide::not_there;
use crate::ast::{Operand, Space, Type};
use crate::program::{Action, Element, Fragment, Held, Order, Reg, Spread, Tensor};
use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::program::{Access, Operation, Unit};

const TENSOR: Operation = Operation::Compute(Unit::Tensor);

/// An instruction of this module, or `None`.
pub(super) fn lower(
    operands: &mut Operands<'_, '_>,
) -> Result<Option<(Action, Operation)>, InputError> {
    let modifiers: Vec<&str> = operands.modifiers();
    // They are said of all, and mean nothing where lanes go together.
    let plain = |name: &&str| !matches!(*name, "sync" | "aligned");
    let rest: Vec<&str> = modifiers.iter().copied().filter(plain).collect();
    let (tensor, operation) = match (operands.instruction.opcode.as_str(), &rest[..]) {
        ("mma", rest) => (mma(operands, rest)?, TENSOR),
        ("wmma", ["mma", rest @ ..]) => (wmma(operands, rest)?, TENSOR),
        ("wmma", ["load", role @ ("a" | "b" | "c"), rest @ ..]) => load(operands, role, rest)?,
        ("wmma", ["store", "d", rest @ ..]) => store(operands, rest)?,
        ("ldmatrix", rest) => rows(operands, rest)?,
        ("cp", ["async", "commit_group" | "wait_all"]) => {
            operands.expect(0..=0)?;
            return Ok(Some((Action::Nothing, INTEGER)));
        }
        ("cp", ["async", "wait_group"]) => {
            operands.expect(1..=1)?;
            return Ok(Some((Action::Nothing, INTEGER)));
        }
        ("cp", ["async", "ca" | "cg", rest @ ..]) => copy(operands, rest)?,
        ("wmma" | "cp", _) => return Err(not_there(operands)),
        _ => return Ok(None),
    };
    Ok(Some((Action::Tensor(Box::new(tensor)), operation)))
}

fn element(name: &str) -> Option<Element> {
    Some(match name {
        "f16" => Element::Half,
        "bf16" => Element::Brain,
        "tf32" => Element::Tensor,
        "f32" => Element::Single,
        "f64" => Element::Double,
        "s8" | "u8" => Element::Byte { signed: name == "s8" },
        "s4" | "u4" => Element::Nibble { signed: name == "s4" },
        "s32" => Element::Word,
        _ => return None,
    })
}

/// Whether numbers of `factor` are multiplied and added to `sum`.
fn fits(factor: Element, sum: Element) -> bool {
    match factor {
        Element::Half => matches!(sum, Element::Half | Element::Single),
        Element::Brain | Element::Tensor => sum == Element::Single,
        Element::Double => sum == Element::Double,
        Element::Byte { .. } | Element::Nibble { .. } => sum == Element::Word,
        Element::Single | Element::Word => false,
    }
}

/// `m16n8k16`
fn extents(name: &str) -> Option<[u32; 3]> {
    let (m, rest) = name.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}

/// The four types of a product: result, factors, sums.
fn types(names: &[&str]) -> Option<[Element; 4]> {
    let [d, a, b, c] = names else { return None };
    let [d, a, b, c] = [element(d)?, element(a)?, element(b)?, element(c)?];
    (a.bits() == b.bits() && fits(a, c) && fits(b, d)).then_some([d, a, b, c])
}

fn mma(operands: &mut Operands<'_, '_>, rest: &[&str]) -> Result<Tensor, InputError> {
    let parsed = match rest {
        [shape, "row", "col", "satfinite", types @ ..] => Some((shape, true, types)),
        [shape, "row", "col", types @ ..] => Some((shape, false, types)),
        _ => None,
    };
    let parsed = parsed.and_then(|(shape, clamps, names)| {
        let [d, a, b, c] = types(names)?;
        let [m, n, k] = extents(shape)?;
        let known: &[[u32; 2]] = match a {
            Element::Half | Element::Brain => &[[16, 8], [16, 16]],
            Element::Tensor => &[[16, 4], [16, 8]],
            Element::Double => &[[8, 4], [16, 4], [16, 8], [16, 16]],
            Element::Byte { .. } => &[[8, 16], [16, 16], [16, 32]],
            _ => &[[8, 32], [16, 32], [16, 64]],
        };
        let clamps_words = !clamps || d == Element::Word;
        (n == 8 && known.contains(&[m, k]) && clamps_words).then(|| {
            let fragment = Fragment::of_mma;
            let factors = [fragment(m, k, a, Spread::Left), fragment(k, n, b, Spread::Right)];
            let [sums, result] = [c, d].map(|element| fragment(m, n, element, Spread::Sums));
            (factors, sums, result, clamps)
        })
    });
    let Some(parsed) = parsed else { return Err(not_there(operands)) };
    product(operands, parsed)
}

/// The shapes of `wmma` for factors of that type.
fn known(element: Element) -> &'static [[u32; 3]] {
    match element {
        Element::Half | Element::Brain | Element::Byte { .. } => {
            &[[16, 16, 16], [32, 8, 16], [8, 32, 16]]
        }
        Element::Tensor => &[[16, 16, 8]],
        Element::Double => &[[8, 8, 4]],
        _ => &[],
    }
}

fn wmma(operands: &mut Operands<'_, '_>, rest: &[&str]) -> Result<Tensor, InputError> {
    let parsed = match rest {
        ["row" | "col", "row" | "col", shape, names @ .., "satfinite"] => {
            Some((shape, names, true))
        }
        ["row" | "col", "row" | "col", shape, names @ ..] => Some((shape, names, false)),
        _ => None,
    };
    let parsed = parsed.and_then(|(shape, names, clamps)| {
        let [d, a, b, c] = match names {
            [d, c] => types(&[d, "f16", "f16", c])?,
            names => types(names)?,
        };
        let [m, n, k] = extents(shape)?;
        let fits = known(a).contains(&[m, n, k]) && (!clamps || d == Element::Word);
        fits.then(|| {
            let fragment = Fragment::of_wmma;
            let factors = [fragment(m, k, a, true), fragment(k, n, b, true)];
            let [sums, result] = [c, d].map(|element| fragment(m, n, element, false));
            (factors, sums, result, clamps)
        })
    });
    let Some(parsed) = parsed else { return Err(not_there(operands)) };
    product(operands, parsed)
}

fn product(
    operands: &mut Operands<'_, '_>,
    (factors, sums, result, clamps): ([Fragment; 2], Fragment, Fragment, bool),
) -> Result<Tensor, InputError> {
    operands.expect(4..=4)?;
    let to = targets(operands, result)?;
    let [a, b] = factors;
    let factors = [held(operands, 1, a)?, held(operands, 2, b)?];
    let sums = held(operands, 3, sums)?;
    Ok(Tensor::Multiply { factors, sums, result, to, clamps })
}

/// The type of a register that holds elements.
fn register(element: Element) -> Type {
    Type::Bits(element.bits().max(32) as u8)
}

/// The parts of operand `index`, of which there must be `count`.
fn parts(
    operands: &Operands<'_, '_>,
    index: usize,
    count: u32,
) -> Result<Vec<Operand>, InputError> {
    let parts = operands.parts_of(std::slice::from_ref(operands.get(index)?));
    if parts.len() == count as usize {
        return Ok(parts);
    }
    let message = format!("operand {} of `{}` has {}", index, operands.full_name(), parts.len());
    Err(operands.refuse(message, format!("{count} registers")))
}

fn targets(
    operands: &mut Operands<'_, '_>,
    fragment: Fragment,
) -> Result<Vec<Option<Reg>>, InputError> {
    let (ty, parts) = (register(fragment.element), parts(operands, 0, fragment.registers)?);
    parts.iter().map(|part| operands.target(part, ty, Fit::Exact)).collect()
}

fn held(
    operands: &mut Operands<'_, '_>,
    index: usize,
    fragment: Fragment,
) -> Result<Held, InputError> {
    let (ty, parts) = (register(fragment.element), parts(operands, index, fragment.registers)?);
    let registers = parts.iter().map(|part| operands.source(part, ty, Fit::Exact));
    Ok(Held { fragment, registers: registers.collect::<Result<_, _>>()? })
}

/// What `.row.m16n16k16.shared.f16` says of the matrix `role`: whether it lies by columns, its
/// fragment, and what an access of a lane is.
fn in_memory(role: &str, rest: &[&str]) -> Option<(bool, Fragment, Modifiers)> {
    let (order, shape, of, name) = match rest {
        [order, shape, of, name] => (order, shape, Some(space(of)?), name),
        [order, shape, name] => (order, shape, None, name),
        _ => return None,
    };
    let by_columns = match *order {
        "row" => false,
        "col" => true,
        _ => return None,
    };
    let [m, n, k] = extents(shape)?;
    let element = element(name)?;
    let is_factor = matches!(role, "a" | "b");
    let factors = if is_factor {
        vec![element]
    } else {
        let all = [Element::Half, Element::Tensor, Element::Double, Element::Byte { signed: true }];
        all.into_iter().filter(|factor| fits(*factor, element)).collect()
    };
    // Of sums of f32 there are those of tf32, too.
    let single = element == Element::Single && [m, n, k] == [16, 16, 8];
    let there = single || factors.iter().any(|factor| known(*factor).contains(&[m, n, k]));
    there.then_some(())?;
    let (rows, columns) = match role {
        "a" => (m, k),
        "b" => (k, n),
        _ => (m, n),
    };
    let fragment = Fragment::of_wmma(rows, columns, element, is_factor);
    let ty = Type::Bits(element.bits() as u8);
    Some((by_columns, fragment, Modifiers::of(of, ty)))
}

fn order(operands: &mut Operands<'_, '_>, by_columns: bool) -> Result<Order, InputError> {
    operands.expect(2..=3)?;
    let stride = match operands.instruction.operands.get(2) {
        Some(stride) => Some(operands.source(stride, Type::Bits(32), Fit::Exact)?),
        None => None,
    };
    Ok(Order { by_columns, stride })
}

fn load(
    operands: &mut Operands<'_, '_>,
    role: &str,
    rest: &[&str],
) -> Result<(Tensor, Operation), InputError> {
    let Some((by_columns, fragment, modifiers)) = in_memory(role, rest) else {
        return Err(not_there(operands));
    };
    let order = order(operands, by_columns)?;
    let (from, operation) = memory::lookup(operands, 1, &modifiers, Access::Load)?;
    let to = targets(operands, fragment)?;
    Ok((Tensor::Load { from, fragment, order, to }, operation))
}

fn store(
    operands: &mut Operands<'_, '_>,
    rest: &[&str],
) -> Result<(Tensor, Operation), InputError> {
    let Some((by_columns, fragment, modifiers)) = in_memory("d", rest) else {
        return Err(not_there(operands));
    };
    let order = order(operands, by_columns)?;
    let (to, operation) = memory::lookup(operands, 0, &modifiers, Access::Store)?;
    let matrix = held(operands, 1, fragment)?;
    Ok((Tensor::Store { to, matrix, order }, operation))
}

/// `ldmatrix`: its modifiers may stand in any order.
fn rows(operands: &mut Operands<'_, '_>, rest: &[&str]) -> Result<(Tensor, Operation), InputError> {
    let (mut count, mut transposed) = (0, false);
    for name in rest {
        match *name {
            "x1" => count = 1,
            "x2" => count = 2,
            "x4" => count = 4,
            "trans" => transposed = true,
            "m8n8" | "shared" | "shared::cta" | "b16" => {}
            _ => return Err(not_there(operands)),
        }
    }
    if count == 0 || !rest.contains(&"m8n8") || !rest.contains(&"b16") {
        return Err(not_there(operands));
    }
    operands.expect(2..=2)?;
    let of = rest.iter().find_map(|name| space(name));
    let modifiers = Modifiers::of(of, Type::Bits(128));
    let (from, operation) = memory::lookup(operands, 1, &modifiers, Access::Load)?;
    let to = parts(operands, 0, count)?;
    let to = to.iter().map(|part| operands.target(part, Type::Bits(32), Fit::Exact));
    Ok((Tensor::Rows { from, transposed, to: to.collect::<Result<_, _>>()? }, operation))
}

/// `cp.async.ca.shared.global [to], [from], bytes, valid`: done at once, which is soon enough.
fn copy(operands: &mut Operands<'_, '_>, rest: &[&str]) -> Result<(Tensor, Operation), InputError> {
    let [to, "global", hints @ ..] = rest else { return Err(not_there(operands)) };
    let hinted = hints.contains(&"L2::cache_hint");
    let known = ["L2::64B", "L2::128B", "L2::256B", "L2::cache_hint"];
    if !hints.iter().all(|hint| known.contains(hint)) {
        return Err(not_there(operands));
    }
    let count = operands.instruction.operands.len() - usize::from(hinted);
    let to = space(to).filter(|to| *to != Space::Cluster);
    let (Some(to), 3 | 4) = (to, count) else { return Err(not_there(operands)) };
    let Operand::Integer(bytes @ (4 | 8 | 16)) = *operands.get(2)? else {
        return Err(operands.refuse("a copy of another size", "4, 8 or 16"));
    };
    let valid = match count {
        4 => Some(operands.source(operands.get(3)?, Type::Bits(32), Fit::Exact)?),
        _ => None,
    };
    let ty = Type::Bits((8 * bytes) as u8);
    let (to, _) = memory::lookup(operands, 0, &Modifiers::of(Some(to), ty), Access::Store)?;
    let global = Modifiers::of(space("global"), ty);
    let (from, operation) = memory::lookup(operands, 1, &global, Access::Load)?;
    Ok((Tensor::Copy { to, from, bytes, valid }, operation))
}
