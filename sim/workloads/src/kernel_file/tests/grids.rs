//! Grids whose extent is in memory, and parts of buffers that the host writes.

use std::path::Path;

use super::{parsed_in, run_module};
use crate::kernel_file::launch::Step;
use crate::port::Dim3;

/// `count` adds 1 for each block to the first word at `size`, in the number of its block to `seen`.
const MODULE: &str = ".version 3.2\n.target sm_35\n.address_size 64
    .visible .entry count(.param .u64 size, .param .u64 seen) {
        .reg .b64 %d<3>; .reg .b32 %r<4>;
        ld.param.u64 %d0, [size]; ld.param.u64 %d1, [seen];
        red.global.add.u32 [%d0], 1;
        mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ctaid.y; mov.u32 %r2, %nctaid.x;
        mad.lo.u32 %r0, %r1, %r2, %r0;
        mad.wide.u32 %d2, %r0, 4, %d1;
        red.global.add.u32 [%d2], 1;
        ret;
    }";

/// Buffers `size`, of `first` and 0, `seen` of eight words, and `long`.
fn buffers(first: u32) -> String {
    format!(
        "[buffers]\nsize = {{ type = \"u32\", values = [{first}, 0] }}\n\
         seen = {{ type = \"u32\", count = 8 }}\nlong = {{ type = \"u64\", count = 1 }}\n"
    )
}

/// What runs as `steps` say, with these buffers.
fn run(first: u32, steps: &str) -> Result<(), String> {
    run_module(MODULE, &format!("{}{steps}", buffers(first)))
}

/// A launch with that grid and more keys.
fn launch(grid: &str, more: &str) -> String {
    format!("[[launch]]\ngrid = {grid}\nblock = 1\narguments = [\"size\", \"seen\"]\n{more}\n")
}

/// What the buffers must hold.
fn expect(size: [u32; 2], seen: [u32; 8]) -> String {
    format!("[expect]\nsize = {{ values = {size:?} }}\nseen = {{ values = {seen:?} }}\n")
}

#[test]
fn a_grid_has_as_many_blocks_as_the_word_asks_for() {
    for (word, grid, blocks) in [
        (3, "{ word = \"size\" }", 3),
        (6, "{ word = \"size\", per = 3 }", 2),
        (7, "{ word = \"size\", per = 3 }", 3),
        (1, "{ word = \"size\", per = 1000 }", 1),
        (2, "[{ word = \"size\" }, 2]", 4),
        (2, "[2, { word = \"size\", per = 2 }]", 2),
        (0, "{ word = \"size\" }", 0),
    ] {
        let seen = std::array::from_fn(|block| u32::from(block < blocks));
        let expected = expect([word + blocks as u32, 0], seen);
        assert_eq!(run(word, &format!("{}{expected}", launch(grid, ""))), Ok(()), "{word} {grid}");
    }
}

#[test]
fn the_word_is_what_the_launch_before_has_left() {
    // 1, then as many as are there: 1, 2, 4.
    let all = launch("{ word = \"size\" }", "").repeat(3);
    assert_eq!(run(1, &format!("{all}{}", expect([8, 0], [3, 2, 1, 1, 0, 0, 0, 0]))), Ok(()));
}

#[test]
fn rounds_without_a_block_are_passed_over() {
    let list = "{ grid = { word = \"size\" }, block = 1, arguments = [\"size\", \"seen\"], zero = [\"size\"] }";
    let repeat = format!("[[repeat]]\ntimes = 4\nlaunch = [{list}]\n");
    let after = launch("2", "");
    assert_eq!(
        run(0, &format!("{repeat}{after}{}", expect([2, 0], [1, 1, 0, 0, 0, 0, 0, 0]))),
        Ok(())
    );
}

#[test]
fn too_many_blocks_by_memory_fail_with_their_extent() {
    let said = run(1 << 31, &launch("{ word = \"size\" }", "")).expect_err("too many");
    assert!(said.contains("[2147483648, 1, 1]") && said.contains("kernel `count`"), "{said}");
}

#[test]
fn a_grid_by_memory_has_up_to_2_to_the_31st_blocks_but_one() {
    for (grid, word, extent) in [
        ("{ word = \"size\" }", 0, Some(None)),
        ("{ word = \"size\" }", 0x7fff_ffff, Some(Some(Dim3::new(0x7fff_ffff, 1, 1)))),
        ("{ word = \"size\" }", 0x8000_0000, None),
        ("[1, { word = \"size\" }]", 65_535, Some(Some(Dim3::new(1, 65_535, 1)))),
        ("[1, { word = \"size\" }]", 65_536, None),
        ("[2, 1, { word = \"size\" }]", 3, Some(Some(Dim3::new(2, 1, 3)))),
        ("[1, 1, { word = \"size\" }]", 65_536, None),
        ("[{ word = \"size\" }, 32768]", 65_535, Some(Some(Dim3::new(65_535, 32_768, 1)))),
        ("[{ word = \"size\" }, 32768]", 65_536, None),
        ("[{ word = \"size\" }, 32768]", 65_537, None),
    ] {
        let file = parsed_in(Path::new(""), MODULE, &format!("{}{}", buffers(0), launch(grid, "")));
        let file = file.expect(grid);
        let Step::Launches(launches) = &file.steps[0] else { panic!("a launch") };
        assert_eq!(launches[0].grid.at(|_| word).ok(), extent, "{grid} {word}");
    }
}

#[test]
fn parts_of_buffers_are_written_between_launches() {
    let first = launch("2", "");
    let write = "write = [{ buffer = \"seen\", element = 1, values = [10, 20] },
        { buffer = \"size\", value = 100 }, { buffer = \"seen\", element = 6, value = 7, count = 2 }]";
    let second = launch("2", write);
    let expected = expect([102, 0], [2, 11, 20, 0, 0, 0, 7, 7]);
    assert_eq!(run(0, &format!("{first}{second}{expected}")), Ok(()));
}

#[test]
fn what_does_not_fit_is_refused_at_its_place() {
    for (grid, more, expected) in [
        ("{ word = \"sizes\" }", "", "one of size, seen, long"),
        ("{ word = \"long\" }", "", "u32, i32 or f32"),
        ("{ word = \"size\", per = 0 }", "", "`per` from 1"),
        ("{ words = \"size\" }", "", "{ word = NAME, per = N }"),
        ("[{ word = \"size\" }, 65536]", "", "up to [2147483647, 65535, 65535]"),
        ("[{ word = \"size\" }, 1, 1, 1]", "", "up to [2147483647, 65535, 65535]"),
        ("1", "write = [{ buffer = \"sizes\", value = 1 }]", "one of size, seen, long"),
        ("1", "write = [{ buffer = \"size\" }]", "`values`, or `value`"),
        ("1", "write = [{ buffer = \"size\", value = 1, values = [1] }]", "`values`, or `value`"),
        ("1", "write = [{ buffer = \"size\", values = [1], count = 1 }]", "`values`, or `value`"),
        ("1", "write = [{ buffer = \"size\", element = 1, values = [1, 2] }]", "some of its 2"),
        ("1", "write = [{ buffer = \"size\", element = 3, value = 1 }]", "expected 0 to 2"),
        ("1", "write = [{ buffer = \"size\", value = -1 }]", "is no u32"),
        ("1", "write = [{ buffer = \"size\", value = 1, count = 3 }]", "expected 1 to 2"),
    ] {
        let said = run(1, &launch(grid, more)).expect_err(expected);
        let line = if more.is_empty() { 6 } else { 9 };
        assert!(said.contains(expected) && said.contains(&format!("host.toml:{line}")), "{said}");
    }
    // What just fits.
    let write = "write = [{ buffer = \"size\", element = 1, values = [9] }]";
    let expected = expect([2, 9], [1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(run(1, &format!("{}{expected}", launch("1", write))), Ok(()));
}
