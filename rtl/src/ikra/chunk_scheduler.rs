//! `ikra/chunk`.

use super::StaticDispatcher;
use crate::dispatch::LastFinisher;
use crate::gate::{GateKind, SamplePorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// A [`StaticDispatcher`] whose chunks begin behind the SMX that finished last (IKRA, section
    /// 4.1).
    ///
    /// Ports and latency are the dispatcher's; see `docs/ikra.md`. Storage: the dispatcher's and
    /// the last finisher's.
    pub struct ChunkScheduler (smxs: usize, limits: Limits, gates: &[GateKind]) clocked {
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
        children {
            dispatcher: StaticDispatcher = StaticDispatcher::new(smxs, limits, true, false, gates),
            last: LastFinisher = LastFinisher::new(smxs),
        }
        state { smxs: usize = smxs }
    }
}

scheduler_modules! { ChunkScheduler { native } }

impl Logic for ChunkScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.dispatcher.control);
        Control::link(&mut self.control, &mut self.last.control);
        self.last.finished.next = self.finished.val();
        self.dispatcher.first.next = self.last.first.val();
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
