//! State space: four words, two write ports, three read ports; random, against a map of what was
//! written. Words that never were are undefined and not compared.

use crate::harness::{cycle, fresh, random, reset, stores};
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::RegisterFile;
use blockyard_rtl::word::U;
use rand::RngExt;
use std::collections::HashMap;

type File = RegisterFile<U<8>, 2>;

fn four_words() -> File {
    fresh(RegisterFile::of(4, 2, 2))
}

/// The write of each port: address and word.
type Writes = [Option<(u64, u64)>; 2];

fn drive(file: &mut File, writes: Writes, reads: [u64; 3]) {
    for (port, write) in writes.into_iter().enumerate() {
        let (address, word) = write.unwrap_or((3, 0xee));
        file.write_enable[port].next = write.is_some();
        file.write_address[port].next = U::new(address);
        file.write_data[port].next = U::new(word);
    }
    file.address.next = U::new(reads[0]);
    file.also_address[0].next = U::new(reads[1]);
    file.also_address[1].next = U::new(reads[2]);
}

fn read(file: &File) -> [u64; 3] {
    [file.data.val().raw(), file.also_data[0].val().raw(), file.also_data[1].val().raw()]
}

/// The word at an address.
fn word(file: &mut File, address: u64) -> u64 {
    drive(file, [None; 2], [address; 3]);
    settle(file);
    file.data.val().raw()
}

#[test]
fn every_port_reads_what_was_last_written_before_this_cycle() {
    let mut file = four_words();
    let mut model = HashMap::new();
    let mut random = random(3);
    let mut compared = 0;
    for number in 0..20_000 {
        let mut writes = [None; 2];
        for write in &mut writes {
            let pair = (random.random_range(0..4), random.random_range(0..256));
            *write = random.random_bool(0.5).then_some(pair);
        }
        let reads = [0; 3].map(|_| random.random_range(0..4));
        let got = cycle(&mut file, |file| drive(file, writes, reads), read);
        for (address, word) in reads.into_iter().zip(got) {
            if let Some(&expected) = model.get(&address) {
                assert_eq!(word, expected, "cycle {number}, word {address}");
                compared += 1;
            }
        }
        // In this order the port with the higher number has the last word.
        model.extend(writes.into_iter().flatten());
    }
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn a_word_is_read_as_it_was_before_a_write_in_the_same_cycle() {
    let mut file = four_words();
    cycle(&mut file, |file| drive(file, [Some((1, 10)), None], [0; 3]), |_| ());
    let got = cycle(&mut file, |file| drive(file, [Some((1, 20)), None], [1; 3]), read);
    assert_eq!(got, [10; 3]);
    assert_eq!(word(&mut file, 1), 20);
}

#[test]
fn of_two_writes_to_one_word_the_port_with_the_higher_number_wins() {
    let mut file = four_words();
    cycle(&mut file, |file| drive(file, [Some((2, 10)), Some((2, 20))], [0; 3]), |_| ());
    assert_eq!(word(&mut file, 2), 20);
}

#[test]
fn reset_leaves_the_words_alone() {
    let mut file = four_words();
    for address in 0..4 {
        cycle(&mut file, |file| drive(file, [Some((address, 50 + address)), None], [0; 3]), |_| ());
    }
    drive(&mut file, [None; 2], [0; 3]);
    reset(&mut file);
    assert_eq!([0, 1, 2, 3].map(|address| word(&mut file, address)), [50, 51, 52, 53]);
}

#[test]
fn an_edge_counts_as_activity_exactly_when_a_word_changes() {
    let mut file = four_words();
    let mut edge = |writes, reads| stores(&mut file, |file| drive(file, writes, reads));
    assert!(edge([Some((1, 10)), Some((2, 20))], [0; 3]));
    assert!(!edge([Some((1, 10)), Some((2, 20))], [0; 3]), "the same words again");
    assert!(!edge([None; 2], [1, 2, 1]), "reading");
    assert!(edge([None, Some((1, 11))], [0; 3]));
}
