use super::*;

fn turn(entries: &KernelAdmission, inputs: &KernelAdmissionInputs) -> (bool, Option<u32>) {
    let outputs = entries.evaluate(inputs);
    (outputs.device_turn, outputs.suspended.map(|fetch| fetch.index))
}

/// `count` entries promised to kernels that blocks launched.
fn promised(count: usize) -> KernelAdmission {
    let mut entries = KernelAdmission::new();
    for _ in 0..count {
        let fetched = KernelAdmissionInputs { device_fetched: true, ..Default::default() };
        assert_eq!(entries.clock(&fetched), Activity::Busy);
    }
    entries
}

const IDLE: KernelAdmissionInputs = KernelAdmissionInputs {
    reset: false,
    launch: None,
    queue: 0,
    suspend: false,
    record: None,
    finished_kernels: 0,
    launch_entry: KernelEntry(0),
    device_fetched: false,
};

#[test]
fn device_kernels_have_their_turn_while_an_entry_is_left_and_no_kernel_is_suspended() {
    let suspend = KernelAdmissionInputs { suspend: true, ..IDLE };
    assert_eq!(turn(&promised(31), &IDLE), (true, None));
    assert_eq!(turn(&promised(31), &suspend), (false, Some(0)));
    assert_eq!(turn(&promised(32), &IDLE), (false, None));
    assert_eq!(turn(&promised(32), &suspend), (false, None));
}

#[test]
fn a_host_kernel_of_this_cycle_counts_before_a_device_kernel() {
    let host = KernelAdmissionInputs { launch: Some(KernelLaunch::default()), ..IDLE };
    assert_eq!(turn(&promised(30), &host), (true, None));
    assert_eq!(turn(&promised(31), &host), (false, None));
    let mut entries = promised(31);
    entries.clock(&host);
    let waits = KernelAdmissionInputs { queue: 1, ..host };
    assert!(!entries.evaluate(&waits).host_ready, "32 are promised");
}

#[test]
fn only_a_turn_that_is_used_promises_an_entry() {
    let mut entries = promised(31);
    assert_eq!(entries.clock(&IDLE), Activity::Quiet);
    assert_eq!(turn(&entries, &IDLE), (true, None));
    let both = KernelAdmissionInputs { device_fetched: true, finished_kernels: 1, ..IDLE };
    assert_eq!(entries.clock(&both), Activity::Quiet, "one more and one less");
}

#[test]
fn a_kernel_that_follows_another_one_need_not_wait_for_the_head_of_its_queue() {
    let host = |follows| {
        let launch = Some(KernelLaunch { follows, ..Default::default() });
        KernelAdmissionInputs { launch, launch_entry: KernelEntry(5), ..IDLE }
    };
    let mut entries = KernelAdmission::new();
    entries.clock(&host(None));
    assert!(!entries.evaluate(&host(None)).host_ready);
    let behind = host(Some(KernelEntry(5)));
    assert_eq!(entries.evaluate(&behind).offer, behind.launch);
    let record = Some(KernelLaunch { blocks: 3, ..Default::default() });
    let waits = KernelAdmissionInputs { record, ..behind.clone() };
    assert!(!entries.evaluate(&waits).host_ready, "a record goes first");
    assert!(!promised(32).evaluate(&behind).host_ready, "all entries are promised");
}
