//! `denoise`: a picture without noise, once.

mod options;
mod picture;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::Array;
use crate::compare;
use crate::draw::Draw;
use crate::launch::{launch, machine, plane, Computation};
pub use options::DenoiseOptions;
use picture::Picture;

/// Threads along a side of a block.
const SIDE: u32 = 8;

/// The host program.
pub struct Denoise {
    machine: Rc<Machine>,
    options: DenoiseOptions,
    picture: Array,
    clean: Array,
}

impl Denoise {
    /// Before its launch, with a picture drawn from `seed`: squares of one brightness, and noise.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(options: &DenoiseOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("denoise/denoise.ptx", include_str!("denoise.ptx"));
        let DenoiseOptions { width, height } = *options;
        let mut draw = Draw::new(seed);
        let brightness: Vec<f32> = (0..16).map(|_| draw.between(0.0, 0.9)).collect();
        let point = |at: u32| {
            let (x, y) = (at % width / 24, at / width / 24);
            let square = brightness[((x * 7 + y * 3) % 16) as usize];
            (square + draw.between(0.0, 0.1)).to_bits()
        };
        let picture = Array::new(&machine, (0..width * height).map(point).collect())?;
        let clean = Array::zeros(&machine, width * height)?;
        Ok(Self { machine, options: *options, picture, clean })
    }
}

impl HostProgram for Denoise {
    fn start(&mut self) -> Vec<HostLaunch> {
        let DenoiseOptions { width, height } = self.options;
        let arguments = Arguments::new()
            .long(self.picture.address())
            .long(self.clean.address())
            .word(width)
            .word(height);
        let grid = plane(width.div_ceil(SIDE), height.div_ceil(SIDE));
        launch(&self.machine, "denoise", (grid, plane(SIDE, SIDE)), arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let width = self.options.width as usize;
        let picture = Picture { width, points: self.picture.given_floats().collect() };
        compare::floats(&self.clean, picture.clean(), |at| {
            format!("denoise: point ({}, {})", at % width, at / width)
        })
    }
}

impl Computation for Denoise {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.clean.range()]
    }
}
