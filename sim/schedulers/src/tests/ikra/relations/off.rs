//! Kernels without relations, and `relations=off`.

use super::*;

#[test]
fn without_the_key_relations_are_not_followed() {
    let launches =
        [kernel(24), related(kernel(24), 1, 1, 4), kernel(20), back(kernel(24), 2), kernel(24)];
    let plain = launches.map(|launch| related(launch, 1, 1, 0));
    for name in ["ikra/chunk", "ikra/reset", "ikra/flip", "ikra/steal", "rr", "rr-gpgpusim"] {
        let with = golden(name, 4, slots(2), &short(&launches));
        assert_eq!(with, golden(name, 4, slots(2), &short(&plain)), "{name}");
    }
}

/// Two schedulers that must say the same in every cycle.
struct Both(Box<dyn Scheduler>, Box<dyn Scheduler>);

impl Scheduler for Both {
    fn smx(&self) -> usize {
        self.0.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        let mut others = Outputs::idle(self.smx());
        let activities = (self.0.cycle(inputs, outputs), self.1.cycle(inputs, &mut others));
        assert_eq!((&*outputs, self.0.explain()), (&others, self.1.explain()));
        assert_eq!(activities.0, activities.1);
        activities.0
    }
}

fn without_relations() -> impl Strategy<Value = Vec<Work>> {
    let kernels = prop::collection::vec((0usize..2, 0u64..300, 0usize..9), 1..9);
    let durations = prop::collection::vec(1u64..40, 1..24);
    let grids = prop::array::uniform2((0u32..7, 1u32..5, 1u32..3));
    (kernels, durations, grids).prop_map(|(mut kernels, durations, grids)| {
        kernels.sort_by_key(|kernel| kernel.1);
        let of = |(which, arrive, turn): (usize, u64, usize)| {
            let (x, y, z) = grids[which];
            let mut durations = durations.clone();
            let middle = turn % durations.len();
            durations.rotate_left(middle);
            Work::new(arrive, grid(Dim3::new(x, y, z)), &durations)
        };
        kernels.into_iter().map(of).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn without_relations_every_cycle_is_as_with_relations_off(
        work in without_relations(), smx in 1usize..=6, slot in 1u32..=3,
        queue in prop::sample::select(vec![2, 4, 32]), latency in 0u8..5, stop in any::<bool>(),
    ) {
        let full = if stop { "stop" } else { "reinitialise" };
        let keys = format!("queue={queue},latency={latency},full={full}");
        let on: Composition = format!("ikra/steal({keys},relations=on)").parse().unwrap();
        let off: Composition = format!("ikra/steal({keys})").parse().unwrap();
        let build = |name| build(name, smx, slots(slot));
        let mut both = Both(build(&on), build(&off));
        let setup = Setup { last: 100_000, rules: (&off).into(), ..Setup::default() };
        let record = run_with(&mut both, slots(slot), &work, &setup);
        prop_assert_eq!(record.finished.len(), work.len());
    }
}
