//! What presets of later GPUs have that the others do not.

use super::*;

/// An H100 of one SMX whose instructions are always there, changed.
fn h100(changes: &[(&str, &str)]) -> GpuConfig {
    let mut config = GpuConfig::preset("h100").unwrap();
    let plain = [("smx.count", "1"), ("fetch.width", "0"), ("launch.host", "0")];
    for (key, value) in plain.iter().chain(changes) {
        config.set(key, value).unwrap();
    }
    config
}

/// Runs a block of warps with these scripts and so many bytes of shared memory.
fn run(config: GpuConfig, warps: &[Vec<Instruction>], shared_memory: u32) -> Seen {
    let code = Rc::new(scripts(warps.to_vec()));
    let launch = HostLaunch { shared_memory, ..launch(code, 1, warps.len() as u32) };
    run_gpu(Gpu::new(config, Box::new(vec![launch])).unwrap(), true).0
}

fn finish(seen: &Seen) -> u64 {
    seen.stats.kernels[0].finish.unwrap()
}

#[test]
fn the_l1_has_what_shared_memory_leaves_of_the_memory_that_they_share() {
    // So many lines, twice, each load after the one before.
    let hits = |lines: u64, shared: u32| {
        let line = |n: u64| Instruction {
            active: 1,
            addresses: [128 * (n % lines); 32].into(),
            ..load(1, (n > 0).then_some(1), 4)
        };
        let loads: Vec<Instruction> = (0..2 * lines).map(line).collect();
        let config = h100(&[("l1.index", "linear")]);
        run(config, &[loads], shared << 10).stats.execution.unwrap().l1.hits
    };
    // Carve-outs of 0, 132, 164 and 228 KB leave 2048, 992, 736 and 224 lines, in sets of 16.
    assert_eq!([hits(800, 0), hits(800, 115), hits(800, 133)], [800, 800, 0]);
    assert_eq!([hits(700, 133), hits(700, 200)], [700, 0]);
}

#[test]
fn warps_of_one_sub_core_share_its_units_and_those_of_two_do_not() {
    // An H100's unit of double precision takes an instruction every other cycle.
    let doubles = vec![add(Unit::Double, None, None); 100];
    let with = |other: usize, by_scheduler: &str| {
        let mut warps = vec![Vec::new(); 5];
        warps[0] = doubles.clone();
        warps[other] = doubles.clone();
        finish(&run(h100(&[("units.by_scheduler", by_scheduler)]), &warps, 0))
    };
    let (apart, together) = (with(1, "true"), with(4, "true"));
    assert_eq!(together - apart, 200, "the other warp's hundred");
    let shared = [with(1, "false"), with(4, "false")];
    assert!(shared.iter().all(|&finish| finish < together), "{shared:?}, {together}");
}

#[test]
fn a_kernel_starts_when_its_launch_has_come_through() {
    let cycles = |host: &str| finish(&run(h100(&[("launch.host", host)]), &[Vec::new()], 0));
    assert_eq!(cycles("5000") - cycles("0"), 5000);
}

#[test]
fn more_shared_memory_than_the_scheduler_counts_bytes_of_is_placed_by_units() {
    let largest = run(h100(&[]), &[Vec::new()], 228 << 10);
    assert!(largest.stats.kernels[0].finish.is_some());
    let code = Rc::new(scripts(vec![Vec::new()]));
    let launch = HostLaunch { shared_memory: (228 << 10) + 1, ..launch(code, 1, 1) };
    let refused = Gpu::new(h100(&[]), Box::new(vec![launch])).map(drop).unwrap_err();
    let expected = "it needs 233473 bytes of shared memory, an SMX has 233472";
    assert!(refused.to_string().contains(expected), "{refused}");
}
