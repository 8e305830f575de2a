//! Rationale: combinational over a set and a count each; all of two SMXs with counts of 0 to 3, and
//! random ones at N = 1, 3, 15, and masks of several words: 65 and 132.

use crate::harness::{fresh, mask, random};
use blockyard_rtl::module::settle;
use blockyard_rtl::most_room::Most;
use blockyard_rtl::word::U;
use blockyard_sim::sched::{most_room as twin, SmxMask};
use rand::RngExt;
use twin::MostInputs;

fn agree(module: &mut Most, request: SmxMask, counts: &[u32]) -> SmxMask {
    mask::drive(&mut module.request, request);
    for (port, &count) in module.count.iter_mut().zip(counts) {
        port.next = U::new(count.into());
    }
    settle(module);
    let count = counts.iter().copied().collect();
    let expected = twin::Most.evaluate(&MostInputs { request, count }).most;
    assert_eq!(mask::from_rtl(module.most.val()), expected, "{request:?} {counts:?}");
    expected
}

#[test]
fn of_two_smxs_that_ask_those_with_the_larger_count_are_left() {
    let mut module = fresh(Most::new(2));
    for bits in 0..4 {
        for code in 0..16 {
            agree(&mut module, mask::from_bits(bits), &[code % 4, code / 4]);
        }
    }
}

#[test]
fn of_any_number_of_smxs_all_with_the_largest_count_are_left() {
    for smxs in [1, 3, 15, 65, 132] {
        let mut module = fresh(Most::new(smxs));
        let mut random = random(smxs as u64);
        let mut shared = 0;
        for round in 0..2_000 {
            let most = if round % 2 == 0 { 63 } else { 3 };
            let counts: Vec<u32> = (0..smxs).map(|_| random.random_range(0..=most)).collect();
            let request = mask::random_smxs(smxs, &mut random);
            shared += usize::from(agree(&mut module, request, &counts).count_ones() > 1);
        }
        assert!(smxs < 3 || shared > 100, "{smxs} SMXs: {shared} ties");
    }
}
