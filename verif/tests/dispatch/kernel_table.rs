//! Rationale: 1. the state is 32 kernels with a next block and a count each; random kernels fill
//! and drain the table, and any marked one may be the head. 2. N = 1, 3, 13, 32, and
//! masks of several words: 33, 65 and 132.

use crate::harness::{mask, random, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dispatch::KernelTable;
use blockyard_rtl::module::Module;
use blockyard_rtl::port::{BlockId, Needs};
use blockyard_rtl::word::U;
use blockyard_sim::port::{Activity, BlockNeeds, Dim3, KernelEntry, KernelLaunch, KERNEL_ENTRIES};
use blockyard_sim::sched::{dispatch as twin, SmxMask};
use rand::RngExt;
use rand_pcg::Pcg64;
pub use twin::{KernelTableInputs as Inputs, KernelTableOutputs as Outputs};

/// A block or an extent from its word.
pub fn block(word: BlockId) -> Dim3 {
    Dim3::new(word.x.raw() as u32, word.y.raw() as u32, word.z.raw() as u32)
}

/// What a block takes, from its word.
pub fn needs(word: Needs) -> BlockNeeds {
    BlockNeeds {
        threads: word.threads.raw() as u32,
        registers: word.registers.raw() as u32,
        shared_memory: word.shared_memory.raw() as u32,
    }
}

impl Twinned for KernelTable {
    type Twin = twin::KernelTable;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.launch_ports.launch.next = ports::launch(inputs.launch.as_ref());
        let head = ports::tagged(inputs.head);
        self.head_valid.next = head.valid;
        self.head.next = head.entry;
        self.step.next = inputs.step;
        self.marked.next = U::new(inputs.marked.into());
        let mut finished = SmxMask::ZERO;
        for (smx, port) in self.finished_kernel.iter_mut().enumerate() {
            let entry = ports::tagged(inputs.finished[smx]);
            finished.set(smx, entry.valid);
            port.next = entry.entry;
        }
        mask::drive(&mut self.finished, finished);
        self.lookup_ports.lookup.next = ports::tagged(inputs.lookup);
    }
    fn observe(&self) -> Outputs {
        let head_empty = self.head_empty.val();
        Outputs {
            launch_ready: self
                .launch_ports
                .launch_ready
                .val()
                .then(|| ports::entry(self.launch_ports.launch_entry.val())),
            head_block: block(self.head_block.val()),
            head_needs: needs(self.head_needs.val()),
            // Undefined for an empty grid.
            head_last: self.head_last.val() && !head_empty,
            head_empty,
            freed: self.freed.iter().map(|port| needs(port.val())).collect(),
            finished_kernels: self.finished_kernels.val().raw() as u32,
            context: ports::context(
                self.lookup_ports.context_valid.val(),
                self.lookup_ports.kernel_context.val(),
            ),
        }
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        twin.evaluate(inputs)
    }
    fn clock(twin: &mut Self::Twin, inputs: &Inputs) -> Activity {
        twin.clock(inputs)
    }
    fn resets(inputs: &Inputs) -> bool {
        inputs.reset
    }
}

/// Hardware and twin after reset.
pub fn table(smxs: usize) -> Lockstep<KernelTable> {
    Lockstep::new(KernelTable::new(smxs), twin::KernelTable::new())
}

/// A kernel with that grid, told from others by `name`.
pub fn kernel(grid: Dim3, name: u32) -> KernelLaunch {
    KernelLaunch {
        entry_pc: 0x8000_0000 | name,
        parameter_address: u32::MAX - name,
        grid,
        block: Dim3::new(1 + name % 1024, 1 + name % 7, 1 + name % 64),
        blocks: grid.volume() as u32,
        needs: BlockNeeds {
            threads: 32 + name % 1_000,
            registers: 1_000 + name % 100_000,
            shared_memory: name % 131_072,
        },
        ..KernelLaunch::default()
    }
}

/// A kernel in the table, as seen from outside.
#[derive(Clone, Copy)]
struct Live {
    grid: Dim3,
    dispatched: u64,
    executing: u32,
}

/// Chances in 100 for a cycle.
struct Mix {
    launch: u32,
    step: u32,
    finish: u32,
}

/// What a random run did.
#[derive(Debug, Default)]
struct Counts {
    blocks: u64,
    ends: u32,
    full: u32,
    empty: u32,
}

/// Legal random inputs, with expectations that need neither the hardware nor the twin.
struct Environment {
    random: Pcg64,
    mix: Mix,
    live: [Option<Live>; KERNEL_ENTRIES],
    marked: u32,
    smxs: usize,
    resident: Vec<Vec<u8>>,
    counts: Counts,
}

impl Environment {
    fn new(smxs: usize, seed: u64, mix: Mix) -> Self {
        Self {
            random: random(seed),
            mix,
            live: [None; KERNEL_ENTRIES],
            marked: 0,
            smxs,
            resident: vec![Vec::new(); smxs],
            counts: Counts::default(),
        }
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    fn launch(&mut self) -> Option<KernelLaunch> {
        let mut side = |most: u32| self.random.random_range(1..=most);
        let mut grid = Dim3::new(side(5), side(3), side(3));
        match self.random.random_range(0..8) {
            0 => grid.x = 0,
            1 => grid = Dim3::new(1, 1, 1),
            2 => grid.y = 0,
            4 => grid.z = 0,
            3 => grid.z = 1,
            _ => {}
        }
        let name = self.random.random();
        let launch = self.mix.launch;
        self.chance(launch).then(|| kernel(grid, name))
    }

    fn inputs(&mut self) -> Inputs {
        let mut inputs = Inputs { marked: self.marked, ..Inputs::default() };
        inputs.reset = self.random.random_range(0..1_000) == 0;
        inputs.launch = self.launch();
        let marked: Vec<u8> = (0..32).filter(|k| self.marked >> k & 1 == 1).collect();
        let (step, finish) = (self.mix.step, self.mix.finish);
        if !marked.is_empty() && self.chance(90) {
            let head = marked[self.random.random_range(0..marked.len())];
            inputs.head = Some(KernelEntry(head));
            let grid = self.live[usize::from(head)].expect("a marked kernel is there").grid;
            inputs.step = grid.volume() > 0 && self.chance(step);
        }
        for smx in 0..self.smxs {
            let held = self.resident[smx].len();
            if held > 0 && self.chance(finish) {
                let which = self.random.random_range(0..held);
                let entry = self.resident[smx].swap_remove(which);
                inputs.finished[smx] = Some(KernelEntry(entry));
            }
        }
        let entry = self.random.random_range(0..32);
        inputs.lookup = self.chance(50).then_some(KernelEntry(entry));
        inputs
    }

    /// Checks the outputs that can be told from the outside, and follows the clock edge.
    fn follow(&mut self, inputs: &Inputs, outputs: &Outputs) {
        if inputs.reset {
            self.live = [None; KERNEL_ENTRIES];
            self.marked = 0;
            self.resident.iter_mut().for_each(Vec::clear);
            return;
        }
        let free = self.live.iter().position(Option::is_none);
        assert_eq!(outputs.launch_ready.map(KernelEntry::index), free, "lowest free entry");
        let ended = (0..32).filter(|&k| {
            self.marked >> k & 1 == 0 && self.live[k].is_some_and(|live| live.executing == 0)
        });
        assert_eq!(outputs.finished_kernels, ended.map(|k| 1u32 << k).sum::<u32>());
        self.counts.full += u32::from(inputs.launch.is_some() && free.is_none());
        self.counts.ends += outputs.finished_kernels.count_ones();
        if let Some(head) = inputs.head {
            self.follow_head(head, inputs.step, outputs);
        }
        for entry in inputs.finished.stated().iter().flatten() {
            let live = self.live[entry.index()].as_mut().expect("a resident's kernel is there");
            live.executing -= 1;
        }
        for (k, live) in self.live.iter_mut().enumerate() {
            if outputs.finished_kernels >> k & 1 == 1 {
                *live = None;
            }
        }
        if let (Some(launch), Some(k)) = (inputs.launch, free) {
            self.live[k] = Some(Live { grid: launch.grid, dispatched: 0, executing: 0 });
            self.marked |= 1 << k;
        }
    }

    fn follow_head(&mut self, head: KernelEntry, step: bool, outputs: &Outputs) {
        let live = self.live[head.index()].as_mut().expect("a head's kernel is there");
        let blocks = live.grid.volume() as u64;
        assert_eq!(outputs.head_empty, blocks == 0);
        if blocks == 0 {
            self.marked ^= 1 << head.0;
            self.counts.empty += 1;
            return;
        }
        assert_eq!(outputs.head_block.linear(live.grid), live.dispatched);
        assert_eq!(outputs.head_last, live.dispatched + 1 == blocks);
        if step {
            live.dispatched += 1;
            live.executing += 1;
            self.counts.blocks += 1;
            if outputs.head_last {
                self.marked ^= 1 << head.0;
            }
            let smx = self.random.random_range(0..self.smxs);
            self.resident[smx].push(head.0);
        }
    }
}

fn sample(smxs: usize, seed: u64, mix: Mix) -> Counts {
    let mut table = table(smxs);
    let mut environment = Environment::new(smxs, seed, mix);
    for _ in 0..6_000 {
        let inputs = environment.inputs();
        let outputs = table.cycle(&inputs);
        environment.follow(&inputs, &outputs);
    }
    environment.counts
}

#[test]
fn hardware_and_twin_agree_on_random_kernels() {
    let drain = || Mix { launch: 8, step: 90, finish: 40 };
    let fill = || Mix { launch: 60, step: 70, finish: 4 };
    for counts in [
        sample(1, 1, drain()),
        sample(3, 2, drain()),
        sample(13, 3, drain()),
        sample(32, 4, drain()),
        sample(33, 8, drain()),
        sample(65, 9, drain()),
        sample(132, 10, drain()),
    ] {
        assert!(counts.ends > 50 && counts.empty > 5 && counts.blocks > 1_000, "{counts:?}");
    }
    for counts in [sample(1, 5, fill()), sample(3, 6, fill()), sample(13, 7, fill())] {
        assert!(counts.full > 500 && counts.ends > 20, "{counts:?}");
    }
}
