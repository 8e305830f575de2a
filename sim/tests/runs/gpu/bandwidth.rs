//! What streams reach of a GPU's memory, in the presets that are held against what was measured.

use super::*;

/// Lines of an array; no power of two, with which all three would lie on one channel.
const LINES: u64 = 70_000;

/// Warps of a block.
const WARPS: u64 = 8;

/// STREAM's "add": each warp adds a line of one array to one of another, into a third.
fn add_lines(block: Dim3, warp: u32) -> Vec<Instruction> {
    let line = u64::from(block.x) * WARPS + u64::from(warp);
    let of = |array: u64, access| of_line(128 * (array * LINES + line), access);
    let sources = two_sources([Some(1), Some(2)]);
    let sum = Instruction { sources, ..add(Unit::Single, Some(3), None) };
    let written = Instruction { sources: two_sources([Some(3), None]), ..store(4) };
    vec![of(0, load(1, None, 4)), of(1, load(2, None, 4)), sum, of(2, written)]
}

/// GB/s that DRAM serves. The L2 holds a small part of an array, as it does of the arrays that are
/// measured with: what is written leaves it in time.
fn served(name: &str) -> f64 {
    let mut config = GpuConfig::preset(name).unwrap();
    let l2 = (config.slices() << 15).to_string();
    for (key, value) in [("launch.host", "0"), ("fetch.width", "0"), ("l2.size", &*l2)] {
        config.set(key, value).unwrap();
    }
    let blocks = (LINES / WARPS) as u32;
    let seen =
        run_gpu(gpu(config.clone(), Rc::new(OfBlocks(add_lines)), blocks, WARPS as u32), true).0;
    let execution = seen.stats.execution.as_ref().unwrap();
    let bursts = execution.dram.reads + execution.dram.writes;
    let bytes = bursts * u64::from(config.channel.burst_bytes);
    let cycles = seen.stats.kernels[0].finish.unwrap();
    bytes as f64 * config.clock.core / cycles as f64 / 1000.0
}

#[test]
fn streams_reach_what_was_measured_of_later_gpus_within_a_twentieth() {
    // What docs/gpu.md cites.
    for (name, least, most) in
        [("v100", 846.0, 846.0), ("a100", 1368.0, 1368.0), ("h100", 2573.0, 2959.0)]
    {
        let served = served(name);
        assert!(0.95 * least <= served && served <= 1.05 * most, "{name}: {served} GB/s");
    }
}
