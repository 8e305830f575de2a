//! The host program of a trace: it launches the traced kernels in the order of the list.

use std::path::Path;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::kernel::TracedKernel;
use super::list::{self, Command};
use super::opcode::NotedOpcodes;
use super::store::Store;
use crate::diagnostic::InputError;
use crate::gpu::host::{Body, HostLaunch, HostProgram};

/// The kernels of a trace, each launched at cycle 0 on its stream.
#[derive(Debug)]
pub struct TraceProgram {
    launches: Vec<HostLaunch>,
    noted: Rc<NotedOpcodes>,
}

/// Opens the trace that the list `path` (`kernelslist.g`) names: reads the list and the header of
/// every kernel. A kernel's own file (`.traceg`, `.traceg.xz`, `.tracez`) is a trace of that
/// kernel.
///
/// # Errors
/// When a file cannot be read, the list has no kernel, or a line of it or of a header is wrong:
/// with the file, the line and what was expected. What is wrong with the instructions is found
/// when their block is dispatched, by [`crate::program::KernelCode::block`].
pub fn open(path: &Path) -> Result<TraceProgram, InputError> {
    let store = Rc::new(Store::default());
    let mut launches = Vec::new();
    let mut copies = Vec::new();
    let mut names = FxHashSet::default();
    // Streams may be pointers: they are numbered in the order in which they come.
    let mut streams = FxHashMap::default();
    for command in list::read(path)? {
        let file = match command {
            Command::Copy(copy) => {
                copies.push(copy);
                continue;
            }
            Command::Kernel(file) => file,
        };
        let mut kernel = TracedKernel::open(file.into(), Rc::clone(&store))?;
        kernel.share_name(&mut names);
        let header = kernel.header();
        let fresh = streams.len() as u32;
        let stream = *streams.entry(header.stream).or_insert(fresh);
        launches.push(HostLaunch {
            stream,
            registers_per_thread: header.registers,
            shared_memory: header.shared_memory,
            copies: std::mem::take(&mut copies),
            ..HostLaunch::new(
                Rc::clone(&header.name),
                (header.grid, header.block),
                Body::Code(Rc::new(kernel)),
            )
        });
    }
    Ok(TraceProgram { launches, noted: Rc::clone(store.noted()) })
}

impl HostProgram for TraceProgram {
    fn start(&mut self) -> Vec<HostLaunch> {
        std::mem::take(&mut self.launches)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn remark(&self) -> Option<String> {
        self.noted.remark()
    }

    /// A trace has no results that could be wrong.
    fn verify(&mut self) -> Result<(), String> {
        Ok(())
    }
}
