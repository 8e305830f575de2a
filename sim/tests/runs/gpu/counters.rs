//! Counters that small programs leave at zero: each by hand, in the program that moves it.

use std::ops::ControlFlow;

use super::super::round_robin::RoundRobin;
use super::*;
use blockyard_sim::gpu::smx::activity::State;
use blockyard_sim::port::{Inputs, Outputs};
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::Observer;
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::stats::{ActivityStats, ExecutionStats};

const ANSWERED: (&str, &str) = ("warp.exit_waits_for_stores", "true");

fn figures(changes: &[(&str, &str)], warps: Vec<Vec<Instruction>>) -> ExecutionStats {
    seen(changes, warps).stats.execution.unwrap()
}

/// Cycles that issue, wait for memory, wait for the scoreboard and wait for the pipeline.
fn cycles(changes: &[(&str, &str)], warps: Vec<Vec<Instruction>>) -> [u64; 4] {
    let ActivityStats {
        issue_cycles,
        memory_stall_cycles,
        scoreboard_stall_cycles,
        pipeline_stall_cycles,
        ..
    } = figures(changes, warps).activity;
    [issue_cycles, memory_stall_cycles, scoreboard_stall_cycles, pipeline_stall_cycles]
}

/// `instruction` with every address `offset` bytes further.
fn at(offset: u64, instruction: Instruction) -> Instruction {
    let addresses = std::array::from_fn(|lane| instruction.addresses.of(lane) + offset);
    Instruction { addresses: addresses.into(), ..instruction }
}

#[test]
fn a_warp_that_waits_for_its_load_stalls_on_memory() {
    // In 1 the warp is there and cannot issue yet; issue in 2, data in 293, exit in 294.
    let consumer = vec![load(1, None, 4), add(Unit::Integer, None, Some(1))];
    assert_eq!(cycles(&[], vec![consumer.clone()]), [3, 290, 1, 0]);
    // Another warp at a barrier waits for the same: barrier in 2, load in 3, data in 293 (a cycle
    // less, as DRAM's cycles lie), barrier in 294, exits in 295 and 296.
    let late = [consumer, vec![barrier()]].concat();
    assert_eq!(cycles(&[], vec![vec![barrier()], late]), [6, 289, 1, 0]);
}

#[test]
fn a_warp_that_waits_for_a_unit_or_room_or_instructions_stalls_on_the_pipeline() {
    let two = vec![vec![add(Unit::Double, None, None); 2]];
    // The unit takes one in 2 and in 4; the exit issues in 5.
    assert_eq!(cycles(&[], two), [3, 0, 1, 1]);
    // The first store's 32 accesses go out in 3 to 34; the second one has room in 34.
    let stores = vec![vec![store(128); 2]];
    assert_eq!(cycles(&[("l1.queue", "1")], stores), [3, 0, 1, 31]);
    // The exit issues in 2; the pipeline behind it drains from 3 to 7.
    assert_eq!(cycles(&[("latency.pipeline", "5")], vec![vec![]]), [1, 0, 1, 5]);
}

#[test]
fn a_fetch_that_misses_is_made_again_when_its_line_has_come() {
    // Two instructions a fetch: three and the exit are two fetches, the first of which misses.
    let alu = || vec![add(Unit::Integer, None, None); 3];
    let one = figures(&[("fetch.width", "1")], vec![alu()]).fetch;
    assert_eq!((one.accesses, one.hits, one.misses, one.hit_rate), (3, 2, 1, Some(2.0 / 3.0)));
    // A second warp waits for the same line.
    let two = figures(&[("fetch.width", "1")], vec![alu(), alu()]).fetch;
    assert_eq!((two.accesses, two.hits, two.misses), (6, 4, 2));
}

#[test]
fn instructions_taken_for_longer_ones_are_fetched_from_further_behind() {
    // Instructions of 8 bytes, two a fetch, from 8 on: the pair of 0x68 and 0x70 is fetched from 16
    // behind 0x60, still in the first line, and what comes after it from 16 behind 0x70, in the
    // second one.
    let misses = |bytes, instructions: u32| {
        let at = |number| Instruction { pc: 8 * number, ..add(Unit::Integer, None, None) };
        let exit = Instruction { pc: 8 * instructions, ..Instruction::default() };
        let script = (1..instructions).map(at).chain([exit]).collect();
        let changes = [("fetch.width", "1"), ("fetch.bytes", bytes)];
        figures(&changes, vec![script]).fetch.misses
    };
    assert_eq!((misses("16", 14), misses("16", 15)), (1, 2));
    // Else from where they lie: the 16th, the first of the second line, comes with the 15th from
    // the first.
    assert_eq!((misses("0", 15), misses("0", 16), misses("0", 17)), (1, 1, 2));
}

#[test]
fn what_goes_to_the_l2_by_itself_is_counted_past_the_l1() {
    let past = |changes: &[(&str, &str)], instruction| {
        let figures = figures(changes, vec![vec![instruction]]);
        (figures.load_store.past_l1, figures.l1.accesses, figures.l1.stores)
    };
    let atomic = || access(Space::Global, Access::Atomic, 4);
    assert_eq!(past(&[], load(1, None, 4)), (0, 1, 0));
    assert_eq!(past(&[], Instruction { destination: Some(1), ..atomic() }), (1, 0, 0));
    assert_eq!(past(&[ANSWERED], store(4)), (1, 0, 1));
    let uncached = [("l1.global", "false"), ANSWERED];
    assert_eq!(past(&uncached, load(1, None, 4)), (1, 0, 0));
    assert_eq!(past(&uncached, load(1, None, 128)), (32, 0, 0));
    assert_eq!(past(&uncached, store(4)), (1, 0, 0));
}

#[test]
fn the_load_store_unit_stalls_from_the_first_refusal_to_the_retry() {
    let two = Instruction { active: 0b11, ..load(1, None, 256) };
    let stalls = |mshrs| {
        let changes = [("interconnect.flit", "72"), ("l1.mshrs", mshrs)];
        figures(&changes, vec![vec![two.clone()]]).load_store.stall_cycles
    };
    // The first line goes out in 3, the second is refused from 4 on until the first comes in 292.
    assert_eq!((stalls("2"), stalls("1")), (0, 292 - 4));
}

#[test]
fn an_l1_that_keeps_stores_writes_the_line_back_that_has_to_go() {
    let one_line = [
        ("l1.write", "back"),
        ("l1.ways", "1"),
        ("l1.size", "128"),
        ("l1.invalidate_when_empty", "false"),
    ];
    let run = |changes: &[(&str, &str)]| {
        let figures = figures(changes, vec![vec![store(4), at(4096, store(4))]]);
        let ExecutionStats { l1, traffic, load_store, .. } = figures;
        (l1.stores, l1.write_backs, traffic.write_back_flits, load_store.past_l1)
    };
    // 128 bytes and a header of 8 are four flits of 40.
    assert_eq!(run(&one_line), (2, 1, 4, 0));
    let emptied = [&one_line[..3], &[("l1.invalidate_when_empty", "true")]].concat();
    assert_eq!(run(&emptied), (2, 2, 8, 0));
}

#[test]
fn a_load_of_a_sector_on_its_way_to_the_l2_is_merged_there() {
    let code = Rc::new(scripts(vec![vec![load(1, None, 4)]]));
    let (seen, _) = run_gpu(gpu(config(&[("smx", "2")]), code, 2, 1), true);
    let ExecutionStats { l1, l2, dram, .. } = seen.stats.execution.unwrap();
    assert_eq!((l1.misses, l1.merged), (2, 0));
    assert_eq!((l2.accesses, l2.hits, l2.misses, l2.merged, l2.reads), (4, 0, 2, 2, 4));
    assert_eq!((dram.reads, l2.hit_rate), (2, Some(0.0)));
}

#[test]
fn dirty_sectors_that_the_l2_evicts_are_written_to_dram() {
    // Slices of one line. Lines 0 and 24 are in the same one, line 2 is in the next channel; its
    // load keeps the run going until all is written.
    let small = [("l2.ways", "1"), ("l2.size", "1536"), ANSWERED];
    let program = vec![store(4), at(24 * 128, store(4)), at(2 * 128, load(1, None, 4))];
    let ExecutionStats { l2, dram, .. } = figures(&small, vec![program]);
    assert_eq!((l2.reads, l2.writes, l2.misses, l2.hits), (2, 4, 6, 0));
    // Two bursts of 64 bytes each way, each line in a row of its own.
    assert_eq!((dram.accesses, dram.reads, dram.writes), (4, 2, 2));
    assert_eq!((dram.activates, dram.precharges, dram.row_hits), (2, 0, 2));
    assert_eq!((dram.row_hit_rate, dram.data_cycles), (Some(0.5), 8));
}

#[test]
fn flits_of_a_mesh_count_once_a_hop() {
    let mesh = [
        ("interconnect.topology", "mesh"),
        ("interconnect.columns", "4"),
        ("interconnect.hop", "1"),
    ];
    // Line 0 is in slice 0, at the SMX's node; line 2 in channel 1, slice 2: two hops along the
    // row. The request is a flit, the two sectors of the reply two each.
    for (line, hops) in [(0, 0), (2, 2)] {
        let traffic = figures(&mesh, vec![vec![at(line * 128, load(1, None, 4))]]).traffic;
        assert_eq!((traffic.read_flits, traffic.reply_flits), (1, 4));
        assert_eq!((traffic.flits, traffic.flit_hops), (5, 5 * hops), "line {line}");
    }
}

/// Ends a run behind the first cycle from one on that is evaluated.
struct EndsWith(u64, bool);

impl Observer for EndsWith {
    fn cycle(&mut self, cycle: u64, _: &Inputs, _: &Outputs) -> ControlFlow<()> {
        self.1 = cycle >= self.0;
        ControlFlow::Continue(())
    }

    fn has_had_enough(&self) -> bool {
        self.1
    }
}

#[test]
fn a_run_that_is_ended_has_counted_each_cycle_before_its_end_once_and_no_other() {
    let work = |at: u64| [load(1, None, 4 + at), add(Unit::Integer, None, Some(1)), barrier()];
    let first = work(0).into_iter().chain(work(128)).collect::<Vec<_>>();
    let second = vec![add(Unit::Double, None, None), barrier(), barrier()];
    let code = || Rc::new(scripts(vec![first.clone(), second.clone()]));
    let whole = cycles(&[], vec![first.clone(), second.clone()]);
    // The second block comes when the first one has ended, and that is an evaluated cycle.
    let changes = [("smx", "1"), ("thread_block_slots", "1")];
    for skip_from in [None, Some(0)] {
        let (mut last, mut ended) = ([0; 4], false);
        for end in 0..2000 {
            let mut gpu = gpu(config(&changes), code(), 2, 2);
            let options = RunOptions { skip_from, ..RunOptions::default() };
            let mut scheduler = RoundRobin::new(gpu.config().limits(), gpu.smxs().len());
            let result = run(&mut gpu, &mut scheduler, &options, &mut EndsWith(end, false));
            let Err(RunError::Stopped(summary)) = result else {
                let cycles = result.expect("it ends by itself").cycles;
                assert!(end >= cycles - 1, "{cycles} cycles, and none ended it in {end}");
                ended = true;
                break;
            };
            assert!(summary.cycles > end && (skip_from.is_some() || summary.cycles == end + 1));
            let counts = gpu.smxs()[0].counts(summary.cycles);
            let state = |state| counts.activity.of(state);
            last = [State::Issue, State::Memory, State::Scoreboard, State::Pipeline].map(state);
            let before = format!("before cycle {}, skipping from {skip_from:?}", summary.cycles);
            assert_eq!(last.iter().sum::<u64>(), counts.busy_cycles, "{before}");
            assert!(counts.busy_cycles < summary.cycles, "{before}");
        }
        assert!(ended, "it does not end");
        assert_eq!(last[0], 2 * whole[0], "both blocks have issued all");
    }
}
