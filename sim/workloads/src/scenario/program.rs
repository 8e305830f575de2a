//! The host program of a scenario: it launches its kernels, and each repetition when the instance
//! before it has finished.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::children::Children;
use super::{DurationSpec, KernelSpec};
use crate::gpu::host::{Body, Durations, HostLaunch, HostProgram};
use crate::port::Dim3;

/// Streams from here on are those of kernels that state none.
const OWN_STREAM: u32 = 1 << 31;

/// A kernel that the host launches.
#[derive(Debug)]
struct Hosted {
    name: Rc<str>,
    /// Its place in the file.
    index: usize,
    stream: u32,
    grid: Dim3,
    duration: DurationSpec,
    spec: KernelSpec,
}

/// See the module. Kernels that state a stream come before the others among equal arrivals; those
/// without one keep the order of the file.
#[derive(Debug)]
pub struct ScenarioProgram {
    kernels: Vec<Hosted>,
    /// The place in `kernels` of each name.
    by_name: BTreeMap<Rc<str>, usize>,
    /// Children that the host launches without blocks.
    residents: Vec<HostLaunch>,
    children: Rc<Children>,
    seed: u64,
}

impl ScenarioProgram {
    /// The program of `kernels`; `seed` decides the durations that are drawn.
    pub(super) fn new(kernel_specs: &[KernelSpec], seed: u64) -> Self {
        let children = Children::new(kernel_specs, seed);
        let hosted = kernel_specs.iter().enumerate().filter_map(|(index, spec)| {
            Some(Hosted {
                name: spec.name.as_str().into(),
                index,
                stream: spec.stream.unwrap_or(OWN_STREAM + index as u32),
                grid: spec.grid?,
                duration: spec.duration.clone(),
                spec: spec.clone(),
            })
        });
        let kernels: Vec<Hosted> = hosted.collect();
        let names = kernels.iter().enumerate().map(|(place, kernel)| (kernel.name.clone(), place));
        let by_name = names.collect();
        let residents = kernel_specs.iter().enumerate().filter(|(_, spec)| spec.resident);
        let residents = residents.map(|(index, spec)| resident(spec, OWN_STREAM + index as u32));
        Self { residents: residents.collect(), kernels, by_name, children, seed }
    }

    fn launch(&self, kernel: &Hosted, instance: u32, arrive: u64) -> HostLaunch {
        let blocks = kernel.grid.volume() as u32;
        let durations = kernel.duration.draw(blocks, self.seed, kernel.index, instance);
        HostLaunch {
            stream: kernel.stream,
            arrive,
            registers_per_thread: kernel.spec.registers_per_thread,
            shared_memory: kernel.spec.shared_memory,
            relation: kernel.spec.relation,
            cluster: kernel.spec.cluster,
            priority: kernel.spec.priority,
            partition: kernel.spec.partition,
            overlap: kernel.spec.overlap,
            persistence: kernel.spec.persistence,
            ..HostLaunch::new(
                kernel.name.clone(),
                (kernel.grid, kernel.spec.block),
                self.children.body(kernel.index, durations),
            )
        }
    }
}

/// A child without blocks, in a stream of its own.
fn resident(spec: &KernelSpec, stream: u32) -> HostLaunch {
    HostLaunch {
        stream,
        registers_per_thread: spec.registers_per_thread,
        shared_memory: spec.shared_memory,
        resident: true,
        ..HostLaunch::new(
            spec.name.as_str(),
            (Dim3::default(), spec.block),
            Body::Durations(Durations::Uniform(1)),
        )
    }
}

impl HostProgram for ScenarioProgram {
    fn start(&mut self) -> Vec<HostLaunch> {
        let first = |kernel: &Hosted| self.launch(kernel, 0, kernel.spec.arrive);
        let residents = self.residents.iter().cloned();
        residents.chain(self.kernels.iter().map(first)).collect()
    }

    fn kernel_finished(&mut self, name: &str, instance: u32, cycle: u64) -> Vec<HostLaunch> {
        // Children are launched by blocks alone.
        let Some(&place) = self.by_name.get(name) else { return Vec::new() };
        let kernel = &self.kernels[place];
        let next = instance + 1;
        if next == kernel.spec.repeat {
            return Vec::new();
        }
        vec![self.launch(kernel, next, cycle + 1)]
    }

    fn verify(&mut self) -> Result<(), String> {
        Ok(())
    }
}
