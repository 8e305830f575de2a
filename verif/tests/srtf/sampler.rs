//! Rationale: 1. the state is idle, sampling or copying one of eight kernels; kernels lose their
//! last block while they are sampled, results of others come in between. 2. Samples of 1, 2 and 255
//! blocks.

use super::{any_kernel, choice, kernel, numbers, Order};
use crate::harness::{twin_calls, Lockstep, Twinned};
use blockyard_rtl::module::Module;
use blockyard_rtl::srtf::Sampler;
use blockyard_rtl::word::U;
use blockyard_sim::port::KernelEntry;
use blockyard_sim::sched::srtf as twin;
use rand::RngExt;
use twin::{SamplerInputs as Inputs, SamplerOutputs as Outputs};

impl Twinned for Sampler {
    type Twin = twin::Sampler;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.launch.next = choice(inputs.launch);
        self.alone.next = inputs.alone;
        self.eligible.next = U::new(inputs.eligible.into());
        for k in 0..8 {
            self.older[k].next = U::new(inputs.older[k].into());
        }
        self.stored.next = choice(inputs.stored);
    }
    fn observe(&self) -> Outputs {
        Outputs { sampling: kernel(self.sampling.val()), copying: kernel(self.copying.val()) }
    }
    twin_calls!();
}

fn sampler(sample: u8) -> Lockstep<Sampler> {
    Lockstep::new(Sampler::new(sample.into()), twin::Sampler::new(sample))
}

#[test]
fn a_newcomer_is_sampled_until_enough_of_its_blocks_have_given_a_result_and_then_copied_once() {
    for sample in [1, 2, 255] {
        let mut sampler = sampler(sample);
        sampler.cycle(&Inputs { launch: Some(KernelEntry(4)), ..Inputs::default() });
        let there = Inputs { eligible: 1 << 4, ..Inputs::default() };
        assert_eq!(sampler.cycle(&there).sampling, None);
        assert_eq!(sampler.cycle(&there).sampling, Some(KernelEntry(4)));
        let stored = Inputs { stored: Some(KernelEntry(4)), ..there.clone() };
        for _ in 0..sample {
            sampler.cycle(&Inputs { stored: Some(KernelEntry(3)), ..there.clone() });
            assert_eq!(sampler.cycle(&stored).sampling, Some(KernelEntry(4)));
        }
        let copied = sampler.cycle(&there);
        assert_eq!((copied.sampling, copied.copying), (None, Some(KernelEntry(4))));
        for _ in 0..3 {
            assert_eq!(sampler.cycle(&there), Outputs { sampling: None, copying: None });
        }
    }
}

#[test]
fn a_kernel_that_meets_no_other_one_is_not_sampled() {
    let mut sampler = sampler(1);
    let launch = Some(KernelEntry(0));
    sampler.cycle(&Inputs { launch, alone: true, ..Inputs::default() });
    for _ in 0..3 {
        let there = Inputs { eligible: 1, ..Inputs::default() };
        assert_eq!(sampler.cycle(&there).sampling, None);
    }
}

#[test]
fn hardware_and_twin_agree_on_random_kernels() {
    for sample in [1, 2, 3] {
        let (mut sampler, mut random) = (sampler(sample), numbers(sample.into()));
        let mut inputs = Inputs::default();
        for _ in 0..40_000 {
            inputs.reset = random.random_range(0..3_000) == 0;
            inputs.alone = random.random_bool(0.2);
            if random.random_bool(0.05) {
                inputs.eligible = random.random::<u8>() & random.random::<u8>();
                inputs.older = Order::any(&mut random).older;
            }
            // What is launched was not there.
            inputs.launch = any_kernel(&mut random, 0.2)
                .filter(|kernel| inputs.eligible >> kernel.index() & 1 == 0);
            inputs.stored = any_kernel(&mut random, 0.4);
            sampler.cycle(&inputs);
        }
    }
}
