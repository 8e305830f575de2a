//! Textures that kernels are given by handle.

use super::{idle, run_module};
use crate::kernel_file::KernelFile;

/// `look` writes element 2 of the texture to the word at `to`.
const MODULE: &str = ".version 3.2\n.target sm_35\n.address_size 64
    .visible .entry look(.param .u64 to, .param .u64 texture) {
        .reg .b64 %d<2>; .reg .b32 %r<4>;
        ld.param.u64 %d0, [to]; ld.param.u64 %d1, [texture];
        tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%d1, {2}];
        st.global.u32 [%d0], %r0;
        ret;
    }";

const BUFFERS: &str = "[buffers]\none = { type = \"u32\", values = [1, 2, 3, 4] }
other = { type = \"u32\", values = [5, 6, 7, 8] }\nto = { type = \"u32\", count = 2 }\n";

fn run(textures: &str, steps: &str) -> Result<(), String> {
    run_module(MODULE, &format!("{BUFFERS}[textures]\n{textures}\n{steps}"))
}

const IMAGE: &str = "image = { buffer = \"one\", width = 4 }";

fn launch(texture: &str) -> String {
    format!("{{ grid = 1, block = 1, arguments = [\"to\", {texture}] }}")
}

#[test]
fn a_handle_stands_for_the_buffer_where_it_is_now() {
    let rounds = |times: u32| {
        let list = launch("{ texture = \"image\" }");
        format!("[[repeat]]\ntimes = {times}\nswap = [\"one\", \"other\"]\nlaunch = [{list}]\n")
    };
    for (times, found) in [(1, 3), (2, 7), (3, 3)] {
        let expected = format!("[expect]\nto = {{ values = [{found}, 0] }}\n");
        assert_eq!(run(IMAGE, &format!("{}{expected}", rounds(times))), Ok(()), "{times}");
    }
}

#[test]
fn what_does_not_fit_is_refused_at_its_place() {
    let once = |texture: &str| format!("[[repeat]]\ntimes = 1\nlaunch = [{}]\n", launch(texture));
    for (texture, expected) in [
        ("{ texture = \"picture\" }", "one of image"),
        ("{ texture = 3 }", "round, word, texture, buffer, or one of"),
    ] {
        let said = run(IMAGE, &once(texture)).expect_err(expected);
        assert!(said.contains(expected) && said.contains("host.toml:9"), "{said}");
    }
    // Neither a variable of the module nor an argument.
    let said = run(IMAGE, &once("\"one\"")).expect_err("it is of no use");
    assert!(said.contains("has no texture `image`") && said.contains("host.toml:6"), "{said}");
}

#[test]
fn a_texture_variable_reads_the_buffer_that_is_bound_by_its_name() {
    for declared in [".tex .u64 picture;", ".global .texref picture;"] {
        let module = format!(
            ".version 1.4\n.target sm_13\n{declared}
            .entry look(.param .u64 to) {{
                .reg .b64 %d; .reg .f32 %f<5>;
                ld.param.u64 %d, [to];
                mov.f32 %f4, 0f40000000;
                tex.1d.v4.f32.f32 {{%f0, %f1, %f2, %f3}}, [picture, {{%f4, %f4, %f4, %f4}}];
                st.global.f32 [%d], %f0;
                exit;
            }}"
        );
        let host = "[buffers]\nimage = { type = \"f32\", values = [1.0, 2.0, 4.0, 8.0] }
to = { type = \"f32\", count = 1 }
[textures]\npicture = { buffer = \"image\", width = 4, linear = true }
[[repeat]]\ntimes = 1\nlaunch = [{ grid = 1, block = 1, arguments = [\"to\"] }]
[expect]\nto = { values = [3.0] }\n";
        assert_eq!(run_module(&module, host), Ok(()), "{declared}");
    }
}

/// A texture of a buffer of 48 words, with these keys.
fn of_48_words(keys: &str) -> Result<KernelFile, String> {
    let buffer = "[buffers]\nx = { type = \"f64\", count = 24 }";
    idle(&format!("{buffer}\n[textures]\nimage = {{ buffer = \"x\", {keys} }}"))
}

#[test]
fn a_texture_has_its_extents_and_rows_of_all_channels() {
    for (keys, extents, channels, pitch) in [
        ("width = 48", [48, 1, 1], 1, 192),
        ("width = 3", [3, 1, 1], 1, 12),
        ("width = 3, height = 8, channels = 2", [3, 8, 1], 2, 24),
        ("width = 2, height = 3, depth = 2, channels = 4", [2, 3, 2], 4, 32),
    ] {
        let texture = of_48_words(keys).expect(keys).textures[0].texture;
        let found = [texture.width, texture.height, texture.depth];
        assert_eq!((found, texture.channels, texture.pitch), (extents, channels, pitch), "{keys}");
        assert!(!texture.normalized && !texture.linear && !texture.wraps);
    }
    let all = of_48_words("width = 1, normalized = true, linear = true, wraps = true");
    let texture = all.expect("all of them").textures[0].texture;
    assert!(texture.normalized && texture.linear && texture.wraps);
}

#[test]
fn a_texture_is_not_larger_than_its_buffer() {
    for (keys, expected) in [
        ("width = 49", "the texture `image` has 196 bytes"),
        ("width = 7, height = 7", "the texture `image` has 196 bytes"),
        ("width = 5, height = 5, depth = 2", "the texture `image` has 200 bytes"),
        ("width = 13, channels = 4", "the texture `image` has 208 bytes"),
        ("width = 1048576, height = 1048576", "the texture `image` has 4398046511104 bytes"),
        (
            "width = 1048576, height = 1048576, depth = 1048576, channels = 4",
            "the texture `image` has 18446744073709551616 bytes",
        ),
        ("width = 1, channels = 3", "expected 1, 2 or 4"),
        ("width = 0", "`width` is 0"),
        ("width = 1, height = 1048577", "`height` is 1048577"),
        ("width = 1, depth = -1", "`depth` is -1"),
    ] {
        let said = of_48_words(keys).expect_err(keys);
        assert!(said.contains(expected) && said.contains("host.toml:4"), "{said}");
    }
}
