//! What holds for whole traces, on traces that are made here.

mod alike;
mod blocks;
mod errors;
mod header;
mod instructions;
mod list;
mod memory;
mod modes;
mod tracez;
mod version6;

use std::path::Path;
use std::rc::Rc;

use super::header::Header;
use super::kernel::TracedKernel;
use super::lines::Lines;
use super::store::Store;
use crate::diagnostic::{rendered_within, InputError};
use crate::port::Dim3;
use crate::program::{Instruction, KernelCode, Operation};

/// The header of a kernel of `grid` blocks of 64 threads, as the tracer writes it.
pub(super) fn header(grid: (u32, u32, u32)) -> String {
    let (x, y, z) = grid;
    format!(
        "-kernel name = made\n-kernel id = 1\n-grid dim = ({x},{y},{z})\n-block dim = (64,1,1)\n\
         -shmem = 0\n-nregs = 16\n-binary version = 70\n-cuda stream id = 0\n\
         -shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f0010000000\n\
         -nvbit version = 1.7\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n\
         #traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] \
         mem_width [adrrescompress?] [mem_addresses] immediate\n\n\n"
    )
}

/// That of a kernel of one block, as it is read.
pub(super) fn plain_header() -> Header {
    let text = std::io::Cursor::new(header((1, 1, 1)).into_bytes());
    let path = Rc::from(Path::new("made.traceg"));
    super::header::read(&mut Lines::new(Box::new(text), path, super::lines::Place::START)).unwrap()
}

/// A warp with these instruction lines.
pub(super) fn warp(warp: u32, lines: &[impl AsRef<str>]) -> String {
    let insts: String = lines.iter().map(|line| format!("{}\n", line.as_ref())).collect();
    format!("warp = {warp}\ninsts = {}\n{insts}\n", lines.len())
}

/// A block of these warps.
pub(super) fn block(index: (u32, u32, u32), warps: &[String]) -> String {
    let (x, y, z) = index;
    let warps: String = warps.concat();
    format!("#BEGIN_TB\n\nthread block = {x},{y},{z}\n\n{warps}#END_TB\n\n")
}

/// A line that ends a warp.
pub(super) const EXIT: &str = "0100 ffffffff 0 EXIT 0 0 0 ";

/// A trace of one block, of which warp 0 has `lines` and warp 1 an exit.
pub(super) fn one_block(lines: &[impl AsRef<str>]) -> String {
    let warps = [warp(0, lines), warp(1, &[EXIT])];
    header((1, 1, 1)) + &block((0, 0, 0), &warps)
}

/// A trace in a folder of its own.
pub(super) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// Writes the file `name` and gives its path.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> Rc<Path> {
        let path = self.folder.path().join(name);
        std::fs::write(&path, contents).unwrap();
        path.into()
    }

    /// The diagnostic `error` without the folder, and without the margin that all its lines have:
    /// what is expected has none, since `expect!` takes off all indentation that lines share.
    pub fn shown(&self, error: &InputError) -> String {
        let folder = format!("{}/", self.folder.path().display());
        // No line is broken, however long the folder's name is.
        let text = rendered_within(error, usize::from(u16::MAX)).replace(&folder, "");
        let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let margin = text.lines().filter(|line| !line.is_empty()).map(blanks).min().unwrap_or(0);
        text.lines().map(|line| format!("{}\n", line.get(margin..).unwrap_or(""))).collect()
    }
}

/// `text`, compressed.
pub(super) fn xz(text: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// The instructions of each warp of `block`. Addresses that mean nothing are 0.
pub(super) fn instructions(
    code: &dyn KernelCode,
    block: Dim3,
    warps: u32,
) -> Result<Vec<Vec<Instruction>>, InputError> {
    let mut programs = Vec::new();
    code.block(block, warps, &mut programs)?;
    let all = programs.iter_mut().map(|program| {
        let mut list = Vec::new();
        loop {
            let mut instruction = Instruction::default();
            program.next(&mut instruction);
            let addresses = std::array::from_fn(|lane| match instruction.active >> lane & 1 {
                0 => 0,
                _ => instruction.addresses.of(lane),
            });
            instruction.addresses = addresses.into();
            let last = instruction.operation == Operation::Exit;
            list.push(instruction);
            if last {
                return list;
            }
        }
    });
    Ok(all.collect())
}

/// The instructions of warp 0 of a trace of one block whose warp 0 has `lines`.
pub(super) fn warp_of(text: &str) -> Result<Vec<Instruction>, InputError> {
    let place = Place::new();
    let path = place.write("k.traceg", text);
    let kernel = TracedKernel::open(path, Rc::new(Store::default()))?;
    Ok(instructions(&kernel, Dim3::new(0, 0, 0), 2)?.swap_remove(0))
}
