//! What version 6 of the tracer writes more than those before.

use expect_test::expect;

use super::*;
use crate::program::{Access, Space, Unit};
use crate::trace::info;

/// A trace of one block on Hopper, of which warp 0 has `lines`; its block says where in a cluster
/// it is.
fn trace(lines: &[&str]) -> String {
    let exit = "0100 ffffffff 0 EXIT 0 0 0 0 NoVal";
    let lines: Vec<&str> = lines.iter().copied().chain([exit]).collect();
    let block = block((0, 0, 0), &[warp(0, &lines), warp(1, &[exit])]).replace(
        "thread block = 0,0,0\n",
        "thread block = 0,0,0\ncluster id = 0,0,0\ncluster cta = 1,0,0\ncluster rank = 1\n",
    );
    let header = header((1, 1, 1)).replace("version = 5", "version = 6");
    header.replace("version = 70", "version = 90") + &block
}

/// The only instruction of a warp before its exit.
fn read(line: &str) -> Instruction {
    let mut warp = warp_of(&trace(&[line])).unwrap_or_else(|error| panic!("{line}: {error}"));
    assert_eq!(warp.len(), 2, "{line}");
    warp.swap_remove(0)
}

/// What is said of a warp with `line`.
fn message(line: &str) -> String {
    let error = warp_of(&trace(&[line])).expect_err(line).to_string();
    error.split_once("k.traceg, line 27: ").expect(&error).1.to_owned()
}

#[test]
fn immediates_and_values_are_behind_what_was_there_before() {
    let plain = read("0010 00000003 1 R1 IADD3 2 R2 R3 0 7");
    for tail in ["7 0", "7 -1 NoVal", "7 NoVal", "7 0 Val 1 0x5 1 0xffffffffffffffff 1 12 "] {
        assert_eq!(read(&format!("0010 00000003 1 R1 IADD3 2 R2 R3 0 {tail}")), plain, "{tail}");
    }
    let lanes: String = (0..32).map(|lane| format!(" {lane:x}")).collect();
    let values = format!("0010 00000003 1 R1 IADD3 2 R2 R3 0 7 0 Val 32{lanes} 1 0 32{lanes}");
    assert_eq!(read(&values), plain);
    let load = "0020 0000000f 1 R4 LDG.E.64 1 R2 8";
    let got = read(&format!("{load} 1 0x7f0100000000 8 0 0 NoVal"));
    let global = Operation::Memory { space: Space::Global, access: Access::Load, bytes: 8 };
    assert_eq!((got.operation, got.addresses.of(3)), (global, 0x7f01_0000_0018));
    for addresses in ["2 0x7f0100000000 8 8 8", "1 0x7f0100000000 8"] {
        assert_eq!(read(&format!("{load} {addresses} 0 0 Val 1 0 1 0x10")), got, "{addresses}");
    }
}

#[test]
fn a_load_of_a_matrix_whose_width_is_0_has_its_addresses() {
    let got = read("0000 00000003 1 R4 LDSM.16.MT88.4 1 R2 0 1 0x400 16 0 0 NoVal");
    let shared = Operation::Memory { space: Space::Shared, access: Access::Load, bytes: 16 };
    assert_eq!((got.operation, got.addresses.of(1)), (shared, 0x410));
    assert_eq!(
        message("0000 00000003 1 R4 LDSM.16.MT88.4 1 R2 0 16 0 NoVal"),
        "2 lanes access memory without an address"
    );
}

#[test]
fn uniform_registers_and_predicates_are_no_dependences() {
    let got = read("0000 ffffffff 1 UR4 R2UR 4 R2 UR63 P0 UP1 0 0 0 NoVal");
    assert_eq!((got.destination, got.sources), (None, [Some(2), None, None, None]));
    let not = "which is not a register";
    assert_eq!(message("0 f 1 UR MOV 0 0 0 0"), format!("the destination is `UR`, {not}"));
    assert_eq!(message("0 f 0 MOV 1 B0 0 0 0"), format!("a source is `B0`, {not}"));
}

#[test]
fn matrices_across_warps_say_whether_they_end_a_group() {
    let got = read("0000 ffffffff 1 R24 HGMMA.64x64x16.F32 1 R24 1 0 0 0 NoVal");
    assert_eq!(got.operation, Operation::Compute(Unit::Tensor));
    let line = "0000 ffffffff 1 R24 HGMMA.64x64x16.F32 1 R24 2 0 0 0 NoVal";
    assert_eq!(message(line), "the end of a group is `2`, which is too large");
}

#[test]
fn bulk_copies_are_checked_counted_and_run_as_integer_instructions() {
    let copies = [
        "0 ffffffff 0 UTMALDG.2D 0 128 0x7f0000000008 0 4096 0 3 2 0x1000 0x1080 0 0 NoVal",
        "0 ffffffff 0 UTMALDG.2D.MULTICAST 0 128 0x8 1 0x3 4096 64 4 0x1000 3 128 -64 0 0 NoVal",
        "0 ffffffff 0 UBLKCP.S.G 0 16 0x8 0 0 0 4 0x1000 0 0 0 NoVal",
    ];
    for line in copies {
        assert_eq!(read(line).operation, Operation::Compute(Unit::Integer), "{line}");
    }
    let place = Place::new();
    let counts = info(&place.write("k.traceg", trace(&copies))).unwrap().total;
    assert_eq!((counts.bulk_copies, counts.unknown_opcodes, counts.global_loads), (3, 0, 0));
    let of = |columns: &str| message(&format!("0 f 0 UBLKCP.S.G 0 16 {columns}"));
    assert_eq!(of(""), "the address of the barrier is missing");
    assert_eq!(of("0x8 2"), "whether it is a multicast is `2`, which is too large");
    assert_eq!(of("0x8 1"), "the mask of the cluster's blocks is missing");
    assert_eq!(of("0x8 0 x"), "the number of bytes is `x`, which is not a whole number");
    assert_eq!(of("0x8 0 64"), "the number of bytes outside of the tensor is missing");
    assert_eq!(of("0x8 0 64 0 1"), "the address mode of a bulk copy is 1");
    assert_eq!(of("0x8 0 64 0 3 70000"), "the number of addresses is `70000`, which is too large");
    assert_eq!(of("0x8 0 64 0 3 2 0x0"), "an address is missing");
    assert_eq!(of("0x8 0 64 0 4 0x0 2"), "a delta is missing");
    let text = trace(&["0 f 0 UBLKCP.S.G 0 16 0x8 0 64 0 2 3 0 0 NoVal"]);
    let error = info(&place.write("k.traceg", text)).map(drop).unwrap_err();
    expect![[r#"
         × k.traceg, line 27: the address mode of a bulk copy is 2
           ╭─[k.traceg:27:34]
        27 │ 0 f 0 UBLKCP.S.G 0 16 0x8 0 64 0 2 3 0 0 NoVal
           ·                                  ┬
           ·                                  ╰── the address mode of a bulk copy is 2
           ╰────
         help: expected 3 (a list) or 4 (a base and deltas)
    "#]]
    .assert_eq(&place.shown(&error));
}

#[test]
fn each_column_of_the_tail_is_named() {
    let of = |tail: &str, expected: &str| {
        assert_eq!(message(&format!("0 f 1 R1 MOV 1 R2 0 {tail}")), expected, "{tail}");
    };
    of("", "the immediate is missing");
    of("0 7x", "the second immediate is `7x`, which is not a whole number of 64 bits");
    of("0 0 Vals", "`Vals` is neither `Val` nor `NoVal`");
    of("0 0 7", "`7` is neither `Val` nor `NoVal`");
    of("0 0 NoVal 1", "`1` is left over");
    of("0 0 Val", "the number of values is missing");
    of("0 0 Val 2 0x0 0x1", "a register has 2 values");
    of("0 0 Val 33", "the number of values is `33`, which is too large");
    of("0 0 Val 1 0x1", "the number of values is missing");
    of("0 0 Val 1 0x1 1 g", "a value is `g`, which is not a hexadecimal number of 64 bits");
    of("0 0 Val 1 0x1 1 0x1 1", "`1` is left over");
    let place = Place::new();
    let text = trace(&["0 f 1 R1 MOV 1 R2 0 0 0 Val 2 0x0 0x1"]);
    let error = info(&place.write("k.traceg", text)).map(drop).unwrap_err();
    expect![[r#"
         × k.traceg, line 27: a register has 2 values
           ╭─[k.traceg:27:29]
        27 │ 0 f 1 R1 MOV 1 R2 0 0 0 Val 2 0x0 0x1
           ·                             ┬
           ·                             ╰── a register has 2 values
           ╰────
         help: expected 1 value, or 32 of them
    "#]]
    .assert_eq(&place.shown(&error));
}

#[test]
fn where_a_block_is_in_its_cluster_is_checked() {
    let place = Place::new();
    for wrong in [
        "cluster rank = x",
        "cluster id = 1,2",
        "cluster size = 4",
        "cluster rank",
        "cluster rank =",
        "cluster rank = 1 2",
    ] {
        let text = trace(&[]).replace("cluster rank = 1", wrong);
        let error = info(&place.write("k.traceg", text)).unwrap_err().to_string();
        let expected = "does not say where a block is in its cluster";
        assert_eq!(error.split_once("line 23: ").unwrap().1, format!("`{wrong}` {expected}"));
    }
}

#[test]
fn an_older_tracer_lists_bulk_copies_like_other_instructions() {
    let text = one_block(&["0 1 0 UTMALDG.2D 0 4 1 0x1000 0 0", EXIT]);
    let text = text.replace("version = 70", "version = 90");
    assert_eq!(warp_of(&text).unwrap()[0].operation, Operation::Compute(Unit::Integer));
}
