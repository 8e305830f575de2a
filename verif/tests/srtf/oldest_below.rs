//! Rationale: combinational in sets, an order, counts and limits; counts are just below, at and
//! above their limits.

use super::{choice, kernel, numbers, Order};
use crate::harness::{Lockstep, Twinned};
use blockyard_rtl::srtf::OldestBelow;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Activity, KernelEntry};
use blockyard_sim::sched::srtf as twin;
use rand::RngExt;
use twin::OldestBelowInputs as Inputs;

impl Twinned for OldestBelow {
    type Twin = twin::OldestBelow;
    type Inputs = Inputs;
    type Outputs = Option<KernelEntry>;

    fn apply(&mut self, inputs: &Inputs) {
        self.eligible.next = U::new(inputs.eligible.into());
        for k in 0..8 {
            self.older[k].next = U::new(inputs.older[k].into());
            self.staying[k].next = U::new(inputs.staying[k].into());
            self.limit[k].next = U::new(inputs.limit[k].into());
        }
    }
    fn observe(&self) -> Self::Outputs {
        assert_eq!(choice(kernel(self.choice.val())), self.choice.val(), "zero when there is none");
        kernel(self.choice.val())
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Self::Outputs {
        twin.evaluate(inputs)
    }
    fn clock(_: &mut Self::Twin, _: &Inputs) -> Activity {
        Activity::Quiet
    }
    fn resets(_: &Inputs) -> bool {
        false
    }
}

#[test]
fn the_oldest_kernel_below_its_limit_is_served() {
    let mut select = Lockstep::new(OldestBelow::new(), twin::OldestBelow);
    let mut random = numbers(2);
    let (mut some, mut none) = (0, 0);
    for _ in 0..20_000 {
        let limit = std::array::from_fn(|_| random.random_range(1..=8));
        let inputs = Inputs {
            eligible: random.random::<u8>() & random.random::<u8>(),
            older: Order::any(&mut random).older,
            staying: std::array::from_fn(|k: usize| {
                let most: u32 = limit[k];
                random.random_range(most - 1..=most + 1)
            }),
            limit,
        };
        match select.cycle(&inputs) {
            Some(_) => some += 1,
            None => none += 1,
        }
    }
    assert!(some > 1_000 && none > 1_000, "{some}, {none}");
}
