//! How host programs launch kernels over vertices and check what these have left.

use std::fmt::Display;
use std::rc::Rc;

use super::code::{Child, Code};
use super::grid::VertexGrid;
use super::{Expand, Kernel, VertexOptions};
use crate::gpu::host::{Body, HostLaunch};
use crate::port::{Dim3, LaunchMode};

/// A kernel that a host program launches round after round.
pub(crate) struct VertexLaunch<K: Kernel> {
    name: Rc<str>,
    block: u32,
    registers: u32,
    code: Rc<Code<K>>,
}

impl<K: Kernel> VertexLaunch<K> {
    /// The kernel `name` with the instructions `code` and `registers` registers a thread.
    pub fn new(name: &str, options: &VertexOptions, registers: u32, code: Code<K>) -> Self {
        Self { name: name.into(), block: options.block, registers, code: Rc::new(code) }
    }

    /// The launch over all vertices of `kernel`'s graph, from cycle `arrive` on.
    pub fn over(&self, kernel: K, arrive: u64) -> HostLaunch {
        HostLaunch {
            name: Rc::clone(&self.name),
            stream: 0,
            arrive,
            grid: Dim3::new(kernel.csr().vertices().div_ceil(self.block), 1, 1),
            block: Dim3::new(self.block, 1, 1),
            registers_per_thread: self.registers,
            shared_memory: 0,
            copies: Vec::new(),
            relation: Default::default(),
            body: Body::Code(Rc::new(VertexGrid {
                kernel: Rc::new(kernel),
                code: Rc::clone(&self.code),
                block: self.block,
            })),
        }
    }
}

impl<K: Expand> VertexLaunch<K> {
    /// The kernel `name`, whose threads walk the edges of their vertices, or, unless `mode` is flat,
    /// leave those of busy vertices to the child `child`. Both have `registers` registers a thread.
    pub fn expanding(
        (name, child): (&str, &str),
        options: &VertexOptions,
        registers: u32,
        mode: LaunchMode,
    ) -> Self {
        let child = (mode != LaunchMode::Flat).then(|| Child {
            name: child.into(),
            block: options.child_block,
            registers,
            threshold: options.threshold,
            code: Rc::new(Code::of_one_row()),
            argument: K::argument,
        });
        Self::new(name, options, registers, Code::of_edges(child))
    }
}

/// Compares what the kernels have left with what is right, vertex by vertex.
///
/// # Errors
/// Which vertex is the first that differs, with both values as `shown` says them; `what` was computed.
pub(crate) fn compare<S: Display>(
    what: impl Display,
    (got, expected): (&[u32], &[u32]),
    shown: impl Fn(u32) -> S,
) -> Result<(), String> {
    let differs = expected.iter().zip(got).position(|(e, g)| e != g);
    differs.map_or(Ok(()), |vertex| {
        let (got, expected) = (shown(got[vertex]), shown(expected[vertex]));
        Err(format!("{what}: vertex {vertex} is {got}, expected {expected}"))
    })
}
