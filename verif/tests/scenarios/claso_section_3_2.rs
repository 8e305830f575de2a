//! CLASO, section 3.2: 17 blocks on 4 cores with 3 slots each, in the paper's order.

use super::command::{worked_example, Place};
use super::{run_file, Seen};

fn case_study(scheduler: &str) -> Seen {
    run_file(scheduler, &worked_example("claso-case-study"), &[])
}

/// Three blocks on each core, round robin, one a cycle from the cycle after the launch on.
fn first_twelve() -> Vec<(u64, usize, u64)> {
    (0..12).map(|block| (1 + block, (block % 4) as usize, block)).collect()
}

#[test]
fn the_baseline_favours_the_fast_cores() {
    let seen = case_study("rr");
    assert_eq!(seen.blocks_by_smx(), [5, 3, 3, 6]);
    let blocks = seen.blocks();
    assert_eq!(blocks[..12], first_twelve());
    // Blocks 7, 11 and 3 end on core 3, then 4 and 0 on core 0.
    assert_eq!(
        blocks[12..],
        [(1008, 3, 12), (1032, 3, 13), (1044, 3, 14), (1405, 0, 15), (1429, 0, 16)]
    );
}

#[test]
fn claso_balances_the_blocks_in_the_order_of_the_paper() {
    let seen = case_study("rr+claso(pa=1,pl=0)");
    assert_eq!(seen.blocks_by_smx(), [4, 4, 4, 5]);
    let blocks = seen.blocks();
    assert_eq!(blocks[..12], first_twelve());
    // Block 7 ends, then 11, which takes core 3's last local and the only global credit. That of 3
    // (cycle 1044), 0 (1429) and 8 (1465) is refused; 4 is not, nor are the first on cores 1 and 2.
    assert_eq!(
        blocks[12..],
        [(1008, 3, 12), (1032, 3, 13), (1405, 0, 14), (2002, 1, 15), (2103, 2, 16)]
    );
}

/// The credits as the twin has them in `cycle`, from the watchdog's report.
fn credits_in(cycle: u64) -> String {
    let limit = cycle.to_string();
    let path = worked_example("claso-case-study");
    let mut args = vec!["run", "--scheduler", "rr+claso(pa=1,pl=0)", "--scenario", &path];
    args.extend(["--engine", "golden", "--max-cycles", &limit]);
    let ended = Place::new().run(&args);
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    let line = ended.stderr.lines().find(|line| line.contains("CLASO credits")).expect("credits");
    line.trim().to_owned()
}

#[test]
fn each_decision_has_the_credits_that_the_paper_tells() {
    let after_twelve =
        "CLASO credits of entry 0: 1 global; SMX 0: 2 local; SMX 1: 2 local; SMX 2: 2 local; ";
    assert_eq!(credits_in(14), format!("{after_twelve}SMX 3: 2 local"));
    assert_eq!(credits_in(1008), format!("{after_twelve}SMX 3: 2 local"));
    assert_eq!(credits_in(1009), format!("{after_twelve}SMX 3: 1 local, takes a global credit"));
    // Block 3 has ended on core 3, which is refused for lack of a local credit.
    assert_eq!(
        credits_in(1050),
        "CLASO credits of entry 0: 0 global; SMX 0: 2 local; SMX 1: 2 local; SMX 2: 2 local; \
         SMX 3: 0 local, lacks a local credit"
    );
    // Block 0 and then 8 end on core 0, which has a local credit left but finds no global one.
    for cycle in [1430, 1466, 2002] {
        assert_eq!(
            credits_in(cycle),
            "CLASO credits of entry 0: 0 global; SMX 0: 1 local, lacks a global credit; \
             SMX 1: 2 local; SMX 2: 2 local; SMX 3: 0 local, lacks a local credit"
        );
    }
}

#[test]
fn wide_levels_make_claso_the_baseline() {
    // p_A >= ceil(17 / 4) and p_L >= 17 - ceil(17 / 4): no refusal is possible.
    let (baseline, wide) = (case_study("rr"), case_study("rr+claso(pa=5,pl=12)"));
    assert_eq!(wide.blocks(), baseline.blocks());
    assert_ne!(case_study("rr+claso(pa=1,pl=0)").blocks(), baseline.blocks());
}
