//! `stencil`: the heat equation on a plane, one launch a step.

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
pub use options::StencilOptions;

/// Side of a block in threads, and of a tile.
const TILE: u32 = 16;

/// How much of the difference to its neighbours a point takes over in a step. Below a quarter, so
/// that differences do not grow.
const RATE: f32 = 0.2;

/// The host program.
pub struct Stencil {
    machine: Rc<Machine>,
    options: StencilOptions,
    /// A step reads one and writes the other; the first begins with what was drawn.
    planes: [Array; 2],
    launched: u32,
}

impl Stencil {
    /// Before its first step, with a plane drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(options: &StencilOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("stencil/stencil.ptx", include_str!("stencil.ptx"));
        let points = options.width * options.height;
        let drawn = Array::new(&machine, Draw::new(seed).floats(points))?;
        let planes = [drawn, Array::zeros(&machine, points)?];
        Ok(Self { machine, options: *options, planes, launched: 0 })
    }

    /// The planes that step number `step` reads and writes.
    fn planes(&self, step: u32) -> (&Array, &Array) {
        let [even, odd] = &self.planes;
        if step.is_multiple_of(2) {
            (even, odd)
        } else {
            (odd, even)
        }
    }

    /// The next step, from cycle `arrive` on, if there is one left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let StencilOptions { width, height, steps } = self.options;
        if self.launched == steps {
            return Vec::new();
        }
        let (now, next) = self.planes(self.launched);
        let arguments = Arguments::new()
            .long(now.address())
            .long(next.address())
            .word(width)
            .word(height)
            .single(RATE);
        self.launched += 1;
        let grid = plane(width.div_ceil(TILE), height.div_ceil(TILE));
        launch(&self.machine, "stencil", (grid, plane(TILE, TILE)), arguments, arrive)
    }

    /// One step, rounded where the kernel rounds.
    fn step(&self, now: &[f32]) -> Vec<f32> {
        let (width, height) = (self.options.width as usize, self.options.height as usize);
        let mut next = now.to_vec();
        for y in 1..height.saturating_sub(1) {
            for x in 1..width.saturating_sub(1) {
                let at = y * width + x;
                let sides = now[at - 1] + now[at + 1] + now[at - width] + now[at + width];
                let differs = now[at].mul_add(-4.0, sides);
                next[at] = RATE.mul_add(differs, now[at]);
            }
        }
        next
    }
}

impl HostProgram for Stencil {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let StencilOptions { width, steps, .. } = self.options;
        let drawn: Vec<_> = self.planes[0].given_floats().collect();
        let expected = (0..steps).fold(drawn, |now, _| self.step(&now));
        let width = width as usize;
        compare::floats(self.planes(steps).0, &expected, |at| {
            format!("stencil: after {steps} steps point ({}, {})", at % width, at / width)
        })
    }
}

impl Computation for Stencil {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.planes(self.options.steps).0.range()]
    }
}
