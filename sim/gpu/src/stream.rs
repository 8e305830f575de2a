//! Host streams and the hardware work queues that they are bound to (DTBL, section 2.2; rule 1 of
//! `docs/dtbl.md`): the kernels of a queue run in order, those of different queues concurrently;
//! one kernel at a time is offered at the launch port, so many cycles after it could, and held
//! there until it is accepted.
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

    /// `kernel` has finished in `cycle`: the next one of its queue may come. A kernel that is in no
    /// queue changes nothing.
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
        // As what the host launches in answer: that arrives in the next cycle.
        self.ready[queue] = cycle + 1 + self.latency;
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
mod tests;
