//! The values on their way to registers.

use crate::config::GpuConfig;
use crate::program::Register;

/// A value on its way to a register.
#[derive(Clone, Copy, Debug)]
struct Load {
    warp: u8,
    register: Option<Register>,
    /// Accesses not made yet, and those whose data are on their way.
    left: u32,
    on_the_way: u32,
    /// The cycle of the latest data that are known.
    latest: u64,
}

/// A register whose value is known to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The warp slot.
    pub warp: u8,
    /// Its register.
    pub register: Register,
    /// The cycle from which it can be used.
    pub cycle: u64,
}

/// The loads of an SMX, by number. A load is known to come when all its accesses have been made and
/// the cycle of all their data is known.
#[derive(Debug)]
pub(super) struct Loads {
    table: Vec<Load>,
    free: Vec<u32>,
    /// Cycles from the data to the register.
    return_latency: u64,
}

impl Loads {
    /// None.
    pub fn new(config: &GpuConfig) -> Self {
        let return_latency = u64::from(config.latency.memory_return);
        Self { table: Vec::new(), free: Vec::new(), return_latency }
    }

    /// A load of `accesses` accesses for a register of `warp`; returns its number.
    #[inline]
    pub fn add(&mut self, warp: u8, register: Option<Register>, accesses: u32) -> u32 {
        let load = Load { warp, register, left: accesses, on_the_way: 0, latest: 0 };
        match self.free.pop() {
            Some(id) => {
                self.table[id as usize] = load;
                id
            }
            None => {
                self.table.push(load);
                (self.table.len() - 1) as u32
            }
        }
    }

    /// An access of `load` has been made; its data come later.
    #[inline]
    pub fn made(&mut self, load: u32) {
        let entry = &mut self.table[load as usize];
        entry.left -= 1;
        entry.on_the_way += 1;
    }

    /// An access of `load` has been made whose data come in `cycle`. Returns the register if they
    /// were the last ones.
    #[inline]
    pub fn known(&mut self, load: u32, cycle: u64) -> Option<Arrival> {
        let entry = &mut self.table[load as usize];
        entry.left -= 1;
        entry.latest = entry.latest.max(cycle);
        self.finish(load)
    }

    /// Data of `load` have come in `cycle`. Returns the register if they were the last ones.
    #[inline]
    pub fn data(&mut self, load: u32, cycle: u64) -> Option<Arrival> {
        let entry = &mut self.table[load as usize];
        entry.on_the_way -= 1;
        entry.latest = entry.latest.max(cycle);
        self.finish(load)
    }

    /// How many have not come.
    #[cfg(test)]
    pub fn on_their_way(&self) -> usize {
        self.table.len() - self.free.len()
    }

    #[inline]
    fn finish(&mut self, load: u32) -> Option<Arrival> {
        let entry = self.table[load as usize];
        if entry.left > 0 || entry.on_the_way > 0 {
            return None;
        }
        self.free.push(load);
        let cycle = entry.latest + self.return_latency;
        entry.register.map(|register| Arrival { warp: entry.warp, register, cycle })
    }
}
