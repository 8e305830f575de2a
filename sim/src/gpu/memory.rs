//! What lies behind the L1s: interconnect, L2 and DRAM, tied together by events.

use super::config::GpuConfig;
use super::dram::Dram;
use super::event::{Calendar, Event};
use super::interconnect::Interconnect;
use super::l2::{L2Load, L2};

/// See the module.
#[derive(Debug)]
pub struct Memory {
    interconnect: Interconnect,
    /// The shared cache.
    pub l2: L2,
    /// The memory behind it.
    pub dram: Dram,
    /// Kept between calls so that a fill allocates nothing.
    waiting: Vec<u8>,
}

impl Memory {
    /// An empty hierarchy.
    pub fn new(config: &GpuConfig) -> Self {
        Self {
            interconnect: Interconnect::new(&config.interconnect),
            l2: L2::new(&config.l2),
            dram: Dram::new(&config.dram),
            waiting: Vec::new(),
        }
    }

    /// The L1 of `smx` sends a request for `line` in this cycle.
    pub fn send(&self, smx: u8, line: u64, store: bool, calendar: &mut Calendar) {
        let arrival = self.interconnect.arrival(calendar.now());
        calendar.schedule(arrival, Event::L2Request { smx, line, store });
    }

    /// A request has reached the L2.
    pub fn request(&mut self, smx: u8, line: u64, store: bool, calendar: &mut Calendar) {
        if store {
            if self.l2.store(line) {
                self.dram.write();
            }
            return;
        }
        match self.l2.load(calendar.now(), line, smx) {
            L2Load::Reply(cycle) => {
                let arrival = self.interconnect.arrival(cycle);
                calendar.schedule(arrival, Event::L1Fill { smx, line });
            }
            L2Load::Dram(cycle) => {
                let data = self.dram.read(cycle);
                calendar.schedule(data, Event::DramData { line });
            }
            L2Load::Merged => {}
        }
    }

    /// DRAM delivers a line.
    pub fn dram_data(&mut self, line: u64, calendar: &mut Calendar) {
        if self.l2.fill(line, &mut self.waiting) {
            self.dram.write();
        }
        let arrival = self.interconnect.arrival(calendar.now());
        for smx in self.waiting.drain(..) {
            calendar.schedule(arrival, Event::L1Fill { smx, line });
        }
    }
}
