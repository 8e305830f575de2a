//! `ikra/steal(nesting=L)`.

use super::nested_smxs::{FourLevelSmxs, TwoLevelSmxs};
use super::running_kernels::RunningKernels;
use crate::gate::{GateKind, SamplePorts};
use crate::kmu::ManagementPorts;
use crate::laperm::{BoundManagementUnit, Division, ParentPorts, Place, Placement};
use crate::port::{Dispatch, Launch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::schedulers::scheduler_modules;

/// A whole scheduler for a number of nesting levels.
macro_rules! nested_scheduler {
    ($(#[$meta:meta])* $name:ident, $smxs:ident, levels: $levels:literal) => {
        hdl_module! {
            $(#[$meta])*
            ///
            /// ```text
            ///   launch, record --> [management_unit] --offer--> [running_kernels] --begins, child--> [smxs] --> dispatch
            ///   device_launch ---> [placement      ] --pool-->        ^ ^ spent, child_ends            | ^ finished
            ///                                                         | +------------------------------+
            ///                                                         +-- dispatched, finished
            /// ```
            ///
            /// | from | to | cycles |
            /// | --- | --- | --- |
            /// | `launch` accepted | first `dispatch`, chunks kept or assigned | 2 or 65 |
            /// | `record` | first `dispatch`, nobody at its home and level | 2 |
            /// | `device_launch` | `fetch_record`, nothing before it | levels - level |
            /// | `finished` | refill by `dispatch` | 0 |
            /// | last `finished` | `finished_kernels` | 1 |
            /// | nothing left here | a stolen block's `dispatch` | 2, and for each refusal |
            ///
            /// Storage: that of its children.
            pub struct $name (smxs: usize, limits: Limits, entries: usize, gates: &[GateKind]) clocked {
                bundles {
                    launch_ports: LaunchPorts,
                    lookup_ports: LookupPorts,
                    sample_ports: SamplePorts = SamplePorts::of(smxs, gates),
                    management_ports: ManagementPorts,
                    parent_ports: ParentPorts = ParentPorts::new(smxs),
                }
                inputs {
                    /// A kernel from one of the pools arrives, and is accepted.
                    record: Signal<In, Launch>,
                    /// One bit for each SMX: a block ends there in this cycle.
                    finished: Signal<In, Mask> = Signal::mask(smxs),
                    /// Whose block it is; valid with its bit of `finished`.
                    finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
                }
                outputs {
                    /// One bit for each entry whose kernel has ended; one cycle long.
                    finished_kernels: Signal<Out, U<32>>,
                    /// For each SMX, the block that it receives in this cycle.
                    dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
                }
                locals {
                    arrived: Signal<Local, Place> = Signal::of(Place::none(smxs)),
                    arrived_level: Signal<Local, U<4>>,
                }
                constants {
                    no_place: Constant<Place> = Constant::new(Place::none(smxs)),
                }
                children {
                    management: BoundManagementUnit = BoundManagementUnit::new(smxs, smxs, $levels - 1),
                    launch_pool: Placement =
                        Placement::new(smxs, Division { cluster: 1, levels: $levels - 1 }),
                    kernels: RunningKernels = RunningKernels::new(smxs),
                    smxs: $smxs = $smxs::new(smxs, limits, entries, gates),
                }
                state { count: usize = smxs }
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                Control::link(&mut self.control, &mut self.management.control);
                Control::link(&mut self.control, &mut self.kernels.control);
                Control::link(&mut self.control, &mut self.smxs.control);

                // The Kernel Management Unit: a device kernel belongs to the SMX of the block that
                // launches it.
                self.management.launch.next = self.launch_ports.launch.val();
                ManagementPorts::link(&mut self.management_ports, &mut self.management.management_ports);
                self.launch_pool.parent.next = self.parent_ports.launch_parent.val();
                self.management.device_place.next = self.launch_pool.place.val();
                self.parent_ports.launch_place.next = self.no_place.val();
                if self.management_ports.device_launch.val() {
                    self.parent_ports.launch_place.next = self.launch_pool.place.val();
                }
                self.management.record.next = self.record.val();
                self.management.finished_kernels.next = self.kernels.finished_kernels.val();
                self.management.launch_entry.next = self.kernels.launch_entry.val();
                self.launch_ports.launch_ready.next = self.management.host_ready.val();
                self.launch_ports.launch_entry.next = self.kernels.launch_entry.val();
                self.parent_ports.fetch_place.next = self.management.fetch_place.val();

                // The kernels. A record goes before the host's kernel.
                self.arrived.next = self.no_place.val();
                if self.record.val().valid {
                    self.arrived.next = self.parent_ports.record_place.val();
                }
                self.kernels.launch.next = self.management.offer.val();
                self.kernels.home.next = self.arrived.val().queue;
                self.arrived_level.next = self.arrived.val().level;
                self.kernels.level.next = self.arrived_level.val().get_bits::<2>(0);
                LookupPorts::link(&mut self.lookup_ports, &mut self.kernels.lookup_ports);
                self.finished_kernels.next = self.kernels.finished_kernels.val();
                self.kernels.finished.next = self.finished.val();
                self.kernels.chunks_ready.next = self.smxs.ready.val();
                self.kernels.spent.next = self.smxs.spent.val();
                self.kernels.filled.next = self.smxs.filled.val();
                self.kernels.child_begins.next = self.smxs.child_begins.val();
                self.kernels.child_ends.next = self.smxs.child_ends.val();

                // The SMXs.
                self.smxs.assigns.next = self.kernels.assigns.val();
                self.smxs.begins.next = self.kernels.begins.val();
                self.smxs.load.next = self.kernels.load.val();
                self.smxs.head.next = self.kernels.head.val();
                self.smxs.kernel.next = self.kernels.kernel.val();
                self.smxs.child.next = self.kernels.child.val();
                self.smxs.finished.next = self.finished.val();
                self.smxs.resident.next = self.kernels.resident.val();
                for i in 0..self.count {
                    self.kernels.finished_kernel[i].next = self.finished_kernel[i].val();
                    self.kernels.dispatched[i].next = self.smxs.started[i].val();
                    self.smxs.freed[i].next = self.kernels.freed[i].val();
                    self.dispatch[i].next = self.smxs.dispatch[i].val();
                }
                SamplePorts::link(&mut self.sample_ports, &mut self.smxs.sample_ports);
            }
        }
    };
}

nested_scheduler!(
    /// Chunks and steal queues of two levels, the host's kernels and what their blocks launch
    /// (IKRA, section 8; rules 20 to 28 of `docs/ikra.md`).
    TwoLevelScheduler, TwoLevelSmxs, levels: 2
);
nested_scheduler!(
    /// Chunks and steal queues of four levels, the host's kernels and three of device kernels
    /// (IKRA, section 8; rules 20 to 28 of `docs/ikra.md`).
    FourLevelScheduler, FourLevelSmxs, levels: 4
);

scheduler_modules! { TwoLevelScheduler { native kernels management parents } }

scheduler_modules! { FourLevelScheduler { native kernels management parents } }
