//! LaPerm, section IV, Figure 4: where and in which round each block runs.

use super::command::worked_example;
use super::run_file;

/// For each round, what each SMX gets: `P0` to `P7`, `C0` to `C5`, or `-`.
fn rounds(scheduler: &str, mode: &str) -> Vec<String> {
    let seen = run_file(scheduler, &worked_example("laperm-figure-4"), &["--launch", mode]);
    let mut rounds: Vec<[String; 4]> = Vec::new();
    for line in &seen.lines {
        // The second launch of C is a kernel of its own, or a group that is coalesced to the first
        // one's.
        let second = (line.instance, line.group) != (0, 0);
        let block = line.x + if second { 2 } else { 0 };
        let round = (line.cycle / 2_000) as usize;
        rounds.resize(rounds.len().max(round + 1), [const { String::new() }; 4]);
        rounds[round][line.smx] += &format!("{}{block}", line.kernel);
    }
    let name = |block: String| if block.is_empty() { "-".to_owned() } else { block };
    rounds.into_iter().map(|round| round.map(name).join(" ")).collect()
}

#[test]
fn each_scheduler_distributes_figure_4_as_the_paper_tells() {
    for (scheduler, expected) in [
        ("rr", &["P0 P1 P2 P3", "P4 P5 P6 P7", "C0 C1 C2 C3", "C4 C5 - -"][..]),
        ("laperm/tb-pri", &["P0 P1 P2 P3", "C0 C1 P4 P5", "C2 C3 C4 C5", "P6 P7 - -"]),
        (
            "laperm/smx-bind",
            &["P0 P1 P2 P3", "P4 P5 C0 P6", "C2 P7 C1 -", "C3 - - -", "C4 - - -", "C5 - - -"],
        ),
        ("laperm/adaptive-bind", &["P0 P1 P2 P3", "P4 P5 C0 P6", "C2 P7 C1 C3", "C4 C5 - -"]),
    ] {
        for mode in ["cdp", "dtbl"] {
            assert_eq!(rounds(scheduler, mode), expected, "{scheduler} {mode}");
        }
    }
}
