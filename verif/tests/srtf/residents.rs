//! Rationale: the state is a count of each of eight kernels; random blocks come and go, also of one
//! kernel in one cycle.

use super::{any_kernel, choice, numbers};
use crate::harness::{twin_calls, Lockstep, Twinned};
use blockyard_rtl::module::Module;
use blockyard_rtl::srtf::Residents;
use blockyard_sim::sched::srtf as twin;
use rand::RngExt;
use twin::{KernelResidentsInputs as Inputs, KernelResidentsOutputs as Outputs};

impl Twinned for Residents {
    type Twin = twin::KernelResidents;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.finished.next = choice(inputs.finished);
        self.taken.next = choice(inputs.taken);
    }
    fn observe(&self) -> Outputs {
        Outputs {
            resident: std::array::from_fn(|k| self.resident[k].val().raw() as u32),
            staying: std::array::from_fn(|k| self.staying[k].val().raw() as u32),
        }
    }
    twin_calls!();
}

#[test]
fn hardware_and_twin_agree_on_random_blocks_up_to_a_full_smx() {
    let mut residents = Lockstep::new(Residents::new(), twin::KernelResidents::new());
    let mut random = numbers(1);
    let mut most = 0;
    for cycle in 0..40_000u32 {
        let filling = cycle / 200 % 2 == 0;
        let mut inputs = Inputs { reset: random.random_range(0..2_000) == 0, ..Default::default() };
        let state = residents.peek(&inputs).resident;
        let leaves = any_kernel(&mut random, if filling { 0.1 } else { 0.8 });
        inputs.finished = leaves.filter(|kernel| state[kernel.index()] > 0);
        let comes = any_kernel(&mut random, if filling { 0.8 } else { 0.1 });
        inputs.taken = comes.filter(|_| state.iter().sum::<u32>() < 63);
        most = most.max(state.iter().sum());
        residents.cycle(&inputs);
    }
    assert_eq!(most, 63);
}
