//! Rationale: the state is the open cluster's GPC and a pointer each; random requests and counts on
//! every floor plan of `plans`.

use super::plans;
use crate::harness::{mask, random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::clusters::Balance;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::FloorPlan;
use blockyard_sim::sched::{clusters as twin, SmxMask};
use rand::RngExt;
use twin::{BalanceInputs as Inputs, BalanceOutputs as Outputs};

impl Twinned for Balance {
    type Twin = twin::Balance;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        mask::drive(&mut self.ready, inputs.ready);
        for (smx, port) in self.count.iter_mut().enumerate() {
            port.next = U::new(inputs.count[smx].into());
        }
        self.size.next = U::new(inputs.size.into());
        self.closes.next = inputs.closes;
    }
    fn observe(&self) -> Outputs {
        Outputs { grant: mask::from_rtl(self.grant.val()) }
    }
    twin_calls!();
}

fn balance(plan: &FloorPlan) -> Lockstep<Balance> {
    Lockstep::new(Balance::new(plan.gpcs()), twin::Balance::new(plan))
}

#[test]
fn hardware_and_twin_agree_whatever_leaves_and_comes_while_a_cluster_is_open() {
    let mut all_refusals = 0;
    for (seed, plan) in plans().iter().enumerate() {
        let (mut balance, mut random) = (balance(plan), random(seed as u64));
        let smxs = plan.smx();
        let (mut size, mut placed) = (1, 0);
        let (mut grants, mut refusals) = (0, 0);
        for _ in 0..4_000 {
            if placed == 0 {
                size = random.random_range(1..=16);
            }
            let any = random.random_range(0..8) > 0;
            let ready = if any { mask::random_smxs(smxs, &mut random) } else { SmxMask::ZERO };
            let most = [2, 8, 63][random.random_range(0..3)];
            let counts = (0..smxs).map(|_| random.random_range(1..=most)).collect();
            let reset = random.random_range(0..300) == 0;
            let closes = placed + 1 == size;
            let inputs = Inputs { reset, ready, count: counts, size, closes };
            let grant = balance.cycle(&inputs).grant;
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
        // A large GPC nearly always has room for sixteen blocks.
        all_refusals += refusals;
    }
    assert!(all_refusals > 100, "{all_refusals} refusals");
}

/// One cycle of a plan of a few SMXs, all of them ready whose count is not zero.
fn grant(balance: &mut Lockstep<Balance>, counts: &[u32], size: u32, closes: bool) -> u32 {
    let mut ready = SmxMask::ZERO;
    for (smx, &count) in counts.iter().enumerate() {
        ready.set(smx, count > 0);
    }
    let count = counts.iter().copied().collect();
    mask::to_bits(balance.cycle(&Inputs { reset: false, ready, count, size, closes }).grant)
}

#[test]
fn a_gpc_with_room_for_exactly_the_cluster_takes_it_and_one_block_less_is_too_few() {
    let plan = FloorPlan::new(4, &[2, 2]);
    let mut balance = balance(&plan);
    assert_eq!(grant(&mut balance, &[2, 1, 3, 0], 4, false), 0);
    assert_eq!(grant(&mut balance, &[2, 1, 3, 1], 4, false), 0b0100, "GPC 1, where most fits");
    assert_eq!(grant(&mut balance, &[9, 9, 2, 1], 4, false), 0b0100);
    assert_eq!(grant(&mut balance, &[9, 9, 1, 1], 4, false), 0b1000, "a tie: behind SMX 2");
    assert_eq!(grant(&mut balance, &[9, 9, 1, 0], 4, true), 0b0100);
    assert_eq!(grant(&mut balance, &[9, 9, 9, 9], 1, true), 0b0001, "GPC 0 is next");
}
