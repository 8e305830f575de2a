//! Which banks have waited long enough for their own last command.

#[cfg(test)]
use super::ready::NEVER;

/// Cycles that the ring covers: a word has a bit for each.
const RING: u64 = 64;

/// Banks by the cycle in which they wake up; the ring has room for what lies less than 64 cycles
/// ahead, and a bank whose cycle is later wakes up in between and must be put in again.
#[derive(Debug)]
pub(super) struct Alarms {
    /// The first cycle whose banks were not taken.
    now: u64,
    /// By cycle, round and round, the banks that wake up in it, one bit each.
    banks: [u64; RING as usize],
    /// The cycles that have any, one bit each.
    cycles: u64,
}

impl Alarms {
    /// No bank has an alarm.
    pub fn new() -> Self {
        Self { now: 0, banks: [0; RING as usize], cycles: 0 }
    }

    /// `bank` wakes up in `cycle`, or before when that is far; it has no other alarm.
    #[inline(always)]
    pub fn set(&mut self, bank: usize, cycle: u64) {
        let slot = cycle.min(self.now + RING - 1) % RING;
        self.banks[slot as usize] |= 1 << bank;
        self.cycles |= 1 << slot;
    }

    /// The cycle of the next alarm, or [`NEVER`].
    #[cfg(test)]
    pub fn next(&self) -> u64 {
        match self.ahead() {
            0 => NEVER,
            ahead => self.now + u64::from(ahead.trailing_zeros()),
        }
    }

    /// The first cycle before `limit` in which there is use in waking a bank up, given from which cycle on
    /// each can do anything; or `limit`.
    #[inline(always)]
    pub fn first_use(&self, limit: u64, from: impl Fn(usize) -> u64) -> u64 {
        let mut first = limit;
        let mut cycles = self.ahead();
        while cycles != 0 {
            let cycle = self.now + u64::from(cycles.trailing_zeros());
            cycles &= cycles - 1;
            if cycle >= first {
                break;
            }
            let mut banks = self.banks[(cycle % RING) as usize];
            while banks != 0 {
                let bank = banks.trailing_zeros() as usize;
                banks &= banks - 1;
                first = first.min(from(bank).max(cycle));
            }
        }
        first
    }

    /// The banks that wake up by `cycle`; from now on alarms are set for later cycles.
    #[inline(always)]
    pub fn take(&mut self, cycle: u64) -> u64 {
        let passed = (cycle + 1 - self.now).min(RING);
        let mut due = self.ahead() & (u64::MAX >> (RING - passed));
        let mut woken = 0;
        while due != 0 {
            let slot = (self.now + u64::from(due.trailing_zeros())) % RING;
            due &= due - 1;
            woken |= std::mem::take(&mut self.banks[slot as usize]);
            self.cycles &= !(1 << slot);
        }
        self.now = cycle + 1;
        woken
    }

    /// The cycles that have any, that of `now` as the lowest bit.
    #[inline(always)]
    fn ahead(&self) -> u64 {
        self.cycles.rotate_right((self.now % RING) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_wake_up_in_their_cycle_and_not_one_before() {
        let mut alarms = Alarms::new();
        assert_eq!((alarms.take(100), alarms.next()), (0, NEVER));
        alarms.set(3, 101);
        alarms.set(5, 140);
        alarms.set(6, 140);
        assert_eq!((alarms.next(), alarms.take(101), alarms.take(139)), (101, 1 << 3, 0));
        assert_eq!((alarms.next(), alarms.take(140)), (140, 1 << 5 | 1 << 6));
        assert_eq!(alarms.next(), NEVER);
    }

    #[test]
    fn cycles_that_were_left_out_wake_everybody_up() {
        let mut alarms = Alarms::new();
        alarms.set(0, 7);
        alarms.set(1, 60);
        assert_eq!(alarms.take(1000), 0b11);
    }

    #[test]
    fn a_bank_that_can_do_nothing_yet_need_not_wake_up() {
        let mut alarms = Alarms::new();
        alarms.set(0, 5);
        alarms.set(1, 8);
        alarms.set(2, 8);
        assert_eq!(alarms.first_use(NEVER, |_| 0), 5);
        assert_eq!(alarms.first_use(NEVER, |bank| [20, 9, 10][bank]), 9);
        assert_eq!(alarms.first_use(7, |bank| [20, 0, 0][bank]), 7);
    }

    #[test]
    fn a_far_alarm_comes_early() {
        let mut alarms = Alarms::new();
        alarms.set(0, 1000);
        assert_eq!(alarms.next(), 63);
    }
}
