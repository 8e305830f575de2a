//! Legal traffic on the ports of priority queues: what does not fit is not inserted, and only a
//! unit that is there is distributed.

use super::super::ports::{Direction, Port};
use super::{Driver, Scramble, Stimulus};
use rand::RngExt;
use std::collections::VecDeque;

/// Random units for a queue, or for a bank of them with a memory that answers in order.
pub struct Units {
    rest: Scramble,
    levels: u64,
    /// None for a single queue.
    queues: Option<u64>,
    /// What was spilled to each place, by queue and level, and what memory was asked for.
    memory: Vec<VecDeque<Vec<u64>>>,
    answers: VecDeque<Vec<u64>>,
}

/// Fields of a unit: its kernel, its group, and the extent in three dimensions.
const UNIT: [usize; 5] = [5, 32, 31, 16, 16];

impl Units {
    /// For a configuration whose name holds its levels and, of a bank, its queues: `c2_e2_l2`.
    pub fn of(configuration: &str) -> Self {
        let number = |letter: char| {
            let part = configuration.split('_').find_map(|part| part.strip_prefix(letter));
            part.and_then(|digits| digits.parse::<u64>().ok())
        };
        let (queues, levels) = (number('c'), number('l').unwrap_or(1));
        let places = queues.unwrap_or(1) * levels;
        Self {
            rest: Scramble::default(),
            levels,
            queues,
            memory: vec![VecDeque::new(); places as usize],
            answers: VecDeque::new(),
        }
    }

    fn unit(driver: &mut Driver) -> [u64; 5] {
        let mut number = |most: u64| driver.random().random_range(0..most);
        [number(32), number(1 << 32), 1 + number(2), 1 + number(2), 1 + number(2)]
    }

    fn place(&self, driver: &mut Driver) -> [u64; 2] {
        let queue = driver.random().random_range(0..self.queues.unwrap_or(1));
        [queue, driver.random().random_range(1..=self.levels)]
    }

    /// A phase of filling, one of draining, one of both.
    fn fills(cycle: usize) -> (u32, u32) {
        [(900, 100), (100, 900), (500, 500)][cycle / 300 % 3]
    }

    fn queue(&self, driver: &mut Driver, cycle: usize) {
        let (fill, drain) = Self::fills(cycle);
        let [_, level] = self.place(driver);
        let unit = Self::unit(driver);
        driver.set("insert_level", &[level]);
        driver.set("insert_entry", &unit);
        let insert = driver.settled("ready") == 1 && driver.chance(fill);
        let there = driver.settled("head_valid") == 1 && driver.chance(drain);
        let leaves = there && driver.chance(500);
        driver.set("insert", &[insert.into()]);
        driver.set("step", &[there.into()]);
        driver.set("remove", &[leaves.into()]);
    }

    fn bank(&self, driver: &mut Driver, cycle: usize) {
        let (fill, drain) = Self::fills(cycle);
        let (record, group) = (self.place(driver), self.place(driver));
        let unit = Self::unit(driver);
        driver.set("record_place", &record);
        driver.set("group_place", &group);
        driver.set("entry", &unit);
        let refill = self.answers.front().filter(|_| driver.chance(400));
        driver.set("refill", refill.map_or(&[], Vec::as_slice));
        driver.set("enter", &[0]);
        let from_record = driver.chance(500);
        let (place, port) =
            if from_record { (record, "record_open") } else { (group, "group_open") };
        driver.set("place", &place);
        let enters = driver.settled(port) == 1 && driver.chance(fill);
        driver.set("enter", &[enters.into()]);
        let chosen = driver.random().random_range(0..self.queues.unwrap_or(1));
        driver.set("step", &[]);
        driver.set("remove", &[]);
        let there = driver.settled_bits("heads")[chosen as usize] && driver.chance(drain);
        let leaves = there && driver.chance(500);
        let its_bit = |word| if chosen / 64 == word { 1 << (chosen % 64) } else { 0 };
        let only_if = |now| if now { [0, 1, 2].map(its_bit) } else { [0; 3] };
        driver.set("step", &only_if(there));
        driver.set("remove", &only_if(leaves));
    }
}

impl Stimulus for Units {
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool {
        let defined = self.rest.drive(driver, cycle);
        match self.queues {
            Some(_) => self.bank(driver, cycle),
            None => self.queue(driver, cycle),
        }
        defined
    }

    fn observe(&mut self, ports: &[Port], inputs: &[u32], outputs: &[u32]) {
        let Some(queues) = self.queues else { return };
        let field = |row: &[u32], direction, name: &str, widths: &[usize]| -> Vec<u64> {
            let named = |port: &&Port| port.direction == direction && port.name == name;
            let port = ports.iter().find(named).expect("a port of a bank");
            let (value, mut at) = (port.value(row), 0);
            let fields = widths.iter().map(|&bits| {
                at += bits;
                super::launches::slice(value, at - bits, bits)
            });
            fields.collect()
        };
        if field(inputs, Direction::Input, "reset", &[1]) == [1] {
            self.memory.iter_mut().for_each(VecDeque::clear);
            self.answers.clear();
            return;
        }
        let at = |queue: u64, level: u64| (queue + queues * (level - 1)) as usize;
        if field(outputs, Direction::Output, "refill_taken", &[1]) == [1] {
            self.answers.pop_front();
        }
        // The number of a queue has as many bits as that of an SMX.
        let named = |port: &&Port| port.name == "place";
        let id = ports.iter().find(named).expect("a port of a bank").bits - 4;
        let widths = [&[1, id, 4, 32][..], &UNIT].concat();
        let spill = field(outputs, Direction::Output, "spill", &widths);
        if spill[0] == 1 {
            self.memory[at(spill[1], spill[2])].push_back(spill[4..].to_vec());
        }
        let fetch = field(outputs, Direction::Output, "fetch", &[1, id, 4]);
        if fetch[0] == 1 {
            let unit = self.memory[at(fetch[1], fetch[2])].pop_front();
            let unit = unit.expect("only what was spilled is asked for");
            self.answers.push_back([&[1, fetch[1], fetch[2]][..], &unit].concat());
        }
    }
}
