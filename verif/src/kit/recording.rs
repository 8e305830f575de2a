//! A run in lockstep as the ports of the hardware saw it, and its file.

use super::closed_loop;
use super::names::without_dollar;
use super::{KitError, KitSpec};
use crate::engine::{rtl_module, RtlScheduler, Tap, RESET_CYCLES};
use crate::random_lockstep::RandomLockstep;
use crate::regress::StopFlag;
use crate::replay::{self, Cycle, Direction, Port, PortTrace, Sampler};
use crate::traffic::Intensity;
use blockyard_rtl::module::Module;
use blockyard_sim::sched;
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

/// Writes down every port in every cycle.
#[derive(Clone, Default)]
pub struct Recorder {
    /// There from the first cycle on.
    sampler: Option<Sampler>,
    seen: Rc<RefCell<Vec<Cycle>>>,
}

impl Tap for Recorder {
    fn sample(&mut self, _cycle: u64, module: &dyn Module) {
        let sampler = self.sampler.get_or_insert_with(|| Sampler::new(module));
        let (inputs, outputs) = sampler.sample(module);
        // What a scheduler puts out in a cycle with reset is undefined; the reset is its first
        // input.
        let compared = inputs[0] == 0;
        self.seen.borrow_mut().push(Cycle { inputs, outputs, compared });
    }
}

impl Recorder {
    /// The hardware of `spec`, watched by a new recorder.
    ///
    /// # Errors
    /// When there is none.
    pub fn watching(spec: &KitSpec) -> Result<(Self, RtlScheduler), KitError> {
        let KitSpec { composition, launch, storage, plan, limits, .. } = spec;
        let module = rtl_module(composition, *launch, *storage, plan.clone(), *limits)?;
        let mut hardware = RtlScheduler::new(module);
        let recorder = Self::default();
        hardware.watch(Box::new(recorder.clone()));
        Ok((recorder, hardware))
    }

    /// What it has seen, behind the cycles of reset that come before.
    pub fn trace(self, ports: Vec<Port>) -> PortTrace {
        let seen = self.seen.take();
        let zeros = |direction: Direction| {
            let of = |port: &&Port| port.direction == direction;
            vec![0; ports.iter().filter(of).map(Port::words).sum()]
        };
        let (mut inputs, outputs) = (zeros(Direction::Input), zeros(Direction::Output));
        inputs[0] = 1;
        let reset = Cycle { inputs, outputs, compared: false };
        let cycles = std::iter::repeat_n(reset, RESET_CYCLES).chain(seen).collect();
        PortTrace { ports, clocked: true, cycles }
    }
}

/// Random legal traffic: kernels, blocks that end, lookups, launches from the device, now and then
/// a reset. Less of it when `stop` is raised.
///
/// # Errors
/// When there is no such hardware, or twin and hardware differ.
pub fn random(spec: &KitSpec, stop: &StopFlag) -> Result<PortTrace, KitError> {
    let (recorder, hardware) = Recorder::watching(spec)?;
    let KitSpec { composition, launch, storage, plan, limits, seed, cycles, .. } = spec;
    let twin = sched::build_for(composition, *launch, *storage, plan.clone(), *limits)
        .map_err(|error| KitError::Twin(error.to_string()))?;
    let ports = replay::ports(hardware.module());
    let run = RandomLockstep {
        composition: composition.clone(),
        plan: plan.clone(),
        limits: *limits,
        launch: *launch,
        storage: *storage,
        intensity: Intensity::MIXED,
        seed: *seed,
        cycles: *cycles,
    };
    run.run_against(twin, hardware, stop).map_err(|error| KitError::Run(error.to_string()))?;
    Ok(recorder.trace(ports))
}

/// The file of a recording: a line a cycle, a column a port, numbers in hexadecimal. An empty cell
/// repeats the one above it.
pub fn csv(trace: &PortTrace) -> String {
    let mut text = "cycle,compared".to_owned();
    for port in &trace.ports {
        let _ = write!(text, ",{}", without_dollar(&port.name));
    }
    text.push('\n');
    let mut before: Option<&Cycle> = None;
    for (number, cycle) in trace.cycles.iter().enumerate() {
        let _ = write!(text, "{number},{}", u8::from(cycle.compared));
        for port in &trace.ports {
            let value = value(port, cycle);
            text.push(',');
            if before.is_none_or(|before| self::value(port, before) != value) {
                text += &hexadecimal(value);
            }
        }
        text.push('\n');
        before = Some(cycle);
    }
    text
}

fn value<'a>(port: &Port, cycle: &'a Cycle) -> &'a [u32] {
    port.value(match port.direction {
        Direction::Input => &cycle.inputs,
        Direction::Output => &cycle.outputs,
    })
}

/// A number without leading zeros, of words of 32 bits, the lowest first.
fn hexadecimal(words: &[u32]) -> String {
    let digits: String = words.iter().rev().map(|word| format!("{word:08x}")).collect();
    match digits.trim_start_matches('0') {
        "" => "0".to_owned(),
        significant => significant.to_owned(),
    }
}

/// Both recordings of a kit.
pub struct Recordings {
    /// Of [`random`].
    pub random: PortTrace,
    /// Of [`closed_loop::run`].
    pub closed_loop: closed_loop::ClosedLoop,
}

/// Records both, less of the traffic when `stop` is raised.
///
/// # Errors
/// As [`random`] and [`closed_loop::run`].
pub fn record(spec: &KitSpec, stop: &StopFlag) -> Result<Recordings, KitError> {
    Ok(Recordings { random: random(spec, stop)?, closed_loop: closed_loop::run(spec)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_leading_zeros_and_words_lie_one_above_the_other() {
        assert_eq!(hexadecimal(&[0]), "0");
        assert_eq!(hexadecimal(&[0, 0]), "0");
        assert_eq!(hexadecimal(&[0x10]), "10");
        assert_eq!(hexadecimal(&[0xf, 0x1]), "10000000f");
    }
}
