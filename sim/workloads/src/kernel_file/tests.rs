//! Hosts that read and write memory between launches.

mod arguments;
mod clusters;
mod data;
mod expectations;
mod files;
mod grids;
mod launches;
mod textures;

use std::path::Path;
use std::rc::Rc;

use super::KernelFile;
use crate::diagnostic::rendered;
use crate::gpu::host::HostProgram;

const IDLE: &str = ".version 3.2\n.target sm_35\n.visible .entry idle() { ret; }";

/// `step` adds `n` to the word at `total`, and `n` less one to the one at `size`.
const MODULE: &str = ".version 3.2\n.target sm_35\n.address_size 64
    .visible .entry step(.param .u64 size, .param .u64 total, .param .u32 n) {
        .reg .b64 %p<2>; .reg .b32 %n;
        ld.param.u64 %p0, [size]; ld.param.u64 %p1, [total]; ld.param.u32 %n, [n];
        red.global.add.u32 [%p1], %n;
        sub.u32 %n, %n, 1;
        red.global.add.u32 [%p0], %n;
        ret;
    }";

const BUFFERS: &str = "[buffers]\nsize = { type = \"u32\", values = [5] }\n\
                       total = { type = \"u32\", count = 2 }\nlong = { type = \"u64\", count = 1 }\n";

/// What runs as `steps` say, and what is wrong with it.
fn run(steps: &str) -> Result<(), String> {
    run_module(MODULE, &format!("{BUFFERS}{steps}"))
}

/// The host file `text` in `folder`, for `module`, or why it is refused.
fn parsed_in(folder: &Path, module: &str, text: &str) -> Result<KernelFile, String> {
    let program = blockyard_ptx::load("host.ptx", module).expect("a module");
    let file = KernelFile::parse(&folder.join("host.toml"), text, program);
    file.map_err(|error| rendered(&error))
}

/// The host file with `tables` that launches a kernel that does nothing, or why it is refused.
fn idle(tables: &str) -> Result<KernelFile, String> {
    idle_in(Path::new(""), tables)
}

/// As [`idle`], in `folder`.
fn idle_in(folder: &Path, tables: &str) -> Result<KernelFile, String> {
    parsed_in(folder, IDLE, &format!("{tables}\n[[launch]]\ngrid = 1\nblock = 1\n"))
}

/// What `module` does for the host file `text`, and what is wrong with it.
fn run_module(module: &str, text: &str) -> Result<(), String> {
    checked(parsed_in(Path::new(""), module, text)?)
}

/// Runs `file` to its end, and says what is wrong then.
fn checked(file: KernelFile) -> Result<(), String> {
    let mut host = Rc::new(file).host(1).map_err(|error| rendered(&error))?;
    blockyard_ptx::functional::run(&mut host).expect("a run");
    host.verify()
}

const STEP: &str = "grid = 1, block = 1, arguments = [\"size\", \"total\", { word = \"size\" }]";

#[test]
fn a_word_is_what_was_in_memory_before_the_round_set_it_to_zero() {
    // 5 + 4 + 3 + 2 + 1
    let steps = format!("[[repeat]]\nuntil_zero = \"size\"\nlaunch = [{{ {STEP} }}]\n");
    let expected = "[expect]\ntotal = { values = [15, 0] }\nsize = { value = 0 }\n";
    assert_eq!(run(&format!("{steps}{expected}")), Ok(()));
}

#[test]
fn a_word_is_what_the_launch_before_has_left() {
    let list = STEP.replace(", ", "\n").replace("\"size\"\n\"total\"\n", "\"size\", \"total\", ");
    let steps = format!("[[launch]]\n{list}\n[[launch]]\n{list}\n");
    // 5; 5 and 4 are 9; 9 and 8 are 17.
    let expected = "[expect]\ntotal = { values = [14, 0] }\nsize = { value = 17 }\n";
    assert_eq!(run(&format!("{steps}{expected}")), Ok(()));
}

#[test]
fn what_is_set_to_zero_is_read_before() {
    let step = format!("{STEP}, zero = [\"size\", \"total\"]");
    let steps = format!("[[repeat]]\ntimes = 3\nlaunch = [{{ {step} }}]\n");
    // Rounds of 5, 4 and 3.
    let expected = "[expect]\ntotal = { values = [3, 0] }\nsize = { value = 2 }\n";
    assert_eq!(run(&format!("{steps}{expected}")), Ok(()));
}

#[test]
fn a_word_that_is_not_there_is_refused_at_its_place() {
    for (name, expected) in [("sizes", "size, total, long"), ("long", "u32, i32 or f32")] {
        let step = STEP.replace("word = \"size\"", &format!("word = \"{name}\""));
        let said = run(&format!("[[repeat]]\ntimes = 1\nlaunch = [{{ {step} }}]\n"));
        let said = said.expect_err(name);
        assert!(said.contains(expected) && said.contains("host.toml:7"), "{said}");
    }
}
