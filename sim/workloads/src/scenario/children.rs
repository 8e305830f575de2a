//! What the blocks of a scenario's kernels launch from the device.

use std::cell::Cell;
use std::rc::Rc;

use super::KernelSpec;
use crate::gpu::host::{Body, DeviceLaunch, Durations, StatedLaunch, StatedLaunches};

/// The kernels of a scenario, as the blocks that launch them see them.
#[derive(Debug)]
pub(super) struct Children {
    kernels: Vec<Kernel>,
    seed: u64,
}

#[derive(Debug)]
struct Kernel {
    spec: KernelSpec,
    name: Rc<str>,
    /// For each launch of its blocks the kernel's place in the file.
    launches: Vec<usize>,
    /// How often it was launched from the device.
    launched: Cell<u32>,
}

impl Children {
    pub(super) fn new(kernels: &[KernelSpec], seed: u64) -> Rc<Self> {
        let place = |name: &str| kernels.iter().position(|kernel| kernel.name == name);
        let kernel = |spec: &KernelSpec| Kernel {
            name: spec.name.as_str().into(),
            // The reader has made sure that there is such a kernel.
            launches: spec.launches.iter().filter_map(|launch| place(&launch.kernel)).collect(),
            spec: spec.clone(),
            launched: Cell::new(0),
        };
        Rc::new(Self { kernels: kernels.iter().map(kernel).collect(), seed })
    }

    /// What blocks of the kernel at `place` in the file do that run for `durations`.
    pub(super) fn body(self: &Rc<Self>, place: usize, durations: Durations) -> Body {
        if self.kernels[place].launches.is_empty() {
            return Body::Durations(durations);
        }
        Body::Launching(durations, Rc::new(Parent { of: self.clone(), place }))
    }
}

/// The blocks of one kernel.
struct Parent {
    of: Rc<Children>,
    place: usize,
}

impl StatedLaunches for Parent {
    fn of_block(&self, block: u64) -> Vec<StatedLaunch> {
        let kernel = &self.of.kernels[self.place];
        let launches = kernel.spec.launches.iter().zip(&kernel.launches).enumerate();
        let own = launches.filter(|(_, (launch, _))| u64::from(launch.by) == block);
        let stated = own.map(|(number, (launch, &kernel))| StatedLaunch {
            at: launch.at,
            thread: launch.thread,
            kernel,
            number,
        });
        stated.collect()
    }

    fn launch(&self, number: usize) -> DeviceLaunch {
        let parent = &self.of.kernels[self.place];
        let launch = &parent.spec.launches[number];
        let place = parent.launches[number];
        let child = &self.of.kernels[place];
        let ordinal = child.launched.replace(child.launched.get().wrapping_add(1));
        let blocks = launch.grid.volume() as u32;
        let durations = child.spec.duration.draw(blocks, self.of.seed, place, ordinal);
        DeviceLaunch {
            thread: launch.thread,
            name: child.name.clone(),
            grid: launch.grid,
            block: child.spec.block,
            registers_per_thread: child.spec.registers_per_thread,
            shared_memory: child.spec.shared_memory,
            cluster: launch.cluster,
            body: self.of.body(place, durations),
        }
    }
}
