//! DeNovo and conventional GPU coherence; see `docs/coherence.md`.

mod gpu_coherence;
mod latencies;
mod oracle;
mod protocol;

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::{launch, run_to_end};
use crate::config::GpuConfig;
use crate::diagnostic::InputError;
use crate::host::{HostLaunch, HostProgram};
use crate::memory::shadow::Word;
use crate::memory::Memory;
use crate::port::Dim3;
use crate::program::*;
use crate::smx::SmxCounts;
use crate::Gpu;

/// A program that hands out a list of instructions.
struct Script(std::vec::IntoIter<Instruction>);

impl WarpProgram for Script {
    fn next(&mut self, instruction: &mut Instruction) {
        *instruction = self.0.next().expect("a script ends in an exit");
    }
}

/// What each warp of each block of a kernel does.
type Blocks = Vec<Vec<Vec<Instruction>>>;

/// Kernels one after another, of one block for each SMX: block `i` runs on SMX `i`.
struct Kernels(VecDeque<Blocks>);

struct OfBlock(Blocks);

impl KernelCode for OfBlock {
    fn block(
        &self,
        block: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        let of_warps = &self.0[block.x as usize];
        for warp in 0..warps as usize {
            let mut list = of_warps.get(warp).cloned().unwrap_or_default();
            list.push(Instruction::default());
            programs.push(Box::new(Script(list.into_iter())));
        }
        Ok(())
    }
}

impl Kernels {
    fn next(&mut self) -> Vec<HostLaunch> {
        let launch = |blocks: Blocks| {
            let warps = blocks.iter().map(Vec::len).max().unwrap_or(1).max(1) as u32;
            launch(blocks.len() as u32, warps, Rc::new(OfBlock(blocks)))
        };
        self.0.pop_front().map(launch).into_iter().collect()
    }
}

impl HostProgram for Kernels {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next()
    }

    fn kernel_finished(&mut self, _: &str, _: u32, _: u64) -> Vec<HostLaunch> {
        self.next()
    }

    fn verify(&mut self) -> Result<(), String> {
        Ok(())
    }
}

/// The integrated GPU of IKRA, with one block an SMX and nothing around the units that takes time.
fn denovo(changes: &[(&str, &str)]) -> GpuConfig {
    let mut config = GpuConfig::preset("denovo15").unwrap();
    let plain = [("thread_block_slots", "1"), ("latency.pipeline", "0")];
    for (key, value) in plain.iter().chain(changes) {
        config.set(key, value).unwrap();
    }
    config
}

/// Kernels for the SMXs of `config`; each is a list of SMXs with the instructions of their one
/// warp.
fn kernels<const N: usize>(
    config: &GpuConfig,
    of: [&[(usize, Vec<Instruction>)]; N],
) -> Vec<Blocks> {
    let kernel = |list: &&[(usize, Vec<Instruction>)]| {
        let mut blocks = vec![vec![Vec::new()]; config.smx.count as usize];
        for (smx, instructions) in *list {
            blocks[*smx] = vec![instructions.clone()];
        }
        blocks
    };
    of.iter().map(kernel).collect()
}

/// A run, cycle by cycle, until nothing is on its way.
struct Run {
    gpu: Gpu,
    counts: Vec<SmxCounts>,
}

impl Run {
    /// Runs `kernels`; `each` looks at the GPU after every cycle.
    fn watched(config: GpuConfig, kernels: Vec<Blocks>, mut each: impl FnMut(&Gpu)) -> Self {
        let mut gpu = Gpu::new(config, Box::new(Kernels(kernels.into()))).unwrap();
        gpu.memory.shadow.on = true;
        let cycles = run_to_end(&mut gpu, |gpu| each(gpu));
        let counts = gpu.smxs().iter().map(|smx| smx.counts(cycles)).collect();
        Self { gpu, counts }
    }

    fn new(config: GpuConfig, kernels: Vec<Blocks>) -> Self {
        Self::watched(config, kernels, |_| {})
    }

    /// The sum of a count over the SMXs.
    fn sum(&self, count: impl Fn(&SmxCounts) -> u64) -> u64 {
        self.counts.iter().map(count).sum()
    }

    /// Bursts that DRAM has read.
    fn dram_reads(&self) -> u64 {
        self.gpu.memory().channel_counts().map(|channel| channel.reads).sum()
    }

    /// The words that the directory and the L1s say are owned.
    fn owners(&self) -> BTreeMap<Word, u8> {
        self.gpu.memory.owners().collect()
    }
}

/// `lanes` lanes access the words from `word` of `line` on.
fn words(kind: Access, line: u64, word: u64, lanes: u32) -> Instruction {
    let addresses: [u64; 32] = std::array::from_fn(|lane| 64 * line + 4 * (word + lane as u64));
    let addresses = addresses.into();
    let operation = Operation::Memory { space: Space::Global, access: kind, bytes: 4 };
    let active = u32::MAX >> (32 - lanes);
    Instruction { operation, addresses, active, ..Instruction::default() }
}

/// An instruction that waits for register 1.
fn consumer() -> Instruction {
    let operation = Operation::Compute(Unit::Single);
    Instruction { operation, sources: two_sources([Some(1), None]), ..Instruction::default() }
}

/// A load of words, and an instruction that waits for it.
fn load_and_use(line: u64, word: u64, lanes: u32) -> Vec<Instruction> {
    let load = Instruction { destination: Some(1), ..words(Access::Load, line, word, lanes) };
    vec![load, consumer()]
}

/// A store of words.
fn store_words(line: u64, word: u64, lanes: u32) -> Vec<Instruction> {
    vec![words(Access::Store, line, word, lanes)]
}
