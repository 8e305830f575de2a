//! IKRA's schedulers for numbers of SMXs that are known at run time.

#[cfg(doc)]
use super::PAPER_SMX;
use super::{boxed, ManagementOutputs, PriorityInputs, PriorityOutputs, SchedulerModule};
use crate::dispatch::{Context, Dispatch, Launch, Limits};
use crate::ikra::{
    ChunkScheduler, FourLevelScheduler, RelatedScheduler, StaticScheduler, StealScheduler,
    Stealing, TwoLevelScheduler, WhenFull,
};
use crate::module::Module;
use crate::prim::Tagged;
use crate::word::U;

/// Numbers of SMXs for which `ikra/steal(relations=on)` is built.
pub const RELATED_SMX: &[usize] = &[1, 3, 4, 15, 16];

/// Numbers of SMXs for which `ikra/steal(nesting=2)` and `(nesting=4)` are built.
pub const NESTED_SMX: &[usize] = &[1, 3, 4, 15, 16];

/// `ikra/chunk`, connected; `None` unless `smx` is one of [`PAPER_SMX`].
pub fn ikra_chunk(smx: usize, limits: Limits) -> Option<Box<dyn SchedulerModule>> {
    with_paper_count!(smx, N => boxed(ChunkScheduler::<N>::new(limits)))
}

/// `ikra/flip`, or `ikra/reset` unless it `flips`, connected; `None` unless `smx` is one of [`PAPER_SMX`].
pub fn ikra_static(smx: usize, limits: Limits, flips: bool) -> Option<Box<dyn SchedulerModule>> {
    with_paper_count!(smx, N => boxed(StaticScheduler::<N>::new(limits, flips)))
}

/// `ikra/steal`, connected; `None` unless `smx` is one of [`PAPER_SMX`].
pub fn ikra_steal(
    smx: usize,
    limits: Limits,
    stealing: Stealing,
) -> Option<Box<dyn SchedulerModule>> {
    with_paper_count!(smx, N => boxed(StealScheduler::<N>::new(limits, stealing)))
}

/// `ikra/steal(relations=on)`, connected; `None` unless `smx` is one of [`RELATED_SMX`].
pub fn ikra_related(
    smx: usize,
    limits: Limits,
    stealing: Stealing,
) -> Option<Box<dyn SchedulerModule>> {
    with_count!(smx, N => boxed(RelatedScheduler::<N>::new(limits, stealing)); 1 3 4 15 16)
}

/// `ikra/steal(nesting=L)` with `levels` levels, connected; `None` unless `smx` is one of [`NESTED_SMX`], `levels` is 2 or 4,
/// and messages take no time and a full queue reinitialises.
pub fn ikra_nested(
    smx: usize,
    levels: usize,
    limits: Limits,
    stealing: Stealing,
) -> Option<Box<dyn SchedulerModule>> {
    let Stealing { entries, latency: 0, when_full: WhenFull::Reinitialise } = stealing else {
        return None;
    };
    match levels {
        2 => {
            with_count!(smx, N => boxed(TwoLevelScheduler::<N>::new(limits, entries)); 1 3 4 15 16)
        }
        4 => {
            with_count!(smx, N => boxed(FourLevelScheduler::<N>::new(limits, entries)); 1 3 4 15 16)
        }
        _ => None,
    }
}

macro_rules! nested_module {
    ($($module:ident)*) => {$(
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
            fn set_finished_kernel(&mut self, smx: usize, entry: U<5>) {
                self.finished_kernel[smx].next = entry;
            }
            fn set_finished(&mut self, mask: u64) {
                self.finished.next = U::new(mask);
            }
            fn set_management(&mut self, queue: U<5>, device: bool, suspend: bool, record: Launch) {
                self.work_queue.next = queue;
                self.device_launch.next = device;
                self.suspend.next = suspend;
                self.record.next = record;
            }
            fn set_priority(&mut self, inputs: PriorityInputs) {
                self.launch_parent.next = inputs.launch_parent;
                self.record_place.next = inputs.record_place;
            }
            fn management(&self) -> Option<ManagementOutputs> {
                Some(ManagementOutputs {
                    inspect: self.inspect.val().raw(),
                    fetch: self.fetch_record.val(),
                    fetch_suspended: self.fetch_suspended.val(),
                    fetch_index: self.fetch_index.val().raw(),
                })
            }
            /// A record is always accepted; there are no queues that spill.
            fn priority(&self) -> Option<PriorityOutputs> {
                Some(PriorityOutputs {
                    launch_place: self.launch_place.val(),
                    record_taken: self.record.val().valid,
                    fetch_place: self.fetch_place.val(),
                    ..PriorityOutputs::default()
                })
            }
            fn launch_ready(&self) -> (bool, U<5>) {
                (self.launch_ready.val(), self.launch_entry.val())
            }
            fn dispatch(&self, smx: usize) -> Dispatch {
                self.dispatch[smx].val()
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
nested_module! { TwoLevelScheduler FourLevelScheduler }
