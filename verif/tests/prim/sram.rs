//! State space: four words, one or two ports; random, against an array. Words that never were
//! written are undefined and not compared.

use crate::harness::{cycle, fresh, random, reset, stores};
use blockyard_rtl::module::Module;
use blockyard_rtl::prim::{SramOnePort, SramTwoPort};
use blockyard_rtl::word::U;
use rand::RngExt;

/// Both memories as one with two addresses, of which the memory with one port has no use for the
/// second.
trait Memory: Module {
    /// Whether it reads and writes at addresses of their own.
    const TWO_PORTS: bool;
    fn drive_ports(&mut self, read: u64, write: Option<(u64, u64)>);
    fn output(&self) -> u64;
}

impl Memory for SramOnePort<U<8>, 2> {
    const TWO_PORTS: bool = false;
    fn drive_ports(&mut self, read: u64, write: Option<(u64, u64)>) {
        let (address, word) = write.unwrap_or((read, 0xee));
        self.address.next = U::new(address);
        self.write_enable.next = write.is_some();
        self.write_data.next = U::new(word);
    }
    fn output(&self) -> u64 {
        self.read_data.val().raw()
    }
}

impl Memory for SramTwoPort<U<8>, 2> {
    const TWO_PORTS: bool = true;
    fn drive_ports(&mut self, read: u64, write: Option<(u64, u64)>) {
        let (address, word) = write.unwrap_or((3, 0xee));
        self.read_address.next = U::new(read);
        self.write_address.next = U::new(address);
        self.write_enable.next = write.is_some();
        self.write_data.next = U::new(word);
    }
    fn output(&self) -> u64 {
        self.read_data.val().raw()
    }
}

/// One cycle; what the output shows in it.
fn step<M: Memory>(memory: &mut M, read: u64, write: Option<(u64, u64)>) -> u64 {
    cycle(memory, |memory| memory.drive_ports(read, write), |memory| memory.output())
}

/// A memory whose words are 50, 51, 52 and 53.
fn filled<M: Memory>(memory: M) -> M {
    let mut memory = fresh(memory);
    for address in 0..4 {
        step(&mut memory, address, Some((address, 50 + address)));
    }
    step(&mut memory, 0, None);
    memory
}

fn sample<M: Memory>(memory: M) {
    let mut memory = fresh(memory);
    let mut words = [None; 4];
    let mut random = random(4);
    let mut expected = Some(0);
    let mut compared = 0;
    for number in 0..20_000 {
        let pair = (random.random_range(0..4), random.random_range(0..256));
        let write = random.random_bool(0.4).then_some(pair);
        let read = match write {
            Some((address, _)) if !M::TWO_PORTS => address,
            _ => random.random_range(0..4),
        };
        let resets = random.random_range(0..50) == 0;
        memory.drive_reset(resets);
        let got = step(&mut memory, read, write);
        if let Some(expected) = expected {
            assert_eq!(got, expected, "cycle {number}");
            compared += 1;
        }
        expected = if resets { Some(0) } else { words[read as usize] };
        if let Some((address, word)) = write {
            words[address as usize] = Some(word);
        }
    }
    assert!(compared > 19_900, "{compared}");
}

fn reads_before_writing<M: Memory>(memory: M) {
    let mut memory = filled(memory);
    step(&mut memory, 2, Some((2, 99)));
    assert_eq!(step(&mut memory, 2, None), 52, "as it was before the write");
    assert_eq!(step(&mut memory, 2, None), 99);
}

fn reset_clears_the_output_alone<M: Memory>(memory: M) {
    let mut memory = filled(memory);
    step(&mut memory, 3, None);
    memory.drive_ports(3, None);
    reset(&mut memory);
    assert_eq!(step(&mut memory, 0, None), 0, "the output of the cycle after a reset");
    for address in 0..4 {
        let shown = step(&mut memory, (address + 1) % 4, None);
        assert_eq!(shown, 50 + address, "word {address} survives");
    }
}

fn counts_what_it_stores<M: Memory>(memory: M) {
    let mut memory = filled(memory);
    let mut edge = |read, write| stores(&mut memory, |memory| memory.drive_ports(read, write));
    assert!(!edge(0, None), "the output shows word 0 already");
    assert!(edge(1, None), "another word at the output");
    assert!(!edge(1, None));
    assert!(!edge(1, Some((1, 51))), "the same word again");
    assert!(edge(1, Some((1, 7))), "the memory changes");
    assert!(edge(1, None), "and the output after it");
    assert!(!edge(1, None));
}

#[test]
fn the_output_is_the_word_at_the_address_of_the_cycle_before() {
    sample(SramOnePort::<U<8>, 2>::new(U::new(0), 4));
    sample(SramTwoPort::<U<8>, 2>::new(U::new(0), 4));
}

#[test]
fn a_word_is_read_as_it_was_before_a_write_in_the_same_cycle() {
    reads_before_writing(SramOnePort::<U<8>, 2>::new(U::new(0), 4));
    reads_before_writing(SramTwoPort::<U<8>, 2>::new(U::new(0), 4));
}

#[test]
fn reset_clears_the_output_and_the_content_survives() {
    reset_clears_the_output_alone(SramOnePort::<U<8>, 2>::new(U::new(0), 4));
    reset_clears_the_output_alone(SramTwoPort::<U<8>, 2>::new(U::new(0), 4));
}

#[test]
fn an_edge_counts_as_activity_when_a_word_or_the_output_changes() {
    counts_what_it_stores(SramOnePort::<U<8>, 2>::new(U::new(0), 4));
    counts_what_it_stores(SramTwoPort::<U<8>, 2>::new(U::new(0), 4));
}

#[test]
fn the_memory_with_two_ports_reads_one_word_and_writes_another_in_one_cycle() {
    let mut memory = filled(SramTwoPort::<U<8>, 2>::new(U::new(0), 4));
    step(&mut memory, 1, Some((2, 99)));
    assert_eq!(step(&mut memory, 2, None), 51);
    assert_eq!(step(&mut memory, 0, None), 99);
}
