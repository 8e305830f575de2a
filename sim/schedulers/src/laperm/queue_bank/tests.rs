use super::super::{Binding, QueueKind};
use super::*;
use crate::port::{Dim3, KernelEntry};

fn place(queue: u8, level: u8) -> QueuePlace {
    QueuePlace { queue, level }
}

fn unit(kernel: u8) -> QueueEntry {
    let grid = Dim3::new(3, 1, 1);
    QueueEntry { kernel: KernelEntry(kernel), group: None, grid }
}

/// Two SMXs with a queue each, of `entries` entries.
fn bank(queue: QueueKind, entries: u16) -> QueueBank {
    let config = LapermConfig { queue, entries, ..LapermConfig::new(Binding::Bound) };
    QueueBank::new(&config, 2, true)
}

fn insert(queue: u8, level: u8, kernel: u8) -> QueueBankInputs {
    QueueBankInputs { insert: Some((place(queue, level), unit(kernel))), ..Default::default() }
}

fn remove(queue: usize) -> QueueBankInputs {
    QueueBankInputs { queue, remove: true, ..Default::default() }
}

fn refill(queue: u8, level: u8, kernel: u8) -> QueueBankInputs {
    let refill = Refill { place: place(queue, level), entry: unit(kernel) };
    QueueBankInputs { refill: Some(refill), ..Default::default() }
}

/// What a cycle with these inputs decides, and the clock edge.
fn cycle(bank: &mut QueueBank, inputs: &QueueBankInputs) -> QueueBankOutputs {
    let outputs = bank.evaluate(inputs);
    bank.clock(inputs);
    outputs
}

fn idle(bank: &mut QueueBank) -> QueueBankOutputs {
    cycle(bank, &QueueBankInputs::default())
}

fn head(bank: &QueueBank, queue: usize) -> Option<u8> {
    let heads = bank.evaluate(&QueueBankInputs::default()).heads;
    heads[queue].map(|head| head.entry.kernel.0)
}

fn takes(bank: &QueueBank, queue: u8, level: u8) -> bool {
    let record = QueueBankInputs { record: place(queue, level), ..Default::default() };
    let group = QueueBankInputs { group: place(queue, level), ..Default::default() };
    let of_record = bank.evaluate(&record).takes_record;
    assert_eq!(bank.evaluate(&group).takes_group, of_record);
    of_record
}

fn spilled(outputs: &QueueBankOutputs) -> Option<(u8, u8, u32, u8)> {
    let Spill { place, index, entry } = outputs.spill?;
    Some((place.queue, place.level, index, entry.kernel.0))
}

fn asked(outputs: &QueueBankOutputs) -> Option<(u8, u8, u32)> {
    outputs.fetch.map(|EntryFetch { place, index }| (place.queue, place.level, index))
}

#[test]
fn a_queue_takes_as_many_units_as_it_has_entries_and_spills_the_next_one() {
    let mut bank = bank(QueueKind::Linked, 2);
    for kernel in 0..2 {
        assert_eq!(spilled(&cycle(&mut bank, &insert(1, 1, kernel))), None);
    }
    assert_eq!(spilled(&cycle(&mut bank, &insert(1, 1, 2))), Some((1, 1, 0, 2)));
    assert_eq!(spilled(&cycle(&mut bank, &insert(1, 3, 3))), Some((1, 3, 0, 3)), "a higher level");
    assert_eq!(spilled(&cycle(&mut bank, &insert(0, 1, 4))), None, "another queue");
    assert_eq!((head(&bank, 0), head(&bank, 1)), (Some(4), Some(0)));
}

#[test]
fn a_unit_that_leaves_in_a_cycle_does_not_make_room_in_it() {
    let mut bank = bank(QueueKind::Linked, 1);
    cycle(&mut bank, &insert(0, 1, 0));
    let both = QueueBankInputs { remove: true, ..insert(0, 1, 1) };
    assert_eq!(spilled(&cycle(&mut bank, &both)), Some((0, 1, 0, 1)));
    assert_eq!(head(&bank, 0), None);
    assert_eq!(asked(&idle(&mut bank)), Some((0, 1, 0)), "a cycle after the spill");
}

#[test]
fn a_level_that_is_behind_spills_although_the_queue_has_room_and_other_levels_do_not() {
    let mut bank = bank(QueueKind::Linked, 4);
    for kernel in 0..5 {
        cycle(&mut bank, &insert(0, 2, kernel));
    }
    cycle(&mut bank, &remove(0));
    assert_eq!(asked(&cycle(&mut bank, &remove(0))), Some((0, 2, 0)));
    // Two units and one on its way: there is room for another level, but not to overtake level 2.
    assert_eq!(spilled(&cycle(&mut bank, &insert(0, 2, 5))), Some((0, 2, 1, 5)));
    assert_eq!(spilled(&bank.evaluate(&insert(0, 1, 6))), None);
    assert_eq!(asked(&idle(&mut bank)), Some((0, 2, 1)));
    assert!(cycle(&mut bank, &refill(0, 2, 4)).refill_taken);
    assert_eq!(spilled(&bank.evaluate(&insert(0, 2, 7))), Some((0, 2, 2, 7)), "one is on its way");
    cycle(&mut bank, &remove(0));
    assert!(cycle(&mut bank, &refill(0, 2, 5)).refill_taken);
    assert_eq!(spilled(&bank.evaluate(&insert(0, 2, 7))), None);
}

#[test]
fn units_on_their_way_count_as_full_and_no_more_are_asked_for_than_fit() {
    let mut bank = bank(QueueKind::Linked, 2);
    for kernel in 0..5 {
        cycle(&mut bank, &insert(0, 1, kernel));
    }
    assert_eq!(asked(&idle(&mut bank)), None, "full");
    assert_eq!(asked(&cycle(&mut bank, &remove(0))), None, "by the state at the start");
    assert_eq!(asked(&idle(&mut bank)), Some((0, 1, 0)));
    assert_eq!(asked(&idle(&mut bank)), None, "one on chip, one on its way");
    assert_eq!(spilled(&bank.evaluate(&insert(0, 3, 9))), Some((0, 3, 0, 9)));
    cycle(&mut bank, &remove(0));
    assert_eq!(asked(&idle(&mut bank)), Some((0, 1, 1)), "several may be on their way");
    assert_eq!(asked(&idle(&mut bank)), None);
}

#[test]
fn the_oldest_unit_of_the_highest_level_of_the_lowest_queue_comes_first() {
    let mut bank = bank(QueueKind::Linked, 1);
    for (queue, level) in [(1, 1), (1, 4), (0, 1), (0, 2), (0, 1)] {
        cycle(&mut bank, &insert(queue, level, 0));
    }
    cycle(&mut bank, &remove(1));
    assert_eq!(asked(&cycle(&mut bank, &remove(0))), Some((1, 4, 0)), "queue 0 is full");
    let mut order = Vec::new();
    for _ in 0..2 {
        let outputs = idle(&mut bank);
        let (queue, level, index) = asked(&outputs).expect("queue 0 has room");
        order.push((queue, level, index));
        assert_eq!(asked(&cycle(&mut bank, &refill(queue, level, 0))), None);
        cycle(&mut bank, &remove(usize::from(queue)));
    }
    assert_eq!(order, [(0, 2, 0), (0, 1, 0)]);
}

#[test]
fn a_queue_into_which_a_new_unit_is_inserted_asks_for_nothing_and_a_spill_or_refill_does_not_hinder(
) {
    let mut bank = bank(QueueKind::Linked, 4);
    for kernel in 0..6 {
        cycle(&mut bank, &insert(0, 1, kernel));
    }
    cycle(&mut bank, &remove(0));
    assert_eq!(asked(&bank.evaluate(&insert(0, 2, 9))), None, "it takes the last entry");
    assert_eq!(asked(&bank.evaluate(&insert(0, 1, 9))), Some((0, 1, 0)), "it is spilled");
    assert_eq!(asked(&bank.evaluate(&insert(1, 2, 9))), Some((0, 1, 0)), "another queue");
    assert_eq!(asked(&cycle(&mut bank, &remove(0))), Some((0, 1, 0)));
    assert_eq!(asked(&bank.evaluate(&refill(0, 1, 4))), Some((0, 1, 1)), "no new unit");
}

#[test]
fn a_refill_stays_at_the_port_until_the_first_cycle_in_which_its_queue_is_ready() {
    let mut bank = bank(QueueKind::Shifting, 4);
    for kernel in 0..5 {
        cycle(&mut bank, &insert(0, 1, kernel));
    }
    cycle(&mut bank, &remove(0));
    cycle(&mut bank, &remove(0));
    // One unit is on its way, two are there: a unit of level 2 takes two cycles more.
    assert_eq!(spilled(&cycle(&mut bank, &insert(0, 2, 9))), None);
    for _ in 0..2 {
        assert!(!cycle(&mut bank, &refill(0, 1, 4)).refill_taken);
        assert!(bank.evaluate(&refill(1, 1, 4)).refill_taken, "the other queue is ready");
    }
    assert!(cycle(&mut bank, &refill(0, 1, 4)).refill_taken);
    let mut order = Vec::new();
    while let Some(kernel) = head(&bank, 0) {
        order.push(kernel);
        cycle(&mut bank, &remove(0));
    }
    assert_eq!(order, [9, 2, 3, 4]);
}

#[test]
fn a_place_takes_a_unit_when_its_queue_is_ready_or_memory_takes_it() {
    let mut bank = bank(QueueKind::Shifting, 2);
    cycle(&mut bank, &insert(0, 1, 0));
    assert!(takes(&bank, 0, 2));
    cycle(&mut bank, &insert(0, 2, 1));
    // Inserting, and two units count: full, so that memory takes it.
    assert!(takes(&bank, 0, 1) && takes(&bank, 1, 1));
    let full = cycle(&mut bank, &QueueBankInputs { remove: true, ..Default::default() });
    assert_eq!(full.spill, None);
    cycle(&mut bank, &insert(0, 4, 2));
    cycle(&mut bank, &remove(0));
    assert_eq!(head(&bank, 0), Some(2));

    let mut bank = super::tests::bank(QueueKind::Shifting, 4);
    cycle(&mut bank, &insert(0, 1, 0));
    cycle(&mut bank, &insert(0, 2, 1));
    assert!(!takes(&bank, 0, 1) && takes(&bank, 1, 1), "busy for a cycle, and not full");
    idle(&mut bank);
    assert!(takes(&bank, 0, 1));
}

#[test]
fn only_the_queue_that_is_named_steps() {
    let mut bank = bank(QueueKind::Linked, 2);
    cycle(&mut bank, &insert(0, 1, 0));
    cycle(&mut bank, &insert(1, 1, 1));
    cycle(&mut bank, &QueueBankInputs { queue: 1, step: true, ..Default::default() });
    let heads = idle(&mut bank).heads;
    assert_eq!([0, 1].map(|queue: usize| heads[queue].unwrap().at.x), [0, 1]);
}

#[test]
fn the_last_cluster_has_a_queue_and_tb_pri_has_one_for_all() {
    let queues = |binding, cluster, smx| {
        let config = LapermConfig { cluster, ..LapermConfig::new(binding) };
        QueueBank::new(&config, smx, true).evaluate(&QueueBankInputs::default()).heads.len()
    };
    assert_eq!(queues(Binding::Adaptive, 4, 13), 4);
    assert_eq!(queues(Binding::Bound, 1, 13), 13);
    assert_eq!((queues(Binding::Shared, 1, 13), queues(Binding::Shared, 1, 1)), (1, 1));
}

#[test]
fn without_groups_a_queue_has_32_entries_at_most() {
    for (groups, most) in [(false, 32), (true, 128)] {
        let mut bank = QueueBank::new(&LapermConfig::new(Binding::Bound), 1, groups);
        let fits = |bank: &mut QueueBank| cycle(bank, &insert(0, 1, 0)).spill.is_none();
        assert_eq!((0..130).filter(|_| fits(&mut bank)).count(), most);
    }
}

#[test]
fn reset_forgets_units_on_chip_in_memory_and_on_their_way_whatever_else_the_cycle_carries() {
    let mut bank = bank(QueueKind::Shifting, 1);
    (0..3).for_each(|kernel| assert!(cycle(&mut bank, &insert(1, 1, kernel)).fetch.is_none()));
    cycle(&mut bank, &remove(1));
    assert!(idle(&mut bank).fetch.is_some());
    let reset = QueueBankInputs { reset: true, ..insert(0, 1, 1) };
    assert_eq!(bank.clock(&reset), Activity::Busy);
    assert_eq!(bank, super::tests::bank(QueueKind::Shifting, 1));
    assert_eq!(bank.clock(&reset), Activity::Quiet);
}
