//! `ikra/reset` and `ikra/flip`.

use super::StaticDispatcher;
use crate::gate::{GateKind, SamplePorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// A [`StaticDispatcher`] whose chunks begin at SMX 0 (IKRA, sections 4.2 and 4.3).
    ///
    /// Ports, latency and storage are the dispatcher's; see `docs/ikra.md`.
    pub struct StaticScheduler (smxs: usize, limits: Limits, flips: bool, gates: &[GateKind]) clocked {
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
            zero: Constant<Word> = Constant::id(smxs, 0),
        }
        children {
            dispatcher: StaticDispatcher = StaticDispatcher::new(smxs, limits, false, flips, gates),
        }
        state { smxs: usize = smxs }
    }
}

scheduler_modules! { StaticScheduler { native } }

impl Logic for StaticScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.dispatcher.control);
        self.dispatcher.first.next = self.zero.val();
        LaunchPorts::link(&mut self.launch_ports, &mut self.dispatcher.launch_ports);
        self.dispatcher.finished.next = self.finished.val();
        LookupPorts::link(&mut self.lookup_ports, &mut self.dispatcher.lookup_ports);
        for i in 0..self.smxs {
            self.dispatch[i].next = self.dispatcher.dispatch[i].val();
        }
        self.finished_kernels.next = self.dispatcher.finished_kernels.val();
        SamplePorts::link(&mut self.sample_ports, &mut self.dispatcher.sample_ports);
    }
}
