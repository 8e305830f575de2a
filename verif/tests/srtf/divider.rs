//! Rationale: 1. a pipeline of nine registers; requests in any cycle, drops of any of them. 2.
//! 100,000 random operands, all residencies, and the largest of each, against wide integers.

use super::{any_kernel, choice, numbers};
use crate::harness::{twin_calls, Lockstep, Twinned};
use blockyard_rtl::module::Module;
use blockyard_rtl::srtf::Divider;
use blockyard_rtl::word::U;
use blockyard_sim::port::KernelEntry;
use blockyard_sim::sched::srtf as twin;
use rand::RngExt;
use std::collections::VecDeque;
use twin::{DividerInputs as Inputs, DividerOutputs as Outputs, DividerRequest as Request};

impl Twinned for Divider {
    type Twin = twin::Divider;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.request.next = choice(inputs.request.as_ref().map(|request| request.kernel));
        if let Some(request) = &inputs.request {
            self.left.next = U::new(request.left.into());
            self.duration.next = U::new(request.duration.into());
            self.residency.next = U::new(request.residency.into());
        }
        self.drop.next = U::new(inputs.drop.into());
    }
    fn observe(&self) -> Outputs {
        let result = super::kernel(self.result.val());
        assert!(result.is_some() || self.quotient.val().raw() == 0, "zero without a result");
        Outputs { result: result.map(|kernel| (kernel, self.quotient.val().raw())) }
    }
    twin_calls!();
}

fn divider() -> Lockstep<Divider> {
    Lockstep::new(Divider::new(), twin::Divider::new())
}

fn request(left: u32, duration: u32, residency: u32) -> Request {
    Request { kernel: KernelEntry(left as u8 % 8), left, duration, residency }
}

/// Equation 2's second term, as wide as it needs to be.
fn expected(request: &Request) -> u64 {
    let exact =
        u128::from(request.left) * u128::from(request.duration) / u128::from(request.residency);
    exact.min((1 << 40) - 1) as u64
}

#[test]
fn a_quotient_is_exact_and_comes_nine_cycles_after_its_request() {
    let (mut divider, mut random) = (divider(), numbers(1));
    let mut waiting: VecDeque<Option<Request>> = VecDeque::from(vec![None; 9]);
    let (most_left, most_duration) = ((1 << 24) - 1, u32::MAX);
    for cycle in 0..100_000u32 {
        let residency = cycle % 16 + 1;
        let asked = match cycle {
            0..16 => request(most_left, most_duration, residency),
            16..32 => request(0, most_duration, residency),
            32..48 => request(most_left, 1, residency),
            _ => {
                let shift = random.random_range(0..24);
                request(
                    random.random_range(0..=most_left) >> shift,
                    random.random::<u32>() >> random.random_range(0..32),
                    residency,
                )
            }
        };
        waiting.push_back(Some(asked));
        let outputs = divider.cycle(&Inputs { request: Some(asked), ..Inputs::default() });
        let due = waiting.pop_front().flatten();
        let due = due.map(|request| (request.kernel, expected(&request)));
        assert_eq!(outputs.result, due, "cycle {cycle}");
    }
}

#[test]
fn a_kernel_that_leaves_drops_its_requests_in_every_register() {
    for age in 0..=9 {
        let mut divider = divider();
        let asked = Request { kernel: KernelEntry(6), ..request(8, 9, 2) };
        let drop = |now| if now { 1 << 6 } else { 0 };
        divider.cycle(&Inputs { request: Some(asked), drop: drop(age == 0), reset: false });
        for since in 1..=10 {
            let inputs = Inputs { drop: drop(since == age), ..Inputs::default() };
            assert_eq!(divider.cycle(&inputs).result, None, "dropped {age} cycles after");
        }
    }
}

#[test]
fn hardware_and_twin_agree_on_random_requests_and_drops() {
    let (mut divider, mut random) = (divider(), numbers(2));
    for _ in 0..40_000 {
        let kernel = any_kernel(&mut random, 0.6);
        let asked = kernel.map(|kernel| Request {
            kernel,
            left: random.random_range(0..1 << 24),
            duration: random.random(),
            residency: random.random_range(1..=16),
        });
        let leaves = any_kernel(&mut random, 0.1);
        divider.cycle(&Inputs {
            reset: random.random_range(0..1_000) == 0,
            request: asked,
            drop: leaves.map_or(0, |kernel| 1 << kernel.0),
        });
    }
}
