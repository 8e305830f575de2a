//! The PTX of the folder is what clang makes of the CUDA C beside it.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use rayon::prelude::*;
use support::{folder, kernels, succeed, tool};

/// What stands between the kernel's name and `.ptx`, and the launch mode that it stands for.
const MODES: [(&str, &str); 3] = [(".flat", "0"), (".cdp", "1"), (".dtbl", "2")];

/// The PTX that `clang` makes of a kernel, with the flags of the README.
fn compiled(clang: &Path, kernel: &str, mode: Option<&str>) -> String {
    let mut command = Command::new(clang);
    command.current_dir(folder());
    command.args(["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib"]);
    command.args(["--cuda-gpu-arch=sm_35", "-O2", "-S", "-I", "include", "-o", "-"]);
    command.args(mode.map(|mode| format!("-DBLOCKYARD_LAUNCH={mode}")));
    succeed(command.arg(format!("{kernel}/{kernel}.cu")))
}

#[test]
fn the_ptx_is_what_clang_makes_of_the_source() {
    // Other versions order instructions in another way.
    let fits = |clang: &Path| {
        let said = Command::new(clang).arg("--version").output();
        said.is_ok_and(|said| String::from_utf8_lossy(&said.stdout).contains("version 16."))
    };
    let Some(clang) = tool(&["clang-16", "clang"], fits) else { return };
    let files: usize = kernels().par_iter().map(|kernel| compared(&clang, kernel)).sum();
    assert!(files >= 20, "{files}");
}

/// Compares the PTX of a kernel, and counts its files.
fn compared(clang: &Path, kernel: &str) -> usize {
    let ptx = |mode: &str| format!("{kernel}/{kernel}{mode}.ptx");
    let there = |mode: &str| folder().join(ptx(mode)).is_file();
    let modes = MODES.iter().filter(|(name, _)| there(name));
    let mut all: Vec<_> = modes.map(|&(name, mode)| (name, Some(mode))).collect();
    assert!(all.is_empty() || all.len() == MODES.len(), "{kernel} has not all launch modes");
    if all.is_empty() {
        all.push(("", None));
    }
    for (name, mode) in &all {
        let file = ptx(name);
        let kept = fs::read_to_string(folder().join(&file)).expect(&file);
        assert!(kept == compiled(clang, kernel, *mode), "{file} is another one");
    }
    all.len()
}
