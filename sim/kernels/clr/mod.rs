//! `clr`: graph colouring, two launches a round: `clr` finds conflicts, `clr_assign` colours. The
//! round in which no vertex stays without a colour is the last one.
//!
//! The graph is coloured as an undirected one: edges that are listed in one direction count in
//! both. Self loops are no conflict.

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
pub use options::ClrOptions;
pub use reference::reference_clr;

/// The colour of a vertex that has none yet.
pub const UNCOLOURED: u32 = u32::MAX;

/// In no round has the vertex been blocked yet.
const NEVER: u32 = u32::MAX;

/// The host program; the instance of both kernels is the round.
pub struct Clr {
    vertices: Vertices,
    seed: u64,
    priorities: Array,
    colours: Array,
    /// The last round in which each vertex had an uncoloured neighbour of higher priority.
    blocked: Array,
    /// Whether a vertex has stayed without a colour.
    left: Flag,
    round: u32,
    /// Whether the kernel of this round that finds conflicts has been launched, and the other has
    /// not.
    assign_next: bool,
}

impl Clr {
    /// A colouring of `csr`, before its first launch. Priorities are drawn from `seed`. A graph
    /// without vertices is coloured without any launch.
    ///
    /// # Errors
    /// When there is no memory for the undirected graph.
    ///
    /// # Panics
    /// When the undirected graph has more than `u32::MAX` edges.
    pub fn new(
        csr: &Csr,
        options: &ClrOptions,
        seed: u64,
        mode: LaunchMode,
    ) -> Result<Self, Refused> {
        let (file, text) = ptx!("clr", mode);
        let machine = machine(file, text);
        let vertices = Vertices::new(&machine, &Rc::new(csr.symmetric()), options.vertex)?;
        let priorities = (0..csr.vertices()).map(|vertex| priority(vertex, seed)).collect();
        Ok(Self {
            priorities: Array::new(&machine, priorities)?,
            colours: vertices.array(UNCOLOURED)?,
            blocked: vertices.array(NEVER)?,
            left: Flag::new(&machine)?,
            vertices,
            seed,
            round: 0,
            assign_next: false,
        })
    }

    /// The next launch of the round, from cycle `arrive` on.
    fn launch(&mut self, arrive: u64) -> Vec<HostLaunch> {
        self.assign_next = !self.assign_next;
        let [priorities, colours, blocked] =
            [&self.priorities, &self.colours, &self.blocked].map(Array::address);
        if self.assign_next {
            let arrays = [priorities, colours, blocked];
            self.vertices.launch_over_edges("clr", &arrays, self.round, arrive)
        } else {
            self.left.clear();
            let arrays = [colours, blocked, self.left.address()];
            self.vertices.launch("clr_assign", &arrays, self.round, arrive)
        }
    }
}

impl HostProgram for Clr {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.launch(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn all_finished(&mut self, cycle: u64) -> Vec<HostLaunch> {
        if !self.assign_next {
            if !self.left.is_set() {
                return Vec::new();
            }
            self.round += 1;
        }
        self.launch(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let (csr, got) = (&self.vertices.csr, self.colours.left()?);
        for vertex in 0..csr.vertices() {
            let colour = got[vertex as usize];
            let same = |next: u32| next != vertex && got[next as usize] == colour;
            if let Some(next) = csr.neighbours(vertex).iter().find(|&&next| same(next)) {
                let colour = shown(colour);
                return Err(format!(
                    "graph colouring: vertices {vertex} and {next} are neighbours, and both are {colour}"
                ));
            }
        }
        let name = |vertex| format!("graph colouring: vertex {vertex}");
        compare::shown(&self.colours, &reference_clr(csr, self.seed), name, shown)
    }
}

impl Computation for Clr {
    fn machine(&self) -> &Rc<Machine> {
        &self.vertices.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.colours.range()]
    }
}

fn shown(colour: u32) -> String {
    match colour {
        UNCOLOURED => "not coloured".to_owned(),
        colour => format!("of colour {colour}"),
    }
}
