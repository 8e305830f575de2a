//! Children that the host launches without blocks, for groups to find (DTBL, section 4.1).

use super::*;

/// [`family`] with `C` resident.
fn resident(launches: &[(u32, u64, u32, &str, u32)]) -> String {
    family(1, launches).replace("name = \"C\"\n", "name = \"C\"\nresident = true\n")
}

const LAUNCHES: [(u32, u64, u32, &str, u32); 3] =
    [(0, 500, 0, "C", 2), (0, 500, 9, "C", 1), (0, 60_000, 3, "C", 1)];

#[test]
fn all_groups_of_a_resident_child_match_it() {
    for scheduler in ["rr", "laperm/tb-pri", "laperm/smx-bind", "laperm/adaptive-bind"] {
        let seen = run_both_on(scheduler, LaunchMode::Dtbl, &[], &resident(&LAUNCHES));
        let launches = seen.stats.launches.clone().unwrap();
        assert_eq!((launches.groups, launches.fallbacks), (3, 0), "{scheduler}");
        assert_eq!((launches.coalesced, launches.match_rate), (3, Some(1.0)), "{scheduler}");
        let groups: Vec<_> = blocks(&seen, "C").iter().map(|b| (b.1, b.2, b.3)).collect();
        assert_eq!(groups, [(0, 1, 0), (0, 1, 1), (0, 2, 0), (0, 3, 0)], "no native block");
    }
}

#[test]
fn without_it_groups_become_kernels() {
    let seen = run_both(LaunchMode::Dtbl, &[], &family(1, &LAUNCHES));
    assert_eq!(seen.stats.launches.unwrap().fallbacks, 3, "the first ones have ended by the third");
}

#[test]
fn it_ends_a_cycle_after_all_else_has_ended() {
    // The children of the second run outlive the parent.
    for (launches, outlive) in [(&LAUNCHES[..], false), (&[(0, 99_000, 0, "C", 1)], true)] {
        let seen = run_both(LaunchMode::Dtbl, &[], &resident(launches));
        let (parent, child) = (kernel(&seen, "P", 0), kernel(&seen, "C", 0));
        let (parent, child) = (parent.finish.unwrap(), child.finish.unwrap());
        let last = blocks(&seen, "C").last().unwrap().0 + 1_000;
        assert_eq!(child, if outlive { last + 1 } else { parent + 1 });
        assert_eq!(child > parent + 1, outlive);
    }
}

#[test]
fn under_cdp_and_flat_it_is_left_out() {
    let cdp = |text: &str| run_both(LaunchMode::Cdp, &[], text);
    assert_eq!(cdp(&resident(&LAUNCHES)), cdp(&family(1, &LAUNCHES)));
    let flat = |text: &str| run_both(LaunchMode::Flat, &[], text);
    assert_eq!(flat(&resident(&[])), flat(&family(1, &[])));
    assert_eq!(flat(&resident(&[])).stats.kernels.len(), 1);
}

#[test]
fn at_most_31_children_are_resident_at_once() {
    let text = |children: u32| {
        let mut text = family(1, &[]);
        for number in 0..children {
            text += &format!(
                "[[kernel]]\nname = \"R{number}\"\nchild = true\nresident = true\n\
                 block = [64, 1, 1]\nduration = 10\n"
            );
        }
        text
    };
    let run = |children| {
        try_watch("rr", LaunchMode::Dtbl, &[], &text(children), true, &mut Nobody).map(|_| ())
    };
    run(31).unwrap();
    assert!(run(32).unwrap_err().to_string().contains("32 resident kernels leave no room"));
}
