//! `raytrace`: a picture of balls that mirror each other, once.

mod options;
mod scene;

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
pub use options::RaytraceOptions;
use scene::{seen, Ball};

/// Threads of a block along x and y: 128, as in SRTF's Table 2.
const BLOCK: (u32, u32) = (16, 8);

/// The host program.
pub struct Raytrace {
    machine: Rc<Machine>,
    options: RaytraceOptions,
    balls: Vec<Ball>,
    picture: Array,
}

impl Raytrace {
    /// Before its launch, with balls drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for the picture.
    pub fn new(
        options: &RaytraceOptions,
        seed: u64,
        _mode: LaunchMode,
    ) -> Result<Self, InputError> {
        let machine = machine("raytrace/raytrace.ptx", include_str!("raytrace.ptx"));
        let mut draw = Draw::new(seed);
        let ball = |_| Ball {
            centre: [draw.between(-2.0, 2.0), draw.between(-1.5, 1.5), draw.between(1.0, 5.0)],
            radius: draw.between(0.2, 0.8),
            brightness: draw.between(0.2, 1.0),
            mirrors: draw.between(0.0, 0.9),
        };
        let balls = (0..options.balls).map(ball).collect();
        let picture = Array::zeros(&machine, options.width * options.height)?;
        Ok(Self { machine, options: *options, balls, picture })
    }

    fn set_constant(&self, name: &str, of: impl Fn(&Ball) -> Vec<f32>) {
        let values = self.balls.iter().flat_map(of);
        let bytes: Vec<u8> = values.flat_map(f32::to_le_bytes).collect();
        assert!(self.machine.set_constant(name, &bytes), "the module has room for {name}");
    }
}

impl HostProgram for Raytrace {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.set_constant("raytrace_places", |ball| [&ball.centre[..], &[ball.radius]].concat());
        self.set_constant("raytrace_surfaces", |ball| vec![ball.brightness, ball.mirrors]);
        let RaytraceOptions { width, height, balls, bounces } = self.options;
        let arguments = Arguments::new()
            .long(self.picture.address())
            .word(width)
            .word(height)
            .word(balls)
            .word(bounces);
        let (x, y) = BLOCK;
        let grid = plane(width.div_ceil(x), height.div_ceil(y));
        launch(&self.machine, "raytrace", (grid, plane(x, y)), arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let RaytraceOptions { width, height, bounces, .. } = self.options;
        let points = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let sees = |at| seen(&self.balls, at, (width, height), bounces);
        let expected: Vec<f32> = points.map(sees).collect();
        compare::floats(&self.picture, &expected, |at| {
            format!("raytrace: point ({}, {})", at as u32 % width, at as u32 / width)
        })
    }
}

impl Computation for Raytrace {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.picture.range()]
    }
}
