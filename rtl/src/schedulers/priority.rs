//! LaPerm's schedulers for numbers of SMXs and queues that are known at run time.

use super::{boxed, GroupOutputs, ManagementOutputs, SchedulerModule};
use crate::claso::Levels;
use crate::dispatch::{Context, Dispatch, Launch, Limits};
use crate::dtbl::{Command, FetchedGroup, Group, GroupDispatch, LinkWrite};
use crate::laperm::{
    EntryFetch, LinkedClasoScheduler, LinkedScheduler, Parent, Place, PriorityScheduler, Refill,
    ShiftingClasoScheduler, ShiftingScheduler, Spill,
};
use crate::module::Module;
use crate::prim::Tagged;
use crate::word::U;

/// What a scheduler with priority queues sees beside the other ports.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PriorityInputs {
    /// Who launches the device kernel.
    pub launch_parent: Parent,
    /// The pool of the record.
    pub record_place: Place,
    /// Who launches the group.
    pub group_parent: Parent,
    /// A unit that comes back from memory.
    pub refill: Refill,
}

/// What a scheduler with priority queues says beside the other ports.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PriorityOutputs {
    /// The pool of the device kernel.
    pub launch_place: Place,
    /// The record enters the Distributor.
    pub record_taken: bool,
    /// The pool of the record that is asked for.
    pub fetch_place: Place,
    /// The level of the block that is dispatched.
    pub level: U<4>,
    /// A unit is put into memory.
    pub spill: Spill,
    /// A unit in memory is asked for.
    pub fetch_entry: EntryFetch,
    /// The unit that comes back is taken.
    pub refill_taken: bool,
}

macro_rules! priority_module {
    ($($module:ident)*) => {$(
        impl<const N: usize, const C: usize> SchedulerModule for $module<N, C> {
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
            fn set_finished_kernel(&mut self, _smx: usize, _entry: U<5>) {}
            fn set_finished(&mut self, mask: u64) {
                self.finished.next = U::new(mask);
            }
            fn set_management(&mut self, queue: U<5>, device: bool, suspend: bool, record: Launch) {
                self.work_queue.next = queue;
                self.device_launch.next = device;
                self.suspend.next = suspend;
                self.record.next = record;
            }
            fn set_finished_slot(&mut self, smx: usize, slot: U<5>) {
                self.finished_slot[smx].next = slot;
            }
            fn set_lookup_group(&mut self, group: U<32>) {
                self.lookup_group.next = group;
            }
            fn set_groups(&mut self, command: Command, group: Group, _fetched: FetchedGroup) {
                self.command.next = command;
                self.group.next = group;
            }
            fn set_priority(&mut self, inputs: PriorityInputs) {
                self.launch_parent.next = inputs.launch_parent;
                self.record_place.next = inputs.record_place;
                self.group_parent.next = inputs.group_parent;
                self.refill.next = inputs.refill;
            }
            fn management(&self) -> Option<ManagementOutputs> {
                Some(ManagementOutputs {
                    inspect: self.inspect.val().raw(),
                    fetch: self.fetch_record.val(),
                    fetch_suspended: self.fetch_suspended.val(),
                    fetch_index: self.fetch_index.val().raw(),
                })
            }
            fn groups(&self) -> Option<GroupOutputs> {
                Some(GroupOutputs {
                    command_ready: self.command_ready.val(),
                    outcome: self.outcome.val(),
                    fetch: None,
                    link_write: LinkWrite::default(),
                })
            }
            fn priority(&self) -> Option<PriorityOutputs> {
                Some(PriorityOutputs {
                    launch_place: self.launch_place.val(),
                    record_taken: self.record_taken.val(),
                    fetch_place: self.fetch_place.val(),
                    level: self.level.val(),
                    spill: self.spill.val(),
                    fetch_entry: self.fetch_entry.val(),
                    refill_taken: self.refill_taken.val(),
                })
            }
            fn placed(&self, smx: usize) -> (U<5>, U<32>) {
                (self.slot[smx].val(), self.dispatch[smx].val().register.group)
            }
            fn launch_ready(&self) -> (bool, U<5>) {
                (self.launch_ready.val(), self.launch_entry.val())
            }
            fn dispatch(&self, smx: usize) -> Dispatch {
                let GroupDispatch { valid, register } = self.dispatch[smx].val();
                Dispatch { valid, kernel: register.kernel, block: register.block }
            }
            fn finished_kernels(&self) -> u64 {
                self.finished_kernels.val().raw()
            }
            fn context(&self) -> (bool, Context) {
                (self.context_valid.val(), self.kernel_context.val())
            }
        }
    )*};
}
priority_module! { ShiftingScheduler LinkedScheduler ShiftingClasoScheduler LinkedClasoScheduler }

/// Numbers of SMXs for which LaPerm is built: one queue for all, one for each, one for two.
pub const LAPERM_SMX: [usize; 9] = [1, 2, 3, 4, 8, 13, 14, 15, 16];

/// Evaluates `$body` with the constants `$N` and `$C` set to the values of `$smx` and `$queues`; `None`
/// for numbers that are not listed.
macro_rules! with_shape {
    ($smx:expr, $queues:expr, $N:ident, $C:ident => $body:expr) => {
        with_shape!(@match $smx, $queues, $N, $C, $body,
            (1, 1) (2, 1) (2, 2) (3, 1) (3, 2) (3, 3) (4, 1) (4, 2) (4, 4) (8, 1) (8, 4) (8, 8)
            (13, 1) (13, 7) (13, 13) (14, 1) (14, 7) (14, 14)
            (15, 1) (15, 8) (15, 15) (16, 1) (16, 8) (16, 16))
    };
    (@match $smx:expr, $queues:expr, $N:ident, $C:ident, $body:expr, $(($n:literal, $c:literal))*) => {
        match ($smx, $queues) {
            $(($n, $c) => {
                const $N: usize = $n;
                const $C: usize = $c;
                Some($body)
            })*
            _ => None,
        }
    };
}

/// LaPerm for `smx` SMXs, connected, over queues of linked lists (`linked`) or queues whose insertion moves
/// entries, with CLASO where `levels` are given; `None` unless `smx` is one of [`LAPERM_SMX`] and its
/// clusters hold one, two or all SMXs.
pub fn laperm(
    smx: usize,
    limits: Limits,
    parameters: PriorityScheduler,
    linked: bool,
    levels: Option<Levels>,
) -> Option<Box<dyn SchedulerModule>> {
    let queues = smx.div_ceil(parameters.division.cluster);
    match (linked, levels) {
        (false, None) => {
            with_shape!(smx, queues, N, C => boxed(ShiftingScheduler::<N, C>::new(limits, parameters)))
        }
        (true, None) => {
            with_shape!(smx, queues, N, C => boxed(LinkedScheduler::<N, C>::new(limits, parameters)))
        }
        (false, Some(levels)) => {
            with_shape!(smx, queues, N, C => boxed(ShiftingClasoScheduler::<N, C>::new(limits, parameters, levels)))
        }
        (true, Some(levels)) => {
            with_shape!(smx, queues, N, C => boxed(LinkedClasoScheduler::<N, C>::new(limits, parameters, levels)))
        }
    }
}
