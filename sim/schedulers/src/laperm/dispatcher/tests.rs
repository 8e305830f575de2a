//! What a whole dispatcher without the Kernel Management Unit does; rules and latencies are tested
//! with it, in `laperm/scheduler`.

use super::super::super::tests::harness::{kernel, slots};
use super::super::{Binding, QueueKind};
use super::*;
use crate::port::{AggregationCommand, Dim3, KernelEntry, QueueEntry, Refill};

fn config() -> LapermConfig {
    let queue = QueueKind::Shifting;
    LapermConfig { queue, entries: 2, ..LapermConfig::new(Binding::Adaptive) }
}

/// A dispatcher of two SMXs of one slot each.
fn dispatcher() -> Dispatcher {
    Dispatcher::new(2, slots(1), config(), true, Vec::new())
}

fn step(dispatcher: &mut Dispatcher, change: impl FnOnce(&mut Inputs)) -> Outputs {
    let mut inputs = Inputs::idle(2);
    change(&mut inputs);
    let mut outputs = Outputs::default();
    dispatcher.cycle(&inputs, &mut outputs);
    outputs
}

/// A record that enters, as the Kernel Management Unit offers it.
fn record(queue: u8, level: u8) -> Inputs {
    let mut inputs = Inputs { launch: Some(kernel(3)), ..Inputs::idle(2) };
    inputs.device.management.record = inputs.launch;
    inputs.device.parents.record_place = QueuePlace { queue, level };
    inputs
}

#[test]
fn a_record_is_accepted_unless_its_queue_inserts_or_a_refill_is_at_the_port() {
    let mut dispatcher = dispatcher();
    assert!(!dispatcher.accepts_record(&Inputs::idle(2)), "there is none");
    for (queue, level) in [(0, 1), (0, 2)] {
        assert!(dispatcher.accepts_record(&record(queue, level)));
        step(&mut dispatcher, |inputs| *inputs = record(queue, level));
    }
    // It inserts, but is full: memory takes the next one.
    assert!(dispatcher.accepts_record(&record(0, 1)));
    for place in [(0, 1), (1, 1), (0, 0)] {
        let mut inputs = record(place.0, place.1);
        inputs.device.queues.refill = Some(Refill::default());
        assert!(!dispatcher.accepts_record(&inputs), "{place:?}");
    }

    let config = LapermConfig { entries: 4, ..config() };
    let mut dispatcher = Dispatcher::new(2, slots(1), config, true, Vec::new());
    step(&mut dispatcher, |inputs| *inputs = record(1, 1));
    step(&mut dispatcher, |inputs| *inputs = record(1, 2));
    let accepted = [(1, 3), (0, 3), (1, 0)].map(|(q, l)| dispatcher.accepts_record(&record(q, l)));
    assert_eq!(accepted, [false, true, true]);
}

#[test]
fn what_is_at_the_launch_port_without_a_record_is_the_hosts_whatever_the_place_says() {
    let mut dispatcher = dispatcher();
    step(&mut dispatcher, |inputs| {
        *inputs = record(1, 2);
        inputs.device.management.record = None;
    });
    let outputs = step(&mut dispatcher, |_| ());
    let first = outputs.dispatch[0].map(|dispatch| dispatch.kernel);
    assert_eq!((first, outputs.device.queues.level), (Some(KernelEntry(0)), 0));
}

#[test]
fn the_report_of_a_stuck_run_names_queues_memory_and_what_is_on_its_way() {
    let mut dispatcher = dispatcher();
    assert_eq!(dispatcher.explain(), "the scheduler has no kernel to distribute");
    step(&mut dispatcher, |inputs| inputs.launch = Some(kernel(5)));
    (0..2)
        .for_each(|_| assert!(step(&mut dispatcher, |_| ()).dispatch.iter().any(Option::is_some)));
    for level in [1, 3, 2, 4] {
        step(&mut dispatcher, |inputs| *inputs = record(1, level));
    }
    let command = AggregationCommand { entry_pc: 9, block: Dim3::new(1, 1, 1), groups: 1, wait: 0 };
    step(&mut dispatcher, |inputs| inputs.device.groups.command = Some(command));
    let explain = dispatcher.explain();
    for line in [
        "the scheduler visits SMX 1 next",
        "the head of queue 0 is in entry 0",
        "priority queue 1: 1 of level 3, 1 of level 1, 2 in memory, 0 on their way",
        "a command is compared with the kernel in entry 0",
        "the scheduler counts 1 blocks, 1 threads on SMX 1",
    ] {
        assert!(explain.lines().any(|of| of == line), "{line} in\n{explain}");
    }
}

#[test]
fn a_refill_enters_whatever_else_is_offered() {
    let mut dispatcher = dispatcher();
    // Two units, one in memory; a block of each of the two goes, and the first one leaves with its
    // third.
    for _ in 0..3 {
        step(&mut dispatcher, |inputs| *inputs = record(0, 1));
    }
    let mut fetched = None;
    for cycle in 0..20 {
        let outputs = step(&mut dispatcher, |inputs| {
            for smx in 0..2 {
                inputs.finished[smx] = (cycle > 3).then_some(KernelEntry(0));
            }
        });
        fetched = fetched.or(outputs.device.queues.fetch_entry);
    }
    let fetch = fetched.expect("there was room");
    let entry = QueueEntry { kernel: KernelEntry(2), group: None, grid: Dim3::new(3, 1, 1) };
    let outputs = step(&mut dispatcher, |inputs| {
        inputs.device.queues.refill = Some(Refill { place: fetch.place, entry });
    });
    assert!(outputs.device.queues.refill_taken);
    let next = (0..2).find_map(|_| {
        let outputs = step(&mut dispatcher, |inputs| {
            inputs.finished.fill(Some(KernelEntry(0)));
        });
        outputs.dispatch.into_iter().flatten().next()
    });
    assert_eq!(
        next.map(|dispatch| (dispatch.kernel, dispatch.block)),
        Some((KernelEntry(2), Dim3::default()))
    );
}
