//! `partitions`.

use super::{PartitionControl, PartitionPlacement};
use crate::dispatch::Dispatcher;
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::kmu::{kmu_scheduler, ManagementPorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// A [`Dispatcher`] that is led by [`PartitionControl`] and [`PartitionPlacement`], whose
    /// requests are those of the partition that has the turn, and pass through the gates.
    ///
    /// ```text
    ///   partition --> [queues] -- leader, queued --> [dispatcher] -- request --> ( & ) --> [gates] --> [placement]
    ///                    |     <- accepted, unmark --             <-- allow --     ^                       |   ^
    ///                    +------------------------- turn --> [ mask ] -------------+-----------------------+---+
    /// ```
    ///
    /// `masks` has the SMXs of each partition, 1 to 8; they are wires. Ports and latency are the
    /// dispatcher's, but that a partition's kernels wait for its turn. Gates that count credits do
    /// not go over it. Storage: that of its children.
    ///
    /// # Panics
    /// Without a mask.
    pub struct PartitionScheduler (masks: &[Mask], limits: Limits, gates: &[GateKind]) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            sample_ports: SamplePorts = SamplePorts::of(smxs(masks), gates),
        }
        inputs {
            /// The partition of the kernel that `launch` offers, one that there is not is the last
            /// one; valid with it.
            partition: Signal<In, U<3>>,
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs(masks)),
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs(masks), U::new(0)),
        }
        outputs {
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs(masks), Dispatch::default()),
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
        }
        locals {
            there: Signal<Local, Mask> = Signal::mask(smxs(masks)),
            request: Signal<Local, Mask> = Signal::mask(smxs(masks)),
        }
        constants {
            nobody: Constant<Mask> = Constant::new(Mask::none(smxs(masks))),
            mask: Vec<Constant<Mask>> = masks.iter().map(|mask| Constant::new(*mask)).collect(),
        }
        children {
            queues: PartitionControl = PartitionControl::new(masks.len()),
            dispatcher: Dispatcher = Dispatcher::led(smxs(masks), limits),
            gates: Optional<GateChain> = GateChain::placed(smxs(masks), gates),
            placement: PartitionPlacement = PartitionPlacement::new(smxs(masks), masks.len()),
        }
        state {
            smxs: usize = smxs(masks),
            partitions: usize = masks.len(),
            gate_ports: GatePorts = GatePorts::of(smxs(masks), gates),
        }
    }
}

/// SMXs of the GPU.
fn smxs(masks: &[Mask]) -> usize {
    masks[0].len()
}

scheduler_modules! { PartitionScheduler { native kernels partition } }

impl Logic for PartitionScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.queues.control);
        Control::link(&mut self.control, &mut self.dispatcher.control);
        Control::link(&mut self.control, &mut self.placement.control);
        LaunchPorts::link(&mut self.launch_ports, &mut self.dispatcher.launch_ports);
        LookupPorts::link(&mut self.lookup_ports, &mut self.dispatcher.lookup_ports);

        // The head of the partition that has the turn.
        self.queues.mark.next = self.dispatcher.accepted.val();
        self.queues.partition.next = self.partition.val();
        self.queues.unmark.next = self.dispatcher.unmark.val();
        self.dispatcher.leader.next.valid = self.queues.head_valid.val();
        self.dispatcher.leader.next.entry = self.queues.head.val();
        self.dispatcher.queued.next = self.queues.marked.val();

        // One of the partition's SMXs.
        self.there.next = self.nobody.val();
        for i in 0..self.partitions {
            if self.queues.turn.val().get_bit(i) {
                self.there.next = self.mask[i].val();
            }
        }
        self.request.next = self.dispatcher.request.val() & self.there.val();
        self.placement.request.next = self.request.val();
        for _is in 0..self.gate_ports.gated {
            Control::link(&mut self.control, &mut self.gates.control);
            SamplePorts::link(&mut self.sample_ports, &mut self.gates.sample_ports);
            self.gates.request.next = self.request.val();
            self.gates.taken.next = self.dispatcher.taken.val();
            self.gates.finished.next = self.finished.val();
            self.placement.request.next = self.gates.allow.val();
        }
        self.placement.turn.next = self.queues.turn.val();
        self.dispatcher.allow.next = self.placement.grant.val();

        self.dispatcher.finished.next = self.finished.val();
        for i in 0..self.smxs {
            self.dispatcher.finished_kernel[i].next = self.finished_kernel[i].val();
            self.dispatch[i].next = self.dispatcher.dispatch[i].val();
        }
        self.finished_kernels.next = self.dispatcher.finished_kernels.val();
    }
}

kmu_scheduler! {
    #[hdl_gen]
    PartitionCdpScheduler(self) new over scheduler: PartitionScheduler [partition] {
        bundles {}
        inputs {
            /// The partition of the kernel that `launch` offers, or `record`.
            partition: Signal<In, U<3>>,
        }
        update {
            self.scheduler.partition.next = self.partition.val();
        }
    }
}
