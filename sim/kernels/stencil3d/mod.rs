//! `stencil3d`: the heat equation in space, one launch a step.

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
pub use options::Stencil3dOptions;

/// Threads of a block along x and y, a column of points each.
const BLOCK: (u32, u32) = (32, 4);

/// How much of the difference to its neighbours a point takes over in a step. Below a sixth, so
/// that differences do not grow.
const RATE: f32 = 0.1;

/// The host program.
pub struct Stencil3d {
    machine: Rc<Machine>,
    options: Stencil3dOptions,
    /// A step reads one and writes the other; the first begins with what was drawn.
    spaces: [Array; 2],
    launched: u32,
}

impl Stencil3d {
    /// Before its first step, with points drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(
        options: &Stencil3dOptions,
        seed: u64,
        _mode: LaunchMode,
    ) -> Result<Self, InputError> {
        let machine = machine("stencil3d/stencil3d.ptx", include_str!("stencil3d.ptx"));
        let points = options.width * options.height * options.depth;
        let drawn = Array::new(&machine, Draw::new(seed).floats(points))?;
        let spaces = [drawn, Array::zeros(&machine, points)?];
        Ok(Self { machine, options: *options, spaces, launched: 0 })
    }

    /// What step number `step` reads and writes.
    fn spaces(&self, step: u32) -> (&Array, &Array) {
        let [even, odd] = &self.spaces;
        if step.is_multiple_of(2) {
            (even, odd)
        } else {
            (odd, even)
        }
    }

    /// The next step, from cycle `arrive` on, if there is one left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let Stencil3dOptions { width, height, depth, steps } = self.options;
        if self.launched == steps || depth == 0 {
            return Vec::new();
        }
        let (now, next) = self.spaces(self.launched);
        let arguments = Arguments::new()
            .long(now.address())
            .long(next.address())
            .word(width)
            .word(height)
            .word(depth)
            .single(RATE);
        self.launched += 1;
        let grid = plane(width.div_ceil(BLOCK.0), height.div_ceil(BLOCK.1));
        launch(&self.machine, "stencil3d", (grid, plane(BLOCK.0, BLOCK.1)), arguments, arrive)
    }

    /// One step, rounded where the kernel rounds.
    fn step(&self, now: &[f32]) -> Vec<f32> {
        let Stencil3dOptions { width, height, depth, .. } = self.options;
        let [width, height, depth] = [width, height, depth].map(|extent| extent as usize);
        let inner = |extent: usize| 1..extent.saturating_sub(1);
        let plane = width * height;
        let mut next = now.to_vec();
        for z in inner(depth) {
            for y in inner(height) {
                for x in inner(width) {
                    let at = z * plane + y * width + x;
                    let beside = now[at - 1] + now[at + 1] + now[at - width] + now[at + width];
                    let sides = beside + now[at - plane] + now[at + plane];
                    next[at] = RATE.mul_add(now[at].mul_add(-6.0, sides), now[at]);
                }
            }
        }
        next
    }
}

impl HostProgram for Stencil3d {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let Stencil3dOptions { width, height, steps, .. } = self.options;
        let drawn: Vec<_> = self.spaces[0].given_floats().collect();
        let expected = (0..steps).fold(drawn, |now, _| self.step(&now));
        let [width, height] = [width, height].map(|extent| extent as usize);
        compare::floats(self.spaces(steps).0, &expected, |at| {
            let (x, y, z) = (at % width, at / width % height, at / width / height);
            format!("stencil3d: after {steps} steps point ({x}, {y}, {z})")
        })
    }
}

impl Computation for Stencil3d {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.spaces(self.options.steps).0.range()]
    }
}
