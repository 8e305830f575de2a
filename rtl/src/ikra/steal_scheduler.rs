//! `ikra/steal`.

use super::one_kernel::OneKernel;
use super::stealing_smxs::StealingSmxs;
use super::{DerivedChunk, Layouts, Stealing};
use crate::gate::{GateKind, SamplePorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// Chunks that keep what was stolen from kernel to kernel (IKRA, section 4.4 and Algorithm 1;
    /// `docs/ikra.md`).
    ///
    /// ```text
    ///   launch --> [one_kernel] --begins, load--> [stealing_smxs] --> dispatch
    ///                   ^ done, filled               |    ^ finished
    ///                   +----------------------------+
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first `dispatch`, chunks kept or assigned | 2 or 65 |
    /// | `finished` | refill by `dispatch` | 0 |
    /// | last `finished` | `finished_kernels` | 1 |
    /// | own work at its end, room | a stolen block's `dispatch` | 2 x (1 + latency), and for each refusal |
    ///
    /// Storage: that of its children.
    pub struct StealScheduler (smxs: usize, limits: Limits, stealing: Stealing, gates: &[GateKind]) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            sample_ports: SamplePorts = SamplePorts::of(smxs, gates),
        }
        inputs {
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
        }
        outputs {
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
        }
        constants {
            one_layout: Constant<Layouts> = Constant::new(Layouts::ONE),
            share: Constant<DerivedChunk>,
        }
        children {
            one: OneKernel = OneKernel::new(false, stealing.latency),
            smxs: StealingSmxs = StealingSmxs::new(smxs, 1, limits, stealing, gates),
        }
        state { count: usize = smxs }
    }
}

scheduler_modules! { StealScheduler { native } }

impl Logic for StealScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.one.control);
        Control::link(&mut self.control, &mut self.smxs.control);

        LaunchPorts::link(&mut self.launch_ports, &mut self.one.launch_ports);
        LookupPorts::link(&mut self.lookup_ports, &mut self.one.lookup_ports);
        self.finished_kernels.next = self.one.finished_kernels.val();
        self.one.chunks_ready.next = self.smxs.ready.val();
        self.one.done.next = self.smxs.done.val();
        self.one.filled.next = self.smxs.filled.val();

        self.smxs.assigns.next = self.one.assigns.val();
        self.smxs.begins.next = self.one.begins.val();
        self.smxs.load.next = self.one.load.val();
        self.smxs.layouts.next = self.one_layout.val();
        self.smxs.running.next = self.one.running.val();
        self.smxs.finish.next = self.one.finish.val();
        self.smxs.head.next = self.one.head.val();
        self.smxs.kernel.next = self.one.kernel.val();
        self.smxs.finished.next = self.finished.val();
        SamplePorts::link(&mut self.sample_ports, &mut self.smxs.sample_ports);
        for i in 0..self.count {
            self.smxs.derived[i].next = self.share.val();
            self.dispatch[i].next = self.smxs.dispatch[i].val();
        }
    }
}
