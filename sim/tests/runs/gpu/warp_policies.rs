//! Which warp issues when, and what that does to the time that memory takes.

use super::issuing::{Order, Recorded};
use super::*;

const INT: Unit = Unit::Integer;

/// The order in which the warps of `blocks` issue, exits apart.
fn issue_order(policy: &str, group: &str, blocks: Vec<Vec<Vec<Instruction>>>) -> Vec<(u32, usize)> {
    issue_order_on(1, policy, group, blocks)
}

/// The same on so many SMXs together.
fn issue_order_on(
    smxs: u32,
    policy: &str,
    group: &str,
    blocks: Vec<Vec<Vec<Instruction>>>,
) -> Vec<(u32, usize)> {
    let (count, warps) = (blocks.len() as u32, blocks[0].len() as u32);
    let order = Order::default();
    let code = Rc::new(Recorded { blocks, order: order.clone(), together: false });
    let smxs = smxs.to_string();
    let config = config(&[("smx", &smxs), ("warp.policy", policy), ("warp.group", group)]);
    run_gpu(gpu(config, code, count, warps), true);
    let order = order.borrow().clone();
    order
}

/// A load by the first lane, of line `line`, each of which is in another channel.
fn load_line(line: usize) -> Instruction {
    let mut load = Instruction { active: 1, ..load(1, None, 0) };
    load.addresses.list_mut()[0] = 256 * line as u64;
    load
}

fn consumer() -> Instruction {
    add(INT, None, Some(1))
}

/// An instruction, a load of line `line`, its consumer.
fn short(line: usize) -> Vec<Instruction> {
    vec![add(INT, None, None), load_line(line), consumer()]
}

fn warps(order: &[(u32, usize)]) -> Vec<usize> {
    order.iter().map(|(_, warp)| *warp).collect()
}

#[test]
fn with_loose_round_robin_all_warps_reach_memory_together_and_with_two_levels_group_by_group() {
    let block = || vec![(0..6).map(short).collect::<Vec<_>>()];
    let lrr = warps(&issue_order("lrr", "2", block()));
    assert_eq!(lrr[..12], [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
    let two_level = warps(&issue_order("two-level", "2", block()));
    assert_eq!(two_level[..12], [0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5]);
    assert_eq!(two_level[12..], [0, 1, 2, 3, 4, 5], "as the data come");
}

#[test]
fn one_group_computes_while_the_other_waits_for_memory() {
    // 16 warps: 20 instructions, a load, its consumer, 19 instructions, exit.
    let script = |line: usize| {
        let mut script = vec![add(INT, None, None); 20];
        script.extend([load_line(line % 4), consumer()]);
        script.extend(vec![add(INT, None, None); 19]);
        script
    };
    let exit = |policy| {
        let changes = [("warp.policy", policy), ("warp.group", "8")];
        exit_of(&changes, (0..16).map(script).collect())
    };
    // The first load's data come 292 cycles after its look-up. With LRR all 16 x 20 instructions
    // are before that load; with two levels only the first group's, and the second group's 8 x 20
    // issue while the first one waits.
    assert_eq!(exit("lrr") - exit("two-level"), 8 * 20);
}

#[test]
fn blocks_keep_the_order_in_which_they_started_and_warps_of_a_block_take_turns() {
    let blocks = vec![vec![short(0), short(1)], vec![short(2), short(3)]];
    let order = issue_order("owl", "1", blocks);
    let block = |block| [(block, 0), (block, 1), (block, 0), (block, 1)];
    assert_eq!(order[..8], [block(0), block(1)].concat());
    assert_eq!(order[8..], [(0, 0), (0, 1), (1, 0), (1, 1)]);
}

#[test]
fn a_group_of_two_blocks_takes_turns_among_the_warps_of_both() {
    let blocks = vec![vec![vec![add(INT, None, None); 8]]; 4];
    let order = issue_order("owl", "2", blocks);
    // Block 0 issues alone in its first cycle, before block 1 starts.
    assert_eq!(order[..5], [(0, 0), (1, 0), (0, 0), (1, 0), (0, 0)]);
    assert!(order[..16].iter().all(|(block, _)| *block < 2), "{order:?}");
    assert!(order[16..].iter().all(|(block, _)| *block >= 2), "{order:?}");
}

#[test]
fn data_for_the_first_block_give_it_back_its_priority_only_when_blocks_count() {
    let waits = vec![load_line(0), consumer(), add(INT, None, None), add(INT, None, None)];
    let blocks = || vec![vec![waits.clone()], vec![vec![add(INT, None, None); 600]]];
    let blocks_of = |order: Vec<(u32, usize)>| -> Vec<u32> { order.iter().map(|o| o.0).collect() };
    let resumed = |order: &[u32]| 1 + order[1..].iter().position(|block| *block == 0).unwrap();
    let owl = blocks_of(issue_order("owl", "1", blocks()));
    let at = resumed(&owl);
    assert!(at < 400, "after the load, not after the other block: {at}");
    assert_eq!(owl[at..at + 4], [0, 0, 0, 1], "and until it ends");
    let two_level = blocks_of(issue_order("two-level", "1", blocks()));
    assert_eq!(resumed(&two_level), 601, "the other group never stalls");
}

#[test]
fn with_the_order_for_banks_neighbouring_smxs_put_different_groups_first() {
    // SMX 0 has blocks 0, 2, 4 and 6, SMX 1 the others; each is a group.
    let ends = |policy| {
        let blocks = vec![vec![vec![add(INT, None, None); 40]]; 8];
        let order = issue_order_on(2, policy, "1", blocks);
        let last = |block| order.iter().rposition(|(of, _)| *of == block).unwrap();
        let in_order = |mut blocks: Vec<u32>| {
            blocks.sort_by_key(|&block| last(block));
            blocks
        };
        (in_order(vec![0, 2, 4, 6]), in_order(vec![1, 3, 5, 7]))
    };
    assert_eq!(ends("owl"), (vec![0, 2, 4, 6], vec![1, 3, 5, 7]));
    assert_eq!(ends("owl-blp"), (vec![0, 2, 4, 6], vec![3, 1, 7, 5]));
}
