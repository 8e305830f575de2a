//! Rationale: 1. the state is a place in a round of all domains' chunks; random steps and restarts
//! go through all of them. 2. Each domain of 1 to 8, chunks of 1, 2, 3, a power of two, and the
//! largest.

use crate::harness::{random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::domains::Walk;
use blockyard_rtl::module::Module;
use blockyard_sim::sched::domains as twin;
use rand::RngExt;
use twin::{WalkInputs as Inputs, WalkOutputs as Outputs};

impl Twinned for Walk {
    type Twin = twin::Walk;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.step.next = inputs.step;
        self.restart.next = inputs.restart;
    }
    fn observe(&self) -> Outputs {
        Outputs { own: self.own.val() }
    }
    twin_calls!();
}

fn walk(domain: usize, domains: usize, chunk: u16) -> Lockstep<Walk> {
    let hardware = Walk::new(domains, domain, chunk.into());
    Lockstep::new(hardware, twin::Walk::new(domain, domains, chunk))
}

const STEP: Inputs = Inputs { reset: false, step: true, restart: false };

#[test]
fn hardware_and_twin_agree_on_random_steps_and_restarts() {
    for domains in 1..=8 {
        for (domain, chunk) in (0..domains).flat_map(|domain| [1, 2, 3, 64].map(|k| (domain, k))) {
            let mut walk = walk(domain, domains, chunk);
            let mut random = random(u64::from(chunk) + domains as u64);
            let (mut own, mut others) = (0, 0);
            for _ in 0..4_000 {
                let inputs = Inputs {
                    reset: random.random_range(0..2_000) == 0,
                    step: random.random_bool(0.9),
                    restart: random.random_range(0..1_500) == 0,
                };
                let seen = walk.cycle(&inputs);
                own += u32::from(seen.own);
                others += u32::from(!seen.own);
            }
            assert!(own > 50 && (others > 50 || domains == 1), "{domain} of {domains}, {chunk}");
        }
    }
}

#[test]
fn exactly_one_domain_owns_each_block_and_its_chunk_alone() {
    for (domains, chunk) in [(1, 1), (2, 1), (3, 2), (5, 4), (8, 1), (8, 3)] {
        let mut walks: Vec<_> = (0..domains).map(|domain| walk(domain, domains, chunk)).collect();
        for block in 0..3 * domains * usize::from(chunk) {
            let owners: Vec<usize> = walks
                .iter_mut()
                .enumerate()
                .filter_map(|(at, walk)| walk.cycle(&STEP).own.then_some(at))
                .collect();
            assert_eq!(owners, [block / usize::from(chunk) % domains], "block {block}");
        }
    }
}

#[test]
fn the_largest_chunks_go_round() {
    let mut walk = walk(7, 8, twin::Walk::MOST_BLOCKS);
    for block in 0..2 * 8 * 1024 {
        assert_eq!(walk.cycle(&STEP).own, block / 1024 % 8 == 7, "block {block}");
    }
}

#[test]
fn a_restart_goes_before_a_step() {
    let mut walk = walk(0, 3, 2);
    walk.cycle(&STEP);
    assert!(walk.cycle(&STEP).own, "block 1");
    assert!(!walk.cycle(&Inputs { restart: true, ..STEP }).own, "block 2");
    assert!(walk.cycle(&STEP).own, "block 0");
    assert!(walk.cycle(&STEP).own, "block 1");
    assert!(!walk.cycle(&STEP).own, "block 2");
}
