//! Rationale: 1. the state is what each pool holds and how far the search is; records come to all
//! pools and to few. 2. One queue, several, 13, and more than a word has bits; L of 1, 2, 4 and 8.

use super::{place, queue_place};
use crate::harness::{random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::laperm::BoundPools;
use blockyard_rtl::module::Module;
use blockyard_sim::port::QueuePlace;
use blockyard_sim::sched::laperm::{
    self as twin, Binding, BoundPoolsInputs as Inputs, BoundPoolsOutputs as Outputs, LapermConfig,
};
use rand::RngExt;

impl Twinned for BoundPools {
    type Twin = twin::BoundPools;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.put.next = inputs.launch.is_some();
        let launch = inputs.launch.unwrap_or(QueuePlace { queue: 0, level: 1 });
        self.place.next = place(launch, self.place.next);
        self.search.next = inputs.search;
    }
    fn observe(&self) -> Outputs {
        let pool = queue_place(self.found_place.val());
        let fetch = self.found.val().then(|| (pool, self.index.val().raw() as u32));
        Outputs { fetch }
    }
    twin_calls!();
}

/// The pools of `smxs` SMXs, of which `cluster` share a queue.
fn pools(smxs: usize, cluster: u8, levels: u8) -> Lockstep<BoundPools> {
    let config = LapermConfig { levels, cluster, ..LapermConfig::new(Binding::Bound) };
    let hardware = BoundPools::new(smxs, config.queues(smxs), levels.into());
    Lockstep::new(hardware, twin::BoundPools::new(&config, smxs))
}

fn random_records(smxs: usize, cluster: u8, levels: u8) {
    let (mut random, mut pools) = (random(levels.into()), pools(smxs, cluster, levels));
    let queues = smxs.div_ceil(cluster.into());
    let mut found = 0;
    for cycle in 0..20_000 {
        let busy = [0.7, 0.05, 0.3][cycle / 500 % 3];
        let queue = random.random_range(0..queues) as u8;
        let level = random.random_range(1..=levels);
        let launch = random.random_bool(busy).then_some(QueuePlace { queue, level });
        let reset = random.random_ratio(1, 4000);
        found += u32::from(
            pools.cycle(&Inputs { reset, launch, search: random.random_bool(0.8) }).fetch.is_some(),
        );
    }
    assert!(found > 2_000, "{found}");
}

#[test]
fn hardware_and_twin_find_the_same_records() {
    random_records(1, 1, 1);
    random_records(3, 1, 2);
    random_records(13, 1, 4);
    random_records(16, 1, 8);
    random_records(33, 1, 4);
    random_records(65, 1, 2);
    random_records(132, 2, 4);
    random_records(132, 1, 8);
}

#[test]
fn a_record_is_found_after_as_many_cycles_as_levels_above_its_own_are_looked_at_section_iv_e() {
    for level in 1..=4 {
        let mut pools = pools(3, 1, 4);
        let launch = Some(QueuePlace { queue: 1, level });
        pools.cycle(&Inputs { launch, ..Inputs::default() });
        let search = Inputs { search: true, ..Inputs::default() };
        let waits = (0..10).take_while(|_| pools.cycle(&search).fetch.is_none()).count();
        assert_eq!(waits, usize::from(4 - level));
    }
}

#[test]
fn queues_are_visited_round_robin_and_each_gives_its_highest_level() {
    let mut pools = pools(3, 1, 2);
    for (queue, level) in [(0, 1), (0, 2), (0, 2), (2, 1), (1, 2)] {
        pools.cycle(&Inputs { launch: Some(QueuePlace { queue, level }), ..Inputs::default() });
    }
    let mut found = Vec::new();
    while found.len() < 5 {
        let seen = pools.cycle(&Inputs { search: true, ..Inputs::default() });
        found.extend(seen.fetch.map(|(place, index)| (place.queue, place.level, index)));
    }
    assert_eq!(found, [(0, 2, 0), (1, 2, 0), (2, 1, 0), (0, 2, 1), (0, 1, 0)]);
}
