//! The host program of the search.

use std::rc::Rc;

use super::{
    kernel::BfsCode, reference_bfs, state::State, BfsOptions, Layout, KERNEL_NAME,
    REGISTERS_PER_THREAD, SHARED_MEMORY, UNVISITED,
};
use crate::gpu::host::{Body, HostLaunch, HostProgram};
use crate::port::Dim3;
use crate::workload::graph::{Csr, SetError};

/// Breadth-first search of a graph, one kernel launch a level; the instance of the kernel is the
/// level whose vertices it expands.
pub struct Bfs {
    state: Rc<State>,
    source: u32,
    block: u32,
    depth: u32,
    name: Rc<str>,
}

impl Bfs {
    /// A search of `csr`, before its first launch.
    ///
    /// # Errors
    /// When `bfs.source` is not a vertex of `csr`, or `csr` has no vertices.
    pub fn new(csr: Csr, options: &BfsOptions) -> Result<Self, SetError> {
        let source = options.source(&csr)?;
        Ok(Self {
            state: Rc::new(State::new(csr, source)),
            source,
            block: options.block(),
            depth: 0,
            name: KERNEL_NAME.into(),
        })
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
        HostLaunch {
            name: Rc::clone(&self.name),
            stream: 0,
            arrive,
            grid: Dim3::new(self.state.csr.vertices().div_ceil(self.block), 1, 1),
            block: Dim3::new(self.block, 1, 1),
            registers_per_thread: REGISTERS_PER_THREAD,
            shared_memory: SHARED_MEMORY,
            copies: Vec::new(),
            body: Body::Code(Rc::new(BfsCode {
                state: Rc::clone(&self.state),
                block: self.block,
                depth: self.depth,
            })),
        }
    }
}

impl HostProgram for Bfs {
    fn start(&mut self) -> Vec<HostLaunch> {
        vec![self.launch(0)]
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        if !self.state.changed.get() {
            return Vec::new();
        }
        self.depth += 1;
        vec![self.launch(cycle + 1)]
    }

    fn verify(&mut self) -> Result<(), String> {
        let expected = reference_bfs(&self.state.csr, self.source);
        let got = self.state.levels.borrow();
        let differs = expected.iter().zip(got.iter()).position(|(e, g)| e != g);
        differs.map_or(Ok(()), |vertex| {
            Err(format!(
                "breadth-first search from vertex {}: vertex {vertex} is {}, expected {}",
                self.source,
                shown(got[vertex]),
                shown(expected[vertex])
            ))
        })
    }
}

fn shown(level: u32) -> String {
    match level {
        UNVISITED => "not reached".to_owned(),
        level => format!("at level {level}"),
    }
}
