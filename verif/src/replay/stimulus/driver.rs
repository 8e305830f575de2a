//! A module's inputs by name, and the random numbers that go there.

use super::super::ports::{Direction, Port};
use super::super::sampler::Sampler;
use blockyard_rtl::module::{settle, Module};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Access to the inputs of a module while it is recorded.
pub struct Driver<'a> {
    module: &'a mut dyn Module,
    ports: &'a [Port],
    sampler: Sampler,
    random: Pcg64,
}

impl<'a> Driver<'a> {
    /// Access to `module`, whose ports are `ports`.
    pub fn new(module: &'a mut dyn Module, ports: &'a [Port], seed: u64) -> Self {
        let sampler = Sampler::new(module);
        Self { module, ports, sampler, random: Pcg64::seed_from_u64(seed) }
    }

    /// The module.
    pub fn module(&mut self) -> &mut dyn Module {
        self.module
    }

    /// The random numbers.
    pub fn random(&mut self) -> &mut Pcg64 {
        &mut self.random
    }

    /// Whether something with a probability of `per_mille` thousandths happens.
    pub fn chance(&mut self, per_mille: u32) -> bool {
        self.random.random_range(0..1000) < per_mille
    }

    /// The names of the inputs but the reset, an array once.
    pub fn inputs(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for port in self.ports.iter().filter(|port| port.direction == Direction::Input) {
            let name = port.base_name();
            if name != "reset" && names.last().is_none_or(|last| last != name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// The width in bits of a port, or of one element of an array.
    ///
    /// # Panics
    /// When there is no such port.
    pub fn width(&self, name: &str) -> usize {
        let port = self.ports.iter().find(|port| port.is(name));
        port.unwrap_or_else(|| panic!("the module has no port {name}")).bits
    }

    /// How many elements an array has; 1 for a port that is none.
    pub fn elements(&self, name: &str) -> usize {
        self.ports.iter().filter(|port| port.is(name)).count()
    }

    /// Whether there is such an input.
    pub fn has(&self, name: &str) -> bool {
        self.ports.iter().any(|port| port.is(name))
    }

    /// Drives an input with stated values: the elements of an array in order, the fields of a
    /// struct in order, each cut to its width; what is not stated is zero.
    ///
    /// # Panics
    /// When there is no such input.
    pub fn set(&mut self, name: &str, values: &[u64]) {
        let mut values = values.iter();
        let known = self.module.drive(name, &mut |bits| {
            let value = values.next().copied().unwrap_or(0);
            if bits < 64 {
                value & ((1 << bits) - 1)
            } else {
                value
            }
        });
        assert!(known, "the module has no input {name}");
    }

    /// Drives every bit of an input with the same level.
    ///
    /// # Panics
    /// When there is no such input.
    pub fn set_all(&mut self, name: &str, level: bool) {
        let words = self.width(name).div_ceil(64);
        self.set(name, &vec![if level { u64::MAX } else { 0 }; words]);
    }

    /// Drives an input with random words; a single bit is 1 with a probability of `density`
    /// thousandths. Words are zero, all ones, small, sparse or uniform.
    ///
    /// # Panics
    /// When there is no such input.
    pub fn scramble(&mut self, name: &str, density: u32) {
        let random = &mut self.random;
        let known = self.module.drive(name, &mut |bits| word(random, bits, density));
        assert!(known, "the module has no input {name}");
    }

    /// Drives the reset, if the module has one.
    pub fn reset(&mut self, level: bool) {
        self.module.drive_reset(level);
    }

    /// The values of all input ports and of all output ports of the module, which has settled.
    pub fn sample(&self) -> (Vec<u32>, Vec<u32>) {
        self.sampler.sample(self.module)
    }

    fn settled_port(&mut self, name: &str) -> (&'a Port, Vec<u32>) {
        settle(self.module);
        let (_, outputs) = self.sample();
        let port = self.ports.iter().find(|port| port.name == name);
        (port.unwrap_or_else(|| panic!("the module has no output {name}")), outputs)
    }

    /// The lowest 64 bits of an output with the inputs driven so far.
    ///
    /// # Panics
    /// When there is no such output.
    pub fn settled(&mut self, name: &str) -> u64 {
        let (port, outputs) = self.settled_port(name);
        low_bits(port, &outputs)
    }

    /// The bits of an output with the inputs driven so far, the lowest first.
    ///
    /// # Panics
    /// When there is no such output.
    pub fn settled_bits(&mut self, name: &str) -> Vec<bool> {
        let (port, outputs) = self.settled_port(name);
        let words = port.value(&outputs);
        (0..port.bits).map(|bit| words[bit / 32] >> (bit % 32) & 1 == 1).collect()
    }
}

/// Bits in the words of 64 that [`Driver::set`] takes, the lowest first.
pub fn packed(bits: &[bool]) -> Vec<u64> {
    let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
    bits.chunks(64).map(word).collect()
}

/// The lowest 64 bits of a port.
pub fn low_bits(port: &Port, row: &[u32]) -> u64 {
    port.value(row).iter().take(2).rev().fold(0, |value, &word| value << 32 | u64::from(word))
}

fn word(random: &mut Pcg64, bits: usize, density: u32) -> u64 {
    if bits == 1 {
        return u64::from(random.random_range(0..1000) < density);
    }
    let mask = if bits < 64 { (1 << bits) - 1 } else { u64::MAX };
    let uniform = random.random::<u64>() & mask;
    match random.random_range(0..10) {
        0 => 0,
        1 => mask,
        2 => uniform & random.random::<u64>(),
        3..=5 => uniform >> random.random_range(0..bits),
        _ => uniform,
    }
}
