//! Twin of `dispatch/dispatcher`: the whole of `rr`, of `rr(start=last-finished)`, of `most-room`,
//! of `priority`, of `partitions`, of `dependent` and of `launch-control`, with any admission
//! gates.
//!
//! Latency: launch to first dispatch 1 cycle, finish to refill 0 cycles, last finish to
//! `finished_kernels` 1 cycle, one block a cycle also from one kernel to the next.

use super::super::admission::{GateEvents, Gates};
use super::super::{AdmissionGate, SmxMask, Twin};
use super::divided::{Divided, Turn};
use super::{
    Entry, KernelTable, KernelTableInputs, LastFinisher, LastFinisherInputs, ResourceTable,
    ResourceTableInputs, RoundRobin, RoundRobinInputs,
};
use crate::cover::{counting, when};
use crate::dependent::{self, Waiting, WaitingInputs};
use crate::launch_control;
use crate::most_room::{Room, RoomInputs};
use crate::port::{
    Activity, Dispatch, FloorPlan, Inputs, KernelEntry, Outputs, Scheduler, SmxLimits, MAX_SMX,
};
use crate::priority::{LevelControl, LevelControlInputs};

/// First come, first served kernels, round-robin placement, admission by resources and gates.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispatcher {
    smx: usize,
    kernel_table: KernelTable,
    /// Of one level, but for `priority`.
    fcfs_control: LevelControl,
    resource_table: ResourceTable,
    round_robin: RoundRobin,
    /// Of `rr(start=last-finished)`: where the pointer moves when a kernel ends.
    last_finisher: Option<LastFinisher>,
    /// Of `most-room`: whom the round robin chooses from.
    room: Option<Room>,
    /// Of `partitions`: in place of FCFS control and round robin.
    divided: Option<Divided>,
    /// Of `dependent`: when a kernel is marked.
    waiting: Option<Waiting>,
    /// Of `launch-control`: whether running blocks are answered.
    answers: bool,
    gates: Gates,
}

impl Dispatcher {
    /// A dispatcher for `smx` SMXs after reset; without gates it is `rr`.
    ///
    /// # Panics
    /// When `smx` is not in 1 to [`MAX_SMX`].
    pub fn new(smx: usize, limits: SmxLimits, gates: Vec<Box<dyn AdmissionGate>>) -> Self {
        assert!((1..=MAX_SMX).contains(&smx), "{smx} SMXs: expected 1 to {MAX_SMX}");
        Self {
            smx,
            kernel_table: KernelTable::new(),
            fcfs_control: LevelControl::new(1),
            resource_table: ResourceTable::new(smx, limits),
            round_robin: RoundRobin::new(smx),
            last_finisher: None,
            room: None,
            divided: None,
            waiting: None,
            answers: false,
            gates: Gates::new(gates),
        }
    }

    /// The same for `rr(start=last-finished)`.
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn restarting(smx: usize, limits: SmxLimits, gates: Vec<Box<dyn AdmissionGate>>) -> Self {
        let last_finisher = Some(LastFinisher::new(smx));
        Self { last_finisher, ..Self::new(smx, limits, gates) }
    }

    /// The same for `most-room` (`docs/most-room.md`, rule 3).
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn by_room(smx: usize, limits: SmxLimits, gates: Vec<Box<dyn AdmissionGate>>) -> Self {
        Self { room: Some(Room), ..Self::new(smx, limits, gates) }
    }

    /// The same for `priority(levels=levels)` (`docs/priority.md`, rule 3).
    ///
    /// # Panics
    /// As [`Self::new`] and [`LevelControl::new`].
    pub fn by_priority(
        smx: usize,
        limits: SmxLimits,
        levels: usize,
        gates: Vec<Box<dyn AdmissionGate>>,
    ) -> Self {
        Self { fcfs_control: LevelControl::new(levels), ..Self::new(smx, limits, gates) }
    }

    /// The same for `partitions` (`docs/partitions.md`).
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn partitioned(
        plan: &FloorPlan,
        limits: SmxLimits,
        gates: Vec<Box<dyn AdmissionGate>>,
    ) -> Self {
        Self { divided: Some(Divided::new(plan)), ..Self::new(plan.smx(), limits, gates) }
    }

    /// The same for `dependent` (`docs/dependent.md`).
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn dependent(smx: usize, limits: SmxLimits, gates: Vec<Box<dyn AdmissionGate>>) -> Self {
        Self { waiting: Some(Waiting::new()), ..Self::new(smx, limits, gates) }
    }

    /// The same for `launch-control` (`docs/launch-control.md`).
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn answering(smx: usize, limits: SmxLimits, gates: Vec<Box<dyn AdmissionGate>>) -> Self {
        Self { answers: true, ..Self::new(smx, limits, gates) }
    }

    /// The kernel whose block is to be dispatched, the marks, and whose turn it is.
    fn head(&self) -> (Option<KernelEntry>, u32, Turn) {
        if let Some(divided) = &self.divided {
            return divided.head();
        }
        let fcfs = self.fcfs_control.evaluate(&LevelControlInputs::default());
        (fcfs.head, fcfs.marked, Turn::of_all())
    }

    fn reset(&mut self) -> Activity {
        let reset = true;
        let mut activity = Activity::any([
            self.kernel_table.clock(&KernelTableInputs { reset, ..Default::default() }),
            self.fcfs_control.clock(&LevelControlInputs { reset, ..Default::default() }),
            self.resource_table.clock(&ResourceTableInputs { reset, ..Default::default() }),
            self.round_robin.clock(&RoundRobinInputs { reset, ..Default::default() }),
            self.gates.reset(),
        ]);
        if let Some(last_finisher) = &mut self.last_finisher {
            let inputs = LastFinisherInputs { reset, ..Default::default() };
            activity |= last_finisher.clock(&inputs);
        }
        if let Some(divided) = &mut self.divided {
            activity |= divided.reset();
        }
        if let Some(waiting) = &mut self.waiting {
            let inputs = WaitingInputs { reset, ..Default::default() };
            activity |= waiting.clock(&inputs);
        }
        activity
    }

    /// Situations of a cycle in which the head's block needs `resource_inputs.needs` and one goes,
    /// or not.
    fn cover(&self, turn: &Turn, resource_inputs: &ResourceTableInputs, went: bool) {
        if let (Some(divided), true) = (&self.divided, counting()) {
            let fits = |entry| {
                let entry = self.kernel_table.entry(entry);
                let needs = entry.filter(|entry| !entry.is_empty()).map(|entry| entry.needs);
                needs.map_or(SmxMask::ZERO, |needs| {
                    let inputs = ResourceTableInputs { needs, ..resource_inputs.clone() };
                    self.resource_table.evaluate(&inputs).room
                })
            };
            divided.cover(turn, went, fits);
        }
    }
}

impl Dispatcher {
    /// Situations of a cycle in which a block asks: of the block that it gets, if it gets one,
    /// whether it could have gone to an SMX and whether it is the last; and whether a block `went`
    /// to one.
    fn cover_cancel(&self, inputs: &Inputs, cancelled: Option<(bool, bool)>, went: bool) {
        let Some(cancelled) = cancelled else {
            when(went, &launch_control::cover::BESIDE);
            return;
        };
        let running = inputs.cancel.and_then(|entry| self.kernel_table.entry(entry));
        let running = running.map_or(0, |entry| entry.executing);
        launch_control::cover::cancelled(inputs, running, cancelled);
    }
}

impl Scheduler for Dispatcher {
    fn smx(&self) -> usize {
        self.smx
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        outputs.clear(inputs, self.smx);
        if inputs.reset {
            return self.reset();
        }

        // What is known: the head, its next block, what ends in this cycle.
        let (head, marked, turn) = self.head();
        let waits = self.waiting.as_ref().map_or(0, Waiting::waits);
        let mut table_inputs = KernelTableInputs {
            launch: inputs.launch,
            head,
            marked: marked | waits,
            lookup: inputs.lookup,
            ..Default::default()
        };
        table_inputs.finished = inputs.finished.iter().copied().collect();
        let table = self.kernel_table.evaluate(&table_inputs);

        // Where its block fits, and where the gates let it go.
        let mut resource_inputs = ResourceTableInputs {
            needs: table.head_needs,
            freed: table.freed,
            ..Default::default()
        };
        for (smx, finished) in inputs.finished.iter().enumerate() {
            resource_inputs.finished.set(smx, finished.is_some());
        }
        let mut request = self.resource_table.evaluate(&resource_inputs).room & turn.smxs;
        if head.is_none() || table.head_empty {
            request = SmxMask::ZERO;
        }
        // The head's next block is the asker's: then none is dispatched.
        let asks = inputs.cancel.filter(|_| self.answers);
        let cancels = asks.is_some() && asks == head && !table.head_empty;
        let (is_head, head) = (head.is_some(), head.unwrap_or_default());
        let first = match &self.divided {
            Some(divided) => divided.first(&turn),
            None => self.round_robin.evaluate(&RoundRobinInputs::default()).first,
        };
        let mut request = self.gates.allow(head, request, first, resource_inputs.finished);
        if let Some(room) = &self.room {
            let free = self.resource_table.free(&resource_inputs);
            request = room.evaluate(&RoomInputs { request, needs: table.head_needs, free }).most;
        }
        let could_go = request.any();
        if cancels {
            request = SmxMask::ZERO;
        }

        // Who gets it.
        let last_finisher = self.last_finisher.as_ref();
        let behind = last_finisher.map(|last| last.evaluate(&LastFinisherInputs::default()).first);
        let restart = behind.filter(|_| table.finished_kernels != 0);
        // With partitions it is never asked.
        let asked = if self.divided.is_some() { SmxMask::ZERO } else { request };
        let round_inputs = RoundRobinInputs { request: asked, restart, ..Default::default() };
        let grant = match &self.divided {
            Some(divided) => divided.grant(&turn, request),
            None => self.round_robin.evaluate(&round_inputs).grant,
        };
        let step = grant.any() || cancels;
        self.cover(&turn, &resource_inputs, grant.any());
        if asks.is_some() && counting() {
            self.cover_cancel(inputs, cancels.then_some((could_go, table.head_last)), grant.any());
        }
        for smx in grant.iter_ones() {
            outputs.dispatch[smx] =
                Some(Dispatch { kernel: head, block: table.head_block, ..Default::default() });
        }
        outputs.launch_ready = table.launch_ready;
        outputs.finished_kernels = table.finished_kernels;
        outputs.context = table.context;
        outputs.cancelled = cancels.then_some(table.head_block);

        // The clock edge.
        let accepted = inputs.launch.as_ref().zip(table.launch_ready);
        table_inputs.step = step;
        table_inputs.cancelled = cancels;
        resource_inputs.take = grant;
        let unmark = is_head && (table.head_empty || step && table.head_last);
        let mut mark = accepted.map(|(_, entry)| entry);
        let waiting_inputs = WaitingInputs {
            reset: false,
            accepted: mark,
            blocks: accepted.map_or(0, |(launch, _)| launch.blocks),
            follows: accepted.and_then(|(launch, _)| launch.follows),
            triggered: inputs.triggered.iter().copied().collect(),
        };
        if let Some(waiting) = &self.waiting {
            mark = waiting.evaluate(&waiting_inputs).mark;
            if let Some(predecessor) = waiting_inputs.follows {
                let released = table.finished_kernels >> predecessor.index() & 1 == 1;
                when(released, &dependent::cover::RELEASED);
                let followed = self.kernel_table.entry(predecessor);
                when(followed.is_some_and(Entry::is_empty), &dependent::cover::EMPTY);
            }
        }
        let level = accepted.map_or(0, |(launch, _)| launch.priority);
        // With partitions it stays empty.
        let mark_levels = mark.filter(|_| self.divided.is_none());
        let fcfs_inputs =
            LevelControlInputs { mark: mark_levels, level, unmark, ..Default::default() };
        let events = GateEvents {
            taken: (head, grant),
            entered: accepted,
            coalesced: None,
            finished: resource_inputs.finished,
            samples: inputs.samples.as_deref(),
        };
        let mut activity = Activity::any([
            self.kernel_table.clock(&table_inputs),
            self.fcfs_control.clock(&fcfs_inputs),
            self.resource_table.clock(&resource_inputs),
            self.round_robin.clock(&round_inputs),
            self.gates.clock(&events),
        ]);
        if let Some(last_finisher) = &mut self.last_finisher {
            let finished = resource_inputs.finished;
            activity |= last_finisher.clock(&LastFinisherInputs { reset: false, finished });
        }
        if let Some(divided) = &mut self.divided {
            let partition = accepted.map_or(0, |(launch, _)| launch.partition);
            let marked = mark.map(|entry| (entry, partition));
            activity |= divided.clock(&turn, marked, unmark, request);
        }
        if let Some(waiting) = &mut self.waiting {
            activity |= waiting.clock(&waiting_inputs);
        }
        activity
    }

    /// The head and the gates' reasons, and where the scheduler believes that blocks are: beside
    /// what the SMXs hold, that shows a completion that was lost.
    fn explain(&self) -> String {
        let mut lines = Vec::new();
        match self.head().0 {
            Some(head) => {
                lines.push(format!("the scheduler distributes the kernel in entry {}", head.0));
                lines.extend(self.gates.explain(head));
            }
            None => lines.push("the scheduler has no kernel to distribute".to_owned()),
        }
        lines.extend(self.waiting.iter().flat_map(Waiting::explain));
        lines.extend(self.resource_table.explain());
        lines.join("\n")
    }
}

impl Twin for Dispatcher {
    fn gates_mut(&mut self) -> &mut Gates {
        &mut self.gates
    }
}
