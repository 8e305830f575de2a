//! Schedulers of more SMXs than one word has bits.

use super::super::build;
use super::harness::*;
use std::panic::catch_unwind;

const NAMES: [&str; 21] = [
    "rr",
    "rr(start=last-finished)",
    "rr+claso",
    "rr+dyncta",
    "rr-gpgpusim",
    "ikra/reset",
    "ikra/chunk",
    "ikra/flip",
    "ikra/steal",
    "ikra/steal(thief=dispatched)",
    "ikra/steal(relations=on)",
    "mpmax",
    "srtf",
    "srtf/adaptive",
    "sjf(runtimes=900:800)",
    "ljf(runtimes=900:800)",
    "srtf/zero-sampling(runtimes=900:800)",
    "rr-gpgpusim+dyncta+claso",
    "ikra/flip+claso+dyncta",
    "ikra/steal+dyncta",
    "srtf+dyncta",
];

#[test]
fn all_smxs_get_blocks_and_all_kernels_end_for_every_number_of_smxs() {
    for smx in SMXS {
        let blocks = 2 * smx as u32 + 1;
        let work = [Work::new(0, kernel(blocks), &[300]), Work::new(9, kernel(blocks), &[200])];
        for name in NAMES {
            let record = golden(name, smx, slots(2), &work);
            assert_eq!(record.finished.len(), 2, "{name} on {smx} SMXs");
            for kernel in 0..2 {
                let shares: Vec<_> = (0..smx).map(|smx| record.share(kernel, smx)).collect();
                assert_eq!(shares.iter().sum::<u64>(), u64::from(blocks), "{name} on {smx} SMXs");
            }
            assert!((0..smx).all(|smx| record.share(0, smx) + record.share(1, smx) > 0), "{name}");
        }
    }
}

#[test]
fn round_robin_goes_to_the_next_smx_across_words_and_from_the_last_one_to_0() {
    for smx in SMXS {
        let work = [Work::new(0, kernel(3 * smx as u32), &[1])];
        let record = golden("rr", smx, slots(1), &work);
        let order: Vec<_> = record.issues.iter().map(|issue| issue.smx).collect();
        assert!(order.into_iter().eq((0..3 * smx).map(|block| block % smx)), "{smx} SMXs");
    }
}

#[test]
fn chunks_begin_at_the_even_share_of_each_smx_up_to_the_last_one() {
    for smx in SMXS {
        let blocks = 2 * smx as u32 + 1;
        let record = golden("ikra/chunk", smx, slots(1), &[Work::new(0, kernel(blocks), &[400])]);
        for s in 0..smx {
            let first = record.issues.iter().find(|issue| issue.smx == s).unwrap().block;
            assert_eq!(first, (2 * s + s.min(1)) as u64, "SMX {s} of {smx}");
        }
    }
}

#[test]
fn a_hundred_and_forty_four_smxs_are_served_and_none_or_one_more_are_refused() {
    for name in NAMES.into_iter().chain(["laperm/smx-bind", "ikra/steal(nesting=2)"]) {
        let of = |smx| catch_unwind(|| build(&name.parse().unwrap(), smx, LIMITS).smx()).ok();
        assert_eq!([0, 1, 144, 145].map(of), [None, Some(1), Some(144), None], "{name}");
    }
}
