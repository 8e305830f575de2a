//! `pagerank`: ranks of vertices by who leads to them, two launches an iteration: `pagerank1`
//! shares each rank out over the edges, `pagerank2` damps what has come together. Edges count in
//! the direction in which they are listed.

mod options;
mod reference;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::Machine;
use blockyard_workloads::graph::Csr;

use crate::array::Array;
use crate::compare;
use crate::graphs::{Refused, Vertices};
use crate::launch::{machine, ptx, Computation};
pub use options::PagerankOptions;
pub use reference::{first_rank, reference_pagerank};

/// The host program; the instance of both kernels is the iteration.
pub struct Pagerank {
    vertices: Vertices,
    iterations: u32,
    ranks: Array,
    /// What has come together for the next iteration.
    next: Array,
    iteration: u32,
    /// Whether ranks of this iteration have been shared out.
    shared_out: bool,
}

impl Pagerank {
    /// The ranks of `csr`, before the first launch. A graph without vertices has its ranks without
    /// any.
    ///
    /// # Errors
    /// When there is no memory for the graph.
    pub fn new(
        csr: &Rc<Csr>,
        options: &PagerankOptions,
        mode: LaunchMode,
    ) -> Result<Self, Refused> {
        let (file, text) = ptx!("pagerank", mode);
        let machine = machine(file, text);
        let vertices = Vertices::new(&machine, csr, options.vertex)?;
        Ok(Self {
            ranks: vertices.array(first_rank(csr.vertices()))?,
            next: vertices.array(0)?,
            vertices,
            iterations: options.iterations,
            iteration: 0,
            shared_out: false,
        })
    }

    /// The next launch of the iteration, from cycle `arrive` on.
    fn launch(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let arrays = [&self.ranks, &self.next].map(Array::address);
        self.shared_out = !self.shared_out;
        if self.shared_out {
            self.vertices.launch_over_edges("pagerank1", &arrays, self.iteration, arrive)
        } else {
            self.iteration += 1;
            self.vertices.launch("pagerank2", &arrays, self.iteration - 1, arrive)
        }
    }
}

impl HostProgram for Pagerank {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.launch(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn all_finished(&mut self, cycle: u64) -> Vec<HostLaunch> {
        if self.iteration == self.iterations {
            return Vec::new();
        }
        self.launch(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let expected = reference_pagerank(&self.vertices.csr, self.iterations);
        compare::words(&self.ranks, &expected, |vertex| format!("PageRank: vertex {vertex}"))
    }
}

impl Computation for Pagerank {
    fn machine(&self) -> &Rc<Machine> {
        &self.vertices.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.ranks.range()]
    }
}
