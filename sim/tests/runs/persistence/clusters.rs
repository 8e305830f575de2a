//! Running clusters that take the work of others: rules 6 to 9 of `docs/launch-control.md`.

use super::*;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::run::observer::Nobody;
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::sched::{build_for, Composition};

const POLICIES: [&str; 2] = ["launch-control(policy=spread)", "launch-control(policy=balance)"];

/// As [`text`], of clusters of that many blocks side by side.
fn clusters(shape: (u32, u32), (clusters, size): (u32, u32), duration: &str, keys: &str) -> String {
    let keys = format!("cluster = [{size}, 1, 1]\n{keys}");
    text(shape, clusters * size, duration, &keys)
}

#[test]
fn the_example_of_the_page() {
    let k = clusters((4, 1), (4, 2), "100", ASKING);
    let (gpu, k) = k.split_once("[[kernel]]").unwrap();
    let text = format!(
        "{gpu}[[kernel]]\nname = \"X\"\ngrid = [2, 1, 1]\ncluster = [2, 1, 1]\nblock = [32, 1, 1]\n\
         duration = 101\n[[kernel]]\narrive = 2{k}"
    );
    for skip in [true, false] {
        let (ports, stats) = run_with(POLICIES[0], &text, skip);
        let expected = [(1, 0, 0), (2, 1, 1), (3, 2, 0), (4, 3, 1), (103, 0, 2), (104, 1, 3)];
        assert_eq!(ports.dispatches, expected);
        assert_eq!(ports.held, [104]);
        let expected = [(105, Some(4)), (185, Some(6)), (204, None), (265, None)];
        assert_eq!(ports.answers, expected);
        assert_eq!(ports.ends, [(102, 0), (103, 1), (205, 0), (205, 1), (266, 2), (266, 3)]);
        let cancelled = stats.kernels.iter().map(|kernel| kernel.cancelled);
        assert_eq!(cancelled.collect::<Vec<_>>(), [None, Some(4)]);
    }
}

#[test]
fn each_block_does_the_work_of_the_one_at_its_place_and_all_ask_when_the_last_is_done() {
    for policy in POLICIES {
        // Blocks 0 and 1 are done in 31 and 52: 2 and 3 take 10 and 60 cycles without setup.
        let ports = seen(policy, &clusters((2, 1), (2, 2), "[30, 50, 30, 80]", ASKING));
        assert_eq!(ports.dispatches, [(1, 0, 0), (2, 1, 1)]);
        assert_eq!(ports.answers, [(52, Some(2)), (112, None)]);
        assert_eq!(ports.ends, [(113, 0), (113, 1)]);
        // The first block is done before the last one is dispatched; work that is all setup takes a
        // cycle.
        let ports = seen(policy, &clusters((4, 1), (2, 4), "[1, 1, 1, 1, 7, 9, 20, 21]", ASKING));
        assert_eq!(ports.answers, [(5, Some(4)), (6, None)]);
    }
}

#[test]
fn the_place_in_a_cluster_of_two_dimensions_is_its_own() {
    let text =
        text((4, 1), 4, "[1, 2, 40, 50, 3, 4, 60, 70]", "cluster = [2, 2, 1]\ncancels = true");
    let text = text.replace("grid = [4, 1, 1]", "grid = [4, 2, 1]");
    let ports = seen(POLICIES[0], &text);
    assert_eq!(ports.dispatches, [(1, 0, 0), (2, 1, 1), (3, 2, 0), (4, 3, 1)]);
    // Its blocks are 2, 3, 6 and 7; the longest one is on SMX 3.
    assert_eq!(ports.answers, [(8, Some(2)), (78, None)]);
    let slow = text.replace("[gpu]", "[gpu]\nsmx_slowdown = [1, 1, 2, 1]");
    assert_eq!(seen(POLICIES[0], &slow).answers, [(9, Some(2)), (129, None)]);
}

#[test]
fn the_cluster_that_waits_longest_goes_first_then_that_of_the_lowest_smx() {
    let durations = "[12, 3, 11, 11, 3, 8, 90, 90, 80, 80, 70, 70]";
    let ports = seen(POLICIES[0], &clusters((6, 1), (6, 2), durations, "cancels = true"));
    // In 13, 15 and 14 the clusters on SMXs 0, 2 and 4 are done; all SMXs are full.
    assert_eq!(ports.answers[..3], [(13, Some(6)), (14, Some(8)), (15, Some(10))]);
    // 6 on SMXs 0 and 1 up to 103, 8 on 4 and 5 up to 94, 10 on 2 and 3 up to 85.
    assert_eq!(ports.answers[3..], [(85, None), (94, None), (103, None)]);
    assert_eq!(ports.ends, [(86, 2), (86, 3), (95, 4), (95, 5), (104, 0), (104, 1)]);
    // All done in 15.
    let durations = "[2, 13, 12, 2, 2, 9, 90, 90, 80, 80, 70, 70]";
    let ports = seen(POLICIES[0], &clusters((6, 1), (6, 2), durations, "cancels = true"));
    assert_eq!(ports.answers[..3], [(15, Some(6)), (16, Some(8)), (17, Some(10))]);
    assert_eq!(ports.ends[..2], [(88, 4), (88, 5)]);
}

#[test]
fn the_answer_takes_its_time_before_the_work_of_a_cluster_begins() {
    let late = clusters((2, 1), (3, 2), "100", ASKING).replace("[gpu]", "[gpu]\nlaunch.cancel = 9");
    let ports = seen(POLICIES[1], &late);
    assert_eq!(ports.answers, [(102, Some(2)), (191, Some(4)), (280, None)]);
}

#[test]
fn blocks_of_a_cluster_on_one_smx_end_one_after_the_other() {
    let ports = seen(POLICIES[1], &clusters((1, 3), (2, 3), "30", ASKING));
    assert_eq!(ports.answers, [(33, Some(3)), (43, None)]);
    assert_eq!(ports.ends, [(44, 0), (45, 0), (46, 0)]);
}

#[test]
fn without_a_policy_clusters_are_ignored_and_clusters_of_one_block_are_blocks() {
    let durations = "[13, 40, 7, 22, 9, 31, 8, 30]";
    let plain = text((1, 2), 8, durations, ASKING);
    let expected = run_with("launch-control", &plain, true);
    assert_eq!(
        run_with("launch-control", &clusters((1, 2), (4, 2), durations, ASKING), true),
        expected
    );
    for policy in POLICIES {
        assert_eq!(run_with(policy, &plain, true), expected);
    }
    let asking = clusters((4, 1), (4, 2), "100", ASKING);
    assert_eq!(seen("clusters", &asking), seen("clusters", &clusters((4, 1), (4, 2), "100", "")));
}

/// Limits of a block on each of three SMXs hold half of the second cluster back.
fn limited() -> (String, String) {
    let durations = "[5, 5, 900, 900, 30, 30, 40, 40]";
    let text = clusters((3, 3), (4, 2), durations, "cancels = true");
    (format!("{}+dyncta(period=400,idle=16,low=128,high=384)", POLICIES[1]), text)
}

#[test]
fn a_question_that_limits_hold_for_long_is_skipped_over_and_not_lost() {
    let (name, text) = limited();
    let (ports, stats) = run_with(&name, &text, false);
    // They rise with the first sample.
    assert_eq!(ports.dispatches[..4], [(1, 0, 0), (2, 1, 1), (3, 2, 2), (401, 0, 3)]);
    assert_eq!(ports.held, (7..=401).collect::<Vec<_>>());
    assert_eq!(ports.answers[0], (402, Some(4)));
    let (skipping, same) = run_with(&name, &text, true);
    assert_eq!(skipping.held, [7, 400, 401], "cycles that were evaluated");
    assert_eq!((Ports { held: ports.held.clone(), ..skipping }, same), (ports, stats));
}

#[test]
fn a_question_that_is_held_for_ever_ends_the_run() {
    let (name, text) = limited();
    let (mut gpu, composition) = (gpu_of(&text), name.parse::<Composition>().unwrap());
    let (plan, limits) = (gpu.config().floor_plan(), gpu.config().limits());
    let mut twin = build_for(&composition, LaunchMode::Flat, 1, plan, limits).unwrap();
    gpu.drive(composition.ports(LaunchMode::Flat));
    // Without samples limits stay.
    let options = RunOptions { rules: (&composition).into(), ..RunOptions::default() };
    let error = run(&mut gpu, &mut *twin, &options, &mut Nobody).unwrap_err().to_string();
    assert!(error.starts_with("stuck in cycle 7: nothing can happen any more"), "{error}");
    assert!(error.contains("a cluster (2, 1, 1) of 2 blocks is open in GPC 0"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn skipping_shows_nothing_and_every_block_of_every_cluster_is_run(
        smx in 1u32..9, slots in 1u32..5, latency in 0u32..30, setup in 0u64..120, size in 1u32..5,
        policy in 0usize..2, gated in any::<bool>(), asks in any::<bool>(),
        durations in prop::collection::vec(1u64..200, 1..40),
    ) {
        // Whole clusters that fit.
        let size = if smx < size { 1 } else { size };
        let count = (durations.len() as u32).div_ceil(size);
        let durations: Vec<_> = durations.iter().cycle().take((count * size) as usize).collect();
        let setup = setup.min(**durations.iter().max().unwrap());
        let keys = format!("setup = {setup}\ncancels = true");
        let first = clusters((smx, slots), (count, size), &format!("{durations:?}"), &keys);
        let first = first.replace("[gpu]", &format!("[gpu]\nlaunch.cancel = {latency}"));
        let second = format!(
            "[[kernel]]\nname = \"B\"\narrive = 50\ngrid = [7, 1, 1]\nblock = [64, 1, 1]\n\
             duration = 40\ncancels = {asks}\n"
        );
        let text = first + &second;
        let name = POLICIES[policy].to_owned() + if gated { "+dyncta(period=50)" } else { "" };
        let run = |skip| run_with(&name, &text, skip);
        let (ports, stats) = run(true);
        let cancelled: u64 = stats.kernels.iter().filter_map(|kernel| kernel.cancelled).sum();
        prop_assert_eq!(ports.dispatches.len() + cancelled as usize, durations.len() + 7);
        prop_assert_eq!(ports.dispatches.len(), ports.ends.len());
        let (every, same) = run(false);
        prop_assert!(ports.held.iter().all(|cycle| every.held.contains(cycle)));
        prop_assert_eq!((Ports { held: ports.held.clone(), ..every }, same), (ports, stats));
    }
}
