//! The requests before a channel, in order of arrival: those that have come and for which its queue
//! has no room yet, and those that are still on their way.

use super::ready::NEVER;
use super::Request;
use crate::fifo::Fifo;

/// Requests alike that arrive together.
#[derive(Clone, Copy, Debug)]
struct Group {
    arrival: u64,
    request: Request,
    /// How many of them have not entered.
    bursts: u8,
}

/// See the module. One request a cycle goes in from here.
#[derive(Debug)]
pub(super) struct Waiting {
    /// In order of arrival.
    groups: Fifo<Group>,
    /// When the first group arrives, or [`NEVER`].
    arrival: u64,
    /// No request can enter before this cycle.
    opens: u64,
    /// Cycles before it are over, as of [`pass`](Self::pass), and so many groups were here then.
    over: (u64, usize),
}

impl Waiting {
    /// Nobody waits.
    pub fn new() -> Self {
        Self { groups: Fifo::default(), arrival: NEVER, opens: 0, over: (0, 0) }
    }

    /// `bursts` requests arrive in `cycle`, behind all others.
    #[inline]
    pub fn push(&mut self, cycle: u64, request: Request, bursts: u8) {
        debug_assert!(self.groups.back().is_none_or(|last| last.arrival <= cycle) && bursts > 0);
        self.arrival = self.arrival.min(cycle);
        self.groups.push(Group { arrival: cycle, request, bursts });
    }

    /// The cycle in which the first request can enter, given that there is room, or [`NEVER`].
    #[inline(always)]
    pub fn next_entry(&self) -> u64 {
        self.arrival.max(self.opens)
    }

    /// There was no room before cycle `opens`.
    #[inline(always)]
    pub fn hold_until(&mut self, opens: u64) {
        self.opens = self.opens.max(opens);
    }

    /// The first request enters in `cycle`. Returns it, and whether more bursts of it are to
    /// follow.
    ///
    /// # Panics
    /// When nobody waits.
    #[inline(always)]
    pub fn enter(&mut self, cycle: u64) -> (Request, bool) {
        let first = self.groups.front_mut().expect("somebody waits");
        let request = first.request;
        first.bursts -= 1;
        let more = first.bursts > 0;
        self.opens = cycle + 1;
        if !more {
            self.leave(cycle);
        }
        (request, more)
    }

    /// As [`enter`](Self::enter), of all its bursts together. Returns it with their number.
    ///
    /// # Panics
    /// When nobody waits.
    #[inline(always)]
    pub fn enter_whole(&mut self, cycle: u64) -> (Request, u8) {
        let &Group { request, bursts, .. } = self.groups.front().expect("somebody waits");
        self.leave(cycle);
        (request, bursts)
    }

    /// The first request has entered in `cycle`.
    #[inline(always)]
    fn leave(&mut self, cycle: u64) {
        self.groups.pop();
        self.arrival = self.groups.front().map_or(NEVER, |first| first.arrival);
        self.opens = cycle + 1;
    }

    /// The cycles before `now` are over: what was to come has arrived.
    #[inline]
    pub fn pass(&mut self, now: u64) {
        self.over = (now, self.groups.len());
    }

    /// When the first request arrives that had not, as of [`pass`](Self::pass).
    pub fn next_arrival(&self) -> Option<u64> {
        let (now, groups) = self.over;
        let known = self.groups.items();
        let arrived = known[..groups].partition_point(|group| group.arrival < now);
        known.get(arrived).map(|group| group.arrival)
    }

    /// Requests in it.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.groups.items().iter().map(|group| usize::from(group.bursts)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: Request = Request { id: 0, bank: 0, row: 0, write: false };

    #[test]
    fn one_a_cycle_enters_and_nobody_before_there_is_room() {
        let mut waiting = Waiting::new();
        assert_eq!(waiting.next_entry(), NEVER);
        let second = Request { id: 1, ..REQUEST };
        waiting.push(5, REQUEST, 2);
        waiting.push(5, second, 1);
        assert_eq!((waiting.next_entry(), waiting.enter(5)), (5, (REQUEST, true)));
        assert_eq!((waiting.next_entry(), waiting.enter(6)), (6, (REQUEST, false)));
        waiting.hold_until(20);
        assert_eq!((waiting.next_entry(), waiting.enter(20)), (20, (second, false)));
        assert_eq!((waiting.next_entry(), waiting.len()), (NEVER, 0));
    }

    #[test]
    fn what_came_is_over_and_what_was_pushed_since_is_not() {
        let mut waiting = Waiting::new();
        assert_eq!(waiting.next_arrival(), None);
        for cycle in [3, 5, 9] {
            waiting.push(cycle, REQUEST, 1);
        }
        assert_eq!(waiting.next_arrival(), Some(3));
        waiting.enter(3);
        waiting.enter(5);
        waiting.pass(6);
        assert_eq!(waiting.next_arrival(), Some(9));
        waiting.pass(10);
        assert_eq!(waiting.next_arrival(), None);
        waiting.push(9, REQUEST, 1);
        assert_eq!((waiting.next_arrival(), waiting.len()), (Some(9), 2));
    }
}
