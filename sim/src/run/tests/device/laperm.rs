//! LaPerm, section IV, Figure 4(a) and (b): eight parents of which P2 launches two blocks and P4 four,
//! on four SMXs of one slot, under round robin.

use super::*;

const FIGURE_4: &str = "[gpu]\nsmx = 4\nthread_block_slots = 1\nlaunch.ideal = true\n\
    [[kernel]]\nname = \"P\"\ngrid = [8, 1, 1]\nblock = [64, 1, 1]\nduration = 100_000\n\
    [[kernel.launch]]\nby = 2\nat = 10_000\nkernel = \"C\"\ngrid = [2, 1, 1]\n\
    [[kernel.launch]]\nby = 4\nat = 10_000\nkernel = \"C\"\ngrid = [4, 1, 1]\n\
    [[kernel]]\nname = \"C\"\nchild = true\nblock = [64, 1, 1]\nduration = 100_000\n";

/// Instance, group and index of each block of C, with its SMX, in order of dispatch.
fn children(mode: LaunchMode) -> Vec<(u32, u32, u32, u32)> {
    let seen = run_both(mode, &[], FIGURE_4);
    let fields = seen.log.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let of_c = fields.filter(|fields| fields[2] == "C");
    of_c.map(|fields| {
        let [smx, instance, group, x] = [1, 3, 4, 5].map(|at: usize| fields[at].parse().unwrap());
        (instance, group, x, smx)
    })
    .collect()
}

#[test]
fn round_robin_distributes_children_after_all_parents_and_evenly() {
    // C0 and C1, then C2 to C5: as two kernels, or as a kernel and a group that is coalesced to it.
    let place = |number: u32| number % 4;
    let expected = |second: (u32, u32)| {
        let first = (0..2).map(|x| (0, 0, x, place(x)));
        let rest = (0..4).map(move |x| (second.0, second.1, x, place(2 + x)));
        first.chain(rest).collect::<Vec<_>>()
    };
    assert_eq!(children(LaunchMode::Cdp), expected((1, 0)));
    assert_eq!(children(LaunchMode::Dtbl), expected((0, 1)));
    for mode in [LaunchMode::Cdp, LaunchMode::Dtbl] {
        let seen = run_both(mode, &[], FIGURE_4);
        let last = kernel(&seen, "P", 0);
        assert!(blocks(&seen, "P").last().unwrap().0 < blocks(&seen, "C")[0].0, "{last:?}");
    }
}
