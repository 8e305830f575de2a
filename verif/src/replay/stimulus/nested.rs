//! Legal traffic on the ports of IKRA's modules of kernels that launch kernels: only what is there
//! is taken.

use super::driver::packed;
use super::{Driver, Scramble, Stimulus};
use rand::RngExt;

/// Which module it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `ikra/nested_kernels`.
    Kernels,
    /// `ikra/child_level`.
    Level,
}

/// Random operations of which each is allowed by the outputs of its cycle.
pub struct Nested {
    kind: Kind,
    rest: Scramble,
}

impl Nested {
    /// For a module of that kind.
    pub fn of(kind: Kind) -> Self {
        Self { kind, rest: Scramble::default() }
    }
}

impl Stimulus for Nested {
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool {
        let defined = self.rest.drive(driver, cycle);
        match self.kind {
            Kind::Kernels => kernels(driver),
            Kind::Level => level(driver),
        }
        defined
    }
}

fn kernels(driver: &mut Driver) {
    for (pop, valid) in [("host_pop", "host_valid"), ("child_pop", "child_valid")] {
        let pops = driver.settled(valid) == 1 && driver.chance(400);
        driver.set(pop, &[pops.into()]);
    }
}

fn level(driver: &mut Driver) {
    let smx = driver.width("asks");
    let home = driver.random().random_range(0..smx as u64);
    driver.set("home", &[home]);
    let grid: [u64; 3] = std::array::from_fn(|_| driver.random().random_range(1..=4));
    driver.set("grid", &grid);
    let victims: Vec<u64> = (0..smx).map(|_| driver.random().random_range(0..smx as u64)).collect();
    driver.set("victim", &victims);
    for port in ["begins", "take_chunk", "take_queue"] {
        driver.set(port, &[0]);
    }
    let begins = driver.settled("taken") == 0 && driver.chance(200);
    driver.set("begins", &[begins.into()]);
    let (mut chunks, mut queues) = (Vec::new(), Vec::new());
    for number in 0..smx {
        // The lowest bit says whether there is a block.
        let mut there =
            |port: &str| driver.settled(&format!("{port}${number}")) & 1 == 1 && driver.chance(300);
        let chunk = there("chunk_next");
        let queue = !chunk && there("queue_next");
        chunks.push(chunk);
        queues.push(queue);
    }
    driver.set("take_chunk", &packed(&chunks));
    driver.set("take_queue", &packed(&queues));
}
