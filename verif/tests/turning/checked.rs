//! A scheduler whose statements are held against what it does.

use blockyard_sim::port::{Activity, Inputs, Outputs, Scheduler};
use blockyard_sim::sched::invariants::{Invariants, Turning};
use std::cell::Cell;

/// How many statements came true.
#[derive(Clone, Copy, Debug, Default)]
pub struct Confirmed {
    /// Cycles after a quiet one, on the same inputs.
    pub quiet: u64,
    /// Cycles after the scheduler said that it is back, on the same inputs.
    pub turning: u64,
    /// Cycles in which the rules said that they are back, on the same inputs.
    pub rules: u64,
}

impl Confirmed {
    /// Both counts together.
    pub fn add(&mut self, other: Self) {
        self.quiet += other.quiet;
        self.turning += other.turning;
        self.rules += other.rules;
    }
}

/// The rules, and where they were in a cycle of the same inputs, with all that they knew.
struct Rules {
    invariants: Invariants,
    held: Option<(Turning, Invariants)>,
}

impl Rules {
    /// Checks a cycle, which `goes_on` when it has the inputs of the one before and no effect;
    /// returns whether the rules are back in all that they know, if they say that they are.
    fn check(&mut self, inputs: &Inputs, outputs: &Outputs, goes_on: bool) -> Option<bool> {
        self.invariants.check(inputs, outputs).expect("the run checks it as well");
        if !goes_on {
            self.held = None;
        }
        let now = self.invariants.turning()?;
        match &self.held {
            Some((then, all)) => (*then == now).then(|| *all == self.invariants),
            None => {
                self.held = Some((now, self.invariants.clone()));
                None
            }
        }
    }
}

/// What is to come while the inputs stay.
#[derive(Debug)]
enum Expected {
    Nothing,
    /// The outputs of the cycle before, and quiet.
    Quiet,
    /// The outputs of the period, from this place in it on.
    Period(usize),
}

/// `inner`, evaluated in every cycle: what a run would skip must be what the statements promise.
pub struct Checked {
    inner: Box<dyn Scheduler>,
    rules: Option<Rules>,
    before: (Inputs, Outputs),
    /// Outputs since the state was remembered, as long as the inputs were the same.
    since: Option<Vec<Outputs>>,
    expected: Expected,
    said_back: Cell<bool>,
    confirmed: Confirmed,
    lie: Option<String>,
}

impl Checked {
    pub fn new(inner: Box<dyn Scheduler>) -> Self {
        let smx = inner.smx();
        Self {
            inner,
            rules: None,
            before: (Inputs::idle(smx), Outputs::idle(smx)),
            since: None,
            expected: Expected::Nothing,
            said_back: Cell::new(false),
            confirmed: Confirmed::default(),
            lie: None,
        }
    }

    /// The same with the rules of a run, of which none has been checked.
    pub fn under(self, invariants: Invariants) -> Self {
        Self { rules: Some(Rules { invariants, held: None }), ..self }
    }

    pub fn confirmed(&self) -> Confirmed {
        self.confirmed
    }

    /// The first statement that was not true.
    pub fn lie(&self) -> Option<&str> {
        self.lie.as_deref()
    }

    fn check(&mut self, outputs: &Outputs, activity: Activity) {
        let wrong = match &mut self.expected {
            Expected::Nothing => return,
            Expected::Quiet => {
                self.confirmed.quiet += 1;
                activity != Activity::Quiet || *outputs != self.before.1
            }
            Expected::Period(at) => {
                self.confirmed.turning += 1;
                let period = self.since.as_ref().expect("the scheduler said that it is back");
                let expected = &period[*at];
                *at = (*at + 1) % period.len();
                outputs != expected
            }
        };
        if wrong {
            let expected = &self.expected;
            self.lie.get_or_insert(format!("after {expected:?}: {activity:?} {outputs:?}"));
        }
    }
}

impl Scheduler for Checked {
    fn smx(&self) -> usize {
        self.inner.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        let said_back = self.said_back.replace(false);
        if *inputs != self.before.0 {
            self.expected = Expected::Nothing;
            self.since = None;
        } else if said_back {
            self.expected = Expected::Period(0);
        }
        let activity = self.inner.cycle(inputs, outputs);
        self.check(outputs, activity);
        let goes_on = *inputs == self.before.0 && !outputs.have_effect(inputs);
        let rules = self.rules.as_mut().and_then(|rules| rules.check(inputs, outputs, goes_on));
        if let Some(back) = rules {
            self.confirmed.rules += 1;
            if !back {
                self.lie.get_or_insert("the rules say that they are back".to_owned());
            }
        }
        self.before = (inputs.clone(), outputs.clone());
        if let (Some(since), Expected::Nothing) = (&mut self.since, &self.expected) {
            since.push(outputs.clone());
        }
        match (&self.expected, activity) {
            (Expected::Period(_), _) => {}
            (_, Activity::Quiet) => self.expected = Expected::Quiet,
            (_, Activity::Busy) => self.expected = Expected::Nothing,
        }
        activity
    }

    fn remember(&mut self) {
        self.inner.remember();
        self.since = Some(Vec::new());
        self.expected = Expected::Nothing;
    }

    fn is_back(&self) -> bool {
        let back = self.inner.is_back();
        self.said_back.set(back);
        back
    }

    fn explain(&self) -> String {
        self.inner.explain()
    }
}
