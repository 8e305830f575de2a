//! The instructions of the kernel that are its own; those around them are in
//! [`code`](crate::vertex::code).
//!
//! ```text
//! frontier  due[v] == round
//! own       address of distance[v]                  IADD   r14 <- r0
//!           load d = distance[v]                    LDG    r15 <- r14
//! edge      address of weight[e]                    IADD   r16 <- r6
//!           load weight[e]                          LDG    r17 <- r16
//! target    address of distance[u]                  IADD   r11 <- r10
//!           load distance[u]                        LDG    r12 <- r11
//!           new = d + weight[e]                     IADD   r18 <- r15, r17
//!           new < distance[u] ?  branch             ISETP  r13 <- r12, r18   BRA <- r13
//!           old = min(distance[u], new)             ATOM   r19 <- r11, r18
//!           new < old ?  branch                     ISETP  r20 <- r19, r18   BRA <- r20
//!           address of due[u]                       IADD   r21 <- r10
//!           store due[u], changed                   STG    <- r21            STG
//! ```
//!
//! A child gets `d` with its launch: MOV r15. `round`, `round + 1`, the bases and the address of the
//! flag are constants of the launch, as in `bfs`.

use std::rc::Rc;

use super::{extended, state::State};
use crate::graph::Csr;
use crate::program::{Register, WARP_LANES};
use crate::vertex::line::{
    atomic, branch, branch_found, integer, load, one, store, two, Flow, Lanes, Line, To, NONE,
};
use crate::vertex::registers::{EDGE, IS_NEW, OWN, TARGET, TARGET_ADDRESS, TARGET_STATE, VERTEX};
use crate::vertex::{each, which, word, Addresses, Expand, GraphArrays, Kernel, Threads};

const DISTANCE_ADDRESS: Register = OWN;
const DISTANCE: Register = OWN + 1;
const WEIGHT_ADDRESS: Register = OWN + 2;
const WEIGHT: Register = OWN + 3;
const NEW: Register = OWN + 4;
const OLD: Register = OWN + 5;
const IS_LESS: Register = OWN + 6;
const DUE_ADDRESS: Register = OWN + 7;

/// One launch of the kernel.
pub(super) struct SsspKernel {
    pub state: Rc<State>,
    /// The round, from 0.
    pub round: u32,
}

/// What a lane holds of its vertex and of its edge.
#[derive(Clone, Default)]
pub(super) struct Path {
    /// The distance of the vertex.
    distance: [u32; WARP_LANES],
    /// The weight of the edge.
    weight: [u32; WARP_LANES],
    /// The length of the path over both.
    new: [u32; WARP_LANES],
}

impl Kernel for SsspKernel {
    type Own = Path;

    fn csr(&self) -> &Csr {
        &self.state.csr
    }

    fn arrays(&self) -> &GraphArrays {
        &self.state.layout.graph
    }

    fn frontier(&self, threads: &mut Threads<Path>, to: &mut Addresses) {
        let due = self.state.due.borrow();
        threads.chosen = which(threads.active, |lane| {
            let vertex = threads.vertex(lane);
            to[lane] = word(self.state.layout.due, vertex);
            due[vertex as usize] == self.round
        });
    }
}

impl Expand for SsspKernel {
    const OWN: &'static [Line<Self>] = &[
        integer(DISTANCE_ADDRESS, one(VERTEX)),
        load(DISTANCE, DISTANCE_ADDRESS, Lanes::Active, Self::load_distance),
    ];
    const ARGUMENTS: &'static [Line<Self>] = &[integer(DISTANCE, NONE)];
    const EDGE: &'static [Line<Self>] = &[
        integer(WEIGHT_ADDRESS, one(EDGE)),
        load(WEIGHT, WEIGHT_ADDRESS, Lanes::Active, Self::load_weight),
    ];
    const TARGET: &'static [Line<Self>] = &[
        integer(TARGET_ADDRESS, one(TARGET)),
        load(TARGET_STATE, TARGET_ADDRESS, Lanes::Active, Self::load_target),
        integer(NEW, two(DISTANCE, WEIGHT)),
        integer(IS_NEW, two(TARGET_STATE, NEW)),
        branch(IS_NEW, Flow::Skip(To::NextEdge)),
        atomic(OLD, (TARGET_ADDRESS, NEW), Self::lower),
        integer(IS_LESS, two(OLD, NEW)).of(Lanes::Chosen),
        branch_found(IS_LESS, Flow::Skip(To::NextEdge)),
        integer(DUE_ADDRESS, one(TARGET)).of(Lanes::Chosen),
        store(one(DUE_ADDRESS), Lanes::Chosen, Self::store_due),
        store(NONE, Lanes::Chosen, Self::store_changed),
    ];

    fn argument(own: &Path, lane: usize) -> Path {
        Path { distance: [own.distance[lane]; WARP_LANES], ..Path::default() }
    }
}

impl SsspKernel {
    fn load_distance(&self, threads: &mut Threads<Path>, to: &mut Addresses) {
        let distances = self.state.distances.borrow();
        for lane in each(threads.active) {
            let vertex = threads.vertex(lane);
            to[lane] = word(self.state.layout.distances, vertex);
            threads.own.distance[lane] = distances[vertex as usize];
        }
    }

    fn load_weight(&self, threads: &mut Threads<Path>, to: &mut Addresses) {
        for lane in each(threads.active) {
            let edge = threads.edge[lane];
            to[lane] = word(self.state.layout.weights, edge);
            threads.own.weight[lane] = self.state.weights[edge as usize];
        }
    }

    fn load_target(&self, threads: &mut Threads<Path>, to: &mut Addresses) {
        let distances = self.state.distances.borrow();
        let Threads { own, target, .. } = threads;
        threads.chosen = which(threads.active, |lane| {
            to[lane] = word(self.state.layout.distances, target[lane]);
            own.new[lane] = extended(own.distance[lane], own.weight[lane]);
            own.new[lane] < distances[target[lane] as usize]
        });
    }

    fn lower(&self, threads: &mut Threads<Path>, to: &mut Addresses) {
        let mut distances = self.state.distances.borrow_mut();
        threads.found = which(threads.chosen, |lane| {
            let (target, new) = (threads.target[lane], threads.own.new[lane]);
            to[lane] = word(self.state.layout.distances, target);
            let distance = &mut distances[target as usize];
            let old = std::mem::replace(distance, new.min(*distance));
            new < old
        });
    }

    fn store_due(&self, threads: &mut Threads<Path>, to: &mut Addresses) {
        let mut due = self.state.due.borrow_mut();
        for lane in each(threads.chosen) {
            let target = threads.target[lane];
            to[lane] = word(self.state.layout.due, target);
            due[target as usize] = self.round + 1;
        }
    }

    fn store_changed(&self, threads: &mut Threads<Path>, to: &mut Addresses) {
        for lane in each(threads.chosen) {
            to[lane] = self.state.layout.changed;
        }
        self.state.changed.set(true);
    }
}
