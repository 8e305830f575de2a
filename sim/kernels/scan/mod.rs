//! `scan`: the prefix sums of an array of words. Blocks scan parts of it; their sums are scanned in
//! the same way until one block is left, and added to the parts again.

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
use crate::launch::{launch, line, machine, Computation};
pub use options::ScanOptions;

/// Threads of a block, each for two words.
const BLOCK: u32 = 256;

/// Words, and what is before each of them.
struct Level {
    words: Array,
    before: Array,
}

impl Level {
    fn count(&self) -> u32 {
        self.words.given().len() as u32
    }

    /// Blocks that scan it.
    fn blocks(&self) -> u32 {
        self.count().div_ceil(2 * BLOCK)
    }
}

/// The host program.
pub struct Scan {
    machine: Rc<Machine>,
    /// The words, and then the sums of the blocks of the level before.
    levels: Vec<Level>,
    /// The sum of all words.
    total: Array,
    launched: usize,
}

impl Scan {
    /// Before its first launch, with words drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &ScanOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("scan/scan.ptx", include_str!("scan.ptx"));
        let mut words = Array::new(&machine, Draw::new(seed).words(options.count))?;
        let mut levels = Vec::new();
        loop {
            let before = Array::zeros(&machine, words.given().len() as u32)?;
            let level = Level { words, before };
            words = Array::zeros(&machine, level.blocks().max(1))?;
            let last = level.blocks() <= 1;
            levels.push(level);
            if last {
                break;
            }
        }
        Ok(Self { machine, levels, total: words, launched: 0 })
    }

    /// The next launch, from cycle `arrive` on, if there is one left: up through all levels, and
    /// down again through those below the highest.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let (number, highest) = (self.launched, self.levels.len() - 1);
        self.launched += 1;
        let (kernel, level, arguments) = if number <= highest {
            let level = &self.levels[number];
            let sums = self.levels.get(number + 1).map_or(&self.total, |above| &above.words);
            let addresses = [&level.words, &level.before, sums].map(Array::address);
            ("scan_blocks", level, addresses.into_iter().fold(Arguments::new(), Arguments::long))
        } else if number <= 2 * highest {
            let at = 2 * highest - number;
            let (level, above) = (&self.levels[at], &self.levels[at + 1]);
            let addresses = [&level.before, &above.before].map(Array::address);
            ("scan_add", level, addresses.into_iter().fold(Arguments::new(), Arguments::long))
        } else {
            return Vec::new();
        };
        let extents = (line(level.blocks()), line(BLOCK));
        launch(&self.machine, kernel, extents, arguments.word(level.count()), arrive)
    }
}

impl HostProgram for Scan {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let words = self.levels[0].words.given();
        let mut sum = 0_u32;
        let before = words.iter().map(|&word| {
            let before = sum;
            sum = sum.wrapping_add(word);
            before
        });
        let before: Vec<u32> = before.collect();
        let name = |at| format!("scan: the sum of what is before word {at}");
        compare::words(&self.levels[0].before, &before, name)?;
        compare::words(&self.total, &[sum], |_| "scan: the sum of all words".to_owned())
    }
}

impl Computation for Scan {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.levels[0].before.range(), self.total.range()]
    }
}
