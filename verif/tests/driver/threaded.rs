//! The same cycles in rust-hdl's threaded `Simulation` and behind `settle` and `clock_edge`.

use super::plain::{PlainFifo, PlainRoundRobin};
use blockyard_rtl::dispatch::RoundRobin;
use blockyard_rtl::mask::Mask;
use blockyard_rtl::module::{clock_edge, settle, Fresh, Module};
use blockyard_rtl::prim::Fifo;
use blockyard_rtl::word::U;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rust_hdl::prelude::*;
use std::sync::mpsc;

const CYCLES: usize = 400;
const HALF_PERIOD: u64 = 5;

/// Inputs and outputs of a small design as numbers, whoever evaluates it.
trait Design: Block + Send + Sized + 'static {
    fn set_clock(&mut self, level: bool);
    fn clock(&self) -> bool;
    /// Drives reset and the other inputs from random bits.
    fn set_inputs(&mut self, reset: bool, bits: u64);
    fn outputs(&self) -> Vec<u64>;
}

macro_rules! queue_ports {
    () => {
        fn set_inputs(&mut self, reset: bool, bits: u64) {
            self.set_reset(reset);
            self.push.next = bits & 3 != 0;
            self.pop.next = bits & 12 == 0 || bits >> 20 & 1 == 1;
            self.data.next = U::wrap(bits >> 8);
        }
        fn outputs(&self) -> Vec<u64> {
            let (empty, full) = (self.empty.val(), self.full.val());
            // The head of an empty queue is undefined.
            let head = if empty { 0 } else { self.head.val().raw() };
            vec![empty.into(), full.into(), head]
        }
    };
}

macro_rules! placement_ports {
    () => {
        fn set_inputs(&mut self, reset: bool, bits: u64) {
            self.set_reset(reset);
            self.request.next = Requests::of(bits & bits >> 8 & 0b111);
        }
        fn outputs(&self) -> Vec<u64> {
            vec![self.grant.val().bits_set(), self.first.val().raw()]
        }
    };
}

/// One bit for each of three SMXs, in either kind of word.
trait Requests {
    fn of(bits: u64) -> Self;
    fn bits_set(self) -> u64;
}

impl Requests for Mask {
    fn of(bits: u64) -> Self {
        Mask::new(3, [bits, 0, 0])
    }
    fn bits_set(self) -> u64 {
        self.words()[0]
    }
}

impl Requests for U<3> {
    fn of(bits: u64) -> Self {
        U::new(bits)
    }
    fn bits_set(self) -> u64 {
        self.raw()
    }
}

macro_rules! ordered {
    ($design:ty, $ports:ident) => {
        impl Design for $design {
            fn set_clock(&mut self, level: bool) {
                self.drive_clock(level);
            }
            fn clock(&self) -> bool {
                self.control.clock.val().clk
            }
            $ports!();
        }
        impl SetReset for $design {
            fn set_reset(&mut self, level: bool) {
                self.drive_reset(level);
            }
        }
    };
}

macro_rules! plain {
    ($design:ty, $ports:ident) => {
        impl Design for $design {
            fn set_clock(&mut self, level: bool) {
                self.clock.next = Clock { clk: level };
            }
            fn clock(&self) -> bool {
                self.clock.val().clk
            }
            $ports!();
        }
        impl SetReset for $design {
            fn set_reset(&mut self, level: bool) {
                self.reset.next = level;
            }
        }
    };
}

trait SetReset {
    fn set_reset(&mut self, level: bool);
}

type Queue = Fifo<U<8>, 2>;
type Placement = RoundRobin;
ordered!(Queue, queue_ports);
ordered!(Placement, placement_ports);
plain!(PlainFifo, queue_ports);
plain!(PlainRoundRobin, placement_ports);

/// Reset and input bits of each cycle; phases fill and drain.
fn stimulus() -> Vec<(bool, u64)> {
    let mut random = Pcg64::seed_from_u64(5);
    let cycle = |cycle: usize| {
        let bits: u64 = random.random();
        let bits = if (cycle / 20).is_multiple_of(2) {
            bits & !(1 << 20) | 4
        } else {
            bits & !1 | 1 << 20
        };
        (cycle < 2 || cycle.is_multiple_of(97), bits)
    };
    (0..CYCLES).map(cycle).collect()
}

/// Behind the driver: one settled evaluation a cycle.
fn driven<D: Design + Module>(mut design: D) -> Vec<Vec<u64>> {
    design.connect_all();
    let cycle = |(reset, bits)| {
        design.set_inputs(reset, bits);
        settle(&mut design);
        let outputs = design.outputs();
        clock_edge(&mut design);
        outputs
    };
    stimulus().into_iter().map(cycle).collect()
}

/// In rust-hdl's simulation: a clock and a test bench that samples before the rising edge.
fn simulated<D: Design>(design: D) -> Vec<Vec<u64>> {
    let (sender, receiver) = mpsc::channel();
    let sender = std::sync::Mutex::new(sender);
    let mut simulation: Simulation<D> = Simulation::new();
    simulation.add_clock(HALF_PERIOD, |design: &mut Box<D>| {
        let level = !design.clock();
        design.set_clock(level);
    });
    simulation.add_testbench(move |mut sim: Sim<D>| {
        let mut design = sim.init()?;
        for (reset, bits) in stimulus() {
            design.set_inputs(reset, bits);
            design = sim.wait(1, design)?;
            sender.lock().unwrap().send(design.outputs()).expect("the test listens");
            design = sim.watch(|design| design.clock(), design)?;
            design = sim.watch(|design| !design.clock(), design)?;
        }
        sim.done(design)
    });
    let time = CYCLES as u64 * 4 * HALF_PERIOD;
    simulation.run(Box::new(design), time).expect("the simulation ends");
    drop(simulation);
    receiver.try_iter().collect()
}

/// Cycles after the first reset; before it, registers are undefined.
fn defined(outputs: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
    assert_eq!(outputs.len(), CYCLES);
    outputs.into_iter().skip(1).collect()
}

/// Over all cycles, the number of different outputs: enough must have happened.
fn different(outputs: &[Vec<u64>]) -> usize {
    outputs.iter().collect::<std::collections::BTreeSet<_>>().len()
}

#[test]
fn a_queue_gives_the_same_outputs_behind_the_driver_and_in_the_threaded_simulation() {
    let outputs = defined(driven(Queue::fresh()));
    assert!(different(&outputs) > 50);
    assert!(outputs.iter().any(|ports| ports[1] == 1), "it has been full");
    assert_eq!(outputs, defined(simulated(Queue::fresh())));
}

#[test]
fn a_round_robin_gives_the_same_outputs_behind_the_driver_and_in_the_threaded_simulation() {
    let outputs = defined(driven(Placement::new(3)));
    assert_eq!(different(&outputs), 12, "every pointer with every grant");
    assert_eq!(outputs, defined(simulated(Placement::new(3))));
}

#[test]
fn the_ordered_lazy_queue_behaves_like_the_same_logic_in_a_plain_block() {
    assert_eq!(defined(driven(Queue::fresh())), defined(simulated(PlainFifo::new())));
}

#[test]
fn the_ordered_lazy_round_robin_behaves_like_the_same_logic_in_a_plain_block() {
    assert_eq!(defined(driven(Placement::new(3))), defined(simulated(PlainRoundRobin::new())));
}
