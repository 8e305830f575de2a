//! Every rule of the timing set: legal at distance t, not at t - 1.

use crate::channel::command::CommandKind::{self, Activate, Precharge, Read, Write};
use crate::channel::timing::Timing;
use crate::channel::ChannelConfig;

/// Every parameter has another value, so that none can stand in for another.
fn config() -> ChannelConfig {
    ChannelConfig {
        burst_cycles: 4,
        cl: 19,
        wl: 7,
        rcd: 13,
        rcd_write: 11,
        rp: 15,
        ras: 31,
        rc: 53,
        rrd: 6,
        ccd: 5,
        ccdl: 8,
        wr: 17,
        wtr: 10,
        rtp: 9,
        rtpl: 3,
        turnaround: 2,
        ..ChannelConfig::default()
    }
}

/// Banks 0 and 4 are of one group, 0 and 1 are not.
const SAME_BANK: usize = 0;
const SAME_GROUP: usize = 4;
const OTHER_GROUP: usize = 1;

/// After `first` on bank 0, `second` on `bank` is legal `distance` cycles later and not before.
fn probe(
    config: &ChannelConfig,
    first: CommandKind,
    second: CommandKind,
    bank: usize,
    distance: u64,
) {
    let start = 1000;
    let mut timing = Timing::new(config);
    assert_eq!(timing.earliest(second, bank), 0, "nothing is forbidden before the first command");
    timing.issue(start, first, 0);
    let legal = |cycle: u64| timing.earliest(second, bank) <= cycle;
    let rule = format!("{first:?} to {second:?} on bank {bank}");
    assert!(legal(start + distance), "{rule}: refused at {distance}");
    if distance > 0 {
        assert!(!legal(start + distance - 1), "{rule}: allowed at {distance} - 1");
    }
}

#[test]
fn rows_of_one_bank_keep_rcd_ras_rp_and_rc() {
    let config = config();
    probe(&config, Activate, Read, SAME_BANK, 13);
    probe(&config, Activate, Write, SAME_BANK, 11);
    probe(&config, Activate, Precharge, SAME_BANK, 31);
    probe(&config, Activate, Activate, SAME_BANK, 53);
    probe(&config, Precharge, Activate, SAME_BANK, 15);
}

#[test]
fn activations_of_two_banks_keep_rrd() {
    for bank in [SAME_GROUP, OTHER_GROUP] {
        probe(&config(), Activate, Activate, bank, 6);
    }
}

#[test]
fn a_row_hit_is_legal_at_ccd_and_in_one_group_at_ccdl() {
    for kind in [Read, Write] {
        probe(&config(), kind, kind, OTHER_GROUP, 5);
        probe(&config(), kind, kind, SAME_GROUP, 8);
        probe(&config(), kind, kind, SAME_BANK, 8);
    }
}

#[test]
fn column_commands_are_no_closer_than_the_data_of_a_burst() {
    let config = ChannelConfig { burst_cycles: 9, ..config() };
    for bank in [SAME_BANK, SAME_GROUP, OTHER_GROUP] {
        probe(&config, Read, Read, bank, 9);
        probe(&config, Write, Write, bank, 9);
    }
}

#[test]
fn a_write_follows_a_read_when_the_bus_has_turned() {
    for bank in [SAME_BANK, SAME_GROUP, OTHER_GROUP] {
        // CL + burst + turnaround - WL.
        probe(&config(), Read, Write, bank, 19 + 4 + 2 - 7);
    }
    // A write latency that hides all of it leaves CCD.
    let slow = ChannelConfig { wl: 40, ..config() };
    probe(&slow, Read, Write, OTHER_GROUP, 5);
    probe(&slow, Read, Write, SAME_GROUP, 8);
}

#[test]
fn a_read_follows_a_write_at_the_end_of_its_data_and_wtr() {
    for bank in [SAME_BANK, SAME_GROUP, OTHER_GROUP] {
        probe(&config(), Write, Read, bank, 7 + 4 + 10);
    }
}

#[test]
fn a_precharge_keeps_rtp_rtpl_and_write_recovery() {
    probe(&config(), Read, Precharge, SAME_BANK, 9);
    probe(&config(), Read, Precharge, SAME_GROUP, 3);
    probe(&config(), Read, Precharge, OTHER_GROUP, 0);
    probe(&config(), Write, Precharge, SAME_BANK, 7 + 4 + 17);
    probe(&config(), Write, Precharge, SAME_GROUP, 0);
    let grouped = ChannelConfig { rtpl: 12, ..config() };
    probe(&grouped, Read, Precharge, SAME_BANK, 12);
}

#[test]
fn the_later_of_two_rules_counts() {
    let mut timing = Timing::new(&config());
    timing.issue(100, Activate, 0);
    timing.issue(113, Read, 0);
    assert_eq!(timing.earliest(Precharge, 0), 131, "RAS is later than RTP");
    timing.issue(128, Read, 0);
    assert_eq!(timing.earliest(Precharge, 0), 137, "RTP is later than RAS");
    timing.issue(137, Precharge, 0);
    assert_eq!(timing.earliest(Activate, 0), 153, "RC is later than RP");
    let mut timing = Timing::new(&config());
    timing.issue(100, Activate, 0);
    timing.issue(145, Precharge, 0);
    assert_eq!(timing.earliest(Activate, 0), 160, "RP is later than RC");
}
