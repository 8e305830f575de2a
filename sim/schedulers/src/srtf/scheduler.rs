//! Twin of `srtf/scheduler` and `srtf/adaptive_scheduler`: the whole of `srtf` and `srtf/adaptive`
//! (`docs/srtf.md`, rules 1 to 5 and 8 to 17).

use super::super::{AdmissionGate, Gates, Twin};
use super::block_starts::{BlockStarts, BlockStartsInputs, BlockStartsOutputs};
use super::config::{Policy, SrtfConfig};
use super::core::{Core, Granted, View};
use super::fairness::{Fairness, FairnessInputs, FairnessOutputs};
use super::predictor::{Copied, Predictor, PredictorInputs, PredictorOutputs};
use super::sampler::{Sampler, SamplerInputs};
use super::shortest_first::{ShortestFirst, ShortestFirstInputs};
use crate::port::{Activity, Inputs, KernelEntry, Outputs, Scheduler, SmxLimits};

/// The SMX on which new kernels are sampled.
const SAMPLING_SMX: usize = 0;

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct SrtfScheduler {
    core: Core,
    starts: Vec<BlockStarts>,
    predictors: Vec<Predictor>,
    shortest: Vec<ShortestFirst>,
    sampler: Sampler,
    /// Of the adaptive policy.
    fairness: Option<Fairness>,
}

impl SrtfScheduler {
    /// A scheduler for `smx` SMXs after reset.
    ///
    /// # Panics
    /// When `smx` is not in 1 to [`crate::port::MAX_SMX`].
    pub fn new(
        smx: usize,
        limits: SmxLimits,
        config: SrtfConfig,
        gates: Vec<Box<dyn AdmissionGate>>,
    ) -> Self {
        let shortest = |smx| ShortestFirst::new(smx == SAMPLING_SMX, config.limit);
        let fairness = Fairness::new(config.limit, config.threshold_in_256ths());
        Self {
            core: Core::new(smx, limits, gates),
            starts: vec![BlockStarts::new(limits.thread_block_slots); smx],
            predictors: vec![Predictor::new(); smx],
            shortest: (0..smx).map(shortest).collect(),
            sampler: Sampler::new(config.sample),
            fairness: (config.policy == Policy::Adaptive).then_some(fairness),
        }
    }

    fn reset(&mut self) -> Activity {
        let reset = true;
        let mut activity = self.core.reset();
        for starts in &mut self.starts {
            activity |= starts.clock(&BlockStartsInputs { reset, ..Default::default() });
        }
        for predictor in &mut self.predictors {
            activity |= predictor.clock(&PredictorInputs { reset, ..Default::default() });
        }
        for shortest in &mut self.shortest {
            activity |= shortest.clock(&ShortestFirstInputs { reset, ..Default::default() });
        }
        activity |= self.sampler.clock(&SamplerInputs { reset, ..Default::default() });
        if let Some(fairness) = &mut self.fairness {
            activity |= fairness.clock(&FairnessInputs { reset, ..Default::default() });
        }
        activity
    }

    /// The inputs of an SMX's Block_Start.
    fn starts_inputs(smx: usize, inputs: &Inputs, granted: Option<Granted>) -> BlockStartsInputs {
        let slot = inputs.finished_slots.get(smx).copied().unwrap_or(0);
        BlockStartsInputs {
            reset: false,
            clock: inputs.clock.unwrap_or(0),
            finished: inputs.finished[smx].map(|_| slot),
            taken: Granted::on(granted, smx).is_some(),
        }
    }

    /// The inputs of an SMX's choice.
    fn shortest_inputs(
        smx: usize,
        view: &View,
        prediction: &PredictorOutputs,
        sampling: Option<KernelEntry>,
        sharing: bool,
    ) -> ShortestFirstInputs {
        ShortestFirstInputs {
            reset: false,
            eligible: view.set.eligible,
            older: view.set.older,
            known: prediction.known,
            remaining: prediction.remaining,
            sampling,
            sharing,
            staying: view.residents[smx].staying,
        }
    }

    /// The inputs of an SMX's predictor; `slice` and `copy` are missing.
    fn predictor_inputs(
        smx: usize,
        inputs: &Inputs,
        view: &View,
        starts: &BlockStartsOutputs,
        granted: Option<Granted>,
    ) -> PredictorInputs {
        PredictorInputs {
            clock: inputs.clock.unwrap_or(0),
            launch: view.launch.map(|(_, entry)| entry),
            leaves: view.leaves,
            finished: inputs.finished[smx].map(|kernel| (kernel, starts.duration)),
            taken: Granted::on(granted, smx),
            resident: view.residents[smx].resident,
            total: view.set.total,
            residency: view.set.residency,
            ..PredictorInputs::default()
        }
    }
}

impl Scheduler for SrtfScheduler {
    fn smx(&self) -> usize {
        self.core.smx
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        let smx = self.core.smx;
        outputs.clear(inputs, smx);
        if inputs.reset {
            return self.reset();
        }

        // What is known, and what each SMX would take.
        let view = self.core.view(inputs, outputs);
        let leaving = PredictorInputs { leaves: view.leaves, ..PredictorInputs::default() };
        let predictions: Vec<_> =
            self.predictors.iter().map(|predictor| predictor.evaluate(&leaving)).collect();
        let sampler = self.sampler.evaluate(&SamplerInputs::default());
        let fairness_inputs = |granted: Option<Granted>| FairnessInputs {
            reset: false,
            launch: view.launch.map(|(_, entry)| entry),
            leaves: view.leaves,
            last: granted.is_some_and(|granted| granted.last),
            eligible: view.set.eligible,
            older: view.set.older,
            residency: view.set.residency,
            known: predictions[SAMPLING_SMX].known,
            remaining: predictions[SAMPLING_SMX].remaining,
            predicted: predictions[SAMPLING_SMX].predicted,
            stored: predictions[SAMPLING_SMX].stored,
            resident: view.residents[SAMPLING_SMX].resident,
        };
        let fairness = self.fairness.as_ref();
        let fairness = fairness.map_or(FairnessOutputs::default(), |fairness| {
            fairness.evaluate(&fairness_inputs(None))
        });
        let shortest_inputs: Vec<_> = (0..smx)
            .map(|smx| {
                let prediction = &predictions[smx];
                Self::shortest_inputs(smx, &view, prediction, sampler.sampling, fairness.sharing)
            })
            .collect();
        let shortest: Vec<_> =
            self.shortest.iter().zip(&shortest_inputs).map(|(s, i)| s.evaluate(i)).collect();
        let choices: Vec<_> = shortest.iter().map(|shortest| shortest.choice).collect();

        // Who gets a block, and its slot.
        let granted = self.core.grant(inputs, &view, &choices, outputs);
        let starts: Vec<_> = (0..smx)
            .map(|smx| self.starts[smx].evaluate(&Self::starts_inputs(smx, inputs, granted)))
            .collect();
        if let Some(granted) = granted {
            if let Some(dispatch) = &mut outputs.dispatch[granted.smx] {
                dispatch.slot = starts[granted.smx].slot.unwrap_or(0);
            }
        }

        // The clock edge.
        let mut activity = self.core.clock(inputs, &view, &choices, granted);
        for s in 0..smx {
            activity |= self.starts[s].clock(&Self::starts_inputs(s, inputs, granted));
            activity |= self.shortest[s].clock(&shortest_inputs[s]);
            let copying = sampler.copying.filter(|_| s != SAMPLING_SMX);
            let mut predictor = Self::predictor_inputs(s, inputs, &view, &starts[s], granted);
            predictor.slice = shortest[s].changed || fairness.changes;
            predictor.copy = copying.map(|kernel| Copied {
                kernel,
                remaining: predictions[SAMPLING_SMX].remaining[kernel.index()],
                predicted: predictions[SAMPLING_SMX].predicted[kernel.index()],
            });
            activity |= self.predictors[s].clock(&predictor);
        }
        activity |= self.sampler.clock(&SamplerInputs {
            reset: false,
            launch: view.launch.map(|(_, entry)| entry),
            alone: view.set.present & !view.leaves == 0,
            eligible: view.set.eligible,
            older: view.set.older,
            stored: predictions[SAMPLING_SMX].stored.map(|(kernel, _)| kernel),
        });
        if let Some(fairness) = &mut self.fairness {
            activity |= fairness.clock(&fairness_inputs(granted));
        }
        activity
    }

    fn explain(&self) -> String {
        let sampler = self.sampler.evaluate(&SamplerInputs::default());
        let sampling = sampler.sampling.map(|kernel| {
            format!("the scheduler samples the kernel in entry {} on SMX 0\n", kernel.0)
        });
        sampling.unwrap_or_default() + &self.core.explain()
    }
}

impl Twin for SrtfScheduler {
    fn gates_mut(&mut self) -> &mut Gates {
        &mut self.core.gates
    }
}
