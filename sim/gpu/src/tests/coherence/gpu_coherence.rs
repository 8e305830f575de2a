//! Conventional GPU coherence: stores go through, and a kernel starts with an empty L1.

use super::*;

fn gpu_coherence(changes: &[(&str, &str)]) -> GpuConfig {
    let plain = [("coherence.protocol", "gpu"), ("l1.write", "through")];
    denovo(&[&plain, changes].concat())
}

#[test]
fn stores_go_to_the_l2_and_nothing_is_in_an_l1_at_the_start_of_a_kernel() {
    let config = gpu_coherence(&[]);
    let first = [load_and_use(5, 0, 16), store_words(5, 0, 16), load_and_use(5, 0, 16)].concat();
    let second = load_and_use(5, 0, 16);
    let run = Run::new(config.clone(), kernels(&config, [&[(3, first)], &[(3, second)]]));
    let l1 = (run.sum(|smx| smx.l1.hits), run.sum(|smx| smx.l1.misses));
    assert_eq!(l1, (1, 2), "a hit in the kernel, none across");
    let memory = run.gpu.memory();
    assert_eq!(
        (memory.l2_counts().writes, memory.l2_counts().hits),
        (1, 2),
        "the store, and the second kernel's load"
    );
    let write_backs = run.sum(|smx| smx.l1.write_backs);
    assert_eq!((write_backs, memory.traffic().forward_flits), (0, 0));
    assert_eq!((run.sum(|smx| smx.coherence.registrations), run.owners().len()), (0, 0));
}

#[test]
fn the_same_reuse_hits_across_kernels_under_denovo_only() {
    let hits = |config: GpuConfig| {
        let store = (3, store_words(5, 0, 16));
        let load = (3, load_and_use(5, 0, 16));
        Run::new(config.clone(), kernels(&config, [&[store], &[load]])).sum(|smx| smx.l1.hits)
    };
    assert_eq!((hits(gpu_coherence(&[])), hits(denovo(&[]))), (0, 1));
}

#[test]
fn the_store_buffer_limits_stores_on_their_way() {
    let stores: Vec<_> = (0..4).flat_map(|line| store_words(line, 0, 1)).collect();
    let stalls = ["1", "4", "0"].map(|entries| {
        let config = gpu_coherence(&[("coherence.store_buffer", entries)]);
        let run = Run::new(config.clone(), kernels(&config, [&[(0, stores.clone())]]));
        run.sum(|smx| smx.load_store.stalls) > 0
    });
    assert_eq!(stalls, [true, false, false]);
}

#[test]
fn stores_that_stay_in_an_l1_are_refused() {
    let config = gpu_coherence(&[("l1.write", "back")]);
    let error = config.validate().unwrap_err();
    assert!(error.to_string().contains("coherence.protocol = gpu with l1.write = back"), "{error}");
}
