//! What each kind of line becomes.

use super::*;
use crate::program::{Access, Space, Unit};

/// The only instruction of a warp before its exit, on Turing.
fn read(line: &str) -> Instruction {
    let text = one_block(&[line, EXIT]).replace("version = 70", "version = 75");
    let mut warp = warp_of(&text).unwrap();
    assert_eq!(warp.len(), 2, "{line}");
    assert_eq!(warp[1].operation, Operation::Exit);
    warp.swap_remove(0)
}

fn memory(space: Space, access: Access, bytes: u8) -> Operation {
    Operation::Memory { space, access, bytes }
}

const NOTHING: Operation = Operation::Compute(Unit::Integer);

#[test]
fn the_columns_of_an_instruction_are_where_they_are_expected() {
    let got = read("01f0 0000ffff 1 R7 FFMA 3 R4 R5 R6 0 0 ");
    assert_eq!((got.pc, got.active), (0x1f0, 0xffff));
    assert_eq!(got.operation, Operation::Compute(Unit::Single));
    assert_eq!(got.destination, Some(7));
    assert_eq!(got.sources, [Some(4), Some(5), Some(6), None]);
    let got = read("00a0 ffffffff 1 R4 LDG.E.64 1 R4 8 1 0x7fb0fc430e00 8 0");
    assert_eq!(got.operation, memory(Space::Global, Access::Load, 8));
    assert_eq!((got.addresses.of(0), got.addresses.of(31)), (0x7fb0_fc43_0e00, 0x7fb0_fc43_0ef8));
}

#[test]
fn the_zero_register_is_no_dependence() {
    let got = read("0000 ffffffff 1 R255 FADD 2 R255 R1 0 0");
    assert_eq!((got.destination, got.sources), (None, [Some(1), None, None, None]));
}

#[test]
fn a_register_that_is_read_twice_takes_one_place_and_a_fifth_one_none() {
    let got = read("0000 ffffffff 0 FADD 5 R1 R1 R2 R3 R4 0 0");
    assert_eq!(got.sources, [Some(1), Some(2), Some(3), Some(4)]);
    let got = read("0000 ffffffff 0 FADD 5 R1 R2 R3 R4 R5 0 0");
    assert_eq!(got.sources, [Some(1), Some(2), Some(3), Some(4)]);
}

#[test]
fn local_memory_is_global_and_constants_have_a_space_of_their_own() {
    let at = "4 1 0x1000 4 0";
    let operation = |opcode: &str| read(&format!("0 1 1 R1 {opcode} 1 R2 {at}")).operation;
    assert_eq!(operation("LDL"), memory(Space::Global, Access::Load, 4));
    assert_eq!(operation("STL"), memory(Space::Global, Access::Store, 4));
    assert_eq!(operation("STG.E"), memory(Space::Global, Access::Store, 4));
    assert_eq!(operation("LDS"), memory(Space::Shared, Access::Load, 4));
    assert_eq!(operation("STS"), memory(Space::Shared, Access::Store, 4));
    assert_eq!(operation("LDC.64"), memory(Space::Constant, Access::Load, 4));
    assert_eq!(operation("TEX.SCR"), memory(Space::Texture, Access::Load, 4));
    assert_eq!(operation("ATOMG.ADD"), memory(Space::Global, Access::Atomic, 4));
    assert_eq!(operation("RED"), memory(Space::Global, Access::Atomic, 4));
    assert_eq!(operation("ATOMS.ADD"), memory(Space::Shared, Access::Load, 4));
    let got = read("0 1 0 ATOMS.ADD 1 R2 4 1 0x1000 4 0");
    assert_eq!(got.operation, memory(Space::Shared, Access::Store, 4), "nothing comes back");
    assert_eq!(read("0 1 1 R1 LDC 0 0 0").operation, memory(Space::Unplaced, Access::Load, 4));
    let special = Operation::Compute(Unit::Special);
    assert_eq!(read("0 1 1 R1 TEX.SCR 1 R2 0 0").operation, special, "no address");
    assert_eq!(read("0 00000000 1 R1 TEX.SCR 1 R2 0 0").operation, special, "no lane");
}

#[test]
fn the_first_active_lane_of_a_generic_access_decides_between_shared_and_global() {
    let space = |address: u64| {
        let line = format!("0 00000002 1 R1 LD.E 1 R2 4 0 {address:#x} 0");
        match read(&line).operation {
            Operation::Memory { space, .. } => space,
            other => panic!("{other:?}"),
        }
    };
    let base = 0x7f00_0000_0000;
    assert_eq!(space(base - 1), Space::Global);
    assert_eq!(space(base), Space::Shared);
    assert_eq!(space(base + (16 << 20) - 1), Space::Shared);
    assert_eq!(space(base + (16 << 20)), Space::Global);
    assert_eq!(space(0x7f00_1000_0000), Space::Global, "local memory");
}

#[test]
fn what_accesses_nothing_is_an_integer_instruction() {
    assert_eq!(read("0 00000000 1 R1 LDG 1 R2 0 0").operation, NOTHING, "no lane, no addresses");
    assert_eq!(read("0 00000000 1 R1 LDG 1 R2 4 0 0").operation, NOTHING, "no lane: a list");
    assert_eq!(read("0 00000000 1 R1 LDG 1 R2 4 1 0x0 -77 0").operation, NOTHING, "a stride");
    assert_eq!(read("0 00000000 1 R1 LDG 1 R2 4 2 0x0 0").operation, NOTHING, "deltas");
    assert_eq!(read("0 00000000 1 R1 LDC 1 R2 0 0").operation, NOTHING, "a constant");
    assert_eq!(read("0 00000000 0 BAR.SYNC 0 0 0").operation, NOTHING, "a barrier");
    assert_eq!(read("0 ffffffff 0 CCTL 1 R2 4 1 0x1000 4 0").operation, NOTHING, "no access");
    assert_eq!(read("0 ffffffff 0 BOGUS.X 1 R2 0 0").operation, NOTHING, "an unknown opcode");
}

#[test]
fn a_memory_width_of_zero_with_addresses_takes_the_width_of_the_opcode() {
    let got = read("0 00000001 1 R1 LDSM.MT88.4 1 R2 0 1 0x100 16 0");
    assert_eq!(got.operation, memory(Space::Shared, Access::Load, 16));
    let got = read("0 00000001 1 R1 LDG 1 R2 0 0 0x100 -5");
    assert_eq!(got.operation, memory(Space::Global, Access::Load, 4));
}

#[test]
fn an_exit_ends_a_warp_where_it_is_the_last_instruction() {
    let operations = |lines: &[&str]| {
        let warp = warp_of(&one_block(lines)).unwrap();
        warp.iter().map(|instruction| (instruction.pc, instruction.operation)).collect::<Vec<_>>()
    };
    let partial = "0010 0000000f 0 EXIT 0 0 0 ";
    let none = "0010 00000000 0 EXIT 0 0 0 ";
    let add = "0020 ffffffff 0 FADD 0 0 0 ";
    let single = Operation::Compute(Unit::Single);
    assert_eq!(operations(&[partial]), [(0x10, Operation::Exit)]);
    assert_eq!(operations(&[none]), [(0x10, Operation::Exit)]);
    assert_eq!(operations(&[partial, EXIT]), [(0x10, NOTHING), (0x100, Operation::Exit)]);
    assert_eq!(
        operations(&[none, add]),
        [(0x10, NOTHING), (0x20, single), (0x20, Operation::Exit)]
    );
    assert_eq!(operations(&[]), [(0, Operation::Exit)], "a warp without instructions");
    let added = warp_of(&one_block(&["0020 0000000f 0 FADD 0 0 0 "])).unwrap().swap_remove(1);
    assert_eq!((added.operation, added.active), (Operation::Exit, 0xf), "its lanes stay");
}

#[test]
fn a_line_number_comes_first_where_the_header_says_so() {
    let text = one_block(&["17 0000 ffffffff 1 R1 MOV 0 0 0", "18 0010 ffffffff 0 EXIT 0 0 0"]);
    let text = text.replace("lineinfo = 0", "lineinfo = 1").replace(EXIT, &format!("1 {EXIT}"));
    let warp = warp_of(&text).unwrap();
    assert_eq!(warp.iter().map(|instruction| instruction.pc).collect::<Vec<_>>(), [0, 0x10]);
}

#[test]
fn an_older_tracer_has_no_immediates() {
    let lines = [
        "0000 ffffffff 1 R1 LDG 0 4 1 0x40 4 ",
        "0008 00000000 1 R1 LDG 0 0 ",
        "000c 00000001 1 R1 LDG 0 0 1 0x80 4 ",
        "0010 ffffffff 0 EXIT 0 0 ",
    ];
    let text = one_block(&lines);
    let text = text.replace(EXIT, "0010 ffffffff 0 EXIT 0 0 ").replace(" immediate", "");
    let text = text.replace("tracer version = 5", "tracer version = 3");
    let warp = warp_of(&text).unwrap();
    assert_eq!(warp[0].operation, memory(Space::Global, Access::Load, 4));
    assert_eq!(warp[0].addresses.of(1), 0x44);
    assert_eq!(warp[1].operation, NOTHING, "no lane, no addresses");
    assert_eq!(warp[2].operation, memory(Space::Global, Access::Load, 4), "no width");
    assert_eq!(warp[2].addresses.of(0), 0x80);
}
