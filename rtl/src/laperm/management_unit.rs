//! The Kernel Management Unit with pools that belong to SMXs.

use super::{BoundPools, Place};
use crate::kmu::{KernelAdmission, ManagementPorts};
use crate::port::Launch;
use crate::prelude::*;

hdl_module! {
    /// The Kernel Management Unit of LaPerm (section IV-C): device kernels wait in `queues` times L
    /// pools, and the unit looks for the next one queue by queue, level by level.
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
        bundles {
            management_ports: ManagementPorts,
        }
        inputs {
            /// The host offers the head of a queue.
            launch: Signal<In, Launch>,
            /// Which pool; valid with `device_launch`.
            device_place: Signal<In, Place> = Signal::of(Place::none(smxs)),
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
            /// Which pool; zero for a suspended kernel and when not `fetch_record`.
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
        self.admission.work_queue.next = self.management_ports.work_queue.val();
        self.admission.suspend.next = self.management_ports.suspend.val();
        self.admission.record.next = self.record.val();
        self.admission.finished_kernels.next = self.finished_kernels.val();
        self.admission.launch_entry.next = self.launch_entry.val();
        self.offer.next = self.admission.offer.val();
        self.host_ready.next = self.admission.host_ready.val();
        self.management_ports.inspect.next = self.admission.inspect.val();

        self.pools.put.next = self.management_ports.device_launch.val();
        self.pools.place.next = self.device_place.val();
        self.pools.search.next = self.admission.device_turn.val();
        self.admission.device_waits.next = self.pools.found.val();
        self.management_ports.fetch_record.next =
            self.admission.fetch_suspended.val() | self.pools.found.val();
        self.management_ports.fetch_suspended.next = self.admission.fetch_suspended.val();
        self.management_ports.fetch_index.next = self.nowhere.val();
        self.fetch_place.next = self.no_place.val();
        if self.pools.found.val() {
            self.management_ports.fetch_index.next = self.pools.index.val();
            self.fetch_place.next = self.pools.found_place.val();
        }
        if self.admission.fetch_suspended.val() {
            self.management_ports.fetch_index.next = self.admission.suspended_index.val();
        }
    }
}
