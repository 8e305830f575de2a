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
    assert_eq!((streams.offer(150), streams.next_arrival()), (None, Some(151)));
    assert_eq!(streams.offer(151), Some(1));
}

#[test]
fn a_kernel_comes_as_late_whether_it_waits_or_is_launched_when_the_one_before_it_has_finished() {
    for latency in [0, 1, 50] {
        let mut waits = Streams::new(latency);
        waits.launch(0, 0, 0, false);
        waits.launch(1, 0, 0, false);
        let mut answers = Streams::new(latency);
        answers.launch(0, 0, 0, false);
        let begins = |streams: &mut Streams| {
            (101..).find(|&cycle| streams.offer(cycle).is_some()).expect("it comes")
        };
        for streams in [&mut waits, &mut answers] {
            assert_eq!(streams.offer(u64::from(latency)), Some(0));
            streams.accepted();
            streams.finished(0, 100);
        }
        // In answer to the end in cycle 100.
        answers.launch(1, 0, 101, false);
        assert_eq!(begins(&mut waits), begins(&mut answers), "{latency} cycles");
    }
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
