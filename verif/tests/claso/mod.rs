//! CLASO's modules against their twins: the rules of `docs/claso.md`.

mod allocator;
mod consumer;
mod gate;
mod global_credits;
mod scheduler;

use std::num::NonZeroU16;

/// The same levels for the hardware and for the twin.
fn levels(
    active: u16,
    loose: u16,
) -> (blockyard_rtl::claso::Levels, blockyard_sim::sched::claso::Levels) {
    (
        blockyard_rtl::claso::Levels { active: active.into(), loose: loose.into() },
        blockyard_sim::sched::claso::Levels {
            active: NonZeroU16::new(active).expect("p_A is at least 1"),
            loose,
        },
    )
}
