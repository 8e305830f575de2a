//! Drives a module by itself, cycle by cycle.

mod blocks;
mod lockstep;
pub mod mask;

pub use blocks::{Bench, Issue, Work};
pub use lockstep::{Lockstep, Twinned};

/// The calls of a twin of the usual shape, for an `impl Twinned`: all of them, or those of the
/// edge.
macro_rules! twin_calls {
    () => {
        fn evaluate(twin: &Self::Twin, inputs: &Self::Inputs) -> Self::Outputs {
            twin.evaluate(inputs)
        }
        twin_calls!(edge);
    };
    (edge) => {
        fn clock(twin: &mut Self::Twin, inputs: &Self::Inputs) -> blockyard_sim::port::Activity {
            twin.clock(inputs)
        }
        fn resets(inputs: &Self::Inputs) -> bool {
            inputs.reset
        }
    };
}
pub(crate) use twin_calls;

use blockyard_rtl::activity;
use blockyard_rtl::module::{clock_edge, settle, Module};
use blockyard_rtl::wire::Signal;
use blockyard_rtl::word::Word;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use rust_hdl::prelude::In;

/// The module, connected and reset.
pub fn fresh<M: Module>(mut module: M) -> M {
    module.connect_all();
    reset(&mut module);
    module
}

/// One cycle with reset, the other inputs as they are.
pub fn reset<M: Module>(module: &mut M) {
    module.drive_reset(true);
    settle(module);
    clock_edge(module);
    module.drive_reset(false);
    settle(module);
}

/// One cycle: `drive` sets inputs, `read` sees the settled outputs, the clock edge ends it.
pub fn cycle<M: Module, R>(
    module: &mut M,
    drive: impl FnOnce(&mut M),
    read: impl FnOnce(&M) -> R,
) -> R {
    drive(module);
    settle(module);
    let outputs = read(module);
    clock_edge(module);
    outputs
}

/// One cycle in which only the edge matters: whether it counts as activity.
pub fn stores<M: Module>(module: &mut M, drive: impl FnOnce(&mut M)) -> bool {
    drive(module);
    settle(module);
    let before = activity::count();
    clock_edge(module);
    activity::count() != before
}

/// Drives a number into a port whose width follows from how many there are.
///
/// # Panics
/// When the number needs more bits than the port has.
pub fn drive_word(port: &mut Signal<In, Word>, number: usize) {
    port.next = Word::new(port.next.bits(), number as u64);
}

/// Random numbers that are the same in every run.
pub fn random(seed: u64) -> Pcg64 {
    Pcg64::seed_from_u64(seed)
}
