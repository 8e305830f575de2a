//! Rules 16 and 19: which kernels before are remembered, and in which direction they ran.

use super::*;

#[test]
fn rule_16_kernels_up_to_four_back_are_remembered() {
    for steps in 1..=4u8 {
        let first: Vec<_> = (8..13).map(kernel).collect();
        let grid = 13 - u32::from(steps);
        let launches = [first.clone(), vec![back(kernel(grid), steps)]].concat();
        assert_eq!(gaps(&golden(UNSTOLEN, 3, slots(4), &short(&launches)))[4], 2, "{steps} back");
        let launches = [first, vec![back(kernel(8), steps)]].concat();
        assert_eq!(gaps(&golden(UNSTOLEN, 3, slots(4), &short(&launches)))[4], 65, "not five");
    }
    // Not that many before.
    for steps in 1..=4u8 {
        for before in 0..4 {
            let relation = related(kernel(9), steps, 1, 3);
            let launches = [vec![kernel(9); before], vec![relation]].concat();
            let record = golden(UNSTOLEN, 3, slots(4), &short(&launches));
            let known = before >= usize::from(steps);
            let gap = cycles(&record, before)[0]
                - record.finished.get(before.wrapping_sub(1)).map_or(0, |f| f.1);
            assert_eq!(gap, if known { 98 } else { 65 }, "{steps} back of {before}");
        }
    }
}

#[test]
fn rule_16_kernels_without_blocks_are_not_counted() {
    let empty = grid(Dim3::new(0, 3, 1));
    let launches = [kernel(9), empty, kernel(7), empty, empty, back(kernel(9), 2), back(empty, 3)];
    let work = short(&[&launches[..], &[related(kernel(9), 1, 1, 2)]].concat());
    let record = golden(UNSTOLEN, 3, slots(4), &work);
    let finished = |kernel: usize| record.finished[kernel].1;
    assert_eq!(cycles(&record, 5)[0] - finished(4), 2, "kept from the first kernel");
    assert_eq!(order(&record, 5, 0), [2, 1, 0]);
    assert_eq!(cycles(&record, 7)[0] - finished(6), 98);
    assert_eq!(order(&record, 7, 0), [0], "derived from the sixth: first ids 0, 1, 4");
    assert_eq!(order(&record, 7, 1), [1, 2, 3]);
}

#[test]
fn rule_19_the_direction_is_the_other_one_than_that_of_the_last_kernel_that_used_the_source() {
    // What SMX 0 of two runs first tells the direction.
    let launches = [
        (kernel(8), 0, "the first one, forward"),
        (kernel(6), 2, "assigned after a forward one, backward"),
        (back(kernel(8), 2), 3, "kept from a forward one"),
        (back(kernel(8), 3), 0, "the same layout, which ran backward last"),
        (back(kernel(6), 3), 0, "kept from a backward one"),
        (related(kernel(6), 1, 1, -1), 3, "derived from a forward one"),
        (related(kernel(6), 3, 1, -1), 4, "derived from one that ran forward"),
        (back(kernel(5), 2), 0, "another grid than that of a backward one"),
    ];
    let record = golden(UNSTOLEN, 2, slots(4), &short(&launches.map(|l| l.0)));
    for (kernel, (_, first, what)) in launches.into_iter().enumerate() {
        assert_eq!(order(&record, kernel, 0)[0], first, "{what}");
    }
    assert_eq!(gaps(&record), [65, 2, 2, 2, 98, 98, 65]);
    // Without a source: forward, whatever ran before.
    let launches = [kernel(8), kernel(8), kernel(8), back(kernel(8), 4)];
    let record = golden(UNSTOLEN, 2, slots(4), &short(&launches));
    assert_eq!((gaps(&record)[2], order(&record, 3, 0)[0]), (65, 0));
    let launches = [kernel(8), related(kernel(8), 2, 1, 1)];
    let record = golden(UNSTOLEN, 2, slots(4), &short(&launches));
    assert_eq!((gaps(&record)[0], order(&record, 1, 0)[0]), (65, 0));
}

#[test]
fn a_relation_is_that_of_its_kernel_wherever_it_waits_in_the_ring() {
    // Forty kernels at once: entries are used again while others wait.
    let launch = |k: u32| match k % 4 {
        0 => kernel(8),
        1 => related(kernel(8), 1, 1, 1),
        2 => back(kernel(8), 2),
        _ => related(kernel(9), 2, 1, -1),
    };
    let launches: Vec<_> = (0..40).map(launch).collect();
    let record = golden(UNSTOLEN, 2, slots(4), &short(&launches));
    for kernel in 1..40 {
        // Behind 9 blocks 8 are assigned, then derived, kept from before that, and 9 are derived.
        let expected = [65, 98, 2, 98][kernel % 4];
        assert_eq!(gaps(&record)[kernel - 1], expected, "kernel {kernel}");
    }
}

#[test]
fn after_reset_nothing_of_kernels_before_is_known() {
    let composition: Composition = "ikra/steal(queue=2,latency=3,relations=on)".parse().unwrap();
    let launches = [
        kernel(20),
        related(kernel(20), 1, 1, 3),
        back(kernel(20), 2),
        related(kernel(11), 2, 2, -1),
        kernel(11),
    ];
    let work: Vec<_> = launches.iter().map(|&l| Work::new(0, l, &[13, 1, 9])).collect();
    let mut scheduler = build(&composition, 3, slots(2));
    let setup = |last| Setup { last, rules: (&composition).into(), ..Setup::default() };
    let fresh = run_with(scheduler.as_mut(), slots(2), &work, &setup(10_000));
    assert_eq!(fresh.finished.len(), 5);
    let launch = Some(launches[1]);
    let reset = Inputs { reset: true, launch, ..Inputs::idle(3) };
    let mut outputs = Outputs::default();
    // While chunks are assigned, in the first kernel, while bounds and then starts are derived, and
    // later.
    for last in [1, 30, 70, 90, 120, 140, 150, 160, 200, 250, 300, 350, 400, 450] {
        scheduler.cycle(&reset, &mut outputs);
        run_with(scheduler.as_mut(), slots(2), &work, &setup(last));
        scheduler.cycle(&reset, &mut outputs);
        assert_eq!(scheduler.cycle(&reset, &mut outputs), Activity::Quiet, "nothing to reset");
        let again = run_with(scheduler.as_mut(), slots(2), &work, &setup(10_000));
        assert_eq!(again, fresh, "after {last} cycles");
    }
}
