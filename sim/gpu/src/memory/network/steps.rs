//! The steps in which a crossbar works: several in a cycle of the network's clock.

use crate::clock::Clock;
use crate::divisor::Divisor;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    clock: Clock,
    /// Steps in a network cycle.
    speedup: Divisor,
}

impl Steps {
    /// `speedup` steps, at least one, in a cycle of `clock`.
    pub fn new(clock: Clock, speedup: u32) -> Self {
        Self { clock, speedup: Divisor::new(u64::from(speedup)) }
    }

    /// The first step that finds a packet which is sent in SMX cycle `cycle`: in the network cycle
    /// behind it.
    #[inline(always)]
    pub fn first(self, cycle: u64) -> u64 {
        (self.clock.ticks(cycle) + 1) * self.speedup.get()
    }

    /// The network cycle of `step`.
    #[inline(always)]
    pub fn network_cycle(self, step: u64) -> u64 {
        self.speedup.divide(step)
    }

    /// The SMX cycle in which a packet is received whose last flit leaves the crossbar in network
    /// cycle `last`, `latency` network cycles later.
    #[inline(always)]
    pub fn received(self, last: u64, latency: u64) -> u64 {
        self.clock.core(last + latency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_crosses_in_the_network_cycle_behind_the_one_in_which_it_is_sent() {
        let steps = |megahertz, speedup| Steps::new(Clock::new(megahertz, 700.0), speedup);
        assert_eq!([0, 7].map(|cycle| steps(700.0, 1).first(cycle)), [1, 8]);
        assert_eq!([0, 7].map(|cycle| steps(700.0, 3).first(cycle)), [3, 24]);
        // Two SMX cycles a network cycle: 6 and 7 are in its cycle 3.
        assert_eq!([5, 6, 7, 8].map(|cycle| steps(350.0, 2).first(cycle)), [6, 8, 8, 10]);
        assert_eq!([23, 24, 26, 27].map(|step| steps(700.0, 3).network_cycle(step)), [7, 8, 8, 9]);
        assert_eq!([3, 4].map(|last| steps(350.0, 2).received(last, 5)), [16, 18]);
    }
}
