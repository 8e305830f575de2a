//! Device kernels. The parent is dispatched in 1.

use super::*;

/// DTBL, Table 3: a call of `x` threads.
fn call(x: u64) -> u64 {
    7165 + (8023 + 129 * x) + (12187 + 1592 * x)
}

const DISPATCH: u64 = 283;

fn cdp(text: &str) -> Seen {
    run_both(LaunchMode::Cdp, &[], text)
}

#[test]
fn a_kernel_of_one_thread_is_distributed_after_its_call_and_the_dispatch_latency() {
    let seen = cdp(&family(1, &[(0, 500, 0, "C", 2)]));
    let distributed = 501 + call(1) + DISPATCH;
    assert_eq!(call(1), 29096);
    assert_eq!(blocks(&seen, "C"), [(distributed + 1, 0, 0, 0), (distributed + 2, 0, 0, 1)]);
    let child = kernel(&seen, "C", 0);
    assert_eq!((child.arrive, child.distributed), (501, Some(distributed)));
    assert_eq!(child.first_dispatch, Some(distributed + 1));
    assert_eq!(child.finish, Some(distributed + 2 + 1000 + 1));
}

#[test]
fn two_threads_of_a_warp_make_one_call_and_their_kernels_follow_one_another() {
    let seen = cdp(&family(1, &[(0, 500, 7, "C", 1), (0, 500, 3, "C", 1)]));
    let first = 501 + call(2) + DISPATCH;
    assert_eq!(distributed(&seen, "C"), [(501, first), (501, first + 1)]);
}

#[test]
fn threads_of_two_warps_make_two_calls_and_reach_the_unit_in_order_of_thread() {
    let seen = cdp(&family(1, &[(0, 500, 32, "C", 1), (0, 500, 31, "D", 1)]));
    let first = 501 + call(1) + DISPATCH;
    assert_eq!(distributed(&seen, "D"), [(501, first)]);
    assert_eq!(distributed(&seen, "C"), [(501, first + 1)]);
}

#[test]
fn threads_of_two_smxs_reach_the_unit_in_order_of_smx() {
    let seen = cdp(&family(2, &[(1, 499, 0, "C", 1), (0, 500, 0, "D", 1)]));
    let first = 501 + call(1) + DISPATCH;
    assert_eq!(distributed(&seen, "D"), [(501, first)]);
    assert_eq!(distributed(&seen, "C"), [(501, first + 1)]);
}

#[test]
fn a_warp_launches_different_kernels_one_after_the_other() {
    let seen = cdp(&family(1, &[(0, 500, 1, "C", 1), (0, 500, 0, "D", 1), (0, 500, 2, "C", 1)]));
    let first = 501 + call(2);
    assert_eq!(distributed(&seen, "C"), [(501, first + DISPATCH), (501, first + 1 + DISPATCH)]);
    assert_eq!(distributed(&seen, "D"), [(first, first + call(1) + DISPATCH)]);
}

#[test]
fn calls_that_state_different_cycles_do_not_wait_for_one_another() {
    let seen = cdp(&family(1, &[(0, 500, 0, "C", 1), (0, 600, 0, "C", 1)]));
    let first = 501 + call(1) + DISPATCH;
    assert_eq!(distributed(&seen, "C"), [(501, first), (601, first + 100)]);
}

#[test]
fn ideally_a_call_and_the_dispatch_take_one_cycle_each() {
    let text = family(1, &[(0, 500, 0, "C", 1), (0, 500, 1, "C", 1), (0, 0, 40, "D", 1)]);
    let seen = run_both(LaunchMode::Cdp, &[("launch.ideal", "true")], &text);
    assert_eq!(distributed(&seen, "C"), [(501, 503), (501, 504)]);
    assert_eq!(distributed(&seen, "D"), [(1, 3)]);
}

#[test]
fn at_most_32_kernels_are_distributed_and_the_next_record_is_asked_for_when_an_entry_is_free() {
    // Thread 32 is alone in its warp: its call ends first.
    let launches: Vec<_> = (0..33).map(|thread| (0, 500, thread, "C", 1)).collect();
    let seen = cdp(&family(1, &launches).replace("1_000\n", "200_000\n"));
    let mut cycles: Vec<u64> = distributed(&seen, "C").iter().map(|(_, cycle)| *cycle).collect();
    cycles.sort_unstable();
    let rest = 501 + call(32) + DISPATCH;
    assert_eq!(cycles[0], 501 + call(1) + DISPATCH);
    assert_eq!(cycles[1..31], Vec::from_iter(rest..rest + 30), "with the parent 32 kernels");
    // The parent's block ends in 100,001, its entry is free from 100,003 on.
    assert_eq!(cycles[31], 100_003 + DISPATCH);
    // The one that is alone starts in the cycle after its entry.
    assert_eq!(cycles[32], cycles[0] + 1 + 200_000 + 2 + DISPATCH);
}

#[test]
fn a_kernel_of_the_host_waits_for_a_free_entry_behind_promised_ones() {
    // 31 device kernels and the parent fill the Kernel Distributor; the host's kernel comes between
    // the fetch of the last record and its arrival.
    let launches: Vec<_> = (0..31).map(|thread| (0, 500, thread, "C", 1)).collect();
    let last = 501 + call(31) + 30;
    let text = family(1, &launches).replace("1_000\n", "200_000\n");
    let host = |arrive: u64| {
        format!(
            "{text}[[kernel]]\nname = \"H\"\ngrid = [1, 1, 1]\nblock = [32, 1, 1]\nduration = 9\n\
             arrive = {arrive}\n"
        )
    };
    // In the cycle of the last fetch the host goes first, and the record waits for the parent's
    // entry.
    let seen = cdp(&host(last));
    assert_eq!(distributed(&seen, "H"), [(last, last)]);
    let after = distributed(&seen, "H")[0].1 + 1 + 9 + 2;
    assert_eq!(distributed(&seen, "C")[30].1, after + DISPATCH);
    // A cycle later the entry is promised.
    let seen = cdp(&host(last + 1));
    assert_eq!(distributed(&seen, "C")[30].1, last + DISPATCH);
    assert_eq!(distributed(&seen, "H"), [(last + 1, 100_003)]);
}

#[test]
fn what_children_launch_is_launched_from_their_own_start_on() {
    let mut text = family(1, &[(0, 0, 0, "C", 2)]);
    let child = "name = \"C\"\nchild = true\nblock = [64, 1, 1]\nduration = 1_000\n";
    let launch = "[[kernel.launch]]\nby = 1\nat = 999\nkernel = \"D\"\ngrid = [1, 1, 1]\n";
    text = text.replace(child, &format!("{child}{launch}"));
    let seen = cdp(&text);
    let start = kernel(&seen, "C", 0).first_dispatch.unwrap() + 1;
    let called = start + 999;
    assert_eq!(distributed(&seen, "D"), [(called, called + call(1) + DISPATCH)]);
    assert_eq!(kernel(&seen, "C", 0).finish, Some(start + 1001), "calls do not extend a block");
}

#[test]
fn a_block_that_ends_earlier_than_stated_launches_in_its_last_cycle() {
    let gpu = "[gpu]\nsmx = 2\nsmx_slowdown = [0.001, 2]\n";
    let text = family(2, &[(0, 500, 0, "C", 1), (1, 500, 0, "D", 1)]);
    let seen = cdp(&format!("{gpu}{text}"));
    // 100 cycles from 1 on; 200,000 from 2 on, but `at` is not scaled.
    assert_eq!(distributed(&seen, "C")[0].0, 100);
    assert_eq!(distributed(&seen, "D")[0].0, 502);
}

#[test]
fn instances_count_all_launches_of_a_name_in_order_of_their_calls() {
    let launches = [(1, 700, 0, "C", 1), (0, 600, 40, "C", 1), (0, 600, 0, "C", 1)];
    let seen = cdp(&family(2, &launches));
    let calls: Vec<u64> = distributed(&seen, "C").iter().map(|(call, _)| *call).collect();
    assert_eq!(calls, [601, 601, 702]);
    let instances: Vec<u32> = blocks(&seen, "C").iter().map(|block| block.1).collect();
    assert_eq!(instances, [0, 1, 2]);
}

#[test]
fn drawn_durations_are_drawn_for_each_instance() {
    let text = family(1, &[(0, 0, 0, "C", 1), (0, 0, 1, "C", 1)])
        .replace("1_000\n", "{ mean = 5000, rsd = 0.3 }\n");
    let seen = cdp(&text);
    let lasted = |instance| {
        let kernel = kernel(&seen, "C", instance);
        kernel.finish.unwrap() - kernel.first_dispatch.unwrap()
    };
    assert_ne!(lasted(0), lasted(1));
}

#[test]
fn the_next_kernel_of_a_stream_does_not_wait_for_what_the_first_one_launched() {
    let seen = cdp(&family(1, &[(0, 0, 0, "C", 1)])
        .replacen("duration", "repeat = 2\nduration", 1)
        .replace("100_000\n", "100\n"));
    assert_eq!(kernel(&seen, "P", 0).finish, Some(102));
    assert_eq!(kernel(&seen, "P", 1).distributed, Some(103));
    assert_eq!(distributed(&seen, "C").len(), 2, "each instance of the parent launches");
}

#[test]
fn kernels_execute_from_their_first_dispatch_to_their_end() {
    let seen = cdp(&family(1, &[(0, 500, 0, "C", 1), (0, 500, 1, "C", 1)]));
    let executes = |cycle: &u64, kernel: &KernelStats| {
        kernel.first_dispatch.unwrap() <= *cycle && *cycle < kernel.finish.unwrap()
    };
    let in_cycle = |cycle| seen.stats.kernels.iter().filter(|k| executes(&cycle, k)).count();
    let together: usize = (0..seen.stats.cycles).map(in_cycle).sum();
    assert!(
        (0..seen.stats.cycles).any(|cycle| in_cycle(cycle) == 3),
        "the parent and both children"
    );
    let average = together as f64 / seen.stats.cycles as f64;
    assert_eq!(seen.stats.launches.unwrap().executing_kernels, average);
}

#[test]
fn waits_and_pending_memory_are_those_of_the_calls() {
    let seen = cdp(&family(1, &[(0, 500, 0, "C", 1), (0, 500, 1, "C", 1)]));
    let wait = call(2) + DISPATCH + 1;
    let launches = seen.stats.launches.unwrap();
    assert_eq!((launches.device_kernels, launches.groups, launches.match_rate), (2, 0, None));
    assert_eq!(launches.average_wait, Some((wait + wait + 1) as f64 / 2.0));
    assert_eq!(launches.pending_bytes_peak, 2 * 128);
    let average = (128 * (2 * wait + 1)) as f64 / seen.stats.cycles as f64;
    assert_eq!(launches.pending_bytes_average, average);
}
