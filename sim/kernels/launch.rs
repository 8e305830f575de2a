//! Loading the kernels of this folder, and launching them.

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::rendered;
use blockyard_contract::port::Dim3;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Launch, Machine};

/// A host program whose kernels compute in the memory of a machine.
pub trait Computation: HostProgram {
    /// The machine.
    fn machine(&self) -> &Rc<Machine>;

    /// Where in global memory the kernels leave what [`HostProgram::verify`] looks at, in bytes.
    fn results(&self) -> Vec<Range<u64>>;
}

/// The PTX of the kernel `$name` in launch mode `$mode`: its place in this folder, and its text.
macro_rules! ptx {
    ($name:literal, $mode:expr) => {
        match $mode {
            LaunchMode::Flat => ptx!($name, ".flat.ptx",),
            LaunchMode::Cdp => ptx!($name, ".cdp.ptx",),
            LaunchMode::Dtbl => ptx!($name, ".dtbl.ptx",),
        }
    };
    ($name:literal, $end:literal,) => {
        (
            concat!($name, "/", $name, $end),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $name, "/", $name, $end)),
        )
    };
}
pub(crate) use ptx;

/// A machine with the module `text`, the contents of `file` in this folder.
///
/// # Panics
/// When the module cannot be loaded: a test loads each.
pub(crate) fn machine(file: &str, text: &str) -> Rc<Machine> {
    match blockyard_ptx::load(file, text) {
        Ok(program) => Machine::new(program),
        Err(error) => panic!("{}", rendered(&error)),
    }
}

/// The launch of `kernel` over `grid` from cycle `arrive` on; none over a grid without blocks,
/// which CUDA refuses.
///
/// # Panics
/// When the module has no such kernel, or it takes other parameters: tests launch each.
pub(crate) fn launch(
    machine: &Rc<Machine>,
    kernel: &str,
    (grid, block): (Dim3, Dim3),
    arguments: Arguments,
    arrive: u64,
) -> Vec<HostLaunch> {
    if grid.volume() == 0 {
        return Vec::new();
    }
    let launch = Launch { grid, block, shared_memory: 0, parameters: arguments.into_bytes() };
    match machine.launch(kernel, launch, arrive) {
        Ok(launch) => vec![launch],
        Err(error) => panic!("{}", rendered(&error)),
    }
}

/// The stream of children that stay: no other kernel waits behind them.
const RESIDENT_STREAM: u32 = 1 << 30;

/// `parents`, and before them the launch of their child function `kernel`, without blocks, but made
/// for blocks of `block` threads: under `--launch dtbl` it stays in the Kernel Distributor so that
/// groups find it (DTBL, section 4.1), under `cdp` the GPU leaves it out. Only `parents` where
/// there are none, and where the module has no such function, as those of `flat`.
pub(crate) fn with_child(
    machine: &Rc<Machine>,
    kernel: &str,
    block: Dim3,
    parents: Vec<HostLaunch>,
) -> Vec<HostLaunch> {
    let Some(first) = parents.first() else { return parents };
    let child = machine.launch_without_blocks(kernel, block, first.arrive).into_iter();
    let stays = |launch| HostLaunch { stream: RESIDENT_STREAM, resident: true, ..launch };
    child.map(stays).chain(parents.iter().cloned()).collect()
}

/// A grid or block of one dimension.
pub(crate) fn line(x: u32) -> Dim3 {
    Dim3::new(x, 1, 1)
}

/// A grid or block of two dimensions.
pub(crate) fn plane(x: u32, y: u32) -> Dim3 {
    Dim3::new(x, y, 1)
}
