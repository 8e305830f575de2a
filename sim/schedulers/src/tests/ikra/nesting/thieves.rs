//! Who steals what when kernels have levels, and what is kept: rules 24, 26 and 27.

use super::*;

/// The cycle in which the first block of the host's first kernel is dispatched.
const START: u64 = 65;

/// On two SMXs block 1 of the host's kernel launches children of six blocks at these cycles after
/// its start.
fn family(launches: &[u64], duration: u64) -> Vec<Plan> {
    let of = |(number, &at): (usize, &u64)| (1, at, number + 1);
    let launches: Vec<_> = launches.iter().enumerate().map(of).collect();
    let children = launches.iter().map(|_| Plan::child(kernel(6), &[duration]));
    let parent = Plan::host(kernel(2), 0, &[5000]).launching(&launches);
    std::iter::once(parent).chain(children).collect()
}

#[test]
fn who_has_nothing_left_steals_from_the_far_end_of_a_child_of_another_smx() {
    let run = run(TWO, 2, slots(4), &family(&[0], 100));
    let begins = run.accepted[&1] + 1;
    // Three of the four slots are free on each SMX.
    assert_eq!((run.order(1, 1), run.order(1, 0)), (vec![0, 1, 2], vec![5, 4, 3]));
    let stolen: Vec<_> = run.ran.iter().filter(|ran| (ran.kernel, ran.smx) == (1, 0)).collect();
    // The last request is refused as the child begins, and the scan goes back to level 1: the queue
    // and the chunk, of two cycles each.
    let first = begins + 1 + 2 + 2;
    let cycles: Vec<_> = stolen.iter().map(|ran| ran.cycle).collect();
    assert_eq!(cycles, [first, first + 3, first + 6]);
}

#[test]
fn what_was_stolen_is_the_thief_s_in_the_next_child_of_that_home_and_grid() {
    let run = run(TWO, 2, slots(4), &family(&[0, 1000, 2000], 100));
    assert_eq!((run.order(1, 1), run.order(1, 0)), (vec![0, 1, 2], vec![5, 4, 3]));
    assert_eq!((run.order(2, 1), run.order(2, 0)), (vec![2, 1, 0], vec![3, 4, 5]));
    assert_eq!((run.order(3, 1), run.order(3, 0)), (vec![0, 1, 2], vec![5, 4, 3]));
    let begins = run.accepted[&2] + 1;
    assert_eq!(run.cycles(2), [begins + 1, begins + 2, begins + 3], "on both SMXs at once");
}

#[test]
fn a_full_queue_leads_to_a_chunk_with_all_blocks_for_the_next_child() {
    let run = run("ikra/steal(queue=2,nesting=2)", 2, slots(4), &family(&[0, 1000], 100));
    assert_eq!((run.order(1, 1), run.order(1, 0)), (vec![0, 1, 2], vec![5, 4, 3]));
    // Populated, and backward; then the far blocks are the first ones.
    assert_eq!((run.order(2, 1), run.order(2, 0)), (vec![5, 4, 3], vec![0, 1, 2]));
}

#[test]
fn a_thief_without_room_is_refused_and_asks_again_when_a_block_of_its_own_ends() {
    let plans = [
        Plan::host(kernel(2), 0, &[100, 1000]).launching(&[(1, 0, 1)]),
        Plan::child(kernel(2), &[50]),
    ];
    let run = run(TWO, 2, slots(1), &plans);
    assert_eq!(run.order(1, 0), [1, 0], "SMX 1 is full with the parent");
    // Back at level 0 after the end; the fourth request gets a block.
    let first = START + 100 + 1 + 3 * 2 + 2;
    assert_eq!(run.cycles(1), [first, first + 50 + 1 + 3 * 2 + 2]);
}

#[test]
fn at_its_limit_an_smx_runs_nothing_of_its_own_and_sends_no_request() {
    // A limit of two on each SMX, one of which the parent takes.
    let name = format!("{TWO}+dyncta");
    let run = machine::run(&name, 2, slots(4), &family(&[0], 100), DISPATCH, false);
    let begins = run.accepted[&1] + 1;
    let on = |smx| {
        let of = run.ran.iter().filter(move |ran| (ran.kernel, ran.smx) == (1, smx));
        of.map(|ran| (ran.block, ran.cycle)).collect::<Vec<_>>()
    };
    let first = begins + 1 + 2 + 2;
    assert_eq!(on(1), [(0, begins + 1), (1, begins + 101), (2, begins + 201)]);
    // The next request leaves in the cycle in which the stolen block ends. The scan is where that
    // block came from, and stays there: nobody was refused for want of room.
    assert_eq!(on(0), [(5, first), (4, first + 100 + 2), (3, first + 2 * (100 + 2))]);
}

#[test]
fn level_0_of_every_victim_is_stolen_from_before_any_higher_level() {
    // SMX 2 is idle; SMX 0 is full and has a chunk of level 0, SMX 1 a child.
    let plans = [
        Plan::host(kernel(6), 0, &[3000, 3000, 3000, 3000, 400, 400])
            .launching(&[(2, 0, 1), (3, 0, 1)][..1]),
        Plan::child(kernel(9), &[3000]),
    ];
    let run = run(TWO, 3, slots(2), &plans);
    assert_eq!(run.order(0, 0), [0, 1]);
    let late = run.ran.iter().filter(|ran| ran.smx == 2 && ran.kernel == 1);
    assert!(late.clone().count() > 0 && late.clone().all(|ran| ran.cycle > START + 400));
    // With a longer chunk the block of level 0 goes first, though SMX 1, the left neighbour, has a
    // child.
    let plans = [
        Plan::host(kernel(9), 0, &[3000, 3000, 3000, 3000, 3000, 3000, 400, 400, 400])
            .launching(&[(3, 0, 1)]),
        Plan::child(kernel(9), &[3000]),
    ];
    let run = machine::run(TWO, 3, slots(2), &plans, DISPATCH, true);
    let on_2: Vec<_> = run.ran.iter().filter(|ran| ran.smx == 2).map(|ran| ran.kernel).collect();
    // Its own three; blocks 2 and 5 of level 0; then the child's.
    assert_eq!(on_2[..6], [0, 0, 0, 0, 0, 1], "{:?}", run.ran);
}

#[test]
fn several_smxs_receive_blocks_of_several_kernels_in_one_cycle() {
    let plans = [
        Plan::host(kernel(4), 0, &[900]).launching(&[(0, 0, 1), (2, 0, 2), (3, 0, 3)]),
        Plan::child(kernel(40), &[7]),
        Plan::child(kernel(40), &[7]),
        Plan::child(kernel(40), &[7]),
    ];
    let run = run(FOUR, 4, slots(4), &plans);
    let at = |cycle: u64| run.ran.iter().filter(|ran| ran.cycle == cycle).count();
    let most = run.ran.iter().map(|ran| at(ran.cycle)).max();
    assert_eq!(most, Some(4));
    let all: usize = (1..4).map(|child| run.ran.iter().filter(|r| r.kernel == child).count()).sum();
    assert_eq!(all, 120);
}
