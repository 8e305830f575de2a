//! Rationale: 1. the state is that of queues and pools and a count of entries; phases fill and
//! drain the Kernel Distributor. 2. There is no parameter.

use crate::dispatch::kernel_table::{block, needs};
use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::kmu::ManagementUnit;
use blockyard_rtl::module::Module;
use blockyard_rtl::port::Launch;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Dim3, KernelEntry, KernelLaunch, RecordFetch, KERNEL_ENTRIES};
use blockyard_sim::sched::kmu as twin;
use rand::RngExt;
use std::collections::VecDeque;
use twin::{ManagementUnitInputs as Inputs, ManagementUnitOutputs as Outputs};

fn launched(word: Launch) -> Option<KernelLaunch> {
    let context = ports::context(word.valid, word.context)?;
    Some(KernelLaunch {
        entry_pc: context.entry_pc,
        parameter_address: context.parameter_address,
        grid: block(word.grid),
        block: context.block,
        blocks: word.blocks.raw() as u32,
        needs: needs(word.needs),
        ..KernelLaunch::default()
    })
}

impl Twinned for ManagementUnit {
    type Twin = twin::ManagementUnit;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.launch.next = ports::launch(inputs.launch.as_ref());
        self.management_ports.work_queue.next = U::new(inputs.queue.into());
        self.management_ports.device_launch.next = inputs.device_launch;
        self.management_ports.suspend.next = inputs.suspend;
        self.record.next = ports::launch(inputs.record.as_ref());
        self.finished_kernels.next = U::new(inputs.finished_kernels.into());
        self.launch_entry.next = U::new(inputs.launch_entry.0.into());
        if self.follows.is_present() {
            self.follows.next = inputs.launch.is_some_and(|launch| launch.follows.is_some());
        }
    }
    fn observe(&self) -> Outputs {
        Outputs {
            offer: launched(self.offer.val()),
            host_ready: self.host_ready.val(),
            inspect: self.management_ports.inspect.val().raw() as u32,
            fetch: self.management_ports.fetch_record.val().then(|| RecordFetch {
                suspended: self.management_ports.fetch_suspended.val(),
                index: self.management_ports.fetch_index.val().raw() as u32,
            }),
        }
    }
    fn evaluate(twin: &twin::ManagementUnit, inputs: &Inputs) -> Outputs {
        let outputs = twin.evaluate(inputs);
        // Whom a kernel follows goes past the unit.
        let offer = outputs.offer.map(|kernel| KernelLaunch { follows: None, ..kernel });
        Outputs { offer, ..outputs }
    }
    twin_calls!(edge);
}

fn unit() -> Lockstep<ManagementUnit> {
    Lockstep::new(ManagementUnit::new(), twin::ManagementUnit::new())
}

/// Of a scheduler in which kernels follow others.
fn following() -> Lockstep<ManagementUnit> {
    Lockstep::new(ManagementUnit::following(), twin::ManagementUnit::new())
}

fn kernel(number: u32) -> KernelLaunch {
    let grid = Dim3::new(number + 1, 1, 1);
    KernelLaunch { entry_pc: number, grid, blocks: number + 1, ..KernelLaunch::default() }
}

fn device() -> Inputs {
    Inputs { device_launch: true, ..Inputs::default() }
}

fn host(queue: u8) -> Inputs {
    Inputs { launch: Some(kernel(queue.into())), queue, ..Inputs::default() }
}

fn fetch(suspended: bool, index: u32) -> Option<RecordFetch> {
    Some(RecordFetch { suspended, index })
}

#[test]
fn a_device_kernel_is_asked_for_in_the_cycle_in_which_it_is_launched() {
    assert_eq!(unit().cycle(&device()).fetch, fetch(false, 0));
}

#[test]
fn suspended_kernels_go_before_device_kernels() {
    let mut unit = unit();
    let both = Inputs { suspend: true, ..device() };
    assert_eq!(unit.cycle(&both).fetch, fetch(true, 0));
    assert_eq!(unit.cycle(&Inputs::default()).fetch, fetch(false, 0));
    assert_eq!(unit.cycle(&Inputs::default()).fetch, None);
}

#[test]
fn no_more_than_32_entries_are_promised_and_one_that_ends_is_free_in_the_next_cycle() {
    let mut unit = unit();
    for index in 0..32 {
        assert_eq!(unit.cycle(&device()).fetch, fetch(false, index));
    }
    assert_eq!(unit.cycle(&device()).fetch, None, "the 33rd kernel waits");
    let full = unit.cycle(&host(0));
    assert!(!full.host_ready && full.offer.is_none());
    let ends = Inputs { finished_kernels: 1 << 5, ..Inputs::default() };
    assert_eq!(unit.cycle(&ends).fetch, None, "the cycle in which a kernel ends");
    assert_eq!(unit.cycle(&Inputs::default()).fetch, fetch(false, 32));
}

#[test]
fn the_host_takes_the_last_entry_before_the_device() {
    let mut unit = unit();
    for _ in 0..31 {
        unit.cycle(&device());
    }
    let both = unit.cycle(&Inputs { device_launch: true, ..host(3) });
    assert!(both.host_ready && both.fetch.is_none(), "{both:?}");
    assert_eq!(both.offer, Some(kernel(3)));
}

#[test]
fn a_record_goes_before_the_hosts_kernel_which_waits() {
    let mut unit = unit();
    unit.cycle(&device());
    let both = unit.cycle(&Inputs { record: Some(kernel(9)), ..host(3) });
    assert!(!both.host_ready);
    assert_eq!(both.offer, Some(kernel(9)));
    assert_eq!(unit.cycle(&host(3)).offer, Some(kernel(3)));
}

#[test]
fn a_queue_whose_head_was_accepted_gives_no_kernel_before_that_one_has_ended() {
    let mut unit = unit();
    assert!(unit.cycle(&Inputs { launch_entry: KernelEntry(7), ..host(3) }).host_ready);
    assert!(!unit.cycle(&host(3)).host_ready);
    assert!(unit.cycle(&host(4)).host_ready, "another queue's head");
    let ends = Inputs { finished_kernels: 1 << 7, ..host(3) };
    assert!(!unit.cycle(&ends).host_ready);
    assert!(unit.cycle(&host(3)).host_ready);
}

/// The head of `queue`, which follows the kernel in `entry`.
fn follower(queue: u8, entry: u8) -> Inputs {
    let launch = KernelLaunch { follows: Some(KernelEntry(entry)), ..kernel(queue.into()) };
    Inputs { launch: Some(launch), ..host(queue) }
}

#[test]
fn a_kernel_that_follows_the_one_of_its_queue_enters_behind_it_and_the_queue_waits_for_it_alone() {
    let mut unit = following();
    unit.cycle(&Inputs { launch_entry: KernelEntry(7), ..host(3) });
    assert!(!unit.cycle(&host(3)).host_ready, "it follows nobody");
    assert!(unit.cycle(&Inputs { launch_entry: KernelEntry(9), ..follower(3, 7) }).host_ready);
    unit.cycle(&Inputs { finished_kernels: 1 << 7, ..Inputs::default() });
    assert!(!unit.cycle(&host(3)).host_ready, "the one of entry 9 runs");
    unit.cycle(&Inputs { finished_kernels: 1 << 9, ..Inputs::default() });
    assert!(unit.cycle(&host(3)).host_ready);
}

#[test]
fn a_follower_that_enters_in_the_cycle_in_which_the_one_before_it_ends_holds_its_queue() {
    let mut unit = following();
    unit.cycle(&Inputs { launch_entry: KernelEntry(7), ..host(3) });
    let both = Inputs { finished_kernels: 1 << 7, launch_entry: KernelEntry(8), ..follower(3, 7) };
    assert!(unit.cycle(&both).host_ready);
    assert!(!unit.cycle(&host(3)).host_ready);
}

#[test]
fn a_follower_waits_for_an_entry_and_for_a_record_as_others_do() {
    let mut unit = following();
    unit.cycle(&Inputs { launch_entry: KernelEntry(0), ..host(3) });
    for _ in 0..30 {
        unit.cycle(&device());
    }
    assert!(!unit.cycle(&Inputs { record: Some(kernel(9)), ..follower(3, 0) }).host_ready);
    assert!(unit.cycle(&follower(3, 0)).host_ready, "the last entry");
    assert!(!unit.cycle(&follower(3, 0)).host_ready, "none is left");
}

#[test]
fn hardware_and_twin_agree_on_random_launches() {
    random_launches(unit, |_| None);
}

#[test]
fn hardware_and_twin_agree_on_random_launches_of_which_some_follow_others() {
    random_launches(following, |draw| {
        draw.is_multiple_of(3).then_some(KernelEntry((draw % 32) as u8))
    });
}

/// `follows` says by a random number whom a launch follows.
fn random_launches(
    unit: fn() -> Lockstep<ManagementUnit>,
    follows: fn(u32) -> Option<KernelEntry>,
) {
    for seed in 0..30 {
        let (mut random, mut unit) = (random(seed), unit());
        let mut occupied = [false; KERNEL_ENTRIES];
        let mut on_the_way = VecDeque::new();
        let (mut most, mut asked) = (0, 0);
        for cycle in 0..2_000 {
            let filling = cycle / 250 % 2 == 0;
            let reset = random.random_range(0..1_000) == 0;
            let mut finished_kernels = 0;
            for (entry, occupied) in occupied.iter().enumerate() {
                let ends = *occupied && random.random_bool(if filling { 0.005 } else { 0.1 });
                finished_kernels |= u32::from(ends) << entry;
            }
            let free = occupied.iter().position(|&occupied| !occupied);
            let record = on_the_way.front().copied().filter(|_| random.random_bool(0.5));
            let queue = random.random_range(0..32);
            let launch = random.random_bool(0.3).then(|| {
                let follows = follows(random.random_range(0..1 << 20));
                KernelLaunch { follows, ..kernel(queue) }
            });
            let inputs = Inputs {
                reset,
                launch,
                queue: queue as u8,
                device_launch: random.random_bool(if filling { 0.4 } else { 0.05 }),
                suspend: random.random_bool(0.05),
                record,
                finished_kernels,
                launch_entry: KernelEntry(free.unwrap_or(0) as u8),
            };
            let outputs = unit.cycle(&inputs);
            if reset {
                occupied = [false; KERNEL_ENTRIES];
                on_the_way.clear();
                continue;
            }
            if outputs.offer.is_some() {
                occupied[free.expect("it was promised")] = true;
            }
            if record.is_some() {
                on_the_way.pop_front();
            }
            if let Some(fetch) = outputs.fetch {
                asked += 1;
                on_the_way.push_back(kernel(fetch.index));
            }
            most = most.max(occupied.iter().filter(|&&occupied| occupied).count());
            for (entry, occupied) in occupied.iter_mut().enumerate() {
                *occupied &= finished_kernels >> entry & 1 == 0;
            }
        }
        assert!(most >= 31 && asked > 100, "seed {seed}: {most} entries, {asked} records");
    }
}
