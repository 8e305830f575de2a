//! `dct`: the cosine transform of a picture, or its inverse, once.

mod options;
mod transform;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::Array;
use crate::compare;
use crate::draw::Draw;
use crate::launch::{launch, line, machine, plane, Computation};
pub use options::DctOptions;
use transform::transform;

/// Points of a block along x and y, and its threads.
const POINTS: (u32, u32) = (32, 16);
const THREADS: u32 = 64;

/// The host program.
pub struct Dct {
    machine: Rc<Machine>,
    options: DctOptions,
    given: Array,
    transformed: Array,
}

impl Dct {
    /// Before its launch, with points or coefficients drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &DctOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("dct/dct.ptx", include_str!("dct.ptx"));
        let points = options.columns * POINTS.0 * options.rows * POINTS.1;
        let mut draw = Draw::new(seed);
        let given = (0..points).map(|_| draw.between(-128.0, 128.0).to_bits());
        let given = Array::new(&machine, given.collect())?;
        let transformed = Array::zeros(&machine, points)?;
        Ok(Self { machine, options: *options, given, transformed })
    }
}

impl HostProgram for Dct {
    fn start(&mut self) -> Vec<HostLaunch> {
        let DctOptions { direction, columns, rows } = self.options;
        let kernel = if direction == 1 { "dct_decode" } else { "dct_encode" };
        let arrays = Arguments::new().long(self.given.address()).long(self.transformed.address());
        launch(&self.machine, kernel, (plane(columns, rows), line(THREADS)), arrays, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let width = (self.options.columns * POINTS.0) as usize;
        let given: Vec<f32> = self.given.given_floats().collect();
        let expected = transform(&given, width, self.options.direction == 1);
        compare::floats(&self.transformed, &expected, |at| {
            format!("dct: ({}, {})", at % width, at / width)
        })
    }
}

impl Computation for Dct {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.transformed.range()]
    }
}
