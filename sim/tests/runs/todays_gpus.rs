//! Kernels in PTX that use what is new in the dispatch hardware of today's GPUs, from the text to
//! the results: `griddepcontrol` (`docs/dependent.md`), `clusterlaunchcontrol`
//! (`docs/launch-control.md`), and the blocks of clusters that work together (`docs/ptx.md`).

mod clusters;
mod dependents;
mod stealing;

use std::rc::Rc;

use blockyard_ptx::{Arguments, Launch, Machine};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::gpu::host::HostLaunch;
use blockyard_sim::gpu::Gpu;
use blockyard_sim::port::Dim3;

/// A machine with the module of these `kernels`.
fn machine(kernels: &str) -> Rc<Machine> {
    let text = format!(".version 8.6\n.target sm_100\n.address_size 64\n{kernels}");
    Machine::new(blockyard_ptx::load("test.ptx", &text).expect("a module"))
}

/// A launch of `kernel` over `blocks` blocks of `threads` threads.
fn launch(
    machine: &Rc<Machine>,
    kernel: &str,
    (blocks, threads): (u32, u32),
    arguments: Arguments,
) -> HostLaunch {
    let (grid, block) = (Dim3::new(blocks, 1, 1), Dim3::new(threads, 1, 1));
    let parameters = arguments.into_bytes();
    machine.launch(kernel, Launch { grid, block, shared_memory: 0, parameters }, 0).expect("one")
}

/// A K20c with these changes that runs `launches`.
fn gpu(changes: &[(&str, &str)], launches: Vec<HostLaunch>) -> Gpu {
    let mut config = GpuConfig::preset("k20c").unwrap();
    for (key, value) in changes {
        config.set(key, value).unwrap();
    }
    Gpu::new(config, Box::new(launches)).unwrap()
}
