//! Launches from the device under the dispatch hardware of today's GPUs: what a child has of its
//! parent, and what its launch states.

use super::*;

/// Cycle, SMX, kernel and block of each dispatch of the scenario `text` under `--launch cdp`, with
/// calls and records that take a cycle.
fn dispatches(scheduler: &str, changes: &[(&str, &str)], text: &str) -> Vec<(u64, u32, String)> {
    let mut all = vec![("launch.ideal", "true"), ("launch.dispatch", "1")];
    all.extend(changes);
    let seen = run_both_on(scheduler, LaunchMode::Cdp, &all, text);
    let lines = seen.log.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let of = |fields: Vec<&str>| {
        let name = format!("{}{}", fields[2], fields[5]);
        (fields[0].parse().unwrap(), fields[1].parse().unwrap(), name)
    };
    lines.map(of).collect()
}

fn names(dispatches: &[(u64, u32, String)]) -> Vec<&str> {
    dispatches.iter().map(|(.., name)| name.as_str()).collect()
}

/// `P`, which launches `C` in cycle 10, and `Q` behind it; blocks run for 100 cycles.
fn two(of_parent: &str, of_launch: &str, of_other: &str) -> String {
    format!(
        "[[kernel]]\nname = \"P\"\ngrid = [1, 1, 1]\nblock = [64, 1, 1]\nduration = 100\n{of_parent}\n\
         [[kernel.launch]]\nby = 0\nat = 10\nkernel = \"C\"\ngrid = [2, 1, 1]\n{of_launch}\n\
         [[kernel]]\nname = \"Q\"\ngrid = [3, 1, 1]\nblock = [64, 1, 1]\nduration = 100\n{of_other}\n\
         [[kernel]]\nname = \"C\"\nchild = true\nblock = [64, 1, 1]\nduration = 100\n"
    )
}

const ONE_BLOCK: [(&str, &str); 2] = [("smx.count", "1"), ("smx.thread_block_slots", "1")];

#[test]
fn a_child_is_as_urgent_as_its_parent() {
    let text = two("priority = 3", "", "priority = 2");
    let urgent = dispatches("priority", &ONE_BLOCK, &text);
    assert_eq!(names(&urgent), ["P0", "C0", "C1", "Q0", "Q1", "Q2"]);
    let alike = dispatches("priority", &ONE_BLOCK, &two("priority = 2", "", "priority = 2"));
    assert_eq!(names(&alike), ["P0", "Q0", "Q1", "Q2", "C0", "C1"]);
    assert_eq!(dispatches("rr", &ONE_BLOCK, &text), alike);
}

#[test]
fn a_child_runs_on_the_smxs_of_its_parents_partition() {
    let changes = [("smx.count", "4"), ("smx.partitions", "[\"0-1\", \"2-3\"]"), ONE_BLOCK[1]];
    let text = two("partition = 1", "", "");
    let seen = dispatches("partitions", &changes, &text);
    let of = |kernel: &str| -> Vec<u32> {
        let own = seen.iter().filter(|(.., name)| name.starts_with(kernel));
        own.map(|(_, smx, _)| *smx).collect()
    };
    assert!(of("C").iter().all(|smx| [2, 3].contains(smx)), "{seen:?}");
    assert!(of("Q").iter().all(|smx| [0, 1].contains(smx)), "{seen:?}");
    assert_eq!((of("C").len(), of("Q").len()), (2, 3));
}

#[test]
fn the_blocks_of_a_child_come_in_the_clusters_that_its_launch_states() {
    let changes = [("smx.count", "3"), ("smx.gpcs", "[2, 1]"), ONE_BLOCK[1]];
    // `P` holds an SMX of the GPC of two until 101; `Q` comes later.
    let together = two("", "cluster = [2, 1, 1]", "arrive = 1000");
    for scheduler in ["clusters", "launch-control(policy=spread)"] {
        let seen = dispatches(scheduler, &changes, &together);
        assert_eq!(seen[1..3], [(101, 1, "C0".into()), (102, 0, "C1".into())], "{scheduler}");
        let alone = dispatches(scheduler, &changes, &two("", "", "arrive = 1000"));
        assert!(alone[2].0 < 100, "{alone:?}");
    }
}

#[test]
fn a_dependent_begins_before_its_predecessor_has_ended_and_children_follow_nobody() {
    let changes = [("smx.count", "1"), ("smx.thread_block_slots", "8")];
    let of_stream_7 =
        "[[kernel]]\nstream = 7\nblock = [64, 1, 1]\nduration = 100\ngrid = [1, 1, 1]\n";
    let text = format!(
        "{of_stream_7}name = \"A\"\ntrigger = 40\n{of_stream_7}name = \"B\"\ndependent = true\n{}",
        two("", "", "arrive = 1000")
    );
    let seen = dispatches("dependent", &changes, &text);
    assert_eq!(names(&seen)[..5], ["A0", "P0", "C0", "C1", "B0"]);
    let first = |seen: &[(u64, u32, String)], name: &str| {
        seen.iter().find(|(.., one)| one == name).unwrap().0
    };
    let begin = first(&seen, "B0");
    assert!(first(&seen, "C0") < 41 && (41..101).contains(&begin), "{seen:?}");
    // Where nothing triggers early it is as under round robin.
    let late = dispatches("dependent", &changes, &text.replace("trigger = 40", ""));
    assert!(first(&late, "B0") > 100, "{late:?}");
    assert!(first(&dispatches("rr", &changes, &text), "B0") > 100);
}

#[test]
fn domains_and_the_oldest_smx_share_the_blocks_of_children() {
    let changes = [("smx.count", "2"), ("smx.domains", "[1, 1]"), ("smx.thread_block_slots", "8")];
    let text = two("", "", "");
    for scheduler in ["domains", "domains(policy=contiguous)", "oldest-first"] {
        let seen = dispatches(scheduler, &changes, &text);
        let children = seen.iter().filter(|(.., name)| name.starts_with('C'));
        let mut smxs: Vec<u32> = children.map(|(_, smx, _)| *smx).collect();
        smxs.sort_unstable();
        assert_eq!(smxs, [0, 1], "{scheduler}: {seen:?}");
    }
}
