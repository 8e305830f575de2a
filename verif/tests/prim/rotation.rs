//! State space: N words; every place, for N of 1, 2 and more.

use crate::harness::fresh;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::Rotation;
use blockyard_rtl::word::U;

fn check(count: usize) {
    let mut rotation = fresh(Rotation::new(U::<8>::new(0), count));
    for round in 0..3 {
        for (place, port) in rotation.word.iter_mut().enumerate() {
            port.next = U::new((place + 20 * round) as u64);
        }
        settle(&mut rotation);
        for (place, data) in rotation.data.iter().enumerate() {
            let behind = (place + 1) % count + 20 * round;
            assert_eq!(data.val().index(), behind, "{count} words, place {place}");
        }
    }
}

#[test]
fn each_place_shows_the_word_of_the_one_behind_and_the_last_one_that_of_the_first() {
    for count in [1, 2, 3, 15, 32, 33, 65, 132] {
        check(count);
    }
}
