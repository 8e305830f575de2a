//! What holds in every run.

use super::*;
use proptest::prelude::*;

/// Kernels of few different extents, so that chunks and queues are kept from one to the next.
fn work() -> impl Strategy<Value = Vec<Work>> {
    let extents = prop::collection::vec((0u32..7, 1u32..5, 1u32..3), 1..3);
    let kernel = (any::<prop::sample::Index>(), 0u64..300, 0u8..4, relation());
    let kernels = prop::collection::vec(kernel, 1..7);
    let durations = prop::collection::vec(1u64..30, 1..24);
    let needs = prop::collection::vec((1u32..=64, 0u32..=128, 0u32..=96), 2);
    (extents, kernels, durations, needs).prop_map(|(extents, kernels, durations, needs)| {
        let of = |(which, arrive, turn, relation): (prop::sample::Index, u64, u8, Relation)| {
            let which = which.index(extents.len());
            let (x, y, z) = extents[which];
            let mut launch = grid(Dim3::new(x, y, z));
            launch.relation = relation;
            let (threads, registers, shared_memory) = needs[which];
            launch.needs = BlockNeeds { threads, registers, shared_memory };
            let mut durations = durations.clone();
            let middle = usize::from(turn) % durations.len();
            durations.rotate_left(middle);
            Work::new(arrive, launch, &durations)
        };
        let mut work: Vec<_> = kernels.into_iter().map(of).collect();
        work.sort_by_key(|work| work.arrive);
        work
    })
}

/// Often a plain one; `ikra/steal(relations=on)` follows them.
fn relation() -> impl Strategy<Value = Relation> {
    let shift = prop_oneof![3 => Just((1u16, 0i32)), 2 => (1u16..4, -9i32..9)];
    (1u8..=4, shift).prop_map(|(back, (ratio, offset))| Relation { back, ratio, offset })
}

fn limits() -> impl Strategy<Value = SmxLimits> {
    (64u32..=160, 128u32..=300, 96u32..=200, 1u32..=5).prop_map(
        |(threads, registers, shared_memory, thread_block_slots)| SmxLimits {
            threads,
            registers,
            shared_memory,
            thread_block_slots,
        },
    )
}

fn smxs() -> impl Strategy<Value = usize> {
    prop_oneof![Just(1), 2usize..=8, Just(13), Just(32)]
}

fn names() -> impl Strategy<Value = String> {
    let steal = (prop::sample::select(vec![2, 4, 32]), 0u8..5, any::<[bool; 3]>()).prop_map(
        |(queue, latency, [stop, on, waits])| {
            let full = if stop { "stop" } else { "reinitialise" };
            let relations = if on { "on" } else { "off" };
            let thief = if waits { "executed" } else { "dispatched" };
            format!(
                "ikra/steal(queue={queue},latency={latency},full={full},relations={relations},thief={thief})"
            )
        },
    );
    let fixed = prop::sample::select(NAMES[..3].to_vec()).prop_map(str::to_owned);
    prop_oneof![1 => fixed, 3 => steal]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_block_runs_exactly_once_and_kernels_end_in_order(
        work in work(), limits in limits(), smx in smxs(), name in names(),
    ) {
        // The invariants of the run refuse a second time, another kernel, and too much on an SMX.
        let record = golden(&name, smx, limits, &work);
        let finished: Vec<_> = record.finished.iter().map(|(kernel, _)| *kernel).collect();
        prop_assert_eq!(finished, (0..work.len()).collect::<Vec<_>>());
        for (kernel, work) in work.iter().enumerate() {
            let blocks = u64::from(work.launch.blocks);
            prop_assert!(owners(&record, kernel).into_keys().eq(0..blocks));
        }
    }

    #[test]
    fn without_stealing_the_share_of_an_smx_is_its_chunk_in_order(
        work in work(), limits in limits(), smx in smxs(),
        which in 0usize..3,
    ) {
        let record = golden(NAMES[which], smx, limits, &work);
        for (kernel, work) in work.iter().enumerate() {
            let blocks = u64::from(work.launch.blocks);
            let mut shares: Vec<_> = orders(&record, kernel, smx);
            for share in &mut shares {
                if share.len() > 1 && share[0] > share[1] {
                    prop_assert_eq!(NAMES[which], "ikra/flip");
                    share.reverse();
                }
                prop_assert!(share.windows(2).all(|pair| pair[0] + 1 == pair[1]));
                let even = blocks / smx as u64;
                prop_assert!((even..=even + 1).contains(&(share.len() as u64)));
            }
            if which > 0 {
                prop_assert!(shares.concat().into_iter().eq(0..blocks), "from SMX 0 upwards");
            }
        }
    }

    #[test]
    fn credits_refuse_no_block_of_a_chunk_whatever_the_levels(
        work in work(), limits in limits(), smx in smxs(), which in 0usize..3,
        active in 1u16..9, loose in 0u16..9,
    ) {
        let name = NAMES[which];
        let gated = format!("{name}+claso(pa={active},pl={loose})");
        prop_assert_eq!(golden(&gated, smx, limits, &work), golden(name, smx, limits, &work));
    }

    #[test]
    fn with_full_stop_an_smx_holds_no_more_than_its_chunk_and_its_queue(
        work in work(), limits in limits(), smx in smxs(), latency in 0u8..4,
    ) {
        let name = format!("ikra/steal(queue=2,latency={latency},full=stop)");
        let record = golden(&name, smx, limits, &work);
        for (kernel, work) in work.iter().enumerate() {
            let most = u64::from(work.launch.blocks).div_ceil(smx as u64) + 2;
            prop_assert!((0..smx).all(|smx| record.share(kernel, smx) <= most));
        }
    }

    #[test]
    fn skipping_quiet_cycles_changes_nothing_but_their_number(
        work in work(), limits in limits(), smx in smxs(), name in names(),
    ) {
        let every = golden(&name, smx, limits, &work);
        let skipped = golden_with(&name, smx, limits, &work, true, None);
        prop_assert!(skipped.simulated <= every.simulated);
        prop_assert_eq!(Record { simulated: every.simulated, ..skipped }, every);
    }
}
