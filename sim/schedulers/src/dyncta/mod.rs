//! DYNCTA, `docs/dyncta.md`: a limit of resident blocks for each SMX, which follows how much the
//! SMX waits (Kayiran, Jog, Kandemir and Das, PACT 2013, section 4).

pub(crate) mod cover;
pub mod throttle;

pub use throttle::{Throttle, ThrottleInputs, ThrottleOutputs};

/// The parameters of DYNCTA; all but the period are numbers of cycles of one period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DynctaConfig {
    /// Cycles from one sample to the next, 1 to [`Self::MOST`].
    pub period: u16,
    /// From so many idle cycles on (the paper's t_idle) an SMX gets one block more.
    pub idle: u16,
    /// Below so many cycles of waiting for memory (t_mem_l) it gets one block more.
    pub low: u16,
    /// From so many cycles of waiting for memory on (t_mem_h) it gets one block less; at least
    /// `low`.
    pub high: u16,
    /// Whether resident blocks beyond the limit are paused; else a lower limit only keeps new ones
    /// away.
    pub pause: bool,
}

impl DynctaConfig {
    /// The most that a period or a threshold can be: what the 12 bits of a counter hold.
    pub const MOST: u16 = (1 << 12) - 1;
}

impl Default for DynctaConfig {
    /// The paper's values, without its pausing.
    fn default() -> Self {
        Self { period: 2048, idle: 16, low: 128, high: 384, pause: false }
    }
}
