//! Pairs of kernels under each policy, and each kernel alone: what Tables 5 and 6 are made of.

use super::accuracy::{Accuracy, Recorder};
use crate::gpu::config::GpuConfig;
use crate::gpu::Gpu;
use crate::port::{BlockPorts, LaunchMode, SmxLimits};
use crate::run::error::RunError;
use crate::run::observer::{Nobody, Observer};
use crate::run::{self, RunOptions};
use crate::sched::dispatch::RoundRobinConfig;
use crate::sched::srtf::{MpmaxConfig, OracleConfig, OracleKind, Policy, RuntimeList, SrtfConfig};
use crate::sched::{self, Composition};
use crate::stats::Multiprogram;
use crate::workload::erc::{ErcKernel, ErcOptions, ErcWorkload, KERNELS};
use serde::Serialize;

/// Cycles that an oracle waits for the second of two kernels that start together: more than the
/// stagger.
const ORACLE_WAIT: u16 = 128;

/// A policy of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheduling {
    /// `fifo`.
    Fifo,
    /// `mpmax`.
    Mpmax,
    /// `srtf`.
    Srtf,
    /// `srtf/adaptive`.
    Adaptive,
    /// `srtf/zero-sampling`, told the run times alone.
    ZeroSampling,
    /// `sjf`, told the run times alone.
    Sjf,
    /// `ljf`, told the run times alone.
    Ljf,
}

impl Scheduling {
    /// Its name as a scheduler, without parameters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fifo => "fifo",
            Self::Mpmax => "mpmax",
            Self::Srtf => "srtf",
            Self::Adaptive => "srtf/adaptive",
            Self::ZeroSampling => "srtf/zero-sampling",
            Self::Sjf => "sjf",
            Self::Ljf => "ljf",
        }
    }

    /// The scheduler; an oracle is told that the kernels run for `alone` cycles, in order of
    /// launch.
    fn composition(self, alone: &[u64]) -> Composition {
        let oracle = |kind, wait| {
            let runtimes = RuntimeList::new(alone).expect("one or two positive run times");
            OracleConfig { kind, runtimes, wait }.into()
        };
        let source = match self {
            Self::Fifo => RoundRobinConfig::default().into(),
            Self::Mpmax => MpmaxConfig.into(),
            Self::Srtf => SrtfConfig::new(Policy::Shortest).into(),
            Self::Adaptive => SrtfConfig::new(Policy::Adaptive).into(),
            Self::ZeroSampling => oracle(OracleKind::Remaining, 0),
            Self::Sjf => oracle(OracleKind::Shortest, ORACLE_WAIT),
            Self::Ljf => oracle(OracleKind::Longest, ORACLE_WAIT),
        };
        Composition { source, gates: Vec::new() }
    }
}

/// Two kernels in order of arrival.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The one that arrives first.
    pub first: ErcKernel,
    /// The other one.
    pub second: ErcKernel,
}

impl Pair {
    /// All 56 ordered pairs.
    pub fn all() -> Vec<Self> {
        let pairs = KERNELS.into_iter().flat_map(|first| {
            let others = KERNELS.into_iter().filter(move |second| second.name != first.name);
            others.map(move |second| Self { first, second })
        });
        pairs.collect()
    }

    /// The 28 of section 2: the first name comes first in the alphabet.
    pub fn alphabetical() -> Vec<Self> {
        Self::all().into_iter().filter(|pair| pair.first.name < pair.second.name).collect()
    }

    /// Its name as a workload.
    pub fn name(&self) -> String {
        format!("erc/{}+{}", self.first.name, self.second.name)
    }
}

/// What a pair did under a policy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Turnaround of each kernel by its run time alone, in order of arrival.
    pub slowdowns: [f64; 2],
    /// What follows from these.
    #[serde(flatten)]
    pub metrics: Multiprogram,
}

/// A GPU, the seed of the durations, and how long each kernel takes alone.
#[derive(Clone, Debug)]
pub struct Evaluation {
    gpu: GpuConfig,
    seed: u64,
    stagger: u32,
    alone: [u64; KERNELS.len()],
}

impl Evaluation {
    /// Runs every kernel alone under `rr`.
    ///
    /// # Errors
    /// A GPU on which they cannot run, or a run that fails.
    pub fn new(gpu: GpuConfig, seed: u64, stagger: u32) -> Result<Self, RunError> {
        let mut evaluation = Self { gpu, seed, stagger, alone: [0; KERNELS.len()] };
        for (place, kernel) in KERNELS.into_iter().enumerate() {
            let scheduler = Scheduling::Fifo.composition(&[]);
            let finish = evaluation.turnarounds(&[kernel], 0, &scheduler, None)?;
            evaluation.alone[place] = finish[0];
        }
        Ok(evaluation)
    }

    /// The turnaround time of a kernel alone, in cycles.
    pub fn alone(&self, kernel: ErcKernel) -> u64 {
        self.alone[kernel.index()]
    }

    /// Runs a pair of which the second kernel arrives after `offset` percent of the first one's run
    /// time.
    ///
    /// # Errors
    /// A run that fails.
    pub fn pair(
        &self,
        pair: Pair,
        offset: u32,
        scheduling: Scheduling,
    ) -> Result<Figures, RunError> {
        self.observed(pair, offset, scheduling, None)
    }

    /// How well equation 2 predicts each kernel that runs alone (section 4.2's single-sim).
    ///
    /// # Errors
    /// A run that fails.
    pub fn accuracy_alone(&self) -> Result<Accuracy, RunError> {
        let mut accuracy = Accuracy::default();
        for kernel in KERNELS {
            let mut recorder = Recorder::new(&[kernel], self.gpu.smx.count);
            let scheduler = Scheduling::Fifo.composition(&[]);
            self.turnarounds(&[kernel], 0, &scheduler, Some(&mut recorder))?;
            accuracy.join(recorder.finish());
        }
        Ok(accuracy)
    }

    /// How well it predicts the kernel of a pair under `mpmax` that ends last, in its last slice
    /// (section 4.2's mpmax).
    ///
    /// # Errors
    /// A run that fails.
    pub fn accuracy_under_mpmax(&self, pair: Pair) -> Result<Accuracy, RunError> {
        let mut recorder = Recorder::new(&[pair.first, pair.second], self.gpu.smx.count);
        self.observed(pair, 0, Scheduling::Mpmax, Some(&mut recorder))?;
        Ok(recorder.finish())
    }

    fn observed(
        &self,
        pair: Pair,
        offset: u32,
        scheduling: Scheduling,
        recorder: Option<&mut Recorder>,
    ) -> Result<Figures, RunError> {
        let alone = [self.alone(pair.first), self.alone(pair.second)];
        let scheduler = scheduling.composition(&alone);
        let together =
            self.turnarounds(&[pair.first, pair.second], offset, &scheduler, recorder)?;
        let slowdowns = [0, 1].map(|k| together[k] as f64 / alone[k] as f64);
        let metrics = Multiprogram::of(&slowdowns).expect("a run takes time");
        Ok(Figures { slowdowns, metrics })
    }

    /// Cycles from the arrival of each kernel to its end.
    fn turnarounds(
        &self,
        kernels: &[ErcKernel],
        offset: u32,
        scheduler: &Composition,
        recorder: Option<&mut Recorder>,
    ) -> Result<Vec<u64>, RunError> {
        let slots = recorder.is_some();
        let mut nobody = Nobody;
        let observer: &mut dyn Observer = match recorder {
            Some(recorder) => recorder,
            None => &mut nobody,
        };
        let options = ErcOptions { offset, stagger: self.stagger };
        let workload = ErcWorkload { kernels: kernels.to_vec(), options };
        let mut gpu = Gpu::new(self.gpu.clone(), Box::new(workload.program(self.seed)))?;
        // The recorder of predictions wants to know slots, whatever the scheduler does.
        let mut ports = scheduler.ports(LaunchMode::Flat);
        if slots {
            ports.blocks = BlockPorts::Timed;
        }
        gpu.drive(ports);
        let limits: SmxLimits = self.gpu.limits();
        let mut twin = sched::build(scheduler, self.gpu.smx.count as usize, limits);
        let options = RunOptions { rules: scheduler.into(), ..RunOptions::default() };
        run::run(&mut gpu, twin.as_mut(), &options, observer)?;
        let ended = gpu.kernels().iter();
        Ok(ended.map(|kernel| kernel.finish.unwrap_or(0) - kernel.arrive).collect())
    }
}

#[cfg(test)]
mod tests;
