//! Atomics, textures and surfaces: what the manuals say of them besides the rules that are computed
//! by.

use super::cube::{faces, OnFace};
use super::opinion::atomic::{left, Memory};
use super::surface::{place, Outside, Place, GEOMETRIES};
use super::texture::{Array, Value};
use super::*;

proptest! {
    #[test]
    fn counters_stay_between_0_and_their_limit(was in bits("u32"), limit in bits("u32")) {
        let (was, limit) = (was & 0xffff_ffff, limit & 0xffff_ffff);
        for operation in ["inc", "dec"] {
            let left = left(operation, "u32", Memory::Shared, was.into(), [limit.into(), 0]);
            prop_assert!(left <= u128::from(limit), "{operation} {left}");
        }
    }

    #[test]
    fn atomics_of_integers_are_those_of_rust(a in bits("u64"), b in bits("u64")) {
        let (low, below) = (a as u32, b as u32);
        let of = |name, ty, a: u64, b: u64| left(name, ty, Memory::Global, a.into(), [b.into(), 0]) as u64;
        let word = |name, ty| of(name, ty, low.into(), below.into()) as u32;
        prop_assert_eq!(word("add", "s32"), low.wrapping_add(below));
        prop_assert_eq!(of("add", "u64", a, b), a.wrapping_add(b));
        prop_assert_eq!(word("min", "s32") as i32, (low as i32).min(below as i32));
        prop_assert_eq!(word("max", "u32"), low.max(below));
        prop_assert_eq!(of("max", "s64", a, b) as i64, (a as i64).max(b as i64));
        prop_assert_eq!(of("xor", "b64", a, b), a ^ b);
    }

    #[test]
    fn sums_in_shared_memory_are_those_of_rust(a in bits("f32"), b in bits("f32")) {
        let sum = f32::from_bits(a as u32) + f32::from_bits(b as u32);
        let (a, b) = (a & 0xffff_ffff, b & 0xffff_ffff);
        let of = |memory| left("add", "f32", memory, a.into(), [b.into(), 0]) as u32;
        let same = |got: u32, expected: f32| got == expected.to_bits() || expected.is_nan();
        prop_assert!(same(of(Memory::Shared), sum));
        prop_assert!(!f32::from_bits(of(Memory::Global)).is_subnormal());
    }

    #[test]
    fn a_surface_is_accessed_in_bounds_wherever_coordinates_are(
        words in prop::array::uniform4(prop_oneof![0_u32..20, any::<u32>()]),
        extents in prop::array::uniform3(1_i64..9),
        number in 0_usize..5,
        power in 0_u32..5,
    ) {
        let (geometry, size) = (GEOMETRIES[number].0, 1_i64 << power);
        let extents = [4 * extents[0], extents[1], extents[2]];
        for rule in [Outside::Trap, Outside::Clamp, Outside::Zero] {
            let Place::At(at) = place(geometry, extents, words, size, rule) else { continue };
            prop_assert!(at[0] >= 0 && at[0] + size <= extents[0], "{at:?}");
            prop_assert!((1..3).all(|axis| (0..extents[axis]).contains(&at[axis])), "{at:?}");
        }
    }
}

/// A row of numbers.
fn row(elements: &[f32], linear: bool, look: impl Fn(&Array<'_>) -> Value) -> f64 {
    let element = |at: [i64; 3], _: usize| elements[at[0] as usize].to_bits();
    let extents = [elements.len() as u32, 1, 1];
    let array = Array { extents, normalized: false, linear, wraps: false, element: &element };
    match look(&array) {
        Value::Bits(bits) => f64::from(f32::from_bits(bits)),
        Value::Near(number, _) => number,
    }
}

#[test]
fn a_table_is_looked_up_from_its_first_to_its_last_element() {
    // "Table Lookup" of CUDA's guide: TL(x) = tex((N - 1) / R * x + 0.5) spans all of T, here
    // R = 4.
    let table = [3.0, 5.0, 4.0, 1.0, 9.0];
    let lookup = |x: f64| row(&table, true, |array| array.fetched(None, &[x + 0.5], 0));
    for (number, value) in table.iter().enumerate() {
        assert_eq!(lookup(number as f64), f64::from(*value));
    }
    assert_eq!([lookup(0.5), lookup(2.25), lookup(-7.0), lookup(99.0)], [4.0, 3.25, 3.0, 9.0]);
    // The nearest element is the one in which the point lies.
    let nearest = |x: f64| row(&table, false, |array| array.fetched(None, &[x], 0));
    assert_eq!([nearest(0.0), nearest(1.99), nearest(4.0), nearest(5.0)], [3.0, 5.0, 9.0, 9.0]);
}

#[test]
fn whole_coordinates_are_elements_and_nothing_is_outside() {
    let at = |x: i32| row(&[3.0, 5.0], true, |array| Value::Bits(array.named(None, &[x], 0)));
    assert_eq!([at(-1), at(0), at(1), at(2)], [0.0, 3.0, 5.0, 0.0]);
}

#[test]
fn axes_point_to_the_middles_of_faces_in_their_order() {
    let axes = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
    for (face, axis) in axes.into_iter().enumerate() {
        let middle = OnFace { face: face as u32, at: [0.5, 0.5] };
        assert_eq!(faces(axis.map(|at| at as f32)), [middle]);
    }
    // A direction to a corner belongs to three faces.
    assert_eq!(faces([-2.0, 2.0, 2.0]).len(), 3);
}
