//! Phases that write every word of a module's memories.
//!
//! Each is a function that drives step `n` and says whether that was needed: the first step that
//! was not ends the phase.

use super::super::ports::Port;
use super::kernel::{self, Grid};
use super::{Driver, Stimulus, RESET_CYCLES};
use blockyard_rtl::dtbl::MOST_AHEAD;

/// Drives one step of a fill phase; `false` when everything is written.
pub type Fill = fn(&mut Driver, usize) -> bool;

/// Entries of the tables of kernels.
const ENTRIES: usize = 32;

/// A fill phase, in which nothing is compared, and then another stimulus.
pub struct Filled {
    fill: Fill,
    steps: usize,
    settling: bool,
    done: bool,
    after: Box<dyn Stimulus>,
}

impl Filled {
    /// `fill`, then `after`.
    pub fn boxed(fill: Fill, after: Box<dyn Stimulus>) -> Box<dyn Stimulus> {
        Box::new(Self { fill, steps: 0, settling: false, done: false, after })
    }
}

impl Stimulus for Filled {
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool {
        if cycle < RESET_CYCLES {
            driver.reset(true);
            return false;
        }
        if !self.done {
            driver.reset(false);
            self.done = !(self.fill)(driver, self.steps);
            self.steps += 1;
            if !self.done {
                self.settling = true;
                return false;
            }
        }
        let defined = self.after.drive(driver, cycle);
        // A word that was read before it was written is still on its way out.
        defined & !std::mem::take(&mut self.settling)
    }

    fn observe(&mut self, ports: &[Port], inputs: &[u32], outputs: &[u32]) {
        if self.done {
            self.after.observe(ports, inputs, outputs);
        }
    }
}

/// Writes address `step` of a memory whose addresses are `address`.
fn write(driver: &mut Driver, step: usize, address: &str) -> bool {
    let more = step < 1 << driver.width(address);
    driver.set(address, &[step as u64]);
    driver.set("write_enable", &[u64::from(more)]);
    driver.scramble("write_data", 500);
    more
}

pub fn sram_one_port(driver: &mut Driver, step: usize) -> bool {
    write(driver, step, "address")
}

pub fn sram_two_port(driver: &mut Driver, step: usize) -> bool {
    driver.scramble("read_address", 500);
    write(driver, step, "write_address")
}

pub fn ahead_memory(driver: &mut Driver, step: usize) -> bool {
    driver.scramble("next_address", 500);
    write(driver, step, "write_address")
}

pub fn register_file(driver: &mut Driver, step: usize) -> bool {
    driver.scramble("address", 500);
    write(driver, step, "write_address")
}

pub fn fifo(driver: &mut Driver, _step: usize) -> bool {
    driver.set("push", &[1]);
    driver.set("pop", &[0]);
    driver.scramble("data", 500);
    driver.settled("full") == 0
}

pub fn fcfs_control(driver: &mut Driver, step: usize) -> bool {
    let more = step < ENTRIES;
    driver.set("mark", &[u64::from(more), step as u64]);
    driver.set("unmark", &[0]);
    more
}

pub fn kernel_table(driver: &mut Driver, _step: usize) -> bool {
    offer(driver);
    driver.set("marked", &[u64::MAX]);
    for name in ["head_valid", "step", "finished", "lookup"] {
        driver.set(name, &[0]);
    }
    driver.settled("launch_ready") == 1
}

pub fn nested_kernels(driver: &mut Driver, _step: usize) -> bool {
    offer(driver);
    for name in ["host_pop", "child_pop", "ends", "dispatched", "finished", "lookup"] {
        driver.set(name, &[0]);
    }
    driver.settled("launch_ready") == 1
}

pub fn dispatcher(driver: &mut Driver, _step: usize) -> bool {
    offer(driver);
    for name in ["allow", "finished", "lookup"] {
        driver.set(name, &[0]);
    }
    driver.settled("launch_ready") == 1
}

pub fn group_dispatcher(driver: &mut Driver, step: usize) -> bool {
    for name in ["command", "group", "fetched", "lookup_group", "keep"] {
        driver.set(name, &[0]);
    }
    dispatcher(driver, step)
}

/// Each kernel enters, and then gets a group.
pub fn group_lists(driver: &mut Driver, step: usize) -> bool {
    let (enter, coalesce) = (step < ENTRIES, (ENTRIES..2 * ENTRIES).contains(&step));
    driver.set("enter", &[u64::from(enter), step as u64]);
    driver.set("coalesce", &[u64::from(coalesce), step as u64]);
    for name in ["head_valid", "advance"] {
        driver.set(name, &[0]);
    }
    driver.scramble("group_reference", 500);
    step < 2 * ENTRIES
}

/// Asks for a group in each cycle, whose information comes in the next one, until all places have
/// had one.
pub fn held_groups(driver: &mut Driver, step: usize) -> bool {
    driver.set("ask", &[1]);
    driver.set("fetched", &[u64::from(step > 0)]);
    for name in ["link", "leave"] {
        driver.set(name, &[0]);
    }
    driver.scramble("fetched_grid", 500);
    driver.scramble("fetched_next", 500);
    step <= MOST_AHEAD
}

/// Leaves groups of the head in memory, which come and are distributed, until all places have had
/// one.
pub fn group_fetch(driver: &mut Driver, step: usize) -> bool {
    driver.set("overflow", &[1]);
    driver.set("head_valid", &[1]);
    driver.set("head", &[0]);
    driver.set("link", &[0]);
    driver.scramble("fetched", 1000);
    let known = driver.settled("known");
    driver.set("done", &[known]);
    step <= 2 * MOST_AHEAD
}

/// Takes the slots of all SMXs, as many as there may be.
pub fn block_control(driver: &mut Driver, step: usize) -> bool {
    let more = step < ENTRIES;
    driver.scramble("block", 500);
    driver.set("finished", &[0]);
    for name in ["take", "taken"] {
        if driver.has(name) {
            driver.set_all(name, more);
        }
    }
    more
}

/// Takes one slot after the other.
pub fn block_starts(driver: &mut Driver, step: usize) -> bool {
    let more = step < ENTRIES;
    driver.scramble("now", 500);
    driver.set("finished", &[0]);
    driver.set("taken", &[u64::from(more)]);
    more
}

/// Offers a kernel that does not end by itself.
fn offer(driver: &mut Driver) {
    let words = kernel::random(driver.random(), Grid::NotEmpty);
    driver.set(kernel::PORT, &kernel::launch(true, &words));
}

pub fn consumer(driver: &mut Driver, step: usize) -> bool {
    driver.scramble("credits", 500);
    driver.set("take", &[0]);
    load(driver, step, "load")
}

pub fn global_credits(driver: &mut Driver, step: usize) -> bool {
    driver.scramble("credits", 500);
    driver.set("spend", &[0]);
    load(driver, step, "load")
}

pub fn gate(driver: &mut Driver, step: usize) -> bool {
    driver.scramble("blocks", 500);
    driver.set("taken", &[0]);
    driver.set("request", &[0]);
    load(driver, step, "launch")
}

pub fn cap_table(driver: &mut Driver, step: usize) -> bool {
    driver.scramble("blocks", 500);
    load(driver, step, "launch")
}

/// Loads entry `step`.
fn load(driver: &mut Driver, step: usize, port: &str) -> bool {
    let more = step < ENTRIES;
    driver.scramble("kernel", 500);
    driver.set(port, &[u64::from(more), step as u64]);
    more
}
