//! Host streams: kernels of one stream run in order, different streams concurrently; one kernel at a
//! time is offered at the launch port and held there until it is accepted.

use std::collections::{BTreeMap, VecDeque};

/// A kernel in a stream.
#[derive(Clone, Copy, Debug)]
struct Queued {
    kernel: usize,
    arrive: u64,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Streams {
    /// Kernels of each stream that have not finished, in order; the first one may be running.
    streams: BTreeMap<u32, VecDeque<Queued>>,
    /// Streams whose first kernel is running, so that the next one must wait.
    running: BTreeMap<usize, u32>,
    offered: Option<(u32, usize)>,
}

impl Streams {
    /// Puts `kernel` at the end of `stream`; it arrives in cycle `arrive`.
    pub fn launch(&mut self, kernel: usize, stream: u32, arrive: u64) {
        self.streams.entry(stream).or_default().push_back(Queued { kernel, arrive });
    }

    /// The kernel at the launch port in `cycle`: the one held there, else, of the streams' first
    /// kernels that have arrived, the one that arrived first; the lowest stream among equals.
    pub fn offer(&mut self, cycle: u64) -> Option<usize> {
        if self.offered.is_none() {
            let first = self.waiting().min_by_key(|(stream, queued)| (queued.arrive, *stream));
            self.offered = first
                .filter(|(_, queued)| queued.arrive <= cycle)
                .map(|(stream, queued)| (stream, queued.kernel));
        }
        self.offered.map(|(_, kernel)| kernel)
    }

    /// The cycle in which a kernel will next appear at the empty launch port.
    pub fn next_arrival(&self) -> Option<u64> {
        if self.offered.is_some() {
            return None;
        }
        self.waiting().map(|(_, queued)| queued.arrive).min()
    }

    /// The kernel at the launch port has been accepted.
    pub fn accepted(&mut self) {
        if let Some((stream, kernel)) = self.offered.take() {
            self.running.insert(kernel, stream);
        }
    }

    /// `kernel` has finished: the next one of its stream may come.
    pub fn finished(&mut self, kernel: usize) {
        let Some(stream) = self.running.remove(&kernel) else {
            return;
        };
        let queue = self.streams.get_mut(&stream).expect("a running kernel's stream");
        queue.pop_front();
        if queue.is_empty() {
            self.streams.remove(&stream);
        }
    }

    /// Whether every kernel that was launched has finished.
    pub fn is_empty(&self) -> bool {
        self.streams.is_empty()
    }

    /// The first kernel of each stream, where it is not running.
    fn waiting(&self) -> impl Iterator<Item = (u32, Queued)> + '_ {
        self.streams.iter().filter_map(|(&stream, queue)| {
            let first = *queue.front()?;
            (!self.running.contains_key(&first.kernel)).then_some((stream, first))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_offered_from_its_arrival_on_and_held() {
        let mut streams = Streams::default();
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
        let mut streams = Streams::default();
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
        let mut streams = Streams::default();
        streams.launch(0, 0, 0);
        streams.launch(1, 0, 0);
        assert_eq!(streams.offer(0), Some(0));
        streams.accepted();
        assert_eq!((streams.offer(5), streams.next_arrival()), (None, None));
        streams.finished(0);
        assert_eq!(streams.offer(6), Some(1));
        streams.accepted();
        assert!(!streams.is_empty());
        streams.finished(1);
        assert!(streams.is_empty());
    }
}
