//! CLASO over whole runs (section 3.2 of the paper).

use super::harness::*;

/// Durations for which blocks end in the order of the case study: 7, 11 and 3 on core 3, then 4,
/// 0 and 8 on core 0, then 1 on core 1 and 2 on core 2.
fn case_study() -> Vec<Work> {
    let mut durations = vec![3000; 17];
    for (order, block) in [7, 11, 3, 4, 0, 8, 1, 2].into_iter().enumerate() {
        // Block b is dispatched in cycle b + 1, so these end 100 cycles apart.
        durations[block] = 100 * (order as u64 + 1) - block as u64;
    }
    vec![Work::new(0, kernel(17), &durations)]
}

/// Blocks 12 to 16: when and where.
fn late(name: &str) -> Vec<(u64, usize)> {
    let record = golden(name, 4, slots(3), &case_study());
    record.issues[12..].iter().map(|i| (i.cycle, i.smx)).collect()
}

#[test]
fn the_plain_scheduler_gives_the_late_blocks_to_the_fast_cores() {
    assert_eq!(late("rr"), [(101, 3), (201, 3), (301, 3), (401, 0), (501, 0)]);
}

#[test]
fn claso_refuses_the_fast_cores_as_in_the_case_study() {
    // Core 3 gets two, with the only global credit; its third request is refused. Core 0 gets
    // one; its last local credit would need a global one.
    let expected = [(101, 3), (201, 3), (401, 0), (701, 1), (801, 2)];
    assert_eq!(late("rr+claso(pa=1,pl=0)"), expected);
}

#[test]
fn one_more_active_level_lets_core_0_have_its_last_local_credit() {
    let expected = [(101, 3), (201, 3), (401, 0), (501, 0), (701, 1)];
    assert_eq!(late("rr+claso(pa=2,pl=0)"), expected);
}

#[test]
fn a_loose_level_alone_changes_nothing_where_global_credits_are_short() {
    // Six local credits a core, of which the last two need a global one; there is still but one.
    let expected = [(101, 3), (201, 3), (401, 0), (701, 1), (801, 2)];
    assert_eq!(late("rr+claso(pa=1,pl=1)"), expected);
}

#[test]
fn the_refused_head_keeps_its_turn() {
    let mut work = case_study();
    work.push(Work::new(0, kernel(1), &[1]));
    let record = golden("rr+claso", 4, slots(3), &work);
    let last = record.issues.last().unwrap();
    assert_eq!((last.kernel, last.cycle), (1, 802), "core 3 had room from cycle 301 on");
}

#[test]
fn fewer_blocks_than_cores_go_to_a_core_each() {
    for smx in [2, 13, 30, 32, 33, 64, 65, 132, 144_usize] {
        for blocks in [1, smx as u32 - 1, smx as u32] {
            // Blocks so short that a slot is free again at once.
            let record = golden("rr+claso", smx, slots(1), &[Work::new(0, kernel(blocks), &[1])]);
            assert_eq!(record.issues.len(), blocks as usize);
            assert!((0..smx).all(|core| record.share(0, core) <= 1));
        }
    }
}

#[test]
fn one_core_gets_everything() {
    let record = golden("rr+claso", 1, slots(2), &[Work::new(0, kernel(9), &[3, 1])]);
    assert_eq!(record.share(0, 0), 9);
}

#[test]
fn kernels_that_share_the_gpu_have_credits_of_their_own_and_entries_are_reused() {
    let work: Vec<_> = (0..40).map(|k| Work::new(0, kernel(k % 7), &[5, 2, 11])).collect();
    let record = golden("rr+claso(pa=1,pl=0)", 3, slots(2), &work);
    assert_eq!(record.finished.len(), 40);
    for k in 0..40 {
        let blocks = u64::from(k as u32 % 7);
        let shares: Vec<_> = (0..3).map(|core| record.share(k, core)).collect();
        assert_eq!(shares.iter().sum::<u64>(), blocks);
        assert!(shares.iter().all(|&share| share <= blocks.div_ceil(3)), "{shares:?}");
    }
}
