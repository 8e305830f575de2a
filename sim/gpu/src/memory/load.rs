//! Whether partitions are worth a thread of their own: how much of the time they take.

use std::time::{Duration, Instant};

/// Rounds of the memory that decide.
const ROUNDS: u32 = 16;

/// Of the time partitions have to take one part in so many: with less, to hand over requests and
/// answers costs more than another thread spares (`docs/benchmarks.md`).
const PART: u32 = 12;

/// When partitions run apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunApart {
    /// Where it spares time.
    #[default]
    Measured,
    /// Always: for tests.
    Always,
    /// For so many rounds, and for as many not: for tests of the change.
    InTurns,
}

/// Measures the time of partitions against that of everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Load {
    apart: RunApart,
    /// The end of the round before those that are counted.
    since: Option<Instant>,
    partitions: Duration,
    rounds: u32,
    worth: Option<bool>,
}

impl Load {
    /// Nothing is known; decides as `apart` says.
    pub fn new(apart: RunApart) -> Self {
        Self { apart, ..Self::default() }
    }

    /// Partitions have worked for `time`, on all threads together.
    #[inline]
    pub fn partitions_worked(&mut self, time: Duration) {
        self.partitions += time;
    }

    /// A round ends now.
    #[inline]
    pub fn round_ended(&mut self, now: Instant) {
        // What comes before the first one is none of the memory's.
        let Some(since) = self.since else {
            (self.since, self.partitions) = (Some(now), Duration::ZERO);
            return;
        };
        self.rounds += 1;
        if self.rounds == ROUNDS {
            let worth = match self.apart {
                RunApart::InTurns => self.worth == Some(false),
                _ => self.partitions * PART >= now.duration_since(since),
            };
            *self = Self { since: Some(now), worth: Some(worth), ..Self::new(self.apart) };
        }
    }

    /// Whether they were worth it in the last rounds that decide; nothing before these.
    pub fn is_worth(&self) -> Option<bool> {
        match self.apart {
            RunApart::Always => Some(true),
            _ => self.worth,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A load and the time of the end of its first round, which does not count.
    fn begun(apart: RunApart) -> (Load, Instant) {
        let (mut load, start) = (Load::new(apart), Instant::now());
        load.partitions_worked(Duration::from_secs(9));
        load.round_ended(start);
        (load, start)
    }

    /// What is known after so many rounds of a microsecond, in which partitions take some.
    fn after(rounds: u32, nanoseconds: u64) -> Option<bool> {
        let (mut load, start) = begun(RunApart::Measured);
        for round in 1..=rounds {
            load.partitions_worked(Duration::from_nanos(nanoseconds));
            load.round_ended(start + Duration::from_micros(round.into()));
        }
        load.is_worth()
    }

    #[test]
    fn a_twelfth_of_the_time_of_sixteen_rounds_is_worth_a_thread() {
        assert_eq!((after(15, 900), after(16, 84), after(16, 83)), (None, Some(true), Some(false)));
    }

    /// What is known after each of 48 rounds, of which the second sixteen have no work.
    fn decided(apart: RunApart) -> Vec<Option<bool>> {
        let (mut load, start) = begun(apart);
        let round = |round: u64| {
            let work = if (17..=32).contains(&round) { 0 } else { 500 };
            load.partitions_worked(Duration::from_nanos(work));
            load.round_ended(start + Duration::from_micros(round));
            load.is_worth()
        };
        (1..=48).map(round).collect()
    }

    #[test]
    fn each_sixteen_rounds_decide_anew() {
        let at = |decided: &[Option<bool>]| [14, 15, 30, 31, 47].map(|round| decided[round]);
        let known = [None, Some(true), Some(true), Some(false), Some(true)];
        assert_eq!(at(&decided(RunApart::Measured)), known);
        let turns = [None, Some(false), Some(false), Some(true), Some(false)];
        assert_eq!(at(&decided(RunApart::InTurns)), turns);
        assert_eq!(at(&decided(RunApart::Always)), [Some(true); 5]);
    }
}
