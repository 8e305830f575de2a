//! Rationale: 1. the state is the choice of the cycle before; sets, an order, times with equals,
//! and counts beside the limit meet at random. 2. An SMX that samples and one that does not; limits
//! 1, 3 and 16.

use super::{any_kernel, choice, kernel, numbers, Order};
use crate::harness::{twin_calls, Lockstep, Twinned};
use blockyard_rtl::module::Module;
use blockyard_rtl::srtf::ShortestFirst;
use blockyard_rtl::word::U;
use blockyard_sim::sched::srtf as twin;
use rand::RngExt;
use twin::{ShortestFirstInputs as Inputs, ShortestFirstOutputs as Outputs};

impl Twinned for ShortestFirst {
    type Twin = twin::ShortestFirst;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.eligible.next = U::new(inputs.eligible.into());
        self.known.next = U::new(inputs.known.into());
        self.sampling.next = choice(inputs.sampling);
        self.sharing.next = inputs.sharing;
        for k in 0..8 {
            self.older[k].next = U::new(inputs.older[k].into());
            self.remaining[k].next = U::new(inputs.remaining[k]);
            self.staying[k].next = U::new(inputs.staying[k].into());
        }
    }
    fn observe(&self) -> Outputs {
        Outputs {
            first: kernel(self.first.val()),
            changed: self.changed.val(),
            choice: kernel(self.choice.val()),
        }
    }
    twin_calls!();
}

#[test]
fn hardware_and_twin_agree_on_random_kernels() {
    for (samples, limit) in [(true, 3), (false, 3), (true, 1), (false, 16)] {
        let hardware = ShortestFirst::new(samples, limit.into());
        let mut select = Lockstep::new(hardware, twin::ShortestFirst::new(samples, limit));
        let mut random = numbers(limit.into());
        let (mut turned, mut shared) = (0, 0);
        let mut inputs = Inputs::default();
        for _ in 0..40_000 {
            if random.random_bool(0.7) {
                let order = Order::any(&mut random);
                let most = u32::from(limit) + 1;
                inputs = Inputs {
                    reset: random.random_range(0..1_000) == 0,
                    eligible: random.random::<u8>() & random.random::<u8>(),
                    older: order.older,
                    known: random.random(),
                    remaining: order.times,
                    sampling: any_kernel(&mut random, 0.3),
                    sharing: random.random_bool(0.5),
                    staying: std::array::from_fn(|_| random.random_range(most - 2..=most)),
                };
            }
            let outputs = select.cycle(&inputs);
            turned += u32::from(outputs.changed);
            shared += u32::from(outputs.choice != outputs.first);
        }
        assert!(turned > 1_000 && shared > 100, "{turned}, {shared}");
    }
}
