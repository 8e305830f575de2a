//! A false statement of an engine does not stay unnoticed.

use super::checked::Checked;
use super::full_smxs::{run_on, session};
use super::{engine, Engine, Session};
use blockyard_sim::port::{Activity, Inputs, LaunchMode, Outputs, Scheduler};

/// What is not true.
#[derive(Clone, Copy, Debug)]
enum Lie {
    /// Every cycle without a block is said to be quiet.
    Quiet,
    /// The scheduler says that it is back one cycle after it was told to remember.
    Back,
}

struct Liar {
    inner: Box<dyn Scheduler>,
    lie: Lie,
    since: u64,
}

impl Scheduler for Liar {
    fn smx(&self) -> usize {
        self.inner.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        self.since += 1;
        let activity = self.inner.cycle(inputs, outputs);
        let idle = outputs.dispatch.iter().all(Option::is_none);
        match self.lie {
            Lie::Quiet if idle => Activity::Quiet,
            Lie::Quiet | Lie::Back => activity,
        }
    }

    fn remember(&mut self) {
        self.since = 0;
        self.inner.remember();
    }

    fn is_back(&self) -> bool {
        match self.lie {
            Lie::Back => self.since == 1,
            Lie::Quiet => self.inner.is_back(),
        }
    }
}

#[test]
fn a_false_quiet_and_a_false_period_are_noticed_in_either_engine() {
    // It searches, rests and turns.
    let scheduler = "laperm/adaptive-bind".parse().expect("a scheduler");
    for which in [Engine::Golden, Engine::Rtl] {
        for lie in [Lie::Quiet, Lie::Back] {
            let noticed = (0..20).any(|seed| {
                let session = session(&scheduler, LaunchMode::Dtbl, seed);
                let session = Session { engine: which, ..session };
                let liar = Liar { inner: engine(&session), lie, since: 0 };
                let mut checked = Checked::new(Box::new(liar));
                let ended = run_on(&session, &mut checked);
                ended.is_err() || checked.lie().is_some()
            });
            assert!(noticed, "{lie:?} in {which:?}");
        }
    }
}
