use super::*;
use crate::mask::of;
use proptest::prelude::*;

/// A placement on GPCs of these sizes.
fn on(gpcs: &[u32]) -> Balance {
    let smx: u32 = gpcs.iter().sum();
    Balance::new(&FloorPlan::new(smx as usize, gpcs))
}

/// All SMXs with room are ready.
fn room(count: &[u32], size: u32, closes: bool) -> BalanceInputs {
    let ready = of((0..count.len()).filter(|&smx| count[smx] > 0));
    BalanceInputs { ready, count: count.iter().copied().collect(), size, closes, reset: false }
}

/// Places a block; `None` if it has to wait.
fn place(balance: &mut Balance, inputs: &BalanceInputs) -> Option<usize> {
    let grant = balance.evaluate(inputs).grant;
    assert!(grant.count_ones() <= 1);
    let edge = balance.clock(inputs);
    assert!(grant.any() || edge == Activity::Quiet, "nothing was placed, but something stored");
    grant.first_one()
}

/// Places the blocks of one cluster, each of which takes of the room.
fn cluster(balance: &mut Balance, count: &mut [u32], size: u32) -> Vec<usize> {
    let mut had = Vec::new();
    for block in 0..size {
        let Some(smx) = place(balance, &room(count, size, block + 1 == size)) else {
            break;
        };
        count[smx] -= 1;
        had.push(smx);
    }
    had
}

#[test]
fn an_smx_has_several_blocks_of_a_cluster_and_the_emptiest_is_filled_first() {
    let mut balance = on(&[3]);
    let mut count = [1, 4, 3];
    assert_eq!(cluster(&mut balance, &mut count, 6), [1, 2, 1, 2, 1, 2]);
    assert_eq!(count, [1, 1, 0]);
}

#[test]
fn a_gpc_has_room_if_that_of_its_smxs_adds_up_and_not_with_one_less() {
    let mut balance = on(&[2, 2]);
    assert_eq!(place(&mut balance, &room(&[2, 1, 1, 2], 4, false)), None);
    assert_eq!(cluster(&mut balance, &mut [2, 1, 2, 2], 4), [2, 3, 2, 3]);
}

#[test]
fn only_smxs_that_are_ready_add_to_the_room() {
    let mut balance = on(&[2]);
    let inputs = BalanceInputs { ready: of([0]), ..room(&[3, 9], 4, false) };
    assert_eq!(place(&mut balance, &inputs), None);
    let inputs = BalanceInputs { ready: of([0]), ..room(&[4, 9], 4, false) };
    assert_eq!(place(&mut balance, &inputs), Some(0));
}

#[test]
fn gpcs_take_turns_and_among_equals_the_smxs_of_each() {
    let mut balance = on(&[2, 3]);
    let mut count = [9; 5];
    assert_eq!(cluster(&mut balance, &mut count, 2), [0, 1]);
    assert_eq!(cluster(&mut balance, &mut count, 2), [2, 3]);
    assert_eq!(cluster(&mut balance, &mut count, 1), [0]);
    assert_eq!(cluster(&mut balance, &mut count, 2), [4, 2]);
    assert_eq!(cluster(&mut balance, &mut count, 2), [1, 0]);
}

#[test]
fn a_cluster_that_is_open_stays_in_its_gpc_and_waits_there() {
    let mut balance = on(&[2, 2]);
    assert_eq!(place(&mut balance, &room(&[1, 1, 9, 9], 2, false)), Some(0));
    assert_eq!(balance.open_gpc(), Some(0));
    let held = BalanceInputs { ready: of([2, 3]), ..room(&[0, 1, 9, 9], 2, true) };
    assert_eq!(place(&mut balance, &held), None);
    assert_eq!(place(&mut balance, &room(&[0, 1, 9, 9], 2, true)), Some(1));
    assert_eq!(balance.open_gpc(), None);
}

#[test]
fn the_largest_rooms_of_a_gpc_of_all_smxs_add_up() {
    let mut balance = on(&[144]);
    let mut count = [63; 144];
    assert_eq!(cluster(&mut balance, &mut count, 16), (0..16).collect::<Vec<_>>());
    let mut balance = on(&[1]);
    assert_eq!(place(&mut balance, &room(&[15], 16, false)), None);
    assert_eq!(cluster(&mut balance, &mut [16], 16), [0; 16]);
}

#[test]
fn one_smx_takes_clusters_of_one_block_and_stores_nothing_for_them() {
    let mut balance = on(&[1]);
    let inputs = room(&[1], 1, true);
    assert_eq!(balance.evaluate(&inputs).grant, of([0]));
    assert_eq!(balance.clock(&inputs), Activity::Quiet, "all pointers have one place");
}

#[test]
fn without_a_ready_smx_nothing_is_granted_or_stored() {
    let mut balance = on(&[2, 2]);
    for size in [0, 1, 16] {
        let inputs = BalanceInputs { ready: of([]), ..room(&[9; 4], size, true) };
        assert_eq!(place(&mut balance, &inputs), None);
    }
    assert_eq!(balance, on(&[2, 2]));
}

#[test]
fn reset_within_a_cluster_forgets_it_and_returns_the_pointers() {
    let mut balance = on(&[2, 2]);
    place(&mut balance, &room(&[9; 4], 2, false));
    let reset = BalanceInputs { reset: true, ..room(&[9; 4], 2, true) };
    assert_eq!(balance.clock(&reset), Activity::Busy);
    assert_eq!(balance, on(&[2, 2]));
    assert_eq!(balance.clock(&reset), Activity::Quiet);
}

proptest! {
    #[test]
    fn a_cluster_is_whole_or_absent_in_one_gpc(
        gpcs in prop::collection::vec(1u32..=18, 1..=8),
        count in prop::collection::vec(0u32..=5, 144),
        sizes in prop::collection::vec(1u32..=16, 1..40),
    ) {
        let mut balance = on(&gpcs);
        let plan = FloorPlan::new(gpcs.iter().sum::<u32>() as usize, &gpcs);
        let mut count = count[..plan.smx()].to_vec();
        for size in sizes {
            let fits = plan.ranges().any(|gpc| count[gpc].iter().sum::<u32>() >= size);
            let had = cluster(&mut balance, &mut count, size);
            prop_assert_eq!(had.len(), if fits { size as usize } else { 0 });
            let gpc = plan.ranges().find(|gpc| had.first().is_some_and(|smx| gpc.contains(smx)));
            prop_assert!(had.iter().all(|smx| gpc.as_ref().unwrap().contains(smx)));
        }
    }
}
