//! `mis`: a maximal independent set, three launches a round: `mis1` looks at neighbours, `mis2`
//! takes vertices into the set, `mis3` leaves their neighbours out. A round in which nothing was
//! undecided is the last one.
//!
//! The set is one of the undirected graph: edges that are listed in one direction count in both.
//! Self loops change nothing.

mod options;
mod reference;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::Machine;
use blockyard_workloads::graph::Csr;

use crate::array::Array;
use crate::compare;
use crate::graphs::{priority, Flag, Refused, Vertices};
use crate::launch::{machine, ptx, Computation};
pub use options::MisOptions;
pub use reference::{reference_mis, IN, OUT, UNDECIDED};

/// Which kernel of a round is launched next.
#[derive(Clone, Copy)]
enum Next {
    Look,
    Take,
    LeaveOut,
}

/// The host program; the instance of the kernels is the round.
pub struct Mis {
    vertices: Vertices,
    seed: u64,
    values: Array,
    states: Array,
    /// The lowest value among the undecided neighbours of each vertex.
    lowest: Array,
    /// Whether a neighbour is in the set.
    marked: Array,
    /// Whether a vertex was undecided.
    left: Flag,
    round: u32,
    next: Next,
}

impl Mis {
    /// A set of vertices of `csr`, before the first launch. Values are drawn from `seed`. A graph
    /// without vertices has its set without any launch.
    ///
    /// # Errors
    /// When there is no memory for the undirected graph.
    ///
    /// # Panics
    /// When the undirected graph has more than `u32::MAX` edges.
    pub fn new(
        csr: &Csr,
        options: &MisOptions,
        seed: u64,
        mode: LaunchMode,
    ) -> Result<Self, Refused> {
        let (file, text) = ptx!("mis", mode);
        let machine = machine(file, text);
        let vertices = Vertices::new(&machine, &Rc::new(csr.symmetric()), options.vertex)?;
        let values = (0..csr.vertices()).map(|vertex| priority(vertex, seed)).collect();
        Ok(Self {
            values: Array::new(&machine, values)?,
            states: vertices.array(UNDECIDED)?,
            lowest: vertices.array(0)?,
            marked: vertices.array(0)?,
            left: Flag::new(&machine)?,
            vertices,
            seed,
            round: 0,
            next: Next::Look,
        })
    }

    /// The next launch of the round, from cycle `arrive` on.
    fn launch(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let [values, states, lowest, marked] =
            [&self.values, &self.states, &self.lowest, &self.marked].map(Array::address);
        let (vertices, round) = (&self.vertices, self.round);
        match self.next {
            Next::Look => {
                self.next = Next::Take;
                self.left.clear();
                let arrays = [values, states, lowest, self.left.address()];
                vertices.launch_over_edges("mis1", &arrays, round, arrive)
            }
            Next::Take => {
                self.next = Next::LeaveOut;
                let arrays = [values, lowest, states, marked];
                vertices.launch_over_edges("mis2", &arrays, round, arrive)
            }
            Next::LeaveOut => {
                self.next = Next::Look;
                self.round += 1;
                vertices.launch("mis3", &[marked, states], round, arrive)
            }
        }
    }
}

impl HostProgram for Mis {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.launch(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn all_finished(&mut self, cycle: u64) -> Vec<HostLaunch> {
        if matches!(self.next, Next::Look) && !self.left.is_set() {
            return Vec::new();
        }
        self.launch(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let expected = reference_mis(&self.vertices.csr, self.seed);
        let name = |vertex| format!("independent set: vertex {vertex}");
        compare::shown(&self.states, &expected, name, shown)
    }
}

impl Computation for Mis {
    fn machine(&self) -> &Rc<Machine> {
        &self.vertices.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.states.range()]
    }
}

fn shown(state: u32) -> String {
    match state {
        UNDECIDED => "undecided".to_owned(),
        IN => "in the set".to_owned(),
        OUT => "left out".to_owned(),
        other => format!("in state {other}"),
    }
}
