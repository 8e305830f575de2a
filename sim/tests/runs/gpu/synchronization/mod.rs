//! Blocks that wait for what they launched. The block is dispatched in 1, its warps issue from 2
//! on.

mod scripts;

use super::*;
use crate::nest::{Board, Nest, Other};
use blockyard_sim::dispatch_log::DispatchLog;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::Nobody;
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::sched::{build_for, Composition};
use blockyard_sim::stats::Stats;

/// What a run of a nest leaves.
#[derive(Debug, PartialEq)]
struct Nested {
    stats: Stats,
    log: String,
    looks: u32,
    /// How often a block was suspended.
    suspensions: u64,
    finished: Vec<String>,
}

fn run_nest(
    scheduler: &str,
    mode: LaunchMode,
    changes: &[(&str, &str)],
    nest: &Nest,
    skip: bool,
) -> Result<Nested, RunError> {
    let config = config(changes);
    let composition: Composition = scheduler.parse().expect("a known scheduler");
    let (limits, table) = (config.limits(), config.launch.storage());
    let (mut gpu, board): (Gpu, Rc<Board>) = nest.gpu(config, mode)?;
    gpu.drive(composition.ports(mode));
    gpu.sample_every(composition.sample_period().unwrap_or(0));
    let smx = gpu.smxs().len();
    let mut twin = build_for(&composition, mode, table, smx, limits).expect("a composition");
    let rules = (&composition).into();
    let options = RunOptions { skip_from: skip.then_some(0), max_cycles: Some(20_000_000), rules };
    let mut log = DispatchLog::new(Vec::new());
    let summary = run(&mut gpu, &mut *twin, &options, &mut log)?;
    let log = String::from_utf8(log.finish().expect("no file")).expect("a log is text");
    let suspensions = gpu.device().counts().suspensions;
    let finished = board.finished.borrow().clone();
    let stats = Stats::new(&gpu, &summary);
    Ok(Nested { stats, log, looks: board.looks.get(), suspensions, finished })
}

/// Schedulers that take launches, and how; of those that are behind the Kernel Management Unit as
/// `rr` is, one, and those that look at clusters and triggers.
const COMPOSITIONS: [(&str, &[LaunchMode]); 13] = [
    ("rr", &[LaunchMode::Cdp, LaunchMode::Dtbl]),
    ("rr+claso(pa=1,pl=0)", &[LaunchMode::Cdp, LaunchMode::Dtbl]),
    ("laperm/tb-pri", &[LaunchMode::Cdp, LaunchMode::Dtbl]),
    ("laperm/smx-bind", &[LaunchMode::Cdp, LaunchMode::Dtbl]),
    ("laperm/adaptive-bind", &[LaunchMode::Cdp, LaunchMode::Dtbl]),
    ("ikra/steal(nesting=2)", &[LaunchMode::Cdp]),
    ("ikra/steal(nesting=4)", &[LaunchMode::Cdp]),
    ("oldest-first", &[LaunchMode::Cdp]),
    ("clusters", &[LaunchMode::Cdp]),
    // Each block triggers once for each kernel that it is of to the scheduler.
    ("dependent", &[LaunchMode::Cdp]),
    // Each SMX soon runs one block and pauses the others: waiting for children leaves the place.
    ("rr+dyncta(period=16,idle=4095,low=0,high=0,pause=1)", &[LaunchMode::Cdp, LaunchMode::Dtbl]),
    ("laperm/tb-pri+dyncta(period=16,idle=4095,low=0,high=0,pause=1)", &[LaunchMode::Dtbl]),
    ("ikra/steal(nesting=2)+dyncta(period=16,idle=4095,low=0,high=0,pause=1)", &[LaunchMode::Cdp]),
];

const IDEAL: (&str, &str) = ("launch.ideal", "true");

/// Runs `nest` everywhere, with Table 3's latencies and without; each has to end with as many
/// looks. Returns how often blocks were suspended at least.
fn everywhere(changes: &[(&str, &str)], nest: &Nest, looks: u32) -> u64 {
    let mut least = u64::MAX;
    for (scheduler, modes) in COMPOSITIONS {
        for (mode, ideal) in modes.iter().flat_map(|mode| [(*mode, "true"), (*mode, "false")]) {
            let changes = [changes, &[("launch.ideal", ideal)]].concat();
            let outcome = |skip| run_nest(scheduler, mode, &changes, nest, skip);
            let seen = outcome(true)
                .unwrap_or_else(|error| panic!("{scheduler} {mode:?} ideal={ideal}: {error}"));
            assert_eq!(seen.looks, looks, "{scheduler} {mode:?} ideal={ideal}");
            assert_eq!(
                seen.finished.last().map(|name| &**name),
                Some("L0"),
                "{scheduler} {mode:?}"
            );
            if ideal == "true" {
                assert_eq!(seen, outcome(false).unwrap(), "{scheduler} {mode:?}");
            }
            least = least.min(seen.suspensions);
        }
    }
    least
}

#[test]
fn a_parent_reads_what_its_child_wrote() {
    assert_eq!(everywhere(&[], &Nest::default(), 1), 1);
}

#[test]
fn parents_that_fill_every_smx_make_room_for_their_children() {
    let full = [("smx", "3"), ("thread_block_slots", "2")];
    let nest = Nest { parents: 12, below: vec![3], lanes: 2, ..Nest::default() };
    assert_eq!(everywhere(&full, &nest, 12), 12);
}

#[test]
fn one_slot_is_enough_for_three_levels() {
    let one = [("thread_block_slots", "1")];
    let nest = Nest { parents: 2, below: vec![1, 2, 1], ..Nest::default() };
    // Blocks that look: 2, 2 x 1, 2 x 2.
    assert_eq!(everywhere(&one, &nest, 8), 8);
}

#[test]
fn levels_wait_for_each_other_on_several_smxs() {
    let nest = Nest { parents: 3, below: vec![2, 2, 1], lanes: 2, ..Nest::default() };
    let looks = 3 + 3 * 2 * 2 + 3 * 4 * 4;
    assert_eq!(everywhere(&[("smx", "2")], &nest, looks), u64::from(looks));
}

#[test]
fn a_parent_waits_for_what_its_children_launch_without_waiting_themselves() {
    let nest = Nest { parents: 2, below: vec![2, 3], waiting_levels: 1, ..Nest::default() };
    everywhere(&[("smx", "2"), ("thread_block_slots", "1")], &nest, 2);
}

#[test]
fn a_block_is_suspended_whatever_its_other_warps_wait_for() {
    let full = [("smx", "2"), ("thread_block_slots", "1")];
    for (other, looks) in [(Other::Exits, 1), (Other::WaitsForFirst, 2), (Other::Synchronizes, 2)] {
        let nest = Nest { parents: 4, below: vec![1, 1], other, ..Nest::default() };
        assert!(everywhere(&full, &nest, 8 * looks) >= 8, "{other:?}");
    }
}

#[test]
fn a_block_with_a_warp_that_runs_stays() {
    // Both run beside each other: 200 cycles and 10,000.
    let nest = Nest { other: Other::Computes(50), ..Nest::default() };
    let seen = run_nest("rr", LaunchMode::Cdp, &[IDEAL], &nest, true).unwrap();
    assert_eq!((seen.looks, seen.suspensions), (1, 0));
    // Of one slot it has to go first, since the child waits for it.
    let one = [IDEAL, ("thread_block_slots", "1")];
    let seen = run_nest("rr", LaunchMode::Cdp, &one, &nest, true).unwrap();
    assert_eq!((seen.looks, seen.suspensions), (1, 1));
}

/// An instruction that does no more than that.
fn instruction(operation: Operation) -> Instruction {
    Instruction { operation, ..Instruction::default() }
}

#[test]
fn without_launches_a_warp_goes_on_in_the_next_cycle() {
    let synchronize = || instruction(Operation::Synchronize);
    let two = vec![synchronize(), synchronize()];
    assert_eq!(exit_of(&[], vec![two.clone()]), 4);
    assert_eq!(exit_of(&[], vec![two, vec![]]), 5);
    assert_eq!(exit_of(&[("warp.issue_width", "4")], vec![vec![synchronize()]]), 3, "it stops");
}

#[test]
fn a_suspended_block_comes_back_by_the_management_unit() {
    for (scheduler, mode) in [("rr", LaunchMode::Cdp), ("laperm/tb-pri", LaunchMode::Cdp)] {
        let seen = run_nest(scheduler, mode, &[IDEAL], &Nest::default(), true).unwrap();
        let lines: Vec<&str> = seen.log.lines().skip(1).collect();
        let place = |line: &str| line.split(',').skip(1).collect::<Vec<_>>().join(",");
        let places: Vec<String> = lines.iter().map(|line| place(line)).collect();
        assert_eq!(places, ["0,L0,0,0,0,0,0", "0,L1,0,0,0,0,0", "0,L0,0,0,0,0,0"], "{scheduler}");
        let [child, parent] = [1, 0].map(|kernel| &seen.stats.kernels[kernel]);
        let back: u64 = lines[2].split(',').next().unwrap().parse().unwrap();
        // The child's bit in c, `suspend` and the fetch in c + 1, the record in c + 2.
        assert_eq!(back, child.finish.unwrap() + 3, "{scheduler}");
        // Its exit a cycle after that, reported in the next one.
        assert_eq!(parent.finish, Some(back + 3), "{scheduler}");
        assert_eq!(seen.finished, ["L1", "L0"]);
    }
    let seen = run_nest("rr", LaunchMode::Cdp, &[], &Nest::default(), true).unwrap();
    let back: u64 = seen.log.lines().last().unwrap().split(',').next().unwrap().parse().unwrap();
    assert_eq!(back, seen.stats.kernels[1].finish.unwrap() + 1 + 283 + 1, "launch.dispatch");
}

#[test]
fn the_host_learns_of_a_kernel_when_its_last_block_has_come_back_and_ended() {
    let nest = Nest { parents: 3, work: 40, ..Nest::default() };
    let seen = run_nest("rr", LaunchMode::Cdp, &[IDEAL], &nest, true).unwrap();
    assert_eq!(seen.finished, ["L1", "L1", "L1", "L0"]);
    let host = &seen.stats.kernels[0];
    assert!(seen.stats.kernels[1..].iter().all(|child| child.finish < host.finish));
    assert_eq!(seen.stats.smx.iter().map(|smx| smx.thread_blocks).sum::<u64>(), 3 + 3 + 3);
}

#[test]
fn a_synchronization_is_an_acquire_where_caches_are_kept_coherent() {
    for protocol in ["gpu", "denovo"] {
        let mut preset = GpuConfig::preset("denovo15").unwrap();
        preset.set("coherence.protocol", protocol).unwrap();
        preset.set("launch.ideal", "true").unwrap();
        preset.set("l1.write", if protocol == "gpu" { "through" } else { "back" }).unwrap();
        let nest = Nest { parents: 20, below: vec![2, 1], ..Nest::default() };
        let (mut gpu, board) = nest.gpu(preset, LaunchMode::Cdp).unwrap();
        let (limits, smx) = (gpu.config().limits(), gpu.smxs().len());
        let composition = "rr".parse().unwrap();
        let mut twin = build_for(&composition, LaunchMode::Cdp, 1, smx, limits).unwrap();
        run(&mut gpu, &mut *twin, &RunOptions::default(), &mut Nobody).unwrap();
        assert_eq!(board.looks.get(), 20 + 40, "{protocol}");
    }
}
