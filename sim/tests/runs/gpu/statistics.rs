//! What a run's figures say of small programs, by hand, and what holds for all.

use proptest::prelude::*;

use super::programs::instruction;
use super::*;
use blockyard_sim::stats::{ExecutionStats, Stats};

/// A load of two lines and a store of one, shared memory with conflicts, constant memory and each
/// unit, for one warp.
fn some_of_everything() -> Vec<Instruction> {
    let lines = Instruction { active: 0b11, ..load(1, None, 256) };
    let shared = access(Space::Shared, Access::Load, 16);
    vec![
        lines,
        add(Unit::Integer, None, Some(1)),
        add(Unit::Single, Some(2), None),
        add(Unit::Double, Some(3), None),
        add(Unit::Special, Some(4), None),
        add(Unit::Tensor, Some(5), None),
        Instruction { destination: Some(6), ..shared },
        Instruction { destination: Some(7), ..access(Space::Constant, Access::Load, 0) },
        Instruction { active: 0xff, ..store(4) },
        barrier(),
    ]
}

/// Every SMX's cycles add up, and every count of the whole is the sum of the parts.
fn check_sums(stats: &Stats) {
    let execution = stats.execution.as_ref().unwrap();
    let mut instructions = (0, 0);
    for smx in &stats.smx {
        let own = smx.execution.as_ref().unwrap();
        let activity = &own.activity;
        let busy = activity.busy_cycles();
        assert_eq!((busy, busy + smx.idle_cycles), (smx.busy_cycles, stats.cycles));
        let kinds = own.instructions;
        let units = [kinds.integer, kinds.single, kinds.double, kinds.special, kinds.tensor];
        assert_eq!(units.iter().sum::<u64>() + kinds.other, own.warp_instructions);
        instructions.0 += own.warp_instructions;
        instructions.1 += own.thread_instructions;
    }
    assert_eq!(instructions, (execution.warp_instructions, execution.thread_instructions));
    let energy = &execution.energy_nj;
    let sum: f64 = energy.components().iter().map(|(_, energy)| energy).sum();
    assert!((energy.total - sum).abs() <= 1e-9 * sum, "{} {sum}", energy.total);
}

/// Accesses are conserved from level to level in a run of k20c whose every request was answered.
fn check_levels(execution: &ExecutionStats) {
    let ExecutionStats { l1, l2, dram, traffic, load_store, .. } = execution;
    assert_eq!(l1.hits + l1.misses + l1.merged, l1.accesses);
    assert_eq!(l2.hits + l2.misses + l2.merged, l2.accesses);
    assert_eq!(l2.reads + l2.writes, l2.accesses);
    // A line of 128 bytes is two sectors of 64.
    assert_eq!(l2.reads, 2 * l1.misses);
    assert_eq!(load_store.past_l1, l1.stores);
    assert!((l1.stores..=2 * l1.stores).contains(&l2.writes));
    // A request is a flit, a line four: 128 + 8 bytes in flits of 40; a crossbar has one hop.
    assert_eq!(traffic.read_flits, l1.misses);
    assert_eq!(traffic.reply_flits, 4 * l1.misses + l1.stores);
    assert!((2 * l1.stores..=4 * l1.stores).contains(&traffic.write_flits));
    assert_eq!((traffic.write_back_flits, traffic.flit_hops), (0, traffic.flits));
    // A sector is a burst. Stores allocate without a fetch.
    assert!(dram.reads <= l2.misses && l2.misses <= dram.reads + l2.writes);
    assert_eq!(dram.row_hits + dram.activates, dram.accesses);
    assert!(dram.precharges <= dram.activates && dram.data_cycles <= dram.pending_cycles);
}

const ANSWERED: (&str, &str) = ("warp.exit_waits_for_stores", "true");

#[test]
fn every_figure_of_a_small_program_is_that_of_the_count_by_hand() {
    let stats = seen(&[ANSWERED], vec![some_of_everything()]).stats;
    check_sums(&stats);
    let execution = stats.execution.unwrap();
    check_levels(&execution);
    let kinds = execution.instructions;
    let units = [kinds.integer, kinds.single, kinds.double, kinds.special, kinds.tensor];
    // Three loads, a store, a barrier, an exit.
    assert_eq!((units, kinds.other, execution.warp_instructions), ([1; 5], 6, 11));
    // All lanes but in the load, 2, and in the store, 8.
    assert_eq!(execution.activity.warp_activity, Some((9 * 32 + 10) as f64 / (11 * 32) as f64));
    // Words 4 apart: four of them in each of 8 banks.
    let unit = &execution.load_store;
    assert_eq!((unit.shared, unit.bank_conflicts, unit.constant), (4, 3, 1));
    let l1 = &execution.l1;
    assert_eq!((l1.accesses, l1.misses, l1.stores, l1.hit_rate), (2, 2, 1, Some(0.0)));
    // 8 words are in one sector; its line was fetched before.
    let l2 = &execution.l2;
    assert_eq!((l2.reads, l2.writes, l2.hits, l2.misses), (4, 1, 1, 4));
    let traffic = &execution.traffic;
    // A store of a sector has 64 + 8 bytes.
    assert_eq!((traffic.read_flits, traffic.write_flits, traffic.reply_flits), (2, 2, 2 * 4 + 1));
    let dram = &execution.dram;
    assert_eq!((dram.reads, dram.writes, dram.activates, dram.row_hits), (4, 0, 2, 2));
    let active = dram.channels.iter().filter(|channel| channel.accesses == 2).count();
    assert_eq!((dram.channels.len(), active), (6, 2));
}

#[test]
fn energy_of_a_small_program_is_its_counts_times_the_preset() {
    let stats = seen(&[ANSWERED], vec![some_of_everything()]).stats;
    let busy: u64 = stats.smx.iter().map(|smx| smx.busy_cycles).sum();
    let execution = stats.execution.unwrap();
    let table = config(&[]).energy;
    let energy = &execution.energy_nj;
    let units = table.integer + table.single + table.double + table.special + table.tensor;
    for (component, picojoules) in [
        (energy.instructions, 11.0 * table.instruction),
        (energy.pipeline, busy as f64 * table.busy),
        (energy.registers, 11.0 * table.registers),
        (energy.units, units),
        (energy.constant, table.constant),
        (energy.shared_memory, 4.0 * table.shared),
        (energy.l1, 3.0 * table.l1),
        (energy.l2, 5.0 * table.l2),
        (energy.network, 13.0 * table.flit_hop),
        (energy.dram_activate, 2.0 * table.dram_activate),
        (energy.dram_read, 4.0 * table.dram_read),
        (energy.dram_write, 0.0),
    ] {
        assert!((1000.0 * component - picojoules).abs() < 1e-6, "{component} {picojoules}");
    }
}

#[test]
fn cycles_are_counted_by_what_keeps_the_smx_from_issuing() {
    let smx = |warps| seen(&[], warps).stats.smx[0].clone();
    // Dispatched in 1: nothing to issue before 2. The special-function result of 2 is there in 202,
    // the exit issues in 203. Reported in 204; the run ends in 205.
    let chain = vec![vec![add(Unit::Special, Some(1), None), add(Unit::Single, None, Some(1))]];
    let stats = smx(chain);
    let activity = stats.execution.unwrap().activity;
    assert_eq!((stats.busy_cycles, stats.idle_cycles), (203, 3));
    assert_eq!((activity.issue_cycles, activity.memory_stall_cycles), (3, 0));
    assert_eq!((activity.scoreboard_stall_cycles, activity.pipeline_stall_cycles), (200, 0));
}

#[test]
fn a_run_of_loads_reads_each_line_once_from_dram() {
    let loads = (0..4).map(|register| load(register, None, 128)).collect();
    let stats = seen(&[], vec![loads]).stats;
    let execution = stats.execution.unwrap();
    check_levels(&execution);
    let (l1, l2, dram) = (&execution.l1, &execution.l2, &execution.dram);
    // 32 lines; the three loads that follow find them on their way or there.
    assert_eq!((l1.accesses, l1.misses, l1.hits + l1.merged), (128, 32, 96));
    assert_eq!((l2.reads, l2.misses, dram.reads, dram.writes), (64, 64, 64, 0));
}

#[test]
fn occupancy_is_the_average_of_resident_warps_and_blocks_by_the_most() {
    let long = || vec![add(Unit::Special, Some(1), None)];
    let stats =
        seen(&[("threads", "128"), ("thread_block_slots", "2")], vec![long(), long()]).stats;
    let cycles = stats.cycles;
    let activity = stats.execution.unwrap().activity;
    // The two units take one warp's instruction each, in 2 and 3: the warps are there from 1 up to
    // their exits in 202 and 203, and the block up to its report in 204.
    let (warps, blocks) = (202 + 203, 203);
    assert_eq!(cycles, 206);
    assert_eq!(activity.warp_occupancy, Some(f64::from(warps) / (4 * cycles) as f64));
    assert_eq!(activity.block_occupancy, Some(f64::from(blocks) / (2 * cycles) as f64));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn nothing_is_lost_between_the_levels_of_random_code(
        warps in prop::collection::vec(prop::collection::vec(instruction(), 0..25), 1..7),
        mshrs in 1_u32..4, queue in 1_u32..4,
    ) {
        let text = [mshrs, queue].map(|number| number.to_string());
        let changes = [ANSWERED, ("l1.mshrs", &text[0]), ("l1.queue", &text[1])];
        let stats = seen(&changes, warps).stats;
        check_sums(&stats);
        check_levels(&stats.execution.unwrap());
    }
}
