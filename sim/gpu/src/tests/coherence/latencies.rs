//! Table 2 of IKRA, by single loads on an idle GPU.
//!
//! A load that issues in a kernel's second cycle on its SMX is made in the third; its consumer
//! issues when the data are there, then come the exit, its report and the kernel's end.

use super::*;
use std::ops::RangeInclusive;

/// Cycles of a kernel on SMX 0 beside the latency of its load.
const AROUND: u64 = 5;

/// The latency of the load in kernel `kernel`, the only one there, on `smx`.
fn latency(gpu: &Gpu, kernel: usize, smx: usize) -> u64 {
    let kernel = &gpu.kernels()[kernel];
    // One block is dispatched a cycle.
    kernel.finish.unwrap() - kernel.first_dispatch.unwrap() - smx as u64 - AROUND
}

/// A line of each bank.
fn line_of_each_bank(config: &GpuConfig) -> Vec<u64> {
    let memory = Memory::new(config);
    (0..config.slices())
        .map(|bank| (0..).find(|&line| memory.home(line) == bank).unwrap())
        .collect()
}

fn hops(from: u64, to: u64) -> u64 {
    (from % 4).abs_diff(to % 4) + (from / 4).abs_diff(to / 4)
}

fn range(latencies: &[u64]) -> RangeInclusive<u64> {
    *latencies.iter().min().unwrap()..=*latencies.iter().max().unwrap()
}

#[test]
fn a_hit_in_the_own_l1_takes_one_cycle() {
    // On the last SMX, so that no other one's block ends later.
    for smx in [0, 7, 14] {
        let config = denovo(&[("smx", &(smx + 1).to_string())]);
        let of = [&[(smx, store_words(5, 0, 1))][..], &[(smx, load_and_use(5, 0, 1))]];
        let run = Run::new(config.clone(), kernels(&config, of));
        assert_eq!(latency(&run.gpu, 1, smx), 1);
    }
}

#[test]
fn memory_takes_197_to_261_cycles_and_the_l2_29_to_61_for_every_smx_and_bank() {
    let config = denovo(&[]);
    let (mut memory, mut l2) = (Vec::new(), Vec::new());
    for (bank, line) in line_of_each_bank(&config).into_iter().enumerate() {
        for smx in 0..15 {
            let load = &[(smx, load_and_use(line, 0, 16))][..];
            let run = Run::new(config.clone(), kernels(&config, [load, load]));
            let (first, second) = (latency(&run.gpu, 0, smx), latency(&run.gpu, 1, smx));
            // Eight thirds of a cycle a hop, and whole cycles each way.
            let way = (8 * hops(smx as u64, bank as u64)).div_ceil(3);
            assert_eq!(second, 29 + 2 * way, "SMX {smx}, bank {bank}");
            memory.push(first);
            l2.push(second);
        }
    }
    assert_eq!((range(&memory), range(&l2)), (197..=261, 29..=61));
}

#[test]
fn a_remote_l1_takes_at_least_35_cycles_and_never_more_than_83() {
    let config = denovo(&[]);
    let mut remote = Vec::new();
    for (bank, line) in line_of_each_bank(&config).into_iter().enumerate() {
        for owner in 0..15 {
            let store = vec![(owner, store_words(line, 3, 1))];
            let others: Vec<usize> = (0..15).filter(|&smx| smx != owner).collect();
            let loads = others.iter().map(|&smx| vec![(smx, load_and_use(line, 3, 1))]);
            let all: Vec<_> = std::iter::once(store).chain(loads).collect();
            let all = all.iter().flat_map(|kernel| kernels(&config, [&kernel[..]])).collect();
            let run = Run::new(config.clone(), all);
            for (kernel, &smx) in others.iter().enumerate() {
                let latency = latency(&run.gpu, kernel + 1, smx);
                let [smx, bank, owner] = [smx, bank, owner].map(|node| node as u64);
                let ways = [hops(smx, bank), hops(bank, owner), hops(owner, smx)];
                let way: u64 = ways.iter().map(|hops| (8 * hops).div_ceil(3)).sum();
                assert_eq!(latency, 29 + way, "SMX {smx}, bank {bank}, owner {owner}");
                remote.push(latency);
            }
            assert_eq!(run.sum(|smx| smx.coherence.remote_hits), 14);
        }
    }
    // 83 would be three ways of 6 hops, but ways between three nodes of this mesh have 12 at most.
    assert_eq!(range(&remote), 35..=63);
}
