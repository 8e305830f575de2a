//! State space: bits, a count of each, and a number; random ones, and sums beside the number.

use crate::harness::{fresh, mask, random};
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::EnoughInAll;
use blockyard_rtl::word::U;
use rand::RngExt;
use std::ops::Range;

fn check(sizes: &[usize], most: u64, seed: u64) {
    let mut module = fresh(EnoughInAll::new(sizes));
    let end = |group: usize| sizes[..group].iter().sum::<usize>();
    let ranges: Vec<Range<usize>> =
        (0..sizes.len()).map(|group| end(group)..end(group + 1)).collect();
    let width = module.count.len();
    let mut random = random(seed);
    let mut answers = [0; 2];
    for _ in 0..3_000 {
        let set = mask::random(width, &mut random);
        let counts: Vec<u64> = (0..width).map(|_| random.random_range(0..=most)).collect();
        let sum = |range: &Range<usize>| -> u64 {
            let counted = range.clone().filter(|&at| set.get_bit(at));
            counted.map(|at| counts[at]).sum()
        };
        let near = sum(&ranges[random.random_range(0..ranges.len())]);
        for least in [near, near + 1, random.random_range(0..32)].map(|least| least.min(31)) {
            module.up.next = set;
            for (port, &count) in module.count.iter_mut().zip(&counts) {
                port.next = U::new(count);
            }
            module.least.next = U::new(least);
            settle(&mut module);
            for (at, range) in ranges.iter().enumerate() {
                let enough = sum(range) >= least;
                let got = module.yes.val().get_bit(at);
                assert_eq!(got, enough, "{range:?} of {set:?} {counts:?}, {least}");
                answers[usize::from(enough)] += 1;
            }
        }
    }
    assert!(answers.iter().all(|&seen| seen > 100), "{answers:?}");
}

#[test]
fn the_counts_of_each_range_are_added_whose_bits_are_up() {
    check(&[1], 31, 1);
    check(&[2, 3], 12, 2);
    check(&[60, 18, 54], 3, 3);
}

#[test]
fn the_largest_sum_does_not_wrap() {
    let mut module = fresh(EnoughInAll::new(&[144]));
    module.up.next = !mask::low(144, 0);
    module.count.iter_mut().for_each(|port| port.next = U::new(63));
    module.least.next = U::new(31);
    settle(&mut module);
    assert!(module.yes.val().get_bit(0));
}
