//! The Kernel Management Unit with pools that belong to SMXs.

use super::{BoundPools, Place};
use crate::kmu::KernelAdmission;
use crate::port::Launch;
use crate::prelude::*;

hdl_module! {
    /// The Kernel Management Unit of LaPerm (section IV-C): device kernels wait in `queues` times L pools, and
    /// the unit looks for the next one queue by queue, level by level.
    ///
    /// ```text
    ///   launch, queue --> [ admission   ] --> inspect, host_ready, offer
    ///   record, suspend > [             ] --> fetch, fetch_suspended, fetch_index, fetch_place
    ///   device_launch --> [ bound_pools ] --^
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` | `offer` | 0, when `host_ready` |
    /// | `suspend` | `fetch` | 0, when an entry is not promised |
    /// | `device_launch` | `fetch`, nothing before it | 1 + L - level |
    /// | `record` | `offer` | 0 |
    ///
    /// Storage: that of its children.
    pub struct BoundManagementUnit (smxs: usize, queues: usize, levels: usize) clocked {
        inputs {
            /// The host offers the head of a queue.
            launch: Signal<In, Launch>,
            /// Which queue; valid with `launch`.
            work_queue: Signal<In, U<5>>,
            /// The record of a kernel that a block launches is put into its pool.
            device_launch: Signal<In, Bit>,
            /// Which pool; valid with `device_launch`.
            device_place: Signal<In, Place> = Signal::of(Place::none(smxs)),
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
            /// Which pool; zero for a suspended kernel and when not `fetch`.
            fetch_place: Signal<Out, Place> = Signal::of(Place::none(smxs)),
        }
        constants {
            nowhere: Lit<32, 0>,
            no_place: Constant<Place> = Constant::new(Place::none(smxs)),
        }
        children {
            admission: KernelAdmission,
            pools: BoundPools = BoundPools::new(smxs, queues, levels),
        }
    }
}

impl Logic for BoundManagementUnit {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.admission.control);
        Control::link(&mut self.control, &mut self.pools.control);
        self.admission.launch.next = self.launch.val();
        self.admission.work_queue.next = self.work_queue.val();
        self.admission.suspend.next = self.suspend.val();
        self.admission.record.next = self.record.val();
        self.admission.finished_kernels.next = self.finished_kernels.val();
        self.admission.launch_entry.next = self.launch_entry.val();
        self.offer.next = self.admission.offer.val();
        self.host_ready.next = self.admission.host_ready.val();
        self.inspect.next = self.admission.inspect.val();

        self.pools.put.next = self.device_launch.val();
        self.pools.place.next = self.device_place.val();
        self.pools.search.next = self.admission.device_turn.val();
        self.admission.device_waits.next = self.pools.found.val();
        self.fetch.next = self.admission.fetch_suspended.val() | self.pools.found.val();
        self.fetch_suspended.next = self.admission.fetch_suspended.val();
        self.fetch_index.next = self.nowhere.val();
        self.fetch_place.next = self.no_place.val();
        if self.pools.found.val() {
            self.fetch_index.next = self.pools.index.val();
            self.fetch_place.next = self.pools.found_place.val();
        }
        if self.admission.fetch_suspended.val() {
            self.fetch_index.next = self.admission.suspended_index.val();
        }
    }
}
