//! Level 0 where kernels have levels: the host's kernels, one after the other, by the rules of
//! `ikra/steal` (`docs/ikra.md`, rules 2 to 9, 13 and 22).

use super::super::{PerSmx, SmxMask};
use super::block_of;
use super::layout::{Layout, LayoutInputs};
use super::stealing::{Course, Own};
use super::{
    ChunkEntryOutputs, ChunkStart, ChunkStartInputs, ChunkStartOutputs, KernelBefore,
    KernelBeforeInputs, KernelControl, KernelControlInputs, KernelControlOutputs, Loot,
    NestedKernelsOutputs, StealArbiter, StealArbiterInputs, StealArbiterOutputs, StealQueueInputs,
    StealQueueOutputs,
};
use crate::port::{Activity, Dim3};

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HostLevel {
    smx: usize,
    control: KernelControl,
    before: KernelBefore,
    starts: Vec<ChunkStart>,
    layout: Layout,
    arbiter: StealArbiter,
}

/// What happens at this level in a cycle, but for what kernels do.
#[derive(Clone, Debug, Default)]
pub(super) struct HostLevelInputs {
    /// What SMXs take for themselves.
    pub(super) own: Own,
    /// The thieves that have room and whose request of this level is at its victim.
    pub(super) asks: SmxMask,
    /// Whom they ask.
    pub(super) victim: PerSmx<usize>,
    /// Of those, the ones that ask for the chunk instead of the queue.
    pub(super) from_chunk: SmxMask,
    /// The stolen blocks of this level that are dispatched.
    pub(super) arrives: PerSmx<Option<Loot>>,
}

/// What SMXs own at this level.
#[derive(Clone, Debug)]
pub(super) struct Owned {
    pub(super) chunks: Vec<ChunkEntryOutputs>,
    pub(super) queues: Vec<StealQueueOutputs>,
    chunk_first: bool,
}

impl Owned {
    /// Rule 9: whether the next block of `smx` is of its chunk, and which one it is.
    pub(super) fn next(&self, smx: usize) -> Option<(bool, Dim3)> {
        let (chunk, queue) = (&self.chunks[smx], &self.queues[smx]);
        if chunk.available && (self.chunk_first || !queue.available) {
            Some((true, chunk.next_block))
        } else {
            queue.available.then_some((false, queue.next_block))
        }
    }
}

impl HostLevel {
    /// `smx` SMXs after reset, whose queues have this many entries.
    pub(super) fn new(smx: usize, entries: usize) -> Self {
        Self {
            smx,
            control: KernelControl::new(0),
            before: KernelBefore::new(false),
            starts: vec![ChunkStart::new(smx); smx],
            layout: Layout::new(smx, true, Some(entries)),
            arbiter: StealArbiter::new(smx),
        }
    }

    /// By the state alone.
    pub(super) fn owned(&self) -> Owned {
        let (chunks, queues) = (self.layout.chunks(), self.layout.queues());
        Owned { chunks, queues, chunk_first: self.layout.chunk_first() }
    }

    /// Rules 12 and 26: what victims answer, after their own dispatch.
    pub(super) fn answers(&self, owned: &Owned, inputs: &HostLevelInputs) -> StealArbiterOutputs {
        if !inputs.asks.any() {
            return StealArbiterOutputs::default();
        }
        let Own { from_chunk, from_queue, .. } = inputs.own;
        let arbiter = StealArbiterInputs {
            asks: inputs.asks,
            victim: inputs.victim.clone(),
            from_chunk: inputs.from_chunk,
            ..StealArbiterInputs::left_of(&owned.chunks, &owned.queues, from_chunk, from_queue)
        };
        self.arbiter.evaluate(&arbiter)
    }

    /// What becomes of the first host kernel; `owed` says whether a block of it is on its way to a
    /// thief.
    pub(super) fn control(
        &self,
        kernels: &NestedKernelsOutputs,
        owned: &Owned,
        owed: bool,
    ) -> KernelControlOutputs {
        self.control.evaluate(&self.control_inputs(kernels, owned, owed))
    }

    fn control_inputs(
        &self,
        kernels: &NestedKernelsOutputs,
        owned: &Owned,
        owed: bool,
    ) -> KernelControlInputs {
        let grid = kernels.host_grid;
        let before =
            self.before.evaluate(&KernelBeforeInputs { grid, ..KernelBeforeInputs::default() });
        let spent = (0..self.smx).all(|smx| owned.next(smx).is_none());
        let resident = kernels.host.is_some_and(|entry| kernels.resident >> entry.index() & 1 == 1);
        KernelControlInputs {
            reset: false,
            head_valid: kernels.host.is_some(),
            head_blocks: kernels.host_blocks,
            keeps: before.keeps,
            chunks_ready: self.chunk_starts().iter().all(|start| start.ready),
            done: spent && !owed && !resident,
            filled: false,
            told: before.told,
        }
    }

    /// The clock edge; `owed` as in [`Self::control`].
    pub(super) fn clock(
        &mut self,
        kernels: &NestedKernelsOutputs,
        owed: bool,
        inputs: HostLevelInputs,
    ) -> Activity {
        let owned = self.owned();
        let answers = self.answers(&owned, &inputs);
        let mut control_inputs = self.control_inputs(kernels, &owned, owed);
        let KernelControlOutputs { assigns, begins, load, finish, .. } =
            self.control.evaluate(&control_inputs);

        // Rule 13. A block that was asked for as its kernel began may come when the thief has a
        // queue of its own again: it cannot be kept as one that has run, and the chunks have lost
        // it.
        let forward = self.layout.forward();
        let mut queues = Vec::new();
        let mut lost = false;
        for (smx, queue) in owned.queues.iter().enumerate() {
            let arrives = inputs.arrives[smx].map(|loot| loot.block);
            lost |= arrives.is_some() && queue.available;
            queues.push(StealQueueInputs {
                forward,
                take: inputs.own.from_queue[smx],
                steal: answers.steal_queue[smx],
                insert: arrives.filter(|_| !queue.available),
                ..Default::default()
            });
        }
        let filled = lost || self.layout.filled(&queues);
        control_inputs.filled = filled;

        let starts = self.chunk_starts();
        let grid = kernels.host_grid;
        let ends: Vec<_> = (0..self.smx).map(|smx| self.end(&starts, smx, grid)).collect();
        let mut activity = self.clock_starts(kernels, assigns);
        activity |= self.layout.clock(&LayoutInputs {
            course: Course { begins, load, finish },
            before: forward,
            grid,
            starts: &starts,
            ends: &ends,
            own: &inputs.own,
            steal_chunk: answers.steal_chunk,
            queues: &queues,
        });
        let before = KernelBeforeInputs { reset: false, grid, begins, load, filled };
        activity |= self.before.clock(&before);
        activity |= self.control.clock(&control_inputs);
        activity
    }

    pub(super) fn reset(&mut self) -> Activity {
        let reset = true;
        let mut edges = vec![
            self.control.clock(&KernelControlInputs { reset, ..Default::default() }),
            self.before.clock(&KernelBeforeInputs { reset, ..Default::default() }),
            self.layout.reset(),
        ];
        for start in &mut self.starts {
            edges.push(start.clock(&ChunkStartInputs { reset, ..Default::default() }));
        }
        Activity::any(edges)
    }

    fn chunk_starts(&self) -> Vec<ChunkStartOutputs> {
        let of = |start: &ChunkStart| start.evaluate(&ChunkStartInputs::default());
        self.starts.iter().map(of).collect()
    }

    /// Rules 3 and 4; the first chunk is that of SMX 0.
    fn clock_starts(&mut self, kernels: &NestedKernelsOutputs, assigns: bool) -> Activity {
        let mut activity = Activity::Quiet;
        for (position, start) in self.starts.iter_mut().enumerate() {
            activity |= start.clock(&ChunkStartInputs {
                begins: assigns,
                position,
                blocks: kernels.host_blocks,
                grid: kernels.host_grid,
                ..Default::default()
            });
        }
        activity
    }

    /// The last block of the chunk of `smx`: the one before the next chunk.
    fn end(&self, starts: &[ChunkStartOutputs], smx: usize, grid: Dim3) -> Dim3 {
        let next = starts.get(smx + 1).map(|next| next.start.linear(grid));
        let beyond = next.unwrap_or(grid.volume() as u64);
        block_of(beyond.saturating_sub(1), grid)
    }
}
