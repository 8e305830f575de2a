//! Stated durations, by hand. A kernel that arrives in 0 is accepted in 0 and dispatched from 1 on.

use super::run_scenario;

fn one_smx(slots: u32, kernels: &str) -> super::Seen {
    run_scenario(&format!("gpu = {{ smx = 1, thread_block_slots = {slots} }}\n{kernels}"))
}

fn kernel(name: &str, blocks: u32, rest: &str) -> String {
    format!("[[kernel]]\nname = \"{name}\"\ngrid = [{blocks}, 1, 1]\nblock = [32, 1, 1]\n{rest}\n")
}

#[test]
fn a_slot_is_filled_again_in_the_very_cycle_in_which_its_block_ends() {
    let seen = one_smx(1, &kernel("A", 3, "duration = 10"));
    assert_eq!(seen.dispatches(), ["1,0,A,0,0", "11,0,A,0,1", "21,0,A,0,2"]);
    let stats = &seen.stats.kernels[0];
    // The last block ends in 31, the scheduler says so in 32.
    assert_eq!((stats.first_dispatch, stats.finish, seen.stats.cycles), (Some(1), Some(32), 33));
}

#[test]
fn a_duration_of_one_cycle_is_the_shortest() {
    let seen = one_smx(1, &kernel("A", 3, "duration = 1"));
    assert_eq!(seen.dispatches(), ["1,0,A,0,0", "2,0,A,0,1", "3,0,A,0,2"]);
    assert_eq!(seen.stats.kernels[0].finish, Some(5));
}

#[test]
fn of_two_blocks_that_end_together_on_one_smx_the_second_is_reported_a_cycle_later() {
    let seen = one_smx(2, &kernel("A", 4, "duration = [10, 9, 5, 5]"));
    assert_eq!(seen.dispatches(), ["1,0,A,0,0", "2,0,A,0,1", "11,0,A,0,2", "12,0,A,0,3"]);
}

#[test]
fn blocks_that_end_together_on_different_smxs_are_reported_together() {
    let text = kernel("A", 4, "duration = [10, 9, 5, 5]");
    let text = format!("gpu = {{ smx = 2, thread_block_slots = 1 }}\n{text}");
    let seen = run_scenario(&text);
    // Both SMXs have room in 11; one block a cycle goes out.
    assert_eq!(seen.dispatches(), ["1,0,A,0,0", "2,1,A,0,1", "11,0,A,0,2", "12,1,A,0,3"]);
    assert_eq!(seen.stats.smx[0].busy_cycles, 15, "1 to 15");
    assert_eq!(seen.stats.smx[1].busy_cycles, 14, "2 to 10 and 12 to 16");
}

#[test]
fn busy_and_idle_cycles_make_up_the_run() {
    let seen = one_smx(2, &kernel("A", 2, "duration = [10, 3]"));
    let smx = &seen.stats.smx[0];
    assert_eq!((smx.busy_cycles, smx.idle_cycles, smx.thread_blocks), (10, 3, 2));
    assert_eq!(seen.stats.cycles, 13);
}

#[test]
fn a_kernel_is_not_distributed_before_it_arrives() {
    let seen = one_smx(1, &kernel("A", 1, "duration = 5\narrive = 100"));
    assert_eq!(seen.dispatches(), ["101,0,A,0,0"]);
    let stats = &seen.stats.kernels[0];
    assert_eq!((stats.arrive, stats.distributed), (100, Some(100)));
}

#[test]
fn kernels_of_one_stream_follow_one_another_and_different_streams_overlap() {
    let two = |streams: [u32; 2]| {
        let a = kernel("A", 1, &format!("duration = 50\nstream = {}", streams[0]));
        let b = kernel("B", 1, &format!("duration = 50\nstream = {}", streams[1]));
        one_smx(2, &(a + &b))
    };
    // A ends in 51, its bit is high in 52, B is accepted in 53.
    assert_eq!(two([0, 0]).dispatches(), ["1,0,A,0,0", "54,0,B,0,0"]);
    assert_eq!(two([0, 1]).dispatches(), ["1,0,A,0,0", "2,0,B,0,0"]);
    assert_eq!(two([1, 0]).dispatches(), ["1,0,B,0,0", "2,0,A,0,0"], "the lower stream first");
}

#[test]
fn kernels_without_a_stream_have_one_each_and_keep_the_order_of_the_file() {
    let seen = one_smx(2, &(kernel("B", 1, "duration = 50") + &kernel("A", 1, "duration = 50")));
    assert_eq!(seen.dispatches(), ["1,0,B,0,0", "2,0,A,0,0"]);
}

#[test]
fn a_repetition_is_launched_when_the_instance_before_has_finished() {
    let seen = one_smx(1, &kernel("A", 1, "duration = 10\nrepeat = 3"));
    assert_eq!(seen.dispatches(), ["1,0,A,0,0", "14,0,A,1,0", "27,0,A,2,0"]);
    let arrivals: Vec<u64> = seen.stats.kernels.iter().map(|kernel| kernel.arrive).collect();
    assert_eq!(arrivals, [0, 13, 26], "the cycle after the scheduler has reported the end");
}

#[test]
fn a_slow_smx_takes_the_product_rounded_up() {
    let text = "[gpu]\nsmx = 3\nthread_block_slots = 1\nsmx_slowdown = [1, 1.5, 1.1]\n";
    let seen =
        run_scenario(&format!("{text}{}", kernel("A", 6, "duration = [11, 9, 10, 5, 5, 5]")));
    let expected =
        ["1,0,A,0,0", "2,1,A,0,1", "3,2,A,0,2", "12,0,A,0,3", "14,2,A,0,4", "16,1,A,0,5"];
    assert_eq!(seen.dispatches(), expected, "11, 9 x 1.5 = 14 and 10 x 1.1 = 11 cycles");
}

#[test]
fn a_thirty_third_kernel_is_held_at_the_launch_port_until_an_entry_is_free() {
    let all: String = (0..33).map(|k| kernel(&format!("K{k}"), 1, "duration = 1000")).collect();
    let seen = run_scenario(&format!("gpu = {{ smx = 4 }}\n{all}"));
    let distributed: Vec<_> = seen.stats.kernels.iter().map(|k| k.distributed.unwrap()).collect();
    assert_eq!(distributed[..32], Vec::from_iter(0..32));
    // K0 runs from 1, ends in 1001, its bit is high in 1002, its entry is free from 1003 on.
    assert_eq!(distributed[32], 1003);
}

#[test]
fn three_dimensional_grids_run_x_fastest() {
    let text = "gpu = { smx = 1, thread_block_slots = 1 }\n[[kernel]]\nname = \"A\"\n\
                grid = [2, 1, 2]\nblock = [8, 2, 2]\nduration = [1, 2, 3, 4]";
    let seen = run_scenario(text);
    let lines: Vec<&str> = seen.log.lines().collect();
    let expected = ["1,0,A,0,0,0,0,0", "2,0,A,0,0,1,0,0", "4,0,A,0,0,0,0,1", "7,0,A,0,0,1,0,1"];
    assert_eq!(lines[1..], expected);
}
