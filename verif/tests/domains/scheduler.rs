//! Rationale: 1. the hardware alone is held to the page's rules on random traffic: whose each block
//! is, that it goes once, and that a kernel ends when all have ended. 2. 1, 2, 3 and 8 domains of
//! equal and of unequal sizes, chunks of 1 and of 3, ranges. 3. The latencies of the page, cycle by
//! cycle.

use crate::ikra::block;
use blockyard::engine::RtlScheduler;
use blockyard::traffic::{Intensity, Traffic};
use blockyard_sim::port::{
    Activity, Dim3, FloorPlan, Inputs, KernelEntry, KernelLaunch, LaunchMode, Outputs, Scheduler,
    SmxLimits,
};
use std::collections::HashSet;

const LIMITS: SmxLimits =
    SmxLimits { threads: 1536, registers: 32_768, shared_memory: 49_152, thread_block_slots: 3 };

fn plan(sizes: &[usize]) -> FloorPlan {
    let plan = FloorPlan::from(sizes.iter().sum::<usize>());
    plan.in_domains(sizes).expect("domains of SMXs")
}

fn hardware(scheduler: &str, sizes: &[usize]) -> RtlScheduler {
    let composition = scheduler.parse().expect("a known scheduler");
    RtlScheduler::build_for(&composition, LaunchMode::Flat, 1, plan(sizes), LIMITS)
        .expect("it has hardware")
}

/// Whose block `id` of `blocks` is, in chunks of so many blocks or in ranges.
fn owner(id: u64, blocks: u64, domains: u64, chunk: Option<u64>) -> u64 {
    let of_share = |domain: u64| blocks / domains + u64::from(domain < blocks % domains);
    match chunk {
        Some(chunk) => id / chunk % domains,
        None => {
            let behind = |domain| (0..=domain).map(of_share).sum::<u64>();
            (0..domains).find(|&domain| id < behind(domain)).expect("a share")
        }
    }
}

fn check(scheduler: &str, sizes: &[usize], chunk: Option<u64>) {
    let (smxs, domains) = (sizes.iter().sum::<usize>(), sizes.len() as u64);
    let (mut hardware, mut inputs) = (hardware(scheduler, sizes), Inputs::idle(smxs));
    let (mut outputs, plan) = (Outputs::idle(smxs), plan(sizes));
    let home: Vec<u64> =
        (0..).zip(plan.domain_ranges()).flat_map(|(at, smxs)| smxs.map(move |_| at)).collect();
    let mut traffic = Traffic::new(smxs, LIMITS, Intensity::MIXED, smxs as u64 + domains);
    let mut entries: Vec<Option<(Dim3, HashSet<u64>)>> = vec![None; 32];
    let (mut together, mut ended) = (0, 0);
    for _ in 0..20_000 {
        traffic.next(&mut inputs);
        hardware.cycle(&inputs, &mut outputs);
        traffic.observe(&inputs, &outputs);
        if inputs.reset {
            entries.fill(None);
            continue;
        }
        together = outputs.dispatch.iter().flatten().count().max(together);
        for (smx, dispatch) in outputs.dispatch.iter().enumerate() {
            let Some(dispatch) = dispatch else { continue };
            let (grid, given) = entries[dispatch.kernel.index()].as_mut().expect("a kernel");
            let Dim3 { x, y, z } = dispatch.block;
            let (x, y, z) = (u64::from(x), u64::from(y), u64::from(z));
            let id = x + u64::from(grid.x) * (y + u64::from(grid.y) * z);
            assert_eq!(block(id, *grid), dispatch.block, "within {grid}");
            assert!(given.insert(id), "{scheduler}: block {id} twice");
            assert_eq!(
                home[smx],
                owner(id, grid.volume() as u64, domains, chunk),
                "{scheduler}: {id}"
            );
        }
        for entry in (0..32).filter(|entry| outputs.finished_kernels >> entry & 1 == 1) {
            let (grid, given) = entries[entry].take().expect("it was there");
            assert_eq!(given.len() as u128, grid.volume(), "{scheduler}: entry {entry}");
            ended += 1;
        }
        if let (Some(launch), Some(entry)) = (inputs.launch, outputs.launch_ready) {
            assert!(entries[entry.index()].is_none(), "entry {entry:?} is taken");
            entries[entry.index()] = Some((launch.grid, HashSet::new()));
        }
    }
    assert!(together as u64 >= domains.min(2) && ended > 50, "{scheduler}: {together}, {ended}");
}

#[test]
fn each_block_goes_once_and_to_its_domain() {
    for sizes in [&[2][..], &[1, 2], &[2, 1, 1], &[1; 8]] {
        check("domains", sizes, Some(1));
        check("domains(chunk=3)", sizes, Some(3));
        check("domains(policy=contiguous)", sizes, None);
    }
}

/// Launches a kernel of so many blocks in cycle 0, of which none ends; cycle, SMX and number of
/// each.
fn dispatches(
    scheduler: &str,
    sizes: &[usize],
    blocks: u32,
    cycles: u64,
) -> Vec<(u64, usize, u32)> {
    let mut hardware = hardware(scheduler, sizes);
    let mut inputs = Inputs::idle(hardware.smx());
    let grid = Dim3::new(blocks, 1, 1);
    inputs.launch = Some(KernelLaunch { grid, blocks, ..KernelLaunch::default() });
    let (mut outputs, mut found) = (Outputs::idle(hardware.smx()), vec![]);
    for cycle in 0..cycles {
        let _: Activity = hardware.cycle(&inputs, &mut outputs);
        inputs.launch = None;
        for (smx, block) in outputs.dispatch.iter().enumerate() {
            found.extend(block.map(|block| (cycle, smx, block.block.x)));
        }
    }
    found
}

#[test]
fn a_walk_reaches_block_i_in_cycle_1_plus_i() {
    let found = dispatches("domains", &[2, 2], 4, 20);
    assert_eq!(found, [(1, 0, 0), (2, 2, 1), (3, 1, 2), (4, 3, 3)]);
    let found = dispatches("domains(chunk=3)", &[1, 2], 8, 20);
    let expected = [(1, 0, 0), (2, 0, 1), (3, 0, 2), (4, 1, 3), (5, 2, 4), (6, 1, 5)];
    assert_eq!(found, expected, "two more would be domain 0's, which is full");
}

#[test]
fn shares_are_offered_in_cycle_65_in_all_domains() {
    let found = dispatches("domains(policy=contiguous)", &[1, 2, 1], 7, 70);
    let expected =
        [(65, 0, 0), (65, 1, 3), (65, 3, 5), (66, 0, 1), (66, 2, 4), (66, 3, 6), (67, 0, 2)];
    assert_eq!(found, expected);
}

/// In which cycle a kernel that was launched in cycle 0 and has no blocks ends.
fn end_of_nothing(scheduler: &str) -> u64 {
    let mut hardware = hardware(scheduler, &[1, 2]);
    let mut inputs = Inputs::idle(3);
    inputs.launch = Some(KernelLaunch::default());
    let mut outputs = Outputs::idle(3);
    (0..200)
        .find(|_| {
            let _: Activity = hardware.cycle(&inputs, &mut outputs);
            inputs.launch = None;
            outputs.finished_kernels == 1
        })
        .expect("it ends")
}

#[test]
fn an_empty_grid_is_unmarked_in_its_first_cycle_as_the_head() {
    assert_eq!(end_of_nothing("domains"), 2);
    assert_eq!(end_of_nothing("domains(policy=contiguous)"), 2);
}

#[test]
fn a_kernel_ends_when_its_last_block_has_in_any_domain_and_empty_shares_have_been_found() {
    let mut hardware = hardware("domains(policy=contiguous)", &[1, 1, 1]);
    let mut inputs = Inputs::idle(3);
    let grid = Dim3::new(1, 1, 1);
    inputs.launch = Some(KernelLaunch { grid, blocks: 1, ..KernelLaunch::default() });
    let mut outputs = Outputs::idle(3);
    let mut ends = vec![];
    for cycle in 0..80 {
        inputs.finished[0] = (cycle == 70).then_some(KernelEntry(0));
        let _: Activity = hardware.cycle(&inputs, &mut outputs);
        inputs.launch = None;
        assert_eq!(outputs.dispatch[0].is_some(), cycle == 65);
        ends.extend((outputs.finished_kernels == 1).then_some(cycle));
    }
    assert_eq!(ends, [71], "for one cycle");
}
