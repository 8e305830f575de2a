//! State space: N words; every place, for N of 1, 2 and more.

use crate::harness::fresh;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::Rotation;
use blockyard_rtl::word::U;

fn check<const N: usize>() {
    let mut rotation = fresh(Rotation::<U<8>, N>::new());
    for round in 0..3 {
        for (place, port) in rotation.word.iter_mut().enumerate() {
            port.next = U::new((place + 40 * round) as u64);
        }
        settle(&mut rotation);
        for (place, data) in rotation.data.iter().enumerate() {
            assert_eq!(data.val().index(), (place + 1) % N + 40 * round, "N {N}, place {place}");
        }
    }
}

#[test]
fn each_place_shows_the_word_of_the_one_behind_and_the_last_one_that_of_the_first() {
    check::<1>();
    check::<2>();
    check::<3>();
    check::<15>();
    check::<32>();
}
