//! `hotspot`: the temperature of a chip, several steps a launch.

mod chip;
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
use chip::Chip;
pub use options::HotspotOptions;

/// Threads along a side of a block.
const SIDE: u32 = 16;

/// The host program.
pub struct Hotspot {
    machine: Rc<Machine>,
    options: HotspotOptions,
    chip: Chip,
    power: Array,
    /// A launch reads one and writes the other; the first begins with what was drawn.
    planes: [Array; 2],
    launched: u32,
}

impl Hotspot {
    /// Before its first launch, with temperatures and powers drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &HotspotOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("hotspot/hotspot.ptx", include_str!("hotspot.ptx"));
        let points = options.width * options.height;
        let mut draw = Draw::new(seed);
        let mut drawn = |least: f32, end: f32| {
            let words = (0..points).map(|_| draw.between(least, end).to_bits());
            Array::new(&machine, words.collect())
        };
        // Kelvin and watts, as much as those of Rodinia's inputs.
        let (first, power) = (drawn(323.0, 342.0)?, drawn(0.0, 0.003)?);
        let planes = [first, Array::zeros(&machine, points)?];
        let chip = Chip::new(options.width, options.height);
        Ok(Self { machine, options: *options, chip, power, planes, launched: 0 })
    }

    /// The next launch, from cycle `arrive` on, if there is a step left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let HotspotOptions { width, height, steps, pyramid } = self.options;
        let left = steps - steps.min(self.launched * pyramid);
        if left == 0 {
            return Vec::new();
        }
        let [now, next] = [0, 1].map(|later| &self.planes[(self.launched + later) as usize % 2]);
        let arguments = Arguments::new()
            .long(self.power.address())
            .long(now.address())
            .long(next.address())
            .word(width)
            .word(height)
            .word(pyramid)
            .word(left.min(pyramid))
            .single(self.chip.across)
            .single(self.chip.along)
            .single(self.chip.down)
            .single(self.chip.rate);
        self.launched += 1;
        let inner = SIDE - 2 * pyramid;
        let grid = plane(width.div_ceil(inner), height.div_ceil(inner));
        launch(&self.machine, "hotspot", (grid, plane(SIDE, SIDE)), arguments, arrive)
    }

    /// What the last launch writes.
    fn result(&self) -> &Array {
        let HotspotOptions { steps, pyramid, .. } = self.options;
        &self.planes[steps.div_ceil(pyramid) as usize % 2]
    }
}

impl HostProgram for Hotspot {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let HotspotOptions { width, steps, .. } = self.options;
        let width = width as usize;
        let power: Vec<f32> = self.power.given_floats().collect();
        let drawn: Vec<f32> = self.planes[0].given_floats().collect();
        let expected = (0..steps).fold(drawn, |now, _| self.chip.step(&now, &power, width));
        compare::floats(self.result(), &expected, |at| {
            let (x, y) = (at % width, at / width);
            format!("hotspot: after {steps} steps point ({x}, {y})")
        })
    }
}

impl Computation for Hotspot {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.result().range()]
    }
}
