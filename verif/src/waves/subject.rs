//! Of whom a dump is.

use crate::session::{Engine, Session};
use blockyard_sim::port::LaunchMode;
use blockyard_sim::sched::Composition;

/// A scheduler on its ports.
#[derive(Clone, Copy, Debug)]
pub struct Dumped<'a> {
    /// The scheduler.
    pub scheduler: &'a Composition,
    /// How what blocks launch reaches it.
    pub launch: LaunchMode,
    /// SMXs.
    pub smx: usize,
    /// Thread-block slots of each.
    pub slots: usize,
    /// Whether a twin runs beside the hardware.
    pub is_lockstep: bool,
}

impl<'a> From<&'a Session> for Dumped<'a> {
    fn from(session: &'a Session) -> Self {
        Self {
            scheduler: &session.scheduler,
            launch: session.launch,
            smx: session.gpu.smx.count as usize,
            slots: session.gpu.smx.thread_block_slots as usize,
            is_lockstep: session.engine == Engine::Lockstep,
        }
    }
}
