//! Kernels in CUDA C that the project has itself, each with its host and what checks it.
//!
//! A kernel is a folder: `NAME.cu`, the PTX that clang made of it, and `mod.rs` with the host program
//! that launches it and compares what it has left with a plain computation on the CPU.

use std::rc::Rc;

use blockyard_ptx::Machine;

/// A machine with the module `text`, the contents of `file` in this folder.
///
/// # Panics
/// When the module cannot be loaded: a test loads each.
#[allow(dead_code)]
pub(crate) fn machine(file: &str, text: &str) -> Rc<Machine> {
    match blockyard_ptx::load(file, text) {
        Ok(program) => Machine::new(program),
        Err(error) => panic!("{}", blockyard_contract::diagnostic::rendered(&error)),
    }
}
