//! Rationale: 1. the state is 32 credits; an entry that was never loaded since reset is undefined
//! and not asked about. 2. what 4, 32, 65 and 132 cores spend in a cycle.

use crate::harness::{drive_word, random, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::claso::GlobalCredits;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Activity, KernelEntry};
use blockyard_sim::sched::claso as twin;
use rand::RngExt;
use twin::{GlobalCreditsInputs as Inputs, GlobalCreditsOutputs as Outputs, Load};

impl Twinned for GlobalCredits {
    type Twin = twin::GlobalCredits;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.load.next = ports::tagged(inputs.load.map(|load| load.entry));
        self.add.next = ports::tagged(inputs.add.map(|add| add.entry));
        self.credits.next = U::new(inputs.load.or(inputs.add).map_or(0, |load| load.credits));
        self.kernel.next = U::new(inputs.kernel.0.into());
        drive_word(&mut self.spend, inputs.spend as usize);
    }
    fn observe(&self) -> Outputs {
        Outputs { available: self.available.val().raw() }
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        twin.evaluate(inputs)
    }
    fn clock(twin: &mut Self::Twin, inputs: &Inputs) -> Activity {
        twin.clock(inputs)
    }
    fn resets(inputs: &Inputs) -> bool {
        inputs.reset
    }
}

/// Credits of which all entries have none.
fn credits(cores: usize) -> Lockstep<GlobalCredits> {
    let mut credits = Lockstep::new(GlobalCredits::new(cores), twin::GlobalCredits::new());
    (0..32).for_each(|entry| credits.unobserved_cycle(&load(entry, 0)));
    credits
}

fn load(entry: u8, credits: u64) -> Inputs {
    let load = Load { entry: KernelEntry(entry), credits };
    Inputs { load: Some(load), ..Inputs::default() }
}

fn spend(kernel: u8, spend: u64) -> Inputs {
    Inputs { kernel: KernelEntry(kernel), spend, ..Inputs::default() }
}

/// One cycle; the credits of its kernel.
#[track_caller]
fn step(credits: &mut Lockstep<GlobalCredits>, inputs: &Inputs) -> u64 {
    credits.cycle(inputs).available
}

#[test]
fn hardware_and_twin_agree_on_random_loads_and_spendings() {
    for cores in [4, 32, 65, 132] {
        random_spendings(cores);
    }
}

fn random_spendings(cores: usize) {
    let mut random = random(1);
    let mut credits = credits(cores);
    let mut model = [0u64; 32];
    for _ in 0..20_000 {
        let kernel = random.random_range(0..32u8);
        let most = model[usize::from(kernel)].min(cores as u64);
        let mut inputs = spend(kernel, random.random_range(0..=most));
        let entry = random.random_range(0..32);
        if random.random_bool(0.3) && (entry != kernel || inputs.spend == 0) {
            inputs.load = load(entry, random.random_range(0..200)).load;
        }
        assert_eq!(step(&mut credits, &inputs), model[usize::from(kernel)]);
        model[usize::from(kernel)] -= inputs.spend;
        if let Some(load) = inputs.load {
            model[load.entry.index()] = load.credits;
        }
    }
}

#[test]
fn as_many_credits_as_there_are_cores_are_spent_in_one_cycle_down_to_none() {
    for cores in [32, 33, 65, 132, 144] {
        let mut credits = credits(cores);
        let most = cores as u64;
        step(&mut credits, &load(0, most + 1));
        assert_eq!(step(&mut credits, &spend(0, most)), most + 1);
        assert_eq!(step(&mut credits, &spend(0, 0)), 1);
        assert_eq!(step(&mut credits, &spend(0, 1)), 1);
        assert_eq!(step(&mut credits, &spend(0, 0)), 0);
    }
}

#[test]
fn the_most_credits_of_any_levels_and_grid_are_held() {
    for cores in [32, 132, 144] {
        let most = 65_535 * cores as u64;
        let mut credits = credits(cores);
        step(&mut credits, &load(31, most));
        assert_eq!(step(&mut credits, &spend(31, 1)), most);
        assert_eq!(step(&mut credits, &spend(31, 0)), most - 1);
    }
}

#[test]
fn a_load_is_seen_one_cycle_later_and_in_its_entry_alone() {
    let mut credits = credits(32);
    assert_eq!(step(&mut credits, &Inputs { kernel: KernelEntry(5), ..load(5, 9) }), 0);
    for kernel in 0..32 {
        assert_eq!(step(&mut credits, &spend(kernel, 0)), if kernel == 5 { 9 } else { 0 });
    }
}

#[test]
fn a_spending_and_a_load_of_another_entry_in_one_cycle_both_count() {
    let mut credits = credits(32);
    step(&mut credits, &load(0, 4));
    step(&mut credits, &Inputs { load: load(1, 6).load, ..spend(0, 3) });
    assert_eq!(step(&mut credits, &spend(0, 0)), 1);
    assert_eq!(step(&mut credits, &spend(1, 0)), 6);
}

#[test]
fn after_a_reset_a_loaded_entry_has_exactly_what_was_loaded() {
    let mut credits = credits(32);
    step(&mut credits, &load(0, 40));
    credits.cycle(&Inputs { reset: true, ..spend(0, 7) });
    credits.unobserved_cycle(&load(0, 2));
    assert_eq!(step(&mut credits, &spend(0, 2)), 2);
    assert_eq!(step(&mut credits, &spend(0, 0)), 0);
}

#[test]
fn a_groups_credits_come_on_top_of_what_is_spent_in_the_same_cycle() {
    let mut credits = credits(32);
    step(&mut credits, &load(3, 5));
    step(&mut credits, &Inputs { add: load(3, 4).load, ..spend(3, 2) });
    assert_eq!(step(&mut credits, &spend(3, 0)), 7);
    step(&mut credits, &Inputs { add: load(9, 4).load, ..spend(3, 7) });
    assert_eq!(step(&mut credits, &spend(3, 0)), 0);
    assert_eq!(step(&mut credits, &spend(9, 0)), 4);
}

#[test]
fn hardware_and_twin_agree_on_random_groups() {
    let (mut random, mut credits) = (random(8), credits(32));
    for _ in 0..5_000 {
        let kernel = random.random_range(0..4);
        let available = step(&mut credits, &spend(kernel, 0));
        let mut inputs = spend(kernel, random.random_range(0..=available.min(32)));
        if random.random_bool(0.5) {
            inputs.add = load(random.random_range(0..4), random.random_range(0..20)).load;
        }
        step(&mut credits, &inputs);
    }
}
