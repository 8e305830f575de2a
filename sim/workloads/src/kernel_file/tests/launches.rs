//! What is launched, when, and with which blocks.

use std::path::Path;
use std::rc::Rc;

use super::{idle, parsed_in};
use crate::gpu::host::HostProgram;
use crate::kernel_file::KernelFile;

const MODULE: &str = ".version 3.2\n.target sm_35
    .visible .entry any(.param .u32 n) { ret; }
    .visible .entry small() .maxntid 64, 1, 1 { ret; }
    .visible .entry large() .maxntid 4096, 1, 1 { ret; }
    .visible .entry exact() .reqntid 8, 2 { ret; }";

/// A launch of `kernel`, which begins in line 2, with more keys.
fn launch(kernel: &str, keys: &str) -> Result<KernelFile, String> {
    let text = format!("# A comment.\n[[launch]]\nkernel = \"{kernel}\"\n{keys}\n");
    parsed_in(Path::new(""), MODULE, &text)
}

#[test]
fn a_block_has_up_to_1024_threads_or_what_the_kernel_states_if_that_is_less() {
    for (kernel, block, most) in [
        ("small", "64", None),
        ("small", "[16, 4]", None),
        ("small", "65", Some(64)),
        ("small", "[16, 5]", Some(64)),
        ("large", "1024", None),
        ("large", "[16, 8, 8]", None),
        ("large", "1025", Some(1024)),
        ("large", "[33, 32]", Some(1024)),
    ] {
        let said = launch(kernel, &format!("block = {block}\ngrid = 1"));
        let expected = most.map(|most| format!("expected 1 to {most}"));
        match (said, expected) {
            (Ok(_), None) => {}
            (Err(said), Some(expected)) => {
                assert!(said.contains(&expected) && said.contains("host.toml:4"), "{said}");
            }
            (said, _) => panic!("{kernel} {block}: {said:?}"),
        }
    }
}

#[test]
fn a_block_is_the_one_that_the_kernel_requires() {
    for block in ["[8, 2]", "[8, 2, 1]"] {
        assert!(launch("exact", &format!("block = {block}\ngrid = 1")).is_ok(), "{block}");
    }
    for block in ["16", "8", "[2, 8]", "[8, 1, 2]", "[8, 3]"] {
        let said = launch("exact", &format!("block = {block}\ngrid = 1")).expect_err(block);
        assert!(said.contains("expected (8, 2, 1), as `.reqntid` says"), "{said}");
    }
}

#[test]
fn a_refused_extent_is_told_how_large_it_may_be() {
    for (keys, expected) in [
        ("grid = 1\nblock = 0", "expected 1 to 1024, or [x, y, z] of at most 1024 in all"),
        ("grid = 1\nblock = [1, 1, 128]", "of at most 1024 in all"),
        ("grid = 32\nblock = 1\ncluster = 32", "expected 1 to 16, or [x, y, z] of at most 16"),
    ] {
        let said = launch("small", keys).expect_err(keys);
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_grid_has_up_to_2_to_the_31st_blocks_but_one() {
    for grid in ["2147483647", "[65535, 32768]", "[1, 65535, 1]"] {
        assert!(launch("small", &format!("grid = {grid}\nblock = 1")).is_ok(), "{grid}");
    }
    for (grid, expected) in [
        ("2147483648", "`grid` is 2147483648"),
        ("[1, 65536]", "up to [2147483647, 65535, 65535]"),
        ("[65536, 32768]", "a grid has 2147483648 thread blocks"),
        ("[65536, 65535]", "a grid has 4294901760 thread blocks"),
    ] {
        let said = launch("small", &format!("grid = {grid}\nblock = 1")).expect_err(grid);
        assert!(said.contains(expected) && said.contains("host.toml:4"), "{said}");
    }
}

#[test]
fn fields_have_31_bits() {
    for key in ["stream", "shared_memory"] {
        let keys = |value: i64| format!("{key} = {value}\ngrid = 1\nblock = 1");
        for value in [0, 2_147_483_647] {
            assert!(launch("small", &keys(value)).is_ok(), "{key} {value}");
        }
        for value in [-1, 2_147_483_648] {
            let said = launch("small", &keys(value)).expect_err(key);
            assert!(said.contains(&format!("`{key}` is {value}")), "{said}");
            assert!(said.contains("expected 0 to 2147483647"), "{said}");
        }
    }
}

#[test]
fn what_a_launch_lacks_is_missed_at_its_heading() {
    for (kernel, keys, expected) in [
        ("small", "block = 1", "expected `grid` here"),
        ("any", "grid = 1\nblock = 1", "kernel `any` is given 0 arguments"),
    ] {
        let said = launch(kernel, keys).expect_err(expected);
        assert!(said.contains(expected) && said.contains("host.toml:2:1"), "{said}");
        // Its bracket is marked.
        assert!(said.contains("[[launch]]\n   · ┬\n"), "{said}");
    }
}

#[test]
fn only_a_resident_kernel_needs_no_arguments_for_its_parameters() {
    assert!(launch("any", "block = 1\nresident = true").is_ok());
    assert!(launch("any", "grid = 1\nblock = 1\nresident = false").is_err());
    assert!(launch("any", "grid = 1\nblock = 1\narguments = [1]").is_ok());
}

#[test]
fn a_step_begins_in_the_cycle_after_the_one_before_has_finished() {
    let first = "[[repeat]]\ntimes = 2\nlaunch = [{ grid = 1, block = 1 }]";
    let mut host = Rc::new(idle(first).expect("a host file")).host(1).expect("a host");
    let mut arrivals = vec![host.start()];
    // Not every kernel, but all of them.
    assert!(host.kernel_finished("idle", 0, 7).is_empty());
    arrivals.extend([7, 20, 21].map(|cycle| host.all_finished(cycle)));
    let arrivals: Vec<Vec<u64>> = arrivals
        .iter()
        .map(|launches| launches.iter().map(|launch| launch.arrive).collect())
        .collect();
    assert_eq!(arrivals, [vec![0], vec![8], vec![21], vec![]]);
}
