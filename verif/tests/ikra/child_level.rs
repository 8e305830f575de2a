//! Rationale: 1. the state is a chunk and a queue of each SMX and who owns them; random kernels,
//! dispatches and thefts as the rules allow them keep queues full, empty and of several homes. 2.
//! N = 1, 3, 4, 16, 33, 65 and 132; queues of 2 and 32. 3. Several kernels end in one cycle; a home
//! is told while it runs.

use super::nested_thief::{loot, read_loot};
use crate::dispatch::kernel_table;
use crate::harness::{drive_word, mask, random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::ikra::{ChildLevel, Home};
use blockyard_rtl::module::Module;
use blockyard_rtl::port::Dispatch;
use blockyard_rtl::word::{Word, U};
use blockyard_sim::port::{BlockNeeds, Dim3, KernelEntry};
use blockyard_sim::sched::ikra as twin;
use rand::RngExt;
use rand_pcg::Pcg64;
use twin::{ChildLevelInputs as Inputs, ChildLevelOutputs as Outputs, Loot};

fn next(word: Dispatch) -> Option<(KernelEntry, Dim3)> {
    word.valid.then(|| (ports::entry(word.kernel), ports::dim3(word.block)))
}

impl Twinned for ChildLevel {
    type Twin = twin::ChildLevel;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.begins.next = inputs.begins;
        drive_word(&mut self.home, inputs.home);
        self.kernel.next = U::new(inputs.kernel.0.into());
        self.grid.next = ports::block_id(inputs.grid);
        self.needs.next = ports::needs(inputs.needs);
        mask::drive(&mut self.take_chunk, inputs.take_chunk);
        mask::drive(&mut self.take_queue, inputs.take_queue);
        mask::drive(&mut self.asks, inputs.asks);
        mask::drive(&mut self.from_chunk, inputs.from_chunk);
        mask::drive(&mut self.fits, inputs.fits);
        self.resident.next = U::new(inputs.resident.into());
        for smx in 0..self.victim.len() {
            drive_word(&mut self.victim[smx], inputs.victim[smx]);
            self.arrives[smx].next = loot(inputs.arrives[smx], self.arrives[smx].next);
            let (valid, home) = (inputs.owed[smx].is_some(), inputs.owed[smx].unwrap_or(0));
            let bits = self.owed[smx].next.home.bits();
            self.owed[smx].next = Home { valid, home: Word::new(bits, home as u64) };
        }
    }
    fn observe(&self) -> Outputs {
        let mut outputs = Outputs {
            taken: self.taken.val(),
            granted: mask::from_rtl(self.granted.val()),
            refused: mask::from_rtl(self.refused.val()),
            ends: self.ends.val().raw() as u32,
            ..Outputs::default()
        };
        for smx in 0..self.chunk_next.len() {
            outputs.chunk_next[smx] = next(self.chunk_next[smx].val());
            outputs.queue_next[smx] = next(self.queue_next[smx].val());
            outputs.chunk_needs[smx] = kernel_table::needs(self.chunk_needs[smx].val());
            outputs.queue_needs[smx] = kernel_table::needs(self.queue_needs[smx].val());
            outputs.asked_needs[smx] = kernel_table::needs(self.asked_needs[smx].val());
            outputs.loot[smx] = read_loot(self.loot[smx].val());
        }
        outputs
    }
    twin_calls!();
}

fn level(smxs: usize, entries: usize) -> Lockstep<ChildLevel> {
    Lockstep::new(ChildLevel::new(smxs, entries), twin::ChildLevel::new(smxs, entries))
}

/// What SMXs do around a level.
struct Around {
    level: Lockstep<ChildLevel>,
    smxs: usize,
    random: Pcg64,
    /// Requests that wait: victim, for the chunk.
    requests: Vec<Option<(usize, bool)>>,
    granted: Vec<Option<Loot>>,
    running: Vec<KernelEntry>,
    /// Which kernels have an entry.
    used: u32,
    grid: Dim3,
    stolen: u32,
    /// Cycles in which several kernels ended.
    together: u32,
}

impl Around {
    fn new(smxs: usize, entries: usize, seed: u64) -> Self {
        Self {
            level: level(smxs, entries),
            smxs,
            random: random(seed),
            requests: vec![None; smxs],
            granted: vec![None; smxs],
            running: Vec::new(),
            used: 0,
            grid: Dim3::new(3, 1, 1),
            stolen: 0,
            together: 0,
        }
    }

    fn chance(&mut self, per_cent: u32) -> bool {
        self.random.random_range(0..100) < per_cent
    }

    /// A kernel that may begin.
    fn kernel(&mut self, inputs: &mut Inputs) {
        inputs.home = self.random.random_range(0..self.smxs);
        let taken = self.level.peek(inputs).taken;
        let entry = self.random.random_range(0..32u8);
        inputs.begins = !taken && self.used >> entry & 1 == 0 && self.chance(40);
        if inputs.begins {
            // Most grids come again.
            if self.chance(15) {
                let mut side = || self.random.random_range(1..=4);
                self.grid = Dim3::new(side(), side(), side());
            }
            inputs.kernel = KernelEntry(entry);
            inputs.grid = self.grid;
            inputs.needs =
                BlockNeeds { threads: 32 * u32::from(entry), registers: 1, shared_memory: 2 };
            self.used |= 1 << entry;
        }
    }

    fn cycle(&mut self) {
        let mut inputs =
            Inputs { reset: self.random.random_range(0..800) == 0, ..Inputs::default() };
        self.kernel(&mut inputs);
        self.running.retain(|_| self.random.random_range(0..4) != 0);
        inputs.resident = self.running.iter().fold(0, |all, entry| all | 1 << entry.0);
        let seen = self.level.peek(&inputs);
        for smx in 0..self.smxs {
            inputs.arrives[smx] = self.granted[smx].take();
            inputs.owed[smx] = inputs.arrives[smx].map(|loot| loot.home);
            let busy = inputs.arrives[smx].is_some() || self.requests[smx].is_some();
            if self.smxs > 1 && !busy && self.chance(30) {
                let victim = (smx + self.random.random_range(1..self.smxs)) % self.smxs;
                self.requests[smx] = Some((victim, self.chance(50)));
            } else if !busy && self.chance(30) {
                inputs.take_chunk.set(smx, seen.chunk_next[smx].is_some());
                let queue = seen.chunk_next[smx].is_none() && seen.queue_next[smx].is_some();
                inputs.take_queue.set(smx, queue);
            }
            if let Some((victim, from_chunk)) = self.requests[smx] {
                inputs.asks.set(smx, true);
                inputs.victim[smx] = victim;
                inputs.from_chunk.set(smx, from_chunk);
            }
            inputs.fits.set(smx, self.chance(85));
        }
        let outputs = self.level.cycle(&inputs);
        if inputs.reset {
            self.requests.fill(None);
            self.granted.fill(None);
            self.used = 0;
            self.running.clear();
            return;
        }
        self.used &= !outputs.ends;
        self.together += u32::from(outputs.ends.count_ones() > 1);
        for smx in 0..self.smxs {
            let own = match (inputs.take_chunk[smx], inputs.take_queue[smx]) {
                (true, _) => outputs.chunk_next[smx],
                (_, true) => outputs.queue_next[smx],
                _ => None,
            };
            self.running.extend(own.map(|(kernel, _)| kernel));
            self.running.extend(inputs.arrives[smx].map(|loot| loot.kernel));
            if outputs.granted[smx] || outputs.refused[smx] {
                self.requests[smx] = None;
            }
            self.granted[smx] = outputs.loot[smx];
            self.stolen += u32::from(outputs.granted[smx]);
        }
    }
}

fn sample(smxs: usize, entries: usize) {
    let mut around = Around::new(smxs, entries, (smxs + 64 * entries) as u64);
    for _ in 0..if smxs > 32 { 1_500 } else { 6_000 } {
        around.cycle();
    }
    assert_eq!(around.stolen > 200, smxs > 1, "{} blocks were stolen", around.stolen);
    assert_eq!(around.together > 0, smxs > 1, "{} cycles with several ends", around.together);
}

#[test]
fn random_kernels_and_thefts_move_both_alike() {
    sample(1, 2);
    sample(3, 2);
    sample(3, 32);
    sample(4, 4);
    sample(16, 2);
    sample(16, 32);
    sample(33, 2);
    sample(65, 2);
    sample(132, 2);
}
