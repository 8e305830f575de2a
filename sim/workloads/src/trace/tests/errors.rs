//! Traces that cannot be used, and what is said of them.

use expect_test::{expect, Expect};

use super::*;
use crate::trace::info;

/// Asserts that `text` is refused with the same words by reading all of it, and by running block 0.
fn refused(text: impl AsRef<[u8]>, expected: &Expect) {
    let place = Place::new();
    let path = place.write("k.traceg", text);
    let error = info(&path).map(drop).expect_err("the whole");
    let whole = place.shown(&error);
    let kernel = TracedKernel::open(path, Rc::new(Store::default())).unwrap();
    let error = (0..kernel.header().blocks())
        .find_map(|x| instructions(&kernel, Dim3::new(x, 0, 0), 2).err())
        .expect("some block");
    assert_eq!(place.shown(&error), whole);
    expected.assert_eq(&whole);
}

/// Asserts that a warp with `line` is refused.
fn line(line: &str, expected: &Expect) {
    refused(one_block(&["0000 ffffffff 1 R1 MOV 0 0 0 ", line, EXIT]), expected);
}

/// The message for a warp with `line`.
fn message(line: &str) -> String {
    let text = one_block(&[line, EXIT]);
    let error = warp_of(&text).expect_err(line).to_string();
    let (_, message) = error.split_once("k.traceg, line 24: ").expect(&error);
    message.to_owned()
}

#[test]
fn a_wrong_mask_is_shown_in_its_line() {
    line(
        "0010 fffffffg 1 R1 MOV 0 0 0 ",
        &expect![[r#"
             × k.traceg, line 25: the active mask is `fffffffg`, which is not a hexadecimal number of 32 bits
               ╭─[k.traceg:25:6]
            25 │ 0010 fffffffg 1 R1 MOV 0 0 0 
               ·      ────┬───
               ·          ╰── the active mask is `fffffffg`, which is not a hexadecimal number of 32 bits
               ╰────
             help: expected 1 to 8 hexadecimal digits
        "#]],
    );
}

#[test]
fn a_list_with_too_few_addresses_is_shown_with_the_word_that_is_none() {
    line(
        "0010 00000007 1 R1 LDG 1 R2 4 0 0x10 0x20 -1",
        &expect![[r#"
             × k.traceg, line 25: an address is `-1`, which is not a hexadecimal number of 64 bits
               ╭─[k.traceg:25:43]
            25 │ 0010 00000007 1 R1 LDG 1 R2 4 0 0x10 0x20 -1
               ·                                           ─┬
               ·                                            ╰── an address is `-1`, which is not a hexadecimal number of 64 bits
               ╰────
             help: expected `0x` and 1 to 16 hexadecimal digits
        "#]],
    );
}

#[test]
fn each_column_is_named() {
    let of = |line: &str, expected: &str| assert_eq!(message(line), expected, "{line}");
    of("x ffffffff", "the PC is `x`, which is not a hexadecimal number of 32 bits");
    of("123456789 f", "the PC is `123456789`, which is not a hexadecimal number of 32 bits");
    of("0", "the active mask is missing");
    of("0 f", "the number of destinations is missing");
    of(
        "0 123456789",
        "the active mask is `123456789`, which is not a hexadecimal number of 32 bits",
    );
    of("0 f 2 R1 R2", "the number of destinations is `2`, which is too large");
    of("0 f 1 UR4 MOV", "the destination is `UR4`, which is not a register");
    of("0 f 1 R256 MOV", "the destination is `R256`, which is not a register");
    of("0 f 0", "the opcode is missing");
    of("0 f 0 MOV", "the number of sources is missing");
    of("0 f 0 MOV 6", "the number of sources is `6`, which is too large");
    of("0 f 0 MOV 2 R1 0 0", "a source is `0`, which is not a register");
    of("0 f 0 MOV 0", "the memory width is missing");
    of("0 f 0 MOV 0 -4", "the memory width is `-4`, which is not a whole number");
    of("0 f 0 LDG 0 3 1 0 4 0", "the memory width is 3 bytes");
    of("0 f 0 LDG 0 32 1 0 4 0", "the memory width is `32`, which is too large");
    of("0 f 0 LDG 0 4", "the address mode is missing");
    of("0 f 0 LDG 0 4 3 0x0", "the address mode is `3`, which is too large");
    let hexadecimal = "which is not a hexadecimal number of 64 bits";
    of("0 f 0 LDG 0 4 1 0xx 4 0", &format!("the base address is `0xx`, {hexadecimal}"));
    let long = "0x00000000000000000";
    of(&format!("0 1 0 LDG 0 4 0 {long} 0"), &format!("an address is `{long}`, {hexadecimal}"));
    of("0 f 0 LDG 0 4 0 0x0", "an address is missing");
    of("0 f 0 LDG 0 4 1 0x0", "the stride is missing");
    of("0 f 0 LDG 0 4 2 0x0 1 2", "a delta is missing");
    let whole = "which is not a whole number of 64 bits";
    of("0 f 0 LDG 0 4 2 0x0 1 a 2 0", &format!("a delta is `a`, {whole}"));
    of("0 f 0 MOV 0 0", "the immediate is missing");
    of("0 f 0 MOV 0 0 R1", &format!("the immediate is `R1`, {whole}"));
    of("0 f 0 MOV 0 0 0 9", "`9` is left over");
    // A width of 0 and no access: what looks like a mode is the immediate.
    of("0 f 0 MOV 0 0 1 0x1000 4 0", "`0x1000` is left over");
    let line = format!("0 f 0 MOV 0 0 {}", "9".repeat(60));
    of(&line, &format!("the immediate is `{}...`, {whole}", "9".repeat(40)));
    let line = format!("0 f 0 MOV 0 0 {}", "9".repeat(40));
    of(&line, &format!("the immediate is `{}`, {whole}", "9".repeat(40)));
}

#[test]
fn fewer_lines_than_stated_are_counted() {
    refused(
        one_block(&[EXIT]).replacen("insts = 1", "insts = 2", 1),
        &expect![[r#"
              × k.traceg, line 26: warp 0 has 1 of the 2 instructions that its `insts` states
                ╭─[k.traceg:26:1]
             26 │ warp = 1
                · ────┬───
                ·     ╰── warp 0 has 1 of the 2 instructions that its `insts` states
                ╰────
              help: expected an instruction
        "#]],
    );
}

#[test]
fn more_lines_than_stated_are_no_warp() {
    refused(
        one_block(&[EXIT, EXIT]).replacen("insts = 2", "insts = 1", 1),
        &expect![[r#"
              × k.traceg, line 25: `0100 ffffffff 0 EXIT 0 0 0 ` is not `warp = ...`
                ╭─[k.traceg:25:1]
             25 │ 0100 ffffffff 0 EXIT 0 0 0 
                · ─────────────┬─────────────
                ·              ╰── `0100 ffffffff 0 EXIT 0 0 0 ` is not `warp = ...`
                ╰────
              help: expected `warp = ...` or `#END_TB` (the warp before has as many lines as its `insts`)
        "#]],
    );
}

#[test]
fn all_warps_of_a_block_are_there_once() {
    let exit = [EXIT];
    let text = |warps: &[u32]| {
        let warps: Vec<String> = warps.iter().map(|&number| warp(number, &exit)).collect();
        header((1, 1, 1)) + &block((0, 0, 0), &warps)
    };
    let of = |warps: &[u32], expected: &str| {
        let error = warp_of(&text(warps)).expect_err(expected).to_string();
        assert!(error.ends_with(expected), "{error}");
    };
    of(&[0], "line 26: warp 1 of the thread block is missing");
    of(&[1], "line 26: warp 0 of the thread block is missing");
    of(&[0, 1, 1], "line 30: warp 1 of the thread block is here again");
    of(&[0, 2], "line 26: warp is `2`, which is too large");
    of(&[0, 3], "line 26: warp is `3`, which is too large");
    assert_eq!(warp_of(&text(&[1, 0])).unwrap().len(), 1);
    // As many threads as a block can have.
    let first =
        |count: u32| text(&(0..count).collect::<Vec<u32>>()).replace("(64,1,1)", "(1024,1,1)");
    let error = warp_of(&first(31)).unwrap_err().to_string();
    assert!(error.ends_with(": warp 31 of the thread block is missing"), "{error}");
    assert_eq!(warp_of(&first(32)).unwrap().len(), 1);
}

#[test]
fn a_block_outside_of_the_grid_is_shown_with_the_grid() {
    let warps = [warp(0, &[EXIT]), warp(1, &[EXIT])];
    let text = |second| header((2, 1, 1)) + &block((0, 0, 0), &warps) + &block(second, &warps);
    refused(
        text((2, 0, 0)),
        &expect![[r#"
              × k.traceg, line 34: thread block (2, 0, 0) is outside of the grid
                ╭─[k.traceg:34:15]
             34 │ thread block = 2,0,0
                ·               ───┬──
                ·                  ╰── thread block (2, 0, 0) is outside of the grid
                ╰────
              help: expected an index below (2, 1, 1)
        "#]],
    );
    refused(
        text((0, 0, 0)),
        &expect![[r#"
              × k.traceg, line 34: thread block (0, 0, 0) is here again
                ╭─[k.traceg:34:15]
             34 │ thread block = 0,0,0
                ·               ───┬──
                ·                  ╰── thread block (0, 0, 0) is here again
                ╰────
              help: expected each block once
        "#]],
    );
}

#[test]
fn an_index_is_below_the_grid_in_each_dimension() {
    let warps = [warp(0, &[EXIT]), warp(1, &[EXIT])];
    let place = Place::new();
    let error = |second| {
        let text = header((2, 2, 2)) + &block((1, 1, 1), &warps) + &block(second, &warps);
        info(&place.write("k.traceg", text)).map(drop).unwrap_err().to_string()
    };
    for outside in [(2, 0, 0), (0, 2, 0), (0, 0, 2)] {
        assert!(error(outside).ends_with("is outside of the grid"), "{outside:?}");
    }
    assert!(error((0, 0, 1)).contains("is missing (2 of 8 are there)"));
}

#[test]
fn a_block_that_is_missing_is_named() {
    let warps = [warp(0, &[EXIT]), warp(1, &[EXIT])];
    refused(
        header((2, 1, 1)) + &block((0, 0, 0), &warps),
        &expect![[r#"
            × k.traceg, line 31: the file ends here: thread block (1, 0, 0) is missing (1 of 2 are there)
            help: expected `#BEGIN_TB`
        "#]],
    );
    let blocks: String = (0..18)
        .map(|linear| (linear % 3, linear / 3 % 3, linear / 9))
        .filter(|&index| index != (1, 2, 1))
        .map(|index| block(index, &warps))
        .collect();
    let place = Place::new();
    let path = place.write("k.traceg", header((3, 3, 2)) + &blocks);
    let kernel = TracedKernel::open(path, Rc::new(Store::default())).unwrap();
    let error = instructions(&kernel, Dim3::new(1, 2, 1), 2).expect_err("it is missing");
    let expected = "thread block (1, 2, 1) is missing (17 of 18 are there)";
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn more_blocks_than_the_grid_has_are_refused() {
    let text = one_block(&[EXIT]);
    let (_, again) = text.split_once("#BEGIN_TB").unwrap();
    refused(
        format!("{text}#BEGIN_TB{again}"),
        &expect![[r#"
              × k.traceg, line 34: thread block (0, 0, 0) is here again
                ╭─[k.traceg:34:15]
             34 │ thread block = 0,0,0
                ·               ───┬──
                ·                  ╰── thread block (0, 0, 0) is here again
                ╰────
              help: expected each block once
        "#]],
    );
    refused(
        text + "trailing",
        &expect![[r#"
              × k.traceg, line 32: `trailing` is not the begin of a thread block
                ╭─[k.traceg:32:1]
             32 │ trailing
                · ────┬───
                ·     ╰── `trailing` is not the begin of a thread block
                ╰────
              help: expected `#BEGIN_TB` or the end of the file
        "#]],
    );
}

#[test]
fn a_text_that_is_cut_off_anywhere_is_refused() {
    let text = one_block(&["0000 ffffffff 1 R1 MOV 0 0 0 ", EXIT]);
    let whole = text.trim_end().len();
    let place = Place::new();
    for length in 0..whole {
        let path = place.write("k.traceg", &text[..length]);
        let refused = info(&path).map(drop).expect_err("cut off");
        assert!(refused.to_string().contains("k.traceg"), "{refused}");
        let path = place.write("k.traceg.xz", xz(&text.as_bytes()[..length]));
        assert!(info(&path).is_err());
    }
    let path = place.write("k.traceg", &text[..whole]);
    assert_eq!(info(&path).unwrap().total.warp_instructions, 3);
}

#[test]
fn xz_data_that_is_cut_off_or_damaged_is_refused() {
    let text = one_block(&[EXIT]);
    let compressed = xz(text.as_bytes());
    let place = Place::new();
    for length in 0..compressed.len() {
        let path = place.write("k.traceg.xz", &compressed[..length]);
        let refused = info(&path).map(drop).expect_err("cut off").to_string();
        assert!(refused.contains("k.traceg.xz"), "{refused}");
        let mut damaged = compressed.clone();
        damaged[length] ^= 0x10;
        let path = place.write("k.traceg.xz", &damaged);
        assert!(info(&path).is_err(), "byte {length}");
    }
}

#[test]
fn binary_files_are_refused() {
    let place = Place::new();
    for seed in 0..50_u64 {
        let mut state = seed;
        let mut byte = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            (state >> 56) as u8
        };
        let junk: Vec<u8> = (0..500).map(|_| byte()).collect();
        let path = place.write("k.traceg", &junk);
        assert!(info(&path).is_err());
        let path = place.write("kernelslist.g", &junk);
        assert!(info(&path).is_err());
    }
    let path = place.write("k.traceg", vec![0; 3 << 20]);
    let error = info(&path).unwrap_err();
    assert!(error.to_string().ends_with("line 1: the line has more than 1048576 bytes"), "{error}");
}

#[test]
fn a_list_that_is_wrong_is_shown_with_the_line() {
    let place = Place::new();
    let of = |list: &str, expected: Expect| {
        let path = place.write("kernelslist.g", list);
        expected.assert_eq(&place.shown(&info(&path).map(drop).unwrap_err()));
        assert!(crate::trace::open(&path).is_err());
    };
    of(
        "",
        expect![[r#"
            × kernelslist.g: there is no kernel in the list
            help: expected lines with a kernel's trace (`kernel-1.traceg`, `.traceg.xz` or `.tracez`) or `MemcpyHtoD,address,bytes`
        "#]],
    );
    of(
        "MemcpyHtoD,0x10,4\n",
        expect![[r#"
            × kernelslist.g: there is no kernel in the list
            help: expected lines with a kernel's trace (`kernel-1.traceg`, `.traceg.xz` or `.tracez`) or `MemcpyHtoD,address,bytes`
        "#]],
    );
    of(
        "MemcpyHtoD,0x10\nkernel-1.traceg\n",
        expect![[r#"
              × kernelslist.g, line 1: the size of the copy in bytes is missing
               ╭─[kernelslist.g:1:16]
             1 │ MemcpyHtoD,0x10
               ╰────
              help: expected a whole number from 0 to 18446744073709551615
        "#]],
    );
    of(
        "MemcpyHtoD,0x10,-4\nkernel-1.traceg\n",
        expect![[r#"
             × kernelslist.g, line 1: the size of the copy in bytes is `-4`, which is not a whole number
              ╭─[kernelslist.g:1:17]
            1 │ MemcpyHtoD,0x10,-4
              ·                 ─┬
              ·                  ╰── the size of the copy in bytes is `-4`, which is not a whole number
              ╰────
             help: expected a whole number from 0 to 18446744073709551615
        "#]],
    );
    of(
        "\nkernel-1.trace\n",
        expect![[r#"
             × kernelslist.g, line 2: `kernel-1.trace` is not a command
              ╭─[kernelslist.g:2:1]
            2 │ kernel-1.trace
              · ───────┬──────
              ·        ╰── `kernel-1.trace` is not a command
              ╰────
             help: expected a kernel's trace (`kernel-1.traceg`, `.traceg.xz` or `.tracez`) or `MemcpyHtoD,address,bytes`
        "#]],
    );
    of(
        "kernel-1.traceg\n",
        expect![[r#"
             × kernelslist.g, line 1: cannot read kernel-1.traceg: No such file or directory (os error 2)
              ╭─[kernelslist.g:1:1]
            1 │ kernel-1.traceg
              · ───────┬───────
              ·        ╰── cannot read kernel-1.traceg: No such file or directory (os error 2)
              ╰────
             help: expected a file that is there, from the folder of the list
        "#]],
    );
}
