//! Blocks beyond what an SMX may run: `docs/dyncta.md`, rules 5 to 7. Block 0 is dispatched in
//! cycle 1, block 1 in 2, and so on; each may issue from the next cycle on.

use super::issuing::{Order, Recorded};
use super::*;
use blockyard_sim::gpu::host::Overlap;
use blockyard_sim::gpu::smx::activity::State;
use blockyard_sim::port::{Cluster, Inputs, LaunchMode, Outputs};
use blockyard_sim::run::observer::Nobody;
use blockyard_sim::sched::{build_for, Composition};
use blockyard_sim::stats::Stats;

const INT: Unit = Unit::Integer;

/// The code of blocks of one warp, and which of them issue, in order.
fn recorded(scripts: Vec<Vec<Instruction>>, together: bool) -> (Recorded, Order) {
    let (order, blocks) = (Order::default(), scripts.into_iter().map(|script| vec![script]));
    (Recorded { blocks: blocks.collect(), order: order.clone(), together }, order)
}

/// Runs `gpu` on the twin of `scheduler`, whose SMXs may run as many blocks as `limit` says of the
/// cycle; shows `see` each cycle. Returns how many there are.
fn limited(
    scheduler: &str,
    gpu: &mut Gpu,
    limit: impl Fn(u64) -> u8,
    mut see: impl FnMut(u64),
) -> u64 {
    let composition: Composition = scheduler.parse().unwrap();
    let (plan, limits) = (gpu.config().floor_plan(), gpu.config().limits());
    let mut twin = build_for(&composition, LaunchMode::Flat, 1, plan, limits).unwrap();
    gpu.drive(composition.ports(LaunchMode::Flat));
    gpu.place_clusters();
    let smx = gpu.smxs().len();
    let (mut inputs, mut outputs) = (Inputs::idle(smx), Outputs::idle(smx));
    for cycle in 0..100_000 {
        gpu.advance(cycle);
        see(cycle);
        gpu.inputs(cycle, &mut inputs);
        twin.cycle(&inputs, &mut outputs);
        outputs.running_limits = vec![limit(cycle); smx];
        gpu.apply(cycle, &inputs, &outputs).unwrap();
        if gpu.done() {
            return cycle + 1;
        }
    }
    panic!("not finished");
}

fn plain(count: usize) -> Vec<Instruction> {
    vec![add(INT, None, None); count]
}

/// A load and its consumer.
fn loads() -> Vec<Instruction> {
    vec![load(1, None, 4), add(INT, None, Some(1))]
}

/// Cycle and block of each instruction but exits, on one SMX.
fn issued(
    changes: &[(&str, &str)],
    scripts: Vec<Vec<Instruction>>,
    limit: impl Fn(u64) -> u8,
) -> (Vec<(u64, u32)>, Gpu) {
    let count = scripts.len() as u32;
    let (code, order) = recorded(scripts, false);
    let changes = [&[("warp.policy", "lrr")], changes].concat();
    let mut gpu = gpu(config(&changes), Rc::new(code), count, 1);
    let mut seen = Vec::new();
    limited("rr", &mut gpu, limit, |cycle| {
        seen.extend(order.borrow_mut().drain(..).map(|(block, _)| (cycle, block)));
    });
    (seen, gpu)
}

fn blocks(seen: &[(u64, u32)]) -> Vec<u32> {
    seen.iter().map(|(_, block)| *block).collect()
}

#[test]
fn the_blocks_that_came_first_run_up_to_the_limit_and_a_paused_one_goes_on_when_one_of_them_ends() {
    let scripts = || vec![plain(9), plain(40), plain(9)];
    let of = |limit| blocks(&issued(&[], scripts(), |_| limit).0);
    assert_eq!(of(1), [vec![0; 9], vec![1; 40], vec![2; 9]].concat());
    let two = of(2);
    assert_eq!(two[..5], [0, 1, 0, 1, 0], "they take turns");
    let third = two.iter().position(|block| *block == 2).unwrap();
    assert!(two[third..].iter().all(|block| *block != 0), "{two:?}");
    assert!(two[third..].contains(&1), "{two:?}");
    let three = of(3);
    assert!(three[..9].contains(&2), "{three:?}");
    assert_eq!(three, of(4), "more than there are is no limit");
}

#[test]
fn a_limit_counts_from_the_next_cycle_on_when_it_falls_and_when_it_rises() {
    let limit = |cycle: u64| if (10..20).contains(&cycle) { 1 } else { 2 };
    let (seen, _) = issued(&[], vec![plain(60), plain(30)], limit);
    let second: Vec<u64> =
        seen.iter().filter(|(_, block)| *block == 1).map(|(cycle, _)| *cycle).collect();
    let until = |least: u64, most: u64| {
        second.iter().filter(|&&cycle| (least..=most).contains(&cycle)).count()
    };
    assert_eq!([until(9, 10), until(11, 20), until(21, 22)], [1, 0, 1], "{second:?}");
}

#[test]
fn who_came_first_counts_and_not_the_slot() {
    // Block 2 comes into the slot of block 0.
    let two = [("thread_block_slots", "2")];
    let scripts = vec![plain(5), plain(60), plain(60)];
    let (seen, _) = issued(&two, scripts, |cycle| if cycle < 30 { 2 } else { 1 });
    let early = seen.iter().filter(|(cycle, block)| *cycle <= 30 && *block == 2).count();
    let end = seen.iter().rposition(|(_, block)| *block == 1).unwrap();
    let late = seen[..end].iter().filter(|(cycle, block)| *cycle > 30 && *block == 2).count();
    assert!(early > 0, "it runs as long as two may");
    assert_eq!(late, 0);
}

#[test]
fn what_a_paused_block_has_issued_goes_on() {
    let scripts = || vec![plain(900), loads()];
    let consumed = |limit: fn(u64) -> u8| {
        let (seen, _) = issued(&[], scripts(), limit);
        seen.iter().filter(|(_, block)| *block == 1).nth(1).unwrap().0
    };
    let free = consumed(|_| 2);
    assert!(free < 400, "{free}");
    let paused = consumed(|cycle| if (10..500).contains(&cycle) { 1 } else { 2 });
    assert!((501..=502).contains(&paused), "the data are there: {paused}");
}

#[test]
fn an_smx_whose_running_blocks_wait_for_memory_waits_for_it_whatever_paused_ones_could_issue() {
    let counts = |limit| {
        let (seen, gpu) = issued(&[], vec![loads(), plain(900)], |_| limit);
        gpu.smxs()[0].counts(seen.last().unwrap().0).activity
    };
    let (paused, free) = (counts(1), counts(2));
    assert_eq!((free.of(State::Memory), free.paused_cycles), (0, 0));
    assert!(paused.of(State::Memory) > 200, "{paused:?}");
    // Block 1 is paused until block 0 has left.
    assert!(paused.paused_cycles > paused.of(State::Memory), "{paused:?}");
    assert!(paused.of(State::Pipeline) < 10, "{paused:?}");
}

#[test]
fn the_fetch_group_of_a_paused_warp_does_not_keep_its_priority() {
    let two_level = [("warp.policy", "two-level"), ("warp.group", "1")];
    let scripts = vec![plain(40), plain(40), plain(40)];
    let (seen, _) = issued(&two_level, scripts, |cycle| if cycle < 10 { 3 } else { 2 });
    let order = blocks(&seen);
    let second = order.iter().position(|block| *block == 1).unwrap();
    let third = order.iter().position(|block| *block == 2).unwrap();
    assert!(second < third, "{order:?}");
}

#[test]
fn blocks_of_stated_durations_are_not_paused() {
    let text = "[gpu]\nsmx = 1\n[[kernel]]\nname = \"K\"\ngrid = [6, 1, 1]\nblock = [32, 1, 1]\n\
        duration = 100\n";
    let cycles = |limit| limited("rr", &mut crate::gpu_of(text), |_| limit, |_| {});
    assert_eq!(cycles(1), cycles(16));
}

/// Clusters of `size` blocks that all wait at their barrier in mid-work, on one SMX with one
/// running block.
fn in_clusters(clusters: u32, size: u32, policy: &str) -> Vec<u32> {
    let of = |operation| Instruction { operation, ..Instruction::default() };
    let meet = vec![of(Operation::ClusterArrive), of(Operation::ClusterWait)];
    let script = [plain(5), meet, plain(5)].concat();
    let (code, order) = recorded(vec![script; (clusters * size) as usize], true);
    let once = HostLaunch {
        cluster: Cluster::of(Dim3::new(size, 1, 1)).unwrap(),
        ..launch(Rc::new(code), clusters * size, 1)
    };
    let mut gpu = Gpu::new(config(&[]), Box::new(vec![once])).unwrap();
    limited(&format!("clusters(policy={policy})"), &mut gpu, |_| 1, |_| {});
    let order = order.borrow();
    order.iter().map(|(block, _)| *block).collect()
}

#[test]
fn the_blocks_of_the_first_cluster_run_together_since_they_wait_for_each_other() {
    let order = in_clusters(2, 2, "balance");
    let first: Vec<u32> = order.iter().copied().filter(|block| *block < 2).collect();
    assert_eq!(order[..first.len()], first, "the second cluster waits for its end");
    assert!(order[first.len()..].contains(&3));
}

#[test]
fn a_dependent_that_waits_for_a_kernel_does_not_keep_it_from_running() {
    let of = |operation| Instruction { operation, ..Instruction::default() };
    let kernel = |name: &str, script: Vec<Instruction>, dependent| HostLaunch {
        name: name.into(),
        overlap: Overlap { dependent, trigger: Some(1), prologue: Some(0) },
        ..launch(Rc::new(recorded(vec![script; 4], false).0), 4, 1)
    };
    let first = [vec![of(Operation::Trigger)], plain(50)].concat();
    let second = [vec![of(Operation::AwaitPredecessor)], plain(5)].concat();
    let both = vec![kernel("A", first, false), kernel("B", second, true)];
    let mut gpu = Gpu::new(config(&[("smx", "2")]), Box::new(both)).unwrap();
    limited("dependent", &mut gpu, |_| 1, |_| {});
    let finish: Vec<_> = gpu.kernels().iter().map(|kernel| kernel.finish.unwrap()).collect();
    assert!(finish[0] < finish[1], "{finish:?}");
}

#[test]
fn skipping_shows_nothing_of_limits_that_follow_samples() {
    let script = [loads(), plain(30), loads(), plain(3)].concat();
    let run = |pause, skip| {
        let code = Rc::new(scripts(vec![script.clone(); 2]));
        let mut gpu = gpu(config(&[("smx", "2"), ("thread_block_slots", "8")]), code, 40, 2);
        gpu.sample_every(16);
        let scheduler = format!("rr+dyncta(period=16,idle=12,low=4,high=8,pause={pause})");
        let summary = crate::run_under(&scheduler, &mut gpu, skip, &mut Nobody);
        Stats::new(&gpu, &summary)
    };
    let (paused, free) = (run(1, true), run(0, true));
    assert_eq!(run(1, false), paused);
    let cycles = |stats: &Stats| stats.execution.as_ref().unwrap().activity.paused_block_cycles;
    assert!(cycles(&paused) > Some(0));
    assert_eq!(cycles(&free), None);
}
