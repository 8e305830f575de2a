//! A few places of a large table.

use super::{Driver, Stimulus};
use rand::RngExt;

/// How many: all hash to different entries of the tables of the catalog, or to the only one.
const PLACES: u64 = 64;

/// Another stimulus, whose addresses stay among the first [`PLACES`]: a table of a thousand words would
/// take too long to fill.
pub struct Places {
    ports: &'static [&'static str],
    after: Box<dyn Stimulus>,
}

impl Places {
    /// `after`, with the addresses at `ports` kept small.
    pub fn boxed(ports: &'static [&'static str], after: Box<dyn Stimulus>) -> Box<dyn Stimulus> {
        Box::new(Self { ports, after })
    }
}

impl Stimulus for Places {
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool {
        let defined = self.after.drive(driver, cycle);
        for port in self.ports {
            let most = PLACES.min(1 << driver.width(port));
            let elements = driver.elements(port);
            let places: Vec<u64> =
                (0..elements).map(|_| driver.random().random_range(0..most)).collect();
            driver.set(port, &places);
        }
        defined
    }
}

/// Loads each of the places of a file of counters once.
pub fn counter_file(driver: &mut Driver, step: usize) -> bool {
    driver.set("decrease", &[0]);
    driver.set("increase", &[0]);
    fill(driver, step, "load", "load_address")
}

/// Allocates each of the places of a table of groups once.
pub fn group_table(driver: &mut Driver, step: usize) -> bool {
    for port in ["link", "dispatched", "finished"] {
        driver.set(port, &[0]);
    }
    driver.scramble("grid", 500);
    driver.scramble("parameter_address", 500);
    fill(driver, step, "allocate", "hardware_thread")
}

fn fill(driver: &mut Driver, step: usize, enable: &str, address: &str) -> bool {
    let more = (step as u64) < PLACES.min(1 << driver.width(address));
    driver.set(enable, &[u64::from(more)]);
    driver.set(address, &[step as u64]);
    more
}
