//! Skipping is invisible: the dispatch log and the statistics are the same without it.

use proptest::prelude::*;

use super::{gpu_of, run_gpu, run_gpu_skipping};

/// A kernel of two blocks of so many cycles, which runs twice.
fn twice(duration: u64) -> String {
    format!(
        "gpu = {{ smx = 2 }}\n[[kernel]]\nname = \"A\"\ngrid = [2, 1, 1]\nblock = [32, 1, 1]\n\
         duration = {duration}\nrepeat = 2"
    )
}

#[test]
fn an_idle_run_is_mostly_skipped_and_counts_add_up() {
    let text = &twice(100_000);
    let (seen, skipping) = run_gpu(gpu_of(text), true);
    let (same, every) = run_gpu(gpu_of(text), false);
    assert_eq!(seen, same);
    assert_eq!(skipping.cycles, skipping.evaluated + skipping.skipped);
    assert_eq!((every.evaluated, every.skipped), (every.cycles, 0));
    assert!(skipping.evaluated < 40, "{} cycles evaluated", skipping.evaluated);
}

#[test]
fn no_cycle_is_skipped_before_the_one_from_which_on_they_are() {
    let text = &twice(1_000);
    let (all, every) = run_gpu(gpu_of(text), false);
    for from in [1, 2, 700, 1_500, every.cycles - 1, every.cycles, u64::MAX] {
        let (seen, summary) = run_gpu_skipping(gpu_of(text), Some(from));
        assert_eq!(seen, all, "{from}");
        assert!(summary.evaluated >= from.min(every.cycles), "{from}: {summary:?}");
        let skips = from < every.cycles - 1;
        assert_eq!(summary.skipped > 0, skips, "{from}: {summary:?}");
    }
}

fn kernel(index: usize) -> impl Strategy<Value = String> {
    let numbers = (1_u32..12, 1_u32..200, 0_u64..400, 0_u32..3, 1_u32..4, 1_u64..1500);
    (numbers, 0_u32..64, 0_u32..9000).prop_map(move |(numbers, registers, shared)| {
        let (blocks, threads, arrive, stream, repeat, duration) = numbers;
        let duration = match duration % 3 {
            0 => format!("{duration}"),
            1 => format!("{{ mean = {duration}, rsd = 0.5 }}"),
            _ => format!(
                "{:?}",
                (0..blocks).map(|b| 1 + duration * u64::from(b) % 97).collect::<Vec<_>>()
            ),
        };
        let stream = if stream == 2 { String::new() } else { format!("stream = {stream}\n") };
        format!(
            "[[kernel]]\nname = \"K{index}\"\ngrid = [{blocks}, 1, 1]\nblock = [{threads}, 1, 1]\n\
             registers_per_thread = {registers}\nshared_memory = {shared}\narrive = {arrive}\n\
             repeat = {repeat}\nduration = {duration}\n{stream}"
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn random_scenarios_run_the_same_with_and_without_skipping(
        kernels in (kernel(0), kernel(1), kernel(2)), smx in 1_u32..4, slots in 1_u32..5,
    ) {
        let (a, b, c) = kernels;
        let text = format!("gpu = {{ smx = {smx}, thread_block_slots = {slots} }}\n{a}{b}{c}");
        let (skipping, summary) = run_gpu(gpu_of(&text), true);
        let (every, all) = run_gpu(gpu_of(&text), false);
        prop_assert_eq!(skipping, every);
        prop_assert_eq!(summary.cycles, all.cycles);
    }
}
