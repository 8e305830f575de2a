//! State space: O selections of I words; every selection of every output, random words.

use crate::harness::{drive_word, fresh, random};
use blockyard_rtl::module::settle;
use blockyard_rtl::port::BlockId;
use blockyard_rtl::prim::Crossbar;
use blockyard_rtl::word::{id_bits, U};
use rand::RngExt;

fn sample(inputs: usize, outputs: usize) {
    let mut crossbar = fresh(Crossbar::of(U::<8>::new(0), inputs, outputs));
    let mut random = random((inputs * 100 + outputs) as u64);
    for round in 0..500 {
        let words: Vec<u64> = (0..inputs).map(|_| random.random_range(0..256)).collect();
        // Every output selects everything in turn, and all outputs different things.
        let all = 1 << id_bits(inputs);
        let selects: Vec<usize> = (0..outputs).map(|output| (round + 7 * output) % all).collect();
        for (port, &word) in crossbar.word.iter_mut().zip(&words) {
            port.next = U::new(word);
        }
        for (port, &select) in crossbar.select.iter_mut().zip(&selects) {
            drive_word(port, select);
        }
        settle(&mut crossbar);
        for (data, &select) in crossbar.data.iter().zip(&selects) {
            let expected = words[if select < inputs { select } else { 0 }];
            assert_eq!(data.val().raw(), expected, "{outputs} of {inputs}, select {select}");
        }
    }
}

#[test]
fn each_output_shows_the_word_that_it_selects_and_the_first_one_for_a_number_beyond_the_last() {
    sample(1, 1);
    sample(2, 3);
    sample(13, 13);
    sample(31, 2);
    sample(32, 32);
    sample(33, 4);
    sample(65, 13);
    sample(132, 132);
}

#[test]
fn all_bits_of_a_block_id_come_through() {
    let mut crossbar = fresh(Crossbar::new(BlockId::default(), 2, 1, U::<5>::new(0)));
    let block = BlockId { x: U::new((1 << 31) - 1), y: U::new(65_535), z: U::new(65_535) };
    crossbar.word[1].next = block;
    crossbar.select[0].next = U::new(1);
    settle(&mut crossbar);
    assert_eq!(crossbar.data[0].val(), block);
    crossbar.select[0].next = U::new(0);
    settle(&mut crossbar);
    assert_eq!(crossbar.data[0].val(), BlockId::default());
}
