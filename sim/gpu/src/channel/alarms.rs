//! Which banks have waited long enough for their own last command.

use super::ready::NEVER;
use super::timing::MAX_BANKS;

/// Bits for a bank.
const BANK: u32 = MAX_BANKS.trailing_zeros();

/// Banks by the cycle in which they wake up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alarms {
    /// The cycle of the next alarm, or [`NEVER`].
    next: u64,
    /// The cycle of the last alarm so far, also if that one has come.
    last: u64,
    /// How many alarms have come so far.
    come: usize,
    /// How many there were so far.
    set: usize,
    /// Cycle and bank in one number, soonest first, round and round.
    ring: [u64; MAX_BANKS],
}

impl Alarms {
    /// No bank has an alarm.
    pub fn new() -> Self {
        Self { next: NEVER, last: 0, come: 0, set: 0, ring: [0; MAX_BANKS] }
    }

    /// The cycle of the next alarm, or [`NEVER`].
    #[inline(always)]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// `bank`, which has no alarm, wakes up in `cycle`, which lies behind those of the alarms that
    /// came.
    #[inline(always)]
    pub fn set(&mut self, bank: usize, cycle: u64) {
        debug_assert!(self.set < self.come + MAX_BANKS);
        let alarm = cycle << BANK | bank as u64;
        self.next = self.next.min(cycle);
        // The same commands take the same time, so that it is mostly the last one so far.
        if cycle >= self.last {
            self.last = cycle;
            self.ring[self.set % MAX_BANKS] = alarm;
        } else {
            self.sort_in(alarm);
        }
        self.set += 1;
    }

    #[cold]
    fn sort_in(&mut self, alarm: u64) {
        let mut at = self.set;
        while at != self.come && self.ring[(at - 1) % MAX_BANKS] > alarm {
            self.ring[at % MAX_BANKS] = self.ring[(at - 1) % MAX_BANKS];
            at -= 1;
        }
        self.ring[at % MAX_BANKS] = alarm;
    }

    /// The banks that wake up by `cycle`.
    #[inline(always)]
    pub fn take(&mut self, cycle: u64) -> u64 {
        let mut woken = 0;
        while self.next <= cycle {
            woken |= 1 << (self.ring[self.come % MAX_BANKS] % MAX_BANKS as u64);
            self.come += 1;
            let next = self.ring[self.come % MAX_BANKS] >> BANK;
            self.next = if self.come == self.set { NEVER } else { next };
        }
        woken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_wake_up_in_their_cycle_and_not_one_before() {
        let mut alarms = Alarms::new();
        assert_eq!((alarms.take(100), alarms.next()), (0, NEVER));
        alarms.set(3, 102);
        alarms.set(5, 140);
        alarms.set(6, 140);
        assert_eq!((alarms.next(), alarms.take(101)), (102, 0));
        assert_eq!((alarms.take(102), alarms.take(139)), (1 << 3, 0));
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
    fn alarms_may_be_set_in_any_order_and_go_round() {
        let mut alarms = Alarms::new();
        for round in 0..10 {
            let start = 1000 * round;
            // All banks, each in a cycle of its own: 37 has no divisor in common with 64.
            for bank in 0..64 {
                alarms.set(bank, start + bank as u64 * 37 % 64);
            }
            for cycle in 0..64 {
                assert_eq!(alarms.next(), start + cycle);
                let woken = alarms.take(start + cycle);
                assert_eq!(woken.count_ones(), 1);
                assert_eq!(u64::from(woken.trailing_zeros()) * 37 % 64, cycle);
            }
        }
    }
}
