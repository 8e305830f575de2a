//! The instructions of `clr_assign` after the frontier test.
//!
//! ```text
//! frontier  colour[v] == UNCOLOURED
//!           address of blocked[v]                   IADD   r5 <- r0
//!           load blocked[v]                         LDG    r6 <- r5
//!           blocked[v] == round ?  branch           ISETP  r7 <- r6      BRA <- r7
//!           store left, exit                        STG
//!           store colour[v]                         STG    <- r2
//! ```

use std::rc::Rc;

use super::state::State;
use crate::graph::Csr;
use crate::program::Register;
use crate::vertex::line::{branch, integer, load, one, store, Flow, Lanes, Line, To, NONE};
use crate::vertex::registers::{STATE_ADDRESS, VERTEX};
use crate::vertex::{each, which, word, Addresses, GraphArrays, Kernel, Threads};

const BLOCKED_ADDRESS: Register = 5;
const BLOCKED: Register = 6;
const IS_BLOCKED: Register = 7;

/// One launch of the kernel.
pub(super) struct AssignKernel {
    pub state: Rc<State>,
    /// The round, from 0.
    pub round: u32,
}

impl Kernel for AssignKernel {
    type Own = ();

    fn csr(&self) -> &Csr {
        &self.state.csr
    }

    fn arrays(&self) -> &GraphArrays {
        &self.state.layout.graph
    }

    fn frontier(&self, threads: &mut Threads<()>, to: &mut Addresses) {
        self.state.uncoloured(threads, to);
    }
}

impl AssignKernel {
    /// Up to the end of the blocked lanes.
    pub const LINES: &'static [Line<Self>] = &[
        integer(BLOCKED_ADDRESS, one(VERTEX)),
        load(BLOCKED, BLOCKED_ADDRESS, Lanes::Active, Self::load_blocked),
        integer(IS_BLOCKED, one(BLOCKED)),
        branch(IS_BLOCKED, Flow::Skip(To::Rest)),
        store(NONE, Lanes::Chosen, Self::store_left).then(Flow::Drop),
    ];

    /// What the others do.
    pub const REST: &'static [Line<Self>] =
        &[store(one(STATE_ADDRESS), Lanes::Active, Self::store_colour)];

    fn load_blocked(&self, threads: &mut Threads<()>, to: &mut Addresses) {
        let blocked = self.state.blocked.borrow();
        threads.chosen = which(threads.active, |lane| {
            let vertex = threads.vertex(lane);
            to[lane] = word(self.state.layout.blocked, vertex);
            blocked[vertex as usize] == self.round
        });
    }

    fn store_left(&self, threads: &mut Threads<()>, to: &mut Addresses) {
        for lane in each(threads.chosen) {
            to[lane] = self.state.layout.left;
        }
        self.state.left.set(true);
    }

    fn store_colour(&self, threads: &mut Threads<()>, to: &mut Addresses) {
        let mut colours = self.state.colours.borrow_mut();
        for lane in each(threads.active) {
            let vertex = threads.vertex(lane);
            to[lane] = word(self.state.layout.colours, vertex);
            colours[vertex as usize] = self.round;
        }
    }
}
