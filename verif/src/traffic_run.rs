//! Random traffic behind one of the engines.

use crate::engine::{Running, Tap};
use crate::mismatch::Repeatable;
use crate::random_lockstep::{Counts, RandomFailure, RandomLockstep};
use crate::regress::StopFlag;
use crate::session::Engine;
use crate::waves::Dumped;
use blockyard_sim::port::Scheduler;
use blockyard_sim::run::observer::Observer;
use blockyard_sim::sched::{build_faulty_for, Fault};

/// What to run, and who decides.
#[derive(Clone, Debug)]
pub struct TrafficRun {
    /// Scheduler, SMXs and traffic.
    pub random: RandomLockstep,
    /// Who decides; what the invariants say is checked in each.
    pub engine: Engine,
    /// Faults to inject into the twin.
    pub faults: Vec<Fault>,
}

impl TrafficRun {
    /// Runs it, while `tap` sees the hardware and `observer` is told as of any run; the counts are
    /// of less when `stop` is raised.
    ///
    /// # Errors
    /// The first difference or broken rule.
    ///
    /// # Panics
    /// When there is a tap, but no hardware (the golden engine).
    pub fn run(
        &self,
        tap: Option<Box<dyn Tap>>,
        stop: &StopFlag,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Counts, RandomFailure> {
        // What no engine takes is refused for its reason, and not for want of hardware.
        let twin = self.twin()?;
        let running = match self.engine {
            Engine::Golden => {
                assert!(tap.is_none(), "the golden engine has no hardware to look at");
                Running::golden(twin)
            }
            Engine::Rtl => Running::rtl(self.random.hardware()?, tap),
            Engine::Lockstep => Running::lockstep(twin, self.random.hardware()?, tap),
        };
        self.random.drive(running, stop, observer)
    }

    fn twin(&self) -> Result<Box<dyn Scheduler>, RandomFailure> {
        let RandomLockstep { composition, plan, limits, launch, storage, .. } = &self.random;
        if self.faults.is_empty() {
            return self.random.twin();
        }
        build_faulty_for(composition, *launch, *storage, plan.clone(), *limits, &self.faults)
            .map_err(|error| RandomFailure::Twin(error.to_string()))
    }
}

impl Repeatable for TrafficRun {
    fn dumped(&self) -> Dumped<'_> {
        Dumped { is_lockstep: self.engine == Engine::Lockstep, ..self.random.dumped() }
    }

    fn repeat(&self, tap: Box<dyn Tap>, stop: &StopFlag) {
        let _ = self.run(Some(tap), stop, None);
    }
}
