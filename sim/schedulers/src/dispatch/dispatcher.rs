//! Twin of `dispatch/dispatcher`: the whole of `rr`, of `rr(start=last-finished)`, of `most-room` and of
//! `priority`, with any admission gates.
//!
//! Latency: launch to first dispatch 1 cycle, finish to refill 0 cycles, last finish to
//! `finished_kernels` 1 cycle, one block a cycle also from one kernel to the next.

use super::super::admission::{GateEvents, Gates};
use super::super::{activity, AdmissionGate, SmxMask, Twin};
use super::{
    KernelTable, KernelTableInputs, LastFinisher, LastFinisherInputs, ResourceTable,
    ResourceTableInputs, RoundRobin, RoundRobinInputs,
};
use crate::most_room::{Most, MostInputs};
use crate::port::{Activity, Dispatch, Inputs, Outputs, Scheduler, SmxLimits, MAX_SMX};
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
    most: Option<Most>,
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
            most: None,
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
        Self { most: Some(Most), ..Self::new(smx, limits, gates) }
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

    fn reset(&mut self) -> Activity {
        let reset = true;
        let mut changed = false;
        for edge in [
            self.kernel_table.clock(&KernelTableInputs { reset, ..Default::default() }),
            self.fcfs_control.clock(&LevelControlInputs { reset, ..Default::default() }),
            self.resource_table.clock(&ResourceTableInputs { reset, ..Default::default() }),
            self.round_robin.clock(&RoundRobinInputs { reset, ..Default::default() }),
            self.gates.reset(),
        ] {
            changed |= edge == Activity::Busy;
        }
        if let Some(last_finisher) = &mut self.last_finisher {
            let inputs = LastFinisherInputs { reset, ..Default::default() };
            changed |= last_finisher.clock(&inputs) == Activity::Busy;
        }
        activity(changed)
    }
}

impl Scheduler for Dispatcher {
    fn smx(&self) -> usize {
        self.smx
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        assert_eq!(inputs.finished.len(), self.smx, "one `finished` for each SMX");
        outputs.dispatch.clear();
        outputs.dispatch.resize(self.smx, None);
        if inputs.reset {
            (outputs.launch_ready, outputs.finished_kernels, outputs.context) = (None, 0, None);
            return self.reset();
        }

        // What is known: the head, its next block, what ends in this cycle.
        let fcfs = self.fcfs_control.evaluate(&LevelControlInputs::default());
        let mut table_inputs = KernelTableInputs {
            launch: inputs.launch,
            head: fcfs.head,
            marked: fcfs.marked,
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
        let mut request = self.resource_table.evaluate(&resource_inputs).room;
        if fcfs.head.is_none() || table.head_empty {
            request = SmxMask::ZERO;
        }
        let head = fcfs.head.unwrap_or_default();
        let first = self.round_robin.evaluate(&RoundRobinInputs::default()).first;
        let mut request = self.gates.allow(head, request, first, resource_inputs.finished);
        if let Some(most) = &self.most {
            let count = self.resource_table.room_in_blocks(&resource_inputs);
            request = most.evaluate(&MostInputs { request, count }).most;
        }

        // Who gets it.
        let last_finisher = self.last_finisher.as_ref();
        let behind = last_finisher.map(|last| last.evaluate(&LastFinisherInputs::default()).first);
        let restart = behind.filter(|_| table.finished_kernels != 0);
        let round_inputs = RoundRobinInputs { request, restart, ..Default::default() };
        let grant = self.round_robin.evaluate(&round_inputs).grant;
        let step = grant.any();
        for smx in grant.iter_ones() {
            outputs.dispatch[smx] =
                Some(Dispatch { kernel: head, block: table.head_block, ..Default::default() });
        }
        outputs.launch_ready = table.launch_ready;
        outputs.finished_kernels = table.finished_kernels;
        outputs.context = table.context;

        // The clock edge.
        let accepted = inputs.launch.as_ref().zip(table.launch_ready);
        table_inputs.step = step;
        resource_inputs.take = grant;
        let fcfs_inputs = LevelControlInputs {
            mark: accepted.map(|(_, entry)| entry),
            level: accepted.map_or(0, |(launch, _)| launch.priority),
            unmark: fcfs.head.is_some() && (table.head_empty || step && table.head_last),
            ..Default::default()
        };
        let events = GateEvents {
            taken: (head, grant),
            entered: accepted,
            coalesced: None,
            finished: resource_inputs.finished,
            samples: inputs.samples.as_deref(),
        };
        let mut changed = false;
        for edge in [
            self.kernel_table.clock(&table_inputs),
            self.fcfs_control.clock(&fcfs_inputs),
            self.resource_table.clock(&resource_inputs),
            self.round_robin.clock(&round_inputs),
            self.gates.clock(&events),
        ] {
            changed |= edge == Activity::Busy;
        }
        if let Some(last_finisher) = &mut self.last_finisher {
            let finished = resource_inputs.finished;
            let edge = last_finisher.clock(&LastFinisherInputs { reset: false, finished });
            changed |= edge == Activity::Busy;
        }
        activity(changed)
    }

    /// The head and the gates' reasons, and where the scheduler believes that blocks are: beside
    /// what the SMXs hold, that shows a completion that was lost.
    fn explain(&self) -> String {
        let mut lines = Vec::new();
        match self.fcfs_control.evaluate(&LevelControlInputs::default()).head {
            Some(head) => {
                lines.push(format!("the scheduler distributes the kernel in entry {}", head.0));
                lines.extend(self.gates.explain(head));
            }
            None => lines.push("the scheduler has no kernel to distribute".to_owned()),
        }
        lines.extend(self.resource_table.explain());
        lines.join("\n")
    }
}

impl Twin for Dispatcher {
    fn gates_mut(&mut self) -> &mut Gates {
        &mut self.gates
    }
}
