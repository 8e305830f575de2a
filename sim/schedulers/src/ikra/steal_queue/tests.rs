use super::*;
use proptest::prelude::*;

fn block(x: u32) -> Dim3 {
    Dim3::new(x, 7, 3)
}

/// A queue and the direction of the kernel that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bench {
    queue: StealQueue,
    forward: bool,
}

impl Bench {
    /// In a kernel that runs forward, with these blocks inserted in it.
    fn new(entries: usize, blocks: impl IntoIterator<Item = u32>) -> Self {
        let mut bench = Self { queue: StealQueue::new(entries), forward: true };
        for x in blocks {
            assert_eq!(bench.insert(x), Activity::Busy);
        }
        bench
    }

    fn inputs(&self) -> StealQueueInputs {
        StealQueueInputs { forward: self.forward, ..Default::default() }
    }

    /// The next kernel begins, in the other direction.
    fn begin(&mut self, clear: bool) -> Activity {
        let edge = self.queue.clock(&StealQueueInputs { begins: true, clear, ..self.inputs() });
        self.forward = !self.forward;
        edge
    }

    fn use_it(&mut self, take: bool, steal: bool) -> Activity {
        self.queue.clock(&StealQueueInputs { take, steal, ..self.inputs() })
    }

    fn insert(&mut self, x: u32) -> Activity {
        self.queue.clock(&StealQueueInputs { insert: Some(block(x)), ..self.inputs() })
    }

    fn outputs(&self) -> StealQueueOutputs {
        self.queue.evaluate(&self.inputs())
    }

    fn filled(&self) -> bool {
        let insert = Some(block(99));
        self.queue.evaluate(&StealQueueInputs { insert, ..self.inputs() }).filled
    }

    /// The near and the far block that is left, and whether it is one.
    fn left(&self) -> Option<(u32, u32, bool)> {
        let StealQueueOutputs { available, next_block: next, far_block: far, last, .. } =
            self.outputs();
        assert!(available || (next, far, last) == Default::default(), "zero when nothing is left");
        available.then_some((next.x, far.x, last))
    }

    /// Runs what is left.
    fn run(&mut self) -> Vec<u32> {
        let mut order = vec![];
        while let Some((next, ..)) = self.left() {
            order.push(next);
            self.use_it(true, false);
        }
        order
    }
}

#[test]
fn what_was_inserted_has_run_and_is_left_when_the_next_kernel_begins() {
    let mut bench = Bench::new(4, [1, 2, 3]);
    assert_eq!(bench.left(), None);
    bench.begin(false);
    assert_eq!(bench.left(), Some((3, 1, false)));
}

#[test]
fn the_youngest_runs_first_in_the_next_kernel_and_last_in_the_one_after() {
    let mut bench = Bench::new(4, [1, 2, 3]);
    bench.begin(false);
    assert_eq!(bench.run(), [3, 2, 1]);
    bench.begin(false);
    assert_eq!(bench.run(), [1, 2, 3]);
    bench.begin(false);
    assert_eq!(bench.run(), [3, 2, 1]);
}

#[test]
fn a_stolen_block_is_the_far_one_in_both_directions_and_leaves_for_good() {
    let mut bench = Bench::new(8, [1, 2, 3, 4]);
    bench.begin(false);
    assert_eq!(bench.use_it(false, true), Activity::Busy);
    assert_eq!(bench.left(), Some((4, 2, false)));
    bench.begin(false);
    assert_eq!(bench.use_it(false, true), Activity::Busy);
    assert_eq!(bench.left(), Some((2, 3, false)));
    assert_eq!(bench.run(), [2, 3]);
}

#[test]
fn insertion_is_at_the_far_end_in_both_directions() {
    let mut bench = Bench::new(8, [1, 2]);
    bench.begin(false);
    assert_eq!(bench.run(), [2, 1]);
    bench.insert(3);
    assert_eq!(bench.left(), None, "it has run");
    bench.begin(false);
    assert_eq!(bench.run(), [3, 1, 2], "backward, the far end was the bottom");
    bench.insert(4);
    bench.begin(false);
    assert_eq!(bench.run(), [4, 2, 1, 3]);
}

#[test]
fn one_is_taken_and_another_one_stolen_in_one_cycle() {
    for flips in [1, 2] {
        let mut bench = Bench::new(4, [1, 2, 3, 4]);
        for _ in 0..flips {
            bench.begin(false);
        }
        let order = if bench.forward { [1, 2, 3, 4] } else { [4, 3, 2, 1] };
        bench.use_it(true, true);
        assert_eq!(bench.left(), Some((order[1], order[2], false)));
        bench.use_it(true, true);
        assert_eq!(bench.left(), None);
        bench.begin(false);
        assert_eq!(bench.run(), [order[1], order[0]], "what has run here");
    }
}

#[test]
fn the_last_block_left_may_be_taken_or_stolen() {
    let mut bench = Bench::new(4, [1, 2]);
    bench.begin(false);
    bench.use_it(true, false);
    assert_eq!(bench.left(), Some((1, 1, true)));
    let mut stolen = bench.clone();
    bench.use_it(true, false);
    stolen.use_it(false, true);
    assert_eq!([bench.left(), stolen.left()], [None, None]);
    bench.begin(false);
    stolen.begin(false);
    assert_eq!((bench.run(), stolen.run()), (vec![1, 2], vec![2]));
}

#[test]
fn a_queue_is_full_with_as_many_blocks_as_entries_and_filled_by_the_last_of_them() {
    for entries in [2, 4, 8, 16, 32] {
        let mut bench = Bench::new(entries, 2..entries as u32);
        assert!(!bench.outputs().full && !bench.filled(), "two are free");
        bench.insert(100);
        assert!(!bench.outputs().full && bench.filled(), "one is free");
        assert!(!bench.outputs().filled, "nothing is inserted");
        bench.insert(101);
        assert!(bench.outputs().full && !bench.filled(), "it was full before");
    }
}

#[test]
fn an_insertion_into_a_full_queue_is_skipped() {
    let mut bench = Bench::new(2, [1, 2]);
    assert_eq!(bench.insert(3), Activity::Quiet);
    bench.begin(false);
    assert_eq!(bench.run(), [2, 1]);
    assert_eq!(bench.insert(3), Activity::Quiet, "what has run takes its entry still");
}

#[test]
fn a_steal_makes_room_in_a_full_queue() {
    let mut bench = Bench::new(2, [1, 2]);
    bench.begin(false);
    assert!(bench.outputs().full);
    bench.use_it(false, true);
    assert!(!bench.outputs().full);
    bench.use_it(true, false);
    assert!(bench.filled());
    bench.insert(3);
    bench.begin(false);
    assert_eq!(bench.run(), [3, 2]);
}

#[test]
fn clear_empties_the_queue_with_begin_and_does_nothing_without_it() {
    let mut bench = Bench::new(4, [1, 2]);
    let alone = StealQueueInputs { clear: true, ..bench.inputs() };
    assert_eq!(bench.queue.clock(&alone), Activity::Quiet);
    bench.begin(false);
    assert!(bench.left().is_some());
    bench.begin(true);
    assert_eq!(bench.left(), None);
    assert_eq!(bench.queue, StealQueue::new(4));
    assert_eq!(bench.begin(true), Activity::Quiet, "it was empty");
}

#[test]
fn a_kernel_that_ends_before_the_queue_has_run_leaves_it_whole() {
    let mut bench = Bench::new(4, [1, 2, 3]);
    bench.begin(false);
    bench.use_it(true, false);
    bench.begin(false);
    assert_eq!(bench.run(), [1, 2, 3]);
}

#[test]
fn reset_in_the_middle_empties_it_whatever_else_the_cycle_carries() {
    let mut bench = Bench::new(4, [1, 2, 3]);
    bench.begin(false);
    bench.use_it(true, false);
    let reset =
        StealQueueInputs { reset: true, begins: true, insert: Some(block(5)), ..bench.inputs() };
    assert_eq!(bench.queue.clock(&reset), Activity::Busy);
    assert_eq!(bench.queue, StealQueue::new(4));
    assert_eq!(bench.queue.clock(&reset), Activity::Quiet);
}

proptest! {
    /// The rule once more, with the queue written down from its near end on.
    #[test]
    fn the_queue_is_what_the_rules_say_through_kernels_of_both_directions(
        entries in prop::sample::select(vec![2usize, 4, 8, 16, 32]),
        kernels in prop::collection::vec(
            (prop::bool::weighted(0.1), prop::collection::vec(0u8..5, 0..80)), 1..6),
    ) {
        let mut bench = Bench::new(entries, []);
        // From the near end: those that have run, then those that are left.
        let (mut ran, mut left): (Vec<u32>, VecDeque<u32>) = Default::default();
        let mut fresh = 0;
        for (clear, cycles) in kernels {
            bench.begin(clear);
            left = ran.into_iter().chain(left).rev().filter(|_| !clear).collect();
            ran = vec![];
            for what in cycles {
                let shown = left.front().map(|near| (*near, *left.back().unwrap(), left.len() == 1));
                prop_assert_eq!(bench.left(), shown);
                prop_assert_eq!(bench.outputs().full, ran.len() + left.len() == entries);
                let (take, steal) = (what & 1 == 1 && !left.is_empty(), what & 2 == 2);
                let steal = steal && left.len() > usize::from(take);
                if left.is_empty() && what == 4 {
                    fresh += 1;
                    bench.insert(fresh);
                    if ran.len() < entries {
                        ran.push(fresh);
                    }
                    continue;
                }
                if take {
                    ran.extend(left.pop_front());
                }
                if steal {
                    left.pop_back();
                }
                bench.use_it(take, steal);
            }
        }
    }
}
