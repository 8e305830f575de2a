//! `bht`: the forces between bodies by Barnes and Hut's tree, which the host has built. Under CDP
//! and DTBL a thread launches a child for each leaf whose bodies it has to sum.

mod options;
mod points;
mod reference;
mod tree;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::{place, Array};
use crate::compare;
use crate::launch::{launch, line, machine, ptx, with_child, Computation};
pub use options::BhtOptions;
use points::{drawn, Point};
use tree::{Cell, Tree};

/// The host program.
pub struct Bht {
    machine: Rc<Machine>,
    options: BhtOptions,
    tree: Tree,
    /// Addresses of bodies, centres and shapes, as the kernel has them.
    inputs: [u64; 3],
    accelerations: Array,
}

impl Bht {
    /// Before its launch, with bodies drawn from `seed`, in their tree.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(options: &BhtOptions, seed: u64, mode: LaunchMode) -> Result<Self, InputError> {
        let (file, text) = ptx!("bht", mode);
        let machine = machine(file, text);
        let tree = Tree::of(options, drawn(options, seed));
        let mass = |[x, y, z]: Point, mass: f32| [x, y, z, mass].map(f32::to_bits);
        let bodies = tree.bodies.iter().flat_map(|&body| mass(body, tree.mass));
        let centres = tree.cells.iter().flat_map(|cell| mass(cell.centre, cell.mass));
        let shape = |cell: &Cell| [cell.reach.to_bits(), cell.after, cell.first, cell.count];
        let inputs = [
            place(&machine, &bodies.collect::<Vec<_>>())?,
            place(&machine, &centres.collect::<Vec<_>>())?,
            place(&machine, &tree.cells.iter().flat_map(shape).collect::<Vec<_>>())?,
        ];
        let accelerations = Array::zeros(&machine, 3 * options.bodies)?;
        Ok(Self { machine, options: *options, tree, inputs, accelerations })
    }
}

impl HostProgram for Bht {
    fn start(&mut self) -> Vec<HostLaunch> {
        let BhtOptions { bodies, threshold, block, child_block, .. } = self.options;
        let arguments = self.inputs.iter().fold(Arguments::new(), |all, &input| all.long(input));
        let arguments = arguments
            .long(self.accelerations.address())
            .word(bodies)
            .word(self.tree.cells.len() as u32)
            .word(threshold)
            .word(child_block);
        let extents = (line(bodies.div_ceil(block)), line(block));
        let parents = launch(&self.machine, "bht", extents, arguments, 0);
        with_child(&self.machine, "bht_sum", line(child_block), parents)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let expected = reference::accelerations(&self.tree);
        let name = |at: usize| {
            format!("bht: the acceleration of body {} along {}", at / 3, ["x", "y", "z"][at % 3])
        };
        compare::shown(&self.accelerations, &expected, name, |word| {
            format!("{} / {}", word as i32, reference::SCALE)
        })
    }
}

impl Computation for Bht {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.accelerations.range()]
    }
}
