//! Host streams and the hardware work queues that they are bound to (DTBL, section 2.2; rule 1 of
//! `docs/dtbl.md`): the kernels of a queue run in order, those of different queues concurrently; one
//! kernel at a time is offered at the launch port, so many cycles after it could, and held there until
//! it is accepted.

use std::collections::{BTreeMap, VecDeque};

use crate::port::WORK_QUEUES;

/// A kernel in a queue.
#[derive(Clone, Copy, Debug)]
struct Queued {
    kernel: usize,
    stream: u32,
    arrive: u64,
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
    /// Kernels of each queue that have not finished, in order of launch; the first one may be running.
    queues: Vec<VecDeque<Queued>>,
    /// For each queue the cycle from which on its first kernel may be offered.
    ready: Vec<u64>,
    /// Cycles by which a kernel is offered later than it could.
    latency: u64,
    /// One bit a queue: its first kernel is running.
    running: u32,
    /// One bit a queue: it has a first kernel, which is not running.
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
            running: 0,
            waiting: 0,
            unfinished: 0,
            offered: None,
        }
    }

    /// The host launches `kernel` in `stream` in cycle `arrive`, but not before the kernels that it put
    /// into that stream earlier.
    pub fn launch(&mut self, kernel: usize, stream: u32, arrive: u64) {
        let (count, last) = self.streams.entry(stream).or_insert((0, 0));
        *last = arrive.max(*last);
        self.coming.insert((*last, stream, *count), Queued { kernel, stream, arrive });
        *count += 1;
        self.unfinished += 1;
    }

    /// What is launched up to `cycle` joins its queue; a stream is bound with its first kernel.
    fn join(&mut self, cycle: u64) {
        while let Some(next) = self.coming.first_entry().filter(|next| next.key().0 <= cycle) {
            let ((arrived, ..), queued) = next.remove_entry();
            let streams = self.bound.len();
            let queue = self.bound.entry(queued.stream);
            let queue = *queue.or_insert((streams % WORK_QUEUES) as u8);
            let place = usize::from(queue);
            if self.queues[place].is_empty() {
                self.ready[place] = arrived + self.latency;
            }
            self.queues[place].push_back(queued);
            self.waiting |= (1 << queue) & !self.running;
        }
    }

    /// The kernel at the launch port in `cycle`: the one held there, else, of the first kernels of the
    /// queues in which none is running, the one that arrived first; the lowest stream among equals.
    pub fn offer(&mut self, cycle: u64) -> Option<usize> {
        self.join(cycle);
        if self.offered.is_none() {
            let ready = |queue: u8| self.ready[usize::from(queue)] <= cycle;
            let heads = self.waiting().filter(|&(queue, _)| ready(queue));
            let first = heads.min_by_key(|(_, head)| (head.arrive, head.stream));
            self.offered = first.map(|(queue, _)| queue);
        }
        self.queues[usize::from(self.offered?)].front().map(|head| head.kernel)
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
        let ready = |queue: u8| self.ready[usize::from(queue)];
        self.waiting().map(|(queue, head)| head.arrive.max(ready(queue))).chain(coming).min()
    }

    /// The kernel at the launch port has been accepted.
    pub fn accepted(&mut self) {
        if let Some(queue) = self.offered.take() {
            self.running |= 1 << queue;
            self.waiting &= !(1 << queue);
        }
    }

    /// `kernel` has finished in `cycle`: the next one of its queue may come. A kernel that is in no queue
    /// changes nothing.
    pub fn finished(&mut self, kernel: usize, cycle: u64) {
        let is_head =
            |&queue: &usize| self.queues[queue].front().is_some_and(|head| head.kernel == kernel);
        let Some(queue) = super::bits(self.running).find(is_head) else {
            return;
        };
        self.queues[queue].pop_front();
        self.ready[queue] = cycle + self.latency;
        self.unfinished -= 1;
        self.running &= !(1 << queue);
        self.waiting |= u32::from(!self.queues[queue].is_empty()) << queue;
    }

    /// Kernels that were launched and have not finished.
    pub fn unfinished(&self) -> usize {
        self.unfinished
    }

    /// Whether every kernel that was launched has finished.
    pub fn is_empty(&self) -> bool {
        self.unfinished == 0
    }

    /// The first kernel of each queue in which none is running, in order of queue.
    fn waiting(&self) -> impl Iterator<Item = (u8, Queued)> + '_ {
        super::bits(self.waiting)
            .filter_map(|queue| Some((queue as u8, *self.queues[queue].front()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_offered_from_its_arrival_on_and_held() {
        let mut streams = Streams::new(0);
        streams.launch(0, 7, 10);
        streams.launch(1, 3, 11);
        assert_eq!((streams.offer(9), streams.next_arrival()), (None, Some(10)));
        assert_eq!((streams.offer(10), streams.next_arrival()), (Some(0), None));
        assert_eq!(streams.offer(12), Some(0), "held although stream 3 is lower");
        streams.accepted();
        assert_eq!(streams.offer(12), Some(1));
    }

    #[test]
    fn arrivals_in_one_cycle_go_by_stream_and_older_ones_go_first() {
        let mut streams = Streams::new(0);
        streams.launch(0, 2, 5);
        streams.launch(1, 1, 5);
        streams.launch(2, 0, 6);
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
        streams.launch(0, 0, 0);
        streams.launch(1, 0, 0);
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
            all.launch(kernel, stream, 5);
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
        (0..66).for_each(|kernel| streams.launch(kernel, 1000 + kernel as u32, 0));
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
        streams.launch(0, 3, 20);
        streams.launch(1, 9, 10);
        streams.launch(2, 9, 15);
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
        (0..32).for_each(|stream| streams.launch(stream, stream as u32, 0));
        streams.launch(32, 32, 1);
        streams.launch(33, 0, 2);
        streams.launch(34, 32, 3);
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
        streams.launch(0, 0, 100);
        streams.launch(1, 0, 0);
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
        streams.launch(0, 0, 10);
        streams.launch(1, 0, 20);
        assert_eq!((streams.offer(9), streams.next_arrival()), (None, Some(10)));
        assert_eq!((streams.offer(59), streams.next_arrival()), (None, Some(60)));
        assert_eq!(streams.offer(60), Some(0));
        streams.accepted();
        streams.finished(0, 100);
        assert_eq!((streams.offer(149), streams.next_arrival()), (None, Some(150)));
        assert_eq!(streams.offer(150), Some(1));
    }
}
