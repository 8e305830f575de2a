//! Whole schedulers for a number of SMXs that is known at run time.
//!
//! A module's number of SMXs is part of its type. Every type is instantiated here, once, so that
//! the crates that use the schedulers compile without them.

use crate::claso::{Levels, RoundRobinClasoScheduler};
use crate::dispatch::{Context, Dispatch, Launch, Limits, RoundRobinScheduler};
use crate::dyncta::{RoundRobinDynctaClasoScheduler, RoundRobinDynctaScheduler, Thresholds};
use crate::gpgpusim::GpgpuSimScheduler;
use crate::module::Module;
use crate::prim::Tagged;
use crate::word::U;

/// Evaluates `$body` with the constant `$N` set to the value of `$count`, 1 to 32; `None` for any
/// other count.
macro_rules! with_smx_count {
    ($count:expr, $N:ident => $body:expr) => {
        with_smx_count!(@match $count, $N, $body,
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
    };
    (@match $count:expr, $N:ident, $body:expr, $($value:literal)*) => {
        match $count {
            $($value => {
                const $N: usize = $value;
                Some($body)
            })*
            _ => None,
        }
    };
}

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
    /// The free entry, if there is one.
    fn launch_ready(&self) -> (bool, U<5>);
    /// The dispatch port of one SMX.
    fn dispatch(&self, smx: usize) -> Dispatch;
    /// One bit for each entry that has ended.
    fn finished_kernels(&self) -> u64;
    /// Answer of the lookup port.
    fn context(&self) -> (bool, Context);
}

macro_rules! scheduler_module {
    ($($module:ident { $($sampling:tt)* })*) => {$(
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
            scheduler_module!(@$($sampling)*);
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
    (@) => {};
    (@samples) => {
        fn set_sample(&mut self, valid: bool) {
            self.sample.next = valid;
        }
        fn set_counts(&mut self, smx: usize, idle: U<12>, memory: U<12>) {
            self.idle[smx].next = idle;
            self.memory[smx].next = memory;
        }
    };
}
scheduler_module! {
    RoundRobinScheduler {}
    RoundRobinClasoScheduler {}
    RoundRobinDynctaScheduler { samples }
    RoundRobinDynctaClasoScheduler { samples }
    GpgpuSimScheduler {}
}

/// `rr` for `smx` SMXs (1 to 32), connected; `None` for any other number.
pub fn round_robin(smx: usize, limits: Limits) -> Option<Box<dyn SchedulerModule>> {
    with_smx_count!(smx, N => boxed(RoundRobinScheduler::<N>::new(limits)))
}

/// `rr+claso` for `smx` SMXs (1 to 32), connected; `None` for any other number.
pub fn round_robin_claso(
    smx: usize,
    limits: Limits,
    levels: Levels,
) -> Option<Box<dyn SchedulerModule>> {
    with_smx_count!(smx, N => boxed(RoundRobinClasoScheduler::<N>::new(limits, levels)))
}

/// `rr+dyncta` for `smx` SMXs (1 to 32), connected; `None` for any other number.
pub fn round_robin_dyncta(
    smx: usize,
    limits: Limits,
    thresholds: Thresholds,
) -> Option<Box<dyn SchedulerModule>> {
    with_smx_count!(smx, N => boxed(RoundRobinDynctaScheduler::<N>::new(limits, thresholds)))
}

/// `rr+dyncta+claso` for `smx` SMXs (1 to 32), connected; `None` for any other number.
pub fn round_robin_dyncta_claso(
    smx: usize,
    limits: Limits,
    thresholds: Thresholds,
    levels: Levels,
) -> Option<Box<dyn SchedulerModule>> {
    with_smx_count!(smx, N => boxed(RoundRobinDynctaClasoScheduler::<N>::new(limits, thresholds, levels)))
}

/// `rr-gpgpusim` for `smx` SMXs (1 to 32), connected; `None` for any other number.
pub fn gpgpusim(smx: usize, limits: Limits) -> Option<Box<dyn SchedulerModule>> {
    with_smx_count!(smx, N => boxed(GpgpuSimScheduler::<N>::new(limits)))
}

fn boxed<M: SchedulerModule + 'static>(mut module: M) -> Box<dyn SchedulerModule> {
    module.connect_all();
    Box::new(module)
}
