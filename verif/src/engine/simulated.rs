//! Hardware in a simulator of another process behind the scheduler's port.

use super::module_ports;
use super::rtl::RESET_CYCLES;
use crate::replay::{Direction, Port, Sampler};
use blockyard_rtl::schedulers::SchedulerModule;
use blockyard_sim::port::{Activity, Inputs, Outputs, Scheduler};
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A program that simulates a [`SchedulerModule`]: in each cycle it takes a row of inputs from its
/// standard input, and gives one of outputs, in words of 32 bits, the lowest byte first.
pub struct SimulatedScheduler {
    /// Its ports, driven and shown; it never evaluates.
    module: Box<dyn SchedulerModule>,
    sampler: Sampler,
    /// Of each output by its name, where its elements are: first word and bits.
    outputs: Vec<(String, Vec<(usize, usize)>)>,
    row: Vec<u32>,
    bytes: Vec<u8>,
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    failure: Option<io::Error>,
}

impl SimulatedScheduler {
    /// Starts `program`, which simulates `module` with these ports, and resets it.
    ///
    /// # Errors
    /// When it cannot be started, or ends at once.
    pub fn start(
        program: &mut Command,
        module: Box<dyn SchedulerModule>,
        ports: &[Port],
    ) -> io::Result<Self> {
        let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        let to = child.stdin.take().ok_or_else(gone)?;
        let from = BufReader::new(child.stdout.take().ok_or_else(gone)?);
        let of = |way: Direction| ports.iter().filter(move |port| port.direction == way);
        let words = |way| of(way).map(Port::words).sum();
        let mut outputs: Vec<(String, Vec<(usize, usize)>)> = Vec::new();
        for port in of(Direction::Output) {
            let place = (port.offset, port.bits);
            match outputs.last_mut().filter(|(name, _)| name == port.base_name()) {
                Some((_, places)) => places.push(place),
                None => outputs.push((port.base_name().to_owned(), vec![place])),
            }
        }
        let sampler = Sampler::new(module.as_module());
        let row = vec![0; words(Direction::Output)];
        let (bytes, failure) = (Vec::new(), None);
        let mut this = Self { module, sampler, outputs, row, bytes, child, to, from, failure };
        let mut reset = vec![0; words(Direction::Input)];
        reset[0] = 1;
        (0..RESET_CYCLES).try_for_each(|_| this.exchange(&reset))?;
        Ok(this)
    }

    /// Why the simulator has ended before it was asked to, if it has: all outputs are idle from
    /// then on.
    pub fn failure(&self) -> Option<&io::Error> {
        self.failure.as_ref()
    }

    /// One cycle of the simulator.
    fn exchange(&mut self, inputs: &[u32]) -> io::Result<()> {
        self.bytes.clear();
        self.bytes.extend(inputs.iter().flat_map(|word| word.to_le_bytes()));
        self.to.write_all(&self.bytes)?;
        self.to.flush()?;
        self.bytes.resize(4 * self.row.len(), 0);
        self.from.read_exact(&mut self.bytes)?;
        for (word, bytes) in self.row.iter_mut().zip(self.bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Ok(())
    }

    /// Shows what the simulator gave at the ports of the module.
    fn show(&mut self) {
        for (name, places) in &self.outputs {
            let mut places = places.iter();
            let (mut at, mut left) = (0, 0);
            let known = self.module.assume(name, &mut |bits| {
                while left == 0 {
                    let (first, bits) = places.next().expect("as many bits as the ports have");
                    (at, left) = (32 * first, *bits);
                }
                let value = bits_at(&self.row, at, bits);
                (at, left) = (at + bits, left - bits);
                value
            });
            assert!(known, "an output `{name}`");
        }
    }
}

/// Up to 64 `bits` of `row` from bit `at` on.
fn bits_at(row: &[u32], at: usize, bits: usize) -> u64 {
    let words = row[at / 32..].iter().take(3).rev();
    let whole = words.fold(0u128, |whole, word| whole << 32 | u128::from(*word));
    (whole >> (at % 32)) as u64 & (u64::MAX >> (64 - bits))
}

impl Scheduler for SimulatedScheduler {
    fn smx(&self) -> usize {
        self.module.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        if self.failure.is_none() {
            module_ports::drive(&mut *self.module, inputs);
            let (row, _) = self.sampler.sample(self.module.as_module());
            match self.exchange(&row) {
                Ok(()) => {
                    self.show();
                    module_ports::read(&*self.module, inputs, outputs);
                    return Activity::Busy;
                }
                Err(error) => self.failure = Some(error),
            }
        }
        *outputs = Outputs::idle(self.smx());
        Activity::Busy
    }
}

impl Drop for SimulatedScheduler {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_taken_across_words() {
        let row = [0x8000_0001, 0xffff_0000, 0x0000_00ff, 7];
        assert_eq!(bits_at(&row, 0, 1), 1);
        assert_eq!(bits_at(&row, 31, 2), 1);
        assert_eq!(bits_at(&row, 16, 64), 0x00ff_ffff_0000_8000);
        assert_eq!(bits_at(&row, 96, 3), 7);
        assert_eq!(bits_at(&row, 97, 31), 3);
    }
}
