//! State space: N bits and a first one; exhausted for N up to 6, random at 13, 31, 32, and in
//! several words at 33, 65 and 132.

use crate::harness::{fresh, mask, random};
use blockyard_rtl::mask::Mask;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::VisitOrder;
use rand::RngExt;

/// Those from `first` on come first, then the others, both by their numbers.
fn check(order: &mut VisitOrder, chosen: Mask, first: usize) {
    order.chosen.next = chosen;
    order.first.next = order.first.val().with(first as u64);
    settle(order);
    let count = chosen.len();
    let mut visited: Vec<usize> = (0..count).filter(|&at| chosen.get_bit(at)).collect();
    visited.sort_by_key(|&at| (at < first, at));
    let mut places = vec![0; count];
    visited.iter().enumerate().for_each(|(place, &at)| places[at] = place);
    let found: Vec<usize> = order.position.iter().map(|port| port.val().index()).collect();
    assert_eq!(found, places, "{chosen:?} from {first}");
    assert_eq!(order.number.val().index(), visited.len());
    let behind = visited.last().map_or(first, |last| (last + 1) % count);
    assert_eq!(order.behind.val().index(), behind, "{chosen:?} from {first}");
}

#[test]
fn all_choices_from_each_first_one_have_their_places() {
    for count in 1..=6 {
        let mut order = fresh(VisitOrder::new(count));
        for chosen in 0..1 << count {
            (0..count).for_each(|first| check(&mut order, mask::low(count, chosen), first));
        }
    }
}

#[test]
fn all_none_and_random_choices_among_many_have_their_places() {
    for count in [13, 31, 32, 33, 65, 132] {
        let mut order = fresh(VisitOrder::new(count));
        let mut random = random(count as u64);
        for _ in 0..2_000 {
            let first = random.random_range(0..count);
            check(&mut order, mask::random(count, &mut random), first);
            check(&mut order, !Mask::none(count), first);
            check(&mut order, Mask::none(count), first);
        }
    }
}

#[test]
fn a_first_one_that_is_not_there_comes_behind_all() {
    for (count, first) in [(3, 3), (13, 31), (33, 40), (132, 255)] {
        let mut order = fresh(VisitOrder::new(count));
        check(&mut order, !Mask::none(count), first);
        check(&mut order, Mask::none(count), first);
    }
}
