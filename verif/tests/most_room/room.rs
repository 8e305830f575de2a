//! Rationale: combinational over what `fits` and `most` are tested with apart; random sets, needs,
//! and SMXs with different resources left, at N = 1, 3, 13, and masks of several words: 65 and 132.

use super::{words_of_free, words_of_needs};
use crate::harness::{fresh, mask, random};
use blockyard_rtl::module::settle;
use blockyard_rtl::most_room::Room;
use blockyard_sim::port::{BlockNeeds, SmxLimits};
use blockyard_sim::sched::{most_room as twin, SmxMask};
use rand::RngExt;
use twin::RoomInputs;

fn agree(module: &mut Room, request: SmxMask, needs: BlockNeeds, free: Vec<SmxLimits>) -> SmxMask {
    mask::drive(&mut module.request, request);
    module.needs.next = words_of_needs(needs);
    for (port, &free) in module.free.iter_mut().zip(&free) {
        port.next = words_of_free(free);
    }
    settle(module);
    let inputs = RoomInputs { request, needs, free };
    let expected = twin::Room.evaluate(&inputs).most;
    assert_eq!(mask::from_rtl(module.most.val()), expected, "{inputs:?}");
    expected
}

#[test]
fn hardware_and_twin_leave_the_same_smxs_of_those_that_ask() {
    for smxs in [1, 3, 13, 65, 132] {
        let mut module = fresh(Room::new(smxs));
        let mut random = random(smxs as u64);
        let (mut one, mut several) = (0, 0);
        for _ in 0..40_000 / (smxs + 20) {
            let needs = BlockNeeds {
                threads: random.random_range(0..=512),
                registers: random.random_range(0..=16_384),
                shared_memory: random.random_range(0..=16_384),
            };
            let free: Vec<SmxLimits> = (0..smxs)
                .map(|_| SmxLimits {
                    threads: random.random_range(0..=2_048),
                    registers: random.random_range(0..=65_536),
                    shared_memory: random.random_range(0..=65_536),
                    thread_block_slots: random.random_range(0..=32),
                })
                .collect();
            let request = mask::random_smxs(smxs, &mut random);
            match agree(&mut module, request, needs, free).count_ones() {
                0 => assert!(!request.any()),
                1 => one += 1,
                _ => several += 1,
            }
        }
        assert!(one > 50 && (smxs == 1 || several > 50), "{smxs} SMXs: {one}, {several}");
    }
}
