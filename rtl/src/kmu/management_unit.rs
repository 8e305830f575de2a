//! The Kernel Management Unit.

use super::{KernelAdmission, ManagementPorts, PendingPool};
use crate::port::Launch;
use crate::prelude::*;

hdl_module! {
    /// Dispatches kernels of the host, of the SMXs and suspended ones to the Kernel Distributor
    /// (DTBL, section 2.2).
    ///
    /// ```text
    ///   launch, queue --> [ admission      ] --> inspect, host_ready, offer
    ///   record, suspend > [                ] --> fetch, fetch_suspended, fetch_index
    ///   device_launch --> [ pool of device ] --^
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` | `offer` | 0, when `host_ready` |
    /// | `device_launch`, `suspend` | `fetch` | 0, when an entry is not promised |
    /// | `record` | `offer` | 0 |
    /// | `finished_kernels` | an entry that can be promised again | 1 |
    ///
    /// Storage: that of its children.
    pub struct ManagementUnit clocked {
        bundles {
            management_ports: ManagementPorts,
        }
        inputs {
            /// The host offers the head of a queue.
            launch: Signal<In, Launch>,
            /// A record that was fetched arrives; an entry is free for it.
            record: Signal<In, Launch>,
            /// One bit for each entry whose kernel has ended.
            finished_kernels: Signal<In, U<32>>,
            /// The entry that an offered kernel takes.
            launch_entry: Signal<In, U<5>>,
            /// The kernel of `launch` follows the one that its queue waits for; only where kernels
            /// do.
            follows: Signal<In, Bit> = Signal::optional(false, false),
        }
        outputs {
            /// What goes to the Kernel Distributor, which accepts it.
            offer: Signal<Out, Launch>,
            /// The host's kernel is accepted if it is offered.
            host_ready: Signal<Out, Bit>,
        }
        constants {
            nowhere: Lit<32, 0>,
        }
        children {
            admission: KernelAdmission,
            device: PendingPool,
        }
        state { following: usize = 0 }
    }
}

impl ManagementUnit {
    /// Of a scheduler in which kernels follow others.
    pub fn following() -> Self {
        Self {
            follows: Signal::of(false),
            admission: KernelAdmission::following(),
            following: 1,
            ..Self::new()
        }
    }
}

impl Logic for ManagementUnit {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.admission.control);
        Control::link(&mut self.control, &mut self.device.control);
        self.admission.launch.next = self.launch.val();
        self.admission.work_queue.next = self.management_ports.work_queue.val();
        self.admission.suspend.next = self.management_ports.suspend.val();
        self.admission.record.next = self.record.val();
        self.admission.finished_kernels.next = self.finished_kernels.val();
        self.admission.launch_entry.next = self.launch_entry.val();
        for _is in 0..self.following {
            self.admission.follows.next = self.follows.val();
        }
        self.offer.next = self.admission.offer.val();
        self.host_ready.next = self.admission.host_ready.val();
        self.management_ports.inspect.next = self.admission.inspect.val();

        self.device.push.next = self.management_ports.device_launch.val();
        self.admission.device_waits.next = self.device.any.val();
        self.device.pop.next = self.admission.fetch_device.val();
        self.management_ports.fetch_record.next =
            self.admission.fetch_suspended.val() | self.admission.fetch_device.val();
        self.management_ports.fetch_suspended.next = self.admission.fetch_suspended.val();
        self.management_ports.fetch_index.next = self.nowhere.val();
        if self.admission.fetch_device.val() {
            self.management_ports.fetch_index.next = self.device.first.val();
        }
        if self.admission.fetch_suspended.val() {
            self.management_ports.fetch_index.next = self.admission.suspended_index.val();
        }
    }
}
