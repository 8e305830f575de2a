//! `blockyard dram`: lists and settings that are wrong, and one that is right.

use super::command::Place;

const HEADER: &str = "case,id,arrive_cycle,addr_hex,rw\n";
const GOOD: &str = "case,id,arrive_cycle,addr_hex,rw\na,0,10,60f6000,R\na,1,500,0x60f6080,W\n";
const RUN: [&str; 4] = ["dram", "r.csv", "--out", "o.csv"];

/// The list is refused, and nothing is written.
fn refused(contents: impl AsRef<[u8]>, expected: &[&str]) {
    let place = Place::new();
    place.write("r.csv", contents);
    place.refused(&RUN, expected);
    assert_eq!(place.names(), ["r.csv"]);
}

/// The list is fine, the settings are refused.
fn refused_setting(setting: &str, expected: &[&str]) {
    let place = Place::new();
    place.write("r.csv", GOOD);
    place.refused(&[&RUN[..], &["--set", setting]].concat(), expected);
    assert_eq!(place.names(), ["r.csv"]);
}

#[test]
fn completions_are_written_and_summed_up() {
    let place = Place::new();
    place.write("r.csv", GOOD);
    let table = place.fine(&RUN).stdout;
    let expected = "case,id,arrive_cycle,complete_cycle\na,0,10,39\na,1,500,509\n";
    assert_eq!(place.text("o.csv"), expected);
    assert!(table.contains("bytes/cycle") && table.contains("50.00 %"), "{table}");
    place.fine(&[&RUN[..], &["--set", "burst=bl8"]].concat());
    assert!(place.text("o.csv").contains("a,0,10,40\n"), "two bursts of one bank group");
}

#[test]
fn every_case_starts_afresh_and_other_columns_are_ignored() {
    let place = Place::new();
    let list = "rw,note,addr_hex,arrive_cycle,id,case\r\nR,x,0,5,0,one\r\nR,,80,6,0,two\r\n\
        R,,100,400,1,one\r\n";
    place.write("r.csv", list);
    place.fine(&RUN);
    let expected = "case,id,arrive_cycle,complete_cycle\none,0,5,34\none,1,400,417\ntwo,0,6,35\n";
    assert_eq!(place.text("o.csv"), expected);
}

#[test]
fn a_missing_or_empty_list_is_named() {
    Place::new().refused(&RUN, &["cannot read r.csv", "expected a CSV file of requests"]);
    refused("", &["r.csv: the list is empty", "expected a line with the columns case, id"]);
    refused(HEADER, &["r.csv: the list has no requests"]);
    refused([b'c', 0xff, b'\n'], &["r.csv, line 1", "not valid UTF-8"]);
}

#[test]
fn a_column_that_is_missing_or_there_twice_is_named() {
    refused(
        "case,id,addr_hex,rw\n",
        &["[r.csv:1:1]", "`arrive_cycle` is missing", "expected the columns"],
    );
    let twice = "case,id,arrive_cycle,addr_hex,rw,id\n";
    refused(twice, &["[r.csv:1:34]", "`id` is there twice", "expected each column once"]);
}

#[test]
fn a_bad_field_is_shown_with_line_column_value_and_what_was_expected() {
    let bad =
        |line: &str, expected: &[&str]| refused(format!("{HEADER}a,0,0,0,R\n{line}\n"), expected);
    bad("a,x,0,0,R", &["[r.csv:3:3]", "`id` is `x`", "expected a whole number"]);
    bad("a,1,-4,0,R", &["[r.csv:3:5]", "`arrive_cycle` is `-4`", "expected a whole number"]);
    bad("a,1,281474976710657,0,R", &["`arrive_cycle` is `281474976710657`", "at most"]);
    bad(
        "a,1,4,0xg,R",
        &["[r.csv:3:7]", "`addr_hex` is `0xg`", "expected an address in hexadecimal"],
    );
    bad("a,1,4,,R", &["`addr_hex` is ``", "expected an address"]);
    bad("a,1,4,0,X", &["[r.csv:3:9]", "`rw` is `X`", "expected R or W"]);
    bad(",1,4,0,R", &["[r.csv:3:1]", "`case` is ``", "expected the name of a case"]);
    bad("a,0,4,0,R", &["[r.csv:3:3]", "`id` is `0`", "expected each id of a case once"]);
    bad("a,1,4,0", &["[r.csv:3:", "4 fields, the first line has 5", "expected 5 fields"]);
    bad("a,1,4,0,R,9", &["[r.csv:3:11]", "6 fields", "left over"]);
    bad(
        "a,1,4,10000000,R",
        &["[r.csv:3:7]", "`10000000`, past the last row", "expected at most fffffff"],
    );
}

#[test]
fn a_bad_setting_is_named_with_what_was_expected() {
    refused_setting("clx=3", &["unknown DRAM key `clx`", "expected one of bank_groups, banks"]);
    refused_setting("cl", &["`--set cl` has no `=`", "expected --set key=value"]);
    refused_setting("cl=fast", &["bad value `\"fast\"` for DRAM key `cl`"]);
    refused_setting("cl=-1", &["bad value `-1`", "expected a whole number from 0 on"]);
    refused_setting("burst=bl4", &["`\"bl4\"`", "expected bl8, bl16 or a number of bytes"]);
    refused_setting("queue=0", &["queue = 0", "expected 1 to 4096"]);
    refused_setting("burst=48", &["burst_bytes = 48", "expected 32, 64 or 128"]);
    refused_setting("scheduler=fcfs", &["scheduler", "open-row"]);
    refused_setting("banks=8", &["banks = 8 with address.bank_bits", "expected banks = 16"]);
    refused_setting("address.row_low=12", &["address.bank_bits", "no row bits"]);
}

#[test]
fn the_list_is_not_overwritten() {
    let place = Place::new();
    place.write("r.csv", GOOD);
    place.refused(&["dram", "r.csv", "--out", "r.csv"], &["REQUESTS.csv and --out are both r.csv"]);
    assert_eq!(place.text("r.csv"), GOOD);
    place.refused(&["dram", "r.csv", "--out", "missing/o.csv"], &["cannot write missing/o.csv"]);
}
