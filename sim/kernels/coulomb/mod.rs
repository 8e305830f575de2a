//! `coulomb`: the potential of charges on a plane, one launch for each slice of them that constant
//! memory holds.

mod options;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::approximate::reciprocal_root;
use crate::array::Array;
use crate::compare;
use crate::draw::Draw;
use crate::launch::{launch, machine, plane, Computation};
pub use options::CoulombOptions;

/// Threads of a block along x and y: 128, as in CLASO's Table 2.
const BLOCK: (u32, u32) = (16, 8);

/// Points of a thread.
const POINTS: u32 = 8;

/// Between neighbours of a row, and of a column.
const SPACING: f32 = 0.1;

/// A charge: x, y, the square of z, which is not on the plane, and how large it is.
type Atom = [f32; 4];

/// The host program.
pub struct Coulomb {
    machine: Rc<Machine>,
    options: CoulombOptions,
    atoms: Vec<Atom>,
    potential: Array,
    /// Atoms in the launches so far.
    launched: usize,
}

impl Coulomb {
    /// Before its first launch, with atoms drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for the plane.
    pub fn new(options: &CoulombOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("coulomb/coulomb.ptx", include_str!("coulomb.ptx"));
        let mut draw = Draw::new(seed);
        let (right, top) = (SPACING * options.width as f32, SPACING * options.height as f32);
        let atoms = (0..options.atoms).map(|_| {
            let [x, y] = [right, top].map(|end| draw.between(0.0, end));
            let z = draw.between(0.5, 10.0);
            [x, y, z * z, draw.between(-1.0, 1.0)]
        });
        let atoms = atoms.collect();
        let potential = Array::zeros(&machine, options.width * options.height)?;
        Ok(Self { machine, options: *options, atoms, potential, launched: 0 })
    }

    /// The launch of the next slice, from cycle `arrive` on, if there is one left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let CoulombOptions { width, height, slice, .. } = self.options;
        let left = &self.atoms[self.launched..];
        let slice = &left[..left.len().min(slice as usize)];
        if slice.is_empty() {
            return Vec::new();
        }
        let bytes: Vec<u8> = slice.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        assert!(self.machine.set_constant("coulomb_atoms", &bytes), "the module holds a slice");
        self.launched += slice.len();
        let arguments = Arguments::new()
            .long(self.potential.address())
            .word(width)
            .word(height)
            .single(SPACING)
            .word(slice.len() as u32);
        let grid = plane(width.div_ceil(BLOCK.0 * POINTS), height.div_ceil(BLOCK.1));
        launch(&self.machine, "coulomb", (grid, plane(BLOCK.0, BLOCK.1)), arguments, arrive)
    }

    /// The potential at a point, rounded where the kernel rounds.
    fn potential_at(&self, column: u32, row: u32) -> f32 {
        let [x, y] = [column, row].map(|at| SPACING * at as f32);
        let given = |sum: f32, &[at_x, at_y, square, charge]: &Atom| {
            let (dx, dy) = (x - at_x, y - at_y);
            let distance = dx.mul_add(dx, dy.mul_add(dy, square));
            charge.mul_add(reciprocal_root(distance), sum)
        };
        let slices = self.atoms.chunks(self.options.slice as usize);
        slices.map(|slice| slice.iter().fold(0.0, given)).fold(0.0, |all, sum| all + sum)
    }
}

impl HostProgram for Coulomb {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let CoulombOptions { width, height, .. } = self.options;
        let rows = 0..height;
        let points = rows.flat_map(|row| (0..width).map(move |column| (column, row)));
        let expected: Vec<f32> =
            points.map(|(column, row)| self.potential_at(column, row)).collect();
        let width = width as usize;
        compare::floats(&self.potential, &expected, |at| {
            format!("coulomb: the potential at ({}, {})", at % width, at / width)
        })
    }
}

impl Computation for Coulomb {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.potential.range()]
    }
}
