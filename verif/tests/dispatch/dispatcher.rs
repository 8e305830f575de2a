//! Rationale: 1. the state is that of four modules; random traffic fills and drains it while a gate
//! opens and closes at random. 2. N = 1, 3, 4, 13, 32, and masks of several words: 33, 65 and
//! 132.

use super::gated::Gated;
use crate::harness::{mask, random};
use blockyard::traffic::{Intensity, Traffic};
use blockyard_sim::port::{Inputs, SmxLimits};
use blockyard_sim::sched::SmxMask;

const C2050: SmxLimits =
    SmxLimits { threads: 1536, registers: 32_768, shared_memory: 49_152, thread_block_slots: 8 };

/// Runs random traffic; the number of blocks dispatched and of cycles in which the gate refused.
fn sample(smxs: usize, intensity: Intensity, seed: u64) -> (usize, usize) {
    let mut gated = Gated::new(smxs, C2050);
    let mut traffic = Traffic::new(smxs, C2050, intensity, seed);
    let mut random = random(seed);
    let mut inputs = Inputs::idle(smxs);
    let (mut dispatched, mut closed) = (0, 0);
    for cycle in 0..4_000 {
        traffic.next(&mut inputs);
        // Wide open, mostly closed, and shut by turns.
        let open = match cycle / 100 % 4 {
            0 | 1 => mask::all(smxs),
            2 => mask::random_smxs(smxs, &mut random) & mask::random_smxs(smxs, &mut random),
            _ => SmxMask::ZERO,
        };
        let outputs = gated.cycle(&inputs, open);
        traffic.observe(&inputs, &outputs);
        dispatched += outputs.dispatch.iter().flatten().count();
        closed += usize::from(!open.any());
    }
    (dispatched, closed)
}

#[test]
fn hardware_and_twin_agree_on_random_traffic_behind_a_gate() {
    for intensity in [Intensity::DENSE, Intensity::MIXED] {
        for (dispatched, closed) in [
            sample(1, intensity, 1),
            sample(3, intensity, 2),
            sample(4, intensity, 3),
            sample(13, intensity, 4),
            sample(32, intensity, 5),
            sample(33, intensity, 6),
            sample(65, intensity, 7),
            sample(132, intensity, 8),
        ] {
            assert!(
                dispatched > 50 && closed >= 1_000,
                "{dispatched} blocks, {closed} cycles shut"
            );
        }
    }
}
