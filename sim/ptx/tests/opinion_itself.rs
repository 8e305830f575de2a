//! The second opinion is itself checked: against examples of the manual, and against arithmetic
//! that Rust has.

#[path = "opinion/cube.rs"]
mod cube;
mod opinion;
#[path = "opinion/surface.rs"]
mod surface;
#[path = "opinion/texture.rs"]
#[allow(dead_code)] // What is computed by hand here needs less of it.
mod texture;

#[path = "opinion_itself/approximations.rs"]
mod approximations;
#[path = "opinion_itself/conversions.rs"]
mod conversions;
#[path = "opinion_itself/floats.rs"]
mod floats;
#[path = "opinion_itself/integers.rs"]
mod integers;
#[path = "opinion_itself/places.rs"]
mod places;
#[path = "opinion_itself/selections.rs"]
mod selections;

use proptest::prelude::*;

/// The results of an instruction that is written with dots, `add.rn.f32`.
fn results(instruction: &str, operands: &[u64]) -> Option<Vec<u64>> {
    let mut parts = instruction.split('.');
    let opcode = parts.next()?;
    opinion::opinion(opcode, &parts.collect::<Vec<_>>(), operands)
}

/// Its only result.
fn result(instruction: &str, operands: &[u64]) -> u64 {
    match results(instruction, operands).as_deref() {
        Some([only]) => *only,
        other => panic!("{instruction} of {operands:x?} gives {other:x?}"),
    }
}

/// Bits of a type: interesting ones, those near them, or any.
fn bits(kind: &'static str) -> impl Strategy<Value = u64> {
    let edges = opinion::edges(kind);
    let near = (prop::sample::select(edges.clone()), 0u64..16).prop_map(|(edge, by)| edge ^ by);
    prop_oneof![2 => prop::sample::select(edges), 1 => near, 2 => any::<u64>()]
}

#[test]
fn garbage_above_an_operand_does_not_matter() {
    let garbage = |bits: u64, width: u32| bits | 0xdead_beef_cafe_f00d << width;
    assert_eq!(result("add.u16", &[garbage(3, 16), garbage(4, 16)]), 7);
    assert_eq!(result("sad.s32", &[garbage(3, 32), garbage(4, 32), garbage(5, 32)]), 6);
    assert_eq!(result("shl.b32", &[garbage(3, 32), garbage(4, 32)]), 48);
    let one = 0x3f80_0000;
    assert_eq!(result("add.f32", &[garbage(one, 32), garbage(one, 32)]), 0x4000_0000);
    assert_eq!(result("max.f32", &[garbage(one, 32), garbage(0, 32)]), one);
    assert_eq!(result("cvt.u32.u8", &[garbage(200, 8)]), 200);
    assert_eq!(results("setp.eq.b16", &[garbage(3, 16), 3]), Some(vec![1, 0]));
}

#[test]
fn a_form_that_the_manual_does_not_have_has_no_result() {
    for (instruction, operands) in [
        ("add.b32", 2),
        ("add.sat.u32", 2),
        ("add.sat.f64", 2),
        ("add.ftz.f64", 2),
        ("add.u8", 2),
        ("abs.u32", 1),
        ("mul.u32", 2),
        ("mul.wide.u64", 2),
        ("mad.lo.sat.s32", 3),
        ("mad.hi.sat.u32", 3),
        ("madc.u32", 4),
        ("fma.f32", 3),
        ("div.f32", 2),
        ("sqrt.rn.sat.f32", 1),
        ("bfe.b32", 3),
        ("popc.u32", 1),
        ("shl.u32", 2),
        ("lop3.b64", 4),
        ("setp.lt.b32", 2),
        ("setp.lo.s32", 2),
        ("setp.lo.f32", 2),
        ("setp.ltu.u32", 2),
        ("cvt.u32.f32", 1),
        ("cvt.rn.u32.f32", 1),
        ("cvt.f32.u8", 1),
        ("cvt.f32.f64", 1),
        ("cvt.rn.f64.f32", 1),
        ("cvt.sat.u32.u16", 1),
        ("cvt.ftz.f64.f64", 1),
        ("tanh.approx.ftz.f32", 1),
        ("add.u32.nonsense", 2),
        ("nonsense.u32", 2),
    ] {
        assert_eq!(results(instruction, &vec![0; operands]), None, "{instruction}");
    }
}

#[test]
fn a_wrong_number_of_operands_has_no_result() {
    assert_eq!(results("add.u32", &[1]), None);
    assert_eq!(results("add.u32", &[1, 2, 3]), None);
    assert_eq!(results("setp.eq.and.u32", &[1, 2]), None);
}

#[test]
fn the_edges_of_a_type_fit_into_it() {
    for (kind, width) in [("u8", 8), ("s16", 16), ("b32", 32), ("f16", 16), ("f32", 32)] {
        let edges = opinion::edges(kind);
        assert!(edges.len() > 30 && edges.iter().all(|bits| bits >> width == 0), "{kind}");
    }
    assert_eq!(opinion::edges("pred"), [0, 1]);
    assert!(opinion::edges("f64").contains(&f64::MIN_POSITIVE.to_bits()));
    assert!(opinion::edges("f16x2").iter().any(|bits| bits >> 16 != bits & 0xffff));
    assert!(opinion::edges("nonsense").is_empty());
}

#[test]
fn one_nan_is_as_good_as_any_other() {
    use opinion::equal_bits;
    assert!(equal_bits("f32", 0x7fff_ffff, 0xffc0_0001));
    assert!(!equal_bits("f32", 0x7fff_ffff, 0x7f80_0000));
    assert!(!equal_bits("u32", 0x7fff_ffff, 0xffc0_0001));
    assert!(!equal_bits("f32", 0, 0x8000_0000));
    assert!(equal_bits("f64", f64::NAN.to_bits(), u64::MAX));
    assert!(equal_bits("f16x2", 0x7fff_0001, 0xfe00_0001));
    assert!(!equal_bits("f16x2", 0x7fff_0001, 0xfe00_0002));
}
