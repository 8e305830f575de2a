//! `rr-gpgpusim`: the block issue of GPGPU-Sim as a whole.

use super::{CapTable, Placement};
use crate::dispatch::{BlockSequence, FcfsControl, KernelEntries, ResourceTable};
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::kmu::{kmu_scheduler, ManagementPorts};
use crate::port::{step_bits, BlockId, Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::Residents;
use crate::prim::{Crossbar, Register, Tagged};
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// Kernel entries, FCFS control, resource table, cap table, resident blocks and a placement
    /// that grants one block to each of up to `smxs` SMXs in a cycle, those that the gates allow.
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first `dispatch` | 1 |
    /// | `finished` | refill by `dispatch` | 0 |
    /// | last `finished` | `finished_kernels` | 1 |
    /// | `finished_kernels` | first `dispatch` of the next kernel | 1 |
    ///
    /// Storage: that of its children, and one register that says that a kernel is still running
    /// whose blocks have all been dispatched.
    pub struct GpgpuSimScheduler (smxs: usize, limits: Limits, gates: &[GateKind]) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            sample_ports: SamplePorts = SamplePorts::of(smxs, gates),
        }
        inputs {
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
        }
        outputs {
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
        }
        locals {
            accept: Signal<Local, Bit>,
            may_issue: Signal<Local, Bit>,
            request: Signal<Local, Mask> = Signal::mask(smxs),
            granted: Signal<Local, Word> = Signal::word(step_bits(smxs)),
            all_issued: Signal<Local, Bit>,
            none_ended: Signal<Local, Bit>,
            offer: Signal<Local, Dispatch>,
            launched: Signal<Local, Tagged> = GatePorts::of(smxs, gates).credit(Tagged::default()),
        }
        constants {
            nobody: Constant<Mask> = Constant::new(Mask::none(smxs)),
            no_block: Constant<Dispatch>,
            everybody: Constant<Word> =
                Constant::new(Word::new(step_bits(smxs), smxs as u64)),
            nothing_ended: Lit<32, 0>,
            nobody_probes: Lit<5, 0>,
            never: Constant<Tagged> = GatePorts::of(smxs, gates).constant(Tagged::default()),
        }
        children {
            kernels: KernelEntries = KernelEntries::new(smxs),
            fcfs: FcfsControl,
            running: Register<Bit>,
            resources: ResourceTable = ResourceTable::new(smxs, limits),
            caps: CapTable = CapTable::new(smxs as u64),
            residents: Residents = Residents::new(smxs),
            order: BlockSequence = BlockSequence::new(smxs),
            placement: Placement = Placement::new(smxs),
            issue: Crossbar<BlockId, Word> = Crossbar::of(BlockId::default(), smxs, smxs),
            following: Crossbar<BlockId, Word> = Crossbar::of(BlockId::default(), smxs, 1),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
        }
        state {
            smxs: usize = smxs,
            id_bits: usize = id_bits(smxs),
            gate_ports: GatePorts = GatePorts::of(smxs, gates),
        }
    }
}

scheduler_modules! { GpgpuSimScheduler { native kernels } }

impl Logic for GpgpuSimScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.fcfs.control);
        Control::link(&mut self.control, &mut self.running.control);
        Control::link(&mut self.control, &mut self.resources.control);
        Control::link(&mut self.control, &mut self.caps.control);
        Control::link(&mut self.control, &mut self.residents.control);
        Control::link(&mut self.control, &mut self.placement.control);

        // Launch, marking and the cap.
        LaunchPorts::link(&mut self.launch_ports, &mut self.kernels.launch_ports);
        self.accept.next =
            self.launch_ports.launch.val().valid & self.launch_ports.launch_ready.val();
        self.fcfs.mark.next.valid = self.accept.val();
        self.fcfs.mark.next.entry = self.launch_ports.launch_entry.val();
        self.caps.launch.next.valid = self.accept.val();
        self.caps.launch.next.entry = self.launch_ports.launch_entry.val();
        self.caps.blocks.next = self.launch_ports.launch.val().blocks;
        self.caps.kernel.next = self.fcfs.head.val();

        // The head's next blocks, and the SMXs that could receive one.
        self.kernels.head_valid.next = self.fcfs.head_valid.val();
        self.kernels.head.next = self.fcfs.head.val();
        self.kernels.marked.next = self.fcfs.marked.val();
        self.order.at.next = self.kernels.head_block.val();
        self.order.grid.next = self.kernels.head_grid.val();
        self.resources.needs.next = self.kernels.head_needs.val();
        self.kernels.finished.next = self.finished.val();
        self.resources.finished.next = self.finished.val();
        self.residents.finished.next = self.finished.val();
        for i in 0..self.smxs {
            self.kernels.finished_kernel[i].next = self.finished_kernel[i].val();
            self.resources.freed[i].next = self.kernels.freed[i].val();
            self.residents.limit[i].next = self.caps.cap.val();
            self.issue.word[i].next = self.order.block[i].val();
            self.following.word[i].next = self.order.block[i].val();
            self.issue.select[i].next = self.placement.position[i].val();
        }
        self.may_issue.next = self.fcfs.head_valid.val() & !self.running.q.val();
        self.request.next = self.nobody.val();
        if self.may_issue.val() {
            self.request.next = self.resources.room.val() & self.residents.below.val();
        }

        // Each of the granted SMXs receives one of them.
        self.placement.request.next = self.request.val();
        for _is in 0..self.gate_ports.gated {
            Control::link(&mut self.control, &mut self.gates.control);
            SamplePorts::link(&mut self.sample_ports, &mut self.gates.sample_ports);
            self.gates.request.next = self.request.val();
            self.gates.taken.next = self.placement.grant.val();
            self.gates.finished.next = self.finished.val();
            self.placement.request.next = self.gates.allow.val();
        }
        for _is in 0..self.gate_ports.credits {
            self.launched.next.valid = self.accept.val();
            self.launched.next.entry = self.launch_ports.launch_entry.val();
            self.gates.launch.next = self.launched.val();
            self.gates.coalesced.next = self.never.val();
            self.gates.blocks.next = self.launch_ports.launch.val().blocks;
            self.gates.kernel.next = self.fcfs.head.val();
            self.gates.first.next = self.placement.first.val();
        }
        self.placement.budget.next = self.order.count.val();
        self.granted.next = self.placement.granted.val();
        self.resources.take.next = self.placement.grant.val();
        self.residents.taken.next = self.placement.grant.val();
        self.kernels.step.next = self.granted.val();
        self.following.select[0].next = bit_cast_to(self.granted.val(), self.id_bits);
        self.kernels.after.next = self.following.data[0].val();
        if self.granted.val() == self.everybody.val() {
            self.kernels.after.next = self.order.beyond.val();
        }
        self.offer.next.valid = true;
        self.offer.next.kernel = self.fcfs.head.val();
        for i in 0..self.smxs {
            self.offer.next.block = self.issue.data[i].val();
            self.dispatch[i].next = self.no_block.val();
            if self.placement.grant.val().get_bit(i) {
                self.dispatch[i].next = self.offer.val();
            }
        }

        // One kernel after another.
        self.all_issued.next = self.may_issue.val()
            & self.order.ends.val()
            & (self.granted.val() == self.order.count.val());
        self.fcfs.unmark.next = self.all_issued.val();
        self.none_ended.next = self.kernels.finished_kernels.val() == self.nothing_ended.val();
        self.running.d.next = (self.all_issued.val() & !self.order.empty.val())
            | (self.running.q.val() & self.none_ended.val());

        self.finished_kernels.next = self.kernels.finished_kernels.val();
        LookupPorts::link(&mut self.lookup_ports, &mut self.kernels.lookup_ports);
        self.kernels.probe.next = self.nobody_probes.val();
    }
}

kmu_scheduler! {
    #[hdl_gen]
    GpgpuSimCdpScheduler(self) over GpgpuSimScheduler
}
