//! Notices that a scheduler only turns: that it is back where it was, although it stored something
//! in every cycle.
//!
//! ```text
//!   cycle      c     c+1    ...   c+P   c+P+1 ...
//!   inputs     I      I            I      I           the same, and nothing has an effect
//!   state      s  ->  s1 -> ... -> s  ->  s1 -> ...   so the cycles after c+P are those after c, while I stays
//! ```
//!
//! A state is remembered and compared with each one that follows, and so is that of the rules that
//! are checked. It may be one of a way that leads to the turning (a search that ends); so it is
//! given up for a newer one when it has not come back after a while, which doubles each time (R. P.
//! Brent, An improved Monte Carlo factorization algorithm, BIT 20, 1980).
//!
//! Remembering a state with a hundred thousand groups takes longer than many cycles. So after each
//! state that was remembered for nothing the inputs have to stay for longer, before the next one
//! is.

use crate::port::Scheduler;

/// Cycles of the same inputs before a state is remembered: most often something happens before.
const SETTLED: u64 = 2;

/// As many at most, however often that was for nothing.
const MOST_SETTLED: u64 = 64;

/// See the module. `R` is where the rules are in their turns.
pub struct Recurrence<R> {
    /// Cycles in which a scheduler goes once round its SMXs.
    round: u64,
    /// Cycles in a row with the same inputs and without an effect.
    same: u64,
    /// Cycles of the same inputs before a state is remembered.
    settled: u64,
    /// Cycles since the scheduler was told to remember its state.
    since: u64,
    /// Cycles after which it is given up.
    patience: u64,
    /// Where the rules were then, unless they were on their way to somewhere.
    rules: Option<R>,
    /// The period, from the cycle on in which it is found, as long as the inputs are the same.
    found: Option<u64>,
}

impl<R: PartialEq> Recurrence<R> {
    /// Of a scheduler of `smx` SMXs.
    pub fn new(smx: usize) -> Self {
        let round = smx as u64;
        Self { round, same: 0, settled: SETTLED, since: 0, patience: 0, rules: None, found: None }
    }

    /// A cycle had an effect: what comes after it begins anew.
    pub fn interrupted(&mut self) {
        if self.found.is_none() && self.same >= self.settled {
            self.settled = MOST_SETTLED.min(2 * self.settled);
        }
        (self.same, self.found) = (0, None);
    }

    /// After a busy cycle without an effect: after how many cycles the scheduler is back where it
    /// was, and the rules are, if they are. `stays` says whether its inputs are those of the cycle
    /// before, `rules` where the rules are now, or none where they are on their way to somewhere.
    pub fn period(
        &mut self,
        scheduler: &mut dyn Scheduler,
        stays: bool,
        rules: impl Fn() -> Option<R>,
    ) -> Option<u64> {
        if !stays {
            self.interrupted();
        }
        self.same += 1;
        if self.same < self.settled || self.found.is_some() {
            return self.found;
        }
        if self.same == self.settled {
            self.patience = self.round;
            self.remember(scheduler, rules());
            return None;
        }
        self.since += 1;
        if self.rules.is_some() && scheduler.is_back() && self.rules == rules() {
            self.found = Some(self.since);
            self.settled = SETTLED;
        } else if self.since >= self.patience {
            self.patience *= 2;
            self.remember(scheduler, rules());
        }
        self.found
    }

    fn remember(&mut self, scheduler: &mut dyn Scheduler, rules: Option<R>) {
        scheduler.remember();
        (self.since, self.rules) = (0, rules);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::{Activity, Inputs, Outputs};

    /// Goes `way` cycles before it turns with `period`.
    struct Turning {
        way: u64,
        period: u64,
        at: u64,
        remembered: Option<u64>,
    }

    impl Turning {
        fn state(&self) -> u64 {
            match self.at.checked_sub(self.way) {
                Some(turning) => self.way + turning % self.period,
                None => self.at,
            }
        }
    }

    impl Scheduler for Turning {
        fn smx(&self) -> usize {
            4
        }

        fn cycle(&mut self, _: &Inputs, _: &mut Outputs) -> Activity {
            self.at += 1;
            Activity::Busy
        }

        fn remember(&mut self) {
            self.remembered = Some(self.state());
        }

        fn is_back(&self) -> bool {
            self.remembered == Some(self.state())
        }
    }

    /// The period that is found within `cycles` cycles, and after how many; `changes` is a cycle of
    /// other inputs.
    fn found(way: u64, period: u64, cycles: u64, changes: Option<u64>) -> Option<(u64, u64)> {
        let mut scheduler = Turning { way, period, at: 0, remembered: None };
        let mut recurrence = Recurrence::new(4);
        let (inputs, mut outputs) = (Inputs::idle(4), Outputs::idle(4));
        (1..=cycles).find_map(|cycle| {
            scheduler.cycle(&inputs, &mut outputs);
            let stays = changes != Some(cycle);
            let period = recurrence.period(&mut scheduler, stays, || Some(()));
            period.map(|period| (period, cycle))
        })
    }

    #[test]
    fn the_period_is_that_of_the_turning_whatever_way_leads_to_it() {
        for way in 0..40 {
            for period in 1..20 {
                let (found, after) = found(way, period, 1_000, None).expect("it turns");
                assert_eq!(found, period, "after {way} cycles");
                assert!(after <= 4 * (way + period + 4), "{way} and {period}: {after} cycles");
            }
        }
    }

    #[test]
    fn a_round_of_the_smxs_is_found_after_one_round() {
        assert_eq!(found(0, 4, 100, None), Some((4, SETTLED + 4)));
        assert_eq!(found(0, 4, SETTLED + 3, None), None, "one cycle earlier");
    }

    #[test]
    fn rules_that_are_elsewhere_or_on_their_way_are_not_back() {
        // A scheduler that is back in every cycle, and rules that go round in three.
        let found = |rules: fn(u64) -> Option<u64>| {
            let mut scheduler = Turning { way: 0, period: 1, at: 0, remembered: None };
            let mut recurrence = Recurrence::new(4);
            (1..=20).find_map(|cycle| {
                recurrence
                    .period(&mut scheduler, true, || rules(cycle))
                    .map(|period| (period, cycle))
            })
        };
        assert_eq!(found(|_| Some(0)), Some((1, SETTLED + 1)));
        assert_eq!(found(|cycle| Some(cycle % 3)), Some((3, SETTLED + 3)));
        assert_eq!(found(|_| None), None);
        // The state that was remembered first is given up after a round of 4.
        assert_eq!(found(|cycle| (cycle > SETTLED + 1).then_some(0)), Some((1, SETTLED + 4 + 1)));
    }

    #[test]
    fn inputs_that_change_begin_it_anew() {
        let (period, after) = found(0, 4, 100, Some(SETTLED + 4)).expect("it turns");
        assert_eq!((period, after), (4, SETTLED + 4 + 2 * SETTLED + 3));
    }

    #[test]
    fn what_was_remembered_for_nothing_makes_it_wait_longer_until_it_finds_a_period() {
        let mut scheduler = Turning { way: 0, period: 4, at: 0, remembered: None };
        let mut recurrence = Recurrence::new(4);
        let (inputs, mut outputs) = (Inputs::idle(4), Outputs::idle(4));
        // Cycles of the same inputs until a state is remembered; something happens in the next one.
        let mut wait = |recurrence: &mut Recurrence<()>| {
            scheduler.remembered = None;
            let mut cycles = 0;
            while scheduler.remembered.is_none() {
                scheduler.cycle(&inputs, &mut outputs);
                recurrence.period(&mut scheduler, true, || Some(()));
                cycles += 1;
            }
            cycles
        };
        for waited in [2, 4, 8, 16, 32, 64, 64] {
            assert_eq!(wait(&mut recurrence), waited);
            recurrence.interrupted();
        }
        assert_eq!(wait(&mut recurrence), MOST_SETTLED);
        let mut turns = Turning { way: 0, period: 1, at: 0, remembered: Some(0) };
        assert_eq!(recurrence.period(&mut turns, true, || Some(())), Some(1));
        recurrence.interrupted();
        assert_eq!(wait(&mut recurrence), SETTLED);
    }
}
