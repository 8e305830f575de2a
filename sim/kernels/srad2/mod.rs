//! `srad2`: speckle taken from an image, in tiles. In each step the host finds how much there is,
//! then come a launch that finds what flows, and one that lets it flow.

pub(crate) mod diffusion;
mod options;

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
use diffusion::{coefficients, speckle, update, Differences, RATE};
pub use options::Srad2Options;

/// Threads along a side of a block.
const SIDE: u32 = 16;

/// Points along a side of the corner in which speckle is looked for, Rodinia's.
const CORNER: usize = 128;

/// What the first four arrays hold that the first launch of a step writes.
const TOWARDS: [&str; 4] = [
    "difference to the north",
    "difference to the south",
    "difference to the west",
    "difference to the east",
];

/// The host program.
pub struct Srad2 {
    machine: Rc<Machine>,
    options: Srad2Options,
    image: Array,
    /// To north, south, west, east, and the coefficients.
    found: [Array; 5],
    /// Two a step.
    launched: u32,
}

impl Srad2 {
    /// Before its first launch, with an image drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(options: &Srad2Options, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("srad2/srad2.ptx", include_str!("srad2.ptx"));
        let points = options.width * options.height;
        let mut draw = Draw::new(seed);
        let image = (0..points).map(|_| draw.between(1.0, std::f32::consts::E).to_bits());
        let image = Array::new(&machine, image.collect())?;
        let array = || Array::zeros(&machine, points);
        let found = [array()?, array()?, array()?, array()?, array()?];
        Ok(Self { machine, options: *options, image, found, launched: 0 })
    }

    /// The next launch, from cycle `arrive` on, if there is one left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let Srad2Options { width, height, steps } = self.options;
        if self.launched == 2 * steps || width * height == 0 {
            return Vec::new();
        }
        let image = Arguments::new().long(self.image.address());
        let arrays = self.found.iter().fold(image, |all, array| all.long(array.address()));
        let arguments = arrays.word(width).word(height);
        let (kernel, arguments) = if self.launched.is_multiple_of(2) {
            let image = self.image.left().expect("no kernel gives memory back");
            let image: Vec<f32> = image.into_iter().map(f32::from_bits).collect();
            ("srad2_coefficients", arguments.single(self.speckle(&image)))
        } else {
            ("srad2_update", arguments.single(RATE))
        };
        self.launched += 1;
        let grid = plane(width.div_ceil(SIDE), height.div_ceil(SIDE));
        launch(&self.machine, kernel, (grid, plane(SIDE, SIDE)), arguments, arrive)
    }

    /// That of the image's corner.
    fn speckle(&self, image: &[f32]) -> f32 {
        let rows = image.chunks(self.options.width as usize).take(CORNER);
        speckle(rows.flat_map(|row| row.iter().take(CORNER).copied()))
    }
}

impl HostProgram for Srad2 {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let Srad2Options { width, height, steps } = self.options;
        if width * height == 0 || steps == 0 {
            return Ok(());
        }
        let width = width as usize;
        let mut image: Vec<f32> = self.image.given_floats().collect();
        let mut found = Vec::new();
        let mut flows = Vec::new();
        for _ in 0..steps {
            found = Differences::of(&image, width);
            flows = coefficients(&image, &found, self.speckle(&image));
            image = update(&image, &found, &flows, width);
        }
        let name = |what: &'static str| {
            move |at: usize| format!("srad2: the {what} of point ({}, {})", at % width, at / width)
        };
        compare::floats(&self.image, &image, name("value"))?;
        compare::floats(&self.found[4], &flows, name("coefficient"))?;
        for (direction, what) in TOWARDS.into_iter().enumerate() {
            let expected: Vec<f32> = found.iter().map(|point| point.all()[direction]).collect();
            compare::floats(&self.found[direction], &expected, name(what))?;
        }
        Ok(())
    }
}

impl Computation for Srad2 {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        [&self.image].into_iter().chain(&self.found).map(Array::range).collect()
    }
}
