//! State space: up to 32 words, in a register file and in an SRAM; random, against an array and an
//! address that is a cycle old. Words that never were written are undefined and not compared.

use crate::harness::{cycle, fresh, random, reset, stores};
use blockyard_rtl::prim::AheadMemory;
use blockyard_rtl::storage::Declared;
use blockyard_rtl::word::U;
use rand::RngExt;

/// With 17 words and more it is an SRAM.
type Memory = AheadMemory<U<64>, 5>;

/// Writes, asks for a word, and sees the one that was asked for before.
fn step(memory: &mut Memory, next: u64, write: Option<(u64, u64)>) -> u64 {
    let (address, word) = write.unwrap_or((next, 0xee));
    let drive = |memory: &mut Memory| {
        memory.next_address.next = U::new(next);
        memory.write_enable.next = write.is_some();
        memory.write_address.next = U::new(address);
        memory.write_data.next = U::new(word);
    };
    cycle(memory, drive, |memory| memory.data.val().raw())
}

fn sample(words: u64) {
    let mut memory = fresh(Memory::of(words as usize));
    let mut content = vec![None; words as usize];
    let mut random = random(words);
    let mut expected = None;
    let mut compared = 0;
    for number in 0..20_000 {
        let pair = (random.random_range(0..32), random.random_range(0..256));
        let write = random.random_bool(0.4).then_some(pair);
        // As often as not the very word that is written.
        let next = if random.random() { pair.0 } else { random.random_range(0..32) };
        let got = step(&mut memory, next, write);
        if let Some(expected) = expected {
            assert_eq!(got, expected, "cycle {number}");
            compared += 1;
        }
        if let Some((address, word)) = write {
            content[(address % words) as usize] = Some(word);
        }
        expected = content[(next % words) as usize];
    }
    assert!(compared > 19_900, "{compared}");
}

#[test]
fn a_word_shows_a_cycle_after_it_was_asked_for_with_what_was_written_until_then() {
    [1, 4, 16, 32].into_iter().for_each(sample);
}

/// Whether the memory has an SRAM.
fn has_sram(memory: &dyn Declared) -> bool {
    let mut found = false;
    memory.parts(&mut |name, _, _| found |= name == "sram");
    found
}

#[test]
fn more_than_a_kilobit_is_an_sram() {
    assert!(!has_sram(&Memory::of(16)), "1024 bits");
    assert!(has_sram(&Memory::of(32)));
}

#[test]
fn the_content_survives_a_reset() {
    let mut memory = fresh(Memory::of(32));
    step(&mut memory, 0, Some((3, 9)));
    reset(&mut memory);
    step(&mut memory, 3, None);
    assert_eq!(step(&mut memory, 3, None), 9);
}

#[test]
fn asking_for_the_same_word_stores_nothing() {
    let mut memory = fresh(Memory::of(4));
    let mut edge = |next: u64| {
        stores(&mut memory, |memory| {
            memory.next_address.next = U::new(next);
            memory.write_enable.next = false;
        })
    };
    assert!(edge(1));
    assert!(!edge(1));
}
