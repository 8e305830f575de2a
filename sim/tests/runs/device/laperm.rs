//! LaPerm, section IV, Figure 4: eight parents of which P2 launches two blocks and P4 four, on four
//! SMXs of one slot. A round is the time of a block.

use super::*;

pub(super) const FIGURE_4: &str = "[gpu]\nsmx = 4\nthread_block_slots = 1\nlaunch.ideal = true\n\
    [[kernel]]\nname = \"P\"\ngrid = [8, 1, 1]\nblock = [64, 1, 1]\nduration = 100_000\n\
    [[kernel.launch]]\nby = 2\nat = 10_000\nkernel = \"C\"\ngrid = [2, 1, 1]\n\
    [[kernel.launch]]\nby = 4\nat = 10_000\nkernel = \"C\"\ngrid = [4, 1, 1]\n\
    [[kernel]]\nname = \"C\"\nchild = true\nblock = [64, 1, 1]\nduration = 100_000\n";

/// For each round, what each SMX gets: `P0` to `P7`, `C0` to `C5`, or `-`.
pub(super) fn rounds(scheduler: &str, mode: LaunchMode) -> Vec<String> {
    let seen = run_both_on(scheduler, mode, &[], FIGURE_4);
    let mut rounds: Vec<[String; 4]> = Vec::new();
    for line in seen.log.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |at: usize| fields[at].parse::<usize>().unwrap();
        // The second launch of C is a kernel of its own, or a group that is coalesced to the first
        // one's.
        let second = (number(3), number(4)) != (0, 0);
        let block = number(5) + if second { 2 } else { 0 };
        let round = number(0) / 100_000;
        rounds.resize(rounds.len().max(round + 1), [const { String::new() }; 4]);
        rounds[round][number(1)] += &format!("{}{block}", fields[2]);
    }
    let name = |block: String| if block.is_empty() { "-".to_owned() } else { block };
    rounds.into_iter().map(|round| round.map(name).join(" ")).collect()
}

/// The same under CDP and DTBL: in this example the child kernels fit the Kernel Distributor.
fn figure(scheduler: &str, expected: &[&str]) {
    for mode in [LaunchMode::Cdp, LaunchMode::Dtbl] {
        for queue in if scheduler == "rr" { &[""][..] } else { &["", "(queue=shifting)"] } {
            let scheduler = format!("{scheduler}{queue}");
            assert_eq!(rounds(&scheduler, mode), expected, "{scheduler} {mode:?}");
        }
    }
}

#[test]
fn round_robin_distributes_children_after_all_parents_and_evenly() {
    figure("rr", &["P0 P1 P2 P3", "P4 P5 P6 P7", "C0 C1 C2 C3", "C4 C5 - -"]);
}

#[test]
fn tb_pri_distributes_children_before_the_parents_that_are_left() {
    figure("laperm/tb-pri", &["P0 P1 P2 P3", "C0 C1 P4 P5", "C2 C3 C4 C5", "P6 P7 - -"]);
}

#[test]
fn smx_bind_keeps_children_on_the_smx_of_their_parent() {
    let expected = ["P0 P1 P2 P3", "P4 P5 C0 P6", "C2 P7 C1 -", "C3 - - -", "C4 - - -", "C5 - - -"];
    figure("laperm/smx-bind", &expected);
}

#[test]
fn adaptive_bind_gives_children_to_smxs_that_have_nothing_else() {
    figure("laperm/adaptive-bind", &["P0 P1 P2 P3", "P4 P5 C0 P6", "C2 P7 C1 C3", "C4 C5 - -"]);
}

#[test]
fn in_a_cluster_children_go_to_either_smx_in_turn() {
    let expected = ["P0 P1 P2 P3", "P4 P5 C0 C1", "C2 C3 P6 P7", "C4 C5 - -"];
    for mode in [LaunchMode::Cdp, LaunchMode::Dtbl] {
        assert_eq!(rounds("laperm/smx-bind(cluster=2)", mode), expected, "{mode:?}");
    }
}

#[test]
fn where_nothing_is_launched_it_is_round_robin_one_smx_a_cycle_in_every_mode() {
    let text = family(30, &[]).replace("[gpu]", "");
    let text = format!("[gpu]\nsmx = 3\nthread_block_slots = 2\n{text}");
    for scheduler in ["laperm/tb-pri", "laperm/smx-bind", "laperm/adaptive-bind"] {
        let flat = run_both_on(scheduler, LaunchMode::Flat, &[], &text);
        let starts: Vec<_> = blocks(&flat, "P")[..6].iter().map(|b| (b.0, b.3)).collect();
        assert_eq!(starts, [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5)], "{scheduler}");
        for mode in [LaunchMode::Cdp, LaunchMode::Dtbl] {
            assert_eq!(run_both_on(scheduler, mode, &[], &text), flat, "{scheduler} {mode:?}");
        }
    }
}
