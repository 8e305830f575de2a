//! `bfs`: breadth-first search, a launch a level over the vertices that the one before has found.
//! The launch that finds nothing new is the last one.

mod options;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::Machine;
use blockyard_workloads::graph::{reference_bfs, Csr, UNVISITED};

use crate::array::Array;
use crate::compare;
use crate::graphs::{Refused, Vertices};
use crate::launch::{machine, ptx, Computation};
pub use options::BfsOptions;

/// The host program; the instance of the kernel is the level whose vertices it expands.
pub struct Bfs {
    vertices: Vertices,
    source: u32,
    levels: Array,
    /// The vertices in the order in which they were found.
    queue: Array,
    /// A word: how many there are.
    tail: Array,
    /// Where in the queue the frontier is.
    frontier: Range<u32>,
    depth: u32,
}

impl Bfs {
    /// A search of `csr`, before its first launch.
    ///
    /// # Errors
    /// When `bfs.source` is not a vertex of `csr`, `csr` has no vertices, or there is no memory for
    /// it.
    pub fn new(csr: &Rc<Csr>, options: &BfsOptions, mode: LaunchMode) -> Result<Self, Refused> {
        let source = options.source(csr)?;
        let (file, text) = ptx!("bfs", mode);
        let machine = machine(file, text);
        let vertices = Vertices::new(&machine, csr, options.vertex)?;
        let mut queue = vec![0; csr.vertices() as usize];
        queue[0] = source;
        Ok(Self {
            levels: vertices.array_but(source, UNVISITED)?,
            queue: Array::new(&machine, queue)?,
            tail: Array::new(&machine, vec![1])?,
            vertices,
            source,
            frontier: 0..1,
            depth: 0,
        })
    }

    /// The launch that expands the frontier, from cycle `arrive` on.
    fn launch(&self, arrive: u64) -> Vec<HostLaunch> {
        let arrays = [&self.levels, &self.queue, &self.tail].map(Array::address);
        self.vertices.launch_over_queue("bfs", &arrays, self.frontier.clone(), self.depth, arrive)
    }

    /// How many vertices have been found.
    fn found(&self) -> u32 {
        // Where the queue's end is no longer there, nothing new is.
        self.tail.left().map_or(self.frontier.end, |word| word[0])
    }
}

impl HostProgram for Bfs {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.launch(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn all_finished(&mut self, cycle: u64) -> Vec<HostLaunch> {
        self.frontier = self.frontier.end..self.found();
        if self.frontier.is_empty() {
            return Vec::new();
        }
        self.depth += 1;
        self.launch(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let expected = reference_bfs(&self.vertices.csr, self.source);
        let name =
            |vertex| format!("breadth-first search from vertex {}: vertex {vertex}", self.source);
        compare::shown(&self.levels, &expected, name, |level| match level {
            UNVISITED => "not reached".to_owned(),
            level => format!("at level {level}"),
        })
    }
}

impl Computation for Bfs {
    fn machine(&self) -> &Rc<Machine> {
        &self.vertices.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.levels.range()]
    }
}
