use super::super::super::mask;
use super::super::super::tests::harness::SMXS;
use super::*;
use std::num::NonZeroU16;

const K: KernelEntry = KernelEntry(0);

/// A gate of `cores` cores that accepted a kernel of `blocks` blocks into entry 0.
fn gate(cores: usize, active: u16, loose: u16, blocks: u32) -> Gate {
    let mut gate = Gate::new(cores, Levels { active: NonZeroU16::new(active).unwrap(), loose });
    let launch = Some(GateLaunch { entry: K, blocks });
    gate.clock(&GateInputs { launch, ..GateInputs::default() });
    gate
}

fn ask(gate: &Gate, first: usize, cores: &[usize]) -> Vec<usize> {
    let request = mask::of(cores.iter().copied());
    let inputs = GateInputs { kernel: K, request, first, ..GateInputs::default() };
    gate.evaluate(&inputs).allow.iter_ones().collect()
}

fn take(gate: &mut Gate, cores: &[usize]) -> Activity {
    gate.clock(&GateInputs {
        kernel: K,
        taken: mask::of(cores.iter().copied()),
        ..GateInputs::default()
    })
}

#[test]
fn a_kernel_has_its_credits_one_cycle_after_it_was_accepted() {
    let mut gate = Gate::new(4, Levels::default());
    let inputs = GateInputs {
        launch: Some(GateLaunch { entry: K, blocks: 17 }),
        kernel: K,
        request: mask::of(0..4),
        ..GateInputs::default()
    };
    assert_eq!(gate.evaluate(&inputs).allow, SmxMask::ZERO);
    assert_eq!(gate.clock(&inputs), Activity::Busy);
    assert_eq!(gate.evaluate(&inputs).allow, mask::of(0..4));
}

#[test]
fn scarce_global_credits_go_to_the_first_cores_from_the_pointer_on() {
    // Three blocks on four cores: one local credit each, all for a global one, three of those.
    let gate = gate(4, 1, 0, 3);
    assert_eq!(ask(&gate, 0, &[0, 1, 2, 3]), [0, 1, 2]);
    assert_eq!(ask(&gate, 1, &[0, 1, 2, 3]), [1, 2, 3]);
    assert_eq!(ask(&gate, 2, &[0, 1, 2, 3]), [0, 2, 3], "wraps to core 0");
    assert_eq!(ask(&gate, 3, &[0, 1, 2, 3]), [0, 1, 3], "wraps to core 1");
    assert_eq!(ask(&gate, 2, &[1]), [1], "who does not ask reserves nothing");
}

#[test]
fn free_cores_are_allowed_beside_those_that_compete_for_a_global_credit() {
    // Five blocks on four cores: two local credits each, the last one for the one global credit.
    let mut gate = gate(4, 1, 0, 5);
    take(&mut gate, &[1, 2]);
    assert_eq!(ask(&gate, 2, &[0, 1, 2, 3]), [0, 2, 3]);
    assert_eq!(ask(&gate, 3, &[0, 1, 2, 3]), [0, 1, 3]);
    take(&mut gate, &[2]);
    assert_eq!(ask(&gate, 3, &[0, 1, 2, 3]), [0, 3], "no global credit left");
}

#[test]
fn a_refused_request_and_an_allowed_one_that_is_not_taken_consume_nothing() {
    let mut gate = gate(4, 1, 0, 5);
    take(&mut gate, &[0]);
    take(&mut gate, &[0]);
    let before = gate.clone();
    let request = mask::of([0, 1]);
    let inputs = GateInputs { kernel: K, request, ..GateInputs::default() };
    assert_eq!(gate.evaluate(&inputs).allow, mask::of([1]));
    assert_eq!(gate.clock(&inputs), Activity::Quiet);
    assert_eq!(gate, before);
}

#[test]
fn without_local_credits_global_ones_do_not_help() {
    let mut gate = gate(2, 2, 0, 2);
    assert_eq!(take(&mut gate, &[0]), Activity::Busy);
    assert!(ask(&gate, 0, &[0]).is_empty(), "one local credit each, four global ones");
    assert_eq!(ask(&gate, 0, &[0, 1]), [1]);
}

#[test]
fn several_cores_may_take_in_one_cycle_and_each_pays_its_own_way() {
    let mut gate = gate(4, 1, 0, 6);
    take(&mut gate, &[0, 1]);
    // Cores 0 and 1 need the two global credits, cores 2 and 3 are free.
    assert_eq!(ask(&gate, 0, &[0, 1, 2, 3]), [0, 1, 2, 3]);
    take(&mut gate, &[0, 1, 2, 3]);
    assert!(ask(&gate, 0, &[0, 1, 2, 3]).is_empty());
}

#[test]
fn an_empty_grid_allows_nobody() {
    assert!(ask(&gate(4, 3, 5, 0), 0, &[0, 1, 2, 3]).is_empty());
}

#[test]
fn kernels_do_not_share_credits_and_a_reused_entry_starts_afresh() {
    let mut gate = gate(1, 1, 0, 1);
    let other = KernelEntry(31);
    gate.clock(&GateInputs {
        launch: Some(GateLaunch { entry: other, blocks: 1 }),
        kernel: K,
        taken: mask::of([0]),
        ..GateInputs::default()
    });
    assert!(ask(&gate, 0, &[0]).is_empty());
    assert_eq!(gate.allow(other, mask::of([0]), 0), mask::of([0]));
    let launch = Some(GateLaunch { entry: K, blocks: 1 });
    gate.clock(&GateInputs { launch, ..GateInputs::default() });
    assert_eq!(ask(&gate, 0, &[0]), [0]);
}

#[test]
fn all_cores_compete_and_the_one_before_the_pointer_comes_last() {
    for cores in SMXS.into_iter().filter(|&cores| cores > 1) {
        let gate = gate(cores, 1, 0, cores as u32 - 1);
        let all: Vec<_> = (0..cores).collect();
        for first in [0, 7, 32, 33, 64, 65, 128, 143].into_iter().filter(|&first| first < cores) {
            let last = (first + cores - 1) % cores;
            let expected: Vec<_> = (0..cores).filter(|&core| core != last).collect();
            assert_eq!(ask(&gate, first, &all), expected, "pointer {first} of {cores}");
        }
    }
}

#[test]
fn reset_takes_all_credits_whatever_else_the_cycle_carries() {
    let mut gate = gate(4, 1, 0, 17);
    let launch = Some(GateLaunch { entry: K, blocks: 17 });
    let reset = GateInputs { reset: true, launch, ..GateInputs::default() };
    assert_eq!(gate.clock(&reset), Activity::Busy);
    assert_eq!(gate, Gate::new(4, Levels::default()));
    assert_eq!(gate.clock(&reset), Activity::Quiet);
}

#[test]
fn a_group_adds_its_even_share_to_what_its_kernel_has_left() {
    let mut gate = gate(4, 1, 0, 4);
    take(&mut gate, &[0, 1, 2, 3]);
    assert_eq!(ask(&gate, 0, &[0, 1, 2, 3]), [0; 0], "all spent");
    let coalesced = Some(GateLaunch { entry: K, blocks: 6 });
    let inputs = GateInputs { coalesced, kernel: K, ..GateInputs::default() };
    assert_eq!(gate.clock(&inputs), Activity::Busy);
    // Two local credits each and two global ones: four blocks are free, two are not.
    assert_eq!(ask(&gate, 0, &[0, 1, 2, 3]), [0, 1, 2, 3]);
    take(&mut gate, &[0, 1, 2, 3]);
    assert_eq!(ask(&gate, 3, &[0, 1, 2, 3]), [0, 3]);
}

#[test]
fn a_group_gets_the_levels_of_a_kernel() {
    let mut gate = gate(2, 2, 3, 0);
    gate.coalesced(K, 3);
    let credits = |gate: &Gate| gate.consumers.iter().map(|c| c.credits(K)).collect::<Vec<_>>();
    assert_eq!(credits(&gate), [2 + 3, 2 + 3]);
    let global = GlobalCreditsInputs { kernel: K, ..Default::default() };
    assert_eq!(gate.global.evaluate(&global).available, 1 + 2);
}

#[test]
fn a_group_is_coalesced_in_a_cycle_in_which_a_block_of_its_kernel_goes() {
    let mut gate = gate(2, 1, 0, 2);
    let coalesced = Some(GateLaunch { entry: K, blocks: 2 });
    let taken = mask::of([0]);
    gate.clock(&GateInputs { coalesced, kernel: K, taken, ..GateInputs::default() });
    // Local: 1 - 1 + 1 and 1 + 1; global: 2 - 1 + 2.
    let credits: Vec<_> = gate.consumers.iter().map(|c| c.credits(K)).collect();
    assert_eq!(credits, [1, 2]);
    let global = GlobalCreditsInputs { kernel: K, ..Default::default() };
    assert_eq!(gate.global.evaluate(&global).available, 3);
}
