//! Twin of `ikra/static_scheduler`, `ikra/steal_scheduler` and `ikra/related_scheduler`: the whole
//! of `ikra/chunk`, `ikra/reset`, `ikra/flip` and `ikra/steal`, the last one with and without
//! relations.
//!
//! Latency: launch to first dispatch 2 cycles, 65 when chunks are assigned, 98 when they are
//! derived; last finish to `finished_kernels` 1 cycle, to the first dispatch of a kernel that waits
//! 3, 66 or 99; finish to refill 0 cycles; a block that is stolen, and every refusal before it, 2 x
//! (1 + latency) cycles.

use super::super::admission::{GateEvents, Gates};
use super::super::dispatch::{
    LastFinisher, LastFinisherInputs, ResourceTable, ResourceTableInputs,
};
use super::super::{AdmissionGate, SmxMask, Twin};
use super::block_of;
use super::kernel_history::LAYOUTS;
use super::layout::{Layout, LayoutInputs};
use super::predecessors::{Events, Heritage, Predecessors, Related};
use super::stealing::{Course, Decision, Own, Stealing};
use super::{
    ChunkEntryOutputs, ChunkStart, ChunkStartInputs, ChunkStartOutputs, IkraConfig, KernelBefore,
    KernelControl, KernelControlInputs, KernelQueue, KernelQueueInputs, KernelQueueOutputs,
    StealQueueOutputs, ThiefOutputs,
};
use crate::port::{Activity, Dim3, Dispatch, Inputs, Outputs, Scheduler, SmxLimits, MAX_SMX};

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct IkraScheduler {
    smx: usize,
    kernel_queue: KernelQueue,
    kernel_control: KernelControl,
    predecessors: Predecessors,
    starts: Vec<ChunkStart>,
    /// One, or four with relations.
    layouts: Vec<Layout>,
    resources: ResourceTable,
    /// Blocks that are resident on each SMX.
    residents: Vec<u32>,
    /// Of `ikra/chunk`.
    last_finisher: Option<LastFinisher>,
    /// Of `ikra/steal`.
    stealing: Option<Stealing>,
    gates: Gates,
}

/// What follows from the state alone.
struct Known {
    head: KernelQueueOutputs,
    running: bool,
    heritage: Heritage,
    /// Of the layout of the kernel that runs.
    chunks: Vec<ChunkEntryOutputs>,
    queues: Vec<StealQueueOutputs>,
    thieves: Vec<ThiefOutputs>,
    starts: Vec<ChunkStartOutputs>,
}

impl IkraScheduler {
    /// A scheduler for `smx` SMXs after reset.
    ///
    /// # Panics
    /// When `smx` is not in 1 to [`MAX_SMX`].
    pub fn new(
        smx: usize,
        limits: SmxLimits,
        config: IkraConfig,
        gates: Vec<Box<dyn AdmissionGate>>,
    ) -> Self {
        assert!((1..=MAX_SMX).contains(&smx), "{smx} SMXs: expected 1 to {MAX_SMX}");
        let always = config == IkraConfig::Chunk;
        let (mut latency, mut entries, mut stealing, mut related) = (0, None, None, false);
        if let IkraConfig::Steal(steal) = config {
            latency = steal.latency.into();
            entries = Some(steal.queue.into());
            stealing = Some(Stealing::new(smx, steal));
            related = steal.relations;
        }
        let (predecessors, layouts) = if related {
            (Predecessors::Related(Box::new(Related::new(smx))), LAYOUTS)
        } else {
            (Predecessors::Last(KernelBefore::new(always)), 1)
        };
        Self {
            smx,
            kernel_queue: KernelQueue::new(),
            kernel_control: KernelControl::new(latency),
            predecessors,
            starts: vec![ChunkStart::new(smx); smx],
            layouts: vec![Layout::new(smx, config.flips(), entries); layouts],
            resources: ResourceTable::new(smx, limits),
            residents: vec![0; smx],
            last_finisher: always.then(|| LastFinisher::new(smx)),
            stealing,
            gates: Gates::new(gates),
        }
    }

    fn known(&self, inputs: &Inputs) -> Known {
        let queue_inputs = KernelQueueInputs { lookup: inputs.lookup, ..Default::default() };
        let head = self.kernel_queue.evaluate(&queue_inputs);
        let heritage = self.predecessors.heritage(&head);
        let layout = &self.layouts[heritage.running];
        let nothing = || vec![ThiefOutputs::default(); self.smx];
        let start = |start: &ChunkStart| start.evaluate(&ChunkStartInputs::default());
        Known {
            head,
            running: self.kernel_control.evaluate(&KernelControlInputs::default()).running,
            heritage,
            chunks: layout.chunks(),
            queues: layout.queues(),
            thieves: self.stealing.as_ref().map_or_else(nothing, Stealing::thieves),
            starts: self.starts.iter().map(start).collect(),
        }
    }

    /// Rules 6 and 9.
    fn own(&self, known: &Known, room: SmxMask) -> Own {
        let chunk_first = self.layouts[known.heritage.running].chunk_first();
        let mut own = Own { running: known.running, room, ..Default::default() };
        for smx in 0..self.smx {
            let may = known.running && room[smx];
            let chunk = known.chunks[smx].available;
            let queue = known.queues[smx].available;
            own.empty.set(smx, self.residents[smx] == 0);
            own.from_chunk.set(smx, may && chunk && (chunk_first || !queue));
            own.from_queue.set(smx, may && queue && (!chunk_first || !chunk));
        }
        own
    }

    /// Rules 29 and 30: of the SMXs on which a block of the head fits, those that may have one.
    fn allowed(&self, known: &Known, resources: &ResourceTableInputs) -> SmxMask {
        let room = self.resources.evaluate(resources).room;
        let asks = match &self.stealing {
            // A thief needs room as well.
            Some(_) if known.running => room,
            Some(_) => SmxMask::ZERO,
            None => self.own(known, room).from_chunk,
        };
        self.gates.allow(known.head.head.unwrap_or_default(), asks, 0, resources.finished)
    }

    /// Rule 7.
    fn done(&self, known: &Known) -> bool {
        let of_smx = |smx: usize| {
            !known.chunks[smx].available
                && !known.queues[smx].available
                && !known.thieves[smx].owed
                && self.residents[smx] == 0
        };
        (0..self.smx).all(of_smx)
    }

    /// Rule 4.
    fn position(&self, smx: usize) -> usize {
        let finisher = self.last_finisher.as_ref();
        let first = finisher.map_or(0, |last| last.evaluate(&LastFinisherInputs::default()).first);
        (smx + self.smx - first) % self.smx
    }

    /// The last block of the chunk of `smx`: the one before the next chunk.
    fn end(&self, known: &Known, smx: usize) -> Dim3 {
        let grid = known.head.head_grid;
        let beyond = if self.position(smx) + 1 == self.smx {
            grid.volume() as u64
        } else {
            known.starts[(smx + 1) % self.smx].start.linear(grid)
        };
        block_of(beyond.saturating_sub(1), grid)
    }

    /// The clock edge of the starts of chunks. Shares are divided from the cycle on in which chunks
    /// are assigned, derived ones from that in which their bounds are known.
    fn clock_starts(&mut self, known: &Known, assigns: bool) -> Activity {
        let derived = self.predecessors.derived(&known.head);
        let mut activity = Activity::Quiet;
        for smx in 0..self.smx {
            let mut inputs = ChunkStartInputs {
                begins: assigns && !known.heritage.derives,
                position: self.position(smx),
                blocks: known.head.head_blocks,
                grid: known.head.head_grid,
                ..Default::default()
            };
            if let Some(bounds) = &derived {
                (inputs.begins, inputs.derived) = (true, true);
                inputs.derived_first = bounds[smx];
                inputs.derived_vacant = bounds[smx] == bounds[smx + 1];
            }
            activity |= self.starts[smx].clock(&inputs);
        }
        activity
    }

    /// The clock edge of the layouts: one kernel runs from one, one that begins uses one.
    fn clock_layouts(
        &mut self,
        known: &Known,
        own: &Own,
        stolen: &Decision,
        course: Course,
    ) -> Activity {
        let Heritage { source, target, running, .. } = known.heritage;
        let used = if course.load { Some(target) } else { source };
        let before = source.is_some_and(|source| self.layouts[source].forward());
        let ends: Vec<_> = match course.load {
            true => (0..self.smx).map(|smx| self.end(known, smx)).collect(),
            false => vec![],
        };
        let (nobody, nothing) = (Own::default(), Decision::default());
        let mut activity = Activity::Quiet;
        for (number, layout) in self.layouts.iter_mut().enumerate() {
            let (own, stolen) = if number == running { (own, stolen) } else { (&nobody, &nothing) };
            let inputs = LayoutInputs {
                course: Course { begins: course.begins && used == Some(number), ..course },
                before,
                grid: known.head.head_grid,
                starts: &known.starts,
                ends: &ends,
                own,
                steal_chunk: stolen.steal_chunk,
                queues: &stolen.queues,
            };
            activity |= layout.clock(&inputs);
        }
        activity
    }

    /// The clock edge of what concerns blocks on SMXs.
    fn clock_residents(&mut self, inputs: &Inputs, resources: &ResourceTableInputs) -> Activity {
        let before = self.residents.clone();
        for (smx, resident) in self.residents.iter_mut().enumerate() {
            let staying = resident.saturating_sub(u32::from(inputs.finished[smx].is_some()));
            *resident = staying + u32::from(resources.take[smx]);
        }
        let mut activity = Activity::from(before != self.residents);
        if let Some(last_finisher) = &mut self.last_finisher {
            let finished = resources.finished;
            activity |= last_finisher.clock(&LastFinisherInputs { reset: false, finished });
        }
        activity |= self.resources.clock(resources);
        activity
    }

    fn reset(&mut self) -> Activity {
        let reset = true;
        let resident = self.residents.iter().any(|&resident| resident > 0);
        self.residents.fill(0);
        let mut edges = vec![
            Activity::from(resident),
            self.kernel_queue.clock(&KernelQueueInputs { reset, ..Default::default() }),
            self.kernel_control.clock(&KernelControlInputs { reset, ..Default::default() }),
            self.resources.clock(&ResourceTableInputs { reset, ..Default::default() }),
            self.gates.reset(),
        ];
        for start in &mut self.starts {
            edges.push(start.clock(&ChunkStartInputs { reset, ..Default::default() }));
        }
        edges.push(self.predecessors.reset());
        edges.extend(self.layouts.iter_mut().map(Layout::reset));
        if let Some(last_finisher) = &mut self.last_finisher {
            edges.push(last_finisher.clock(&LastFinisherInputs { reset, ..Default::default() }));
        }
        edges.extend(self.stealing.as_mut().map(Stealing::reset));
        Activity::any(edges)
    }
}

impl Scheduler for IkraScheduler {
    fn smx(&self) -> usize {
        self.smx
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        outputs.clear(inputs, self.smx);
        if inputs.reset {
            return self.reset();
        }
        let known = self.known(inputs);

        // Whatever ends is of the head.
        let mut resources =
            ResourceTableInputs { needs: known.head.head_needs, ..Default::default() };
        for smx in 0..self.smx {
            if inputs.finished[smx].is_some() {
                resources.finished.set(smx, true);
                resources.freed[smx] = known.head.head_needs;
            }
        }
        let own = self.own(&known, self.allowed(&known, &resources));
        let stolen = match &self.stealing {
            Some(stealing) => stealing.decide(&self.layouts[known.heritage.running], &own),
            None => Decision::default(),
        };

        own.cover(&known.chunks, self.layouts[known.heritage.running].chunk_first());

        // Who gets what.
        let kernel = known.head.head.unwrap_or_default();
        for smx in 0..self.smx {
            let block = if own.from_chunk[smx] {
                known.chunks[smx].next_block
            } else if own.from_queue[smx] {
                known.queues[smx].next_block
            } else if known.thieves[smx].arrives {
                known.thieves[smx].block
            } else {
                continue;
            };
            outputs.dispatch[smx] = Some(Dispatch { kernel, block, ..Default::default() });
            resources.take.set(smx, true);
        }

        // What becomes of the kernel.
        let ready = known.starts.iter().all(|start| start.ready);
        let control_inputs = KernelControlInputs {
            reset: false,
            head_valid: known.head.head.is_some(),
            head_blocks: known.head.head_blocks,
            keeps: known.heritage.keeps,
            chunks_ready: ready && !self.predecessors.deriving(),
            done: self.done(&known),
            filled: stolen.filled,
            told: known.heritage.told,
        };
        let control = self.kernel_control.evaluate(&control_inputs);
        outputs.launch_ready = known.head.launch_ready;
        outputs.finished_kernels = u32::from(control.finish) << kernel.index();
        outputs.context = known.head.kernel_context;

        // The clock edge.
        let queue_inputs =
            KernelQueueInputs { launch: inputs.launch, pop: control.finish, ..Default::default() };
        let course = Course { begins: control.begins, load: control.load, finish: control.finish };
        let accepted = inputs.launch.zip(known.head.launch_ready);
        let source = known.heritage.source.filter(|_| control.assigns && known.heritage.derives);
        let derives_from = source.map(|source| self.layouts[source].first_ids().to_vec());
        let events = Events {
            accepted: accepted.map(|(launch, entry)| (entry, launch.relation)),
            derives_from: derives_from.as_deref(),
            course,
            filled: stolen.filled,
        };
        let gate_events = GateEvents {
            taken: (kernel, resources.take),
            entered: inputs.launch.as_ref().zip(known.head.launch_ready),
            coalesced: None,
            finished: resources.finished,
            samples: inputs.samples.as_deref(),
        };
        let mut activity = self.gates.clock(&gate_events);
        activity |= self.clock_starts(&known, control.assigns);
        activity |= self.clock_layouts(&known, &own, &stolen, course);
        activity |= self.predecessors.clock(&known.head, events);
        activity |= self.clock_residents(inputs, &resources);
        if let Some(stealing) = &mut self.stealing {
            activity |= stealing.clock(stolen, course);
        }
        activity |= self.kernel_control.clock(&control_inputs);
        activity |= self.kernel_queue.clock(&queue_inputs);
        activity
    }

    fn explain(&self) -> String {
        let known = self.known(&Inputs::idle(self.smx));
        let with = |left: &dyn Fn(usize) -> bool| {
            let smxs: Vec<_> = (0..self.smx).filter(|&smx| left(smx)).collect();
            format!("{smxs:?}")
        };
        let first = match known.head.head {
            None => "the scheduler has no kernel to distribute".to_owned(),
            Some(head) if !known.running => {
                format!("the scheduler has not begun the kernel in entry {}", head.0)
            }
            Some(head) => format!(
                "the scheduler distributes the kernel in entry {}; something is left in the \
                chunks of SMXs {} and in the queues of SMXs {}",
                head.0,
                with(&|smx| known.chunks[smx].available),
                with(&|smx| known.queues[smx].available),
            ),
        };
        let reasons = known.head.head.into_iter().flat_map(|head| self.gates.explain(head));
        let lines = std::iter::once(first).chain(reasons).chain(self.resources.explain());
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Twin for IkraScheduler {
    fn gates_mut(&mut self) -> &mut Gates {
        &mut self.gates
    }
}

#[cfg(test)]
mod tests;
