//! Files that a host file reads and writes.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use super::{checked, idle, idle_in};
use crate::gpu::host::HostProgram;
use crate::kernel_file::element::Element;
use crate::kernel_file::npy;

/// A folder with the file `name`.
fn folder(name: &str, bytes: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(name), bytes).expect("a file");
    folder
}

/// What a buffer of the file `name` with these bytes and more keys holds, or why it is refused.
fn held(name: &str, bytes: &[u8], keys: &str) -> Result<Vec<u8>, String> {
    let folder = folder(name, bytes);
    let table = format!("[buffers]\nx = {{ file = \"{name}\"{keys} }}");
    Ok(idle_in(folder.path(), &table)?.buffers[0].initial(1))
}

fn numpy(name: &str, bytes: &[u8]) -> Vec<u8> {
    npy::write(Element::named(name).expect(name), bytes)
}

#[test]
fn the_name_of_a_file_says_how_it_is_read() {
    let array = numpy("i16", &[1, 2, 3, 4]);
    for (name, bytes, keys, expected) in [
        ("x.bin", &[1, 2, 3, 4][..], ", type = \"u16\"", &[1, 2, 3, 4][..]),
        ("x", &[1, 2, 3, 4], ", type = \"u16\", count = 2", &[1, 2, 3, 4]),
        ("x.bin", &[], ", type = \"u16\"", &[]),
        ("x.txt", b" 1\t258\n\r\n-1\n2", ", type = \"i16\"", &[1, 0, 2, 1, 0xff, 0xff, 2, 0]),
        ("x.txt", b"1.5", ", type = \"f32\", count = 1", &[0, 0, 0xc0, 0x3f]),
        ("x.txt", b"", ", type = \"f32\"", &[]),
        ("x.npy", &array, "", &[1, 2, 3, 4]),
        ("x.npy", &array, ", type = \"i16\", count = 2", &[1, 2, 3, 4]),
    ] {
        assert_eq!(held(name, bytes, keys).as_deref(), Ok(expected), "{name} {keys}");
    }
}

#[test]
fn what_is_in_a_file_fits_its_type() {
    let array = numpy("i16", &[1, 2, 3, 4]);
    for (name, bytes, keys, expected) in [
        ("x.bin", &[1, 2, 3][..], ", type = \"u16\"", "expected a multiple of 2"),
        ("x.bin", &[1, 2], "", "only .npy files state it"),
        ("x.txt", b"1", "", "only .npy files state it"),
        ("x.npy", &array, ", type = \"u16\"", "expected i16"),
        ("x.npy", &array, ", count = 3", "`count` is 3, but there are 2 elements"),
        ("x.npy", b"1", "", "does not begin as NumPy's files do"),
    ] {
        let said = held(name, bytes, keys).expect_err(keys);
        assert!(said.contains(expected) && said.contains("host.toml:2"), "{said}");
    }
    let said = idle("[buffers]\nx = { file = \"nowhere/x.txt\", type = \"u8\" }");
    let said = said.expect_err("no file");
    assert!(said.contains("cannot read") && said.contains("host.toml:2"), "{said}");
}

#[test]
fn a_word_of_a_text_that_is_no_number_is_shown_at_its_place() {
    let said = held("x.txt", b"1 2\n12 abc 5\n", ", type = \"u8\"").expect_err("no number");
    assert!(said.contains("`abc` is no u8") && said.contains("x.txt:2:4"), "{said}");
    assert!(said.contains("12 abc 5\n   ·    ─┬─\n"), "{said}");
}

#[test]
fn a_file_is_expected_in_the_type_of_its_buffer() {
    let folder = folder("x.txt", b"1 2");
    let compared = |values: &str| {
        let buffers = format!("[buffers]\nx = {{ type = \"u16\", values = [{values}] }}");
        let text = format!("{buffers}\n[expect]\nx = {{ file = \"x.txt\" }}");
        checked(idle_in(folder.path(), &text)?)
    };
    assert_eq!(compared("1, 2"), Ok(()));
    let off = "element 1 of buffer `x` is 3, expected 2; 1 of 2 differ";
    assert_eq!(compared("1, 3"), Err(off.to_owned()));
    let said = compared("1").expect_err("another count");
    assert!(said.contains("`x` is compared with 2 elements"), "{said}");
}

#[test]
fn what_a_buffer_holds_in_the_end_is_written_beside_the_host_file() {
    let tables = "[buffers]\nx = { type = \"i16\", values = [1, -2] }
y = { type = \"u8\", values = [3] }\n[output]\ny = \"y.bin\"\nx = \"made/x.txt\"";
    let file = Rc::new(idle_in(Path::new("folder"), tables).expect("a host file"));
    let paths = [Path::new("folder/y.bin"), Path::new("folder/made/x.txt")];
    assert_eq!(file.outputs().collect::<Vec<_>>(), paths);
    let products = file.host(1).expect("a host").products();
    let [y, x] = paths.map(Path::to_owned);
    assert_eq!(products.files, [(y, vec![3]), (x, b"1\n-2\n".to_vec())]);
    let said = idle("[output]\nx = \"x.txt\"").expect_err("no buffer");
    assert!(said.contains("expected a buffer of [buffers]"), "{said}");
}

#[test]
fn the_files_that_are_read_are_known_each_once() {
    let folder = folder("b.txt", b"1");
    fs::write(folder.path().join("a.txt"), "1").expect("a file");
    let tables = "[buffers]\nx = { file = \"b.txt\", type = \"u8\" }
y = { file = \"b.txt\", type = \"u8\" }\n[expect]\nx = { file = \"a.txt\" }";
    let file = idle_in(folder.path(), tables).expect("a host file");
    let file = file.made_of(vec!["k.cu".into()]);
    let inside = |name| folder.path().join(name);
    let all = [inside("host.toml"), inside("a.txt"), inside("b.txt"), "k.cu".into()];
    assert_eq!(file.inputs().collect::<Vec<_>>(), all.each_ref());
    assert_eq!(format!("{file:?}"), format!("KernelFile({})", all[0].display()));
}
