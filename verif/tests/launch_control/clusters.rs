//! Rationale: 1. what is new beside `clusters` is who gets the head's next cluster, so the hardware
//! alone is held to the page's rules while running blocks of the head and of others ask. 2. Plans
//! of one GPC, of unequal ones, and of more than 64 SMXs.

use super::{cycle, LIMITS};
use blockyard::engine::RtlScheduler;
use blockyard::traffic::{Intensity, Traffic};
use blockyard_sim::port::{
    Cluster, Dim3, FloorPlan, Inputs, KernelLaunch, LaunchMode, Outputs, Scheduler,
};
use std::collections::HashSet;

fn plan(gpcs: &[u32]) -> FloorPlan {
    FloorPlan::new(gpcs.iter().sum::<u32>() as usize, gpcs)
}

fn hardware(policy: &str, plan: &FloorPlan) -> RtlScheduler {
    let composition = format!("launch-control(policy={policy})");
    let composition = composition.parse().expect("a known scheduler");
    RtlScheduler::build_for(&composition, LaunchMode::Flat, 1, plan.clone(), LIMITS)
        .expect("it has hardware")
}

/// What is in an entry: its grid, its clusters, which of its blocks are given, and how many of an
/// open cluster.
type Entry = Option<(KernelLaunch, HashSet<Dim3>, u32)>;

/// Gives a block, which is of the grid and was not given before.
fn give(kernel: &KernelLaunch, given: &mut HashSet<Dim3>, block: Dim3) {
    let grid = kernel.grid;
    assert!(block.x < grid.x && block.y < grid.y && block.z < grid.z, "{block} of {grid}");
    assert!(given.insert(block), "block {block} is given twice");
}

/// The blocks of the cluster of which `first` is the first one.
fn cluster_at(first: Dim3, cluster: Cluster) -> Vec<Dim3> {
    let extent = cluster.extent();
    let blocks = (0..extent.z).flat_map(|z| {
        (0..extent.y).flat_map(move |y| (0..extent.x).map(move |x| Dim3::new(x, y, z)))
    });
    blocks.map(|at| Dim3::new(first.x + at.x, first.y + at.y, first.z + at.z)).collect()
}

#[test]
fn each_block_is_dispatched_or_cancelled_once_and_clusters_are_cancelled_whole() {
    for (policy, gpcs) in [
        ("spread", &[3][..]),
        ("balance", &[3]),
        ("spread", &[4, 2, 3]),
        ("balance", &[4, 2, 3]),
        ("spread", &[16, 16, 16, 18]),
    ] {
        let plan = plan(gpcs);
        let smxs = plan.smx();
        let (mut hardware, mut inputs) = (hardware(policy, &plan), Inputs::idle(smxs));
        let mut outputs = Outputs::idle(smxs);
        let seed = smxs as u64;
        let traffic = Traffic::new(smxs, LIMITS, Intensity::RESTARTED, seed);
        let mut traffic = traffic.cancelling(seed).clustered(&plan, seed);
        let mut entries: Vec<Entry> = vec![None; 32];
        let (mut cancelled, mut refused, mut held, mut ended) = (0, 0, 0, 0);
        for _ in 0..12_000 {
            traffic.next(&mut inputs);
            hardware.cycle(&inputs, &mut outputs);
            traffic.observe(&inputs, &outputs);
            if inputs.reset {
                entries.fill(None);
                continue;
            }
            if let Some(entry) = inputs.cancel {
                let dispatched = outputs.dispatch.iter().flatten().count();
                let (kernel, given, open) =
                    entries[entry.index()].as_mut().expect("its block runs");
                let is_left = given.len() as u128 != kernel.grid.volume();
                match (outputs.cancelled, outputs.cancel_held) {
                    (Some(first), false) => {
                        assert_eq!((dispatched, *open), (0, 0), "beside a cancelled cluster");
                        for block in cluster_at(first, kernel.cluster) {
                            give(kernel, given, block);
                        }
                        cancelled += 1;
                    }
                    (None, true) => {
                        assert!(is_left && *open > 0, "{open} of {} have gone", kernel.cluster);
                        held += 1;
                    }
                    (None, false) => {
                        assert!(
                            !is_left,
                            "none is left of entry {}, says the answer: {} of {} in {}, {open} open",
                            entry.0,
                            given.len(),
                            kernel.grid,
                            kernel.cluster
                        );
                        refused += 1;
                    }
                    (Some(_), true) => panic!("a question is answered and held"),
                }
            } else {
                assert_eq!((outputs.cancelled, outputs.cancel_held), (None, false), "nobody asks");
            }
            for dispatch in outputs.dispatch.iter().flatten() {
                let (kernel, given, open) =
                    entries[dispatch.kernel.index()].as_mut().expect("a kernel is there");
                give(kernel, given, dispatch.block);
                *open = (*open + 1) % kernel.cluster.blocks();
            }
            for entry in (0..32).filter(|entry| outputs.finished_kernels >> entry & 1 == 1) {
                let (kernel, given, open) = entries[entry].take().expect("it was there");
                assert_eq!((given.len() as u128, open), (kernel.grid.volume(), 0), "entry {entry}");
                ended += 1;
            }
            if let (Some(launch), Some(entry)) = (inputs.launch, outputs.launch_ready) {
                entries[entry.index()] = Some((launch, HashSet::new(), 0));
            }
        }
        assert!(
            cancelled > 15 && refused > 10 && held > 10 && ended > 15,
            "{policy}, {smxs}: {cancelled} cancelled, {refused} not, {held} held, {ended} ended"
        );
    }
}

/// A kernel of so many clusters of two blocks.
fn kernel(clusters: u32) -> KernelLaunch {
    KernelLaunch {
        grid: Dim3::new(2 * clusters, 1, 1),
        blocks: 2 * clusters,
        cluster: Cluster::of(Dim3::new(2, 1, 1)).expect("two blocks"),
        ..KernelLaunch::default()
    }
}

/// The SMX that receives a block, and which one it is.
fn received(outputs: &Outputs) -> Option<(usize, u32)> {
    let mut received = outputs.dispatch.iter().enumerate();
    received.find_map(|(smx, block)| block.map(|block| (smx, block.block.x)))
}

fn answer(outputs: &Outputs) -> (Option<u32>, bool) {
    (outputs.cancelled.map(|first| first.x), outputs.cancel_held)
}

#[test]
fn a_question_is_held_from_the_second_block_of_an_open_cluster_to_its_last() {
    let mut hardware = hardware("spread", &plan(&[4]));
    cycle(&mut hardware, Some(kernel(4)), None, None);
    assert_eq!(received(&cycle(&mut hardware, None, None, None)), Some((0, 0)));
    let open = cycle(&mut hardware, None, Some(0), None);
    assert_eq!((received(&open), answer(&open)), (Some((1, 1)), (None, true)), "it closes");
    let taken = cycle(&mut hardware, None, Some(0), None);
    assert_eq!((received(&taken), answer(&taken)), (None, (Some(2), false)), "blocks 2 and 3");
    assert_eq!(received(&cycle(&mut hardware, None, None, None)), Some((2, 4)), "turns stayed");
    assert_eq!(received(&cycle(&mut hardware, None, None, None)), Some((3, 5)));
    assert_eq!(answer(&cycle(&mut hardware, None, Some(0), None)), (Some(6), false), "the last");
    assert_eq!(answer(&cycle(&mut hardware, None, Some(0), None)), (None, false), "none is left");
}

#[test]
fn a_kernel_of_which_all_other_clusters_are_cancelled_ends_with_its_first_one() {
    let mut hardware = hardware("balance", &plan(&[2]));
    cycle(&mut hardware, Some(kernel(2)), None, None);
    assert_eq!(received(&cycle(&mut hardware, None, None, None)), Some((0, 0)));
    assert_eq!(received(&cycle(&mut hardware, Some(kernel(1)), None, None)), Some((1, 1)));
    assert_eq!(answer(&cycle(&mut hardware, None, Some(0), None)), (Some(2), false));
    let beside = cycle(&mut hardware, None, Some(0), Some((0, 0)));
    assert_eq!((received(&beside), answer(&beside)), (Some((0, 0)), (None, false)), "of entry 1");
    assert_eq!(cycle(&mut hardware, None, None, Some((1, 0))).finished_kernels, 0);
    assert_eq!(cycle(&mut hardware, None, None, None).finished_kernels, 1, "two blocks ran");
}
