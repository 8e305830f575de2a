use super::super::super::mask;
use super::super::super::tests::harness::SMXS;
use super::Candidate::{Backup, Own, Zero};
use super::*;

fn selector(binding: Binding, cluster: u8, smx: usize) -> Selector {
    Selector::new(&LapermConfig { cluster, ..LapermConfig::new(binding) }, smx)
}

/// One visit: these priority queues have heads.
fn visit(selector: &mut Selector, zero: bool, queues: &[u8], refused: bool) -> Option<Candidate> {
    let heads = mask::of(queues.iter().map(|&queue| queue.into()));
    let inputs = SelectorInputs { zero, heads, refused, ..Default::default() };
    let candidate = selector.evaluate(&inputs).candidate;
    let other = SelectorInputs { refused: !refused, ..inputs.clone() };
    assert_eq!(selector.evaluate(&other).candidate, candidate, "`refused` comes later");
    selector.clock(&inputs);
    candidate
}

fn turn(selector: &Selector) -> usize {
    selector.evaluate(&SelectorInputs::default()).turn
}

/// Visits all other SMXs, none of which changes anything, until it is `smx`'s turn.
fn to(selector: &mut Selector, smx: usize) {
    while turn(selector) != smx {
        assert_eq!(visit(selector, true, &[], false), Some(Zero));
    }
}

#[test]
fn the_turn_moves_in_each_cycle_in_which_any_queue_has_a_head_and_stays_otherwise() {
    let mut selector = selector(Binding::Bound, 1, 3);
    let none = SelectorInputs::default();
    assert_eq!((turn(&selector), selector.clock(&none)), (0, Activity::Quiet));
    for (zero, heads) in [(true, &[][..]), (false, &[2]), (true, &[0]), (false, &[0])] {
        let before = turn(&selector);
        let heads = mask::of(heads.iter().copied());
        let inputs = SelectorInputs { zero, heads, ..Default::default() };
        assert_eq!(selector.clock(&inputs), Activity::Busy);
        assert_eq!(turn(&selector), (before + 1) % 3);
    }
    assert_eq!((turn(&selector), selector.clock(&none)), (1, Activity::Quiet));
}

#[test]
fn its_own_queue_goes_before_queue_0_and_queue_0_before_the_backups() {
    for (binding, third) in [(Binding::Bound, None), (Binding::Adaptive, Some(Backup(1)))] {
        let of = |zero, queues: &[u8]| visit(&mut selector(binding, 1, 2), zero, queues, false);
        assert_eq!(of(true, &[0, 1]), Some(Own(0)));
        assert_eq!(of(true, &[1]), Some(Zero));
        assert_eq!(of(false, &[1]), third, "{binding:?}");
    }
}

#[test]
fn every_smx_of_tb_pri_takes_from_the_one_queue() {
    let mut selector = selector(Binding::Shared, 1, 5);
    for smx in (0..5).chain(0..5) {
        assert_eq!(turn(&selector), smx);
        assert_eq!(visit(&mut selector, true, &[0], false), Some(Own(0)));
    }
}

#[test]
fn smxs_of_a_cluster_share_its_queue_and_the_last_cluster_may_be_smaller() {
    let mut selector = selector(Binding::Bound, 2, 5);
    for own in [0, 0, 1, 1, 2, 0] {
        assert_eq!(visit(&mut selector, false, &[0, 1, 2], false), Some(Own(own)));
    }
}

#[test]
fn the_last_smx_takes_from_the_last_queue_for_clusters_of_every_size() {
    for smx in SMXS {
        for cluster in [1, 2, 31, 32, 33, 64, 65, 131, 144] {
            let mut selector = selector(Binding::Bound, cluster, smx);
            to(&mut selector, smx - 1);
            let last = (smx - 1) / usize::from(cluster).min(smx);
            let candidate = visit(&mut selector, false, &[last as u8], false);
            assert_eq!(candidate, Some(Own(last)), "{smx} SMXs in clusters of {cluster}");
        }
    }
}

#[test]
fn the_search_for_a_backup_wraps_from_the_last_queue_to_the_first() {
    let mut selector = selector(Binding::Adaptive, 1, 144);
    to(&mut selector, 100);
    assert_eq!(visit(&mut selector, false, &[5, 99, 143], false), Some(Backup(143)));
    to(&mut selector, 100);
    assert_eq!(visit(&mut selector, false, &[5, 99], false), Some(Backup(5)));
    to(&mut selector, 100);
    assert_eq!(visit(&mut selector, false, &[64, 99], false), Some(Backup(64)));
}

#[test]
fn the_first_backup_is_the_first_queue_with_a_head_after_its_own_cyclically() {
    let mut selector = selector(Binding::Adaptive, 1, 4);
    for (smx, backup) in [(0, 1), (1, 3), (2, 3), (3, 1)] {
        assert_eq!(turn(&selector), smx);
        let of_others: &[u8] = if smx == 1 { &[0, 3] } else { &[1, 3] };
        let heads: Vec<u8> =
            of_others.iter().copied().filter(|&queue| usize::from(queue) != smx).collect();
        assert_eq!(visit(&mut selector, false, &heads, false), Some(Backup(backup)), "SMX {smx}");
    }
}

#[test]
fn a_recorded_backup_is_kept_until_it_has_no_head_and_the_next_one_is_after_it() {
    let mut selector = selector(Binding::Adaptive, 1, 4);
    for (heads, backup) in [
        (&[2, 3][..], 2),
        (&[1, 2, 3], 2),
        // It is empty: the first one after it, cyclically, that is not SMX 0's own.
        (&[1, 3], 3),
        (&[1, 2, 3], 3),
        (&[1, 2], 1),
        (&[1, 2, 3], 1),
    ] {
        assert_eq!(visit(&mut selector, false, heads, false), Some(Backup(backup)), "{heads:?}");
        to(&mut selector, 0);
    }
}

#[test]
fn a_backup_that_has_a_head_again_later_is_still_the_recorded_one() {
    let mut selector = selector(Binding::Adaptive, 1, 3);
    assert_eq!(visit(&mut selector, false, &[2], false), Some(Backup(2)));
    to(&mut selector, 0);
    assert_eq!(visit(&mut selector, true, &[1], false), Some(Zero), "nothing is recorded");
    to(&mut selector, 0);
    assert_eq!(visit(&mut selector, false, &[1, 2], false), Some(Backup(2)));
}

#[test]
fn a_refused_smx_looks_past_its_own_queue_in_its_next_visit_and_not_in_the_one_after() {
    let mut selector = selector(Binding::Adaptive, 1, 2);
    assert_eq!(visit(&mut selector, true, &[0], true), Some(Own(0)));
    assert_eq!(visit(&mut selector, true, &[0], false), Some(Zero), "SMX 1 is not refused");
    assert_eq!(visit(&mut selector, true, &[0], true), Some(Zero));
    to(&mut selector, 0);
    assert_eq!(visit(&mut selector, true, &[0], true), Some(Own(0)));
    to(&mut selector, 0);
    assert_eq!(visit(&mut selector, false, &[0, 1], false), Some(Backup(1)));
    to(&mut selector, 0);
    assert_eq!(visit(&mut selector, false, &[0, 1], false), Some(Own(0)));
}

#[test]
fn a_refused_smx_with_nothing_else_has_no_candidate_for_one_visit() {
    for binding in [Binding::Shared, Binding::Adaptive] {
        let mut selector = selector(binding, 1, 1);
        for (refused, candidate) in [(true, Some(Own(0))), (false, None), (false, Some(Own(0)))] {
            assert_eq!(visit(&mut selector, false, &[0], refused), candidate, "{binding:?}");
        }
    }
}

#[test]
fn queue_0_that_is_refused_refuses_nobody() {
    let mut selector = selector(Binding::Adaptive, 1, 1);
    assert_eq!(visit(&mut selector, true, &[], true), Some(Zero));
    assert_eq!(visit(&mut selector, true, &[0], false), Some(Own(0)));
}

#[test]
fn a_refused_backup_is_left_for_the_next_one_and_taken_again_when_there_is_no_other() {
    let mut selector = selector(Binding::Adaptive, 1, 4);
    let mut next = |heads: &[u8], refused| {
        let candidate = visit(&mut selector, false, heads, refused);
        to(&mut selector, 0);
        candidate
    };
    assert_eq!(next(&[1, 2], true), Some(Backup(1)));
    assert_eq!(next(&[1, 2], false), Some(Backup(2)));
    assert_eq!(next(&[1, 2], true), Some(Backup(2)), "kept, and refused now");
    assert_eq!(next(&[2], false), Some(Backup(2)), "the same one again");
    assert_eq!(next(&[1, 2], false), Some(Backup(2)), "it was recorded anew");
}

#[test]
fn each_smx_has_its_own_backup_and_refusal() {
    let mut selector = selector(Binding::Adaptive, 1, 3);
    assert_eq!(visit(&mut selector, false, &[2], true), Some(Backup(2)));
    assert_eq!(visit(&mut selector, false, &[1], true), Some(Own(1)));
    assert_eq!(visit(&mut selector, false, &[2], false), Some(Own(2)));
    assert_eq!(visit(&mut selector, false, &[1, 2], false), Some(Backup(1)));
    assert_eq!(visit(&mut selector, false, &[1, 2], false), Some(Backup(2)));
}

#[test]
fn a_visit_of_the_only_smx_that_changes_nothing_is_quiet() {
    let mut selector = selector(Binding::Bound, 1, 1);
    let zero = SelectorInputs { zero: true, ..Default::default() };
    assert_eq!(selector.clock(&zero), Activity::Quiet);
    let refused = SelectorInputs { heads: mask::of([0]), refused: true, ..zero };
    assert_eq!(selector.clock(&refused), Activity::Busy);
}

#[test]
fn reset_returns_to_smx_0_and_forgets_backups_and_refusals_whatever_else_the_cycle_carries() {
    let mut selector = selector(Binding::Adaptive, 1, 2);
    visit(&mut selector, false, &[1], true);
    visit(&mut selector, false, &[1], true);
    let reset = SelectorInputs { reset: true, heads: mask::of([1]), ..Default::default() };
    assert_eq!(selector.clock(&reset), Activity::Busy);
    assert_eq!(selector, super::tests::selector(Binding::Adaptive, 1, 2));
    assert_eq!(selector.clock(&reset), Activity::Quiet);
}
