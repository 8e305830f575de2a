//! A few places of a large table.

use super::{Driver, Stimulus};
use rand::RngExt;

/// How many: all hash to different entries of the tables of the catalog, or to the only one.
const PLACES: u64 = 64;

/// Another stimulus, whose addresses stay among the first [`PLACES`]: a table of a thousand words
/// would take too long to fill.
pub struct Places {
    ports: &'static [&'static str],
    event: &'static str,
    after: Box<dyn Stimulus>,
}

impl Places {
    /// `after`, with the addresses at `ports`, and that of `event`, behind its valid bit, kept
    /// small.
    pub fn boxed(
        ports: &'static [&'static str],
        event: &'static str,
        after: Box<dyn Stimulus>,
    ) -> Box<dyn Stimulus> {
        Box::new(Self { ports, event, after })
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
        let event = [driver.random().random_range(0..2), driver.random().random_range(0..PLACES)];
        driver.set(self.event, &event);
        defined
    }
}

/// Allocates each of the places of a table of groups once, links a group to it and dispatches a
/// block, its last one.
pub fn group_table(driver: &mut Driver, step: usize) -> bool {
    driver.set("served", &[0, 0]);
    driver.scramble("grid", 500);
    driver.scramble("parameter_address", 500);
    driver.scramble("link_next", 500);
    let places = PLACES.min(1 << driver.width("hardware_thread")) as usize;
    driver.set("allocate", &[u64::from(step < places)]);
    driver.set("link", &[u64::from(step < places)]);
    for port in ["hardware_thread", "link_index", "next_current"] {
        driver.set(port, &[step as u64]);
    }
    // The group that was current in the step before.
    driver.set("dispatched", &[u64::from(step > 0)]);
    driver.set("last", &[1]);
    step <= places
}
