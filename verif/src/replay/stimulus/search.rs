//! Commands of few functions, among few kernels.

use super::{Driver, Scramble, Stimulus};
use rand::RngExt;

/// Random words, but functions and block configurations are so few that searches find kernels.
#[derive(Default)]
pub struct Search {
    rest: Scramble,
}

impl Stimulus for Search {
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool {
        let defined = self.rest.drive(driver, cycle);
        let mut small = || driver.random().random_range(0..3u64);
        let command = [small().min(1), small(), small(), 1, 1, 1 + small(), small() * small()];
        let kernel = [small(), 7, small(), 1, 1];
        let occupied = small().min(1);
        driver.set("command", &command);
        driver.set("probe_context", &kernel);
        driver.set("probe_valid", &[occupied]);
        let ended = driver.random().random::<u64>() & driver.random().random::<u64>();
        driver.set("finished_kernels", &[ended & u64::from(u32::MAX)]);
        defined
    }
}
