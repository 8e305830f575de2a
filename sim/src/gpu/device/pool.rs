//! Device kernels from the SMXs to the Kernel Distributor: at the port of the Kernel Management Unit, in
//! its pool in global memory, and on their way from there (rules 2 and 3 of `docs/dtbl.md`).

use std::collections::VecDeque;

/// See the module. Kernels go by their numbers in the run.
#[derive(Debug, Default)]
pub struct Pool {
    /// Whose launch has reached the port, or waits there: one enters a cycle.
    arrived: VecDeque<usize>,
    /// In the pool; the first one has the number `first`.
    pool: VecDeque<usize>,
    first: u32,
    /// On their way to the Kernel Distributor, each with the cycle of its arrival.
    on_way: VecDeque<(u64, usize)>,
}

impl Pool {
    /// `kernel` reaches the port of the Kernel Management Unit.
    pub fn arrive(&mut self, kernel: usize) {
        self.arrived.push_back(kernel);
    }

    /// Whether a kernel enters the pool in this cycle.
    pub fn launch(&self) -> bool {
        !self.arrived.is_empty()
    }

    /// The first kernel at the port has entered the pool.
    pub fn launched(&mut self) {
        self.pool.extend(self.arrived.pop_front());
    }

    /// The record with the number `index` has been asked for; it will arrive in `cycle`.
    ///
    /// # Panics
    /// When it is not the first one; the invariants keep that from happening.
    pub fn fetch(&mut self, index: u32, cycle: u64) {
        assert_eq!(index, self.first, "the first record of the pool");
        let kernel = self.pool.pop_front().expect("a record in the pool");
        self.first = self.first.wrapping_add(1);
        self.on_way.push_back((cycle, kernel));
    }

    /// The kernel whose record arrives in `cycle`.
    pub fn record(&self, cycle: u64) -> Option<usize> {
        let (at, kernel) = self.on_way.front()?;
        (*at <= cycle).then_some(*kernel)
    }

    /// The record that arrived has an entry.
    pub fn distributed(&mut self) -> Option<usize> {
        self.on_way.pop_front().map(|(_, kernel)| kernel)
    }

    /// The next cycle after `now` in which the ports change, as far as that is known.
    pub fn next_change(&self, now: u64) -> Option<u64> {
        let launch = self.launch().then_some(now + 1);
        launch.into_iter().chain(self.on_way.front().map(|(at, _)| *at)).min()
    }
}
