//! `srad1`: speckle taken from an image, all of it on the GPU but for a quotient of two sums.

mod options;

use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::approximate::{exponential, logarithm};
use crate::array::Array;
use crate::compare;
use crate::draw::Draw;
use crate::launch::{launch, line, machine, Computation};
use crate::srad2::diffusion::{coefficients, of_sums, update, Differences, RATE};
pub use options::Srad1Options;

/// Threads of a block.
const BLOCK: u32 = 512;

/// What the host does next.
#[derive(Clone, Copy)]
enum Stage {
    Extract,
    Prepare,
    /// Sums up `count` sums that are `apart`.
    Reduce {
        count: u32,
        apart: u32,
    },
    Coefficients,
    Update,
    Compress,
}

/// The host program.
pub struct Srad1 {
    machine: Rc<Machine>,
    options: Srad1Options,
    image: Array,
    /// Of values and of squares.
    sums: [Array; 2],
    /// The rows above and below each, the columns before and behind each.
    tables: [Array; 4],
    /// To north, south, west, east, and the coefficients.
    found: [Array; 5],
    left: VecDeque<Stage>,
}

impl Srad1 {
    /// Before its first launch, with an image drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(options: &Srad1Options, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("srad1/srad1.ptx", include_str!("srad1.ptx"));
        let Srad1Options { width, height, steps } = *options;
        let points = width * height;
        let mut draw = Draw::new(seed);
        let image = (0..points).map(|_| (draw.below(256) as f32).to_bits());
        let image = Array::new(&machine, image.collect())?;
        let zeros = || Array::zeros(&machine, points);
        let table = |words: Vec<u32>| Array::new(&machine, words);
        let before = |count: u32| (0..count).map(|at| at.saturating_sub(1)).collect();
        let behind = |count: u32| (0..count).map(|at| (at + 1).min(count - 1)).collect();
        Ok(Self {
            image,
            sums: [zeros()?, zeros()?],
            tables: [
                table(before(height))?,
                table(behind(height))?,
                table(before(width))?,
                table(behind(width))?,
            ],
            found: [zeros()?, zeros()?, zeros()?, zeros()?, zeros()?],
            machine,
            options: *options,
            left: if points == 0 { VecDeque::new() } else { stages(points, steps) },
        })
    }

    fn points(&self) -> u32 {
        self.options.width * self.options.height
    }

    /// The next launch, from cycle `arrive` on, if there is one left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let Some(stage) = self.left.pop_front() else { return Vec::new() };
        let (points, width) = (self.points(), self.options.width);
        let [above, below, before, behind] = &self.tables;
        let mut threads = points;
        let image = || Arguments::new().long(self.image.address());
        let with = |arguments: Arguments, arrays: &[&Array]| {
            arrays.iter().fold(arguments, |all, array| all.long(array.address()))
        };
        let [sums, squares] = &self.sums;
        let [north, south, west, east, flows] = &self.found;
        let found = [north, south, west, east, flows];
        let (kernel, arguments) = match stage {
            Stage::Extract => ("srad1_extract", image().word(points)),
            Stage::Prepare => ("srad1_prepare", with(image(), &[sums, squares]).word(points)),
            Stage::Reduce { count, apart } => {
                threads = count;
                let arguments = with(Arguments::new(), &[sums, squares]);
                ("srad1_reduce", arguments.word(count).word(apart))
            }
            Stage::Coefficients => {
                let tables = with(image(), &[above, below, before, behind]);
                let arguments = with(tables, &found).word(width).word(points);
                ("srad1_coefficients", arguments.single(self.speckle()))
            }
            Stage::Update => {
                let arguments = with(with(image(), &[below, behind]), &found);
                ("srad1_update", arguments.word(width).word(points).single(RATE))
            }
            Stage::Compress => ("srad1_compress", image().word(points)),
        };
        let extents = (line(threads.div_ceil(BLOCK)), line(BLOCK));
        launch(&self.machine, kernel, extents, arguments, arrive)
    }

    /// From the sums that the last tree has left.
    fn speckle(&self) -> f32 {
        let [sum, squares] = self.sums.each_ref().map(|array| {
            let word = self.machine.words(array.address(), 1).expect("there is a point");
            f32::from_bits(word[0])
        });
        of_sums(self.points() as f32, sum, squares)
    }
}

/// All launches.
fn stages(points: u32, steps: u32) -> VecDeque<Stage> {
    let mut stages = VecDeque::from([Stage::Extract]);
    for _ in 0..steps {
        stages.push_back(Stage::Prepare);
        let (mut count, mut apart) = (points, 1);
        loop {
            stages.push_back(Stage::Reduce { count, apart });
            (count, apart) = (count.div_ceil(BLOCK), apart * BLOCK);
            if count == 1 {
                break;
            }
        }
        stages.extend([Stage::Coefficients, Stage::Update]);
    }
    stages.push_back(Stage::Compress);
    stages
}

/// The sum of all values as the kernels find it: a tree a block, then a tree of these, and so on.
fn sum(values: Vec<f32>) -> f32 {
    let block = BLOCK as usize;
    let of_block = |values: &[f32]| {
        let mut tree = values.to_vec();
        tree.resize(block, 0.0);
        while tree.len() > 1 {
            let upper = tree.split_off(tree.len() / 2);
            tree.iter_mut().zip(upper).for_each(|(sum, other)| *sum += other);
        }
        tree[0]
    };
    let sums: Vec<f32> = values.chunks(block).map(of_block).collect();
    if sums.len() == 1 {
        sums[0]
    } else {
        sum(sums)
    }
}

impl HostProgram for Srad1 {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let width = self.options.width as usize;
        if self.points() == 0 {
            return Ok(());
        }
        let drawn = self.image.given_floats();
        let mut image: Vec<f32> = drawn.map(|value| exponential(value * (1.0 / 255.0))).collect();
        let mut flows = Vec::new();
        for _ in 0..self.options.steps {
            let squares = image.iter().map(|value| value * value).collect();
            let speckle = of_sums(self.points() as f32, sum(image.clone()), sum(squares));
            let differences = Differences::of(&image, width);
            flows = coefficients(&image, &differences, speckle);
            image = update(&image, &differences, &flows, width);
        }
        let image: Vec<f32> = image.into_iter().map(|value| logarithm(value) * 255.0).collect();
        let name = |what: &'static str| {
            move |at: usize| format!("srad1: the {what} of point ({}, {})", at % width, at / width)
        };
        compare::floats(&self.image, &image, name("value"))?;
        compare::floats(&self.found[4], &flows, name("coefficient"))
    }
}

impl Computation for Srad1 {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.image.range(), self.found[4].range()]
    }
}
