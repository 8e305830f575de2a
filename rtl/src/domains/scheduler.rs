//! `domains`.

use super::{Domain, Policy};
use crate::gate::{GateKind, GatePorts, SamplePorts};
use crate::kmu::{kmu_scheduler, ManagementPorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::schedulers::scheduler_modules;

/// Where a domain is. In the `state` of a module the numbers are the ends of loops.
#[derive(Clone, Copy)]
struct Place {
    /// Its first SMX.
    first: usize,
    /// One more if there is such a domain: a loop from `first` on runs once or not at all, and
    /// knows the number.
    behind: usize,
    /// How many SMXs it has.
    smxs: usize,
    /// 1 if its gates look at samples, else 0.
    samples: usize,
    /// SMXs whose counts they look at.
    sampled: usize,
    /// SMXs that they tell how many blocks may run.
    limited: usize,
}

impl Place {
    /// Of domain `number` of those with these numbers of SMXs.
    fn of(sizes: &[usize], number: usize, gates: &[GateKind]) -> Self {
        let first = sizes.iter().take(number).sum();
        let size = sizes.get(number);
        let smxs = size.map_or(0, |&smxs| smxs);
        let GatePorts { sampled, limited, .. } = GatePorts::of(smxs, gates);
        Self {
            first,
            behind: first + usize::from(size.is_some()),
            smxs,
            samples: usize::from(sampled != 0),
            sampled,
            limited,
        }
    }
}

/// Domain `number` of those with these numbers of SMXs, or nothing in its place.
fn placed(
    sizes: &[usize],
    number: usize,
    limits: Limits,
    policy: Policy,
    gates: &[GateKind],
) -> Optional<Domain> {
    let smxs = sizes.get(number);
    Optional::new(smxs.map(|&smxs| Domain::new(sizes.len(), number, smxs, limits, policy, gates)))
}

/// SMXs in all.
fn smxs(sizes: &[usize]) -> usize {
    sizes.iter().sum()
}

/// The scheduler over domains that have names and do not stand in a row: a port in number of a
/// module in number does not translate. The first one, which there always is, answers for all.
macro_rules! domain_scheduler {
    ($first:ident, $($domain:ident $place:ident $number:literal),*) => {
        hdl_module! {
            /// A [`Domain`] for each of `sizes`, 1 to 8, which says how many SMXs each has, in
            /// order. All of them accept a kernel together, into the same entry, and it has ended
            /// when it has in each.
            ///
            /// ```text
            ///   launch, finished --> [ each domain ] --> dispatch
            ///                          |       ^ ended
            ///         finished_kernels +-( & )-+--> finished_kernels
            /// ```
            ///
            /// Latency: a domain's. Gates that count credits do not go over it. Storage: that of
            /// its children.
            pub struct DomainScheduler
            (sizes: &[usize], limits: Limits, policy: Policy, gates: &[GateKind]) clocked {
                bundles {
                    launch_ports: LaunchPorts,
                    lookup_ports: LookupPorts,
                    sample_ports: SamplePorts = SamplePorts::of(smxs(sizes), gates),
                }
                inputs {
                    /// One bit for each SMX: a block ends there in this cycle.
                    finished: Signal<In, Mask> = Signal::mask(smxs(sizes)),
                    /// Whose block it is; valid with its bit of `finished`.
                    finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs(sizes), U::new(0)),
                }
                outputs {
                    /// For each SMX, the block that it receives in this cycle.
                    dispatch: Vec<Signal<Out, Dispatch>> =
                        Signal::each(smxs(sizes), Dispatch::default()),
                    /// One bit for each entry whose kernel has ended; one cycle long.
                    finished_kernels: Signal<Out, U<32>>,
                }
                locals {
                    ended: Signal<Local, U<32>>,
                }
                children {
                    $($domain: Optional<Domain> = placed(sizes, $number, limits, policy, gates),)*
                }
                state {
                    gate_ports: GatePorts = GatePorts::of(smxs(sizes), gates),
                    $($place: Place = Place::of(sizes, $number, gates),)*
                }
            }
        }

        impl Logic for DomainScheduler {
            #[hdl_gen]
            fn update(&mut self) {
                self.launch_ports.launch_ready.next = self.$first.launch_ports.launch_ready.val();
                self.launch_ports.launch_entry.next = self.$first.launch_ports.launch_entry.val();
                self.lookup_ports.context_valid.next = self.$first.lookup_ports.context_valid.val();
                self.lookup_ports.kernel_context.next =
                    self.$first.lookup_ports.kernel_context.val();
                self.ended.next = self.$first.finished_kernels.val();
                $(
                    for at in self.$place.first..self.$place.behind {
                        Control::link(&mut self.control, &mut self.$domain.control);
                        self.$domain.launch_ports.launch.next = self.launch_ports.launch.val();
                        self.$domain.lookup_ports.lookup.next = self.lookup_ports.lookup.val();
                        for i in 0..self.$place.smxs {
                            self.$domain.finished[i].next = self.finished.val().get_bit(at + i);
                            self.$domain.finished_kernel[i].next =
                                self.finished_kernel[at + i].val();
                            self.dispatch[at + i].next = self.$domain.dispatch[i].val();
                        }
                        for _is in 0..self.$place.samples {
                            self.$domain.sample_ports.sample.next = self.sample_ports.sample.val();
                        }
                        for i in 0..self.$place.sampled {
                            self.$domain.sample_ports.idle[i].next =
                                self.sample_ports.idle[at + i].val();
                            self.$domain.sample_ports.memory[i].next =
                                self.sample_ports.memory[at + i].val();
                        }
                        for i in 0..self.$place.limited {
                            self.sample_ports.running_limit[at + i].next =
                                self.$domain.sample_ports.running_limit[i].val();
                        }
                        self.ended.next =
                            self.ended.val() & self.$domain.finished_kernels.val();
                    }
                )*
                $(
                    for _at in self.$place.first..self.$place.behind {
                        self.$domain.ended.next = self.ended.val();
                    }
                )*
                self.finished_kernels.next = self.ended.val();
            }
        }
    };
}

domain_scheduler! {
    domain_0,
    domain_0 place_0 0,
    domain_1 place_1 1,
    domain_2 place_2 2,
    domain_3 place_3 3,
    domain_4 place_4 4,
    domain_5 place_5 5,
    domain_6 place_6 6,
    domain_7 place_7 7
}

scheduler_modules! { DomainScheduler { native kernels } }

kmu_scheduler! {
    #[hdl_gen]
    DomainCdpScheduler(self) over DomainScheduler
}
