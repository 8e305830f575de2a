//! Blocks that wait for what they launched: suspended kernels cross the ports of twin and hardware
//! in lockstep, and their parents read what their children wrote.

#[path = "../../sim/tests/shared/nest.rs"]
mod nest;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::{ControlFlow, RangeInclusive};
use std::rc::Rc;

use blockyard::engine::{CycleCounter, Lockstep, Mismatch, RtlScheduler};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::{GroupOutcome, Inputs, LaunchMode, Outputs};
use blockyard_sim::run::observer::Observer;
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::sched::{build_for, Composition};
use nest::{Nest, Other};

/// Ends the run when the engines differ, and counts what crosses the ports of suspended kernels.
struct Watch {
    counter: CycleCounter,
    mismatch: Rc<RefCell<Option<Mismatch>>>,
    put: u64,
    fetched: u64,
    /// For each record that was asked for and has not come, whether it is of a suspended kernel.
    on_way: VecDeque<bool>,
    /// The entries of the Kernel Distributor with such a kernel.
    returned: u32,
    /// Groups that were coalesced to one.
    joined: u64,
}

impl Observer for Watch {
    fn cycle(&mut self, _: u64, inputs: &Inputs, outputs: &Outputs) -> ControlFlow<()> {
        if self.mismatch.borrow().is_some() {
            return ControlFlow::Break(());
        }
        self.put += u64::from(inputs.device.management.suspend);
        let fetch = outputs.device.management.fetch_record;
        self.fetched += u64::from(fetch.is_some_and(|fetch| fetch.suspended));
        self.on_way.extend(fetch.map(|fetch| fetch.suspended));
        let group = outputs.device.groups.group_taken;
        if let Some(GroupOutcome::Coalesced { kernel, .. }) = group {
            self.joined += u64::from(self.returned >> kernel.index() & 1);
        }
        self.returned &= !outputs.finished_kernels;
        if let Some(entry) = outputs.device.management.record_entry {
            let suspended = self.on_way.pop_front().expect("it was asked for");
            self.returned |= u32::from(suspended) << entry.index();
        }
        ControlFlow::Continue(())
    }

    fn skipped(&mut self, _from: u64, to: u64) {
        self.counter.skip_to(to);
    }
}

/// Runs `nest` in lockstep; returns how often a block was suspended, and how many groups joined the
/// kernel of one that had come back.
fn suspensions(
    scheduler: &str,
    mode: LaunchMode,
    (smx, slots): (&str, &str),
    nest: &Nest,
) -> (u64, u64) {
    let mut config = GpuConfig::preset("k20c").expect("a preset");
    let small = [("smx", smx), ("thread_block_slots", slots), ("launch.ideal", "true")];
    for (key, value) in small {
        config.set(key, value).expect("a key");
    }
    let composition: Composition = scheduler.parse().expect("a known scheduler");
    let (limits, storage) = (config.limits(), config.launch.storage());
    let smx = config.smx.count as usize;
    let (mut gpu, board) = nest.gpu(config, mode).expect("a nest that can run");
    gpu.drive(composition.ports(mode));
    let twin = build_for(&composition, mode, storage, smx, limits).expect("a composition");
    let hardware = RtlScheduler::build_for(&composition, mode, storage, smx, limits);
    let hardware = hardware.expect("hardware");
    let counter = hardware.counter();
    let mut lockstep = Lockstep::new(twin, hardware);
    let mismatch = lockstep.mismatch();
    let mut watch = Watch {
        counter,
        mismatch: mismatch.clone(),
        put: 0,
        fetched: 0,
        on_way: VecDeque::new(),
        returned: 0,
        joined: 0,
    };
    let rules = (&composition).into();
    let options = RunOptions { skip_from: Some(0), max_cycles: Some(10_000_000), rules };
    let result = run(&mut gpu, &mut lockstep, &options, &mut watch);
    if let Some(mismatch) = mismatch.borrow().as_ref() {
        panic!("{scheduler} {mode:?}, cycle {}: {}", mismatch.cycle, mismatch.difference);
    }
    result.unwrap_or_else(|error| panic!("{scheduler} {mode:?}: {error}"));
    assert!(board.looks.get() > 0, "{scheduler} {mode:?}");
    let suspensions = gpu.device().counts().suspensions;
    assert_eq!((watch.put, watch.fetched), (suspensions, suspensions), "{scheduler} {mode:?}");
    (suspensions, watch.joined)
}

/// Every scheduler that takes launches, and how.
const COMPOSITIONS: [(&str, &[LaunchMode]); 7] = [
    ("rr", &[LaunchMode::Cdp, LaunchMode::Dtbl]),
    ("rr+claso(pa=1,pl=0)", &[LaunchMode::Cdp, LaunchMode::Dtbl]),
    ("laperm/tb-pri", &[LaunchMode::Cdp, LaunchMode::Dtbl]),
    ("laperm/smx-bind", &[LaunchMode::Cdp, LaunchMode::Dtbl]),
    ("laperm/adaptive-bind", &[LaunchMode::Cdp, LaunchMode::Dtbl]),
    ("ikra/steal(nesting=2)", &[LaunchMode::Cdp]),
    ("ikra/steal(nesting=4)", &[LaunchMode::Cdp]),
];

/// Runs `nest` everywhere, with as many suspensions; returns how many groups joined the kernel of a
/// block that had come back.
fn everywhere(smxs: (&str, &str), nest: &Nest, expected: RangeInclusive<u64>) -> u64 {
    let mut all = 0;
    for (scheduler, modes) in COMPOSITIONS {
        for mode in modes {
            let (seen, joined) = suspensions(scheduler, *mode, smxs, nest);
            assert!(expected.contains(&seen), "{scheduler} {mode:?}: {seen}");
            all += joined;
        }
    }
    all
}

#[test]
fn parents_that_fill_every_smx_wait_for_their_children_in_lockstep() {
    let nest = Nest { parents: 9, below: vec![2], lanes: 2, ..Nest::default() };
    everywhere(("3", "1"), &nest, 9..=9);
}

#[test]
fn three_levels_wait_for_each_other_on_one_slot_in_lockstep() {
    let nest = Nest { parents: 2, below: vec![1, 2, 1], ..Nest::default() };
    everywhere(("1", "1"), &nest, 8..=8);
}

#[test]
fn more_parents_than_entries_of_the_distributor_come_back_in_lockstep() {
    let nest = Nest { parents: 40, other: Other::WaitsForFirst, ..Nest::default() };
    everywhere(("2", "8"), &nest, 40..=40);
}

#[test]
fn what_other_warps_do_makes_no_difference_in_lockstep() {
    for (other, least) in [(Other::Exits, 9), (Other::Synchronizes, 9), (Other::Computes(3), 1)] {
        let nest = Nest { parents: 3, below: vec![2, 1], other, ..Nest::default() };
        everywhere(("2", "1"), &nest, least..=9);
    }
}

#[test]
fn groups_join_the_kernels_of_blocks_that_came_back_in_lockstep() {
    // The kernels of the second level come back while parents that start later launch more of them.
    let nest = Nest { parents: 40, below: vec![2, 1], after: 4, ..Nest::default() };
    let joined = everywhere(("2", "2"), &nest, 120..=120);
    assert!(joined > 0, "none did");
}
