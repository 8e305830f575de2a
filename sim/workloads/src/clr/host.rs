//! The host program of the colouring.

use std::rc::Rc;

use super::{
    assign::AssignKernel, kernel::ClrKernel, reference_clr, state::State, ClrOptions, Layout,
    ASSIGN_NAME, ASSIGN_REGISTERS_PER_THREAD, CHILD_NAME, KERNEL_NAME, REGISTERS_PER_THREAD,
    UNCOLOURED,
};
use crate::gpu::host::{HostLaunch, HostProgram};
use crate::graph::Csr;
use crate::port::LaunchMode;
use crate::vertex::code::Code;
use crate::vertex::{compare, VertexLaunch};

/// A colouring of a graph, two kernel launches a round; the instance of both kernels is the round.
pub struct Clr {
    pub(super) state: Rc<State>,
    seed: u64,
    round: u32,
    /// Whether the kernel of this round that finds conflicts has been launched, and the other has not.
    assign_next: bool,
    find: VertexLaunch<ClrKernel>,
    assign: VertexLaunch<AssignKernel>,
}

impl Clr {
    /// A colouring of `csr`, taken as an undirected graph, before its first launch, that launches
    /// children for busy vertices unless `mode` is flat. Priorities are drawn from `seed`. A graph without
    /// vertices is coloured without any launch.
    ///
    /// # Panics
    /// When the undirected graph has more than `u32::MAX` edges.
    pub fn new(csr: &Csr, options: &ClrOptions, seed: u64, mode: LaunchMode) -> Self {
        let (names, options) = ((KERNEL_NAME, CHILD_NAME), &options.vertex);
        let assign = Code::of_vertices(AssignKernel::LINES, AssignKernel::REST);
        Self {
            state: Rc::new(State::new(csr.symmetric(), seed)),
            seed,
            round: 0,
            assign_next: false,
            find: VertexLaunch::expanding(names, options, REGISTERS_PER_THREAD, mode),
            assign: VertexLaunch::new(ASSIGN_NAME, options, ASSIGN_REGISTERS_PER_THREAD, assign),
        }
    }

    /// The graph that is coloured.
    pub fn csr(&self) -> &Csr {
        &self.state.csr
    }

    /// Where the arrays are in global memory.
    pub fn layout(&self) -> Layout {
        self.state.layout
    }

    /// The colour of every vertex as the kernels have left it; [`UNCOLOURED`] where there is none.
    pub fn colours(&self) -> Vec<u32> {
        self.state.colours.borrow().clone()
    }

    /// The next launch of the round, from cycle `arrive` on.
    fn launch(&mut self, arrive: u64) -> HostLaunch {
        let (state, round) = (Rc::clone(&self.state), self.round);
        self.assign_next = !self.assign_next;
        if self.assign_next {
            self.find.over(ClrKernel { state, round }, arrive)
        } else {
            self.state.left.set(false);
            self.assign.over(AssignKernel { state, round }, arrive)
        }
    }
}

impl HostProgram for Clr {
    fn start(&mut self) -> Vec<HostLaunch> {
        if self.state.csr.vertices() == 0 {
            return Vec::new();
        }
        vec![self.launch(0)]
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn all_finished(&mut self, cycle: u64) -> Vec<HostLaunch> {
        if !self.assign_next {
            if !self.state.left.get() {
                return Vec::new();
            }
            self.round += 1;
        }
        vec![self.launch(cycle + 1)]
    }

    fn verify(&mut self) -> Result<(), String> {
        let (csr, got) = (&self.state.csr, self.state.colours.borrow());
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
        compare("graph colouring", (&got, &reference_clr(csr, self.seed)), shown)
    }
}

fn shown(colour: u32) -> String {
    match colour {
        UNCOLOURED => "not coloured".to_owned(),
        colour => format!("of colour {colour}"),
    }
}
