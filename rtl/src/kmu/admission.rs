//! Which kernel gets the next entry of the Kernel Distributor.

use super::{PendingPool, WorkQueues};
use crate::port::Launch;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// The Kernel Management Unit without the pool of device kernels, which differs between
    /// schedulers: work queues, suspended kernels, and the entries that are promised (DTBL, section
    /// 2.2).
    ///
    /// ```text
    ///   launch, queue --> [ work_queues ] --inspect--+
    ///                                                v
    ///   record ------------------------------> ( host_ready ) ---> offer
    ///   suspend -------> [ pool of suspended ] --> fetch_suspended, suspended_index
    ///   device_waits ------------------------> ( device_turn ) --> fetch_device
    ///                         [ promised ] (entries occupied or on their way)
    /// ```
    ///
    /// All outputs are combinational; `finished_kernels` frees an entry from the next cycle on.
    /// Storage: that of its children and 6 registers.
    pub struct KernelAdmission clocked {
        inputs {
            /// The host offers the head of a queue.
            launch: Signal<In, Launch>,
            /// Which queue; valid with `launch`.
            work_queue: Signal<In, U<5>>,
            /// A device kernel's record waits in its pool and could be fetched.
            device_waits: Signal<In, Bit>,
            /// The record of a suspended kernel is put into its pool.
            suspend: Signal<In, Bit>,
            /// A record that was fetched arrives; an entry is free for it.
            record: Signal<In, Launch>,
            /// One bit for each entry whose kernel has ended.
            finished_kernels: Signal<In, U<32>>,
            /// The entry that an offered kernel takes.
            launch_entry: Signal<In, U<5>>,
            /// The kernel of `launch` follows the one that its queue waits for (`docs/dependent.md`)
            /// and need not wait for it; only where kernels do.
            follows: Signal<In, Bit> = Signal::optional(false, false),
        }
        outputs {
            /// What goes to the Kernel Distributor, which accepts it.
            offer: Signal<Out, Launch>,
            /// The host's kernel is accepted if it is offered.
            host_ready: Signal<Out, Bit>,
            /// One bit for each queue: its head may be offered.
            inspect: Signal<Out, U<32>>,
            /// A suspended kernel's record is asked for.
            fetch_suspended: Signal<Out, Bit>,
            /// Its place in the pool; valid with `fetch_suspended`.
            suspended_index: Signal<Out, U<32>>,
            /// A device kernel's record would be fetched if it were there; independent of
            /// `device_waits`.
            device_turn: Signal<Out, Bit>,
            /// It is.
            fetch_device: Signal<Out, Bit>,
        }
        locals {
            asked: Signal<Local, U<32>>,
            may_come: Signal<Local, Bit>,
            accepts: Signal<Local, Bit>,
            with_host: Signal<Local, U<6>>,
            free: Signal<Local, Bit>,
            fetches: Signal<Local, Bit>,
            with_fetch: Signal<Local, U<6>>,
            ended: Signal<Local, U<6>>,
        }
        constants {
            one: Lit<6, 1>,
            none: Lit<6, 0>,
            all: Lit<6, 32>,
            bit_zero: Lit<32, 1>,
            nothing: Constant<Launch>,
        }
        children {
            queues: WorkQueues,
            suspended: PendingPool,
            promised: Register<U<6>>,
        }
        state { following: usize = 0 }
    }
}

impl KernelAdmission {
    /// Of a scheduler in which kernels follow others.
    pub fn following() -> Self {
        Self { follows: Signal::of(false), following: 1, ..Self::new() }
    }
}

impl Logic for KernelAdmission {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.queues.control);
        Control::link(&mut self.control, &mut self.suspended.control);
        Control::link(&mut self.control, &mut self.promised.control);

        // A record that arrives goes first: its entry was promised.
        self.inspect.next = self.queues.inspect.val();
        self.asked.next =
            self.queues.inspect.val() & (self.bit_zero.val() << self.work_queue.val());
        self.may_come.next = self.asked.val().any();
        for _is in 0..self.following {
            self.may_come.next = self.asked.val().any() | self.follows.val();
        }
        self.host_ready.next = self.may_come.val()
            & !self.record.val().valid
            & (self.promised.q.val() != self.all.val());
        self.accepts.next = self.launch.val().valid
            & self.may_come.val()
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
        self.suspended.push.next = self.suspend.val();
        self.with_host.next = self.promised.q.val();
        if self.accepts.val() {
            self.with_host.next = self.promised.q.val() + self.one.val();
        }
        self.free.next = self.with_host.val() != self.all.val();
        self.suspended.pop.next = self.free.val() & self.suspended.any.val();
        self.fetch_suspended.next = self.free.val() & self.suspended.any.val();
        self.suspended_index.next = self.suspended.first.val();
        self.device_turn.next = self.free.val() & !self.suspended.any.val();
        self.fetch_device.next =
            self.free.val() & !self.suspended.any.val() & self.device_waits.val();
        self.fetches.next = self.free.val() & (self.suspended.any.val() | self.device_waits.val());

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
