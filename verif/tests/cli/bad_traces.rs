//! Traces that are missing, cut off or wrong.

use super::command::Place;
use super::trace::kernel;

/// Asserts that a list of a kernel with the trace `contents` is refused with `expected`.
fn refused(contents: impl AsRef<[u8]>, expected: &[&str]) {
    let place = Place::new();
    place.write("kernelslist.g", "k.traceg\n");
    place.write("k.traceg", contents);
    place.refused(&["trace", "info", "kernelslist.g"], expected);
    place.refused(&["trace", "info", "k.traceg", "--json"], expected);
    assert_eq!(place.names(), ["k.traceg", "kernelslist.g"]);
}

/// Asserts that the good trace with `from` replaced by `to` is refused.
fn changed(from: &str, to: &str, expected: &[&str]) {
    let good = kernel("k");
    assert!(good.contains(from), "{from}");
    refused(good.replacen(from, to, 1), expected);
}

#[test]
fn a_missing_file_is_named() {
    let place = Place::new();
    place.refused(&["trace", "info", "missing.g"], &["cannot read missing.g", "No such file"]);
    place.write("kernelslist.g", "kernel-1.traceg\n");
    let expected = ["cannot read kernel-1.traceg", "No such file", "kernelslist.g, line 1: "];
    place.refused(&["trace", "info", "kernelslist.g"], &expected);
}

#[test]
fn a_list_without_kernels_or_with_junk_is_refused() {
    let place = Place::new();
    let refused = |list: &[u8], expected: &[&str]| {
        place.write("list.g", list);
        place.refused(&["trace", "info", "list.g"], expected);
    };
    refused(b"", &["list.g: there is no kernel in the list"]);
    refused(b"\n\nlaunch it\n", &["[list.g:3:1]", "`launch it` is not a command"]);
    refused(b"MemcpyHtoD,1,x\n", &["[list.g:1:14]", "the size of the copy in bytes is `x`"]);
    refused(b"\xff\xfe\n", &["list.g, line 1", "is not text"]);
    let last = b"MemcpyHtoD,0xfffffffffffffff8,9\n";
    refused(last, &["list.g, line 1", "9 bytes from 0xfffffffffffffff8 on", "at most 2^64"]);
    refused(b"MemcpyHtoD,0xfffffffffffffff8,8\n", &["there is no kernel in the list"]);
}

#[test]
fn a_header_that_is_wrong_is_shown_with_the_key() {
    changed("-nregs = 16\n", "", &["`-nregs` is missing in the header above", "k.traceg:11:1"]);
    changed("-nregs = 16", "-nregs = -1", &["[k.traceg:6:10]", "`-nregs` is `-1`", "0 to 255"]);
    changed("(1,1,1)", "(1,1)", &["[k.traceg:3:13]", "`(1,1)`, which is not an extent"]);
    changed("version = 4", "version = 7", &["[k.traceg:11:28]", "expected 3, 4, 5 or 6"]);
    changed("-shmem = 64", "-nregs = 64", &["k.traceg:6:1", "here again, after line 5"]);
}

#[test]
fn a_block_that_fits_no_smx_is_refused_with_the_file_of_its_kernel() {
    let place = Place::new();
    place.write("k.traceg", kernel("k").replace("-shmem = 64", "-shmem = 65536"));
    let args = ["run", "--scheduler", "rr", "--trace", "k.traceg"];
    let expected = ["k.traceg: kernel `k`: a block fits no SMX", "65536", "49152"];
    place.refused(&args, &expected);
}

#[test]
fn an_instruction_that_is_wrong_is_shown_with_the_field() {
    changed("0000ffff", "0000fffg", &["[k.traceg:21:6]", "the active mask is `0000fffg`"]);
    changed("R2 4 1", "R2 4 5", &["[k.traceg:20:33]", "the address mode is `5`", "0 to 2"]);
    changed("R2 R1", "R2 P1", &["[k.traceg:21:28]", "a source is `P1`", "expected R0 to R255"]);
    // Half a warp would have stored nothing, and nobody would have known.
    let store = &format!("R1 4 0 {}0\n", "0x90000000 ".repeat(16));
    let expected =
        ["[k.traceg:21:", "16 lanes access memory without an address", "an address mode"];
    changed(store, "R1 0 0\n", &expected);
    changed(
        "STG.E",
        "ST\u{1}G",
        &["[k.traceg:21:", "the opcode is `", "expected an opcode such as"],
    );
    changed("EXIT 0 0 0", "EXIT 0 0", &["[k.traceg:22:", "the immediate is missing"]);
    changed("EXIT 0 0 0", "EXIT 0 0 0 0", &["[k.traceg:22:28]", "`0` is left over"]);
}

#[test]
fn counts_that_do_not_hold_are_refused() {
    changed("insts = 3", "insts = 4", &["k.traceg:24:1", "has 3 of the 4 instructions"]);
    changed("insts = 3", "insts = 2", &["k.traceg:22:1", "is not `warp = ...`"]);
    changed("(32,1,1)", "(64,1,1)", &["k.traceg:24:1", "warp 1 of the thread block is missing"]);
    changed("(1,1,1)", "(2,1,1)", &["line 24", "thread block (1, 0, 0) is missing (1 of 2"]);
    changed("= 0,0,0", "= 0,0,1", &["[k.traceg:16:15]", "(0, 0, 1) is outside of the grid"]);
}

#[test]
fn a_trace_that_is_cut_off_or_no_text_is_refused() {
    let good = kernel("k");
    let (start, _) = good.split_once("#END_TB").expect("an end");
    refused(start, &["line 23", "the file ends here: the thread block has no end", "`#END_TB`"]);
    refused("", &["k.traceg: the file is empty"]);
    refused([0x7f, 0xff, 0xfe, 0, b'\n'], &["k.traceg, line 1", "not a line of a header"]);
    let place = Place::new();
    place.write("k.traceg.xz", b"\xfd7zXZ\0\0\x04");
    let expected = ["cannot read", "k.traceg.xz", "expected a readable file"];
    place.refused(&["trace", "info", "k.traceg.xz"], &expected);
}

#[test]
fn addresses_that_do_not_fit_their_mode_are_refused() {
    let load = "4 1 0x80000000 4 0";
    changed(load, "4 0 0x80000000 4 0", &["[k.traceg:20:", "an address is missing"]);
    changed(load, "4 1 0x80000000", &["[k.traceg:20:", "the stride is missing"]);
    changed(load, "4 2 0x80000000 4 0", &["[k.traceg:20:", "a delta is missing"]);
    changed(load, "3 1 0x80000000 4 0", &["line 20", "the memory width is 3 bytes"]);
}

#[test]
fn the_kernel_of_a_list_that_is_wrong_is_named() {
    let place = Place::new();
    place.write("kernelslist.g", "MemcpyHtoD,0x80000000,128\na.traceg\nb.traceg\n");
    place.write("a.traceg", kernel("a"));
    place.write("b.traceg", kernel("b").replace("insts = 3", "insts = three"));
    let expected = ["[b.traceg:19:9]", "insts is `three`, which is not a whole number"];
    place.refused(&["trace", "info", "kernelslist.g"], &expected);
}
