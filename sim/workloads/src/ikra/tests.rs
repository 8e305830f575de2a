use super::{Benchmark, Ikra, IkraOptions, KERNEL_NAME};
use crate::gpu::config::GpuConfig;
use crate::gpu::host::HostProgram;
use crate::graph::SetError;
use crate::interleaved;
use crate::program::{Access, Operation};
use std::collections::{BTreeMap, BTreeSet};

fn options(settings: &[(&str, &str)]) -> IkraOptions {
    let mut options = IkraOptions::default();
    for (key, value) in settings {
        options.set(key, value).unwrap();
    }
    options
}

#[test]
fn working_sets_stand_to_the_caches_as_the_paper_tells() {
    let gpu = GpuConfig::preset("denovo3").unwrap();
    let (l1, l2) = (u64::from(gpu.l1.size), u64::from(gpu.l2.size));
    let l1s = l1 * u64::from(gpu.smx.count);
    let bytes = |benchmark| {
        let locations = Ikra::new(benchmark, &IkraOptions::default(), 1).locations();
        let block = IkraOptions::default().block();
        locations.iter().map(|&n| u64::from(n) * u64::from(block) * 4).sum::<u64>()
    };
    // The L1 of an SMX exactly holds its third.
    assert_eq!(bytes(Benchmark::Small), l1s);
    let medium = bytes(Benchmark::Medium);
    assert!(medium > l1s && medium < l2, "{medium}");
    let large = bytes(Benchmark::Large);
    assert!(large > l1s + l2, "{large}");
    // The same input size, up to what was drawn.
    let stealing = bytes(Benchmark::WorkStealing);
    assert!(stealing.abs_diff(large) < large / 5, "{stealing} {large}");
}

#[test]
fn blocks_follow_from_data_and_locations() {
    let blocks = |benchmark, settings: &[(&str, &str)]| options(settings).blocks(benchmark);
    let default = Benchmark::ALL.map(|benchmark| blocks(benchmark, &[]));
    assert_eq!(default, [96, 192, 560, 138]);
    assert_eq!(blocks(Benchmark::Small, &[("ikra.block", "256")]), 12);
    assert_eq!(blocks(Benchmark::Small, &[("ikra.locations", "1")]), 768);
    assert_eq!(blocks(Benchmark::Large, &[("ikra.data", "1"), ("ikra.block", "1000")]), 1);
}

#[test]
fn work_differs_from_block_to_block_only_where_it_is_to() {
    let locations =
        |benchmark, seed| Ikra::new(benchmark, &IkraOptions::default(), seed).locations();
    for benchmark in [Benchmark::Small, Benchmark::Medium, Benchmark::Large] {
        assert!(locations(benchmark, 1).iter().all(|&n| n == 8));
    }
    let drawn = locations(Benchmark::WorkStealing, 1);
    assert!(drawn.iter().all(|n| (1..=64).contains(n)), "{drawn:?}");
    assert!(drawn.iter().any(|&n| n < 8) && drawn.iter().any(|&n| n > 56), "{drawn:?}");
    assert_eq!(drawn, locations(Benchmark::WorkStealing, 1));
    assert_ne!(drawn, locations(Benchmark::WorkStealing, 2));
    assert!(drawn.chunks(10).all(|run| run.iter().all(|n| *n == run[0])), "{drawn:?}");
    let alone = Ikra::new(Benchmark::WorkStealing, &options(&[("ikra.run", "1")]), 1).locations();
    let changes = alone.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(changes > alone.len() * 9 / 10, "{alone:?}");
}

#[test]
fn every_location_is_loaded_and_stored_once_a_kernel_by_the_same_block() {
    for benchmark in [Benchmark::Small, Benchmark::WorkStealing] {
        let settings = [
            ("ikra.data", "4"),
            ("ikra.kernels", "3"),
            ("ikra.block", "40"),
            ("ikra.locations", "5"),
        ];
        let mut ikra = Ikra::new(benchmark, &options(&settings), 7);
        let expected: u32 = ikra.locations().iter().map(|n| 40 * n).sum();
        let mut owners = BTreeMap::new();
        let mut touched = BTreeMap::new();
        let mut offsets = BTreeSet::new();
        let launches = interleaved::run(&mut ikra, 5, |issued| {
            let instruction = issued.instruction;
            let Operation::Memory { access, bytes, .. } = instruction.operation else { return };
            assert_eq!((issued.name, bytes), (KERNEL_NAME, 4));
            for lane in (0..32).filter(|lane| instruction.active >> lane & 1 == 1) {
                let address = instruction.addresses.of(lane);
                if instruction.sources[0] == Some(0) {
                    offsets.insert(address);
                    continue;
                }
                assert_eq!(*owners.entry(address).or_insert(issued.block), issued.block);
                *touched.entry((issued.launch, access == Access::Store, address)).or_insert(0) += 1;
            }
        });
        assert_eq!(launches.len(), 3, "{benchmark:?}");
        assert_eq!(owners.len() as u32, expected);
        assert_eq!(touched.len() as u32, 2 * 3 * expected);
        assert!(touched.values().all(|&times| times == 1));
        let blocks = ikra.locations().len();
        assert_eq!(offsets.len(), if benchmark.is_irregular() { blocks + 1 } else { 0 });
        assert!(offsets.iter().all(|address| !owners.contains_key(address)));
        assert_eq!(ikra.verify(), Ok(()));
    }
}

#[test]
fn a_location_that_was_not_added_to_is_found() {
    let mut ikra = Ikra::new(Benchmark::Small, &IkraOptions::default(), 1);
    ikra.start();
    let message = ikra.verify().unwrap_err();
    assert!(message.starts_with("after 1 kernels location 0 is 0, expected 1"), "{message}");
}

#[test]
fn a_warp_issues_what_the_module_says() {
    for (benchmark, expected) in [(Benchmark::Small, 2 + 2 * 3 + 1), (Benchmark::WorkStealing, 0)] {
        let settings = [("ikra.data", "1"), ("ikra.kernels", "1"), ("ikra.locations", "2")];
        let mut ikra = Ikra::new(benchmark, &options(&settings), 1);
        let locations = ikra.locations();
        let mut issued_by = BTreeMap::new();
        interleaved::run(&mut ikra, 1, |issued| {
            *issued_by.entry((issued.block, issued.warp)).or_insert(0) += 1;
        });
        for ((block, _), count) in issued_by {
            let irregular = 5 + locations[block as usize] * 6 + 1;
            assert_eq!(count, if expected > 0 { expected } else { irregular });
        }
    }
}

#[test]
fn settings_out_of_range_are_refused_with_the_range() {
    for (key, value) in [
        ("ikra.kernels", "0"),
        ("ikra.block", "1025"),
        ("ikra.locations", "many"),
        ("ikra.data", "65537"),
    ] {
        let error = IkraOptions::default().set(key, value).unwrap_err();
        assert!(matches!(error, SetError::BadValue { .. }), "{error}");
    }
    let run = options(&[("ikra.run", "3")]);
    assert_eq!(run.check(Benchmark::WorkStealing), Ok(()));
    let error = run.check(Benchmark::Large).unwrap_err();
    assert!(matches!(error, SetError::Unused { .. }), "{error}");
    let error = IkraOptions::default().set("ikra.blocks", "1").unwrap_err();
    assert!(matches!(error, SetError::UnknownKey { .. }), "{error}");
}

#[test]
fn every_key_can_be_set_to_its_default_which_changes_nothing() {
    for key in IkraOptions::KEYS {
        let mut options = IkraOptions::default();
        // What is said in words is decided by the benchmark.
        if !key.default.contains(' ') {
            options.set(key.name, key.default).unwrap();
        }
        let default = IkraOptions::default();
        let values = |of: &IkraOptions| (of.kernels(), of.block(), of.run());
        assert_eq!(values(&options), values(&default), "{}", key.name);
    }
}
