//! Rules 23 to 28 of one level, by hand: three SMXs, and what they decide is told.

mod keeping;
mod stealing;
mod tenants;

use super::super::super::mask;
use super::*;

const SMXS: usize = 3;
const NEEDS: BlockNeeds = BlockNeeds { threads: 64, registers: 7, shared_memory: 9 };

/// A level, and blocks in execution.
struct Bench {
    level: ChildLevel,
    resident: u32,
}

/// A block of a grid of one row.
fn block(x: u32) -> Dim3 {
    Dim3::new(x, 0, 0)
}

/// Kernels are told from each other by their entry and the home that they have.
fn begin(home: usize, kernel: u8, blocks: u32) -> ChildLevelInputs {
    let (kernel, grid) = (KernelEntry(kernel), Dim3::new(blocks, 1, 1));
    ChildLevelInputs { begins: true, home, kernel, grid, needs: NEEDS, ..Default::default() }
}

/// Thief, victim, whether it asks for the chunk; all have room.
fn requests(requests: &[(usize, usize, bool)]) -> ChildLevelInputs {
    let mut inputs = ChildLevelInputs { fits: mask::of(0..SMXS), ..Default::default() };
    for &(thief, victim, from_chunk) in requests {
        inputs.asks.set(thief, true);
        inputs.victim[thief] = victim;
        inputs.from_chunk.set(thief, from_chunk);
    }
    inputs
}

impl Bench {
    /// The queues have so many entries.
    fn new(entries: usize) -> Self {
        Self { level: ChildLevel::new(SMXS, entries), resident: 0 }
    }

    fn evaluate(&self, inputs: &ChildLevelInputs) -> ChildLevelOutputs {
        self.level.evaluate(&ChildLevelInputs { resident: self.resident, ..inputs.clone() })
    }

    fn state(&self) -> ChildLevelOutputs {
        self.evaluate(&ChildLevelInputs::default())
    }

    fn clock(&mut self, inputs: &ChildLevelInputs) -> Activity {
        self.level.clock(&ChildLevelInputs { resident: self.resident, ..inputs.clone() })
    }

    /// A kernel begins, which must be possible.
    fn begin(&mut self, home: usize, kernel: u8, blocks: u32) {
        let inputs = begin(home, kernel, blocks);
        assert!(!self.evaluate(&inputs).taken);
        self.clock(&inputs);
        assert!(self.evaluate(&inputs).taken);
    }

    /// What is next of the chunk of `smx`: entry and x.
    fn chunk(&self, smx: usize) -> Option<(u8, u32)> {
        let next = self.state().chunk_next[smx];
        assert_eq!(self.state().chunk_needs[smx], next.map_or(BlockNeeds::default(), |_| NEEDS));
        next.map(|(kernel, block)| (kernel.0, block.x))
    }

    /// The same of its queue.
    fn queue(&self, smx: usize) -> Option<(u8, u32)> {
        let next = self.state().queue_next[smx];
        assert_eq!(self.state().queue_needs[smx], next.map_or(BlockNeeds::default(), |_| NEEDS));
        next.map(|(kernel, block)| (kernel.0, block.x))
    }

    /// Everything that is left of the chunk of `smx` is dispatched there and runs a cycle: the x of
    /// each.
    fn run_chunk(&mut self, smx: usize) -> Vec<u32> {
        let mut ran = Vec::new();
        while let Some((_, x)) = self.chunk(smx) {
            ran.push(x);
            let take_chunk = mask::of([smx]);
            self.clock(&ChildLevelInputs { take_chunk, ..Default::default() });
        }
        ran
    }

    /// The same of its queue.
    fn run_queue(&mut self, smx: usize) -> Vec<u32> {
        let mut ran = Vec::new();
        while let Some((_, x)) = self.queue(smx) {
            ran.push(x);
            let take_queue = mask::of([smx]);
            self.clock(&ChildLevelInputs { take_queue, ..Default::default() });
        }
        ran
    }

    /// `thief` asks, gets a block, and receives it in the next cycle; its x.
    fn steal(&mut self, thief: usize, victim: usize, from_chunk: bool) -> u32 {
        let loot = self.grant(thief, victim, from_chunk);
        self.arrive(thief, loot);
        loot.block.x
    }

    fn grant(&mut self, thief: usize, victim: usize, from_chunk: bool) -> Loot {
        let inputs = requests(&[(thief, victim, from_chunk)]);
        let outputs = self.evaluate(&inputs);
        assert_eq!((outputs.granted, outputs.refused), (mask::of([thief]), SmxMask::ZERO));
        assert_eq!(outputs.asked_needs[thief], NEEDS);
        self.clock(&inputs);
        outputs.loot[thief].unwrap()
    }

    fn arrive(&mut self, thief: usize, loot: Loot) {
        let mut inputs = ChildLevelInputs::default();
        inputs.arrives[thief] = Some(loot);
        inputs.owed[thief] = Some(loot.home);
        assert_eq!(self.evaluate(&inputs).ends, 0, "a block is on its way");
        self.clock(&inputs);
    }

    /// Nothing is left of the tenant of `home`, which ends.
    fn end(&mut self, kernel: u8) {
        assert_eq!(self.state().ends, 1 << kernel);
        assert_eq!(self.clock(&ChildLevelInputs::default()), Activity::Busy);
        assert_eq!(self.state().ends, 0);
    }

    /// Kernel after kernel of `home`, each of so many blocks that all run there, and what ran.
    fn whole(&mut self, home: usize, kernel: u8, blocks: u32) -> Vec<u32> {
        self.begin(home, kernel, blocks);
        let ran = self.run_chunk(home);
        self.end(kernel);
        ran
    }
}
