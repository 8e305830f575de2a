//! IKRA with nesting levels, on the whole GPU.

use super::laperm::{rounds, FIGURE_4};
use super::*;

/// LaPerm's figure 4 with chunks: of eight parents P2 launches two blocks and P4 four. Children go
/// first on the SMX of their parent, who has nothing steals parents before children.
#[test]
fn children_go_first_on_their_parent_s_smx_and_idle_smxs_steal_from_level_0_first() {
    let expected = ["P0 P2 P4 P6", "P1 C0 C2 P7", "P3 C1 C3 P5", "- C5 C4 -"];
    assert_eq!(rounds("ikra/steal(nesting=2)", LaunchMode::Cdp), expected);
}

#[test]
fn every_block_runs_once_whatever_the_launch_latencies() {
    for changes in [&[][..], &[("launch.ideal", "false")], &[("launch.dispatch", "1")]] {
        // Shorter blocks, so that cycles without skipping are few.
        let text = FIGURE_4.replace("100_000", "4_000").replace("10_000", "1_000");
        let seen = run_both_on("ikra/steal(nesting=2)", LaunchMode::Cdp, changes, &text);
        let blocks = seen.log.lines().skip(1).map(|line| {
            let fields: Vec<_> = line.split(',').collect();
            (fields[2].to_owned(), fields[3].to_owned(), fields[5].to_owned())
        });
        let all: std::collections::BTreeSet<_> = blocks.collect();
        assert_eq!((all.len(), seen.log.lines().count() - 1), (14, 14));
    }
}

#[test]
fn where_nothing_is_launched_flat_and_cdp_are_the_same() {
    let text = format!("[gpu]\nsmx = 3\nthread_block_slots = 2\n{}", family(30, &[]));
    let text = text.replace("100_000", "2_000");
    for scheduler in ["ikra/steal(nesting=2)", "ikra/steal(nesting=4)"] {
        let flat = run_both_on(scheduler, LaunchMode::Flat, &[], &text);
        assert_eq!(blocks(&flat, "P")[0].0, 65, "chunks are assigned");
        assert_eq!(run_both_on(scheduler, LaunchMode::Cdp, &[], &text), flat);
    }
}
