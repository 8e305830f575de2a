//! The host program of the search.

use std::rc::Rc;

use super::{
    kernel::BfsKernel, reference_bfs, state::State, BfsOptions, Layout, CHILD_NAME, KERNEL_NAME,
    REGISTERS_PER_THREAD, UNVISITED,
};
use crate::gpu::host::{HostLaunch, HostProgram};
use crate::graph::{Csr, SetError};
use crate::port::LaunchMode;
use crate::vertex::{compare, VertexLaunch};

/// Breadth-first search of a graph, one kernel launch a level; the instance of the kernel is the
/// level whose vertices it expands.
pub struct Bfs {
    state: Rc<State>,
    options: BfsOptions,
    source: u32,
    depth: u32,
    kernel: VertexLaunch<BfsKernel>,
}

impl Bfs {
    /// A search of `csr`, before its first launch, that launches nothing from the device.
    ///
    /// # Errors
    /// When `bfs.source` is not a vertex of `csr`, or `csr` has no vertices.
    pub fn new(csr: Csr, options: &BfsOptions) -> Result<Self, SetError> {
        let source = options.source(&csr)?;
        Ok(Self {
            state: Rc::new(State::new(csr, source)),
            options: *options,
            source,
            depth: 0,
            kernel: Self::kernel(options, LaunchMode::Flat),
        })
    }

    /// The same search, whose busy vertices are expanded by children unless `mode` is flat.
    #[must_use]
    pub fn with_launch(self, mode: LaunchMode) -> Self {
        Self { kernel: Self::kernel(&self.options, mode), ..self }
    }

    fn kernel(options: &BfsOptions, mode: LaunchMode) -> VertexLaunch<BfsKernel> {
        let names = (KERNEL_NAME, CHILD_NAME);
        VertexLaunch::expanding(names, &options.vertex, REGISTERS_PER_THREAD, mode)
    }

    /// The vertex at which the search begins.
    pub fn source(&self) -> u32 {
        self.source
    }

    /// The graph.
    pub fn csr(&self) -> &Csr {
        &self.state.csr
    }

    /// Where the arrays are in global memory.
    pub fn layout(&self) -> Layout {
        self.state.layout
    }

    /// The level of every vertex as the kernels have left it; [`UNVISITED`] where they have not
    /// been.
    pub fn levels(&self) -> Vec<u32> {
        self.state.levels.borrow().clone()
    }

    /// The launch that expands the vertices of the current level, from cycle `arrive` on.
    fn launch(&self, arrive: u64) -> HostLaunch {
        self.state.changed.set(false);
        let kernel = BfsKernel { state: Rc::clone(&self.state), depth: self.depth };
        self.kernel.over(kernel, arrive)
    }
}

impl HostProgram for Bfs {
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
        self.depth += 1;
        vec![self.launch(cycle + 1)]
    }

    fn verify(&mut self) -> Result<(), String> {
        let what = format!("breadth-first search from vertex {}", self.source);
        let expected = reference_bfs(&self.state.csr, self.source);
        compare(what, (&self.state.levels.borrow(), &expected), shown)
    }
}

fn shown(level: u32) -> String {
    match level {
        UNVISITED => "not reached".to_owned(),
        level => format!("at level {level}"),
    }
}
