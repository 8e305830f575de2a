//! Launch instructions. The block is dispatched in 1, its warps issue from 2 on.

pub(super) mod sharing;

use super::*;
use blockyard_sim::gpu::host::{DeviceLaunch, Durations};
use blockyard_sim::port::LaunchMode;
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::Nobody;
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::sched::build_for;
use blockyard_sim::stats::Stats;

/// One warp: its instructions, and what each of its launch instructions launches.
#[derive(Clone, Default)]
struct Warp {
    instructions: Vec<Instruction>,
    launches: Vec<Vec<DeviceLaunch>>,
}

struct LaunchScript {
    script: Script,
    launches: std::vec::IntoIter<Vec<DeviceLaunch>>,
}

impl WarpProgram for LaunchScript {
    fn next(&mut self, instruction: &mut Instruction) {
        self.script.next(instruction);
    }

    fn launches(&mut self) -> Vec<DeviceLaunch> {
        self.launches.next().expect("asked once for each launch instruction")
    }
}

struct Warps(Vec<Warp>);

impl KernelCode for Warps {
    fn block(
        &self,
        _: Dim3,
        _: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        for warp in &self.0 {
            let mut list = warp.instructions.clone();
            list.push(Instruction::default());
            let script = Script(list.into_iter());
            let launches = warp.launches.clone().into_iter();
            programs.push(Box::new(LaunchScript { script, launches }));
        }
        Ok(())
    }
}

fn launch() -> Instruction {
    Instruction { operation: Operation::Launch, ..Instruction::default() }
}

/// A launch of one block of kernel `name` that runs for 10,000 cycles.
fn child(thread: u32, name: &str) -> DeviceLaunch {
    DeviceLaunch {
        thread,
        name: name.into(),
        grid: Dim3::new(1, 1, 1),
        block: Dim3::new(32, 1, 1),
        registers_per_thread: 0,
        shared_memory: 0,
        cluster: Default::default(),
        body: Body::Durations(Durations::Uniform(10_000)),
    }
}

fn try_run(
    mode: LaunchMode,
    changes: &[(&str, &str)],
    warps: &[Warp],
    skip: bool,
) -> Result<Stats, RunError> {
    try_run_on(mode, changes, warps, skip, |_| {})
}

/// As [`try_run`], on a GPU that is prepared.
fn try_run_on(
    mode: LaunchMode,
    changes: &[(&str, &str)],
    warps: &[Warp],
    skip: bool,
    prepare: impl FnOnce(&mut Gpu),
) -> Result<Stats, RunError> {
    let config = config(changes);
    let parent = HostLaunch::new(
        "P",
        (Dim3::new(1, 1, 1), Dim3::new(32 * warps.len() as u32, 1, 1)),
        Body::Code(Rc::new(Warps(warps.to_vec()))),
    );
    let (limits, table) = (config.limits(), config.launch.storage());
    let mut gpu = Gpu::launching(config, mode, Box::new(vec![parent]))?;
    prepare(&mut gpu);
    let mut scheduler = build_for(&"rr".parse().unwrap(), mode, table, 1, limits).unwrap();
    let options = RunOptions {
        skip_from: skip.then_some(0),
        max_cycles: Some(1_000_000),
        ..RunOptions::default()
    };
    let summary = run(&mut gpu, &mut *scheduler, &options, &mut Nobody)?;
    Ok(Stats::new(&gpu, &summary))
}

fn stats(mode: LaunchMode, changes: &[(&str, &str)], warps: &[Warp]) -> Stats {
    let seen = try_run(mode, changes, warps, true).unwrap();
    assert_eq!(seen, try_run(mode, changes, warps, false).unwrap());
    seen
}

/// Calls and distributions of the instances of `name`.
fn distributed(stats: &Stats, name: &str) -> Vec<(u64, u64)> {
    let kernels = stats.kernels.iter().filter(|kernel| kernel.name == name);
    kernels.map(|kernel| (kernel.arrive, kernel.distributed.unwrap())).collect()
}

/// The cycle in which the parent's last warp exits.
fn exit(stats: &Stats) -> u64 {
    stats.kernels[0].finish.unwrap() - 2
}

const CDP: [u64; 2] = [7165 + 8023 + 12187, 129 + 1592];
const DTBL: [u64; 2] = [8023, 129];

fn call([base, thread]: [u64; 2], x: u64) -> u64 {
    base + thread * x
}

#[test]
fn a_warp_goes_on_when_its_call_has_ended_and_its_kernels_reach_the_hardware_then() {
    let warp = Warp {
        instructions: vec![add(Unit::Integer, Some(1), None), launch()],
        launches: vec![vec![child(0, "C"), child(5, "C")]],
    };
    let seen = stats(LaunchMode::Cdp, &[], std::slice::from_ref(&warp));
    // The addition issues in 2, the launch in 3.
    let end = 3 + call(CDP, 2);
    assert_eq!(distributed(&seen, "C"), [(3, end + 283), (3, end + 284)]);
    assert_eq!(exit(&seen), end);
    let seen = stats(LaunchMode::Dtbl, &[], &[warp]);
    assert_eq!(exit(&seen), 3 + call(DTBL, 2), "the launch that a group falls back to takes none");
    assert_eq!(seen.launches.unwrap().fallbacks, 2);
}

#[test]
fn other_warps_issue_meanwhile() {
    let launching = Warp { instructions: vec![launch()], launches: vec![vec![child(0, "C")]] };
    let busy = Warp { instructions: vec![add(Unit::Integer, None, None); 50], ..Warp::default() };
    for warps in [[launching.clone(), busy.clone()], [busy, launching]] {
        let seen = stats(LaunchMode::Cdp, &[], &warps);
        let execution = seen.execution.unwrap();
        assert_eq!(execution.warp_instructions, 1 + 50 + 2);
        // The launching warp issues in 2 or 3, one instruction a cycle before and after.
        let issued = seen.kernels.iter().find(|kernel| kernel.name == "C").unwrap().arrive;
        assert!((2..60).contains(&issued), "{issued}");
        assert_eq!(seen.kernels[0].finish, Some(issued + call(CDP, 1) + 2));
    }
}

#[test]
fn different_kernels_are_called_one_after_the_other() {
    let all = vec![child(1, "C"), child(2, "D"), child(3, "C")];
    let warp = Warp { instructions: vec![launch()], launches: vec![all] };
    let seen = stats(LaunchMode::Cdp, &[], &[warp]);
    let first = 2 + call(CDP, 2);
    assert_eq!(distributed(&seen, "C"), [(2, first + 283), (2, first + 284)]);
    let second = first + call(CDP, 1);
    assert_eq!(distributed(&seen, "D"), [(first, second + 283)]);
    assert_eq!(exit(&seen), second);
}

#[test]
fn data_that_arrive_during_a_call_do_not_end_it() {
    let warp = Warp {
        instructions: vec![load(1, None, 128), launch(), add(Unit::Integer, None, Some(1))],
        launches: vec![vec![child(0, "C")]],
    };
    let seen = stats(LaunchMode::Dtbl, &[], &[warp]);
    // The load issues in 2, the launch in 3; the addition when the call has ended, then the exit.
    assert_eq!(exit(&seen), 3 + call(DTBL, 1) + 1);
}

#[test]
fn a_wide_issue_stops_at_a_launch() {
    let warp = Warp {
        instructions: vec![launch(), add(Unit::Integer, None, None)],
        launches: vec![vec![child(0, "C")]],
    };
    let changes = [("warp.issue_width", "4")];
    let seen = stats(LaunchMode::Dtbl, &changes, &[warp]);
    assert_eq!(exit(&seen), 2 + call(DTBL, 1), "addition and exit issue together");
}

#[test]
fn an_ideal_launch_takes_a_cycle_and_one_of_nothing_too() {
    let warp = Warp {
        instructions: vec![launch(), launch()],
        launches: vec![Vec::new(), vec![child(0, "C")]],
    };
    let seen = stats(LaunchMode::Cdp, &[("launch.ideal", "true")], &[warp]);
    assert_eq!((distributed(&seen, "C"), exit(&seen)), (vec![(3, 5)], 4));
}

#[test]
fn groups_of_code_are_coalesced_under_their_warps_slots() {
    // A table of one entry: the second group finds it taken.
    let warp = |launches: Vec<Vec<DeviceLaunch>>| Warp {
        instructions: vec![launch(); launches.len()],
        launches,
    };
    let long = || {
        let body = Body::Durations(Durations::Uniform(100_000));
        DeviceLaunch { body, ..child(0, "C") }
    };
    let native = warp(vec![vec![long()]]);
    let groups = warp(vec![Vec::new(), vec![long(), DeviceLaunch { thread: 32 + 1, ..long() }]]);
    // The second warp launches after the first's kernel is there.
    let wait = vec![add(Unit::Special, Some(1), Some(1)); 200];
    let groups = Warp { instructions: [wait, groups.instructions].concat(), ..groups };
    for (table, overflows) in [("1024", 0), ("1", 1)] {
        let changes = [("launch.table", table)];
        let seen = stats(LaunchMode::Dtbl, &changes, &[native.clone(), groups.clone()]);
        let launches = seen.launches.unwrap();
        assert_eq!((launches.coalesced, launches.overflows), (2, overflows), "{table}");
    }
}

#[test]
fn what_cannot_be_launched_ends_the_run_with_a_complaint() {
    let large = Dim3::new(1025, 1, 1);
    let none = Dim3::new(0, 1, 1);
    let short = Body::Durations(Durations::Each([1, 2].into()));
    for (launched, words) in [
        (DeviceLaunch { grid: none, ..child(0, "C") }, "kernel `C` has 0 blocks"),
        (DeviceLaunch { block: large, ..child(0, "C") }, "1025 threads a block"),
        (DeviceLaunch { shared_memory: 49153, ..child(0, "C") }, "fits no SMX"),
        (DeviceLaunch { body: short, ..child(0, "C") }, "2 durations, 1 blocks"),
    ] {
        let warp = Warp { instructions: vec![launch()], launches: vec![vec![launched]] };
        for mode in [LaunchMode::Cdp, LaunchMode::Dtbl] {
            for skip in [true, false] {
                let warps = std::slice::from_ref(&warp);
                let error = try_run(mode, &[], warps, skip).unwrap_err();
                let RunError::Input(error) = error else { panic!("{error}") };
                assert!(error.to_string().contains(words), "{error}");
            }
        }
    }
    let warp = Warp { instructions: vec![launch()], launches: vec![vec![child(0, "C")]] };
    let error = try_run(LaunchMode::Flat, &[], &[warp], true).unwrap_err().to_string();
    assert!(error.contains("launches kernel `C` under --launch flat"), "{error}");
}

#[test]
fn groups_of_one_kernel_must_need_what_it_needs() {
    let wait = vec![add(Unit::Special, Some(1), Some(1)); 200];
    let long = Body::Durations(Durations::Uniform(100_000));
    let first = Warp {
        instructions: vec![launch()],
        launches: vec![vec![DeviceLaunch { body: long, ..child(0, "C") }]],
    };
    let other = DeviceLaunch { registers_per_thread: 9, ..child(0, "C") };
    let second =
        Warp { instructions: [wait, vec![launch()]].concat(), launches: vec![vec![other]] };
    let error = try_run(LaunchMode::Dtbl, &[], &[first, second], true).unwrap_err().to_string();
    assert!(error.contains("a group of kernel `C` needs 288 registers"), "{error}");
}
