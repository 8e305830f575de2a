//! CLASO, `docs/claso.md`: credits that keep the number of blocks a core receives in balance
//! (Yu et al., IJPP 2014, section 3 and Algorithm 1).

pub mod allocator;
pub mod consumer;
pub(crate) mod cover;
pub mod gate;
pub mod global_credits;

pub use allocator::{Allocator, AllocatorInputs, AllocatorOutputs};
pub use consumer::{Consumer, ConsumerInputs, ConsumerOutputs};
pub use gate::{Gate, GateInputs, GateLaunch, GateOutputs};
pub use global_credits::{GlobalCredits, GlobalCreditsInputs, GlobalCreditsOutputs};

use crate::port::KernelEntry;
use std::num::NonZeroU16;

/// The two parameters of CLASO (section 3.1); small ones balance, large ones let fast cores run
/// ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Levels {
    /// Active levels p_A: layers of global credits.
    pub active: NonZeroU16,
    /// Loose levels p_L: local credits a core beyond its even share.
    pub loose: u16,
}

impl Default for Levels {
    /// The tightest limit: one layer of global credits and no extra local credit.
    fn default() -> Self {
        Self { active: NonZeroU16::MIN, loose: 0 }
    }
}

impl Levels {
    /// p_A + p_L: a core that would be left with fewer local credits needs a global one.
    pub fn threshold(self) -> u64 {
        u64::from(self.active.get()) + u64::from(self.loose)
    }
}

/// Credits that a kernel gets: the `load` port of the credit registers, when it was newly accepted,
/// or `add`, when a group is coalesced to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// The kernel's entry.
    pub entry: KernelEntry,
    /// Credits; 32 bits.
    pub credits: u64,
}

/// Credit registers are 32 bits wide and count around: below 0 comes 2^32 - 1, above that 0. No
/// defined sequence of inputs gets there.
const CREDIT_MODULUS: u64 = 1 << 32;

fn more(credits: u64, added: u64) -> u64 {
    (credits + added) % CREDIT_MODULUS
}

fn less(credits: u64, spent: u64) -> u64 {
    (credits + CREDIT_MODULUS - spent) % CREDIT_MODULUS
}
