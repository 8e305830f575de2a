//! Whether partitions are worth a thread of their own: how much of the time they take.

use std::time::{Duration, Instant};

/// Rounds of the memory that decide.
const ROUNDS: u32 = 16;

/// Of the time partitions have to take one part in so many: with less, to hand over requests and
/// answers costs more than another thread spares (`docs/benchmarks.md`).
const PART: u32 = 12;

/// Measures the time of partitions against that of everything.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    since: Instant,
    partitions: Duration,
    rounds: u32,
    worth: Option<bool>,
}

impl Default for Load {
    /// Nothing is known.
    fn default() -> Self {
        Self { since: Instant::now(), partitions: Duration::ZERO, rounds: 0, worth: None }
    }
}

impl Load {
    /// Partitions have worked for `time`, on all threads together.
    #[inline]
    pub fn partitions_worked(&mut self, time: Duration) {
        self.partitions += time;
    }

    /// A round ends now.
    #[inline]
    pub fn round_ended(&mut self, now: Instant) {
        self.rounds += 1;
        if self.rounds == ROUNDS {
            let worth = self.partitions * PART >= now.duration_since(self.since);
            *self = Self { since: now, worth: Some(worth), ..Self::default() };
        }
    }

    /// Whether they were worth it in the last rounds that decide; nothing before these.
    pub fn is_worth(&self) -> Option<bool> {
        self.worth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known after so many rounds of a microsecond, in which partitions take some.
    fn after(rounds: u32, nanoseconds: u64) -> Option<bool> {
        let mut load = Load::default();
        let start = load.since;
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

    #[test]
    fn each_sixteen_rounds_decide_anew() {
        let mut load = Load::default();
        let start = load.since;
        let mut decided = Vec::new();
        for round in 1..=48 {
            load.partitions_worked(Duration::from_nanos(if (17..=32).contains(&round) {
                0
            } else {
                500
            }));
            load.round_ended(start + Duration::from_micros(round));
            decided.push(load.is_worth());
        }
        assert_eq!(
            [decided[15], decided[30], decided[31], decided[47]],
            [true, true, false, true].map(Some)
        );
    }
}
