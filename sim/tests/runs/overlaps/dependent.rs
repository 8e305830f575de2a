//! `docs/dependent.md`.

use super::*;

const GPU: &str = "[gpu]\nsmx = 1\nthread_block_slots = 3\n";

/// `first` of the page, of two blocks of 100 cycles, and `second`, of one of 50; what they state.
fn page(first: &str, second: &str) -> String {
    let first = kernel("first", 2, "100", &format!("stream = 0\n{first}"));
    let second = kernel("second", 1, "50", &format!("stream = 0\ndependent = true\n{second}"));
    format!("{GPU}{first}{second}")
}

#[test]
fn the_example_of_the_page() {
    let text = page("trigger = 60", "prologue = 20");
    let seen = run_on("dependent", &text);
    assert_eq!(seen.blocks("first"), [(1, 0), (2, 0)]);
    assert_eq!(seen.blocks("second"), [(64, 0)]);
    assert_eq!(seen.ports.triggers, [(61, 0, 0), (62, 0, 0), (133, 0, 1)]);
    assert_eq!(seen.ports.ends, [(101, 0, 0), (102, 0, 0), (133, 0, 1)]);
    assert_eq!(seen.kernels(), [(0, 103), (1, 134)]);
    // Under rr the second one is offered when the first one has finished.
    let seen = run_on("rr", &text);
    assert_eq!(seen.blocks("second"), [(105, 0)]);
    assert_eq!(seen.kernels(), [(0, 103), (104, 156)]);
    assert_eq!(seen.ports.triggers, []);
}

#[test]
fn where_nothing_is_said_blocks_trigger_at_their_ends_and_wait_at_theirs() {
    let seen = run_on("dependent", &page("", ""));
    assert_eq!(seen.ports.triggers, seen.ports.ends);
    // The last one triggers in 102; marked in 103, dispatched in 104, when the first one has
    // finished.
    assert_eq!((seen.blocks("second"), seen.kernels()), (vec![(104, 0)], vec![(0, 103), (1, 155)]));
    // Triggers in 2 and 3: 5 + 50 is before the end of the first one, in 103.
    let seen = run_on("dependent", &page("trigger = 1", ""));
    assert_eq!(seen.blocks("second"), [(5, 0)]);
    assert_eq!(seen.ports.ends[2], (104, 0, 1));
}

#[test]
fn a_block_whose_prologue_is_longer_than_what_is_left_does_not_wait() {
    // Dispatched in 94, at its wait in 114; the first one has finished in 103.
    let seen = run_on("dependent", &page("trigger = 90", "prologue = 20"));
    assert_eq!((seen.blocks("second"), seen.ports.ends[2]), (vec![(94, 0)], (144, 0, 1)));
    // One that is at its wait in the cycle of that end or before goes on then.
    for (prologue, end) in [(8, 103 + 42), (9, 144), (10, 144), (0, 153)] {
        let seen = run_on("dependent", &page("trigger = 90", &format!("prologue = {prologue}")));
        assert_eq!(seen.ports.ends[2], (end, 0, 1), "{prologue}");
    }
}

#[test]
fn a_wait_puts_off_the_trigger_behind_it_and_none_before_it() {
    let chain = |keys: &str| {
        let first = kernel("A", 1, "100", "stream = 0\ntrigger = 10");
        let second = kernel("B", 1, "50", &format!("stream = 0\ndependent = true\n{keys}"));
        let third = kernel("C", 1, "50", "stream = 0\ndependent = true");
        run_on("dependent", &format!("{GPU}{first}{second}{third}"))
    };
    // A finishes in 102; B is dispatched in 13 and waits from 33 on.
    let seen = chain("prologue = 20\ntrigger = 30");
    assert_eq!((seen.blocks("B"), seen.blocks("C")), (vec![(13, 0)], vec![(114, 0)]));
    assert_eq!(seen.ports.triggers[1], (112, 0, 1));
    let seen = chain("prologue = 20\ntrigger = 20");
    assert_eq!((seen.ports.triggers[1], seen.blocks("C")), ((33, 0, 1), vec![(35, 0)]));
    // B ends in 132, and C in the cycle after the one in which B finishes.
    assert_eq!(seen.ports.ends, [(101, 0, 0), (132, 0, 1), (134, 0, 2)]);
}

#[test]
fn a_slow_smx_takes_all_times_by_its_factor() {
    let text = page("trigger = 60", "prologue = 20");
    let slow = text.replace("smx = 1\n", "smx = 1\nsmx_slowdown = [2]\n");
    let seen = run_on("dependent", &slow);
    assert_eq!(seen.ports.triggers[..2], [(121, 0, 0), (122, 0, 0)]);
    // The first one finishes in 203; 60 cycles are behind the wait.
    assert_eq!((seen.blocks("second"), seen.ports.ends[2]), (vec![(124, 0)], (263, 0, 1)));
    // No prologue is none on any SMX: all 100 cycles are behind the wait.
    let slow = slow.replace("prologue = 20", "prologue = 0");
    assert_eq!(run_on("dependent", &slow).ports.ends[2], (303, 0, 1));
}

#[test]
fn one_block_of_an_smx_triggers_in_a_cycle_and_one_that_ends_goes_first() {
    let two = |a: &str, b: &str| {
        let text = format!("{GPU}{}{}", kernel("A", 1, "10", a), kernel("B", 1, "10", b));
        run_on("dependent", &text).ports
    };
    // Dispatched in 1 and 2, both are to trigger in 9.
    assert_eq!(two("trigger = 8", "trigger = 7").triggers, [(9, 0, 0), (10, 0, 1)]);
    // A triggers and ends in 11, so that B, which would, has its turn when it ends itself.
    let ports = two("", "trigger = 9");
    assert_eq!(
        (ports.triggers, ports.ends),
        (vec![(11, 0, 0), (12, 0, 1)], vec![(11, 0, 0), (12, 0, 1)])
    );
}

#[test]
fn a_block_that_is_shorter_than_the_trigger_triggers_at_its_end() {
    let text = format!("{GPU}{}", kernel("A", 2, "[5, 40]", "trigger = 30"));
    let ports = run_on("dependent", &text).ports;
    assert_eq!(
        (ports.triggers, ports.ends),
        (vec![(6, 0, 0), (32, 0, 0)], vec![(6, 0, 0), (42, 0, 0)])
    );
}

#[test]
fn each_instance_of_a_dependent_follows_what_is_before_it_in_the_stream() {
    let first = kernel("A", 1, "100", "stream = 0\ntrigger = 10\nrepeat = 2");
    let second = kernel("B", 1, "20", "stream = 0\ndependent = true\nprologue = 5\nrepeat = 2");
    let seen = run_on("dependent", &format!("{GPU}{first}{second}"));
    // A finishes in 102, its second instance waits behind B for B's end, in 102 + 15 + 1.
    assert_eq!((seen.blocks("A"), seen.kernels()[1].1), (vec![(1, 0), (120, 0)], 118));
    assert_eq!(seen.blocks("B"), [(13, 0), (120 + 12, 0)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn random_chains_obey_the_rules_with_and_without_skipping(
        chain in prop::collection::vec((1_u32..9, 1_u64..300, 0_u64..300, 0_u64..300, 0_u64..400, any::<[bool; 3]>()), 2..6),
        smx in 1_u32..4,
        slots in 1_u32..5,
    ) {
        let mut text = format!("gpu = {{ smx = {smx}, thread_block_slots = {slots} }}\n");
        for (number, (blocks, duration, trigger, prologue, arrive, [dependent, early, waits])) in chain.iter().enumerate() {
            let mut keys = format!("stream = 0\narrive = {arrive}\n");
            if *early {
                keys += &format!("trigger = {}\n", 1 + trigger % duration);
            }
            if *dependent && number > 0 {
                keys += "dependent = true\n";
                if *waits {
                    keys += &format!("prologue = {}\n", prologue % (duration + 1));
                }
            }
            text += &kernel(&format!("K{number}"), *blocks, &duration.to_string(), &keys);
        }
        // The invariants of a run look at triggers, at who waits, and at the blocks.
        let seen = run_with("dependent", &text, true);
        prop_assert_eq!(&seen, &run_with("dependent", &text, false));
        let kernels = seen.kernels();
        for (number, (blocks, duration, _, prologue, _, [dependent, _, waits])) in chain.iter().enumerate().skip(1) {
            let ((_, before), (accepted, finish)) = (kernels[number - 1], kernels[number]);
            if !dependent {
                prop_assert!(accepted > before);
                continue;
            }
            let left = if *waits { duration - prologue % (duration + 1) } else { 0 };
            let end = |&(cycle, _): &(u64, usize)| (cycle + duration).max(before + left.max(1));
            let last = seen.blocks(&format!("K{number}")).iter().map(end).max().expect("blocks");
            // Ends of an SMX are reported one a cycle.
            prop_assert!((last + 1..=last + 1 + u64::from(*blocks)).contains(&finish));
        }
    }
}

#[test]
fn statistics_tell_how_long_a_kernel_overlapped_with_the_one_before_it() {
    let overlaps = |scheduler: &str, first: &str| {
        let kernels = run_on(scheduler, &page(first, "prologue = 20")).stats.kernels;
        kernels.iter().map(|kernel| kernel.overlap).collect::<Vec<_>>()
    };
    assert_eq!(overlaps("dependent", "trigger = 60"), [None, Some(103 - 64)]);
    // Its first block goes in 104.
    assert_eq!(overlaps("dependent", ""), [None, Some(0)]);
    assert_eq!(overlaps("rr", "trigger = 60"), [None, None]);
}
