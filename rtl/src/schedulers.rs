//! Whole schedulers for a number of SMXs that is known at run time.
//!
//! A module's number of SMXs is part of its type. Every type is instantiated here, once, so that
//! the crates that use the schedulers compile without them.

mod priority;

pub use concurrent::{mpmax, srtf};
pub use priority::{laperm, PriorityInputs, PriorityOutputs, LAPERM_SMX};
pub use reuse::{
    ikra_chunk, ikra_nested, ikra_related, ikra_static, ikra_steal, NESTED_SMX, RELATED_SMX,
};

use crate::claso::{Levels, RoundRobinClasoScheduler};
use crate::dispatch::{
    Context, Dispatch, Launch, Limits, RestartingScheduler, RoundRobinScheduler,
};
use crate::dtbl::{
    Command, DtblClasoScheduler, DtblScheduler, FetchedGroup, Group, GroupDispatch, GroupState,
    LinkWrite, Outcome,
};
use crate::dyncta::{RoundRobinDynctaClasoScheduler, RoundRobinDynctaScheduler, Thresholds};
use crate::gpgpusim::GpgpuSimScheduler;
use crate::ikra::{ChunkScheduler, RelatedScheduler, Relation, StaticScheduler, StealScheduler};
use crate::kmu::{CdpClasoScheduler, CdpScheduler};
use crate::module::Module;
use crate::prim::Tagged;
use crate::srtf::{AdaptiveScheduler, MpmaxScheduler, ShortestScheduler};
use crate::word::U;

/// Evaluates `$body` with the constant `$N` set to the value of `$count`, one of the numbers listed;
/// `None` for any other count.
macro_rules! with_count {
    ($count:expr, $N:ident => $body:expr; $($value:literal)*) => {
        match $count {
            $($value => {
                const $N: usize = $value;
                Some($body)
            })*
            _ => None,
        }
    };
}

/// As `with_count`, for 1 to 32.
macro_rules! with_every_count {
    ($count:expr, $N:ident => $body:expr) => {
        with_count!($count, $N => $body;
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
    };
}

/// As `with_count`, for [`PAPER_SMX`].
#[cfg(not(feature = "every-smx-count"))]
macro_rules! with_paper_count {
    ($count:expr, $N:ident => $body:expr) => {
        with_count!($count, $N => $body; 1 2 3 4 8 13 14 15 16)
    };
}

#[cfg(feature = "every-smx-count")]
macro_rules! with_paper_count {
    ($($all:tt)*) => {
        with_every_count!($($all)*)
    };
}

/// One to 32.
const EVERY: [usize; 32] = {
    let mut counts = [0; 32];
    let mut place = 0;
    while place < counts.len() {
        counts[place] = place + 1;
        place += 1;
    }
    counts
};

/// Numbers of SMXs for which `rr-gpgpusim`, `rr` and what is built over it are there.
pub const EVERY_SMX: &[usize] = &EVERY;

/// Numbers of SMXs for which IKRA, its baseline, and SRTF are built; all of [`EVERY_SMX`] with the
/// feature `every-smx-count`.
pub const PAPER_SMX: &[usize] =
    if cfg!(feature = "every-smx-count") { EVERY_SMX } else { &[1, 2, 3, 4, 8, 13, 14, 15, 16] };

// Behind the macros that they use.
mod concurrent;
mod reuse;

/// A whole scheduler in hardware: a top module with the ports of the cycle contract.
pub trait SchedulerModule: Module {
    /// The same as a plain module.
    fn as_module(&self) -> &dyn Module;
    /// SMXs that it serves.
    fn smx(&self) -> usize;
    /// Drives the launch port.
    fn set_launch(&mut self, launch: Launch);
    /// Drives the lookup port.
    fn set_lookup(&mut self, lookup: Tagged);
    /// Drives the completion port of one SMX.
    fn set_finished_kernel(&mut self, smx: usize, entry: U<5>);
    /// Drives the valid bits of the completion ports, bit `s` for SMX `s`.
    fn set_finished(&mut self, mask: u64);
    /// Drives the port that says that the counts of all SMXs are valid; schedulers that sample
    /// nothing have no such port.
    fn set_sample(&mut self, _valid: bool) {}
    /// Drives the counts of one SMX: idle cycles, and cycles in which it waited for memory.
    fn set_counts(&mut self, _smx: usize, _idle: U<12>, _memory: U<12>) {}
    /// Drives what the Kernel Management Unit sees: the queue of the launch port, whether a device
    /// kernel and a suspended kernel join their pools, and the record that arrives. Schedulers without
    /// one have no such ports; the same holds for what follows.
    fn set_management(&mut self, _queue: U<5>, _device: bool, _suspend: bool, _record: Launch) {}
    /// Drives the relation of the launch port to an earlier kernel; schedulers that follow none have no
    /// such port.
    fn set_relation(&mut self, _relation: Relation) {}
    /// Drives the number of the cycle; schedulers that measure no time have no such port.
    fn set_clock(&mut self, _cycle: U<40>) {}
    /// Drives the slot of the block that ends on one SMX.
    fn set_finished_slot(&mut self, _smx: usize, _slot: U<5>) {}
    /// Drives the group of the lookup port.
    fn set_lookup_group(&mut self, _group: U<32>) {}
    /// Drives the coalescer's ports and the information that was fetched.
    fn set_groups(&mut self, _command: Command, _group: Group, _fetched: FetchedGroup) {}
    /// Drives the ports of priority queues; schedulers without them have no such ports.
    fn set_priority(&mut self, _inputs: PriorityInputs) {}
    /// What priority queues say; `None` without them.
    fn priority(&self) -> Option<PriorityOutputs> {
        None
    }
    /// What the Kernel Management Unit asks of its queues and pools; `None` without one.
    fn management(&self) -> Option<ManagementOutputs> {
        None
    }
    /// What becomes of groups; `None` without an Aggregated Group Table.
    fn groups(&self) -> Option<GroupOutputs> {
        None
    }
    /// What is stored of kernels and groups after the last clock edge; `None` without a table of groups.
    fn group_state(&self) -> Option<&dyn GroupState> {
        None
    }
    /// Slot and group of the dispatch port of one SMX.
    fn placed(&self, _smx: usize) -> (U<5>, U<32>) {
        (U::new(0), U::wrap(u64::MAX))
    }
    /// The free entry, if there is one.
    fn launch_ready(&self) -> (bool, U<5>);
    /// The dispatch port of one SMX.
    fn dispatch(&self, smx: usize) -> Dispatch;
    /// One bit for each entry that has ended.
    fn finished_kernels(&self) -> u64;
    /// Answer of the lookup port.
    fn context(&self) -> (bool, Context);
}

/// Outputs of the Kernel Management Unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManagementOutputs {
    /// One bit for each hardware work queue: its head may be offered.
    pub inspect: u64,
    /// A record is asked for.
    pub fetch: bool,
    /// From the pool of suspended kernels.
    pub fetch_suspended: bool,
    /// Its place in the pool.
    pub fetch_index: u64,
}

/// Outputs that concern aggregated groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupOutputs {
    /// A command offered now is accepted.
    pub command_ready: bool,
    /// What becomes of the group that is offered.
    pub outcome: Outcome,
    /// A group's information is asked for at this pointer.
    pub fetch: Option<U<31>>,
    /// A link that memory keeps.
    pub link_write: LinkWrite,
}

macro_rules! scheduler_module {
    ($($module:ident { $($extra:tt)* })*) => {$(
        impl<const N: usize> SchedulerModule for $module<N> {
            fn as_module(&self) -> &dyn Module {
                self
            }
            fn smx(&self) -> usize {
                N
            }
            fn set_launch(&mut self, launch: Launch) {
                self.launch.next = launch;
            }
            fn set_lookup(&mut self, lookup: Tagged) {
                self.lookup.next = lookup;
            }
            fn set_finished(&mut self, mask: u64) {
                self.finished.next = U::new(mask);
            }
            scheduler_module!(@blocks $($extra)*);
            $(scheduler_module!(@$extra);)*
            fn launch_ready(&self) -> (bool, U<5>) {
                (self.launch_ready.val(), self.launch_entry.val())
            }
            fn finished_kernels(&self) -> u64 {
                self.finished_kernels.val().raw()
            }
            fn context(&self) -> (bool, Context) {
                (self.context_valid.val(), self.kernel_context.val())
            }
        }
    )*};
    (@blocks groups $($extra:ident)*) => {
        fn set_finished_kernel(&mut self, _smx: usize, _entry: U<5>) {}
        fn dispatch(&self, smx: usize) -> Dispatch {
            let GroupDispatch { valid, register } = self.dispatch[smx].val();
            Dispatch { valid, kernel: register.kernel, block: register.block }
        }
    };
    (@blocks one_kernel $(related)?) => {
        fn set_finished_kernel(&mut self, _smx: usize, _entry: U<5>) {}
        fn dispatch(&self, smx: usize) -> Dispatch {
            self.dispatch[smx].val()
        }
    };
    (@blocks $($extra:ident)*) => {
        fn set_finished_kernel(&mut self, smx: usize, entry: U<5>) {
            self.finished_kernel[smx].next = entry;
        }
        fn dispatch(&self, smx: usize) -> Dispatch {
            self.dispatch[smx].val()
        }
    };
    (@one_kernel) => {};
    (@related) => {
        fn set_relation(&mut self, relation: Relation) {
            self.relation.next = relation;
        }
    };
    (@timed) => {
        fn set_clock(&mut self, cycle: U<40>) {
            self.now.next = cycle;
        }
        fn set_finished_slot(&mut self, smx: usize, slot: U<5>) {
            self.finished_slot[smx].next = slot;
        }
        fn placed(&self, smx: usize) -> (U<5>, U<32>) {
            (self.slot[smx].val(), U::wrap(u64::MAX))
        }
    };
    (@samples) => {
        fn set_sample(&mut self, valid: bool) {
            self.sample.next = valid;
        }
        fn set_counts(&mut self, smx: usize, idle: U<12>, memory: U<12>) {
            self.idle[smx].next = idle;
            self.memory[smx].next = memory;
        }
    };
    (@management) => {
        fn set_management(&mut self, queue: U<5>, device: bool, suspend: bool, record: Launch) {
            self.work_queue.next = queue;
            self.device_launch.next = device;
            self.suspend.next = suspend;
            self.record.next = record;
        }
        fn management(&self) -> Option<ManagementOutputs> {
            Some(ManagementOutputs {
                inspect: self.inspect.val().raw(),
                fetch: self.fetch_record.val(),
                fetch_suspended: self.fetch_suspended.val(),
                fetch_index: self.fetch_index.val().raw(),
            })
        }
    };
    (@groups) => {
        fn set_finished_slot(&mut self, smx: usize, slot: U<5>) {
            self.finished_slot[smx].next = slot;
        }
        fn set_lookup_group(&mut self, group: U<32>) {
            self.lookup_group.next = group;
        }
        fn set_groups(&mut self, command: Command, group: Group, fetched: FetchedGroup) {
            self.command.next = command;
            self.group.next = group;
            self.fetched.next = fetched;
        }
        fn groups(&self) -> Option<GroupOutputs> {
            Some(GroupOutputs {
                command_ready: self.command_ready.val(),
                outcome: self.outcome.val(),
                fetch: self.fetch_group.val().then(|| self.fetch_pointer.val()),
                link_write: self.link_write.val(),
            })
        }
        fn group_state(&self) -> Option<&dyn GroupState> {
            Some(self.state())
        }
        fn placed(&self, smx: usize) -> (U<5>, U<32>) {
            (self.slot[smx].val(), self.dispatch[smx].val().register.group)
        }
    };
}
scheduler_module! {
    RoundRobinScheduler {}
    RestartingScheduler {}
    RoundRobinClasoScheduler {}
    RoundRobinDynctaScheduler { samples }
    RoundRobinDynctaClasoScheduler { samples }
    GpgpuSimScheduler {}
    CdpScheduler { management }
    CdpClasoScheduler { management }
    DtblScheduler { groups management }
    DtblClasoScheduler { groups management }
    ChunkScheduler { one_kernel }
    StaticScheduler { one_kernel }
    StealScheduler { one_kernel }
    RelatedScheduler { one_kernel related }
    MpmaxScheduler {}
    ShortestScheduler { timed }
    AdaptiveScheduler { timed }
}

/// `rr`, connected; `None` unless `smx` is one of [`EVERY_SMX`].
pub fn round_robin(smx: usize, limits: Limits) -> Option<Box<dyn SchedulerModule>> {
    with_every_count!(smx, N => boxed(RoundRobinScheduler::<N>::new(limits)))
}

/// `rr(start=last-finished)`, IKRA's baseline, connected; `None` unless `smx` is one of [`PAPER_SMX`].
pub fn round_robin_restarting(smx: usize, limits: Limits) -> Option<Box<dyn SchedulerModule>> {
    with_paper_count!(smx, N => boxed(RestartingScheduler::<N>::new(limits)))
}

/// `rr+claso`, connected; `None` unless `smx` is one of [`EVERY_SMX`].
pub fn round_robin_claso(
    smx: usize,
    limits: Limits,
    levels: Levels,
) -> Option<Box<dyn SchedulerModule>> {
    with_every_count!(smx, N => boxed(RoundRobinClasoScheduler::<N>::new(limits, levels)))
}

/// `rr+dyncta`, connected; `None` unless `smx` is one of [`EVERY_SMX`].
pub fn round_robin_dyncta(
    smx: usize,
    limits: Limits,
    thresholds: Thresholds,
) -> Option<Box<dyn SchedulerModule>> {
    with_every_count!(smx, N => boxed(RoundRobinDynctaScheduler::<N>::new(limits, thresholds)))
}

/// `rr+dyncta+claso`, connected; `None` unless `smx` is one of [`EVERY_SMX`].
pub fn round_robin_dyncta_claso(
    smx: usize,
    limits: Limits,
    thresholds: Thresholds,
    levels: Levels,
) -> Option<Box<dyn SchedulerModule>> {
    with_every_count!(smx, N => boxed(RoundRobinDynctaClasoScheduler::<N>::new(limits, thresholds, levels)))
}

/// `rr-gpgpusim`, connected; `None` unless `smx` is one of [`EVERY_SMX`].
pub fn gpgpusim(smx: usize, limits: Limits) -> Option<Box<dyn SchedulerModule>> {
    with_every_count!(smx, N => boxed(GpgpuSimScheduler::<N>::new(limits)))
}

/// `rr --launch cdp`, connected; `None` unless `smx` is one of [`EVERY_SMX`].
pub fn cdp(smx: usize, limits: Limits) -> Option<Box<dyn SchedulerModule>> {
    with_every_count!(smx, N => boxed(CdpScheduler::<N>::new(limits)))
}

/// `rr+claso --launch cdp`, connected; `None` unless `smx` is one of [`EVERY_SMX`].
pub fn cdp_claso(smx: usize, limits: Limits, levels: Levels) -> Option<Box<dyn SchedulerModule>> {
    with_every_count!(smx, N => boxed(CdpClasoScheduler::<N>::new(limits, levels)))
}

/// `rr --launch dtbl` for SMXs of at most 32 slots and an Aggregated Group Table of `table` entries,
/// connected; `None` unless `smx` is one of [`EVERY_SMX`].
pub fn dtbl(smx: usize, limits: Limits, table: usize) -> Option<Box<dyn SchedulerModule>> {
    with_every_count!(smx, N => boxed(DtblScheduler::<N>::new(limits, table)))
}

/// `rr+claso --launch dtbl` for SMXs of at most 32 slots and an Aggregated Group Table of `table`
/// entries, connected; `None` unless `smx` is one of [`EVERY_SMX`].
pub fn dtbl_claso(
    smx: usize,
    limits: Limits,
    table: usize,
    levels: Levels,
) -> Option<Box<dyn SchedulerModule>> {
    with_every_count!(smx, N => boxed(DtblClasoScheduler::<N>::new(limits, table, levels)))
}

fn boxed<M: SchedulerModule + 'static>(mut module: M) -> Box<dyn SchedulerModule> {
    module.connect_all();
    Box::new(module)
}
