//! The requests before a channel, in order of arrival: those that have come and for which its queue
//! has no room yet, and those that are still on their way.

use std::collections::VecDeque;

use super::ready::NEVER;
use super::Request;

/// Requests alike that arrive together.
#[derive(Clone, Copy, Debug)]
struct Group {
    arrival: u64,
    request: Request,
    /// How many of them have not been taken.
    bursts: u8,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    groups: VecDeque<Group>,
    /// How many groups are known to have come.
    arrived: usize,
}

impl Waiting {
    /// `bursts` requests arrive in `cycle`, behind all others.
    #[inline]
    pub fn push(&mut self, cycle: u64, request: Request, bursts: u8) {
        debug_assert!(self.groups.back().is_none_or(|last| last.arrival <= cycle) && bursts > 0);
        self.groups.push_back(Group { arrival: cycle, request, bursts });
    }

    /// Takes the first request if it has come by `cycle`.
    #[inline]
    pub fn pop(&mut self, cycle: u64) -> Option<Request> {
        let first = self.groups.front_mut().filter(|first| first.arrival <= cycle)?;
        let request = first.request;
        first.bursts -= 1;
        if first.bursts == 0 {
            self.groups.pop_front();
            self.arrived = self.arrived.saturating_sub(1);
        }
        Some(request)
    }

    /// When the first request arrives, or [`NEVER`].
    #[inline]
    pub fn first_arrival(&self) -> u64 {
        self.groups.front().map_or(NEVER, |first| first.arrival)
    }

    /// Cycle `last` is over: what was to come by then has arrived.
    #[inline]
    pub fn arrive(&mut self, last: u64) {
        while self.next_arrival().is_some_and(|arrival| arrival <= last) {
            self.arrived += 1;
        }
    }

    /// When the first request arrives that has not yet, as of [`arrive`](Self::arrive).
    #[inline]
    pub fn next_arrival(&self) -> Option<u64> {
        self.groups.get(self.arrived).map(|group| group.arrival)
    }

    /// Requests in it.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| usize::from(group.bursts)).sum()
    }
}
