//! A port or a link: it takes one flit a network cycle, in the order in which it is asked.

/// See the module; times in network cycles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Port {
    free: u64,
}

impl Port {
    /// The first cycle in which it takes another flit.
    pub fn free(&self) -> u64 {
        self.free
    }

    /// Takes `flits` from `cycle` on; returns the cycle of the first one.
    pub fn take(&mut self, cycle: u64, flits: u64) -> u64 {
        let first = self.free.max(cycle);
        self.free = first + flits;
        first
    }
}
