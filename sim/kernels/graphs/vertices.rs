//! A graph in a machine's memory, and launches over its vertices.

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_gpu::host::HostLaunch;
use blockyard_ptx::{Arguments, Machine};
use blockyard_workloads::graph::Csr;

use super::VertexOptions;
use crate::array::{place, Array};
use crate::launch::{launch, line, with_child};

/// See the module.
pub(crate) struct Vertices {
    pub machine: Rc<Machine>,
    pub csr: Rc<Csr>,
    options: VertexOptions,
    /// Addresses of the row offsets and of the columns.
    rows: [u64; 2],
}

impl Vertices {
    /// Places the rows of `csr`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(
        machine: &Rc<Machine>,
        csr: &Rc<Csr>,
        options: VertexOptions,
    ) -> Result<Self, InputError> {
        let rows = [place(machine, csr.offsets())?, place(machine, csr.columns())?];
        Ok(Self { machine: Rc::clone(machine), csr: Rc::clone(csr), options, rows })
    }

    /// An array with `value` for every vertex.
    ///
    /// # Errors
    /// As [`place`].
    pub fn array(&self, value: u32) -> Result<Array, InputError> {
        Array::new(&self.machine, vec![value; self.csr.vertices() as usize])
    }

    /// An array with `value` for every vertex but `source`, which has 0.
    ///
    /// # Errors
    /// As [`place`].
    pub fn array_but(&self, source: u32, value: u32) -> Result<Array, InputError> {
        let words = (0..self.csr.vertices()).map(|vertex| if vertex == source { 0 } else { value });
        Array::new(&self.machine, words.collect())
    }

    /// The launch of `kernel` over all vertices from cycle `arrive` on; none where there are none.
    /// It takes the addresses `arrays`, the number of vertices, and `round`.
    pub fn launch(&self, kernel: &str, arrays: &[u64], round: u32, arrive: u64) -> Vec<HostLaunch> {
        self.with(kernel, arrays, self.csr.vertices(), &[round], arrive)
    }

    /// As [`Vertices::launch`], of a kernel that walks edges: it takes the rows before all else,
    /// and last what says which of them it leaves to a child, and of how many threads. The child is
    /// there before it.
    pub fn launch_over_edges(
        &self,
        kernel: &str,
        arrays: &[u64],
        round: u32,
        arrive: u64,
    ) -> Vec<HostLaunch> {
        self.over_edges(kernel, arrays, self.csr.vertices(), &[round], arrive)
    }

    /// As [`Vertices::launch_over_edges`], of the vertices at the places `queued` of a queue: it
    /// takes their number in place of that of all vertices, then the first place.
    pub fn launch_over_queue(
        &self,
        kernel: &str,
        arrays: &[u64],
        queued: Range<u32>,
        round: u32,
        arrive: u64,
    ) -> Vec<HostLaunch> {
        let count = queued.end - queued.start;
        self.over_edges(kernel, arrays, count, &[queued.start, round], arrive)
    }

    fn over_edges(
        &self,
        kernel: &str,
        arrays: &[u64],
        count: u32,
        words: &[u32],
        arrive: u64,
    ) -> Vec<HostLaunch> {
        let VertexOptions { threshold, child_block, .. } = self.options;
        let arrays = [&self.rows[..], arrays].concat();
        let words = [words, &[threshold, child_block]].concat();
        let parents = self.with(kernel, &arrays, count, &words, arrive);
        with_child(&self.machine, &format!("{kernel}_expand"), line(child_block), parents)
    }

    /// One thread for each of `count`.
    fn with(
        &self,
        kernel: &str,
        arrays: &[u64],
        count: u32,
        words: &[u32],
        arrive: u64,
    ) -> Vec<HostLaunch> {
        let block = self.options.block;
        let arguments = arrays.iter().fold(Arguments::new(), |all, &array| all.long(array));
        let arguments = words.iter().fold(arguments.word(count), |all, &word| all.word(word));
        launch(&self.machine, kernel, (line(count.div_ceil(block)), line(block)), arguments, arrive)
    }
}
