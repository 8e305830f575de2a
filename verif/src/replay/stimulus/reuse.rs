//! Legal traffic on the ports of IKRA's chunks, queues and kernels: only what is there is taken or
//! stolen.

use super::{Driver, Scramble, Stimulus};
use rand::RngExt;

/// Which module it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `ikra/chunk_entry`.
    Chunk,
    /// `ikra/steal_queue`.
    Queue,
    /// `ikra/kernel_queue`.
    Kernels,
}

/// Random operations of which each is allowed by the outputs of its cycle.
pub struct Reuse {
    kind: Kind,
    rest: Scramble,
    grid: [u64; 3],
    forward: bool,
    begun: bool,
}

impl Reuse {
    /// For a module of that kind.
    pub fn of(kind: Kind) -> Self {
        let (rest, grid) = (Scramble::default(), [1; 3]);
        Self { kind, rest, grid, forward: false, begun: false }
    }

    /// A block of the grid by its linear id.
    fn block(&self, linear: u64) -> [u64; 3] {
        let [x, y, _] = self.grid;
        [linear % x, linear / x % y, linear / x / y]
    }

    fn chunk(&mut self, driver: &mut Driver, begins: bool) {
        let load = begins && driver.chance(300);
        if load {
            self.grid = std::array::from_fn(|_| driver.random().random_range(1..=4));
            let blocks = self.grid.iter().product::<u64>();
            let start = driver.random().random_range(0..blocks);
            let last = driver.random().random_range(start..blocks);
            driver.set("load_start", &self.block(start));
            driver.set("load_last", &self.block(last));
            let vacant = driver.chance(100);
            driver.set("load_vacant", &[vacant.into()]);
        }
        driver.set("load", &[load.into()]);
        driver.set("grid", &self.grid);
    }

    fn queue(&mut self, driver: &mut Driver, begins: bool) {
        self.forward ^= self.begun;
        self.begun = begins;
        driver.set("forward", &[self.forward.into()]);
        let clear = begins && driver.chance(100);
        driver.set("clear", &[clear.into()]);
        driver.set("insert", &[0]);
        let insert = !begins && driver.settled("available") == 0 && driver.chance(500);
        driver.set("insert", &[insert.into()]);
    }
}

impl Stimulus for Reuse {
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool {
        let defined = self.rest.drive(driver, cycle);
        if self.kind == Kind::Kernels {
            driver.set("pop", &[0]);
            let pop =
                driver.settled("head_valid") == 1 && driver.chance([50, 900][cycle / 100 % 2]);
            driver.set("pop", &[pop.into()]);
            return defined;
        }
        let begins = driver.chance(60);
        driver.set("begins", &[begins.into()]);
        driver.set("take", &[0]);
        driver.set("steal", &[0]);
        match self.kind {
            Kind::Chunk => self.chunk(driver, begins),
            _ => self.queue(driver, begins),
        }
        let there = !begins && driver.settled("available") == 1;
        let take = there && driver.chance(400);
        let steal = there && driver.chance(300) && !(take && driver.settled("last") == 1);
        driver.set("take", &[take.into()]);
        driver.set("steal", &[steal.into()]);
        defined
    }
}
