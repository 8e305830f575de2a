use super::super::Binding;
use super::*;

fn unit() -> ManagementUnit {
    ManagementUnit::new(&LapermConfig { levels: 2, ..LapermConfig::new(Binding::Bound) }, 2)
}

fn launch(queue: u8, level: u8) -> ManagementUnitInputs {
    ManagementUnitInputs {
        device_launch: Some(QueuePlace { queue, level }),
        ..ManagementUnitInputs::default()
    }
}

fn suspend() -> ManagementUnitInputs {
    let entries = KernelAdmissionInputs { suspend: true, ..Default::default() };
    ManagementUnitInputs { entries, ..Default::default() }
}

fn host(queue: u8) -> ManagementUnitInputs {
    let launch = Some(KernelLaunch::default());
    let entries = KernelAdmissionInputs { launch, queue, ..Default::default() };
    ManagementUnitInputs { entries, ..Default::default() }
}

/// Whether it is suspended, index, queue and level of the record that a cycle fetches.
fn cycle(unit: &mut ManagementUnit, inputs: &ManagementUnitInputs) -> Option<(bool, u32, u8, u8)> {
    let ManagementUnitOutputs { fetch, fetch_place, .. } = unit.evaluate(inputs);
    unit.clock(inputs);
    assert!(fetch.is_some() || fetch_place == QueuePlace::default(), "zero without a fetch");
    fetch.map(|fetch| (fetch.suspended, fetch.index, fetch_place.queue, fetch_place.level))
}

fn idle(unit: &mut ManagementUnit) -> Option<(bool, u32, u8, u8)> {
    cycle(unit, &ManagementUnitInputs::default())
}

/// A unit with `records` records at level 2 of queue 1 that have been fetched.
fn promised(records: u32) -> ManagementUnit {
    let mut unit = unit();
    cycle(&mut unit, &launch(1, 2));
    for index in 0..records - 1 {
        assert_eq!(cycle(&mut unit, &launch(1, 2)), Some((false, index, 1, 2)));
    }
    assert_eq!(idle(&mut unit), Some((false, records - 1, 1, 2)));
    unit
}

#[test]
fn a_suspended_kernel_is_fetched_first_with_no_place_and_the_search_stands_still_meanwhile() {
    let mut unit = unit();
    cycle(&mut unit, &launch(1, 1));
    assert_eq!(idle(&mut unit), None, "level 2");
    for index in 0..3 {
        assert_eq!(cycle(&mut unit, &suspend()), Some((true, index, 0, 0)));
    }
    assert_eq!(idle(&mut unit), Some((false, 0, 1, 1)));
}

#[test]
fn no_record_is_searched_for_while_all_entries_are_promised() {
    let mut unit = promised(32);
    cycle(&mut unit, &launch(0, 1));
    for _ in 0..3 {
        assert_eq!(idle(&mut unit), None);
    }
    let mut release = ManagementUnitInputs::default();
    release.entries.finished_kernels = 1 << 7;
    assert_eq!(cycle(&mut unit, &release), None);
    assert_eq!(idle(&mut unit), None, "level 2 is looked at");
    assert_eq!(idle(&mut unit), Some((false, 0, 0, 1)));
}

#[test]
fn the_host_gets_the_last_entry_before_a_record_that_is_found() {
    let mut unit = promised(31);
    cycle(&mut unit, &launch(0, 2));
    let outputs = unit.evaluate(&host(3));
    assert_eq!((outputs.offer, outputs.fetch), (Some(KernelLaunch::default()), None));
    assert_eq!(cycle(&mut unit, &host(3)), None);
    assert!(!unit.evaluate(&host(4)).host_ready);
    assert_eq!(unit.evaluate(&host(4)).inspect, !(1 << 3));
}

#[test]
fn a_record_that_arrives_takes_no_new_promise() {
    let mut unit = promised(32);
    let mut arrives = host(0);
    arrives.entries.record = Some(KernelLaunch { entry_pc: 9, ..Default::default() });
    let outputs = unit.evaluate(&arrives);
    assert_eq!((outputs.offer, outputs.host_ready), (arrives.entries.record, false));
    assert_eq!(unit.clock(&arrives), Activity::Quiet);
}

#[test]
fn reset_forgets_pools_and_promises_whatever_else_the_cycle_carries() {
    let mut unit = promised(3);
    let mut reset = launch(1, 1);
    reset.entries.reset = true;
    assert_eq!(unit.clock(&reset), Activity::Busy);
    assert_eq!(unit, super::tests::unit());
    assert_eq!(unit.clock(&reset), Activity::Quiet);
}
