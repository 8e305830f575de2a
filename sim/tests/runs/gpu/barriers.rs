//! Barriers with a number: who waits for whom, in which cycle a warp goes on, and blocks that never
//! do.

use super::*;
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::Nobody;
use blockyard_sim::run::{run, RunOptions};

const INT: Unit = Unit::Integer;

fn named(id: u8, warps: Option<u8>, waits: bool) -> Instruction {
    let operation = Operation::NamedBarrier(NamedBarrier { id, warps, waits });
    Instruction { operation, ..Instruction::default() }
}

fn sync(id: u8, warps: u8) -> Instruction {
    named(id, Some(warps), true)
}

fn arrive(id: u8, warps: u8) -> Instruction {
    named(id, Some(warps), false)
}

/// An addition and one that waits for it: 4 cycles after the first.
fn slow() -> [Instruction; 2] {
    [add(INT, Some(1), None), add(INT, None, Some(1))]
}

#[test]
fn a_named_barrier_of_all_takes_the_cycles_of_the_plain_one() {
    let late = |barrier: Instruction| [&slow()[..], &[barrier]].concat();
    for id in [0, 1, 15] {
        let all = named(id, None, true);
        assert_eq!(exit_of(&[], vec![vec![all.clone()], late(all.clone())]), 10);
        assert_eq!(exit_of(&[], vec![vec![], vec![all.clone()]]), 4);
        assert_eq!(exit_of(&[], vec![vec![all.clone(), all]; 2]), 7);
    }
}

#[test]
fn number_0_and_the_plain_barrier_are_one() {
    let zero = named(0, None, true);
    assert_eq!(exit_of(&[], vec![vec![zero.clone()], vec![barrier()]]), 5, "2 and 3, 4 and 5");
    assert_eq!(exit_of(&[], vec![vec![barrier()], vec![zero]]), 5);
}

#[test]
fn a_barrier_for_two_does_not_wait_for_a_third() {
    let lrr = [("warp.policy", "lrr")];
    // Warps 0 and 1 arrive in 2 and 3 and exit in 5 and 6; warp 2 issues in 4, 8 and 9.
    let warps = vec![vec![sync(1, 2)], vec![sync(1, 2)], slow().to_vec()];
    assert_eq!(exit_of(&lrr, warps), 9);
    let order = vec![vec![sync(1, 2), barrier()], vec![sync(1, 2), barrier()], slow().to_vec()];
    assert_eq!(exit_of(&lrr, order), 11, "until warp 2 exits in 9; 10 and 11");
}

#[test]
fn a_warp_that_does_not_wait_goes_on_in_the_next_cycle() {
    // The producer issues in 2, 3 and 4, its exit. The consumer arrives in 3 or 4.
    for policy in ["lrr", "gto"] {
        let changes = [("warp.policy", policy), ("warp.schedulers", "2")];
        let producer = vec![arrive(3, 2), add(INT, None, None)];
        assert_eq!(exit_of(&changes, vec![producer, vec![sync(3, 2)]]), 4, "{policy}");
    }
    let alone = vec![vec![arrive(3, 2), add(INT, None, None)]];
    assert_eq!(exit_of(&[], alone), 4, "nobody comes, and nobody waits");
    let wide = [("warp.issue_width", "2")];
    assert_eq!(exit_of(&wide, vec![vec![arrive(3, 2), add(INT, None, None)]]), 3, "both in 2");
}

#[test]
fn a_consumer_waits_for_a_late_producer() {
    let producer = [&slow()[..], &[arrive(3, 2)]].concat();
    // The producer issues in 3, 7, 8 and 9; the consumer goes on in 9 or 10.
    assert_eq!(exit_of(&[], vec![vec![sync(3, 2)], producer]), 10);
}

/// What a run of `blocks` such blocks is told.
fn complaint(changes: &[(&str, &str)], blocks: u32, warps: &[Vec<Instruction>]) -> String {
    let message = |skip: bool| {
        let code = Rc::new(scripts(warps.to_vec()));
        let mut gpu = gpu(config(changes), code, blocks, warps.len() as u32);
        let mut scheduler = crate::RoundRobin::new(gpu.config().limits(), gpu.smxs().len());
        let options = RunOptions {
            skip_from: skip.then_some(0),
            max_cycles: Some(100_000),
            ..RunOptions::default()
        };
        let error = run(&mut gpu, &mut scheduler, &options, &mut Nobody).unwrap_err();
        let RunError::Input(error) = error else { panic!("{error}") };
        error.to_string()
    };
    assert_eq!(message(true), message(false));
    message(true)
}

#[test]
fn warps_that_wait_for_each_other_at_two_barriers_end_the_run() {
    for smxs in ["1", "3"] {
        let warps = [vec![sync(1, 2)], vec![sync(2, 2)], vec![sync(1, 3)], vec![]];
        assert_eq!(
            complaint(&[("smx", smxs)], 2, &warps[..2]),
            "kernel `K`, block (0, 0, 0) can never go on: \
             threads 0-31 wait at barrier 1, where 1 of 2 warps have arrived; \
             threads 32-63 wait at barrier 2, where 1 of 2 warps have arrived"
        );
        let warps = [warps[3].clone(), warps[2].clone(), warps[2].clone(), vec![barrier()]];
        assert_eq!(
            complaint(&[("smx", smxs)], 1, &warps),
            "kernel `K`, block (0, 0, 0) can never go on: \
             threads 96-127 wait at barrier 0, where 1 of 3 warps have arrived; \
             threads 32-95 wait at barrier 1, where 2 of 3 warps have arrived"
        );
    }
}

#[test]
fn an_exit_that_nobody_makes_up_for_ends_the_run() {
    // The exit comes last: warp 0 waits from 2 on.
    let message = complaint(&[], 1, &[vec![sync(7, 2)], slow().to_vec()]);
    assert!(message.ends_with("threads 0-31 wait at barrier 7, where 1 of 2 warps have arrived"));
    // Stores of the warp that exits are on their way.
    let late = [("warp.exit_waits_for_stores", "true")];
    let message = complaint(&late, 1, &[vec![sync(7, 2)], vec![store(4)]]);
    assert!(message.contains("block (0, 0, 0) can never go on"), "{message}");
}

#[test]
fn warps_of_one_block_do_not_come_to_the_barriers_of_another() {
    // Two blocks at once on one SMX, each of which lacks a warp.
    let message = complaint(&[], 2, &[vec![sync(1, 2)]]);
    assert!(message.starts_with("kernel `K`, block (0, 0, 0) can never go on"), "{message}");
    let fine = vec![vec![sync(1, 2)], vec![sync(1, 2)]];
    let (seen, _) = run_gpu(gpu(config(&[]), Rc::new(scripts(fine)), 3, 2), true);
    assert_eq!(seen.stats.execution.unwrap().warp_instructions, 12);
}
