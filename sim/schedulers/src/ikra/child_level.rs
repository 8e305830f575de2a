//! Twin of `ikra/child_level`: the chunks, queues and tenants of one level of device kernels, on
//! all SMXs (`docs/ikra.md`, rules 23 to 28; the paper, section 8). What SMXs decide is left to the
//! whole.
//!
//! Latency: `begins`, the takes, `granted` and `arrives` to what depends on the state 1 cycle;
//! everything else 0 (same cycle).
//!
//! Undefined, and not to be compared: everything, until the next reset, after a `begins` of a home
//! that is `taken` or of a grid without blocks; a take of what is not there, or both takes of one
//! SMX in a cycle; a request for an SMX that is not there, or of an SMX for itself; an `arrives` or
//! `owed` of a home without tenant.

use super::super::{PerSmx, SmxMask};
use super::cover;
use super::{
    ChunkEntry, ChunkEntryInputs, ChunkEntryOutputs, Loot, StealArbiter, StealArbiterInputs,
    StealArbiterOutputs, StealQueue, StealQueueInputs, StealQueueOutputs,
};
use crate::cover::{counting, met, when};
use crate::port::{Activity, BlockNeeds, Dim3, KernelEntry};

/// Input ports of [`ChildLevel`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChildLevelInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A kernel with blocks begins at this level.
    pub begins: bool,
    /// Its home; valid with `begins`, and when `taken` is looked at.
    pub home: usize,
    /// Its entry; valid with `begins`.
    pub kernel: KernelEntry,
    /// Its extent; valid with `begins`.
    pub grid: Dim3,
    /// What each of its blocks takes of an SMX; valid with `begins`.
    pub needs: BlockNeeds,
    /// The SMXs that receive the next block of their own chunk.
    pub take_chunk: SmxMask,
    /// The SMXs that receive the next block of their own queue.
    pub take_queue: SmxMask,
    /// The SMXs whose request of this level is at its victim.
    pub asks: SmxMask,
    /// For each of those, whom it asks.
    pub victim: PerSmx<usize>,
    /// Of those, the ones that ask for the chunk instead of the queue.
    pub from_chunk: SmxMask,
    /// The thieves that have room for what they ask for.
    pub fits: SmxMask,
    /// For each SMX the stolen block of this level that is dispatched there.
    pub arrives: PerSmx<Option<Loot>>,
    /// For each SMX the home of the block of this level that is on its way there.
    pub owed: PerSmx<Option<usize>>,
    /// One bit for each entry: blocks of its kernel are in execution.
    pub resident: u32,
}

/// Output ports of [`ChildLevel`]; what is said of SMXs and not of thieves depends on the state
/// alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChildLevelOutputs {
    /// `home` has a tenant.
    pub taken: bool,
    /// What each SMX would run next of its chunk: the kernel's entry and the block.
    pub chunk_next: PerSmx<Option<(KernelEntry, Dim3)>>,
    /// The same of its queue.
    pub queue_next: PerSmx<Option<(KernelEntry, Dim3)>>,
    /// What the next block of each chunk takes; zero when nothing is left.
    pub chunk_needs: PerSmx<BlockNeeds>,
    /// The same of each queue.
    pub queue_needs: PerSmx<BlockNeeds>,
    /// For each thief what the block takes that it asks for; zero when nothing is left, or without
    /// a request.
    pub asked_needs: PerSmx<BlockNeeds>,
    /// The thieves that get a block.
    pub granted: SmxMask,
    /// Those that get none; who is in neither set waits.
    pub refused: SmxMask,
    /// For each thief that gets one, the block.
    pub loot: PerSmx<Option<Loot>>,
    /// One bit for each entry: its kernel ends in this cycle. State, `owed` and `resident` alone.
    pub ends: u32,
}

/// A kernel that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tenant {
    kernel: KernelEntry,
    grid: Dim3,
    needs: BlockNeeds,
}

/// What belongs to an SMX as a home.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Home {
    tenant: Option<Tenant>,
    /// The grid of the last tenant.
    before: Option<Dim3>,
    /// Since the chunk was last populated a stolen block was not kept, or a queue has become full.
    told: bool,
    chunk: ChunkEntry,
}

/// A steal queue, and whose blocks it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OwnedQueue {
    queue: StealQueue,
    /// Valid while it holds blocks.
    home: usize,
}

/// One level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildLevel {
    entries: usize,
    homes: Vec<Home>,
    queues: Vec<OwnedQueue>,
    arbiter: StealArbiter,
}

impl ChildLevel {
    /// No tenants on `smx` SMXs, whose queues have this many entries.
    pub fn new(smx: usize, entries: usize) -> Self {
        let chunk = ChunkEntry::new(true);
        let home = Home { tenant: None, before: None, told: false, chunk };
        let queue = OwnedQueue { queue: StealQueue::new(entries), home: 0 };
        let (homes, queues) = (vec![home; smx], vec![queue; smx]);
        Self { entries, homes, queues, arbiter: StealArbiter::new(smx) }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &ChildLevelInputs) -> ChildLevelOutputs {
        let mut outputs = ChildLevelOutputs {
            taken: self.is_taken(inputs.home),
            ends: self.ends(inputs),
            ..Default::default()
        };
        for smx in 0..self.homes.len() {
            let (chunk, queue) = (self.homes[smx].chunk(), self.queue(smx));
            if let Some(tenant) = self.homes[smx].tenant.as_ref().filter(|_| chunk.available) {
                outputs.chunk_next[smx] = Some((tenant.kernel, chunk.next_block));
                outputs.chunk_needs[smx] = tenant.needs;
            }
            if let Some(tenant) = self.queue_tenant(smx).filter(|_| queue.available) {
                outputs.queue_next[smx] = Some((tenant.kernel, queue.next_block));
                outputs.queue_needs[smx] = tenant.needs;
            }
        }
        for thief in inputs.asks.iter_ones() {
            let victim = inputs.victim[thief];
            let needs = if inputs.from_chunk[thief] {
                outputs.chunk_needs[victim]
            } else {
                outputs.queue_needs[victim]
            };
            outputs.asked_needs[thief] = needs;
        }
        let answers = self.answers(inputs);
        outputs.granted = answers.granted;
        // Who has no room is refused, and is nobody for whom others wait.
        outputs.refused = answers.refused | (inputs.asks - inputs.fits);
        for thief in answers.granted.iter_ones() {
            let victim = inputs.victim[thief];
            let home = if inputs.from_chunk[thief] { victim } else { self.queues[victim].home };
            let kernel = self.homes[home].tenant.as_ref().map(|tenant| tenant.kernel);
            let (kernel, block) = (kernel.unwrap_or_default(), answers.block[thief]);
            outputs.loot[thief] = Some(Loot { home, kernel, block });
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ChildLevelInputs) -> Activity {
        if inputs.reset {
            let before = std::mem::replace(self, Self::new(self.homes.len(), self.entries));
            return Activity::from(*self != before);
        }
        let mut activity = Activity::Quiet;
        let ends = self.ends(inputs);
        let begun = inputs.begins.then_some(inputs.home);
        let kept = {
            let home = &self.homes[inputs.home];
            home.before == Some(inputs.grid) && !home.told
        };
        let stolen = self.answers(inputs);
        if counting() {
            self.cover(inputs, begun, kept);
        }

        // Queues follow the directions of this cycle, so they go first.
        for smx in 0..self.queues.len() {
            let of_begun =
                !self.queues[smx].queue.is_empty() && begun == Some(self.queues[smx].home);
            let inserted = inputs.arrives[smx].filter(|loot| self.takes(smx, *loot, of_begun));
            let home = inserted.map_or(self.queues[smx].home, |loot| loot.home);
            let queue_inputs = StealQueueInputs {
                reset: false,
                begins: of_begun,
                clear: !kept,
                forward: self.homes[home].chunk().forward,
                take: inputs.take_queue[smx],
                steal: stolen.steal_queue[smx],
                insert: inserted.map(|loot| loot.block),
            };
            let filled = self.queues[smx].queue.evaluate(&queue_inputs).filled;
            when(filled && inserted.is_some(), &cover::CHILD_FILLED);
            if let Some(loot) = inputs.arrives[smx].filter(|_| inserted.is_none() || filled) {
                activity |= !self.homes[loot.home].told;
                self.homes[loot.home].told = true;
            }
            let queue = &mut self.queues[smx];
            activity |= queue.home != home;
            queue.home = home;
            activity |= queue.queue.clock(&queue_inputs);
        }
        for (smx, home) in self.homes.iter_mut().enumerate() {
            let begins = begun == Some(smx);
            let running = home.tenant.as_ref().map_or(Dim3::default(), |tenant| tenant.grid);
            let grid = if begins { inputs.grid } else { running };
            activity |= home.chunk.clock(&ChunkEntryInputs {
                reset: false,
                begins,
                former: home.chunk().forward,
                load: !kept,
                load_start: Dim3::default(),
                load_last: last_block(grid),
                load_vacant: false,
                grid,
                take: inputs.take_chunk[smx],
                steal: stolen.steal_chunk[smx],
            });
            let ended = |tenant: &Tenant| ends >> tenant.kernel.index() & 1 == 1;
            if home.tenant.as_ref().is_some_and(ended) {
                home.tenant = None;
                activity = Activity::Busy;
            }
            if begins {
                activity = Activity::Busy;
                let (kernel, needs) = (inputs.kernel, inputs.needs);
                home.tenant = Some(Tenant { kernel, grid, needs });
                home.before = Some(grid);
                home.told &= kept;
            }
        }
        activity
    }

    /// Rule 27: whether a stolen block is inserted into the queue of `smx`, whose tenant begins in
    /// this cycle or does not.
    fn takes(&self, smx: usize, loot: Loot, begins: bool) -> bool {
        let OwnedQueue { queue, home } = &self.queues[smx];
        let outputs = self.queue(smx);
        let again = *home == loot.home && !outputs.available && !outputs.full && !begins;
        queue.is_empty() || again
    }

    /// What begins with which chunk, and what becomes of stolen blocks.
    fn cover(&self, inputs: &ChildLevelInputs, begun: Option<usize>, kept: bool) {
        if let Some(home) = begun.map(|home| &self.homes[home]) {
            let same = home.before == Some(inputs.grid);
            when(kept, &cover::TENANT_KEPT);
            when(!same && home.before.is_some(), &cover::TENANT_GRID);
            when(same && home.told, &cover::TENANT_TOLD);
        }
        when((inputs.asks - inputs.fits).any(), &cover::CHILD_NO_ROOM);
        for smx in 0..self.queues.len() {
            let Some(loot) = inputs.arrives[smx] else { continue };
            let (OwnedQueue { queue, home }, shown) = (&self.queues[smx], self.queue(smx));
            let begins = !queue.is_empty() && begun == Some(*home);
            if self.takes(smx, loot, begins) {
                met(&cover::CHILD_INSERTED);
                continue;
            }
            when(*home != loot.home, &cover::CHILD_OTHER_HOME);
            when(*home == loot.home && shown.available, &cover::CHILD_LEFT);
            when(*home == loot.home && shown.full, &cover::CHILD_FULL);
            when(*home == loot.home && begins, &cover::CHILD_BEGINS);
        }
    }

    /// Rule 26: what victims answer to the thieves that have room, after their own dispatch.
    fn answers(&self, inputs: &ChildLevelInputs) -> StealArbiterOutputs {
        let asks = inputs.asks & inputs.fits;
        if !asks.any() {
            return StealArbiterOutputs::default();
        }
        let smxs = 0..self.homes.len();
        let chunks: Vec<_> = self.homes.iter().map(Home::chunk).collect();
        let queues: Vec<_> = smxs.map(|smx| self.queue(smx)).collect();
        let (chunk, queue) = (inputs.take_chunk, inputs.take_queue);
        let arbiter = StealArbiterInputs {
            asks,
            victim: inputs.victim.clone(),
            from_chunk: inputs.from_chunk,
            ..StealArbiterInputs::left_of(&chunks, &queues, chunk, queue)
        };
        self.arbiter.evaluate(&arbiter)
    }

    /// Rule 28: the tenants of which nothing is left, on its way, or in execution.
    fn ends(&self, inputs: &ChildLevelInputs) -> u32 {
        let mut ends = 0;
        for (smx, home) in self.homes.iter().enumerate() {
            let Some(tenant) = &home.tenant else { continue };
            let in_queue =
                |queue: usize| self.queues[queue].home == smx && self.queue(queue).available;
            let in_queues = (0..self.queues.len()).any(in_queue);
            let on_way = inputs.owed.stated().contains(&Some(smx));
            let resident = inputs.resident >> tenant.kernel.index() & 1 == 1;
            if !home.chunk().available && !in_queues && !on_way && !resident {
                ends |= 1 << tenant.kernel.index();
            }
        }
        ends
    }

    /// Whether a home has a tenant.
    pub(super) fn is_taken(&self, home: usize) -> bool {
        self.homes[home].tenant.is_some()
    }

    /// The kernel whose blocks the queue of `smx` holds, if it runs.
    fn queue_tenant(&self, smx: usize) -> Option<&Tenant> {
        self.homes[self.queues[smx].home].tenant.as_ref()
    }

    /// What the queue of `smx` shows.
    fn queue(&self, smx: usize) -> StealQueueOutputs {
        let OwnedQueue { queue, home } = &self.queues[smx];
        let forward = self.homes[*home].chunk().forward;
        queue.evaluate(&StealQueueInputs { forward, ..Default::default() })
    }
}

impl Home {
    /// What its chunk shows.
    fn chunk(&self) -> ChunkEntryOutputs {
        self.chunk.evaluate(&ChunkEntryInputs::default())
    }
}

/// The last block of a grid with blocks.
fn last_block(Dim3 { x, y, z }: Dim3) -> Dim3 {
    Dim3::new(x.saturating_sub(1), y.saturating_sub(1), z.saturating_sub(1))
}

#[cfg(test)]
mod tests;
