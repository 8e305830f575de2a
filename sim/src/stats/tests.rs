//! Figures by hand from given counts.

use super::*;
use crate::gpu::channel::{Channel, ChannelConfig, ChannelCounts, Request};
use crate::gpu::config::GpuConfig;
use crate::gpu::smx::SmxCounts;

fn preset() -> GpuConfig {
    GpuConfig::preset("k20c").unwrap()
}

/// What a channel of the default timing did with reads of these rows of bank 3, all there in 10.
fn reads(rows: &[u32]) -> ChannelCounts {
    let mut channel = Channel::new(&ChannelConfig::default());
    for (id, &row) in (0..).zip(rows) {
        channel.push(10, Request { id, bank: 3, row, write: false });
    }
    let mut completed = Vec::new();
    while let Some(cycle) = channel.next() {
        channel.tick(cycle, &mut completed);
    }
    *channel.counts()
}

#[test]
fn dram_efficiency_is_bursts_by_cycles_with_a_request_on_its_way() {
    let config = preset();
    // Activate in 11, reads in 23 and, the bus being taken for 4 cycles, 27: data end in 43.
    let hit = DramStats::new(&[reads(&[5, 5])], 100, &config);
    assert_eq!((hit.accesses, hit.row_hits, hit.pending_cycles, hit.data_cycles), (2, 1, 33, 8));
    assert_eq!((hit.efficiency, hit.row_hit_rate), (Some(2.0 / 33.0), Some(0.5)));
    // Read in 23, precharge RAS 28 after the activate in 39, activate RP 12 later, read RCD 12
    // later in 63: data end in 79.
    let conflict = DramStats::new(&[reads(&[5, 6])], 100, &config);
    assert_eq!((conflict.activates, conflict.precharges, conflict.row_hits), (2, 1, 0));
    assert_eq!(conflict.efficiency, Some(2.0 / 69.0));
}

#[test]
fn dram_figures_of_all_channels_are_sums_and_their_rates_are_those_of_the_sums() {
    let config = preset();
    let dram = DramStats::new(&[reads(&[5, 5]), reads(&[5]), reads(&[])], 100, &config);
    assert_eq!((dram.accesses, dram.activates, dram.pending_cycles), (3, 2, 33 + 29));
    assert_eq!(dram.efficiency, Some(3.0 / 62.0));
    // 64 bytes a burst; 1300 MHz beside 706 MHz are 184 cycles of each of three channels.
    assert_eq!(dram.bytes_per_cycle, Some(192.0 / 100.0));
    assert_eq!(dram.bus_utilization, Some(12.0 / (3.0 * 184.0)));
    let each: Vec<_> = dram.channels.iter().map(|channel| channel.efficiency).collect();
    assert_eq!(each, [Some(2.0 / 33.0), Some(1.0 / 29.0), None]);
    assert!(dram.channels.iter().all(|channel| channel.channels.is_empty()));
}

#[test]
fn energy_is_counts_times_the_table_and_the_total_its_sum() {
    let mut config = preset();
    let prices = [
        ("instruction", "1"),
        ("busy", "47"),
        ("registers", "2"),
        ("integer", "3"),
        ("single", "5"),
        ("double", "7"),
        ("special", "11"),
        ("tensor", "13"),
        ("shared", "17"),
        ("constant", "19"),
        ("l1", "23"),
        ("l2", "29"),
        ("flit_hop", "31"),
        ("dram_activate", "37"),
        ("dram_read", "41"),
        ("dram_write", "43"),
    ];
    for (key, value) in prices {
        config.set(&format!("energy.{key}"), value).unwrap();
    }
    let instructions = InstructionStats {
        integer: 1000,
        single: 2000,
        double: 3000,
        special: 4000,
        tensor: 5000,
        other: 6000,
    };
    let counts = EnergyCounts {
        warp_instructions: 21_000,
        busy_cycles: 15_000,
        instructions,
        shared: 7000,
        constant: 8000,
        l1: 9000,
        l2: 10_000,
        flit_hops: 11_000,
        dram_activates: 12_000,
        dram_reads: 13_000,
        dram_writes: 14_000,
    };
    let energy = EnergyStats::new(&counts, &config.energy);
    let units = (3 + 2 * 5 + 3 * 7 + 4 * 11 + 5 * 13) as f64;
    let expected = EnergyStats {
        instructions: 21.0,
        pipeline: 15.0 * 47.0,
        registers: 42.0,
        units,
        constant: 8.0 * 19.0,
        shared_memory: 7.0 * 17.0,
        l1: 9.0 * 23.0,
        l2: 290.0,
        network: 11.0 * 31.0,
        dram_activate: 12.0 * 37.0,
        dram_read: 13.0 * 41.0,
        dram_write: 14.0 * 43.0,
        total: 768.0 + 143.0 + 152.0 + 119.0 + 207.0 + 290.0 + 341.0 + 444.0 + 533.0 + 602.0,
    };
    assert_eq!(energy, expected);
    assert_eq!((energy.core(), energy.dram()), (768.0 + 143.0 + 152.0, 444.0 + 533.0 + 602.0));
}

#[test]
fn the_components_are_every_key_of_the_energy_but_the_total() {
    let json = serde_json::to_value(EnergyStats::default()).unwrap();
    let mut keys: Vec<_> = json.as_object().unwrap().keys().cloned().collect();
    let mut components = EnergyStats::default().components().map(|(key, _)| key).to_vec();
    components.push("total");
    keys.sort();
    components.sort();
    assert_eq!(keys, components);
}

#[test]
fn rates_without_accesses_are_null() {
    let config = preset();
    let none = [SmxCounts::default()];
    let activity = ActivityStats::new(&none, 0, &config);
    assert_eq!((activity.warp_activity, activity.warp_occupancy), (None, None));
    assert_eq!(activity.block_occupancy, None);
    assert_eq!((L1Stats::new(&none).hit_rate, FetchStats::new(&none).hit_rate), (None, None));
    assert_eq!(L2Stats::new(Default::default()).hit_rate, None);
    let dram = DramStats::new(&[], 0, &config);
    assert_eq!((dram.row_hit_rate, dram.efficiency, dram.bytes_per_cycle), (None, None, None));
    let json = serde_json::to_value(dram).unwrap();
    assert_eq!(json["efficiency"], serde_json::Value::Null);
}
