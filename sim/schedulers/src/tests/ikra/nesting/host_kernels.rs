//! Level 0, the host's kernels: rule 22.

use super::*;

#[test]
fn on_one_smx_without_children_it_is_ikra_steal() {
    let grids = [Dim3::new(6, 1, 1), Dim3::new(6, 1, 1), Dim3::new(2, 3, 1), Dim3::new(0, 1, 1)];
    let work: Vec<_> =
        (0..).zip(grids).map(|(at, of)| Work::new(3 * at, grid(of), &[20, 5])).collect();
    let plain = golden("ikra/steal", 1, slots(2), &work);
    let plans: Vec<_> =
        work.iter().map(|work| Plan::host(work.launch, work.arrive, &work.durations)).collect();
    for name in [TWO, FOUR] {
        let nested = run(name, 1, slots(2), &plans);
        let ran: Vec<_> = nested.ran.iter().map(|r| (r.cycle, r.smx, r.kernel, r.block)).collect();
        let of = |i: &Issue| (i.cycle, i.smx, i.kernel, i.block);
        assert_eq!(ran, plain.issues.iter().map(of).collect::<Vec<_>>(), "{name}");
        let finished: Vec<_> = nested.finished.into_iter().collect();
        assert_eq!(finished, plain.finished, "{name}");
    }
}

#[test]
fn blocks_of_device_kernels_do_not_keep_the_next_host_kernel_waiting() {
    let plans = [
        Plan::host(kernel(2), 0, &[100]).launching(&[(0, 0, 2)]),
        Plan::host(kernel(2), 0, &[100]),
        Plan::child(kernel(1), &[2000]),
    ];
    let run = run(TWO, 2, slots(4), &plans);
    assert_eq!(run.finished[&0], 65 + 100 + 1);
    assert_eq!(run.cycles(1), [65 + 100 + 3], "its chunks are kept");
    assert!(run.finished[&2] > 2000);
}

#[test]
fn a_thief_steals_of_level_0_and_keeps_it_as_under_ikra_steal() {
    // Chunks of four; SMX 1 is full with its first two blocks.
    let durations = [5, 5, 5, 5, 900, 900, 5, 5];
    let plans = [0, 2000].map(|arrive| Plan::host(kernel(8), arrive, &durations));
    let run = run(TWO, 2, slots(2), &plans);
    assert_eq!((run.order(0, 0), run.order(0, 1)), (vec![0, 1, 2, 3, 7, 6], vec![4, 5]));
    // Backward and the queue first: the youngest one first.
    assert_eq!((run.order(1, 0), run.order(1, 1)), (vec![6, 7, 3, 2, 1, 0], vec![5, 4]));
    assert_eq!(run.cycles(1)[0], 2000 + 2, "chunks are kept");
}

/// Three host kernels of one grid; SMXs 0 and 1 steal blocks of the first one, until SMX 1 is full
/// with a child and refused for want of room. A block of the child ends in the cycle before the
/// second kernel begins, so that the request of SMX 1 is sent as that kernel begins.
fn request_sent_as_a_kernel_begins(arrive: u64) -> Run {
    let mut slow = [5; 30];
    slow[20..22].fill(400);
    slow[22..].fill(100);
    let plans = [
        Plan::host(kernel(30), 0, &slow).launching(&[(10, 40, 3)]),
        Plan::host(kernel(30), arrive, &[20]),
        Plan::host(kernel(30), arrive + 1000, &[20]),
        Plan::child(kernel(2), &[2000, 4000]),
    ];
    run(TWO, 3, slots(2), &plans)
}

#[test]
fn a_stolen_block_that_comes_to_a_queue_with_blocks_left_is_not_kept_and_chunks_are_assigned() {
    let child = request_sent_as_a_kernel_begins(50_000);
    assert_eq!(child.order(3, 1), [0, 1]);
    assert_eq!(child.cycles(2)[0], 51_000 + 2, "nobody asks as the second one begins: kept");
    let ends = child.cycles(3)[0] + 2000;
    let run = request_sent_as_a_kernel_begins(ends);
    let stolen: Vec<_> = [0, 1].map(|smx| run.order(0, smx)[10..].to_vec()).into();
    assert_eq!(stolen, [vec![29, 27, 25, 24, 23, 22], vec![28, 26]]);
    // The second kernel begins in `ends + 1`. SMX 0 runs its queue, SMX 1 receives what it asked
    // for, and behind that in its only free slot what is left of its own queue.
    let second = |smx: usize| -> Vec<_> {
        let of = run.ran.iter().filter(|ran| (ran.kernel, ran.smx) == (1, smx));
        of.map(|ran| (ran.cycle - ends, ran.block)).collect()
    };
    assert_eq!(second(0)[0], (2, 22));
    assert_eq!(second(1)[..2], [(3, 29), (3 + 20, 26)]);
    assert_eq!(run.cycles(2)[0], ends + 1000 + 65, "chunks are assigned");
}
