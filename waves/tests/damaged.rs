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

/// An FST file of two signals.
const SMALL: &[u8] = include_bytes!("../../fuzz/seeds/dump/small.fst");

#[test]
fn an_fst_file_of_which_a_byte_is_wrong_is_refused_or_read_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("dump");
    let mut read = 0;
    // What the header says of who wrote it, and when, may be anything.
    for at in (0..74).chain(300..SMALL.len()) {
        for wrong in [0, 1, 2, 3, 4, 5, 8, 16, 32, 64, 128, 255].map(|by| SMALL[at] ^ by) {
            let mut bytes = SMALL.to_vec();
            bytes[at] = wrong;
            std::fs::write(&path, &bytes).expect("it is written");
            let Ok(dump) = Dump::open(&path) else { continue };
            read += 1;
            for signal in dump.signals() {
                let changes = dump.changes(&signal.path).expect("it has the signal");
                assert!(changes.is_sorted_by_key(|(time, _)| *time), "byte {at} is {wrong}");
                let last = changes.last().map(|(time, value)| (*time, value.clone()));
                if let Some((time, value)) = last {
                    let found = dump.value(&signal.path, time).expect("it has the signal");
                    assert_eq!(found, Some(value), "byte {at} is {wrong}");
                }
            }
            dump.contents();
        }
    }
    assert!(read > SMALL.len() - 300, "as it is, it is read: {read}");
}

#[test]
fn a_vcd_file_whose_header_has_no_end_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = refused(folder.path(), b"$var wire 1 ! valid $end\n#0\n1!\n");
    assert!(said.contains("it has no $enddefinitions"), "{said}");
}

#[test]
fn a_comment_may_say_what_it_likes_and_a_value_is_of_a_state_that_there_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = |comment: &str, value: &str| {
        format!(
            "$comment {comment} $end\n$var wire 1 ! valid $end\n$enddefinitions $end\n\
             $comment {comment} $end\n#0\n{value}!\n"
        )
    };
    let path = folder.path().join("dump");
    std::fs::write(&path, text("see $var wire none q 7", "1")).expect("it is written");
    let dump = Dump::open(&path).expect("a dump");
    assert_eq!(dump.value("valid", 0).expect("it is there").as_deref(), Some("1"));
    let said = refused(folder.path(), text("", "q").as_bytes());
    assert!(said.contains("line 6: expected a time or a value, found `q!`"), "{said}");
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

#[test]
fn what_is_never_known_is_not_known_to_the_end_of_the_dump() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("dump");
    let text = "$var wire 1 ! valid $end\n$enddefinitions $end\n#3\nx!\n#7\n";
    std::fs::write(&path, text).expect("it is written");
    let dump = Dump::open(&path).expect("it is read");
    assert_eq!(dump.gaps().collect::<Vec<_>>(), [0..3, 3..7]);
}
