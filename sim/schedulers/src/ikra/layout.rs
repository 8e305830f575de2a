//! What one kernel leaves to the next (`docs/ikra.md`, rule 15): the chunks and queues of all SMXs,
//! and which of the two comes first. Schedulers that follow no relations have one,
//! `ikra/related_scheduler` four.

use super::stealing::{Course, Own};
use super::{
    ChunkEntry, ChunkEntryInputs, ChunkEntryOutputs, ChunkStartOutputs, StealQueue,
    StealQueueInputs, StealQueueOutputs,
};
use crate::port::{Activity, Dim3};

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    chunks: Vec<ChunkEntry>,
    /// Of `ikra/steal` alone.
    queues: Vec<StealQueue>,
    /// Rule 9; otherwise the queue comes first.
    chunk_first: bool,
    /// The first linear id of each SMX's chunk as it was assigned.
    first_ids: Vec<u32>,
}

/// What happens to a layout in a cycle.
#[derive(Clone, Debug)]
pub(super) struct LayoutInputs<'a> {
    /// `begins` only if the kernel uses this layout.
    pub(super) course: Course,
    /// The direction of the last kernel that used the source.
    pub(super) before: bool,
    /// Of the head.
    pub(super) grid: Dim3,
    /// Of each SMX; with `course.load`.
    pub(super) starts: &'a [ChunkStartOutputs],
    /// The last block of each SMX's chunk; with `course.load`.
    pub(super) ends: &'a [Dim3],
    /// What SMXs take and thieves do: nothing, unless the layout is that of the kernel that runs.
    pub(super) own: &'a Own,
    pub(super) steal_chunk: super::super::SmxMask,
    pub(super) queues: &'a [StealQueueInputs],
}

impl Layout {
    /// After reset; `entries` of each queue, if there are queues.
    pub(super) fn new(smx: usize, flips: bool, entries: Option<usize>) -> Self {
        let queues = entries.map_or(vec![], |entries| vec![StealQueue::new(entries); smx]);
        let chunks = vec![ChunkEntry::new(flips); smx];
        Self { chunks, queues, chunk_first: false, first_ids: vec![0; smx] }
    }

    /// The direction of the last kernel that used it.
    pub(super) fn forward(&self) -> bool {
        self.chunks[0].evaluate(&ChunkEntryInputs::default()).forward
    }

    pub(super) fn chunk_first(&self) -> bool {
        self.chunk_first
    }

    pub(super) fn first_ids(&self) -> &[u32] {
        &self.first_ids
    }

    pub(super) fn chunks(&self) -> Vec<ChunkEntryOutputs> {
        let of = |chunk: &ChunkEntry| chunk.evaluate(&ChunkEntryInputs::default());
        self.chunks.iter().map(of).collect()
    }

    /// What each SMX's queue shows; nothing where there are none.
    pub(super) fn queues(&self) -> Vec<StealQueueOutputs> {
        let inputs = StealQueueInputs { forward: self.forward(), ..Default::default() };
        let mut outputs = vec![StealQueueOutputs::default(); self.chunks.len()];
        for (outputs, queue) in outputs.iter_mut().zip(&self.queues) {
            *outputs = queue.evaluate(&inputs);
        }
        outputs
    }

    /// Whether these insertions make one of the queues full.
    pub(super) fn filled(&self, inputs: &[StealQueueInputs]) -> bool {
        self.queues.iter().zip(inputs).any(|(queue, inputs)| queue.evaluate(inputs).filled)
    }

    /// The clock edge.
    pub(super) fn clock(&mut self, inputs: &LayoutInputs<'_>) -> Activity {
        let Course { begins, load, .. } = inputs.course;
        let forward = self.forward();
        let mut activity = Activity::Quiet;
        for (smx, chunk) in self.chunks.iter_mut().enumerate() {
            let mut chunk_inputs = ChunkEntryInputs {
                begins,
                former: inputs.before,
                grid: inputs.grid,
                take: inputs.own.from_chunk[smx],
                steal: inputs.steal_chunk[smx],
                ..Default::default()
            };
            if begins && load {
                chunk_inputs.load = true;
                chunk_inputs.load_start = inputs.starts[smx].start;
                chunk_inputs.load_last = inputs.ends[smx];
                chunk_inputs.load_vacant = inputs.starts[smx].vacant;
            }
            activity |= chunk.clock(&chunk_inputs);
        }
        for (smx, queue) in self.queues.iter_mut().enumerate() {
            let idle = StealQueueInputs { forward, ..Default::default() };
            let of_queue = inputs.queues.get(smx).cloned().unwrap_or(idle);
            let queue_inputs = StealQueueInputs { begins, clear: load, ..of_queue };
            activity |= queue.clock(&queue_inputs);
        }
        if begins {
            let before = (self.chunk_first, self.first_ids.clone());
            self.chunk_first = load || !self.chunk_first;
            if load {
                let id = |start: &ChunkStartOutputs| start.start.linear(inputs.grid) as u32;
                self.first_ids = inputs.starts.iter().map(id).collect();
            }
            activity |= before != (self.chunk_first, self.first_ids.clone());
        }
        activity
    }

    pub(super) fn reset(&mut self) -> Activity {
        let mut activity = Activity::from(std::mem::take(&mut self.chunk_first));
        activity |= self.first_ids.iter().any(|&id| id > 0);
        self.first_ids.fill(0);
        for chunk in &mut self.chunks {
            let inputs = ChunkEntryInputs { reset: true, ..Default::default() };
            activity |= chunk.clock(&inputs);
        }
        for queue in &mut self.queues {
            let inputs = StealQueueInputs { reset: true, ..Default::default() };
            activity |= queue.clock(&inputs);
        }
        activity
    }
}
