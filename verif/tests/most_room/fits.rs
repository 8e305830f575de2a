//! Rationale: combinational over what is free and what a block needs; random words of the sizes
//! that are met, beside each multiple of what a block needs, and the largest.

use super::{words_of_free, words_of_needs};
use crate::harness::{fresh, random};
use blockyard_rtl::module::settle;
use blockyard_rtl::most_room::Fits;
use blockyard_sim::port::{BlockNeeds, SmxLimits};
use blockyard_sim::sched::most_room as twin;
use rand::RngExt;
use rand_pcg::Pcg64;
use twin::FitsInputs;

fn agree(module: &mut Fits, free: SmxLimits, needs: BlockNeeds) -> u32 {
    module.free.next = words_of_free(free);
    module.needs.next = words_of_needs(needs);
    settle(module);
    let expected = twin::Fits.evaluate(&FitsInputs { free, needs }).count;
    assert_eq!(module.count.val().raw(), u64::from(expected), "{free:?} {needs:?}");
    expected
}

fn part(random: &mut Pcg64, most: u32) -> u32 {
    match random.random_range(0..6) {
        0 => 0,
        1 => most,
        2 => most / 16,
        3 => random.random_range(0..=most),
        _ => random.random_range(0..=most / 20),
    }
}

#[test]
fn hardware_and_twin_count_alike_and_every_resource_is_the_scarce_one() {
    let mut module = fresh(Fits::new());
    let mut random = random(3);
    let mut seen = [0; 64];
    for _ in 0..40_000 {
        let free = SmxLimits {
            threads: part(&mut random, 4_095),
            registers: part(&mut random, 131_071),
            shared_memory: part(&mut random, 131_071),
            thread_block_slots: random.random_range(0..=63),
        };
        let needs = BlockNeeds {
            threads: part(&mut random, 4_095),
            registers: part(&mut random, 131_071),
            shared_memory: part(&mut random, 131_071),
        };
        seen[agree(&mut module, free, needs) as usize] += 1;
    }
    assert!(seen[0] > 100 && seen[1] > 100 && seen[63] > 5, "{seen:?}");
}

#[test]
fn one_unit_less_than_a_multiple_is_one_block_less() {
    let mut module = fresh(Fits::new());
    let plenty = SmxLimits {
        threads: 4_095,
        registers: 131_071,
        shared_memory: 131_071,
        thread_block_slots: 63,
    };
    let none = BlockNeeds::default();
    assert_eq!(agree(&mut module, plenty, none), 63, "slots alone");
    for times in 1..=15 {
        let threads = BlockNeeds { threads: 256, ..none };
        let registers = BlockNeeds { registers: 8_192, ..none };
        let shared = BlockNeeds { shared_memory: 8_192, ..none };
        for less in [0, 1] {
            let count = times - less;
            let free = SmxLimits { threads: 256 * times - less, ..plenty };
            assert_eq!(agree(&mut module, free, threads), count);
            let free = SmxLimits { registers: 8_192 * times - less, ..plenty };
            assert_eq!(agree(&mut module, free, registers), count);
            let free = SmxLimits { shared_memory: 8_192 * times - less, ..plenty };
            assert_eq!(agree(&mut module, free, shared), count);
            let free = SmxLimits { thread_block_slots: count, ..plenty };
            assert_eq!(agree(&mut module, free, none), count);
        }
    }
}
