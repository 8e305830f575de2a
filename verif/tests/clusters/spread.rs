//! Rationale: the state is an open cluster's members and a pointer each; random requests, of which
//! SMXs leave and come as they like, on every floor plan of `plans`.

use super::plans;
use crate::harness::{mask, random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::clusters::Spread;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::FloorPlan;
use blockyard_sim::sched::{clusters as twin, SmxMask};
use rand::RngExt;
use twin::{SpreadInputs as Inputs, SpreadOutputs as Outputs};

impl Twinned for Spread {
    type Twin = twin::Spread;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        mask::drive(&mut self.ready, inputs.ready);
        mask::drive(&mut self.vacant, inputs.vacant);
        self.size.next = U::new(inputs.size.into());
        self.closes.next = inputs.closes;
    }
    fn observe(&self) -> Outputs {
        Outputs { grant: mask::from_rtl(self.grant.val()) }
    }
    twin_calls!();
}

fn spread(plan: &FloorPlan) -> Lockstep<Spread> {
    Lockstep::new(Spread::new(plan.gpcs()), twin::Spread::new(plan))
}

#[test]
fn hardware_and_twin_agree_whatever_leaves_and_comes_while_a_cluster_is_open() {
    for (seed, plan) in plans().iter().enumerate() {
        let (mut spread, mut random) = (spread(plan), random(seed as u64));
        let smxs = plan.smx();
        let (mut size, mut placed) = (1, 0);
        let (mut grants, mut refusals) = (0, 0);
        for _ in 0..4_000 {
            if placed == 0 {
                size = random.random_range(1..=plan.gpcs()[0].min(16) as u32 + 1).min(16);
            }
            let any = random.random_range(0..8) > 0;
            let ready = if any { mask::random_smxs(smxs, &mut random) } else { SmxMask::ZERO };
            let more = mask::random_smxs(smxs, &mut random);
            let ready = if random.random_bool(0.5) { ready | more } else { ready };
            let vacant = mask::random_smxs(smxs, &mut random);
            let reset = random.random_range(0..300) == 0;
            let closes = placed + 1 == size;
            let grant = spread.cycle(&Inputs { reset, ready, vacant, size, closes }).grant;
            assert!(grant.count_ones() <= 1);
            grants += grant.count_ones();
            refusals += usize::from(ready.any() && !grant.any());
            placed = match grant.any() {
                _ if reset => 0,
                true if closes => 0,
                true => placed + 1,
                false => placed,
            };
        }
        assert!(grants > 500, "{plan:?}: {grants} grants");
        assert!(smxs == 1 || refusals > 20, "{plan:?}: {refusals} refusals");
    }
}

/// One cycle of a plan of up to 32 SMXs.
fn grant(spread: &mut Lockstep<Spread>, ready: u32, vacant: u32, size: u32, closes: bool) -> u32 {
    let [ready, vacant] = [ready, vacant].map(mask::from_bits);
    mask::to_bits(spread.cycle(&Inputs { reset: false, ready, vacant, size, closes }).grant)
}

#[test]
fn vacant_smxs_go_first_then_occupied_ones_and_both_only_when_neither_is_enough() {
    let plan = FloorPlan::new(5, &[5]);
    // Three of five are vacant: a cluster of three takes them, in spite of the pointer.
    let mut both = spread(&plan);
    assert_eq!(grant(&mut both, 0b11111, 0b10110, 3, false), 0b00010);
    assert_eq!(grant(&mut both, 0b11111, 0b10100, 3, false), 0b00100);
    assert_eq!(grant(&mut both, 0b11111, 0b10000, 3, true), 0b10000);
    // One is vacant and four are not: a cluster of two takes of the four.
    assert_eq!(grant(&mut both, 0b11111, 0b00001, 2, false), 0b00010);
    assert_eq!(grant(&mut both, 0b11111, 0b00001, 2, true), 0b00100);
    // Two and three: a cluster of four takes of all.
    assert_eq!(grant(&mut both, 0b11111, 0b00011, 4, false), 0b01000);
    assert_eq!(grant(&mut both, 0b11111, 0b00011, 4, false), 0b10000);
    assert_eq!(grant(&mut both, 0b11111, 0b00011, 4, false), 0b00001);
    assert_eq!(grant(&mut both, 0b11111, 0b00011, 4, true), 0b00010);
}

#[test]
fn a_gpc_with_one_smx_too_few_is_passed_by_and_the_pointer_goes_on_behind_the_one_that_took() {
    let mut spread = spread(&FloorPlan::new(7, &[3, 2, 2]));
    let all = 0b1111111;
    assert_eq!(grant(&mut spread, 0b1101011, all, 3, false), 0, "GPC 0 lacks one");
    assert_eq!(grant(&mut spread, 0b1101011, all, 2, false), 0b0000001);
    assert_eq!(grant(&mut spread, 0b1101011, all, 2, true), 0b0000010);
    assert_eq!(grant(&mut spread, 0b1101011, all, 2, false), 0b0100000, "GPC 1 lacks one");
    assert_eq!(grant(&mut spread, 0b1101011, all, 2, true), 0b1000000);
    assert_eq!(grant(&mut spread, 0b1111111, all, 1, true), 0b0000100, "GPC 0, its pointer");
    assert_eq!(grant(&mut spread, 0b1111111, all, 1, true), 0b0001000);
}
