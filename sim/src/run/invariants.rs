//! Rules that hold whatever the policy, checked on the ports alone: they trust neither the twins nor
//! the RTL nor the GPU.

mod issue;
mod limits;
mod rules;

pub use rules::{BlockOrder, IssueRule, PolicyRules};

use std::collections::{BTreeMap, BTreeSet};

use issue::{Issued, Turn};
use limits::Limits;

use crate::port::{
    BlockNeeds, Dispatch, Inputs, KernelContext, KernelEntry, KernelLaunch, Outputs, SmxLimits,
    KERNEL_ENTRIES,
};

/// A kernel in the Kernel Distributor.
struct Occupant {
    launch: KernelLaunch,
    /// All blocks below this linear id have been dispatched.
    done_below: u64,
    /// Blocks above it that have been dispatched.
    done_above: BTreeSet<u64>,
    running: u32,
}

/// What an SMX holds.
#[derive(Clone, Default)]
struct Held {
    threads: u64,
    registers: u64,
    shared_memory: u64,
    /// Blocks of each entry.
    blocks: BTreeMap<KernelEntry, u32>,
}

/// See the module.
pub struct Invariants {
    limits: SmxLimits,
    order: BlockOrder,
    turn: Turn,
    /// Of DYNCTA, where the policy has it.
    throttle: Option<Limits>,
    entries: [Option<Occupant>; KERNEL_ENTRIES],
    smxs: Vec<Held>,
    /// The blocks of one cycle; kept between calls so that a check allocates nothing.
    dispatched: Vec<Issued>,
}

impl Invariants {
    /// A GPU of `smx` SMXs with these `limits`, after reset, under a policy that promises `rules`.
    pub fn new(limits: SmxLimits, smx: usize, rules: PolicyRules) -> Self {
        let slots = limits.thread_block_slots;
        Self {
            limits,
            order: rules.order,
            turn: Turn::new(rules.issue, smx),
            throttle: rules.dyncta.map(|config| Limits::new(config, smx, slots)),
            entries: [const { None }; KERNEL_ENTRIES],
            smxs: vec![Held::default(); smx],
            dispatched: Vec::new(),
        }
    }

    /// Checks one cycle.
    ///
    /// # Errors
    /// The first broken rule, with the numbers that break it.
    pub fn check(&mut self, inputs: &Inputs, outputs: &Outputs) -> Result<(), String> {
        let answers = outputs.dispatch.len();
        if answers != self.smxs.len() || inputs.finished.len() != self.smxs.len() {
            return Err(format!("{answers} dispatch ports for {} SMXs", self.smxs.len()));
        }
        if let Some(samples) = inputs.samples.as_ref().map(Vec::len) {
            if samples != self.smxs.len() {
                return Err(format!("{samples} samples for {} SMXs", self.smxs.len()));
            }
        }
        self.check_entries(inputs, outputs)?;
        for (smx, finished) in inputs.finished.iter().enumerate() {
            if let Some(entry) = finished {
                self.finish(smx, *entry)?;
            }
        }
        for (smx, dispatch) in outputs.dispatch.iter().enumerate() {
            if let Some(dispatch) = dispatch {
                self.dispatch(smx, dispatch)?;
            }
        }
        self.check_order()?;
        self.turn.check(&mut self.dispatched)?;
        self.dispatched.clear();
        // At the clock edge: entries are released and taken, limits follow the samples.
        self.turn.clock(inputs, outputs);
        if let (Some(throttle), Some(samples)) = (&mut self.throttle, &inputs.samples) {
            throttle.sample(samples);
        }
        for entry in 0..KERNEL_ENTRIES {
            if outputs.finished_kernels >> entry & 1 == 1 {
                self.entries[entry] = None;
            }
        }
        if let (Some(launch), Some(entry)) = (inputs.launch, outputs.launch_ready) {
            let occupant =
                Occupant { launch, done_below: 0, done_above: BTreeSet::new(), running: 0 };
            self.entries[entry.index()] = Some(occupant);
        }
        Ok(())
    }

    /// What depends on the state alone: `launch_ready`, `finished_kernels`, `context`.
    fn check_entries(&self, inputs: &Inputs, outputs: &Outputs) -> Result<(), String> {
        let free = self.entries.iter().position(Option::is_none);
        let ready = outputs.launch_ready.map(KernelEntry::index);
        if ready != free {
            return Err(format!("launch_ready is {ready:?}, the lowest free entry is {free:?}"));
        }
        for (entry, occupant) in self.entries.iter().enumerate() {
            if outputs.finished_kernels >> entry & 1 == 0 {
                continue;
            }
            let Some(occupant) = occupant else {
                return Err(format!("entry {entry} reported as finished, but it is free"));
            };
            let left = u64::from(occupant.launch.blocks) - occupant.dispatched();
            if left > 0 || occupant.running > 0 {
                let running = occupant.running;
                return Err(format!(
                    "entry {entry} reported as finished with {left} blocks not distributed and {running} in execution"
                ));
            }
        }
        let Some(entry) = inputs.lookup else {
            return Ok(());
        };
        let expected = self.entries[entry.index()].as_ref().map(|occupant| {
            let KernelLaunch { entry_pc, parameter_address, block, .. } = occupant.launch;
            KernelContext { entry_pc, parameter_address, block }
        });
        if outputs.context != expected {
            let got = &outputs.context;
            return Err(format!("context of entry {}: {got:?}, not {expected:?}", entry.0));
        }
        Ok(())
    }

    fn finish(&mut self, smx: usize, entry: KernelEntry) -> Result<(), String> {
        let held = &mut self.smxs[smx];
        let resident = held.blocks.get_mut(&entry).filter(|count| **count > 0);
        let (Some(count), Some(occupant)) = (resident, &mut self.entries[entry.index()]) else {
            return Err(format!("a block of entry {} ends on SMX {smx}, which has none", entry.0));
        };
        *count -= 1;
        occupant.running -= 1;
        let BlockNeeds { threads, registers, shared_memory } = occupant.launch.needs;
        held.threads -= u64::from(threads);
        held.registers -= u64::from(registers);
        held.shared_memory -= u64::from(shared_memory);
        Ok(())
    }

    fn dispatch(&mut self, smx: usize, dispatch: &Dispatch) -> Result<(), String> {
        let Dispatch { kernel, block, .. } = *dispatch;
        let Some(occupant) = self.entries.get_mut(kernel.index()).and_then(Option::as_mut) else {
            return Err(format!("SMX {smx} receives a block of entry {}, which is free", kernel.0));
        };
        let grid = occupant.launch.grid;
        if block.x >= grid.x || block.y >= grid.y || block.z >= grid.z {
            let entry = kernel.0;
            return Err(format!("block {block} of entry {entry} is outside its grid {grid}"));
        }
        let id = block.linear(grid);
        if !occupant.mark(id) {
            return Err(format!("block {block} of entry {} dispatched twice", kernel.0));
        }
        occupant.running += 1;
        let held = &mut self.smxs[smx];
        if let Some(throttle) = &self.throttle {
            throttle.check(smx, held.slots())?;
        }
        let BlockNeeds { threads, registers, shared_memory } = occupant.launch.needs;
        held.threads += u64::from(threads);
        held.registers += u64::from(registers);
        held.shared_memory += u64::from(shared_memory);
        let of_kernel = held.blocks.entry(kernel).or_default();
        *of_kernel += 1;
        self.dispatched.push(Issued {
            smx,
            kernel,
            id,
            blocks: occupant.launch.blocks,
            resident: *of_kernel,
        });
        let slots = held.slots();
        for (what, used, limit) in [
            ("threads", held.threads, self.limits.threads),
            ("registers", held.registers, self.limits.registers),
            ("bytes of shared memory", held.shared_memory, self.limits.shared_memory),
            ("thread-block slots", slots, self.limits.thread_block_slots),
        ] {
            if used > u64::from(limit) {
                let entry = kernel.0;
                return Err(format!(
                    "SMX {smx} is over-committed by block {block} of entry {entry}: {used} of {limit} {what}"
                ));
            }
        }
        Ok(())
    }

    /// With [`BlockOrder::Increasing`], no kernel may have a gap when all blocks of a cycle are taken
    /// together.
    fn check_order(&self) -> Result<(), String> {
        for &Issued { kernel, id, .. } in &self.dispatched {
            let occupant = self.entries[kernel.index()].as_ref().expect("it was dispatched from");
            if self.order == BlockOrder::Increasing && id >= occupant.done_below {
                let expected = occupant.done_below;
                let entry = kernel.0;
                return Err(format!(
                    "entry {entry} dispatched block {id} out of order: {expected} was to come first"
                ));
            }
        }
        Ok(())
    }
}

impl Held {
    fn slots(&self) -> u64 {
        self.blocks.values().map(|count| u64::from(*count)).sum()
    }
}

impl Occupant {
    /// Marks a block as dispatched; `false` when it was before.
    fn mark(&mut self, id: u64) -> bool {
        if id < self.done_below || !self.done_above.insert(id) {
            return false;
        }
        while self.done_above.remove(&self.done_below) {
            self.done_below += 1;
        }
        true
    }

    fn dispatched(&self) -> u64 {
        self.done_below + self.done_above.len() as u64
    }
}

#[cfg(test)]
mod tests;
