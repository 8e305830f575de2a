//! `lavamd`: the forces between particles of boxes that touch, once.

mod options;
mod particles;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::Array;
use crate::compare;
use crate::draw::Draw;
use crate::launch::{launch, line, machine, Computation};
pub use options::LavamdOptions;
use particles::{force, neighbours, Particle, ALPHA, NEIGHBOURS, PARTICLES};

/// Threads of a block: IKRA's Table 3.
const BLOCK: u32 = 128;

/// The host program.
pub struct Lavamd {
    machine: Rc<Machine>,
    /// Of each box those that it looks at.
    boxes: Vec<Vec<usize>>,
    particles: Vec<Particle>,
    charges: Vec<f64>,
    /// Where the lists of neighbours are, the particles, and the charges.
    inputs: [Array; 3],
    forces: Array,
}

/// The words of doubles, the lower ones first.
fn words<'a>(values: impl IntoIterator<Item = &'a f64>) -> Vec<u32> {
    let bits = values.into_iter().map(|value| value.to_bits());
    bits.flat_map(|bits| [bits as u32, (bits >> 32) as u32]).collect()
}

impl Lavamd {
    /// Before its launch, with particles and charges drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &LavamdOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("lavamd/lavamd.ptx", include_str!("lavamd.ptx"));
        let side = options.boxes as usize;
        let boxes: Vec<_> =
            (0..side * side * side).map(|number| neighbours(side, number)).collect();
        let mut draw = Draw::new(seed);
        let mut drawn = || f64::from(draw.between(0.1, 1.0));
        // As Rodinia draws them: near the origin, whatever their box.
        let mut particle = |_| {
            let [x, y, z] = [drawn(), drawn(), drawn()];
            [(x * x + y * y + z * z) / 2.0, x, y, z]
        };
        let particles: Vec<Particle> = (0..boxes.len() * PARTICLES).map(&mut particle).collect();
        let charges: Vec<f64> = particles.iter().map(|_| drawn()).collect();
        let list = |list: &Vec<usize>| {
            let mut words = vec![0; 1 + NEIGHBOURS];
            words[0] = list.len() as u32;
            words[1..].iter_mut().zip(list).for_each(|(word, &number)| *word = number as u32);
            words
        };
        let inputs = [
            Array::new(&machine, boxes.iter().flat_map(list).collect())?,
            Array::new(&machine, words(particles.iter().flatten()))?,
            Array::new(&machine, words(&charges))?,
        ];
        let forces = Array::zeros(&machine, 8 * particles.len() as u32)?;
        Ok(Self { machine, boxes, particles, charges, inputs, forces })
    }
}

impl HostProgram for Lavamd {
    fn start(&mut self) -> Vec<HostLaunch> {
        let arrays = self.inputs.iter().chain([&self.forces]);
        let arguments = arrays.fold(Arguments::new(), |all, array| all.long(array.address()));
        let extents = (line(self.boxes.len() as u32), line(BLOCK));
        launch(&self.machine, "lavamd", extents, arguments.single(ALPHA), 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let of_box = |(number, list): (usize, &Vec<usize>)| {
            let mut found = Vec::new();
            for own in &self.particles[number * PARTICLES..][..PARTICLES] {
                let others = list.iter().flat_map(|&other| {
                    let range = other * PARTICLES..(other + 1) * PARTICLES;
                    self.particles[range.clone()].iter().zip(&self.charges[range])
                });
                found.push(force(own, others));
            }
            found
        };
        let forces: Vec<Particle> = self.boxes.iter().enumerate().flat_map(of_box).collect();
        compare::words(&self.forces, &words(forces.iter().flatten()), |at| {
            let what = ["potential", "force along x", "force along y", "force along z"][at / 2 % 4];
            let half = ["lower", "upper"][at % 2];
            format!("lavamd: the {half} half of the {what} of particle {}", at / 8)
        })
    }
}

impl Computation for Lavamd {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.forces.range()]
    }
}
