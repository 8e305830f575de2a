use super::*;
use crate::mask::of;
use proptest::prelude::*;

/// A placement on GPCs of these sizes.
fn on(gpcs: &[u32]) -> Spread {
    let smx: u32 = gpcs.iter().sum();
    Spread::new(&FloorPlan::new(smx as usize, gpcs))
}

fn ready(ready: impl IntoIterator<Item = usize>, size: u32, closes: bool) -> SpreadInputs {
    SpreadInputs { ready: of(ready), vacant: of([]), size, closes, reset: false }
}

/// Places a block; `None` if it has to wait.
fn place(spread: &mut Spread, inputs: &SpreadInputs) -> Option<usize> {
    let grant = spread.evaluate(inputs).grant;
    assert!(grant.count_ones() <= 1);
    let edge = spread.clock(inputs);
    assert!(grant.any() || edge == Activity::Quiet, "nothing was placed, but something stored");
    grant.first_one()
}

/// Places the blocks of one cluster, one after the other.
fn cluster(spread: &mut Spread, smxs: &[usize], vacant: &[usize], size: u32) -> Vec<Option<usize>> {
    let place = |block| {
        let vacant = of(vacant.iter().copied());
        let inputs =
            SpreadInputs { vacant, ..ready(smxs.iter().copied(), size, block + 1 == size) };
        place(spread, &inputs)
    };
    (0..size).map(place).collect()
}

#[test]
fn two_clusters_of_two_go_to_two_gpcs_of_three_and_the_third_waits() {
    // The example of the page: blocks fill an SMX.
    let mut spread = on(&[3, 3]);
    let mut free: Vec<_> = (0..6).collect();
    let mut went = Vec::new();
    for closes in [false, true, false, true] {
        let inputs = SpreadInputs { vacant: of(free.clone()), ..ready(free.clone(), 2, closes) };
        let smx = place(&mut spread, &inputs).unwrap();
        free.retain(|&other| other != smx);
        went.push(smx);
    }
    assert_eq!((went, &free[..]), (vec![0, 1, 3, 4], &[2, 5][..]));
    assert_eq!(place(&mut spread, &ready([2, 5], 2, false)), None);
    // When block b1 has ended, the GPC of b has room.
    assert_eq!(place(&mut spread, &ready([2, 4, 5], 2, false)), Some(5));
    assert_eq!(place(&mut spread, &ready([2, 4], 2, true)), Some(4));
}

#[test]
fn the_gpc_pointer_moves_to_the_gpc_behind_the_one_that_opened_a_cluster_and_wraps() {
    let mut spread = on(&[2, 2, 2]);
    let all = [0, 1, 2, 3, 4, 5];
    let opened: Vec<_> = (0..4).map(|_| cluster(&mut spread, &all, &all, 2)).collect();
    let pair = |smx| vec![Some(smx), Some(smx + 1)];
    assert_eq!(opened, [pair(0), pair(2), pair(4), pair(0)]);
    // GPC 1 has no room: it is passed over, and the pointer moves behind GPC 2.
    assert_eq!(cluster(&mut spread, &[0, 1, 2, 4, 5], &[], 2), pair(4));
    assert_eq!(cluster(&mut spread, &all, &all, 2), pair(0));
}

#[test]
fn the_pointer_of_a_gpc_wraps_within_it_and_keeps_its_place_from_cluster_to_cluster() {
    let mut spread = on(&[1, 3]);
    let all = [1, 2, 3];
    assert_eq!(cluster(&mut spread, &all, &[], 2), [Some(1), Some(2)]);
    assert_eq!(cluster(&mut spread, &all, &[], 2), [Some(3), Some(1)]);
    assert_eq!(cluster(&mut spread, &all, &[], 3), [Some(2), Some(3), Some(1)]);
}

#[test]
fn with_clusters_of_one_block_gpcs_take_turns_and_so_do_the_smxs_of_each() {
    let mut spread = on(&[2, 3, 1]);
    let went: Vec<_> = (0..9).map(|_| place(&mut spread, &ready(0..6, 1, true)).unwrap()).collect();
    assert_eq!(went, [0, 2, 5, 1, 3, 5, 0, 4, 5]);
}

#[test]
fn vacant_smxs_are_the_members_if_they_are_enough() {
    let mut spread = on(&[5]);
    let all = [0, 1, 2, 3, 4];
    assert_eq!(cluster(&mut spread, &all, &[1, 4], 2), [Some(1), Some(4)]);
}

#[test]
fn too_few_vacant_smxs_stay_empty_if_the_others_are_enough() {
    let mut spread = on(&[5]);
    let all = [0, 1, 2, 3, 4];
    assert_eq!(cluster(&mut spread, &all, &[1, 4], 3), [Some(0), Some(2), Some(3)]);
}

#[test]
fn both_kinds_mix_if_neither_is_enough() {
    let mut spread = on(&[5]);
    let all = [0, 1, 2, 3, 4];
    let mixed = cluster(&mut spread, &all, &[1, 4], 4);
    assert_eq!(mixed, [Some(0), Some(1), Some(2), Some(3)]);
    let most = cluster(&mut spread, &all, &[1, 4], 5);
    assert_eq!(most, [Some(4), Some(0), Some(1), Some(2), Some(3)]);
}

#[test]
fn a_vacant_smx_that_is_not_ready_is_no_member() {
    let mut spread = on(&[4]);
    assert_eq!(cluster(&mut spread, &[0, 1, 2], &[2, 3], 2), [Some(0), Some(1)]);
}

#[test]
fn members_are_chosen_when_the_cluster_opens_whoever_is_ready_or_vacant_later() {
    let mut spread = on(&[4]);
    let first = SpreadInputs { vacant: of([2, 3]), ..ready(0..4, 2, false) };
    assert_eq!(place(&mut spread, &first), Some(2));
    let second = SpreadInputs { vacant: of(0..4), ..ready(0..4, 2, true) };
    assert_eq!(place(&mut spread, &second), Some(3));
}

#[test]
fn a_cluster_that_is_open_waits_for_a_member_that_a_gate_holds_back() {
    let mut spread = on(&[2, 2]);
    assert_eq!(place(&mut spread, &ready(0..4, 2, false)), Some(0));
    assert_eq!(spread.open_gpc(), Some(0));
    // Neither the SMX that has a block of it nor another GPC will do.
    assert_eq!(place(&mut spread, &ready([0, 2, 3], 2, true)), None);
    assert_eq!(place(&mut spread, &ready([], 2, true)), None);
    assert_eq!(place(&mut spread, &ready(0..4, 2, true)), Some(1));
    assert_eq!(spread.open_gpc(), None);
}

#[test]
fn a_gpc_smaller_than_the_cluster_is_passed_over_for_ever() {
    let mut spread = on(&[2, 3, 2]);
    let all = [0, 1, 2, 3, 4, 5, 6];
    for first in [2, 2] {
        let smxs = cluster(&mut spread, &all, &all, 3);
        assert_eq!(smxs, [Some(first), Some(first + 1), Some(first + 2)]);
    }
    assert_eq!(place(&mut spread, &ready(0..7, 4, false)), None);
}

#[test]
fn a_cluster_of_sixteen_fills_a_gpc_of_sixteen_and_does_not_fit_one_of_fifteen() {
    let mut spread = on(&[15, 16]);
    let all: Vec<_> = (0..31).collect();
    let smxs = cluster(&mut spread, &all, &all, 16);
    assert_eq!(smxs, (15..31).map(Some).collect::<Vec<_>>());
    assert_eq!(place(&mut spread, &ready(0..30, 16, false)), None);
}

#[test]
fn one_smx_takes_clusters_of_one_block_and_stores_nothing_for_them() {
    let mut spread = on(&[1]);
    let inputs = ready([0], 1, true);
    assert_eq!(spread.evaluate(&inputs).grant, of([0]));
    assert_eq!(spread.clock(&inputs), Activity::Quiet, "all pointers have one place");
    assert_eq!(place(&mut spread, &ready([0], 2, false)), None);
}

#[test]
fn without_a_ready_smx_nothing_is_granted_or_stored() {
    let mut spread = on(&[2, 2]);
    for size in [0, 1, 16] {
        assert_eq!(place(&mut spread, &ready([], size, true)), None);
    }
    assert_eq!(spread, on(&[2, 2]));
}

#[test]
fn reset_within_a_cluster_forgets_it_and_returns_the_pointers() {
    let mut spread = on(&[2, 2]);
    place(&mut spread, &ready(0..4, 2, false));
    let reset = SpreadInputs { reset: true, ..ready(0..4, 2, true) };
    assert_eq!(spread.clock(&reset), Activity::Busy);
    assert_eq!(spread, on(&[2, 2]));
    assert_eq!(spread.clock(&reset), Activity::Quiet);
}

/// Sizes of GPCs, at most 18 SMXs each.
fn plans() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(1u32..=18, 1..=8)
}

proptest! {
    #[test]
    fn a_cluster_is_whole_or_absent_on_smxs_of_their_own_in_one_gpc(
        gpcs in plans(), asked in prop::collection::vec((any::<[u64; 3]>(), any::<[u64; 3]>(), 1u32..=16), 1..20),
    ) {
        let mut spread = on(&gpcs);
        let plan = FloorPlan::new(gpcs.iter().sum::<u32>() as usize, &gpcs);
        let smxs = |words: [u64; 3]| {
            of((0..plan.smx()).filter(|smx| words[smx / 64] >> (smx % 64) & 1 == 1))
        };
        for (free, empty, size) in asked {
            let (free, vacant) = (smxs(free), smxs(empty));
            let fits = plan.ranges().any(|gpc| (of(gpc) & free).count_ones() >= size as usize);
            let (mut left, mut had) = (free, Vec::new());
            for block in 0..size {
                let closes = block + 1 == size;
                let inputs = SpreadInputs { ready: left, vacant, size, closes, reset: false };
                let Some(smx) = place(&mut spread, &inputs) else {
                    break;
                };
                left.set(smx, false);
                had.push(smx);
            }
            prop_assert_eq!(had.len(), if fits { size as usize } else { 0 });
            let gpc = plan.ranges().find(|gpc| had.first().is_some_and(|smx| gpc.contains(smx)));
            prop_assert!(had.iter().all(|smx| gpc.as_ref().unwrap().contains(smx) && free[*smx]));
            prop_assert_eq!(of(had.iter().copied()).count_ones(), had.len(), "an SMX has two");
        }
    }
}
