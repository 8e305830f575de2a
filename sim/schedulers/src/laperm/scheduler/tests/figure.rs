//! Figure 4 of the paper: eight parents P0 to P7 on four SMXs of one slot each; P2 launches C0 and
//! C1, P4 launches C2 to C5, and all blocks run equally long.

use super::super::super::super::tests::harness::slots;
use super::super::super::{Binding, LapermConfig, QueueKind};
use super::machine::Machine;
use super::plan::*;
use crate::port::*;

/// Cycles that a block runs; a multiple of the number of SMXs, so that rounds begin with SMX 0.
const ROUND: u64 = 60;

fn call(parent: u64, blocks: u32) -> Call {
    let (entry_pc, wait, grids) = (0, 0, vec![Dim3::new(blocks, 1, 1)]);
    Call { when: When::Native(parent, 3), entry_pc, wait, grids }
}

/// What each SMX runs, by round, as the figure shows it; `.` for nothing.
fn rounds(binding: Binding, queue: QueueKind, launch: LaunchMode) -> Vec<String> {
    let parents = HostKernel { arrive: 0, entry_pc: 0, grid: Dim3::new(8, 1, 1), queue: 0 };
    let plan = Plan {
        launch,
        config: LapermConfig { queue, ..LapermConfig::new(binding) },
        gates: "",
        sampling: None,
        smx: 4,
        limits: slots(1),
        hosts: vec![parents],
        suspended: Vec::new(),
        calls: vec![call(2, 2), call(4, 4)],
        durations: vec![ROUND],
        record_latency: 9,
        refill_latency: 9,
        late_groups: 0,
    };
    let mut machine = Machine::new(plan.scheduler(), &plan);
    machine.run(10_000);
    let mut rounds: Vec<Vec<String>> = Vec::new();
    for (cycle, event) in &machine.events {
        let Event::Dispatch { smx, origin, block, .. } = *event else {
            continue;
        };
        let name = match origin {
            Origin::Host(_) => format!("P{block}"),
            Origin::Called(call, _) => format!("C{}", 2 * call as u64 + block),
            Origin::Suspended(_) => unreachable!(),
        };
        // The host's kernel is accepted in cycle 0.
        let (round, place) = ((cycle - 1) / ROUND, (cycle - 1) % ROUND);
        assert_eq!(place, smx as u64, "four consecutive SMXs, a cycle for each: {name}");
        rounds.resize(rounds.len().max(round as usize + 1), vec![".".to_owned(); 4]);
        rounds[round as usize][smx] = name;
    }
    rounds.iter().map(|smxs| smxs.join(" ")).collect()
}

fn check(binding: Binding, expected: &[&str]) {
    for queue in [QueueKind::Linked, QueueKind::Shifting] {
        for launch in [LaunchMode::Dtbl, LaunchMode::Cdp] {
            assert_eq!(rounds(binding, queue, launch), expected, "{queue:?} {launch:?}");
        }
    }
}

#[test]
fn tb_pri_dispatches_children_before_the_parents_that_remain() {
    check(Binding::Shared, &["P0 P1 P2 P3", "C0 C1 P4 P5", "C2 C3 C4 C5", "P6 P7 . ."]);
}

#[test]
fn smx_bind_runs_children_on_the_smx_of_their_parent_one_after_the_other() {
    let expected = ["P0 P1 P2 P3", "P4 P5 C0 P6", "C2 P7 C1 .", "C3 . . .", "C4 . . .", "C5 . . ."];
    check(Binding::Bound, &expected);
}

#[test]
fn adaptive_bind_lets_idle_smxs_take_children_of_others() {
    check(Binding::Adaptive, &["P0 P1 P2 P3", "P4 P5 C0 P6", "C2 P7 C1 C3", "C4 C5 . ."]);
}
