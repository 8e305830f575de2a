//! What the pages of `docs/` say that modules store, against what Yosys counts in their Verilog.

use super::{folder, has};
use blockyard::replay::{cases, yosys_report, Check, Tool};

/// Bits of flip-flops and of memories of one configuration.
fn stored(module: &str, configuration: &str) -> (u64, u64) {
    let id = format!("replay/{}/{module}/{configuration}", Check::Yosys.name());
    let case = cases().into_iter().find(|case| case.id == id).expect("it is in the catalog");
    let verilog = case.verilog().expect("it can be exported");
    let place = folder(&format!("storage-{}-{configuration}", module.replace('/', "-")));
    let report = yosys_report(&verilog, &place).expect("Yosys reads it");
    (report.register_bits, report.memory_bits)
}

/// Module, configuration, registers, bits of register files.
#[track_caller]
fn check(cases: &[(&str, &str, u64, u64)]) {
    if !has(Tool::Yosys) {
        return;
    }
    for &(module, configuration, registers, memory) in cases {
        let expected = (registers, memory);
        assert_eq!(stored(module, configuration), expected, "{module} {configuration}");
    }
}

/// Of `rr`, `docs/baseline.md`: registers beside 56 an SMX, and register files.
const RR: (u64, u64) = (32 * 11 + 32 + 17 + 32 + 5, 2_976 + 2_016 + 1_472 + 2_016 + 160);

#[test]
fn gpgpusim_stores_what_its_page_says() {
    check(&[
        ("dispatch/block_sequence", "m15", 0, 0),
        ("dispatch/kernel_entries", "n2", 384, 8_480),
        ("dispatch/kernel_entries", "n13", 384, 8_480),
        ("dispatch/residents", "n1", 6, 0),
        ("dispatch/residents", "n14", 84, 0),
        ("gpgpusim/placement", "n15", 5, 0),
        ("gpgpusim/cap_table", "n15", 0, 192),
        ("gpgpusim/scheduler", "n1", RR.0 + 62 + 1, RR.1 + 192),
        ("gpgpusim/scheduler", "n15", RR.0 + 62 * 15 + 1, RR.1 + 192),
    ]);
}

#[test]
fn dyncta_stores_what_its_page_says() {
    let credits = |smx: u64| 32 * 32 * (smx + 1);
    check(&[
        ("dyncta/limit", "s4", 6, 0),
        ("dyncta/throttle", "n1_s8", 12, 0),
        ("dyncta/throttle", "n14_s8", 168, 0),
        ("dispatch/scheduler", "n4", RR.0 + 56 * 4, RR.1),
        ("dyncta/scheduler", "n4", RR.0 + (56 + 12) * 4, RR.1),
        ("dyncta/scheduler", "n14", RR.0 + (56 + 12) * 14, RR.1),
        ("dyncta/claso_scheduler", "n4", RR.0 + (56 + 12) * 4, RR.1 + credits(4)),
    ]);
}
