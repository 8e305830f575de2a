//! The host program: one kernel after the other.

use std::rc::Rc;

use super::{
    data::Data, kernel::LoadAddStore, Benchmark, IkraOptions, KERNEL_NAME, REGISTERS_PER_THREAD,
};
use crate::gpu::host::{Body, HostLaunch, HostProgram};
use crate::port::Dim3;

/// A microbenchmark of IKRA: the host launches the kernel, and again when it has finished.
pub struct Ikra {
    data: Rc<Data>,
    code: Rc<LoadAddStore>,
    kernels: u32,
    launched: u32,
}

impl Ikra {
    /// The microbenchmark before its first launch; `seed` decides on the numbers of locations of
    /// [`Benchmark::WorkStealing`].
    pub fn new(benchmark: Benchmark, options: &IkraOptions, seed: u64) -> Self {
        let data = Rc::new(Data::new(benchmark, options, seed));
        let code = Rc::new(LoadAddStore::new(&data));
        Self { data, code, kernels: options.kernels(), launched: 0 }
    }

    /// Locations of each thread of every block.
    pub fn locations(&self) -> Vec<u32> {
        (0..self.data.blocks()).map(|block| self.data.locations(block)).collect()
    }

    /// The next launch, from cycle `arrive` on, if there is one left.
    fn launch(&mut self, arrive: u64) -> Vec<HostLaunch> {
        if self.launched == self.kernels {
            return Vec::new();
        }
        self.launched += 1;
        vec![HostLaunch {
            arrive,
            registers_per_thread: REGISTERS_PER_THREAD,
            ..HostLaunch::new(
                KERNEL_NAME,
                (Dim3::new(self.data.blocks(), 1, 1), Dim3::new(self.data.threads, 1, 1)),
                Body::Code(Rc::clone(&self.code) as Rc<_>),
            )
        }]
    }
}

impl HostProgram for Ikra {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.launch(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.launch(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        self.data.verify(self.launched)
    }
}
