//! `sssp`: shortest paths from one vertex, a launch a round. The launch that lowers no distance is
//! the last one.

mod options;
mod reference;
mod weights;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::Machine;
use blockyard_workloads::graph::Csr;

use crate::array::Array;
use crate::compare;
use crate::graphs::{Flag, Refused, Vertices};
use crate::launch::{machine, ptx, Computation};
pub use options::{SsspOptions, DEFAULT_MAX_WEIGHT};
pub use reference::reference_sssp;

/// The distance of a vertex that no path reaches.
pub const UNREACHED: u32 = u32::MAX;

/// The largest distance: longer paths count as this long.
pub const FARTHEST: u32 = UNREACHED - 1;

/// In no round has the vertex been due yet.
const NEVER: u32 = u32::MAX;

/// The host program; the instance of the kernel is the round.
pub struct Sssp {
    vertices: Vertices,
    source: u32,
    weights: Array,
    distances: Array,
    /// The round in which the edges of each vertex are to be relaxed.
    due: Array,
    changed: Flag,
    round: u32,
}

impl Sssp {
    /// A search of `csr`, before its first launch. Generated weights are drawn from `seed`.
    ///
    /// # Errors
    /// When `sssp.source` is not a vertex of `csr`, `csr` has no vertices, its weights do not fit,
    /// or there is no memory for it.
    pub fn new(
        csr: &Rc<Csr>,
        options: &SsspOptions,
        seed: u64,
        mode: LaunchMode,
    ) -> Result<Self, Refused> {
        let source = options.source(csr)?;
        let weights = options.weights(csr, seed)?;
        let (file, text) = ptx!("sssp", mode);
        let machine = machine(file, text);
        let vertices = Vertices::new(&machine, csr, options.vertex)?;
        Ok(Self {
            weights: Array::new(&machine, weights)?,
            distances: vertices.array_but(source, UNREACHED)?,
            due: vertices.array_but(source, NEVER)?,
            changed: Flag::new(&machine)?,
            vertices,
            source,
            round: 0,
        })
    }

    /// The launch that relaxes the edges of what is due, from cycle `arrive` on.
    fn launch(&self, arrive: u64) -> Vec<HostLaunch> {
        self.changed.clear();
        let arrays = [
            self.weights.address(),
            self.distances.address(),
            self.due.address(),
            self.changed.address(),
        ];
        self.vertices.launch_over_edges("sssp", &arrays, self.round, arrive)
    }
}

impl HostProgram for Sssp {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.launch(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn all_finished(&mut self, cycle: u64) -> Vec<HostLaunch> {
        if !self.changed.is_set() {
            return Vec::new();
        }
        self.round += 1;
        self.launch(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let expected = reference_sssp(&self.vertices.csr, self.weights.given(), self.source);
        let name = |vertex| format!("shortest paths from vertex {}: vertex {vertex}", self.source);
        compare::shown(&self.distances, &expected, name, |distance| match distance {
            UNREACHED => "not reached".to_owned(),
            distance => format!("at distance {distance}"),
        })
    }
}

impl Computation for Sssp {
    fn machine(&self) -> &Rc<Machine> {
        &self.vertices.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.distances.range()]
    }
}
