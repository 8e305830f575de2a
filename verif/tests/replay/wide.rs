//! More than 32 SMXs: the number of an SMX has more than 5 bits, and a mask of SMXs more than 32.
//!
//! The full suite replays them; here their traffic is recorded.

use super::catalog::{of, wide};
use blockyard::replay::{cases, Check, Direction, PortTrace, ReplayCase};
use blockyard_rtl::catalog;
use rayon::prelude::*;

const CYCLES: usize = 2_500;
const SEED: u64 = 1;

/// A configuration with 33 SMXs, and outputs whose bit of this number is 1 at some time.
type Reached = (&'static str, &'static [(&'static str, usize)]);

const REACHED: [Reached; 8] = [
    ("kmu/scheduler/n33", &[("dispatch$32", 0)]),
    ("dtbl/scheduler/n33_size1024", &[("dispatch$32", 0), ("outcome", 1)]),
    ("laperm/linked_scheduler/n33_c33_e2_l2", &[("dispatch$32", 0)]),
    ("ikra/nested_scheduler/n33_l4_e32", &[("dispatch$32", 0)]),
    ("laperm/linked_bank/c33_e2_l2", &[("heads", 32), ("spill", 0), ("refill_taken", 0)]),
    ("laperm/shifting_bank/c33_e2_l2", &[("heads", 32), ("spill", 0), ("refill_taken", 0)]),
    ("ikra/child_level/n33_e32", &[("chunk_next$32", 0), ("granted", 32)]),
    ("srtf/scheduler/n33", &[("dispatch$32", 0)]),
];

fn case(configuration: &str) -> ReplayCase {
    let id = format!("replay/verilator/{configuration}");
    cases().into_iter().find(|case| case.id == id).expect("the catalog has it")
}

/// Whether a bit of an output is 1 in a cycle.
fn is_seen(trace: &PortTrace, name: &str, bit: usize) -> bool {
    let port = trace.ports_of(Direction::Output).find(|port| port.name == name);
    let port = port.unwrap_or_else(|| panic!("an output {name}"));
    trace.cycles.iter().any(|cycle| port.value(&cycle.outputs)[bit / 32] >> (bit % 32) & 1 == 1)
}

#[test]
fn traffic_reaches_the_smxs_beyond_the_32nd() {
    let missing: Vec<String> = wide(|| {
        let of_case = |(configuration, seen): &Reached| {
            let trace = case(configuration).trace(SEED, CYCLES);
            let missing = seen.iter().filter(|(name, bit)| !is_seen(&trace, name, *bit));
            let say = |(name, bit): &(&str, usize)| format!("{configuration}: bit {bit} of {name}");
            missing.map(say).collect::<Vec<_>>()
        };
        REACHED.par_iter().flat_map_iter(of_case).collect()
    });
    assert!(missing.is_empty(), "never 1:\n{}", missing.join("\n"));
}

#[test]
fn every_whole_scheduler_is_replayed_with_132_smxs() {
    let schedulers: Vec<catalog::Entry> =
        catalog::entries().into_iter().filter(|entry| entry.name.ends_with("scheduler")).collect();
    assert!(schedulers.len() >= 14, "{}", schedulers.len());
    for entry in schedulers {
        let start = format!("replay/verilator/{}/n132", entry.name);
        assert!(cases().iter().any(|case| case.id.starts_with(&start)), "{}", entry.name);
    }
}

#[test]
fn every_module_has_a_configuration_that_the_tests_replay() {
    for check in [Check::Icarus, Check::Verilator, Check::Lint, Check::Yosys] {
        let replayed = of(check);
        for entry in catalog::entries() {
            let start = format!("replay/{}/{}/", check.name(), entry.name);
            assert!(replayed.iter().any(|case| case.id.starts_with(&start)), "{start}");
        }
    }
}
