//! DeNovo message by message.

use super::*;
use crate::load_store::CoherenceCounts;

/// A count of all SMXs together.
fn of(run: &Run, count: impl Fn(&CoherenceCounts) -> u64) -> u64 {
    run.sum(|smx| count(&smx.coherence))
}

#[test]
fn owned_words_survive_a_kernel_and_the_others_of_their_line_do_not() {
    let config = denovo(&[]);
    let both = [load_and_use(5, 0, 16), store_words(5, 0, 4)].concat();
    let again = [load_and_use(5, 0, 4), load_and_use(5, 4, 12)].concat();
    let run = Run::new(config.clone(), kernels(&config, [&[(3, both)], &[(3, again)]]));
    let l1 = (run.sum(|smx| smx.l1.hits), run.sum(|smx| smx.l1.misses));
    assert_eq!(l1, (1, 2), "the four words hit, the twelve miss again");
    assert_eq!((of(&run, |c| c.registrations), of(&run, |c| c.invalidations)), (1, 1));
    assert_eq!(run.owners().into_values().collect::<Vec<_>>(), [3; 4]);
}

#[test]
fn a_line_that_another_smx_wrote_comes_from_its_l1_and_stays_owned_there() {
    let config = denovo(&[]);
    let of_kernels = [&[(3, store_words(5, 0, 16))][..], &[(9, load_and_use(5, 0, 16))]];
    let run = Run::new(config.clone(), kernels(&config, of_kernels));
    assert_eq!((of(&run, |c| c.remote_hits), of(&run, |c| c.transfers)), (1, 0));
    assert_eq!(run.dram_reads(), 0, "neither L2 nor memory are asked");
    assert_eq!(run.gpu.memory().traffic().forward_flits, 1);
    assert!(run.owners().into_values().all(|owner| owner == 3));
}

#[test]
fn a_store_takes_words_from_their_owner_and_the_others_stay() {
    let config = denovo(&[]);
    let of_kernels = [&[(3, store_words(5, 0, 4))][..], &[(9, store_words(5, 2, 4))]];
    let run = Run::new(config.clone(), kernels(&config, of_kernels));
    assert_eq!((of(&run, |c| c.registrations), of(&run, |c| c.transfers)), (2, 1));
    assert_eq!(run.owners().into_values().collect::<Vec<_>>(), [3, 3, 9, 9, 9, 9]);
}

#[test]
fn a_store_to_owned_words_asks_for_nothing() {
    let config = denovo(&[]);
    let store = || vec![(3, store_words(5, 0, 4))];
    let (first, second) = (store(), store());
    let run = Run::new(config.clone(), kernels(&config, [&first[..], &second]));
    assert_eq!((of(&run, |c| c.registrations), run.sum(|smx| smx.l1.stores)), (1, 2));
}

#[test]
fn an_atomic_operation_takes_the_words_back_to_the_l2() {
    let config = denovo(&[]);
    let atomic = vec![words(Access::Atomic, 5, 0, 2)];
    for smx in [3, 9] {
        let of_kernels = [&[(3, store_words(5, 0, 4))][..], &[(smx, atomic.clone())]];
        let run = Run::new(config.clone(), kernels(&config, of_kernels));
        assert_eq!(of(&run, |c| c.write_backs), 1, "by SMX {smx}");
        assert_eq!(run.owners().into_keys().map(|(_, word)| word).collect::<Vec<_>>(), [2, 3]);
    }
}

#[test]
fn an_evicted_line_gives_its_words_up_and_comes_back_from_the_l2() {
    let config = denovo(&[("l1.size", "64"), ("l1.ways", "1")]);
    let evict = [store_words(5, 0, 4), store_words(6, 0, 1), load_and_use(5, 0, 1)].concat();
    let run = Run::new(config.clone(), kernels(&config, [&[(3, evict)]]));
    assert_eq!((of(&run, |c| c.write_backs), run.dram_reads()), (2, 0));
    assert_eq!(run.owners().len(), 0, "the load took the way of the second store");
}

#[test]
fn a_full_store_buffer_holds_stores_up_until_ownership_is_confirmed() {
    let stores = || (0..4).flat_map(|line| store_words(line, 0, 1)).collect::<Vec<_>>();
    let stalls = |entries: &str| {
        let config = denovo(&[("coherence.store_buffer", entries)]);
        let run = Run::new(config.clone(), kernels(&config, [&[(0, stores())]]));
        (of(&run, |c| c.registrations), run.sum(|smx| smx.load_store.stalls) > 0)
    };
    assert_eq!(
        ["1", "3", "4", "64"].map(stalls).map(|(_, stalled)| stalled),
        [true, true, false, false]
    );
    assert_eq!(stalls("1").0, 4);
}

#[test]
fn stores_of_one_line_share_an_entry_of_the_store_buffer() {
    let config = denovo(&[("coherence.store_buffer", "1")]);
    let stores = (0..4).flat_map(|word| store_words(5, word, 1)).collect();
    let run = Run::new(config.clone(), kernels(&config, [&[(0, stores)]]));
    assert_eq!((of(&run, |c| c.registrations), run.sum(|smx| smx.load_store.stalls)), (4, 0));
}

#[test]
fn denovo_needs_a_mesh_and_global_memory_in_the_l1() {
    for (key, value) in [("interconnect.topology", "crossbar"), ("l1.global", "false")] {
        let error = denovo(&[(key, value)]).validate().unwrap_err().to_string();
        let expected = format!("coherence.protocol = denovo with {key} = {value}");
        assert!(error.contains(&expected), "{error}");
    }
}
