//! `reduce`: the sum of an array of words. The kernel is launched again on the sums of its blocks
//! until one block is left.

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
pub use options::ReduceOptions;

/// The host program.
pub struct Reduce {
    machine: Rc<Machine>,
    options: ReduceOptions,
    /// The words, and what each launch makes of those before it; of the last one a single word.
    levels: Vec<Array>,
    launched: usize,
}

impl Reduce {
    /// Before its first launch, with words drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &ReduceOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("reduce/reduce.ptx", include_str!("reduce.ptx"));
        let mut levels = vec![Array::new(&machine, Draw::new(seed).words(options.count))?];
        let mut left = options.blocks(options.count);
        levels.push(Array::zeros(&machine, left)?);
        while left > 1 {
            left = options.blocks(left);
            levels.push(Array::zeros(&machine, left)?);
        }
        Ok(Self { machine, options: *options, levels, launched: 0 })
    }

    /// The next launch, from cycle `arrive` on, if there is one left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let [words, sums, ..] = &self.levels[self.launched..] else { return Vec::new() };
        self.launched += 1;
        let (words, sums, count) = (words.address(), sums.address(), words.given().len() as u32);
        let arguments = Arguments::new().long(words).long(sums).word(count);
        let extents = (line(self.options.blocks(count)), line(self.options.block));
        launch(&self.machine, "reduce", extents, arguments, arrive)
    }

    fn sum(&self) -> Option<&Array> {
        self.levels.last()
    }
}

impl HostProgram for Reduce {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let words = self.levels[0].given();
        let expected = words.iter().fold(0_u32, |sum, &word| sum.wrapping_add(word));
        self.sum().map_or(Ok(()), |sum| {
            let name = |_| format!("reduce: the sum of {} words", words.len());
            compare::words(sum, &[expected], name)
        })
    }
}

impl Computation for Reduce {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        self.sum().map(Array::range).into_iter().collect()
    }
}
