//! Launches on GPUs of more SMXs than one word has bits.

use super::*;

/// Parents on all SMXs; those on the first and on the last one launch children of three blocks.
fn text(smx: u32) -> String {
    let launch = |by| {
        format!(
            "[[kernel.launch]]\nby = {by}\nat = 9\nthread = 0\nkernel = \"C\"\ngrid = [3, 1, 1]\n"
        )
    };
    format!(
        "[gpu]\nsmx = {smx}\nthread_block_slots = 2\n[[kernel]]\nname = \"P\"\n\
         grid = [{smx}, 1, 1]\nblock = [64, 1, 1]\nduration = 900\n{}{}\
         [[kernel]]\nname = \"C\"\nchild = true\nblock = [64, 1, 1]\nduration = 100\n",
        launch(0),
        launch(smx - 1)
    )
}

/// The SMXs of the blocks of C.
fn of_children(seen: &Seen) -> Vec<u32> {
    let fields = seen.log.lines().map(|line| line.split(',').collect::<Vec<_>>());
    fields.filter(|line| line[2] == "C").map(|line| line[1].parse().unwrap()).collect()
}

#[test]
fn what_blocks_of_the_first_and_the_last_smx_launch_runs_once_and_where_it_is_bound() {
    use LaunchMode::{Cdp, Dtbl};
    for smx in [2, 33, 64, 65, 132, 144] {
        for (scheduler, mode) in [
            ("rr", Cdp),
            ("rr", Dtbl),
            ("rr+claso", Dtbl),
            ("laperm/tb-pri", Dtbl),
            ("laperm/smx-bind", Cdp),
            ("laperm/smx-bind", Dtbl),
            ("laperm/adaptive-bind(cluster=33)", Cdp),
            ("laperm/adaptive-bind(cluster=144)", Dtbl),
            ("ikra/steal(nesting=2)", Cdp),
        ] {
            let seen = run_both_on(scheduler, mode, &[("launch.ideal", "true")], &text(smx));
            let mut smxs = of_children(&seen);
            smxs.sort_unstable();
            assert_eq!(smxs.len(), 6, "{scheduler} on {smx} SMXs");
            if scheduler == "laperm/smx-bind" {
                assert_eq!(smxs, [0, 0, 0, smx - 1, smx - 1, smx - 1]);
            }
        }
    }
}
