use super::*;
use crate::port::Dim3;

/// A kernel that its entry PC tells from others.
fn kernel(entry_pc: u32) -> Option<KernelLaunch> {
    Some(KernelLaunch { entry_pc, grid: Dim3::new(1, 1, 1), blocks: 1, ..Default::default() })
}

fn host(queue: u8, launch_entry: u8) -> ManagementUnitInputs {
    let launch_entry = KernelEntry(launch_entry);
    ManagementUnitInputs { launch: kernel(1), queue, launch_entry, ..Default::default() }
}

fn device() -> ManagementUnitInputs {
    ManagementUnitInputs { device_launch: true, ..Default::default() }
}

fn suspend() -> ManagementUnitInputs {
    ManagementUnitInputs { suspend: true, ..Default::default() }
}

fn finished(finished_kernels: u32) -> ManagementUnitInputs {
    ManagementUnitInputs { finished_kernels, ..Default::default() }
}

fn fetch(suspended: bool, index: u32) -> Option<RecordFetch> {
    Some(RecordFetch { suspended, index })
}

/// A unit that has promised `entries` entries to device kernels, of pool places 0 and up.
fn promised(entries: u32) -> ManagementUnit {
    let mut unit = ManagementUnit::new();
    for index in 0..entries {
        assert_eq!(unit.evaluate(&device()).fetch, fetch(false, index));
        assert_eq!(unit.clock(&device()), Activity::Busy);
    }
    unit
}

#[test]
fn a_host_kernel_is_offered_in_the_cycle_in_which_it_is_accepted() {
    let unit = ManagementUnit::new();
    let outputs = unit.evaluate(&host(7, 0));
    assert_eq!((outputs.offer, outputs.host_ready), (kernel(1), true));
    assert_eq!((outputs.inspect, outputs.fetch), (u32::MAX, None));
    let nobody = unit.evaluate(&ManagementUnitInputs::default());
    assert_eq!((nobody.offer, nobody.host_ready), (None, true), "it would be accepted");
}

#[test]
fn the_next_kernel_of_a_queue_waits_for_the_end_of_its_head_and_other_queues_do_not() {
    let mut unit = ManagementUnit::new();
    unit.clock(&host(7, 0));
    let outputs = unit.evaluate(&host(7, 1));
    assert_eq!((outputs.offer, outputs.host_ready), (None, false));
    assert_eq!(outputs.inspect, !(1 << 7));
    assert!(unit.evaluate(&host(8, 1)).host_ready);
    assert_eq!(unit.clock(&host(7, 1)), Activity::Quiet, "a refused kernel stores nothing");
    assert!(!unit.evaluate(&ManagementUnitInputs { finished_kernels: 1, ..host(7, 1) }).host_ready);
    unit.clock(&finished(1));
    assert!(unit.evaluate(&host(7, 1)).host_ready);
}

#[test]
fn a_device_launch_is_fetched_in_its_own_cycle_while_an_entry_is_free() {
    let mut unit = promised(31);
    assert_eq!(unit.evaluate(&device()).fetch, fetch(false, 31));
    unit.clock(&device());
    assert_eq!(unit.evaluate(&device()).fetch, None, "32 entries are promised");
    assert_eq!(unit.clock(&device()), Activity::Busy, "it waits in the pool");
    assert_eq!(unit.clock(&ManagementUnitInputs::default()), Activity::Quiet);
    let release = finished(1 << 9);
    assert_eq!(unit.evaluate(&release).fetch, None, "free from the next cycle on");
    unit.clock(&release);
    assert_eq!(unit.evaluate(&finished(0)).fetch, fetch(false, 32));
}

#[test]
fn one_record_is_fetched_a_cycle_suspended_kernels_first() {
    let mut unit = ManagementUnit::new();
    let both = ManagementUnitInputs { device_launch: true, suspend: true, ..Default::default() };
    assert_eq!(unit.evaluate(&both).fetch, fetch(true, 0));
    unit.clock(&both);
    assert_eq!(unit.evaluate(&suspend()).fetch, fetch(true, 1), "the one of this cycle counts");
    unit.clock(&suspend());
    assert_eq!(unit.evaluate(&finished(0)).fetch, fetch(false, 0));
    unit.clock(&finished(0));
    assert_eq!(unit.evaluate(&finished(0)).fetch, None);
}

#[test]
fn the_host_gets_the_last_entry_before_a_device_kernel() {
    let mut unit = promised(31);
    let both = ManagementUnitInputs { device_launch: true, ..host(0, 31) };
    let outputs = unit.evaluate(&both);
    assert_eq!((outputs.offer, outputs.fetch), (kernel(1), None));
    let refused = ManagementUnitInputs { launch: None, ..both.clone() };
    assert_eq!(unit.evaluate(&refused).fetch, fetch(false, 31), "nobody else wants it");
    unit.clock(&both);
    assert!(!unit.evaluate(&host(1, 0)).host_ready);
}

#[test]
fn a_record_that_arrives_goes_before_the_hosts_kernel_and_needs_no_new_promise() {
    let mut unit = promised(32);
    let arrives = ManagementUnitInputs { record: kernel(9), ..host(0, 0) };
    let outputs = unit.evaluate(&arrives);
    assert_eq!((outputs.offer, outputs.host_ready), (kernel(9), false));
    assert_eq!(unit.clock(&arrives), Activity::Quiet, "its entry was promised");

    let mut unit = promised(1);
    assert_eq!(unit.evaluate(&arrives).offer, kernel(9));
    assert_eq!(unit.clock(&arrives), Activity::Quiet);
    let outputs = unit.evaluate(&host(0, 1));
    assert_eq!((outputs.offer, outputs.host_ready), (kernel(1), true), "a cycle later");
}

#[test]
fn a_host_kernel_that_a_record_delays_does_not_count_as_promised() {
    let mut unit = promised(31);
    let all = ManagementUnitInputs { record: kernel(9), device_launch: true, ..host(0, 0) };
    assert_eq!(unit.evaluate(&all).fetch, fetch(false, 31));
    unit.clock(&all);
    assert!(!unit.evaluate(&host(0, 0)).host_ready);
}

#[test]
fn several_kernels_that_end_together_free_as_many_entries() {
    let mut unit = promised(32);
    (0..4).for_each(|_| assert_eq!(unit.clock(&device()), Activity::Busy));
    unit.clock(&finished(0b111));
    for index in 32..35 {
        assert_eq!(unit.evaluate(&finished(0)).fetch, fetch(false, index));
        unit.clock(&finished(0));
    }
    assert_eq!(unit.evaluate(&finished(0)).fetch, None);
}

#[test]
fn thirty_two_host_kernels_of_different_queues_fill_the_distributor() {
    let mut unit = ManagementUnit::new();
    for k in 0..32 {
        assert!(unit.evaluate(&host(k, k)).host_ready);
        unit.clock(&host(k, k));
    }
    let outputs = unit.evaluate(&host(0, 0));
    assert_eq!((outputs.inspect, outputs.host_ready), (0, false));
    unit.clock(&finished(1 << 31));
    let outputs = unit.evaluate(&host(31, 31));
    assert_eq!((outputs.inspect, outputs.host_ready), (1 << 31, true));
}

#[test]
fn reset_forgets_queues_pools_and_promises_whatever_else_the_cycle_carries() {
    let mut unit = promised(32);
    unit.clock(&device());
    let reset = ManagementUnitInputs { reset: true, suspend: true, ..host(3, 1) };
    assert_eq!(unit.clock(&reset), Activity::Busy);
    assert_eq!(unit, ManagementUnit::new());
    assert_eq!(unit.clock(&reset), Activity::Quiet);
}
