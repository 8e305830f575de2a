//! How many blocks one SMX may hold.

use crate::prelude::*;
use crate::prim::Register;

/// The thresholds of the counts of one sampling period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// As many idle cycles let the limit grow; at most 65,535.
    pub idle: u64,
    /// Fewer cycles of waiting for memory let it grow; at most 65,535.
    pub low: u64,
    /// As many cycles of waiting for memory let it shrink; at most 65,535.
    pub high: u64,
}

/// The limit after reset: half the slots, at least one.
fn half(slots: u64) -> u64 {
    (slots / 2).max(1)
}

hdl_module! {
    /// The limit of one SMX's resident blocks, which follows what the SMX waits for.
    ///
    /// ```text
    ///   sample, idle, memory --> [ up, down or same ] <--> [level] --> limit
    /// ```
    ///
    /// A sample of `c` counts from `c + 1` on. The limit stays within 1 and `slots` (1 to 63).
    /// Storage: 6 registers.
    pub struct Limit (slots: u64, thresholds: Thresholds) clocked {
        inputs {
            /// The counts are valid in this cycle.
            sample: Signal<In, Bit>,
            /// Cycles of the period in which no warp could issue, but not for memory.
            idle: Signal<In, U<12>>,
            /// Cycles in which all warps waited for memory.
            memory: Signal<In, U<12>>,
        }
        outputs {
            /// How many blocks the SMX may hold.
            limit: Signal<Out, U<6>>,
        }
        locals {
            now: Signal<Local, U<6>>,
            following: Signal<Local, U<6>>,
            idle_cycles: Signal<Local, U<16>>,
            memory_cycles: Signal<Local, U<16>>,
            up: Signal<Local, Bit>,
            down: Signal<Local, Bit>,
        }
        constants {
            one: Lit<6, 1>,
            most: Constant<U<6>> = Constant::new(U::new(slots)),
            start: Constant<U<6>> = Constant::new(U::new(half(slots))),
            idle_threshold: Constant<U<16>> = Constant::new(U::new(thresholds.idle)),
            low_threshold: Constant<U<16>> = Constant::new(U::new(thresholds.low)),
            high_threshold: Constant<U<16>> = Constant::new(U::new(thresholds.high)),
        }
        children {
            level: Register<U<6>>,
        }
    }
}

impl Logic for Limit {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.level.control);
        // Registers reset to zero: what is stored is the difference, bit by bit, to the start.
        self.now.next = self.level.q.val() ^ self.start.val();
        self.limit.next = self.now.val();
        self.idle_cycles.next = bit_cast::<16, 12>(self.idle.val());
        self.memory_cycles.next = bit_cast::<16, 12>(self.memory.val());
        self.up.next = (self.idle_cycles.val() >= self.idle_threshold.val())
            | (self.memory_cycles.val() < self.low_threshold.val());
        self.down.next = !self.up.val() & (self.memory_cycles.val() >= self.high_threshold.val());
        self.following.next = self.now.val();
        if self.sample.val() & self.up.val() & (self.now.val() != self.most.val()) {
            self.following.next = self.now.val() + self.one.val();
        }
        if self.sample.val() & self.down.val() & (self.now.val() != self.one.val()) {
            self.following.next = self.now.val() - self.one.val();
        }
        self.level.d.next = self.following.val() ^ self.start.val();
    }
}
