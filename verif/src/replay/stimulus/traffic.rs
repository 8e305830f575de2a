//! Legal traffic on the ports of a dispatcher or a whole scheduler.

use super::super::ports::{Direction, Port};
use super::clusters;
use super::driver::{low_bits, packed};
use super::kernel::{self, Grid, Kernel};
use super::{Driver, Stimulus, RESET_CYCLES};
use rand::RngExt;

/// Kernels that are offered until they are accepted, blocks that end only where they are resident,
/// lookups, counts of the SMXs, and now and then a reset. Phases follow in turn: the table fills
/// up, it drains, both at once, nothing happens.
#[derive(Default)]
pub struct Traffic {
    phase: usize,
    left: usize,
    resets: usize,
    in_reset: bool,
    offered: Option<Kernel>,
    /// Its clusters, where the scheduler asks for them.
    cluster: [u64; 3],
    /// How often, in thousandths, a kernel has the grid of the one before.
    repeat: u32,
    before: Option<Kernel>,
    /// Entry and slot of the blocks that each SMX holds.
    resident: Vec<Vec<(u64, u64)>>,
    /// Entries of the blocks that have not triggered, where blocks do.
    pending: Vec<Vec<u64>>,
    /// The entry that the offered kernel follows, where kernels do.
    follows: Option<u64>,
}

/// Probabilities of a phase, in thousandths.
struct Phase {
    /// That a kernel is offered.
    launch: u32,
    /// For each SMX, that one of its blocks ends.
    finish: u32,
    /// That the gate, if it is the stimulus, allows an SMX's request.
    allow: u32,
    lookup: u32,
    /// That the SMXs send their counts, if the scheduler samples them.
    sample: u32,
    /// Length in cycles, at most; at least half.
    length: usize,
}

const PHASES: [Phase; 4] = [
    Phase { launch: 700, finish: 20, allow: 700, lookup: 300, sample: 50, length: 150 },
    Phase { launch: 10, finish: 950, allow: 1000, lookup: 500, sample: 300, length: 360 },
    Phase { launch: 300, finish: 300, allow: 300, lookup: 300, sample: 100, length: 200 },
    Phase { launch: 0, finish: 0, allow: 0, lookup: 0, sample: 0, length: 30 },
];

impl Traffic {
    /// Traffic for schedulers that keep something for the next kernel of the same grid.
    pub fn repeating() -> Self {
        Self { repeat: 750, ..Self::default() }
    }

    fn kernel(&mut self, driver: &mut Driver) -> Kernel {
        let mut kernel = kernel::random(driver.random(), Grid::Any);
        if let Some(before) = self.before.filter(|_| driver.chance(self.repeat)) {
            kernel[kernel::GRID].copy_from_slice(&before[kernel::GRID]);
        }
        self.before = Some(kernel);
        if driver.has("cluster") {
            self.cluster = clusters::of_kernel(driver.random(), self.resident.len(), &mut kernel);
        }
        kernel
    }

    /// Whom the offered kernel follows: a kernel that holds an SMX until the launch is accepted.
    fn follow(&mut self, driver: &mut Driver) {
        let resident =
            |entry: &u64| self.resident.iter().flatten().any(|(kernel, _)| kernel == entry);
        self.follows = self.follows.filter(resident);
        driver.set("follows", &[self.follows.is_some().into(), self.follows.unwrap_or(0)]);
    }

    /// A block that runs asks for another one of its kernel.
    fn cancel(&mut self, driver: &mut Driver, chance: u32) {
        let at = driver.random().random_range(0..self.resident.len());
        let block = self.resident[at].last().filter(|_| driver.chance(2 * chance));
        // An entry without its valid bit means nothing; nothing changes while idle.
        let other = if chance > 0 { driver.random().random_range(0..32) } else { 0 };
        let entry = block.map_or(other, |block| block.0);
        driver.set("cancel", &[block.is_some().into(), entry]);
    }

    /// Each block triggers once, at its end or earlier.
    fn triggers(&mut self, driver: &mut Driver, ends: &[Option<u64>], chance: u32) {
        let mut entries = vec![0; ends.len()];
        let mut triggers = vec![false; ends.len()];
        for (smx, pending) in self.pending.iter_mut().enumerate() {
            let held = &self.resident[smx];
            let must = ends[smx].filter(|entry| {
                let count = pending.iter().filter(|one| *one == entry).count();
                count > held.iter().filter(|(one, _)| one == entry).count()
            });
            let at = match must {
                Some(entry) => pending.iter().position(|one| *one == entry),
                None if !pending.is_empty() && driver.chance(chance) => {
                    Some(driver.random().random_range(0..pending.len()))
                }
                None => None,
            };
            if let Some(at) = at {
                (entries[smx], triggers[smx]) = (pending.swap_remove(at), true);
            }
        }
        driver.set("triggered", &packed(&triggers));
        driver.set("triggered_kernel", &entries);
    }

    fn finishes(&mut self, driver: &mut Driver, chance: u32) {
        let mut ends = vec![false; self.resident.len()];
        let mut entries = vec![0; self.resident.len()];
        let mut slots = vec![0; self.resident.len()];
        for (smx, held) in self.resident.iter_mut().enumerate() {
            // A kernel number without its valid bit means nothing; nothing changes while idle.
            entries[smx] = if chance > 0 { driver.random().random_range(0..32) } else { 0 };
            if !held.is_empty() && driver.chance(chance) {
                let which = driver.random().random_range(0..held.len());
                (entries[smx], slots[smx]) = held.swap_remove(which);
                ends[smx] = true;
            }
        }
        if driver.has("triggered") {
            let ended: Vec<Option<u64>> =
                ends.iter().zip(&entries).map(|(ends, entry)| ends.then_some(*entry)).collect();
            self.triggers(driver, &ended, chance);
        }
        match driver.elements("finished") {
            1 => driver.set("finished", &packed(&ends)),
            _ => driver.set("finished", &ends.iter().map(|&ends| ends.into()).collect::<Vec<_>>()),
        }
        if driver.has("finished_slot") {
            driver.set("finished_slot", &slots);
        }
        if driver.has("finished_kernel") {
            driver.set("finished_kernel", &entries);
        }
    }
}

impl Stimulus for Traffic {
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool {
        if self.left == 0 {
            self.phase = (self.phase + 1) % PHASES.len();
            let length = PHASES[self.phase].length;
            self.left = driver.random().random_range(length / 2..=length);
            let reset = cycle > RESET_CYCLES && driver.chance(200);
            self.resets = if reset { driver.random().random_range(1..=3) } else { 0 };
        }
        self.left -= 1;
        let phase = &PHASES[self.phase];
        self.in_reset = cycle < RESET_CYCLES || self.resets > 0;
        self.resets = self.resets.saturating_sub(1);
        driver.reset(self.in_reset);
        if self.resident.is_empty() {
            let smxs = driver.width("finished") * driver.elements("finished");
            self.resident = vec![Vec::new(); smxs];
            self.pending = self.resident.iter().map(|_| Vec::new()).collect();
        }

        if self.offered.is_none() && driver.chance(phase.launch) {
            self.offered = Some(self.kernel(driver));
            if driver.has("follows") && driver.chance(600) {
                let blocks: Vec<u64> =
                    self.resident.iter().flatten().map(|block| block.0).collect();
                let at = driver.random().random_range(0..blocks.len().max(1));
                self.follows = blocks.get(at).copied();
            }
        }
        let words = self.offered.unwrap_or_default();
        driver.set(kernel::PORT, &kernel::launch(self.offered.is_some(), &words));
        if driver.has("cluster") {
            driver.set("cluster", &self.cluster);
        }
        if driver.has("urgency") {
            let priority = if phase.launch > 0 { driver.random().random_range(0..8) } else { 0 };
            driver.set("urgency", &[priority]);
        }
        if driver.has("partition") {
            let partition = if phase.launch > 0 { driver.random().random_range(0..8) } else { 0 };
            driver.set("partition", &[partition]);
        }
        if driver.has("follows") {
            self.follow(driver);
        }
        if driver.has("cancel") {
            self.cancel(driver, phase.lookup);
        }
        self.finishes(driver, phase.finish);
        if driver.has("ended") {
            // A kernel that has ended here ends in the other domains as well, at once or later.
            let here = driver.settled("finished_kernels");
            let elsewhere: u64 = driver.random().random();
            driver.set("ended", &[here & elsewhere]);
        }
        let lookup = driver.chance(phase.lookup);
        let entry = if phase.lookup > 0 { driver.random().random_range(0..32) } else { 0 };
        driver.set("lookup", &[u64::from(lookup), entry]);
        if driver.has("now") {
            driver.set("now", &[cycle as u64]);
        }
        if driver.has("sample") {
            let sample = driver.chance(phase.sample);
            driver.set("sample", &[u64::from(sample)]);
            if sample {
                driver.scramble("idle", 500);
                driver.scramble("memory", 500);
            }
        }
        if driver.has("restart") {
            let restart = driver.chance(phase.lookup / 10);
            let smx = driver.random().random_range(0..self.resident.len() as u64);
            driver.set("restart", &[restart.into(), smx]);
        }
        for port in ["sharing", "changes"] {
            if driver.has(port) {
                let set = driver.chance(phase.lookup);
                driver.set(port, &[set.into()]);
            }
        }
        if driver.has("first") && !driver.has("request") {
            driver.set("first", &[0]);
        }
        if driver.has("allow") {
            let mask: Vec<bool> =
                self.resident.iter().map(|_| driver.chance(phase.allow)).collect();
            let request = driver.settled_bits("request");
            let allow: Vec<bool> =
                request.iter().zip(mask).map(|(asks, open)| asks & open).collect();
            driver.set("allow", &packed(&allow));
        }
        true
    }

    fn observe(&mut self, ports: &[Port], _inputs: &[u32], outputs: &[u32]) {
        if self.in_reset {
            self.offered = None;
            self.resident.iter_mut().for_each(Vec::clear);
            self.pending.iter_mut().for_each(Vec::clear);
            self.follows = None;
            return;
        }
        let (mut smx, mut slot) = (0, 0);
        let mut received = vec![false; self.resident.len()];
        for port in ports.iter().filter(|port| port.direction == Direction::Output) {
            let word = low_bits(port, outputs);
            match port.base_name() {
                "launch_ready" if word == 1 => (self.offered, self.follows) = (None, None),
                "dispatch" => {
                    if word & 1 == 1 {
                        self.resident[smx].push((word >> 1 & 31, 0));
                        self.pending[smx].push(word >> 1 & 31);
                    }
                    received[smx] = word & 1 == 1;
                    smx += 1;
                }
                // The slots stand behind all dispatches.
                "slot" => {
                    if received[slot] {
                        let block = self.resident[slot].last_mut();
                        block.expect("the block that was received").1 = word;
                    }
                    slot += 1;
                }
                _ => {}
            }
        }
    }
}
