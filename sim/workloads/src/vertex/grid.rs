//! The warps of a block: threads for vertices, and a child's for the edges of one vertex.

use std::ops::Range;
use std::rc::Rc;

use super::{code::Code, warp::VertexWarp, Kernel, Threads};
use crate::diagnostic::InputError;
use crate::port::Dim3;
use crate::program::{KernelCode, WarpProgram, WARP_LANES};

/// A kernel with one thread a vertex.
pub(super) struct VertexGrid<K: Kernel> {
    pub kernel: Rc<K>,
    pub code: Rc<Code<K>>,
    /// Threads of a block.
    pub block: u32,
}

/// A child with one thread an edge.
pub(super) struct RowGrid<K: Kernel> {
    pub kernel: Rc<K>,
    pub code: Rc<Code<K>>,
    /// Threads of a block.
    pub block: u32,
    /// The vertex whose edges they are.
    pub vertex: u32,
    pub edges: Range<u32>,
    /// What each warp's lanes start with.
    pub own: K::Own,
}

impl<K: Kernel> KernelCode for VertexGrid<K> {
    fn block(
        &self,
        block: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        let vertices = self.kernel.csr().vertices();
        for Place { thread, first, threads } in places(self.block, block, warps) {
            let threads = Threads::of_vertices(first, threads, vertices);
            let warp = VertexWarp::new(&self.kernel, &self.code, thread, threads);
            programs.push(Box::new(warp));
        }
        Ok(())
    }
}

impl<K: Kernel> KernelCode for RowGrid<K> {
    fn block(
        &self,
        block: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        for Place { thread, first, threads } in places(self.block, block, warps) {
            let (edges, own) = (self.edges.clone(), self.own.clone());
            let threads = Threads::of_edges(self.vertex, edges, first, threads, own);
            let warp = VertexWarp::new(&self.kernel, &self.code, thread, threads);
            programs.push(Box::new(warp));
        }
        Ok(())
    }
}

/// Where a warp is.
struct Place {
    /// The number in its block of the thread in lane 0.
    thread: u32,
    /// The number of that thread in the grid.
    first: u64,
    /// Threads of the warp.
    threads: u32,
}

/// The `warps` warps of `block`, which has `size` threads.
fn places(size: u32, block: Dim3, warps: u32) -> impl Iterator<Item = Place> {
    (0..warps).map(move |warp| {
        let thread = warp.saturating_mul(WARP_LANES as u32);
        Place {
            thread,
            first: u64::from(block.x) * u64::from(size) + u64::from(thread),
            threads: size.saturating_sub(thread).min(WARP_LANES as u32),
        }
    })
}
