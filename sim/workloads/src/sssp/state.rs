//! The global memory of the search, shared by the host and all warps.

use std::cell::{Cell, RefCell};

use super::{layout::Layout, UNREACHED};
use crate::graph::Csr;

/// The arrays of the search.
pub(super) struct State {
    pub csr: Csr,
    pub layout: Layout,
    /// Parallel to the columns.
    pub weights: Vec<u32>,
    pub distances: RefCell<Vec<u32>>,
    pub due: RefCell<Vec<u32>>,
    pub changed: Cell<bool>,
}

impl State {
    /// Before the first round: only `source`, which is a vertex, has a distance and is due.
    pub fn new(csr: Csr, weights: Vec<u32>, source: u32) -> Self {
        let but_source = |value| {
            let mut array = vec![value; csr.vertices() as usize];
            array[source as usize] = 0;
            RefCell::new(array)
        };
        Self {
            layout: Layout::of(&csr),
            weights,
            distances: but_source(UNREACHED),
            due: but_source(u32::MAX),
            changed: Cell::new(false),
            csr,
        }
    }
}
