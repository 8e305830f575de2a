//! Dumps that are damaged are refused with what is wrong, and nothing waits for them for ever.

use blockyard_waves::Dump;
use std::path::Path;

/// Why a file of these bytes is no dump.
fn refused(folder: &Path, bytes: &[u8]) -> String {
    let path = folder.join("dump");
    std::fs::write(&path, bytes).expect("it is written");
    match Dump::open(&path) {
        Ok(_) => panic!("it is taken"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn an_fst_file_whose_block_points_back_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = [&[0][..], &329_u64.to_be_bytes(), &[0; 321]].concat();
    for length in [u64::MAX, u64::MAX - 8, 0] {
        let bytes = [&header[..], &[255], &length.to_be_bytes(), &[0; 64]].concat();
        let said = refused(folder.path(), &bytes);
        assert!(said.contains("the block at byte 330 is cut off"), "{said}");
    }
}

#[test]
fn a_vcd_file_that_does_not_begin_with_a_command_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = b"$var wire 1 ! valid $end\n$enddefinitions $end\n#0\n1!\n";
    for first in [&[255; 20][..], &[1], b"x\n"] {
        let said = refused(folder.path(), &[first, text].concat());
        assert!(said.contains("line 1: expected a command"), "{said}");
    }
    let path = folder.path().join("dump");
    std::fs::write(&path, [b" \n\t".as_slice(), text].concat()).expect("it is written");
    let dump = Dump::open(&path).expect("white space may come first");
    assert_eq!(dump.value("valid", 0).expect("it is there").as_deref(), Some("1"));
}

#[test]
fn a_variable_of_a_vcd_file_has_at_most_sixteen_million_bits() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = |bits: u32| {
        format!("$var wire {bits} ! wide $end\n$enddefinitions $end\n#0\nbx !\n").into_bytes()
    };
    let said = refused(folder.path(), &text((1 << 24) + 1));
    assert!(said.contains("line 1: expected at most 16777216 bits, not 16777217"), "{said}");
    let path = folder.path().join("dump");
    std::fs::write(&path, text(1 << 24)).expect("it is written");
    assert_eq!(Dump::open(&path).expect("it is read").signals().count(), 1);
}
