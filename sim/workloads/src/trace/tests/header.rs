//! Headers.

use super::*;
use crate::trace::{header::read, lines, tail::Tail, Architecture, Header};

fn parse(text: &str) -> Result<Header, InputError> {
    let reader = Box::new(std::io::Cursor::new(text.to_owned().into_bytes()));
    read(&mut lines::Lines::new(reader, Path::new("k.traceg").into(), lines::Place::START))
}

#[test]
fn the_header_of_a_real_trace_is_read() {
    let header = parse(&header((196, 2, 1))).unwrap();
    assert_eq!((&*header.name, header.id, header.stream), ("made", 1, 0));
    assert_eq!((header.grid, header.blocks()), (Dim3::new(196, 2, 1), 392));
    assert_eq!((header.block, header.warps()), (Dim3::new(64, 1, 1), 2));
    assert_eq!((header.registers, header.shared_memory, header.version), (16, 0, 5));
    assert_eq!(header.architecture, Architecture::Volta);
    assert_eq!(header.shared_base, 0x7f00_0000_0000);
}

#[test]
fn line_ends_order_of_keys_and_keys_of_other_tracers_make_no_difference() {
    let text = header((1, 1, 1));
    let expected = parse(&text).unwrap();
    assert_eq!(parse(&text.replace('\n', "\r\n")).unwrap(), expected);
    let (keys, rest) = text.split_once("\n\n").unwrap();
    let backwards: Vec<&str> = keys.lines().rev().collect();
    let text = format!("-gpu name = ?\n{}\n# remark\n\n{rest}", backwards.join("\n"));
    assert_eq!(parse(&text).unwrap(), expected);
    let short = keys.lines().filter(|line| !line.contains("nvbit") && !line.contains("lineinfo"));
    let text = format!("{}\n{rest}", short.collect::<Vec<_>>().join("\n"));
    assert_eq!(parse(&text).unwrap(), expected, "keys that may be absent");
}

#[test]
fn the_kernel_name_may_hold_anything() {
    let text = header((1, 1, 1)).replace("made", "void f<a == b, 1>(int)");
    assert_eq!(&*parse(&text).unwrap().name, "void f<a == b, 1>(int)");
}

/// Asserts that the header with `from` replaced by `to` is refused with `message`.
fn refused(from: &str, to: &str, message: &str) {
    let text = header((4, 1, 1));
    assert!(text.contains(from), "{from}");
    let error = parse(&text.replace(from, to)).expect_err(message);
    assert_eq!(error.to_string(), format!("k.traceg, {message}"));
}

#[test]
fn each_key_is_there_once() {
    let missing = "is missing in the header above";
    for key in [
        "kernel name",
        "kernel id",
        "grid dim",
        "block dim",
        "shmem",
        "nregs",
        "binary version",
        "cuda stream id",
        "shmem base_addr",
        "local mem base_addr",
        "accelsim tracer version",
    ] {
        refused(&format!("-{key} ="), "-other =", &format!("line 15: `-{key}` {missing}"));
    }
    refused("-nvbit version", "-nregs", "line 11: `-nregs` is here again, after line 6");
}

#[test]
fn values_out_of_range_are_refused() {
    let not = "which is not a whole number";
    refused("(4,1,1)", "(4,1)", "line 3: `-grid dim` is `(4,1)`, which is not an extent");
    refused("(4,1,1)", "(4,0,1)", "line 3: `-grid dim` is `(4,0,1)`, which makes 0");
    refused("(4,1,1)", "(-4,1,1)", "line 3: `-grid dim` is `(-4,1,1)`, which is not an extent");
    let huge = "(65536,65536,1)";
    refused("(4,1,1)", huge, &format!("line 3: `-grid dim` is `{huge}`, which makes 4294967296"));
    refused("(64,1,1)", "(64,17,1)", "line 4: `-block dim` is `(64,17,1)`, which makes 1088");
    refused("nregs = 16", "nregs = x", &format!("line 6: `-nregs` is `x`, {not}"));
    refused("nregs = 16", "nregs = 256", "line 6: `-nregs` is `256`, which is too large");
    refused("nregs = 16", "nregs = 1 6", "line 6: `6` is left over");
    refused("nregs = 16", "nregs =", "line 6: `-nregs` is missing");
    refused("nregs = 16", "nregs 16", "line 6: `-nregs 16` has no `=`");
    refused("= 70", "= 49", "line 7: `-binary version` is `49`, whose opcodes are not known");
    refused("= 70", "= 130", "line 7: `-binary version` is `130`, whose opcodes are not known");
    let version = "line 12: `-accelsim tracer version` is";
    refused("version = 5", "version = 2", &format!("{version} `2`, which is not supported"));
    refused("version = 5", "version = 7", &format!("{version} `7`, which is not supported"));
    refused(
        "lineinfo = 0",
        "lineinfo = 2",
        "line 13: `-enable lineinfo` is `2`, which is too large",
    );
    let hexadecimal = "which is not a hexadecimal number of 64 bits";
    refused(
        "0x00007f0000000000",
        "0xg",
        &format!("line 9: `-shmem base_addr` is `0xg`, {hexadecimal}"),
    );
    refused(
        "0x00007f0010000000",
        "local",
        &format!("line 10: `-local mem base_addr` is `local`, {hexadecimal}"),
    );
    refused("made", "", "line 1: `-kernel name` is ``, which is empty");
}

#[test]
fn tracers_of_versions_3_to_6_are_read() {
    for version in 3..=5 {
        let text = header((1, 1, 1)).replace("version = 5", &format!("version = {version}"));
        assert_eq!(parse(&text).unwrap().version, version);
        assert_eq!(parse(&text).unwrap().tail, Tail::Immediate);
        let text = text.replace(" immediate\n", "\n");
        let tail = parse(&text).unwrap().tail;
        assert_eq!(tail, Tail::None, "the line of columns decides, not the version");
    }
    let text = header((1, 1, 1)).replace("version = 5", "version = 6");
    assert_eq!(parse(&text).unwrap().tail, Tail::Values);
}

#[test]
fn a_header_that_ends_early_is_refused() {
    refused(
        "#traces format",
        "#",
        "line 17: the file ends here: the header has no line `#traces format`",
    );
    refused(
        "#traces format",
        "#BEGIN_TB",
        "line 15: `#BEGIN_TB = [line_num] PC mask dest_num ...` is not a line of a header",
    );
    refused("-kernel id", "kernel id", "line 2: `kernel id = 1` is not a line of a header");
    assert_eq!(parse("").unwrap_err().to_string(), "k.traceg: the file is empty");
}
