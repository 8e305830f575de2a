//! The global memory of the search, shared by the host and all warps.

use std::cell::{Cell, RefCell};

use super::{layout::Layout, UNVISITED};
use crate::graph::Csr;

/// The arrays of the search.
pub(super) struct State {
    pub csr: Csr,
    pub layout: Layout,
    pub levels: RefCell<Vec<u32>>,
    pub changed: Cell<bool>,
}

impl State {
    /// Before the first level: only `source`, which is a vertex, has one.
    pub fn new(csr: Csr, source: u32) -> Self {
        let mut levels = vec![UNVISITED; csr.vertices() as usize];
        levels[source as usize] = 0;
        Self {
            layout: Layout::of(&csr),
            levels: RefCell::new(levels),
            changed: Cell::new(false),
            csr,
        }
    }
}
