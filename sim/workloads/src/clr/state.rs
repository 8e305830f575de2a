//! The global memory of the colouring, shared by the host and all warps.

use std::cell::{Cell, RefCell};

use super::{layout::Layout, reference::priority, UNCOLOURED};
use crate::graph::Csr;
use crate::vertex::{which, word, Addresses, Threads};

/// The arrays of the colouring.
pub(super) struct State {
    /// Undirected.
    pub csr: Csr,
    pub layout: Layout,
    pub priorities: Vec<u32>,
    pub colours: RefCell<Vec<u32>>,
    pub blocked: RefCell<Vec<u32>>,
    pub left: Cell<bool>,
}

impl State {
    /// Before the first round; priorities are drawn from `seed`.
    pub fn new(csr: Csr, seed: u64) -> Self {
        let vertices = csr.vertices();
        Self {
            layout: Layout::of(&csr),
            priorities: (0..vertices).map(|vertex| priority(vertex, seed)).collect(),
            colours: RefCell::new(vec![UNCOLOURED; vertices as usize]),
            blocked: RefCell::new(vec![u32::MAX; vertices as usize]),
            left: Cell::new(false),
            csr,
        }
    }

    /// Loads the colours of the active lanes' vertices; chooses those that have none.
    pub fn uncoloured<Own>(&self, threads: &mut Threads<Own>, to: &mut Addresses) {
        let colours = self.colours.borrow();
        threads.chosen = which(threads.active, |lane| {
            let vertex = threads.vertex(lane);
            to[lane] = word(self.layout.colours, vertex);
            colours[vertex as usize] == UNCOLOURED
        });
    }
}
