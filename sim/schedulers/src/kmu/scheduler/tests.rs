use super::super::super::tests::harness::{kernel, slots};
use super::super::super::{build_for, Composition};
use crate::port::*;

fn cdp(name: &str, smx: usize, slot_count: u32) -> Box<dyn Scheduler> {
    let composition: Composition = name.parse().unwrap();
    build_for(&composition, LaunchMode::Cdp, 1, smx, slots(slot_count)).unwrap()
}

fn step(scheduler: &mut dyn Scheduler, change: impl FnOnce(&mut Inputs)) -> Outputs {
    let mut inputs = Inputs::idle(scheduler.smx());
    change(&mut inputs);
    // What an earlier cycle left in the outputs must not stay there.
    let mut outputs = Outputs {
        context: Some(KernelContext::default()),
        device: DeviceOutputs {
            management: ManagementOutputs { inspect: 5, ..Default::default() },
            groups: GroupOutputs { command_ready: true, ..Default::default() },
            ..Default::default()
        },
        ..Default::default()
    };
    scheduler.cycle(&inputs, &mut outputs);
    outputs
}

fn fetched(outputs: &Outputs) -> Option<(bool, u32)> {
    outputs.device.management.fetch_record.map(|fetch| (fetch.suspended, fetch.index))
}

#[test]
fn a_host_kernel_is_dispatched_one_cycle_after_it_was_accepted_as_without_the_unit() {
    let mut scheduler = cdp("rr", 1, 1);
    let outputs = step(&mut *scheduler, |inputs| inputs.launch = Some(kernel(1)));
    assert_eq!(outputs.launch_ready, Some(KernelEntry(0)));
    let management = ManagementOutputs { inspect: u32::MAX, ..Default::default() };
    let expected = DeviceOutputs { management, ..Default::default() };
    assert_eq!(outputs.device, expected);
    let outputs = step(&mut *scheduler, |_| ());
    assert_eq!(outputs.dispatch, [Some(Dispatch::default())]);
    assert_eq!(outputs.device.management.inspect, u32::MAX - 1);
    assert_eq!((outputs.launch_ready, outputs.context), (None, None), "queue 0 waits");
}

#[test]
fn a_queue_is_inspected_again_in_the_cycle_after_its_kernel_ended() {
    let mut scheduler = cdp("rr", 1, 1);
    step(&mut *scheduler, |inputs| inputs.launch = Some(kernel(1)));
    step(&mut *scheduler, |_| ());
    step(&mut *scheduler, |inputs| inputs.finished[0] = Some(KernelEntry(0)));
    let outputs = step(&mut *scheduler, |inputs| inputs.launch = Some(kernel(1)));
    assert_eq!((outputs.finished_kernels, outputs.launch_ready), (1, None));
    let outputs = step(&mut *scheduler, |inputs| inputs.launch = Some(kernel(1)));
    assert_eq!(outputs.launch_ready, Some(KernelEntry(0)));
}

#[test]
fn a_record_takes_the_lowest_free_entry_and_is_dispatched_in_the_next_cycle() {
    let mut scheduler = cdp("rr+claso", 1, 4);
    let outputs = step(&mut *scheduler, |inputs| inputs.device.management.device_launch = true);
    assert_eq!(fetched(&outputs), Some((false, 0)));
    step(&mut *scheduler, |inputs| inputs.launch = Some(kernel(1)));
    let outputs = step(&mut *scheduler, |inputs| {
        inputs.device.management.record = Some(kernel(1));
        (inputs.launch, inputs.device.management.work_queue) = (Some(kernel(1)), 1);
    });
    assert_eq!(outputs.device.management.record_entry, Some(KernelEntry(1)));
    assert_eq!(outputs.launch_ready, None, "the host's kernel waits");
    let outputs = step(&mut *scheduler, |inputs| {
        (inputs.launch, inputs.device.management.work_queue) = (Some(kernel(1)), 1);
    });
    assert_eq!(outputs.dispatch[0].map(|dispatch| dispatch.kernel), Some(KernelEntry(1)));
    assert_eq!(outputs.launch_ready, Some(KernelEntry(2)));
    assert_eq!(outputs.device.management.record_entry, None);
}

#[test]
fn a_reset_in_the_middle_forgets_pending_kernels() {
    let mut scheduler = cdp("rr+dyncta", 2, 4);
    for _ in 0..40 {
        step(&mut *scheduler, |inputs| inputs.device.management.device_launch = true);
    }
    let pending = "32 entries occupied or promised, 0 work queues wait for their head, 8 device";
    assert!(scheduler.explain().contains(pending), "{}", scheduler.explain());
    step(&mut *scheduler, |inputs| (inputs.reset, inputs.device.management.suspend) = (true, true));
    let outputs = step(&mut *scheduler, |_| ());
    assert_eq!(outputs.launch_ready, Some(KernelEntry(0)));
    assert_eq!(fetched(&outputs), None);
    let outputs = step(&mut *scheduler, |inputs| inputs.device.management.suspend = true);
    assert_eq!(fetched(&outputs), Some((true, 0)));
}

#[test]
fn a_cycle_in_which_the_unit_alone_stores_something_is_busy() {
    let mut scheduler = cdp("rr", 1, 1);
    let mut cycle = |launch| {
        let mut inputs = Inputs::idle(1);
        inputs.device.management.device_launch = launch;
        scheduler.cycle(&inputs, &mut Outputs::idle(1))
    };
    assert_eq!(cycle(false), Activity::Quiet);
    assert_eq!(cycle(true), Activity::Busy);
    assert_eq!(cycle(false), Activity::Quiet);
}

#[test]
fn the_limits_of_every_domain_are_told_behind_the_unit_as_without_it() {
    let composition: Composition = "domains+dyncta(pause=1)".parse().unwrap();
    let plan = FloorPlan::from(3).in_domains(&[1, 2]).expect("as many SMXs");
    let limits = |mode| {
        let mut scheduler = build_for(&composition, mode, 1, plan.clone(), slots(8)).unwrap();
        step(&mut *scheduler, |_| ()).running_limits
    };
    assert_eq!(limits(LaunchMode::Cdp), [4, 4, 4]);
    assert_eq!(limits(LaunchMode::Flat), [4, 4, 4]);
}
