//! Gates over every source: limits of resident blocks over all of them, credits over those that may
//! have some.

use super::super::{build, Composition};
use super::harness::*;
use super::throttling::{rows, smxs, work};
use crate::port::*;
use proptest::prelude::*;

const CLASO: &str = "+claso(pa=1,pl=0)";

/// Sources that take credits.
const CREDITED: [&str; 11] = [
    "rr",
    "rr(start=last-finished)",
    "rr-gpgpusim",
    "ikra/chunk",
    "ikra/reset",
    "ikra/flip",
    "laperm/tb-pri",
    "laperm/adaptive-bind",
    "most-room",
    "priority",
    "priority(levels=2)",
];

/// Sources that do not.
const OTHERS: [&str; 13] = [
    "laperm/smx-bind",
    "ikra/steal",
    "ikra/steal(thief=dispatched)",
    "ikra/steal(queue=2,latency=3,full=stop)",
    "ikra/steal(relations=on)",
    "mpmax",
    "srtf",
    "srtf/adaptive(limit=1,threshold=0)",
    "sjf(runtimes=900:800:700,wait=9)",
    "ljf(runtimes=900:800:700)",
    "srtf/zero-sampling(runtimes=900:800:700)",
    "clusters",
    "clusters(policy=balance)",
];

/// Any source with its gates but DYNCTA.
fn sources() -> impl Strategy<Value = String> {
    let credited = (prop::sample::select(&CREDITED[..]), any::<bool>())
        .prop_map(|(source, gated)| source.to_owned() + if gated { CLASO } else { "" });
    prop_oneof![credited, prop::sample::select(&OTHERS[..]).prop_map(str::to_owned)]
}

fn all() -> impl Iterator<Item = &'static str> {
    CREDITED.into_iter().chain(OTHERS)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_limit_of_all_slots_is_the_source_alone_cycle_by_cycle(
        mut work in work(), smx in smxs(), slot_count in 1u32..=9, source in sources(),
    ) {
        // Eight samples that raise the limit come before the first kernel.
        work.iter_mut().for_each(|work| work.arrive += 80);
        let sampling = Some(Sampling::new(PERIOD, &[&[MORE]]));
        let limits = slots(slot_count);
        let alone = golden(&source, smx, limits, &work);
        let (name, other) = source.split_once('+').unwrap_or((&source, ""));
        let other = if other.is_empty() { other.to_owned() } else { format!("+{other}") };
        let throttled = format!("{name}{DYNCTA}{other}");
        prop_assert_eq!(&golden_with(&throttled, smx, limits, &work, false, sampling), &alone);
    }

    #[test]
    fn every_block_runs_once_below_the_limits_whatever_the_samples_and_skipping_shows_nothing(
        work in work(), smx in smxs(), slot_count in 1u32..=9, source in sources(), rows in rows(),
    ) {
        // The invariants of the run refuse a block at the limit, but for one that was asked for
        // below it.
        let name = source + DYNCTA;
        let sampling = Sampling { period: PERIOD, rows };
        let limits = slots(slot_count);
        let record = golden_with(&name, smx, limits, &work, false, Some(sampling.clone()));
        prop_assert_eq!(record.finished.len(), work.len());
        for (kernel, work) in work.iter().enumerate() {
            let of = record.issues.iter().filter(|issue| issue.kernel == kernel);
            let mut blocks: Vec<_> = of.map(|issue| issue.block).collect();
            blocks.sort_unstable();
            prop_assert!(blocks.into_iter().eq(0..u64::from(work.launch.blocks)));
        }
        let skipped = golden_with(&name, smx, limits, &work, true, Some(sampling));
        prop_assert!(skipped.simulated <= record.simulated);
        prop_assert_eq!(Record { simulated: record.simulated, ..skipped }, record);
    }
}

#[test]
fn after_a_reset_in_any_cycle_a_gated_scheduler_behaves_as_a_new_one() {
    let both = CREDITED.map(|source| format!("{source}{DYNCTA}{CLASO}"));
    for name in both.into_iter().chain(OTHERS.map(|source| format!("{source}{DYNCTA}"))) {
        let composition: Composition = name.parse().unwrap();
        let work = [Work::new(0, kernel(24), &[13, 5, 8]), Work::new(3, kernel(5), &[4])];
        let rows: [&[_]; 3] = [&[MORE, LESS, SAME], &[MORE, SAME, LESS], &[LESS, MORE, MORE]];
        let setup = Setup {
            last: 10_000,
            skip: false,
            sampling: Some(Sampling::new(PERIOD, &rows)),
            rules: (&composition).into(),
            ..Setup::default()
        };
        let mut scheduler = build(&composition, 3, slots(4));
        let fresh = run_with(scheduler.as_mut(), slots(4), &work, &setup);
        assert!(fresh.simulated > 30, "samples of every row: {}", fresh.simulated);
        for last in 0..fresh.simulated {
            run_with(scheduler.as_mut(), slots(4), &work, &Setup { last, ..setup.clone() });
            let samples = Some(vec![CoreSample { idle: 9, memory: 0 }; 3]);
            let reset = Inputs { reset: true, samples, ..Inputs::idle(3) };
            let mut outputs = Outputs::default();
            scheduler.cycle(&reset, &mut outputs);
            let again = scheduler.cycle(&reset, &mut outputs);
            assert_eq!(again, Activity::Quiet, "nothing to reset");
            let again = run_with(scheduler.as_mut(), slots(4), &work, &setup);
            assert_eq!(again, fresh, "{name}, reset after {last} cycles");
            scheduler.cycle(&reset, &mut outputs);
        }
    }
}

#[test]
fn a_sample_is_stored_when_it_moves_a_limit_whatever_the_source() {
    for source in all() {
        let mut scheduler = build(&format!("{source}{DYNCTA}").parse().unwrap(), 2, slots(2));
        let mut send = |(idle, memory)| {
            let samples = Some(vec![CoreSample { idle, memory }; 2]);
            scheduler.cycle(&Inputs { samples, ..Inputs::idle(2) }, &mut Outputs::idle(2))
        };
        let (quiet, busy) = (Activity::Quiet, Activity::Busy);
        assert_eq!([LESS, MORE, MORE, LESS].map(&mut send), [quiet, busy, quiet, busy], "{source}");
    }
}

#[test]
fn the_report_of_a_stuck_run_has_the_limits_whatever_the_source() {
    for source in all() {
        let mut scheduler = build(&format!("{source}{DYNCTA}").parse().unwrap(), 1, slots(4));
        let launch = Some(kernel(9));
        scheduler.cycle(&Inputs { launch, ..Inputs::idle(1) }, &mut Outputs::idle(1));
        // Until the wait of `sjf` and the limits of `mpmax` are over.
        for _ in 0..20 {
            scheduler.cycle(&Inputs::idle(1), &mut Outputs::idle(1));
        }
        let report = scheduler.explain();
        assert!(report.contains("DYNCTA limits of resident blocks: SMX 0: "), "{source}: {report}");
    }
}
