//! State space: O selections of I words; every selection of every output, random words.

use crate::harness::{fresh, random};
use blockyard_rtl::dispatch::BlockId;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::Crossbar;
use blockyard_rtl::word::U;
use rand::RngExt;

fn sample<const I: usize, const O: usize>() {
    let mut crossbar = fresh(Crossbar::<U<8>, I, O>::new());
    let mut random = random((I * 100 + O) as u64);
    for round in 0..500 {
        let words: [u64; I] = std::array::from_fn(|_| random.random_range(0..256));
        // Every output selects everything in turn, and all outputs different things.
        let selects: [usize; O] = std::array::from_fn(|output| (round + 7 * output) % 32);
        for (port, &word) in crossbar.word.iter_mut().zip(&words) {
            port.next = U::new(word);
        }
        for (port, &select) in crossbar.select.iter_mut().zip(&selects) {
            port.next = U::new(select as u64);
        }
        settle(&mut crossbar);
        for (data, &select) in crossbar.data.iter().zip(&selects) {
            let expected = words[if select < I { select } else { 0 }];
            assert_eq!(data.val().raw(), expected, "I {I}, O {O}, select {select}");
        }
    }
}

#[test]
fn each_output_shows_the_word_that_it_selects_and_the_first_one_for_a_number_beyond_the_last() {
    sample::<1, 1>();
    sample::<2, 3>();
    sample::<13, 13>();
    sample::<31, 2>();
    sample::<32, 32>();
}

#[test]
fn all_bits_of_a_block_id_come_through() {
    let mut crossbar = fresh(Crossbar::<BlockId, 2, 1>::new());
    let block = BlockId { x: U::new((1 << 31) - 1), y: U::new(65_535), z: U::new(65_535) };
    crossbar.word[1].next = block;
    crossbar.select[0].next = U::new(1);
    settle(&mut crossbar);
    assert_eq!(crossbar.data[0].val(), block);
    crossbar.select[0].next = U::new(0);
    settle(&mut crossbar);
    assert_eq!(crossbar.data[0].val(), BlockId::default());
}
