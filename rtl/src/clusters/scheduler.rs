//! `clusters` as a whole.

use super::plan::smxs;
use super::{Balance, ClusterExtent, ClusterTable, Spread};
use crate::dispatch::{FcfsControl, ResourceTable};
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::kmu::{kmu_scheduler, ManagementPorts};
use crate::most_room::Fits;
use crate::port::{CancelPorts, Cancelled, Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::schedulers::scheduler_modules;

/// How the blocks of a cluster share the SMXs of its GPC (CUDA's `cudaClusterSchedulingPolicy`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Each block has an SMX of its own.
    Spread,
    /// An SMX may have several.
    Balance,
}

hdl_module! {
    /// Kernel table, FCFS control, resource table, gates and a placement, one block a cycle.
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first `dispatch` | 1 |
    /// | `finished` | refill by `dispatch` | 0 |
    /// | last `finished` | `finished_kernels` | 1 |
    ///
    /// `plan` says how many SMXs each GPC has. Storage: that of its children.
    pub struct ClusterScheduler
    (plan: &[usize], limits: Limits, policy: Policy, gates: &[GateKind]) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            cancel_ports: CancelPorts = CancelPorts::new(false, false),
            sample_ports: SamplePorts = SamplePorts::of(smxs(plan), gates),
        }
        inputs {
            /// The clusters of the kernel that `launch` offers; valid with it.
            cluster: Signal<In, ClusterExtent>,
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs(plan)),
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs(plan), U::new(0)),
        }
        outputs {
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs(plan), Dispatch::default()),
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
        }
        locals {
            accept: Signal<Local, Bit>,
            request: Signal<Local, Mask> = Signal::mask(smxs(plan)),
            ready: Signal<Local, Mask> = Signal::mask(smxs(plan)),
            grant: Signal<Local, Mask> = Signal::mask(smxs(plan)),
            some_taken: Signal<Local, Bit>,
            offer: Signal<Local, Dispatch>,
            ends: Signal<Local, Bit>,
            asked: Signal<Local, Bit> = Signal::optional(false, false),
            passing: Signal<Local, Bit> = Signal::optional(false, false),
        }
        constants {
            nobody: Constant<Mask> = Constant::new(Mask::none(smxs(plan))),
            no_block: Constant<Dispatch>,
            not_cancelled: Constant<Cancelled> = Constant::optional(false, Cancelled::default()),
        }
        children {
            kernels: ClusterTable = ClusterTable::new(smxs(plan)).ahead(),
            fcfs: FcfsControl = FcfsControl::with_second(),
            resources: ResourceTable = match policy {
                Policy::Spread => ResourceTable::with_vacant(smxs(plan), limits),
                Policy::Balance => ResourceTable::with_free(smxs(plan), limits),
            },
            gates: Optional<GateChain> = GateChain::placed(smxs(plan), gates),
            spread: Optional<Spread> =
                Optional::new((policy == Policy::Spread).then(|| Spread::new(plan))),
            balance: Optional<Balance> =
                Optional::new((policy == Policy::Balance).then(|| Balance::new(plan))),
            fits: Vec<Fits> = match policy {
                Policy::Spread => Vec::new(),
                Policy::Balance => (0..smxs(plan)).map(|_| Fits::fresh()).collect(),
            },
        }
        state {
            smxs: usize = smxs(plan),
            gate_ports: GatePorts = GatePorts::of(smxs(plan), gates),
            spreads: usize = usize::from(policy == Policy::Spread),
            balances: usize = usize::from(policy == Policy::Balance),
            answers: usize = 0,
        }
    }
}

scheduler_modules! { ClusterScheduler { native kernels clusters cancels } }

impl ClusterScheduler {
    /// Whose running clusters may take the head's next one, at the ports of [`CancelPorts`]
    /// (`docs/launch-control.md`, rules 6 to 9).
    pub fn answering(plan: &[usize], limits: Limits, policy: Policy, gates: &[GateKind]) -> Self {
        Self {
            cancel_ports: CancelPorts::new(true, true),
            asked: Signal::of(false),
            passing: Signal::of(false),
            not_cancelled: Constant::new(Cancelled::default()),
            kernels: ClusterTable::skipping(smxs(plan)).ahead(),
            answers: 1,
            ..Self::new(plan, limits, policy, gates)
        }
    }
}

impl Logic for ClusterScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.fcfs.control);
        Control::link(&mut self.control, &mut self.resources.control);

        // Launch and marking.
        LaunchPorts::link(&mut self.launch_ports, &mut self.kernels.launch_ports);
        self.kernels.cluster.next = self.cluster.val();
        self.accept.next =
            self.launch_ports.launch.val().valid & self.launch_ports.launch_ready.val();
        self.fcfs.mark.next.valid = self.accept.val();
        self.fcfs.mark.next.entry = self.launch_ports.launch_entry.val();

        // The head and the SMXs that have room for its next block.
        self.kernels.head_valid.next = self.fcfs.head_valid.val();
        self.kernels.head.next = self.fcfs.head.val();
        self.kernels.marked.next = self.fcfs.marked.val();
        self.resources.needs.next = self.kernels.head_needs.val();
        for i in 0..self.smxs {
            self.kernels.finished_kernel[i].next = self.finished_kernel[i].val();
            self.resources.freed[i].next = self.kernels.freed[i].val();
        }
        self.kernels.finished.next = self.finished.val();
        self.resources.finished.next = self.finished.val();
        self.request.next = self.nobody.val();
        if self.fcfs.head_valid.val() & !self.kernels.head_empty.val() {
            self.request.next = self.resources.room.val();
        }

        // A cluster that a running one takes goes to no SMX.
        for _is in 0..self.answers {
            self.asked.next = self.cancel_ports.cancel.val().valid
                & self.fcfs.head_valid.val()
                & !self.kernels.head_empty.val()
                & (self.cancel_ports.cancel.val().entry == self.fcfs.head.val());
            self.passing.next = self.asked.val() & !self.kernels.head_open.val();
            self.cancel_ports.cancel_held.next = self.asked.val() & self.kernels.head_open.val();
            self.cancel_ports.cancelled.next = self.not_cancelled.val();
            self.kernels.skip.next = self.passing.val();
            if self.passing.val() {
                self.cancel_ports.cancelled.next.valid = true;
                self.cancel_ports.cancelled.next.block = self.kernels.head_block.val();
                self.request.next = self.nobody.val();
            }
        }
        self.ready.next = self.request.val();
        for _is in 0..self.gate_ports.gated {
            Control::link(&mut self.control, &mut self.gates.control);
            SamplePorts::link(&mut self.sample_ports, &mut self.gates.sample_ports);
            self.gates.request.next = self.request.val();
            self.gates.finished.next = self.finished.val();
            self.ready.next = self.gates.allow.val();
        }

        // One of them receives the block.
        for _is in 0..self.spreads {
            Control::link(&mut self.control, &mut self.spread.control);
            self.spread.ready.next = self.ready.val();
            self.spread.vacant.next = self.resources.vacant.val();
            self.spread.size.next = self.kernels.head_cluster.val();
            self.spread.closes.next = self.kernels.head_closes.val();
            self.grant.next = self.spread.grant.val();
        }
        for _is in 0..self.balances {
            Control::link(&mut self.control, &mut self.balance.control);
            self.balance.ready.next = self.ready.val();
            for i in 0..self.smxs {
                self.fits[i].free.next = self.resources.free[i].val();
                self.fits[i].needs.next = self.kernels.head_needs.val();
                self.balance.count[i].next = self.fits[i].count.val();
            }
            self.balance.size.next = self.kernels.head_cluster.val();
            self.balance.closes.next = self.kernels.head_closes.val();
            self.grant.next = self.balance.grant.val();
        }
        for _is in 0..self.gate_ports.gated {
            self.gates.taken.next = self.grant.val();
        }
        self.resources.take.next = self.grant.val();
        self.some_taken.next = self.grant.val().any();
        self.kernels.step.next = self.some_taken.val();
        self.ends.next = self.fcfs.head_valid.val()
            & (self.kernels.head_empty.val()
                | (self.some_taken.val() & self.kernels.head_last.val()));
        for _is in 0..self.answers {
            self.ends.next = self.fcfs.head_valid.val()
                & (self.kernels.head_empty.val()
                    | (self.some_taken.val() & self.kernels.head_last.val())
                    | (self.passing.val() & self.kernels.head_ends.val()));
        }
        self.fcfs.unmark.next = self.ends.val();
        self.kernels.second.next = self.fcfs.second.val();
        self.kernels.alone.next = self.fcfs.alone.val();
        self.kernels.leaves.next = self.ends.val();
        self.offer.next.valid = true;
        self.offer.next.kernel = self.fcfs.head.val();
        self.offer.next.block = self.kernels.head_block.val();
        for i in 0..self.smxs {
            self.dispatch[i].next = self.no_block.val();
            if self.grant.val().get_bit(i) {
                self.dispatch[i].next = self.offer.val();
            }
        }
        self.finished_kernels.next = self.kernels.finished_kernels.val();
        LookupPorts::link(&mut self.lookup_ports, &mut self.kernels.lookup_ports);
    }
}

kmu_scheduler! {
    #[hdl_gen]
    ClusterCdpScheduler(self) new over scheduler: ClusterScheduler [clusters cancels] {
        bundles {
            cancel_ports: CancelPorts =
                CancelPorts::new(scheduler.answers == 1, scheduler.answers == 1),
        }
        inputs {
            /// The clusters of the kernel that `launch` offers, or `record`.
            cluster: Signal<In, ClusterExtent>,
        }
        update {
            CancelPorts::link(&mut self.cancel_ports, &mut self.scheduler.cancel_ports);
            self.scheduler.cluster.next = self.cluster.val();
        }
    }
}
