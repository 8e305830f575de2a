//! `rr+claso`: CLASO over the baseline dispatcher.

use super::{Gate, Levels};
use crate::control::Control;
use crate::dispatch::{Context, Dispatch, Dispatcher, Launch, Limits};
use crate::hdl_module;
use crate::prim::Tagged;
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// A [`Dispatcher`] whose requests pass through a CLASO [`Gate`].
    ///
    /// ```text
    ///   [dispatcher] -- request, head, first, taken, accepted --> [claso gate]
    ///                <------------------ allow ------------------
    /// ```
    ///
    /// Ports and latency are the dispatcher's: the gate delays nothing by itself. Storage: the
    /// dispatcher's and the gate's.
    pub struct RoundRobinClasoScheduler [const N: usize] [N] (limits: Limits, levels: Levels) clocked {
        inputs {
            /// A kernel is offered; accepted when `launch_ready`.
            launch: Signal<In, Launch>,
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, U<N>>,
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: [Signal<In, U<5>>; N],
            /// An SMX asks for a kernel's context.
            lookup: Signal<In, Tagged>,
        }
        outputs {
            /// An entry is free; depends on the state alone.
            launch_ready: Signal<Out, Bit>,
            /// The entry that an offered kernel takes; valid with `launch_ready`.
            launch_entry: Signal<Out, U<5>>,
            /// For each SMX, the block that it receives in this cycle.
            dispatch: [Signal<Out, Dispatch>; N],
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
            /// Whether `lookup` names an occupied entry.
            context_valid: Signal<Out, Bit>,
            /// Its context; zero when not `context_valid`.
            kernel_context: Signal<Out, Context>,
        }
        constants {
            no_restart: Constant<Tagged>,
            never: Constant<Tagged>,
        }
        children {
            dispatcher: Dispatcher<N> = Dispatcher::new(limits),
            gate: Gate<N> = Gate::new(levels),
        }
    }
}

impl<const N: usize> Logic for RoundRobinClasoScheduler<N> {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.dispatcher.control);
        Control::link(&mut self.control, &mut self.gate.control);
        self.gate.launch.next = self.dispatcher.accepted.val();
        self.gate.coalesced.next = self.never.val();
        self.gate.blocks.next = self.launch.val().blocks;
        self.gate.kernel.next = self.dispatcher.head.val();
        self.gate.request.next = self.dispatcher.request.val();
        self.gate.first.next = self.dispatcher.first.val();
        self.gate.taken.next = self.dispatcher.taken.val();
        self.dispatcher.restart.next = self.no_restart.val();
        self.dispatcher.launch.next = self.launch.val();
        self.dispatcher.lookup.next = self.lookup.val();
        self.dispatcher.allow.next = self.gate.allow.val();
        self.launch_ready.next = self.dispatcher.launch_ready.val();
        self.launch_entry.next = self.dispatcher.launch_entry.val();
        self.dispatcher.finished.next = self.finished.val();
        for i in 0..N {
            self.dispatcher.finished_kernel[i].next = self.finished_kernel[i].val();
            self.dispatch[i].next = self.dispatcher.dispatch[i].val();
        }
        self.finished_kernels.next = self.dispatcher.finished_kernels.val();
        self.context_valid.next = self.dispatcher.context_valid.val();
        self.kernel_context.next = self.dispatcher.kernel_context.val();
    }
}
