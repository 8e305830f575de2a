//! The Kernel Management Unit.

use super::{PendingPool, WorkQueues};
use crate::control::Control;
use crate::dispatch::Launch;
use crate::hdl_module;
use crate::prim::Register;
use crate::word::{Lit, U};
use rust_hdl::prelude::*;

hdl_module! {
    /// Dispatches kernels of the host, of the SMXs and suspended ones to the Kernel Distributor (DTBL,
    /// section 2.2).
    ///
    /// ```text
    ///   launch, queue --> [ work_queues ] --inspect--+
    ///                                                v
    ///   record ------------------------------> ( host_ready ) ---> offer
    ///   suspend -------> [ pool of suspended ]
    ///   device_launch -> [ pool of device    ] --> fetch, fetch_suspended, fetch_index
    ///                         [ promised ] (entries occupied or on their way)
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` | `offer` | 0, when `host_ready` |
    /// | `device_launch`, `suspend` | `fetch` | 0, when an entry is not promised |
    /// | `record` | `offer` | 0 |
    /// | `finished_kernels` | an entry that can be promised again | 1 |
    ///
    /// Storage: that of its children and 6 registers.
    pub struct ManagementUnit [] [] clocked {
        inputs {
            /// The host offers the head of a queue.
            launch: Signal<In, Launch>,
            /// Which queue; valid with `launch`.
            work_queue: Signal<In, U<5>>,
            /// The record of a kernel that a block launches is put into its pool.
            device_launch: Signal<In, Bit>,
            /// The record of a suspended kernel is put into its pool.
            suspend: Signal<In, Bit>,
            /// A record that was fetched arrives; an entry is free for it.
            record: Signal<In, Launch>,
            /// One bit for each entry whose kernel has ended.
            finished_kernels: Signal<In, U<32>>,
            /// The entry that an offered kernel takes.
            launch_entry: Signal<In, U<5>>,
        }
        outputs {
            /// What goes to the Kernel Distributor, which accepts it.
            offer: Signal<Out, Launch>,
            /// The host's kernel is accepted if it is offered.
            host_ready: Signal<Out, Bit>,
            /// One bit for each queue: its head may be offered.
            inspect: Signal<Out, U<32>>,
            /// A record is asked for.
            fetch: Signal<Out, Bit>,
            /// From the pool of suspended kernels; low when not `fetch`.
            fetch_suspended: Signal<Out, Bit>,
            /// Its place in the pool; zero when not `fetch`.
            fetch_index: Signal<Out, U<32>>,
        }
        locals {
            asked: Signal<Local, U<32>>,
            accepts: Signal<Local, Bit>,
            with_host: Signal<Local, U<6>>,
            fetches: Signal<Local, Bit>,
            with_fetch: Signal<Local, U<6>>,
            ended: Signal<Local, U<6>>,
        }
        constants {
            one: Lit<6, 1>,
            none: Lit<6, 0>,
            all: Lit<6, 32>,
            nowhere: Lit<32, 0>,
            bit_zero: Lit<32, 1>,
            nothing: Constant<Launch>,
        }
        children {
            queues: WorkQueues,
            device: PendingPool,
            suspended: PendingPool,
            promised: Register<U<6>>,
        }
    }
}

impl Logic for ManagementUnit {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.queues.control);
        Control::link(&mut self.control, &mut self.device.control);
        Control::link(&mut self.control, &mut self.suspended.control);
        Control::link(&mut self.control, &mut self.promised.control);

        // A record that arrives goes first: its entry was promised.
        self.inspect.next = self.queues.inspect.val();
        self.asked.next =
            self.queues.inspect.val() & (self.bit_zero.val() << self.work_queue.val());
        self.host_ready.next = self.asked.val().any()
            & !self.record.val().valid
            & (self.promised.q.val() != self.all.val());
        self.accepts.next = self.launch.val().valid
            & self.asked.val().any()
            & !self.record.val().valid
            & (self.promised.q.val() != self.all.val());
        self.offer.next = self.nothing.val();
        if self.accepts.val() {
            self.offer.next = self.launch.val();
        }
        if self.record.val().valid {
            self.offer.next = self.record.val();
        }
        self.queues.accepted.next = self.accepts.val();
        self.queues.work_queue.next = self.work_queue.val();
        self.queues.accepted_entry.next = self.launch_entry.val();
        self.queues.finished_kernels.next = self.finished_kernels.val();

        // Of what waits in memory the suspended kernels go first.
        self.device.push.next = self.device_launch.val();
        self.suspended.push.next = self.suspend.val();
        self.with_host.next = self.promised.q.val();
        if self.accepts.val() {
            self.with_host.next = self.promised.q.val() + self.one.val();
        }
        self.fetches.next = (self.device.any.val() | self.suspended.any.val())
            & (self.with_host.val() != self.all.val());
        self.suspended.pop.next = self.fetches.val() & self.suspended.any.val();
        self.device.pop.next = self.fetches.val() & !self.suspended.any.val();
        self.fetch.next = self.fetches.val();
        self.fetch_suspended.next = self.fetches.val() & self.suspended.any.val();
        self.fetch_index.next = self.nowhere.val();
        if self.fetches.val() {
            self.fetch_index.next = self.device.first.val();
            if self.suspended.any.val() {
                self.fetch_index.next = self.suspended.first.val();
            }
        }

        self.with_fetch.next = self.with_host.val();
        if self.fetches.val() {
            self.with_fetch.next = self.with_host.val() + self.one.val();
        }
        self.ended.next = self.none.val();
        for i in 0..32 {
            if self.finished_kernels.val().get_bit(i) {
                self.ended.next = self.ended.val() + self.one.val();
            }
        }
        self.promised.d.next = self.with_fetch.val() - self.ended.val();
    }
}
