//! What went over a module's ports, cycle by cycle.

use super::ports::{is_clocked, ports, Direction, Port};
use super::stimulus::{Driver, Stimulus};
use blockyard_rtl::module::{clock_edge, settle, Module};

/// One cycle: outputs as they were after settling with that cycle's inputs, before the clock edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The input ports, each padded to words of 32 bits, lowest word first.
    pub inputs: Vec<u32>,
    /// The output ports, likewise.
    pub outputs: Vec<u32>,
    /// Whether the outputs are defined: not before the first reset edge, nor while memories are
    /// filled.
    pub compared: bool,
}

/// A recording of the rust-hdl simulation of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortTrace {
    /// The ports, in the order of declaration.
    pub ports: Vec<Port>,
    /// Whether the module has a clock.
    pub clocked: bool,
    /// The cycles.
    pub cycles: Vec<Cycle>,
}

impl PortTrace {
    /// Runs a fresh, connected module for `cycles` clock cycles.
    ///
    /// # Panics
    /// When the module does not settle.
    pub fn record(
        module: &mut dyn Module,
        stimulus: &mut dyn Stimulus,
        seed: u64,
        cycles: usize,
    ) -> Self {
        Self::record_watched(module, stimulus, seed, cycles, &mut |_| {})
    }

    /// Like [`record`](Self::record); `watch` sees the settled module in every cycle.
    ///
    /// # Panics
    /// When the module does not settle.
    pub fn record_watched(
        module: &mut dyn Module,
        stimulus: &mut dyn Stimulus,
        seed: u64,
        cycles: usize,
        watch: &mut dyn FnMut(&dyn Module),
    ) -> Self {
        let ports = ports(module);
        let clocked = is_clocked(module);
        let mut driver = Driver::new(module, &ports, seed);
        let mut recorded = Vec::with_capacity(cycles);
        for cycle in 0..cycles {
            let compared = stimulus.drive(&mut driver, cycle);
            settle(driver.module());
            watch(driver.module());
            let (inputs, outputs) = driver.sample();
            stimulus.observe(&ports, &inputs, &outputs);
            recorded.push(Cycle { inputs, outputs, compared: compared && (!clocked || cycle > 0) });
            clock_edge(driver.module());
        }
        Self { ports, clocked, cycles: recorded }
    }

    /// The ports of one direction.
    pub fn ports_of(&self, direction: Direction) -> impl Iterator<Item = &Port> {
        self.ports.iter().filter(move |port| port.direction == direction)
    }

    /// 32-bit words in a row of one direction.
    pub fn row_words(&self, direction: Direction) -> usize {
        self.ports_of(direction).map(Port::words).sum()
    }

    /// Cycles whose outputs are compared.
    pub fn compared_cycles(&self) -> usize {
        self.cycles.iter().filter(|cycle| cycle.compared).count()
    }
}
