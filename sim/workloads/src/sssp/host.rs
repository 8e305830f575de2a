//! The host program of the search.

use std::rc::Rc;

use super::{
    kernel::SsspKernel, reference_sssp, state::State, Layout, SsspOptions, CHILD_NAME, KERNEL_NAME,
    REGISTERS_PER_THREAD, UNREACHED,
};
use crate::gpu::host::{HostLaunch, HostProgram};
use crate::graph::{Csr, SetError};
use crate::port::LaunchMode;
use crate::vertex::{compare, VertexLaunch};

/// Shortest paths from one vertex, one kernel launch a round; the instance of the kernel is the round.
pub struct Sssp {
    state: Rc<State>,
    source: u32,
    round: u32,
    kernel: VertexLaunch<SsspKernel>,
}

impl Sssp {
    /// A search of `csr`, before its first launch, that launches children for busy vertices unless
    /// `mode` is flat. Generated weights are drawn from `seed`.
    ///
    /// # Errors
    /// When `sssp.source` is not a vertex of `csr`, `csr` has no vertices, or its weights do not fit.
    pub fn new(
        csr: Csr,
        options: &SsspOptions,
        seed: u64,
        mode: LaunchMode,
    ) -> Result<Self, SetError> {
        let source = options.source(&csr)?;
        let weights = options.weights(&csr, seed)?;
        let names = (KERNEL_NAME, CHILD_NAME);
        Ok(Self {
            state: Rc::new(State::new(csr, weights, source)),
            source,
            round: 0,
            kernel: VertexLaunch::expanding(names, &options.vertex, REGISTERS_PER_THREAD, mode),
        })
    }

    /// The vertex at which the paths begin.
    pub fn source(&self) -> u32 {
        self.source
    }

    /// The graph.
    pub fn csr(&self) -> &Csr {
        &self.state.csr
    }

    /// The weight of every edge, parallel to the columns of the graph.
    pub fn weights(&self) -> &[u32] {
        &self.state.weights
    }

    /// Where the arrays are in global memory.
    pub fn layout(&self) -> Layout {
        self.state.layout
    }

    /// The distance of every vertex as the kernels have left it; [`UNREACHED`] where no path has led.
    pub fn distances(&self) -> Vec<u32> {
        self.state.distances.borrow().clone()
    }

    /// The launch that relaxes the edges of what is due, from cycle `arrive` on.
    fn launch(&self, arrive: u64) -> HostLaunch {
        self.state.changed.set(false);
        let kernel = SsspKernel { state: Rc::clone(&self.state), round: self.round };
        self.kernel.over(kernel, arrive)
    }
}

impl HostProgram for Sssp {
    fn start(&mut self) -> Vec<HostLaunch> {
        vec![self.launch(0)]
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn all_finished(&mut self, cycle: u64) -> Vec<HostLaunch> {
        if !self.state.changed.get() {
            return Vec::new();
        }
        self.round += 1;
        vec![self.launch(cycle + 1)]
    }

    fn verify(&mut self) -> Result<(), String> {
        let what = format!("shortest paths from vertex {}", self.source);
        let State { csr, weights, distances, .. } = &*self.state;
        let expected = reference_sssp(csr, weights, self.source);
        compare(what, (&distances.borrow(), &expected), shown)
    }
}

fn shown(distance: u32) -> String {
    match distance {
        UNREACHED => "not reached".to_owned(),
        distance => format!("at distance {distance}"),
    }
}
