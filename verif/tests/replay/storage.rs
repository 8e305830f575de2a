//! What the pages of `docs/` say that modules store, against what Yosys counts in their Verilog.

use super::{folder, has};
use blockyard::replay::{cases, yosys_depth, yosys_report, Check, Tool};
use std::path::PathBuf;
use std::sync::Arc;

/// The Verilog of one configuration, and a folder for what is done with it.
fn verilog(what: &str, module: &str, configuration: &str) -> (Arc<str>, PathBuf) {
    let id = format!("replay/{}/{module}/{configuration}", Check::Yosys.name());
    let case = cases().into_iter().find(|case| case.id == id).expect("it is in the catalog");
    let verilog = case.verilog().expect("it can be exported");
    (verilog, folder(&format!("{what}-{}-{configuration}", module.replace('/', "-"))))
}

/// Bits of flip-flops and of memories of one configuration.
fn stored(module: &str, configuration: &str) -> (u64, u64) {
    let (verilog, place) = verilog("storage", module, configuration);
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

/// Of `rr`, `docs/baseline.md`: registers beside 56 an SMX and [`FETCHED`], and register files.
const RR: (u64, u64) = (32 * 11 + 32 + 17 + 32 + 5, 2_976 + 2_016 + 1_472 + 2_016 + 160);

/// What the head's blocks take.
const FETCHED: u64 = 12 + 17 + 17;

#[test]
fn gpgpusim_stores_what_its_page_says() {
    check(&[
        ("dispatch/block_sequence", "m15", 0, 0),
        ("dispatch/kernel_entries", "n2", 384, 8_480),
        ("dispatch/kernel_entries", "n13", 384, 8_480),
        ("prim/residents", "n1", 6, 0),
        ("prim/residents", "n14", 84, 0),
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
        ("dyncta/throttle", "n14_s8_pausing", 168, 0),
        ("dispatch/scheduler", "n4", RR.0 + FETCHED + 56 * 4, RR.1),
        ("dispatch/scheduler", "n4_dyncta", RR.0 + FETCHED + (56 + 12) * 4, RR.1),
        ("dispatch/scheduler", "n4_pausing", RR.0 + FETCHED + (56 + 12) * 4, RR.1),
        ("dispatch/scheduler", "n14_dyncta", RR.0 + FETCHED + (56 + 12) * 14, RR.1),
        (
            "dispatch/scheduler",
            "n4_dyncta_claso",
            RR.0 + FETCHED + (56 + 12) * 4,
            RR.1 + credits(4),
        ),
    ]);
}

#[test]
fn the_aggregated_group_table_takes_20_bytes_an_entry_as_section_4_3_of_dtbl_says() {
    // `used` is a register, the other 159 bits are memory. Beside them: a flag for each entry that
    // its count has begun; the current group, its blocks so far, and the block that is counted; two
    // words and a bit of each SRAM.
    const BESIDE: u64 = 11 + 16 + 12 + (2 * 63 + 1) + (2 * 32 + 1) + 2 * (2 * 16 + 1);
    // Yosys takes a single word for registers; without SRAMs four addresses are kept.
    check(&[
        ("dtbl/group_table", "size1", 160 + 1 + 11 + 16 + 12 + 4 * 11, 0),
        ("dtbl/group_table", "size512", 2 * 512 + BESIDE, 512 * 159),
        ("dtbl/group_table", "size1024", 2 * 1024 + BESIDE, 20 * 1024 * 8 - 1024),
        ("dtbl/group_table", "size2048", 2 * 2048 + BESIDE, 2048 * 159),
    ]);
}

#[test]
fn dtbl_and_the_management_unit_store_what_their_page_says() {
    check(&[
        ("dtbl/group_lists", "k32", 0, 32 * 64),
        ("dtbl/fcfs_control", "k32", 17 + 32 + 32, 160),
        // Yosys takes a single word for registers. With 17 groups and more the extents are an SRAM.
        ("dtbl/held_groups", "a1", 21 + 1 + 95 + 6, 0),
        ("dtbl/held_groups", "a5", 21 + 8 + 6, 8 * 95),
        ("dtbl/held_groups", "a32", 21 + 32 + 127, 32 * 95),
        ("dtbl/held_groups", "a64", 21 + 64 + 127, 64 * 95),
        ("dtbl/group_sequence", "w32", 63, 0),
        ("dtbl/group_fetch", "a2", 64 + 21 + 2 + 6, 32 * 64 + 2 * 95),
        ("dtbl/group_fetch", "a32", 64 + 21 + 32 + 127, 32 * 64 + 32 * 95),
        ("dtbl/ring_counts", "k32", 64, 32 * 64),
        ("dtbl/coalescer", "k32", 81 + 19, 0),
        // The output of the SRAM of AGEI and BLKID; that a block ended.
        ("dtbl/slot_control", "slots16", 32 + 95, 16 * 100),
        ("dtbl/ended_blocks", "n13_slots16", 13 * 17 + 5, 13 * 32 * 11),
        ("dtbl/block_control", "n13_slots16", 13 * (32 + 95 + 1), 13 * 16 * 100),
        ("kmu/work_queues", "q32", 32 * 6, 0),
        ("kmu/pending_pool", "w32", 64, 0),
        ("kmu/management_unit", "k32", 326, 0),
    ]);
}

#[test]
fn laperm_stores_what_its_page_says() {
    // Entries and L; per-level memories have a power of two of words.
    let words = |levels: u64| levels.next_power_of_two();
    // What is fetched ahead: a word, another one that was written, and a bit, or an address.
    let ahead = |entries: u64, bits: u64, address: u64| {
        if entries * bits > 1024 {
            2 * bits + 1
        } else {
            address
        }
    };
    let linked = |entries: u64, levels: u64| {
        let fetched = ahead(entries, 100, 11) + 2 * ahead(entries, 11, 11);
        (51 + fetched, entries * 122 + words(levels) * (22 + 63))
    };
    let shifting = |entries: u64, levels: u64| {
        let banks = 2 * ahead(entries / 2, 100, 10) + 114;
        (147 + 12 * levels + banks, entries * 100 + words(levels) * 63)
    };
    let overflow = |levels: u64| (16 + 12 * levels + 12, words(levels) * 64);
    let bank = |queue: (u64, u64), queues: u64, levels: u64| {
        (queues * (queue.0 + overflow(levels).0), queues * (queue.1 + overflow(levels).1))
    };
    let both =
        |module: &'static str, configuration: &'static str, (registers, memory): (u64, u64)| {
            (module, configuration, registers, memory)
        };
    check(&[
        both("laperm/linked_queue", "e4_l3", linked(4, 3)),
        both("laperm/linked_queue", "e128_l4", linked(128, 4)),
        both("laperm/shifting_queue", "e4_l3", shifting(4, 3)),
        both("laperm/shifting_queue", "e128_l4", shifting(128, 4)),
        both("laperm/linked_bank", "c13_e128_l4", bank(linked(128, 4), 13, 4)),
        both("laperm/shifting_bank", "c13_e128_l4", bank(shifting(128, 4), 13, 4)),
        ("laperm/bound_pools", "c3_l2", 3 * 16 + 8, 3 * 2 * 64),
        ("laperm/management_unit", "c13_l4", 326 - 64 + 13 * 16 + 8, 13 * 4 * 64),
        ("laperm/selector", "n4_c4", 10 + 11 + 6 * 4, 0),
        ("laperm/selector", "n3_c2", 10 + 11 + (6 + 2) * 3, 0),
        ("laperm/selector", "n13_c13", 10 + 11 + 6 * 13, 0),
        ("laperm/placement", "n13_l4", 0, 0),
    ]);
}

/// Section IV-E of LaPerm: all three stages within one cycle, as the baseline's scheduler.
#[test]
fn the_selector_s_three_stages_are_as_deep_as_its_page_says() {
    if !has(Tool::Yosys) {
        return;
    }
    for (configuration, gates) in [("n13_c13", 26), ("n16_c16", 27)] {
        let (verilog, place) = verilog("depth", "laperm/selector", configuration);
        let depth = yosys_depth(&verilog, &place).expect("Yosys maps it");
        assert_eq!(depth, gates, "{configuration}");
    }
}
