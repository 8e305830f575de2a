//! Rationale: 1. the state is an order of N SMXs; for N up to 4 every order meets every request.
//! 2. N = 1, 2, 3, 5, and masks of several words: 33, 65 and 132.

use crate::harness::{mask, random, Lockstep, Twinned};
use blockyard_rtl::module::Module;
use blockyard_rtl::oldest_first::Order;
use blockyard_sim::port::{Activity, KernelEntry};
use blockyard_sim::sched::{oldest_first as twin, AdmissionGate, SmxMask};
use rand::RngExt;

const ANY: KernelEntry = KernelEntry(0);

#[derive(Clone, Debug, Default)]
pub struct Inputs {
    reset: bool,
    request: SmxMask,
    taken: SmxMask,
}

impl Twinned for Order {
    type Twin = twin::Order;
    type Inputs = Inputs;
    type Outputs = SmxMask;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        mask::drive(&mut self.request, inputs.request);
        mask::drive(&mut self.taken, inputs.taken);
    }
    fn observe(&self) -> SmxMask {
        mask::from_rtl(self.allow.val())
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> SmxMask {
        twin.allow(ANY, inputs.request, 0)
    }
    fn clock(twin: &mut Self::Twin, inputs: &Inputs) -> Activity {
        match inputs.reset {
            true => twin.reset(),
            false => twin.taken(ANY, inputs.taken),
        }
    }
    fn resets(inputs: &Inputs) -> bool {
        inputs.reset
    }
}

fn order(smxs: usize) -> Lockstep<Order> {
    Lockstep::new(Order::new(smxs), twin::Order::new(smxs))
}

fn only(smx: usize) -> SmxMask {
    mask::from_bits(1 << smx)
}

/// All sequences in which each of `smxs` SMXs is served once.
fn sequences(smxs: usize) -> impl Iterator<Item = Vec<usize>> {
    let digits = move |code: usize| (0..smxs).map(|at| code / smxs.pow(at as u32) % smxs).collect();
    let all = (0..smxs.pow(smxs as u32)).map(digits);
    all.filter(move |served: &Vec<usize>| (0..smxs).all(|smx| served.contains(&smx)))
}

#[test]
fn in_every_order_of_service_the_one_that_was_served_longest_ago_goes_first() {
    for smxs in 1..=4 {
        for served in sequences(smxs) {
            let mut order = order(smxs);
            for &smx in &served {
                let request = only(smx);
                order.cycle(&Inputs { request, taken: request, reset: false });
            }
            for bits in 0..1u32 << smxs {
                let request = mask::from_bits(bits);
                let allow = order.cycle(&Inputs { request, ..Inputs::default() });
                let oldest = served.iter().find(|&&smx| bits >> smx & 1 == 1);
                assert_eq!(allow.first_one(), oldest.copied(), "{served:?}, request {bits:b}");
            }
        }
    }
}

#[test]
fn random_requests_are_served_alike_at_any_number_of_smxs() {
    for smxs in [1, 2, 3, 5, 33, 65, 132] {
        let mut order = order(smxs);
        let mut random = random(smxs as u64);
        for _ in 0..2_000 {
            let reset = random.random_range(0..200) == 0;
            let request = mask::random_smxs(smxs, &mut random);
            let seen = order.cycle(&Inputs { request, ..Inputs::default() });
            // What is allowed is taken now and then, in the cycle in which it is.
            let taken = if random.random_bool(0.7) { seen } else { SmxMask::ZERO };
            order.cycle(&Inputs { reset, request, taken });
        }
    }
}
