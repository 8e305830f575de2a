//! Random scenarios with launches: every rule holds, everything ends, and skipping is invisible.

use proptest::prelude::*;

use super::*;

/// Block, cycle, thread, which child and how many blocks.
type Launch = (u32, u64, u32, bool, u32);

fn launches(block: u32) -> impl Strategy<Value = Vec<Launch>> {
    let at = prop_oneof![Just(3_u64), Just(90), 0_u64..100];
    prop::collection::vec((0..block, at, 0_u32..64, any::<bool>(), 1_u32..6), 0..12)
}

fn text(parents: u32, own: &[Launch], nested: &[Launch], smx: u32, slots: u32) -> String {
    let name = |child| if child { "D" } else { "C" };
    let write = |launches: &[Launch], only: Option<bool>| -> String {
        let line = |&(by, at, thread, child, grid): &Launch| {
            let child = only.unwrap_or(child);
            format!(
                "[[kernel.launch]]\nby = {by}\nat = {at}\nthread = {thread}\nkernel = \"{}\"\n\
                 grid = [{grid}, 1, 1]\n",
                name(child)
            )
        };
        launches.iter().map(line).collect()
    };
    let parent = format!(
        "[gpu]\nsmx = {smx}\nthread_block_slots = {slots}\n\
         [[kernel]]\nname = \"P\"\ngrid = [{parents}, 1, 1]\nblock = [64, 1, 1]\nrepeat = 2\n\
         duration = 100\n{}",
        write(own, None)
    );
    // Blocks of C launch D.
    let child = "child = true\nblock = [64, 1, 1]\nduration =";
    let children = format!(
        "[[kernel]]\nname = \"C\"\n{child} 100\n{}[[kernel]]\nname = \"D\"\n{child} {{ mean = 60, rsd = 0.5 }}\n",
        write(nested, Some(true))
    );
    parent + &children
}

/// LaPerm with few entries, and with CLASO where it takes that.
fn laperm() -> impl Strategy<Value = String> {
    let binding = prop_oneof![Just("tb-pri"), Just("smx-bind"), Just("adaptive-bind")];
    let queue = prop_oneof![Just("linked"), Just("shifting")];
    let entries = prop_oneof![Just(1), Just(2), Just(128)];
    let gate = any::<bool>();
    (binding, queue, 1_u8..4, entries, 1_u8..4, gate).prop_map(
        |(binding, queue, levels, entries, cluster, gate)| {
            let gate = if gate && binding != "smx-bind" { "+claso(pa=1,pl=0)" } else { "" };
            format!("laperm/{binding}(queue={queue},levels={levels},entries={entries},cluster={cluster}){gate}")
        },
    )
}

/// IKRA with nesting levels and small queues.
fn ikra() -> impl Strategy<Value = String> {
    (prop_oneof![Just(2), Just(4), Just(32)], prop_oneof![Just(2), Just(4)])
        .prop_map(|(queue, nesting)| format!("ikra/steal(queue={queue},nesting={nesting})"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn whatever_blocks_launch_runs_once_by_the_rules_with_and_without_skipping(
        own in launches(3), nested in launches(1), smx in 1_u32..4, slots in 1_u32..5,
        laperm in laperm(), ikra in ikra(), table in 0_u32..4, fetch in 2_u32..12, latency in 0_u32..40, dispatch in 0_u32..9,
    ) {
        let text = text(3, &own, &nested, smx, slots);
        let [table, fetch] = [1 << table, fetch].map(|number: u32| number.to_string());
        let [latency, dispatch] = [latency, dispatch].map(|number| number.to_string());
        let changes = [
            ("launch.table", &*table),
            ("launch.group_fetch", &fetch),
            ("launch.stream", &latency),
            ("launch.parameters", &latency),
            ("launch.parameters_thread", "2"),
            ("launch.device", &latency),
            ("launch.device_thread", "3"),
            ("launch.dispatch", &dispatch),
        ];
        // Two instances of the parent; each of its launches of C launches what C launches from its
        // block 0.
        let (of_c, of_d) = own.iter().partition::<Vec<_>, _>(|launch| !launch.3);
        let inner = 2 * of_c.len() * nested.len();
        let calls = 2 * own.len() + inner;
        let sum = |launches: &[&Launch]| launches.iter().map(|launch| u64::from(launch.4)).sum::<u64>();
        let inner_blocks: u64 = nested.iter().map(|launch| u64::from(launch.4)).sum();
        let blocks = 2 * (3 + sum(&of_c) + sum(&of_d) + of_c.len() as u64 * inner_blocks);
        let modes = [LaunchMode::Cdp, LaunchMode::Dtbl];
        let runs = modes.into_iter().flat_map(|mode| [("rr", mode), (&*laperm, mode)]);
        let runs = runs.chain([(&*ikra, LaunchMode::Cdp)]);
        for (scheduler, mode) in runs {
            let seen = run_both_on(scheduler, mode, &changes, &text);
            prop_assert_eq!(seen.log.lines().count() as u64 - 1, blocks);
            let Some(launches) = seen.stats.launches else {
                prop_assert_eq!(calls, 0);
                continue;
            };
            let kernels = seen.stats.kernels.len() as u64 - 2;
            prop_assert_eq!(launches.spills, launches.refills);
            prop_assert!(scheduler != "rr" || launches.spills == 0);
            prop_assert_eq!(launches.device_kernels, kernels);
            prop_assert_eq!(launches.coalesced + kernels, calls as u64);
            prop_assert_eq!(launches.fallbacks + launches.coalesced, launches.groups);
            prop_assert!(seen.stats.kernels.iter().all(|kernel| kernel.finish.is_some()));
        }
    }
}
