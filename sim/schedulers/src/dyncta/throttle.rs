//! Twin of `dyncta/throttle`: each SMX's limit of resident blocks, and who is below it.
//!
//! Undefined, and not to be compared: what follows a `finished` of an SMX without a resident block,
//! or a `taken` of an SMX that was not allowed.

use super::super::{AdmissionGate, SmxMask};
use super::cover;
use super::DynctaConfig;
use crate::cover::{counting, when};
use crate::port::{Activity, CoreSample, KernelEntry, KernelLaunch, MAX_SMX};

/// Input ports of [`Throttle`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThrottleInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The SMXs that ask for a block.
    pub request: SmxMask,
    /// The SMXs that receive one.
    pub taken: SmxMask,
    /// The SMXs on which a block ends.
    pub finished: SmxMask,
    /// `sample`, `idle` and `memory`: what each SMX counted in the period that ends.
    pub sample: Option<[CoreSample; MAX_SMX]>,
}

/// Output ports of [`Throttle`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThrottleOutputs {
    /// Those of `request` that may receive a block.
    pub allow: SmxMask,
    /// For each SMX how many of its blocks may run; empty unless blocks are paused.
    pub running_limits: Vec<u8>,
}

/// What is stored for one SMX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Core {
    limit: u32,
    resident: u32,
}

/// A limit and a count of resident blocks for each SMX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Throttle {
    config: DynctaConfig,
    slots: u32,
    cores: Vec<Core>,
}

impl Throttle {
    /// A throttle for `smx` SMXs of `slots` thread-block slots each, after reset. `period` of the
    /// configuration is the business of whoever sends the samples.
    pub fn new(smx: usize, slots: u32, config: DynctaConfig) -> Self {
        let core = Core { limit: (slots / 2).max(1), resident: 0 };
        Self { config, slots, cores: vec![core; smx] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &ThrottleInputs) -> ThrottleOutputs {
        let mut allow = SmxMask::ZERO;
        for (smx, core) in self.cores.iter().enumerate() {
            let staying = core.resident.saturating_sub(u32::from(inputs.finished[smx]));
            when(inputs.request[smx] && staying >= core.limit, &cover::REFUSED);
            let freed = core.resident == core.limit && staying < core.limit;
            when(inputs.request[smx] && freed, &cover::FREED);
            allow.set(smx, inputs.request[smx] && staying < core.limit);
        }
        ThrottleOutputs { allow, running_limits: self.running_limits().unwrap_or_default() }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ThrottleInputs) -> Activity {
        let before = self.cores.clone();
        if inputs.reset {
            *self = Self::new(self.cores.len(), self.slots, self.config);
            return Activity::from(self.cores != before);
        }
        for smx in 0..self.cores.len() {
            if let Some(samples) = inputs.sample {
                let Core { limit, resident } = self.cores[smx];
                let next = self.next_limit(limit, samples[smx]);
                when(self.config.pause && next < limit && next < resident, &cover::PAUSED);
                when(self.config.pause && next > limit && limit < resident, &cover::RESUMED);
                self.cores[smx].limit = next;
            }
            let core = &mut self.cores[smx];
            core.resident += u32::from(inputs.taken[smx]);
            core.resident = core.resident.saturating_sub(u32::from(inputs.finished[smx]));
        }
        Activity::from(self.cores != before)
    }

    /// Which case of rule 2 a sample is.
    fn cover(&self, limit: u32, sample: CoreSample) {
        let DynctaConfig { idle, low, high, .. } = self.config;
        let (by_idle, by_memory) = (sample.idle >= idle, sample.memory < low);
        let rises = by_idle || by_memory;
        when(by_idle, &cover::MORE_IDLE);
        when(!by_idle && by_memory, &cover::MORE_MEMORY);
        when(rises && limit >= self.slots, &cover::AT_MOST);
        let falls = !rises && sample.memory >= high;
        when(falls, &cover::LESS);
        when(falls && limit == 1, &cover::AT_LEAST);
        when(!rises && !falls, &cover::STAYS);
    }

    /// Rule 2.
    fn next_limit(&self, limit: u32, sample: CoreSample) -> u32 {
        let more = (limit + 1).min(self.slots.max(1));
        let less = (limit - 1).max(1);
        if counting() {
            self.cover(limit, sample);
        }
        if sample.idle >= self.config.idle || sample.memory < self.config.low {
            more
        } else if sample.memory >= self.config.high {
            less
        } else {
            limit
        }
    }
}

impl AdmissionGate for Throttle {
    fn allow(&self, kernel: KernelEntry, request: SmxMask, first: usize) -> SmxMask {
        self.allow_beside(kernel, request, first, SmxMask::ZERO)
    }

    fn allow_beside(
        &self,
        _kernel: KernelEntry,
        request: SmxMask,
        _first: usize,
        finished: SmxMask,
    ) -> SmxMask {
        self.evaluate(&ThrottleInputs { request, finished, ..Default::default() }).allow
    }

    fn taken(&mut self, _kernel: KernelEntry, taken: SmxMask) -> Activity {
        self.clock(&ThrottleInputs { taken, ..Default::default() })
    }

    fn launch(&mut self, _entry: KernelEntry, _launch: &KernelLaunch) -> Activity {
        Activity::Quiet
    }

    /// # Panics
    /// When there are samples, but not one for each SMX.
    fn observe(&mut self, finished: SmxMask, samples: Option<&[CoreSample]>) -> Activity {
        let sample = samples.map(|samples| {
            assert_eq!(samples.len(), self.cores.len(), "one sample for each SMX");
            let mut padded = [CoreSample::default(); MAX_SMX];
            padded[..samples.len()].copy_from_slice(samples);
            padded
        });
        self.clock(&ThrottleInputs { finished, sample, ..Default::default() })
    }

    fn reset(&mut self) -> Activity {
        self.clock(&ThrottleInputs { reset: true, ..Default::default() })
    }

    fn running_limits(&self) -> Option<Vec<u8>> {
        self.config.pause.then(|| self.cores.iter().map(|core| core.limit as u8).collect())
    }

    fn explain(&self, _kernel: KernelEntry) -> String {
        let mut text = "DYNCTA limits of resident blocks".to_owned();
        for (smx, core) in self.cores.iter().enumerate() {
            let separator = if smx == 0 { ": " } else { "; " };
            let full = if core.resident >= core.limit { ", admits none" } else { "" };
            let Core { limit, resident } = core;
            text += &format!("{separator}SMX {smx}: {resident} of {limit}{full}");
            if self.config.pause && resident > limit {
                text += &format!(", pauses {}", resident - limit);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests;
