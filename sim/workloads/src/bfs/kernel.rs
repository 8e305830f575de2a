//! The instructions of the kernel that are the search's own; those around them are in
//! [`code`](crate::vertex::code).
//!
//! ```text
//! frontier  level[v] == depth
//! target    address of level[u]                     IADD   r11 <- r10
//!           load level[u]                           LDG    r12 <- r11
//!           level[u] == UNVISITED ?  branch         ISETP  r13 <- r12    BRA <- r13
//!           store level[u], changed (if any)        STG    <- r11        STG
//! ```
//!
//! Lanes leave one by one: the warp goes on while any lane has edges left, and `active` holds those
//! lanes. `depth + 1`, `1`, the bases and the address of the flag are constants of the launch (the
//! constant bank), so no register stands for them, and a store waits for its address alone.

use std::rc::Rc;

use super::{state::State, UNVISITED};
use crate::graph::Csr;
use crate::vertex::line::{branch, integer, load, one, store, Flow, Lanes, Line, To, NONE};
use crate::vertex::registers::{IS_NEW, TARGET, TARGET_ADDRESS, TARGET_STATE};
use crate::vertex::{each, which, Addresses, Expand, GraphArrays, Kernel, Threads};

/// One launch of the kernel: the search of one level.
pub(super) struct BfsKernel {
    pub state: Rc<State>,
    /// The level whose vertices are the frontier.
    pub depth: u32,
}

impl Kernel for BfsKernel {
    type Own = ();

    fn csr(&self) -> &Csr {
        &self.state.csr
    }

    fn arrays(&self) -> &GraphArrays {
        &self.state.layout
    }

    fn frontier(&self, threads: &mut Threads<()>, to: &mut Addresses) {
        let levels = self.state.levels.borrow();
        threads.chosen = which(threads.active, |lane| {
            let vertex = threads.vertex(lane);
            to[lane] = self.state.layout.level(vertex);
            levels[vertex as usize] == self.depth
        });
    }
}

impl Expand for BfsKernel {
    const OWN: &'static [Line<Self>] = &[];
    const ARGUMENTS: &'static [Line<Self>] = &[];
    const EDGE: &'static [Line<Self>] = &[];
    const TARGET: &'static [Line<Self>] = &[
        integer(TARGET_ADDRESS, one(TARGET)),
        load(TARGET_STATE, TARGET_ADDRESS, Lanes::Active, Self::load_target),
        integer(IS_NEW, one(TARGET_STATE)),
        branch(IS_NEW, Flow::Skip(To::NextEdge)),
        store(one(TARGET_ADDRESS), Lanes::Chosen, Self::store_level),
        store(NONE, Lanes::Chosen, Self::store_changed),
    ];

    fn argument((): &(), _lane: usize) {}
}

impl BfsKernel {
    fn load_target(&self, threads: &mut Threads<()>, to: &mut Addresses) {
        let levels = self.state.levels.borrow();
        threads.chosen = which(threads.active, |lane| {
            let target = threads.target[lane];
            to[lane] = self.state.layout.level(target);
            levels[target as usize] == UNVISITED
        });
    }

    fn store_level(&self, threads: &mut Threads<()>, to: &mut Addresses) {
        let mut levels = self.state.levels.borrow_mut();
        for lane in each(threads.chosen) {
            let target = threads.target[lane];
            to[lane] = self.state.layout.level(target);
            levels[target as usize] = self.depth + 1;
        }
    }

    fn store_changed(&self, threads: &mut Threads<()>, to: &mut Addresses) {
        for lane in each(threads.chosen) {
            to[lane] = self.state.layout.changed;
        }
        self.state.changed.set(true);
    }
}
