//! The miss queue of each SMX: its requests that wait for the network.

use super::request::{Purpose, Request};
use crate::config::GpuConfig;

/// See the module. While one is full, no access is made that would send a request; what is in the
/// L1's pipe comes on top.
#[derive(Debug)]
pub struct MissQueues {
    /// Requests in a full one; 0: they are never full, and nothing is counted.
    limit: u32,
    /// For each SMX how many requests wait.
    waiting: Vec<u32>,
}

impl MissQueues {
    /// Those of the SMXs of `config`, empty.
    pub fn new(config: &GpuConfig) -> Self {
        Self { limit: config.l1.miss_queue, waiting: vec![0; config.smx.count as usize] }
    }

    /// Whether that of `smx` is not full.
    #[inline]
    pub fn has_room(&self, smx: u8) -> bool {
        !self.are_limited() || self.waiting[usize::from(smx)] < self.limit
    }

    /// Whether they have a limit; else nothing is counted.
    #[inline(always)]
    pub fn are_limited(&self) -> bool {
        self.limit > 0
    }

    /// Whether `request` is counted: one for code comes from another cache.
    #[inline]
    pub fn counts(&self, request: &Request) -> bool {
        self.are_limited() && request.purpose != Purpose::Code
    }

    /// A request of `smx` waits.
    pub fn enter(&mut self, smx: u8) {
        self.waiting[usize::from(smx)] += 1;
    }

    /// One has left. Returns whether there is room that there was not before.
    ///
    /// # Panics
    /// When none was there.
    pub fn leave(&mut self, smx: u8) -> bool {
        let waiting = &mut self.waiting[usize::from(smx)];
        *waiting -= 1;
        *waiting + 1 == self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queues(limit: &str) -> MissQueues {
        let mut config = GpuConfig::preset("k20c").unwrap();
        config.set("l1.miss_queue", limit).unwrap();
        MissQueues::new(&config)
    }

    #[test]
    fn a_queue_is_full_at_its_limit_and_not_one_before() {
        let mut queues = queues("2");
        queues.enter(3);
        assert!(queues.has_room(3));
        queues.enter(3);
        assert!(!queues.has_room(3) && queues.has_room(4), "that of one SMX");
        // What was in the pipe comes on top.
        queues.enter(3);
        assert!(!queues.leave(3), "it is full as before");
        assert!(queues.leave(3) && queues.has_room(3));
        assert!(!queues.leave(3), "it had room already");
    }

    #[test]
    fn without_a_limit_there_is_room_and_nothing_is_counted() {
        let queues = queues("0");
        let request = Request::message(0, Purpose::Store { warp: 0 }, 0, 1);
        assert!(queues.has_room(0) && !queues.counts(&request));
    }

    #[test]
    fn requests_for_code_do_not_count() {
        let queues = queues("1");
        let of = |purpose| queues.counts(&Request::message(0, purpose, 0, 1));
        assert_eq!(
            [of(Purpose::Code), of(Purpose::Load(0)), of(Purpose::WriteBack)],
            [false, true, true]
        );
    }
}
