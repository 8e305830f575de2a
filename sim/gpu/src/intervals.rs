//! Counts by time, in intervals of one length.

/// How often something happened in each interval; the first one begins in cycle 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intervals {
    length: u64,
    counts: Vec<u64>,
}

impl Intervals {
    /// Nothing so far, in intervals of `length` cycles.
    ///
    /// # Panics
    /// When `length` is 0.
    pub fn new(length: u64) -> Self {
        assert!(length > 0, "an interval has a cycle");
        Self { length, counts: Vec::new() }
    }

    /// Cycles of an interval.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// It happens `times` times more, in `cycle`.
    pub fn add(&mut self, cycle: u64, times: u64) {
        let place = (cycle / self.length) as usize;
        if place >= self.counts.len() {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += times;
    }

    /// As often as `other` and this one together.
    pub fn join(&mut self, other: &Self) {
        for (place, &times) in (0..).zip(&other.counts) {
            self.add(place * self.length, times);
        }
    }

    /// Those of a run of `cycles` cycles. What happened behind its end counts in its last interval.
    pub fn of_run(&self, cycles: u64) -> Vec<u64> {
        let length = cycles.div_ceil(self.length).max(1) as usize;
        let mut counts = self.counts.clone();
        let late: u64 = counts.get(length..).map_or(0, |late| late.iter().sum());
        counts.resize(length, 0);
        counts[length - 1] += late;
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_cycle_of_an_interval_is_in_it_and_the_next_one_is_not() {
        let mut intervals = Intervals::new(500);
        for cycle in [0, 499, 500, 1999] {
            intervals.add(cycle, 1);
        }
        assert_eq!(intervals.of_run(2000), [2, 1, 0, 1]);
        assert_eq!(intervals.of_run(2001), [2, 1, 0, 1, 0]);
    }

    #[test]
    fn what_is_behind_the_end_counts_in_the_last_interval() {
        let mut intervals = Intervals::new(10);
        intervals.add(5, 3);
        intervals.add(27, 4);
        assert_eq!(intervals.of_run(10), [7]);
        assert_eq!(intervals.of_run(11), [3, 4]);
    }

    #[test]
    fn joined_counts_are_sums_by_interval() {
        let [mut one, mut other] = [Intervals::new(4), Intervals::new(4)];
        one.add(1, 2);
        other.add(3, 5);
        other.add(9, 1);
        one.join(&other);
        assert_eq!(one.of_run(12), [7, 0, 1]);
    }
}
