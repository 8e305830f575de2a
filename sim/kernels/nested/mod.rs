//! `nested`: the quadtree of a map. Flat one launch does all of it; under CDP and DTBL its blocks
//! launch the blocks of the next level, and these in their turn.

mod map;
mod options;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::Array;
use crate::compare;
use crate::launch::{launch, machine, plane, ptx, Computation};
use map::{drawn, Quadtree};
pub use options::NestedOptions;

/// The host program.
pub struct Nested {
    machine: Rc<Machine>,
    options: NestedOptions,
    map: Array,
    depths: Array,
    leaves: Array,
}

impl Nested {
    /// Before its launch, with a map drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(options: &NestedOptions, seed: u64, mode: LaunchMode) -> Result<Self, InputError> {
        let (file, text) = ptx!("nested", mode);
        let machine = machine(file, text);
        Ok(Self {
            map: Array::new(&machine, drawn(options, seed))?,
            depths: Array::zeros(&machine, options.width * options.height)?,
            leaves: Array::zeros(&machine, options.limit + 1)?,
            options: *options,
            machine,
        })
    }
}

impl HostProgram for Nested {
    fn start(&mut self) -> Vec<HostLaunch> {
        let NestedOptions { width, height, limit, block, .. } = self.options;
        let side = self.options.side();
        let (left, top, depth) = (0, 0, 0);
        let arguments = Arguments::new()
            .long(self.map.address())
            .long(self.depths.address())
            .long(self.leaves.address())
            .word(width)
            .word(height)
            .word(left)
            .word(top)
            .word(side)
            .word(depth)
            .word(limit);
        let extents = (plane(width.div_ceil(side), height.div_ceil(side)), plane(block, block));
        launch(&self.machine, "nested", extents, arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let tree = Quadtree::of(&self.options, self.map.given());
        let width = self.options.width as usize;
        compare::words(&self.depths, &tree.depths, |at| {
            format!("nested: the depth of cell ({}, {})", at % width, at / width)
        })?;
        compare::words(&self.leaves, &tree.leaves, |depth| {
            format!("nested: the number of leaves of depth {depth}")
        })
    }
}

impl Computation for Nested {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.depths.range(), self.leaves.range()]
    }
}
