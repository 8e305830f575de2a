//! Host streams and the hardware work queues that they are bound to (DTBL, section 2.2; rule 1 of
//! `docs/dtbl.md`): the kernels of a queue run in order, those of different queues concurrently; one
//! kernel at a time is offered at the launch port, so many cycles after it could, and held there until
//! it is accepted.
//!
//! Under a scheduler that knows dependents (`docs/dependent.md`) one follows the kernel before it
//! in its queue, if that is of its stream: it is offered as soon as that one has been accepted.

use std::collections::{BTreeMap, VecDeque};

use crate::port::WORK_QUEUES;

/// A kernel in a queue.
#[derive(Clone, Copy, Debug)]
struct Queued {
    kernel: usize,
    stream: u32,
    arrive: u64,
    /// Launched as a dependent.
    dependent: bool,
    /// In a queue: a dependent of the kernel before it there, and the cycle from which on it may be
    /// offered.
    follows: Option<u64>,
}

/// See the module.
#[derive(Debug)]
pub struct Streams {
    /// Kernels that have not been launched yet, by cycle, stream and order in the stream.
    coming: BTreeMap<(u64, u32, u64), Queued>,
    /// How many kernels each stream has had, and the cycle of its last launch.
    streams: BTreeMap<u32, (u64, u64)>,
    /// The queue to which each stream is bound, from its first launch on.
    bound: BTreeMap<u32, u8>,
    /// Kernels of each queue that have not finished, in order of launch; the first ones may be
    /// running.
    queues: Vec<VecDeque<Queued>>,
    /// For each queue how many kernels are running: the first one, and those that follow.
    running: Vec<usize>,
    /// For each queue the cycle from which on its next kernel may be offered, unless that follows
    /// another one.
    ready: Vec<u64>,
    /// Cycles by which a kernel is offered later than it could.
    latency: u64,
    /// Whether dependents follow.
    overlapping: bool,
    /// One bit a queue: it has a kernel that is not running and does not wait for another one's
    /// end.
    waiting: u32,
    /// Kernels that have not finished.
    unfinished: usize,
    /// The queue whose first kernel is at the launch port.
    offered: Option<u8>,
}

impl Streams {
    /// Streams without kernels, of which each is offered `latency` cycles after it could.
    pub fn new(latency: u32) -> Self {
        Self {
            ready: vec![0; WORK_QUEUES],
            latency: latency.into(),
            coming: BTreeMap::new(),
            streams: BTreeMap::new(),
            bound: BTreeMap::new(),
            queues: vec![VecDeque::new(); WORK_QUEUES],
            running: vec![0; WORK_QUEUES],
            overlapping: false,
            waiting: 0,
            unfinished: 0,
            offered: None,
        }
    }

    /// Whether dependents follow, instead of running after the kernel before them; at first they do
    /// not.
    pub fn overlap(&mut self, overlapping: bool) {
        self.overlapping = overlapping;
    }

    /// The host launches `kernel` in `stream` in cycle `arrive`, but not before the kernels that it
    /// put into that stream earlier; as a `dependent` of the last of these, or not.
    pub fn launch(&mut self, kernel: usize, stream: u32, arrive: u64, dependent: bool) {
        let (count, last) = self.streams.entry(stream).or_insert((0, 0));
        *last = arrive.max(*last);
        let queued = Queued { kernel, stream, arrive, dependent, follows: None };
        self.coming.insert((*last, stream, *count), queued);
        *count += 1;
        self.unfinished += 1;
    }

    /// What is launched up to `cycle` joins its queue; a stream is bound with its first kernel.
    fn join(&mut self, cycle: u64) {
        while let Some(next) = self.coming.first_entry().filter(|next| next.key().0 <= cycle) {
            let ((arrived, ..), mut queued) = next.remove_entry();
            let streams = self.bound.len();
            let queue = self.bound.entry(queued.stream);
            let queue = usize::from(*queue.or_insert((streams % WORK_QUEUES) as u8));
            match self.queues[queue].back() {
                None => self.ready[queue] = arrived + self.latency,
                Some(before) if before.stream == queued.stream => {
                    let follows = self.overlapping && queued.dependent;
                    queued.follows = follows.then_some(arrived + self.latency);
                }
                Some(_) => {}
            }
            self.queues[queue].push_back(queued);
            self.settle(queue);
        }
    }

    /// The next kernel of `queue` may have come to wait, or to wait no more.
    fn settle(&mut self, queue: usize) {
        let running = self.running[queue];
        let next = self.queues[queue].get(running);
        let waits = next.is_some_and(|next| running == 0 || next.follows.is_some());
        self.waiting = self.waiting & !(1 << queue) | u32::from(waits) << queue;
    }

    /// The kernel at the launch port in `cycle`: the one held there, else, of the next kernels of
    /// the queues in which they need not wait for another one's end, the one that arrived first;
    /// the lowest stream among equals.
    pub fn offer(&mut self, cycle: u64) -> Option<usize> {
        self.join(cycle);
        if self.offered.is_none() {
            let heads = self.waiting().filter(|&(queue, head)| self.ready(queue, head) <= cycle);
            let first = heads.min_by_key(|(_, head)| (head.arrive, head.stream));
            self.offered = first.map(|(queue, _)| queue);
        }
        Some(self.next(self.offered?)?.kernel)
    }

    /// The kernel that the one at the launch port follows, if that is running.
    pub fn followed(&self) -> Option<usize> {
        let queue = self.offered?;
        self.next(queue)?.follows?;
        let before = self.running[usize::from(queue)].checked_sub(1)?;
        Some(self.queues[usize::from(queue)].get(before)?.kernel)
    }

    /// The queue of the kernel at the launch port.
    pub fn queue(&self) -> Option<u8> {
        self.offered
    }

    /// The cycle in which a kernel will next appear at the empty launch port.
    pub fn next_arrival(&self) -> Option<u64> {
        if self.offered.is_some() {
            return None;
        }
        let coming = self.coming.first_key_value().map(|((cycle, ..), _)| *cycle);
        let waiting = self.waiting().map(|(queue, head)| head.arrive.max(self.ready(queue, head)));
        waiting.chain(coming).min()
    }

    /// The kernel at the launch port has been accepted.
    pub fn accepted(&mut self) {
        if let Some(queue) = self.offered.take() {
            let queue = usize::from(queue);
            self.running[queue] += 1;
            self.settle(queue);
        }
    }

    /// `kernel` has finished in `cycle`: the next one of its queue may come. A kernel that is in no queue
    /// changes nothing.
    pub fn finished(&mut self, kernel: usize, cycle: u64) {
        let place = |queue: &VecDeque<Queued>, running: usize| {
            queue.iter().take(running).position(|queued| queued.kernel == kernel)
        };
        let mut queues = self.queues.iter().zip(&self.running).enumerate();
        let found = queues.find_map(|(at, (queue, &running))| Some((at, place(queue, running)?)));
        let Some((queue, place)) = found else {
            return;
        };
        self.queues[queue].remove(place);
        self.running[queue] -= 1;
        self.ready[queue] = cycle + self.latency;
        self.unfinished -= 1;
        self.settle(queue);
    }

    /// Kernels that were launched and have not finished.
    pub fn unfinished(&self) -> usize {
        self.unfinished
    }

    /// Whether every kernel that was launched has finished.
    pub fn is_empty(&self) -> bool {
        self.unfinished == 0
    }

    /// The next kernel of `queue`.
    fn next(&self, queue: u8) -> Option<&Queued> {
        let queue = usize::from(queue);
        self.queues[queue].get(self.running[queue])
    }

    /// The cycle from which on `next`, the next kernel of `queue`, may be offered.
    fn ready(&self, queue: u8, next: &Queued) -> u64 {
        next.follows.unwrap_or(self.ready[usize::from(queue)])
    }

    /// The next kernel of each queue in which it does not wait for another one's end, in order of
    /// queue.
    fn waiting(&self) -> impl Iterator<Item = (u8, &Queued)> + '_ {
        super::bits(self.waiting).filter_map(|queue| Some((queue as u8, self.next(queue as u8)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_offered_from_its_arrival_on_and_held() {
        let mut streams = Streams::new(0);
        streams.launch(0, 7, 10, false);
        streams.launch(1, 3, 11, false);
        assert_eq!((streams.offer(9), streams.next_arrival()), (None, Some(10)));
        assert_eq!((streams.offer(10), streams.next_arrival()), (Some(0), None));
        assert_eq!(streams.offer(12), Some(0), "held although stream 3 is lower");
        streams.accepted();
        assert_eq!(streams.offer(12), Some(1));
    }

    #[test]
    fn arrivals_in_one_cycle_go_by_stream_and_older_ones_go_first() {
        let mut streams = Streams::new(0);
        streams.launch(0, 2, 5, false);
        streams.launch(1, 1, 5, false);
        streams.launch(2, 0, 6, false);
        let mut order = Vec::new();
        while let Some(kernel) = streams.offer(6) {
            order.push(kernel);
            streams.accepted();
        }
        assert_eq!(order, [1, 0, 2]);
    }

    #[test]
    fn a_stream_waits_until_its_kernel_has_finished() {
        let mut streams = Streams::new(0);
        streams.launch(0, 0, 0, false);
        streams.launch(1, 0, 0, false);
        assert_eq!(streams.offer(0), Some(0));
        streams.accepted();
        assert_eq!((streams.offer(5), streams.next_arrival()), (None, None));
        streams.finished(0, 5);
        assert_eq!(streams.offer(6), Some(1));
        streams.accepted();
        assert!(!streams.is_empty());
        streams.finished(1, 9);
        assert!(streams.is_empty());
    }

    /// Queue of each of `streams`, launched together, in the order in which they are offered.
    fn queues(streams: impl Iterator<Item = u32>) -> Vec<u8> {
        let mut queues = Vec::new();
        let mut all = Streams::new(0);
        for (kernel, stream) in streams.enumerate() {
            all.launch(kernel, stream, 5, false);
        }
        while all.offer(5).is_some() {
            queues.extend(all.queue());
            all.accepted();
        }
        queues
    }

    #[test]
    fn the_ith_stream_is_bound_to_queue_i_modulo_32() {
        assert_eq!(queues((0..32).map(|stream| 10 * stream)), Vec::from_iter(0..32));
        let mut streams = Streams::new(0);
        (0..66).for_each(|kernel| streams.launch(kernel, 1000 + kernel as u32, 0, false));
        for round in [0..32, 32..64, 64..66] {
            for kernel in round.clone() {
                assert_eq!(streams.offer(9), Some(kernel));
                assert_eq!(streams.queue(), Some((kernel % 32) as u8));
                streams.accepted();
            }
            assert_eq!(streams.offer(9), None, "one kernel of a queue at a time");
            round.for_each(|kernel| streams.finished(kernel, 8));
        }
        assert!(streams.is_empty());
    }

    #[test]
    fn streams_are_counted_in_the_order_of_their_first_launch() {
        let mut streams = Streams::new(0);
        streams.launch(0, 3, 20, false);
        streams.launch(1, 9, 10, false);
        streams.launch(2, 9, 15, false);
        let mut seen = Vec::new();
        for cycle in [10, 20] {
            while let Some(kernel) = streams.offer(cycle) {
                seen.push((kernel, streams.queue().unwrap()));
                streams.accepted();
            }
            streams.finished(1, 9);
        }
        assert_eq!(seen, [(1, 0), (2, 0), (0, 1)]);
    }

    #[test]
    fn streams_of_one_queue_are_combined_in_order_of_launch() {
        let mut streams = Streams::new(0);
        (0..32).for_each(|stream| streams.launch(stream, stream as u32, 0, false));
        streams.launch(32, 32, 1, false);
        streams.launch(33, 0, 2, false);
        streams.launch(34, 32, 3, false);
        while streams.offer(3).is_some() {
            streams.accepted();
        }
        for next in [32, 33, 34] {
            streams.finished(if next == 32 { 0 } else { next - 1 }, 8);
            assert_eq!((streams.offer(9), streams.queue()), (Some(next), Some(0)));
            streams.accepted();
        }
    }

    #[test]
    fn a_later_launch_of_a_stream_does_not_overtake() {
        let mut streams = Streams::new(0);
        streams.launch(0, 0, 100, false);
        streams.launch(1, 0, 0, false);
        assert_eq!((streams.offer(99), streams.next_arrival()), (None, Some(100)));
        assert_eq!(streams.offer(100), Some(0));
        streams.accepted();
        assert_eq!(streams.offer(101), None);
        streams.finished(0, 5);
        assert_eq!(streams.offer(102), Some(1));
    }

    #[test]
    fn each_kernel_of_a_queue_waits_for_its_launch_to_come_through() {
        let mut streams = Streams::new(50);
        streams.launch(0, 0, 10, false);
        streams.launch(1, 0, 20, false);
        assert_eq!((streams.offer(9), streams.next_arrival()), (None, Some(10)));
        assert_eq!((streams.offer(59), streams.next_arrival()), (None, Some(60)));
        assert_eq!(streams.offer(60), Some(0));
        streams.accepted();
        streams.finished(0, 100);
        assert_eq!((streams.offer(149), streams.next_arrival()), (None, Some(150)));
        assert_eq!(streams.offer(150), Some(1));
    }

    /// Kernels that were launched in stream 0 in the given cycles, all but the first as dependents.
    fn chain(latency: u32, overlapping: bool, arrivals: &[u64]) -> Streams {
        let mut streams = Streams::new(latency);
        streams.overlap(overlapping);
        for (kernel, &arrive) in arrivals.iter().enumerate() {
            streams.launch(kernel, 0, arrive, kernel > 0);
        }
        streams
    }

    #[test]
    fn a_dependent_is_offered_once_the_kernel_before_it_is_accepted_and_follows_it() {
        let mut streams = chain(0, true, &[0, 0, 0]);
        assert_eq!((streams.offer(0), streams.followed()), (Some(0), None));
        assert_eq!(streams.offer(1), Some(0), "it has not been accepted");
        for kernel in [1, 2] {
            streams.accepted();
            assert_eq!(streams.offer(2), Some(kernel));
            assert_eq!((streams.followed(), streams.next_arrival()), (Some(kernel - 1), None));
        }
        streams.accepted();
        assert_eq!((streams.offer(3), streams.next_arrival()), (None, None));
        (0..2).for_each(|kernel| streams.finished(kernel, 9));
        assert!(!streams.is_empty());
        streams.finished(2, 9);
        assert!(streams.is_empty());
    }

    #[test]
    fn where_dependents_do_not_follow_they_wait_as_others_do() {
        let mut streams = chain(0, false, &[0, 0]);
        assert_eq!(streams.offer(0), Some(0));
        streams.accepted();
        assert_eq!((streams.offer(8), streams.next_arrival()), (None, None));
        streams.finished(0, 8);
        assert_eq!((streams.offer(9), streams.followed()), (Some(1), None));
    }

    #[test]
    fn a_dependent_whose_predecessor_has_finished_follows_nobody() {
        let mut streams = chain(0, true, &[0, 20]);
        assert_eq!(streams.offer(0), Some(0));
        streams.accepted();
        streams.finished(0, 10);
        assert_eq!((streams.offer(19), streams.next_arrival()), (None, Some(20)));
        assert_eq!((streams.offer(20), streams.followed()), (Some(1), None));
        // Nor does one whose predecessor finishes while it is at the port.
        let mut streams = chain(0, true, &[0, 5]);
        assert_eq!(streams.offer(0), Some(0));
        streams.accepted();
        assert_eq!((streams.offer(5), streams.followed()), (Some(1), Some(0)));
        streams.finished(0, 10);
        assert_eq!((streams.offer(11), streams.followed()), (Some(1), None));
    }

    #[test]
    fn a_dependents_launch_takes_its_time_from_its_arrival_on() {
        let mut streams = chain(50, true, &[0, 10]);
        assert_eq!(streams.offer(50), Some(0));
        streams.accepted();
        assert_eq!((streams.offer(59), streams.next_arrival()), (None, Some(60)));
        assert_eq!(streams.offer(60), Some(1));
    }

    #[test]
    fn what_comes_behind_a_dependent_and_is_none_waits_for_both() {
        let mut streams = chain(0, true, &[0, 0]);
        streams.launch(2, 0, 0, false);
        for kernel in [0, 1] {
            assert_eq!(streams.offer(0), Some(kernel));
            streams.accepted();
        }
        assert_eq!(streams.offer(5), None);
        streams.finished(0, 5);
        assert_eq!(streams.offer(6), None);
        streams.finished(1, 6);
        assert_eq!((streams.offer(7), streams.followed()), (Some(2), None));
    }

    #[test]
    fn a_kernel_of_another_stream_between_them_in_the_queue_keeps_a_dependent_from_following() {
        let mut streams = Streams::new(0);
        streams.overlap(true);
        (0..32).for_each(|stream| streams.launch(stream, stream as u32, 0, false));
        // Stream 32 has the queue of stream 0.
        streams.launch(32, 32, 1, false);
        streams.launch(33, 0, 2, true);
        while streams.offer(3).is_some() {
            streams.accepted();
        }
        streams.finished(0, 8);
        assert_eq!(streams.offer(9), Some(32));
        streams.accepted();
        assert_eq!(streams.offer(9), None);
        streams.finished(32, 10);
        assert_eq!((streams.offer(11), streams.followed()), (Some(33), None));
    }
}
