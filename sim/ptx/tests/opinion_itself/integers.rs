//! Integers, bits, shifts.

use super::*;

proptest! {
    #[test]
    fn words_wrap_as_in_rust(a in bits("u32"), b in bits("u32"), c in bits("u32")) {
        let (x, y, z) = (a as u32, b as u32, c as u32);
        let (sx, sy, sz) = (x as i32, y as i32, z as i32);
        let is = |form: &str, operands: &[u64], expected: u32| {
            assert_eq!(result(form, operands), u64::from(expected), "{form} {operands:x?}");
        };
        is("add.u32", &[a, b], x.wrapping_add(y));
        is("sub.s32", &[a, b], x.wrapping_sub(y));
        is("add.sat.s32", &[a, b], sx.saturating_add(sy) as u32);
        is("sub.sat.s32", &[a, b], sx.saturating_sub(sy) as u32);
        is("mul.lo.s32", &[a, b], x.wrapping_mul(y));
        is("mad.lo.u32", &[a, b, c], x.wrapping_mul(y).wrapping_add(z));
        let high = ((i64::from(sx) * i64::from(sy)) >> 32) as i32;
        is("mul.hi.s32", &[a, b], high as u32);
        is("mad.hi.sat.s32", &[a, b, c], high.saturating_add(sz) as u32);
        is("mad.hi.s32", &[a, b, c], high.wrapping_add(sz) as u32);
        is("sad.u32", &[a, b, c], x.abs_diff(y).wrapping_add(z));
        is("sad.s32", &[a, b, c], sx.abs_diff(sy).wrapping_add(z));
        is("div.u32", &[a, b], x.checked_div(y).unwrap_or(u32::MAX));
        is("rem.u32", &[a, b], x.checked_rem(y).unwrap_or(u32::MAX));
        if y != 0 {
            is("div.s32", &[a, b], sx.wrapping_div(sy) as u32);
            is("rem.s32", &[a, b], sx.wrapping_rem(sy) as u32);
        }
        is("abs.s32", &[a], sx.wrapping_abs() as u32);
        is("neg.s32", &[a], x.wrapping_neg());
        is("min.s32", &[a, b], sx.min(sy) as u32);
        is("max.u32", &[a, b], x.max(y));
        is("popc.b32", &[a], x.count_ones());
        is("clz.b32", &[a], x.leading_zeros());
        is("brev.b32", &[a], x.reverse_bits());
        is("bfind.u32", &[a], x.checked_ilog2().unwrap_or(u32::MAX));
        is("xor.b32", &[a, b], x ^ y);
        is("not.b32", &[a], !x);
        is("cnot.b32", &[a], u32::from(x == 0));
        is("shl.b32", &[a, b], x.checked_shl(y).unwrap_or(0));
        is("shr.u32", &[a, b], x.checked_shr(y).unwrap_or(0));
        is("shr.s32", &[a, b], (sx >> y.min(31)) as u32);
        is("shf.l.wrap.b32", &[a, a, c], x.rotate_left(z & 31));
        is("shf.r.wrap.b32", &[a, a, c], x.rotate_right(z & 31));
        is("lop3.b32", &[a, b, c, 0x1a], (x & y | z) ^ x);
        is("lop3.b32", &[a, b, c, 0x40], x & y & !z);
        is("prmt.b32", &[a, b, 0x0123], x.swap_bytes());
        is("prmt.b32", &[a, b, 0x7654], y);
        is("dp4a.u32.u32", &[a, b, c], (0..4).fold(z, |sum, i| {
            sum.wrapping_add((x >> (8 * i) & 0xff) * (y >> (8 * i) & 0xff))
        }));
    }

    #[test]
    fn long_words_wrap_as_in_rust(a in bits("u64"), b in bits("s64"), c in bits("u64")) {
        prop_assert_eq!(result("add.u64", &[a, b]), a.wrapping_add(b));
        prop_assert_eq!(result("mul.lo.s64", &[a, b]), a.wrapping_mul(b));
        let unsigned = (u128::from(a) * u128::from(b)) >> 64;
        prop_assert_eq!(result("mul.hi.u64", &[a, b]), unsigned as u64);
        let signed = (i128::from(a as i64) * i128::from(b as i64)) >> 64;
        prop_assert_eq!(result("mul.hi.s64", &[a, b]), signed as u64);
        prop_assert_eq!(result("mad.lo.u64", &[a, b, c]), a.wrapping_mul(b).wrapping_add(c));
        prop_assert_eq!(result("div.u64", &[a, b]), a.checked_div(b).unwrap_or(u64::MAX));
        prop_assert_eq!(result("min.s64", &[a, b]), (a as i64).min(b as i64) as u64);
        prop_assert_eq!(result("clz.b64", &[a]), u64::from(a.leading_zeros()));
        prop_assert_eq!(result("brev.b64", &[a]), a.reverse_bits());
        let amount = c as u32;
        prop_assert_eq!(result("shl.b64", &[a, c]), a.checked_shl(amount).unwrap_or(0));
        prop_assert_eq!(result("shr.s64", &[a, c]), (a as i64 >> amount.min(63)) as u64);
    }

    #[test]
    fn the_manuals_example_multiplies_long_words(a in bits("u64"), b in bits("u64")) {
        let ([a0, a1], [b0, b1]) = ([a & 0xffff_ffff, a >> 32], [b & 0xffff_ffff, b >> 32]);
        let with_carry = |form: &str, operands: &[u64]| {
            let results = results(form, operands).unwrap();
            (results[0], results.get(1).copied().unwrap_or(0))
        };
        let r0 = result("mul.lo.u32", &[a0, b0]);
        let r1 = result("mul.hi.u32", &[a0, b0]);
        let (r1, carry) = with_carry("mad.lo.cc.u32", &[a1, b0, r1, 1]);
        let (r2, _) = with_carry("madc.hi.u32", &[a1, b0, 0, carry]);
        let (r1, carry) = with_carry("mad.lo.cc.u32", &[a0, b1, r1]);
        let (r2, carry) = with_carry("madc.hi.cc.u32", &[a0, b1, r2, carry]);
        let (r3, _) = with_carry("addc.u32", &[0, 0, carry]);
        let (r2, carry) = with_carry("mad.lo.cc.u32", &[a1, b1, r2, 0]);
        let (r3, _) = with_carry("madc.hi.u32", &[a1, b1, r3, carry]);
        let product = u128::from(r3) << 96 | u128::from(r2) << 64 | u128::from(r1 << 32 | r0);
        prop_assert_eq!(product, u128::from(a) * u128::from(b));
    }

    #[test]
    fn fields_are_those_between_shifts(
        a in bits("u64"),
        b in bits("u64"),
        position in 0u64..80,
        length in 0u64..80,
    ) {
        let mask = if length >= 64 { u64::MAX } else { (1 << length) - 1 };
        let down = a.checked_shr(position as u32).unwrap_or(0);
        prop_assert_eq!(result("bfe.u64", &[a, position, length]), down & mask);
        let up = |bits: u64| bits.checked_shl(position as u32).unwrap_or(0);
        let inserted = b & !up(mask) | up(a & mask);
        prop_assert_eq!(result("bfi.b64", &[a, b, position, length]), inserted);
    }
}

#[test]
fn narrow_and_wide_products_have_their_sign() {
    assert_eq!(result("mul.wide.s16", &[0xffff, 2]), 0xffff_fffe);
    assert_eq!(result("mul.wide.u16", &[0xffff, 2]), 0x1_fffe);
    assert_eq!(result("mul.wide.s32", &[0xffff_ffff, 2]), u64::MAX - 1);
    assert_eq!(result("mad.wide.s32", &[0xffff_ffff, 2, 3]), 1);
    assert_eq!(result("mul24.lo.s32", &[0x00ff_ffff, 5]), 0xffff_fffb);
    assert_eq!(result("mul24.lo.u32", &[0xab00_0003, 5]), 15);
    assert_eq!(result("mul24.hi.u32", &[0xff_ffff, 0xff_ffff]), 0xffff_fe00);
    assert_eq!(result("mul24.hi.s32", &[0x80_0000, 0x80_0000]), 0x4000_0000);
    assert_eq!(result("mad24.hi.sat.s32", &[0x80_0000, 0x80_0000, 0x7fff_ffff]), 0x7fff_ffff);
}

#[test]
fn a_borrow_is_a_carry_of_one() {
    assert_eq!(results("sub.cc.u32", &[0, 1]), Some(vec![0xffff_ffff, 1]));
    assert_eq!(results("sub.cc.u32", &[1, 1, 1]), Some(vec![0, 0]));
    assert_eq!(results("subc.cc.s32", &[1, 1, 1]), Some(vec![0xffff_ffff, 1]));
    assert_eq!(results("subc.cc.u64", &[0, u64::MAX, 1]), Some(vec![0, 1]));
    assert_eq!(results("subc.u32", &[5, 1, 1]), Some(vec![3]));
    assert_eq!(results("addc.cc.u64", &[u64::MAX, u64::MAX, 1]), Some(vec![u64::MAX, 1]));
    assert_eq!(results("add.cc.s32", &[0xffff_ffff, 1]), Some(vec![0, 1]));
    assert_eq!(results("addc.u32", &[1, 2]), None);
}

#[test]
fn division_by_zero_is_left_open_by_the_manual() {
    assert!(opinion::unspecified("div", &["u32"], &[3, 0xffff_ffff_0000_0000]));
    assert!(!opinion::unspecified("div", &["u32"], &[3, 1]));
    assert!(!opinion::unspecified("div", &["rn", "f32"], &[3, 0]));
    assert_eq!(result("div.s16", &[7, 0]), 0xffff);
    assert_eq!(result("div.s32", &[0x8000_0000, 0xffff_ffff]), 0x8000_0000);
    assert_eq!(result("rem.s32", &[0x8000_0000, 0xffff_ffff]), 0);
    assert_eq!(result("rem.s32", &[-7i32 as u32 as u64, 2]), 0xffff_ffff);
}

#[test]
fn the_manuals_examples_of_bits_hold() {
    assert_eq!(result("fns.b32", &[0xaaaa_aaaa, 3, 1]), 3);
    assert_eq!(result("fns.b32", &[0xaaaa_aaaa, 3, 0xffff_ffff]), 3);
    assert_eq!(result("fns.b32", &[0xaaaa_aaaa, 2, 1]), 3);
    assert_eq!(result("fns.b32", &[0xaaaa_aaaa, 2, 0xffff_ffff]), 1);
    assert_eq!(result("fns.b32", &[0xaaaa_aaaa, 2, 0]), 0xffff_ffff);
    assert_eq!(result("bmsk.wrap.b32", &[1, 2]), 6);
    assert_eq!(result("szext.wrap.u32", &[0xffff_ffff, 0]), 0);
    assert_eq!(results("lop3.or.b32", &[1, 2, 4, 0xfe, 0]), Some(vec![7, 1]));
    assert_eq!(results("lop3.and.b32", &[1, 2, 4, 0xfe, 0]), Some(vec![7, 0]));
}

#[test]
fn the_found_bit_is_the_highest_that_differs_from_the_sign() {
    assert_eq!(result("bfind.s32", &[0xffff_fff0]), 3);
    assert_eq!(result("bfind.s32", &[0xffff_ffff]), 0xffff_ffff);
    assert_eq!(result("bfind.u64", &[1 << 40]), 40);
    assert_eq!(result("bfind.shiftamt.u32", &[1]), 31);
    assert_eq!(result("bfind.shiftamt.s64", &[0]), 0xffff_ffff);
}

#[test]
fn a_signed_field_is_filled_with_its_own_sign_or_that_of_the_word() {
    assert_eq!(result("bfe.s32", &[0x0000_0080, 4, 4]), 0xffff_fff8);
    assert_eq!(result("bfe.s32", &[0x8000_0000, 40, 4]), 0xffff_ffff);
    assert_eq!(result("bfe.s32", &[0x8000_0000, 40, 0]), 0);
    assert_eq!(result("bfe.s32", &[0x8000_0000, 30, 8]), 0xffff_fffe);
    assert_eq!(result("bfe.u32", &[0xffff_ffff, 0x100, 0x104]), 0xf);
    assert_eq!(result("bfi.b32", &[0xf, 0, 30, 8]), 0xc000_0000);
    assert_eq!(result("bfi.b32", &[0xf, 5, 32, 8]), 5);
}

#[test]
fn masks_and_extensions_wrap_or_stop_at_32() {
    assert_eq!(result("bmsk.clamp.b32", &[4, 0xffff_ffff]), 0xffff_fff0);
    assert_eq!(result("bmsk.clamp.b32", &[32, 4]), 0);
    assert_eq!(result("bmsk.wrap.b32", &[33, 34]), 6);
    assert_eq!(result("bmsk.wrap.b32", &[3, 32]), 0);
    assert_eq!(result("bmsk.wrap.b32", &[31, 31]), 0x8000_0000);
    assert_eq!(result("szext.clamp.s32", &[0x80, 8]), 0xffff_ff80);
    assert_eq!(result("szext.clamp.u32", &[0x180, 8]), 0x80);
    assert_eq!(result("szext.clamp.s32", &[0x80, 32]), 0x80);
    assert_eq!(result("szext.wrap.s32", &[0x80, 40]), 0xffff_ff80);
    assert_eq!(result("szext.wrap.s32", &[0x80, 32]), 0);
}

#[test]
fn dot_products_take_the_signs_of_both_sides() {
    assert_eq!(result("dp4a.s32.u32", &[0xff01_ff01, 0x02ff_0203, 10]), (10 - 2 + 255 - 2 + 3));
    assert_eq!(result("dp2a.lo.s32.s32", &[0xffff_0002, 0x0000_03ff, 0]), 0xffff_fffb);
    assert_eq!(result("dp2a.hi.u32.u32", &[0xffff_0002, 0x0103_0000, 1]), 0xffff + 6 + 1);
}

#[test]
fn shifts_stop_at_the_width() {
    for (amount, expected) in [(31, 0x8000_0000), (32, 0), (33, 0), (255, 0), (0xffff_ffff, 0)] {
        assert_eq!(result("shl.b32", &[1, amount]), expected);
    }
    assert_eq!(result("shr.s16", &[0x8000, 16]), 0xffff);
    assert_eq!(result("shr.s64", &[1 << 63, 64]), u64::MAX);
    assert_eq!(result("shr.b32", &[0x8000_0000, 31]), 1);
    assert_eq!(result("shf.l.clamp.b32", &[0x1234_5678, 0x9abc_def0, 32]), 0x1234_5678);
    assert_eq!(result("shf.r.clamp.b32", &[0x1234_5678, 0x9abc_def0, 99]), 0x9abc_def0);
    assert_eq!(result("shf.l.wrap.b32", &[0x1234_5678, 0x9abc_def0, 32]), 0x9abc_def0);
    assert_eq!(result("shf.l.clamp.b32", &[0x1234_5678, 0x9abc_def0, 8]), 0xbcde_f012);
    assert_eq!(result("shf.r.clamp.b32", &[0x1234_5678, 0x9abc_def0, 8]), 0xf012_3456);
}

#[test]
fn bytes_are_permuted_by_the_manuals_table() {
    let (a, b) = (0x8312_1110, 0x1716_1594);
    assert_eq!(result("prmt.b32", &[a, b, 0xffff_b4c0]), 0xff94_ff10);
    assert_eq!(result("prmt.b32.f4e", &[a, b, 5]), 0x9483_1211);
    assert_eq!(result("prmt.b32.b4e", &[a, b, 1]), 0x1617_1011);
    assert_eq!(result("prmt.b32.rc8", &[a, b, 2]), 0x1212_1212);
    assert_eq!(result("prmt.b32.ecl", &[a, b, 2]), 0x8312_1212);
    assert_eq!(result("prmt.b32.ecr", &[a, b, 1]), 0x1111_1110);
    assert_eq!(result("prmt.b32.rc16", &[a, b, 3]), 0x8312_8312);
}
