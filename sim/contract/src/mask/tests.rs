use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The SMXs at both ends of every word.
const EDGES: [usize; 7] = [0, 31, 32, 63, 64, 127, 128];

#[test]
fn smx_s_is_bit_s_of_the_words_at_the_edges_of_all_words() {
    assert_eq!(of([0, 31, 32, 63]).words(), [1 | 1 << 31 | 1 << 32 | 1 << 63, 0, 0]);
    assert_eq!(of([64, 127, 128, 143]).words(), [0, 1 | 1 << 63, 1 | 1 << 15]);
    assert_eq!(SmxMask::from_words([1 << 63, 1, 1 << 15]), of([63, 64, 143]));
}

#[test]
#[should_panic(expected = "an SMX beyond 144")]
fn a_bit_beyond_the_last_smx_makes_no_mask() {
    SmxMask::from_words([0, 0, 1 << 16]);
}

#[test]
#[should_panic(expected = "SMX 144 of 144")]
fn an_smx_beyond_the_last_is_in_no_mask() {
    of([144]);
}

#[test]
fn a_round_starts_at_the_pointer_and_wraps_once() {
    assert_eq!(round(2, 4).collect::<Vec<_>>(), [2, 3, 0, 1]);
    assert_eq!(round(0, 1).collect::<Vec<_>>(), [0]);
}

#[test]
fn the_first_from_a_pointer_is_found_beyond_the_ends_of_words() {
    for member in EDGES.into_iter().chain([143]) {
        for first in EDGES.into_iter().chain([143]) {
            assert_eq!(of([member]).first_from(first), Some(member), "from {first}");
        }
    }
    let both = of([31, 128]);
    assert_eq!([0, 31, 32, 63, 64, 128].map(|first| both.first_from(first)), {
        [31, 31, 128, 128, 128, 128].map(Some)
    });
    assert_eq!([129, 143].map(|first| both.first_from(first)), [31, 31].map(Some), "wraps");
    assert_eq!(SmxMask::ZERO.first_from(143), None);
}

fn members() -> impl Strategy<Value = BTreeSet<usize>> {
    let smx = prop_oneof![0..MAX_SMX, prop::sample::select(EDGES.to_vec()), Just(143)];
    prop::collection::btree_set(smx, 0..40)
}

proptest! {
    #[test]
    fn a_mask_is_a_set(
        one in members(), other in members(), smx in 0..MAX_SMX, put in any::<bool>(),
    ) {
        let [a, b] = [&one, &other].map(|set| of(set.iter().copied()));
        let listed = |mask: SmxMask| mask.iter_ones().collect::<BTreeSet<_>>();
        prop_assert_eq!(listed(a & b), &one & &other);
        prop_assert_eq!(listed(a | b), &one | &other);
        prop_assert_eq!(listed(a - b), &one - &other);
        prop_assert_eq!(SmxMask::from_words(a.words()), a);
        prop_assert_eq!((a.any(), a.count_ones()), (!one.is_empty(), one.len()));
        prop_assert_eq!((a.first_one(), a.last_one()), (one.first().copied(), one.last().copied()));
        prop_assert_eq!(a.first_from(smx), round(smx, MAX_SMX).find(|smx| one.contains(smx)));
        prop_assert_eq!(a[smx], one.contains(&smx));
        let mut changed = a;
        changed.set(smx, put);
        prop_assert_eq!(listed(changed - of([smx])), listed(a - of([smx])));
        prop_assert_eq!(changed[smx], put);
    }
}

#[test]
fn a_set_is_collected_from_what_is_said_of_each_smx_from_0_upwards() {
    let members = (0..MAX_SMX).map(|smx| smx % 65 == 3);
    assert_eq!(members.collect::<SmxMask>(), of([3, 68, 133]));
    assert_eq!([false, true].into_iter().collect::<SmxMask>(), of([1]));
    let beyond =
        std::panic::catch_unwind(|| vec![false; MAX_SMX + 1].into_iter().collect::<SmxMask>());
    assert!(beyond.is_err(), "SMX {MAX_SMX} has no bit");
}
