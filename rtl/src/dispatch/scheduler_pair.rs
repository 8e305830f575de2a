//! `rr` with and without CLASO side by side.

use super::RoundRobinScheduler;
use crate::claso::Levels;
use crate::port::{Launch, Limits};
use crate::prelude::*;
use crate::prim::Tagged;

mod properties;

/// Kernels that run at once; a scheduler has 32.
const ENTRIES: usize = 2;

hdl_module! {
    /// `rr` and `rr+claso` that are told the same; no hardware of its own, but what is proved of
    /// both.
    ///
    /// ```text
    ///   launch, finished --+--> [free]
    ///                      +--> [gated] --> ready (both)
    /// ```
    pub(crate) struct SchedulerPair (smxs: usize, limits: Limits, levels: Levels) clocked {
        inputs {
            /// A kernel for both; held until `ready`.
            launch: Signal<In, Launch>,
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
            /// The context that is asked for.
            lookup: Signal<In, Tagged>,
        }
        outputs {
            /// Both take a kernel.
            ready: Signal<Out, Bit>,
        }
        children {
            free: RoundRobinScheduler =
                RoundRobinScheduler::with_entries(smxs, limits, None, ENTRIES),
            gated: RoundRobinScheduler =
                RoundRobinScheduler::with_entries(smxs, limits, Some(levels), ENTRIES),
        }
        state { smxs: usize = smxs }
        properties { properties::of }
    }
}

impl Logic for SchedulerPair {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.free.control);
        Control::link(&mut self.control, &mut self.gated.control);
        self.free.launch_ports.launch.next = self.launch.val();
        self.gated.launch_ports.launch.next = self.launch.val();
        self.free.lookup_ports.lookup.next = self.lookup.val();
        self.gated.lookup_ports.lookup.next = self.lookup.val();
        self.free.finished.next = self.finished.val();
        self.gated.finished.next = self.finished.val();
        for i in 0..self.smxs {
            self.free.finished_kernel[i].next = self.finished_kernel[i].val();
            self.gated.finished_kernel[i].next = self.finished_kernel[i].val();
        }
        self.ready.next =
            self.free.launch_ports.launch_ready.val() & self.gated.launch_ports.launch_ready.val();
    }
}
