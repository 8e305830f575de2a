//! Twin of `srtf/mpmax_scheduler`: the whole of `mpmax` (`docs/srtf.md`, rules 1 to 7).

use super::super::{AdmissionGate, Gates, Twin};
use super::core::Core;
use super::oldest_below::{OldestBelow, OldestBelowInputs};
use super::reserve::{Reserve, ReserveInputs};
use crate::port::{Activity, Inputs, Outputs, Scheduler, SmxLimits};

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct MpmaxScheduler {
    core: Core,
    reserve: Reserve,
}

impl MpmaxScheduler {
    /// A scheduler for `smx` SMXs after reset.
    ///
    /// # Panics
    /// When `smx` is not in 1 to [`crate::port::MAX_SMX`].
    pub fn new(smx: usize, limits: SmxLimits, gates: Vec<Box<dyn AdmissionGate>>) -> Self {
        Self { core: Core::new(smx, limits, gates), reserve: Reserve::new(limits) }
    }
}

impl Scheduler for MpmaxScheduler {
    fn smx(&self) -> usize {
        self.core.smx
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        let smx = self.core.smx;
        outputs.clear(inputs, smx);
        if inputs.reset {
            let reserve = self.reserve.clock(&ReserveInputs { reset: true, ..Default::default() });
            return Activity::any([self.core.reset(), reserve]);
        }
        let view = self.core.view(inputs, outputs);
        let limits = self.reserve.evaluate(&ReserveInputs::default());
        let choice = |smx: usize| {
            OldestBelow.evaluate(&OldestBelowInputs {
                eligible: if limits.busy { 0 } else { view.set.eligible },
                older: view.set.older,
                staying: view.residents[smx].staying,
                limit: limits.limit,
            })
        };
        let choices: Vec<_> = (0..smx).map(choice).collect();
        let granted = self.core.grant(inputs, &view, &choices, outputs);
        let reserve = self.reserve.clock(&ReserveInputs {
            reset: false,
            change: view.launch.is_some() || view.leaves != 0,
            present: view.set.present,
            needs: view.set.needs,
        });
        let core = self.core.clock(inputs, &view, &choices, granted);
        Activity::any([core, reserve])
    }

    fn explain(&self) -> String {
        self.core.explain()
    }
}

impl Twin for MpmaxScheduler {
    fn gates_mut(&mut self) -> &mut Gates {
        &mut self.core.gates
    }
}
