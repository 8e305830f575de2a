//! DYNCTA's modules against their twins: the rules of `docs/dyncta.md`.

mod limit;
mod scheduler;
mod throttle;

use blockyard_rtl::dyncta::Thresholds;
use blockyard_sim::sched::dyncta::DynctaConfig;

/// The same thresholds for the hardware and for the twin.
fn thresholds(idle: u16, low: u16, high: u16) -> (Thresholds, DynctaConfig) {
    (
        Thresholds { idle: idle.into(), low: low.into(), high: high.into() },
        DynctaConfig { idle, low, high, ..DynctaConfig::default() },
    )
}
