//! That a reset in any cycle of a run leaves nothing of it.

use super::super::{build_for, Composition};
use super::harness::{run_with, slots, Setup, Work};
use crate::port::*;

/// Runs `work` on `smx` SMXs of so many slots after a reset behind each number of cycles that it
/// takes, and expects the run of a new scheduler each time; `reset` is the cycle of the reset.
pub(crate) fn leaves_nothing(
    name: &str,
    (smx, thread_block_slots): (usize, u32),
    work: &[Work],
    setup: Setup,
    reset: &Inputs,
) {
    let composition: Composition = name.parse().unwrap();
    let limits = slots(thread_block_slots);
    let setup = Setup { rules: (&composition).into(), ..setup };
    let mut scheduler =
        build_for(&composition, LaunchMode::Flat, 1, setup.plan(smx), limits).unwrap();
    let whole = Setup { last: 1_000, ..setup.clone() };
    let fresh = run_with(scheduler.as_mut(), limits, work, &whole);
    for last in 0..fresh.simulated {
        scheduler.cycle(reset, &mut Outputs::default());
        assert_eq!(scheduler.cycle(reset, &mut Outputs::default()), Activity::Quiet);
        run_with(scheduler.as_mut(), limits, work, &Setup { last, ..setup.clone() });
        scheduler.cycle(reset, &mut Outputs::default());
        let again = run_with(scheduler.as_mut(), limits, work, &whole);
        assert_eq!(again, fresh, "{name}: reset after {last} cycles");
    }
}
