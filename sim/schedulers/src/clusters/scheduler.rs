//! Twin of `clusters/scheduler`: the whole of `clusters`, and of `launch-control` with a policy.
//!
//! Latency: that of `rr`, launch to first dispatch 1 cycle, finish to refill 0 cycles, last finish
//! to `finished_kernels` 1 cycle, one block a cycle also from one cluster or kernel to the next.

use super::{
    Balance, BalanceInputs, KernelTable, KernelTableInputs, KernelTableOutputs, Policy, Spread,
    SpreadInputs,
};
use crate::admission::{GateEvents, Gates};
use crate::cover::{counting, when};
use crate::dispatch::{FcfsControl, FcfsControlInputs, ResourceTable, ResourceTableInputs};
use crate::launch_control::cover;
use crate::most_room::{room_in_blocks, Fits, FitsInputs};
use crate::port::{
    Activity, Dispatch, FloorPlan, Inputs, KernelEntry, Outputs, Scheduler, SmxLimits, MAX_SMX,
};
use crate::{AdmissionGate, SmxMask, Twin};

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Clusters {
    plan: FloorPlan,
    limits: SmxLimits,
    kernel_table: KernelTable,
    fcfs_control: FcfsControl,
    resource_table: ResourceTable,
    placement: Placement,
    /// Of `launch-control`: whether running clusters are answered.
    answers: bool,
    gates: Gates,
}

/// Where the blocks of a cluster go.
#[derive(Clone, Debug, PartialEq)]
enum Placement {
    Spread(Spread),
    Balance(Balance),
}

/// What a placement sees in a cycle.
struct Ready {
    /// The SMXs that have room and that all gates allow; none without a block to place.
    ready: SmxMask,
    size: u32,
    closes: bool,
}

impl Clusters {
    /// A scheduler for the SMXs of `plan` after reset.
    ///
    /// # Panics
    /// When `plan` has not 1 to [`MAX_SMX`] SMXs.
    pub fn new(
        plan: &FloorPlan,
        limits: SmxLimits,
        policy: Policy,
        gates: Vec<Box<dyn AdmissionGate>>,
    ) -> Self {
        let smx = plan.smx();
        assert!((1..=MAX_SMX).contains(&smx), "{smx} SMXs: expected 1 to {MAX_SMX}");
        Self {
            plan: plan.clone(),
            limits,
            kernel_table: KernelTable::new(),
            fcfs_control: FcfsControl::new(),
            resource_table: ResourceTable::new(smx, limits),
            placement: match policy {
                Policy::Spread => Placement::Spread(Spread::new(plan)),
                Policy::Balance => Placement::Balance(Balance::new(plan)),
            },
            answers: false,
            gates: Gates::new(gates),
        }
    }

    /// The same for `launch-control` with a policy (`docs/launch-control.md`, rules 6 to 9).
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn answering(
        plan: &FloorPlan,
        limits: SmxLimits,
        policy: Policy,
        gates: Vec<Box<dyn AdmissionGate>>,
    ) -> Self {
        Self { answers: true, ..Self::new(plan, limits, policy, gates) }
    }

    fn head(&self) -> Option<KernelEntry> {
        self.fcfs_control.evaluate(&FcfsControlInputs::default()).head
    }

    /// Which SMXs the head's next block may go to, and how many go with it.
    fn ready(
        &self,
        head: Option<KernelEntry>,
        table: &KernelTableOutputs,
        resources: &ResourceTableInputs,
    ) -> Ready {
        let mut ready = SmxMask::ZERO;
        if let Some(head) = head.filter(|_| !table.head_empty) {
            let room = self.resource_table.evaluate(resources).room;
            // No gate that a cluster passes looks at the pointer.
            ready = self.gates.allow(head, room, 0, resources.finished);
        }
        Ready { ready, size: table.head_cluster, closes: table.head_closes }
    }

    /// The SMX that receives the block, and whether the clock edge stored something.
    fn place(&mut self, ready: &Ready, resources: &ResourceTableInputs) -> (SmxMask, Activity) {
        let Ready { ready, size, closes } = *ready;
        match &mut self.placement {
            Placement::Spread(spread) => {
                let vacant = self.resource_table.vacant();
                let inputs = SpreadInputs { reset: false, ready, vacant, size, closes };
                (spread.evaluate(&inputs).grant, spread.clock(&inputs))
            }
            Placement::Balance(balance) => {
                let free = self.resource_table.free(resources);
                let count = room_in_blocks(&free, resources.needs);
                let inputs = BalanceInputs { reset: false, ready, count, size, closes };
                (balance.evaluate(&inputs).grant, balance.clock(&inputs))
            }
        }
    }

    /// Situations of a cycle in which a cluster is cancelled that could be dispatched where it
    /// finds `room`, or not.
    fn cover_cancel(&self, inputs: &Inputs, is_last: bool, room: (&Ready, &ResourceTableInputs)) {
        if counting() {
            let could_go = self.clone().place(room.0, room.1).0.any();
            let running = inputs.cancel.map_or(0, |entry| self.kernel_table.executing(entry));
            cover::cancelled(inputs, running, (could_go, is_last));
        }
    }

    fn reset(&mut self) -> Activity {
        let reset = true;
        let edges = [
            self.kernel_table.clock(&KernelTableInputs { reset, ..Default::default() }),
            self.fcfs_control.clock(&FcfsControlInputs { reset, ..Default::default() }),
            self.resource_table.clock(&ResourceTableInputs { reset, ..Default::default() }),
            match &mut self.placement {
                Placement::Spread(it) => it.clock(&SpreadInputs { reset, ..Default::default() }),
                Placement::Balance(it) => it.clock(&BalanceInputs { reset, ..Default::default() }),
            },
            self.gates.reset(),
        ];
        Activity::any(edges)
    }

    /// What the next block of the kernel in `head` waits for.
    fn explain_cluster(&self, head: KernelEntry) -> Option<String> {
        let (cluster, needs) = self.kernel_table.cluster(head)?;
        let size = cluster.blocks();
        let open = match &self.placement {
            Placement::Spread(spread) => spread.open_gpc(),
            Placement::Balance(balance) => balance.open_gpc(),
        };
        if let Some(gpc) = open {
            return Some(format!("a cluster {cluster} of {size} blocks is open in GPC {gpc}"));
        }
        let alone = Fits.evaluate(&FitsInputs { free: self.limits, needs }).count;
        let each = match self.placement {
            Placement::Spread(_) => alone.min(1),
            Placement::Balance(_) => alone,
        };
        let largest = self.plan.gpcs().iter().max().map_or(0, |&smxs| smxs as u32);
        let room = largest * each;
        Some(if room < size {
            format!(
                "a cluster {cluster} of {size} blocks fits no GPC, even an empty one: the largest has \
                {largest} SMXs and room for {room} blocks of a cluster"
            )
        } else {
            format!(
                "a cluster {cluster} of {size} blocks waits for a GPC with room for all of them"
            )
        })
    }
}

impl Scheduler for Clusters {
    fn smx(&self) -> usize {
        self.plan.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        outputs.clear(inputs, self.plan.smx());
        if inputs.reset {
            return self.reset();
        }

        // What is known: the head, its next block, what ends in this cycle.
        let fcfs = self.fcfs_control.evaluate(&FcfsControlInputs::default());
        let mut table_inputs = KernelTableInputs {
            launch: inputs.launch,
            head: fcfs.head,
            marked: fcfs.marked,
            finished: inputs.finished.iter().copied().collect(),
            lookup: inputs.lookup,
            ..Default::default()
        };
        let table = self.kernel_table.evaluate(&table_inputs);
        let mut resource_inputs = ResourceTableInputs {
            needs: table.head_needs,
            freed: table.freed.clone(),
            ..Default::default()
        };
        for (smx, finished) in inputs.finished.iter().enumerate() {
            resource_inputs.finished.set(smx, finished.is_some());
        }

        // The head's next cluster is the asker's: then no block is dispatched.
        let asks = inputs.cancel.filter(|_| self.answers);
        let (is_open, is_last) = self.kernel_table.next_cluster(&table_inputs);
        let of_head = asks.is_some() && asks == fcfs.head && !table.head_empty;
        let (held, cancels) = (of_head && is_open, of_head && !is_open);

        // Who gets it; the placement stores that at once, since nothing looks at it again.
        let mut ready = self.ready(fcfs.head, &table, &resource_inputs);
        if cancels {
            self.cover_cancel(inputs, is_last, (&ready, &resource_inputs));
            ready.ready = SmxMask::ZERO;
        }
        let (grant, placed) = self.place(&ready, &resource_inputs);
        when(held, &cover::HELD);
        when(asks.is_some() && !of_head && grant.any(), &cover::BESIDE);
        let head = fcfs.head.unwrap_or_default();
        for smx in grant.iter_ones() {
            outputs.dispatch[smx] =
                Some(Dispatch { kernel: head, block: table.head_block, ..Default::default() });
        }
        outputs.launch_ready = table.launch_ready;
        outputs.finished_kernels = table.finished_kernels;
        outputs.context = table.context;
        (outputs.cancelled, outputs.cancel_held) = (cancels.then_some(table.head_block), held);

        // The clock edge.
        let accepted = inputs.launch.as_ref().zip(table.launch_ready);
        table_inputs.step = grant.any() || cancels;
        table_inputs.cancelled = cancels;
        resource_inputs.take = grant;
        let fcfs_inputs = FcfsControlInputs {
            mark: accepted.map(|(_, entry)| entry),
            unmark: fcfs.head.is_some()
                && (table.head_empty || grant.any() && table.head_last || cancels && is_last),
            ..Default::default()
        };
        let events = GateEvents {
            taken: (head, grant),
            entered: accepted,
            coalesced: None,
            finished: resource_inputs.finished,
            samples: inputs.samples.as_deref(),
        };
        let edges = [
            placed,
            self.kernel_table.clock(&table_inputs),
            self.fcfs_control.clock(&fcfs_inputs),
            self.resource_table.clock(&resource_inputs),
            self.gates.clock(&events),
        ];
        Activity::any(edges)
    }

    /// The head and its cluster, the gates' reasons, and where the scheduler believes that blocks
    /// are.
    fn explain(&self) -> String {
        let mut lines = Vec::new();
        match self.head() {
            Some(head) => {
                lines.push(format!("the scheduler distributes the kernel in entry {}", head.0));
                lines.extend(self.explain_cluster(head));
                lines.extend(self.gates.explain(head));
            }
            None => lines.push("the scheduler has no kernel to distribute".to_owned()),
        }
        lines.extend(self.resource_table.explain());
        lines.join("\n")
    }
}

impl Twin for Clusters {
    fn gates_mut(&mut self) -> &mut Gates {
        &mut self.gates
    }
}

#[cfg(test)]
mod tests;
