//! The instructions of `clr` that are its own; those around them are in
//! [`code`](crate::vertex::code).
//!
//! ```text
//! frontier  colour[v] == UNCOLOURED
//! own       address of priority[v]                  IADD   r14 <- r0
//!           load p = priority[v]                    LDG    r15 <- r14
//!           address of blocked[v]                   IADD   r16 <- r0
//! target    address of colour[u]                    IADD   r11 <- r10
//!           load colour[u]                          LDG    r12 <- r11
//!           colour[u] == UNCOLOURED ?  branch       ISETP  r13 <- r12        BRA <- r13
//!           address of priority[u]                  IADD   r17 <- r10
//!           load priority[u]                        LDG    r18 <- r17
//!           priority[u] > p ?  branch               ISETP  r19 <- r18, r15   BRA <- r19
//!           store blocked[v]                        STG    <- r16
//! ```
//!
//! A child gets `p` and the address of `blocked[v]` with its launch: MOV r15, MOV r16.

use std::rc::Rc;

use super::{state::State, UNCOLOURED};
use crate::graph::Csr;
use crate::program::{Register, WARP_LANES};
use crate::vertex::line::{
    branch, branch_found, integer, load, one, store, two, Flow, Lanes, Line, To, NONE,
};
use crate::vertex::registers::{IS_NEW, OWN, TARGET, TARGET_ADDRESS, TARGET_STATE, VERTEX};
use crate::vertex::{each, which, word, Addresses, Expand, GraphArrays, Kernel, Threads};

const PRIORITY_ADDRESS: Register = OWN;
const PRIORITY: Register = OWN + 1;
const BLOCKED_ADDRESS: Register = OWN + 2;
const TARGET_PRIORITY_ADDRESS: Register = OWN + 3;
const TARGET_PRIORITY: Register = OWN + 4;
const IS_HIGHER: Register = OWN + 5;

/// One launch of the kernel.
pub(super) struct ClrKernel {
    pub state: Rc<State>,
    /// The round, from 0.
    pub round: u32,
}

/// The priority of each lane's vertex.
#[derive(Clone, Default)]
pub(super) struct Priority([u32; WARP_LANES]);

impl Kernel for ClrKernel {
    type Own = Priority;

    fn csr(&self) -> &Csr {
        &self.state.csr
    }

    fn arrays(&self) -> &GraphArrays {
        &self.state.layout.graph
    }

    fn frontier(&self, threads: &mut Threads<Priority>, to: &mut Addresses) {
        self.state.uncoloured(threads, to);
    }
}

impl Expand for ClrKernel {
    const OWN: &'static [Line<Self>] = &[
        integer(PRIORITY_ADDRESS, one(VERTEX)),
        load(PRIORITY, PRIORITY_ADDRESS, Lanes::Active, Self::load_priority),
        integer(BLOCKED_ADDRESS, one(VERTEX)),
    ];
    const ARGUMENTS: &'static [Line<Self>] =
        &[integer(PRIORITY, NONE), integer(BLOCKED_ADDRESS, NONE)];
    const EDGE: &'static [Line<Self>] = &[];
    const TARGET: &'static [Line<Self>] = &[
        integer(TARGET_ADDRESS, one(TARGET)),
        load(TARGET_STATE, TARGET_ADDRESS, Lanes::Active, Self::load_target),
        integer(IS_NEW, one(TARGET_STATE)),
        branch(IS_NEW, Flow::Skip(To::NextEdge)),
        integer(TARGET_PRIORITY_ADDRESS, one(TARGET)).of(Lanes::Chosen),
        load(TARGET_PRIORITY, TARGET_PRIORITY_ADDRESS, Lanes::Chosen, Self::load_target_priority),
        integer(IS_HIGHER, two(TARGET_PRIORITY, PRIORITY)).of(Lanes::Chosen),
        branch_found(IS_HIGHER, Flow::Skip(To::NextEdge)),
        store(one(BLOCKED_ADDRESS), Lanes::Chosen, Self::store_blocked),
    ];

    fn argument(own: &Priority, lane: usize) -> Priority {
        Priority([own.0[lane]; WARP_LANES])
    }
}

impl ClrKernel {
    fn load_priority(&self, threads: &mut Threads<Priority>, to: &mut Addresses) {
        for lane in each(threads.active) {
            let vertex = threads.vertex(lane);
            to[lane] = word(self.state.layout.priorities, vertex);
            threads.own.0[lane] = self.state.priorities[vertex as usize];
        }
    }

    fn load_target(&self, threads: &mut Threads<Priority>, to: &mut Addresses) {
        let colours = self.state.colours.borrow();
        threads.chosen = which(threads.active, |lane| {
            let target = threads.target[lane];
            to[lane] = word(self.state.layout.colours, target);
            colours[target as usize] == UNCOLOURED
        });
    }

    fn load_target_priority(&self, threads: &mut Threads<Priority>, to: &mut Addresses) {
        threads.found = which(threads.chosen, |lane| {
            let target = threads.target[lane];
            to[lane] = word(self.state.layout.priorities, target);
            self.state.priorities[target as usize] > threads.own.0[lane]
        });
    }

    fn store_blocked(&self, threads: &mut Threads<Priority>, to: &mut Addresses) {
        let mut blocked = self.state.blocked.borrow_mut();
        for lane in each(threads.chosen) {
            let vertex = threads.vertex(lane);
            to[lane] = word(self.state.layout.blocked, vertex);
            blocked[vertex as usize] = self.round;
        }
    }
}
