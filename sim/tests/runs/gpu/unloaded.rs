//! What a lone instruction takes from its issue until its consumer may issue, in the presets as
//! they are. Each expected number is the sum of the numbers that its preset states: the README of
//! Accel-Sim's runs for `accelsim-*`, the sources beside the keys for the others.

use super::*;
use blockyard_sim::gpu::host::HostCopy;

/// What the host has copied where the L2 is to hold the line.
const COPIED: HostCopy = HostCopy { address: 0, bytes: 128 };

/// Presets of which every latency is stated by Accel-Sim's runs, or is that of one of them.
const PRESETS: [&str; 5] = ["accelsim-gtx480", "accelsim-k20c", "gtx480", "c2050", "k20c"];

/// The preset with its instructions always there: a cold instruction cache would keep DRAM busy.
fn preset(name: &str, changes: &[(&str, &str)]) -> GpuConfig {
    let mut config = GpuConfig::preset(name).unwrap();
    for (key, value) in [("fetch.width", "0")].iter().chain(changes) {
        config.set(key, value).unwrap();
    }
    config
}

/// When the kernel of one warp ends; an exit waits for every register, as a consumer does.
fn finish(config: &GpuConfig, copies: &[HostCopy], instructions: &[Instruction]) -> u64 {
    let launch = HostLaunch {
        copies: copies.to_vec(),
        ..HostLaunch::new(
            "K",
            (Dim3::new(1, 1, 1), Dim3::new(32, 1, 1)),
            Body::Code(Rc::new(scripts(vec![instructions.to_vec()]))),
        )
    };
    let gpu = Gpu::new(config.clone(), Box::new(vec![launch])).unwrap();
    run_gpu(gpu, true).0.stats.kernels[0].finish.unwrap()
}

/// Cycles from the issue of `lone` until its consumer may issue. It reads what `before` writes, so
/// that it issues in the cycle in which the exit would without it.
fn latency(
    config: &GpuConfig,
    copies: &[HostCopy],
    before: &[Instruction],
    lone: Instruction,
) -> u64 {
    let with: Vec<_> = before.iter().cloned().chain([lone]).collect();
    finish(config, copies, &with) - finish(config, copies, before)
}

/// A load of the whole line 0.
fn line() -> Instruction {
    load(1, None, 4)
}

/// A load of the first 32 bytes of line 0.
fn sector() -> Instruction {
    Instruction { active: 0xff, ..line() }
}

fn l1_hit(config: &GpuConfig) -> u64 {
    latency(config, &[COPIED], &[line()], load(2, Some(1), 4))
}

fn l2_hit(config: &GpuConfig, load: Instruction) -> u64 {
    latency(config, &[COPIED], &[], load)
}

fn memory(config: &GpuConfig, load: Instruction) -> u64 {
    latency(config, &[], &[], load)
}

/// A hit where there is a cache: what is read was read before.
fn on_chip(config: &GpuConfig, space: Space) -> u64 {
    let read = Instruction { destination: Some(1), ..access(space, Access::Load, 0) };
    let again = Instruction { sources: two_sources([Some(1), None]), ..read.clone() };
    latency(config, &[], &[read], again)
}

/// A load of the first word of what the L2 holds.
fn from_l2(config: &GpuConfig, space: Space) -> u64 {
    let read = Instruction { destination: Some(1), ..access(space, Access::Load, 0) };
    latency(config, &[COPIED], &[], read)
}

fn unit(config: &GpuConfig, unit: Unit) -> u64 {
    latency(config, &[], &[], add(unit, Some(1), None))
}

#[test]
fn a_group_in_memory_starts_later_by_a_load_from_memory() {
    for name in PRESETS {
        let config = preset(name, &[]);
        // 20 bytes are in one sector; where an L1 is in the way it takes the line.
        let load = if config.l1.global { line() } else { sector() };
        assert_eq!(u64::from(config.launch.group_fetch), memory(&config, load), "{name}");
    }
}

const UNITS: [Unit; 4] = [Unit::Integer, Unit::Single, Unit::Double, Unit::Special];

#[test]
fn a_lone_load_of_accelsims_gtx480_takes_what_its_readme_states() {
    // In Accel-Sim three stages of queues lie around the L2's pipe and two around DRAM's; `gtx480`
    // has none.
    for (name, l2_queues, dram_queues) in [("accelsim-gtx480", 3, 2), ("gtx480", 0, 0)] {
        let config = preset(name, &[]);
        // 5 before the load/store unit, the L1's 35, 4 from the reply to the scoreboard.
        assert_eq!(l1_hit(&config), 5 + 35 + 4, "{name}");
        // The miss leaves after the L1's 35. The crossbar takes 1 + 5 each way; the L2's pipe 120.
        // A line is 4 sectors of 32 bytes, each a flit of 40 with its header: 3 more cycles.
        let l2 = 5 + 35 + 6 + 120 + l2_queues;
        assert_eq!(l2_hit(&config, line()), l2 + 6 + 3 + 4, "{name}");
        // Issued in 2, looked up in the L2 in 168, in the channel's queue in 268: DRAM cycle 353,
        // at 924 MHz beside 700. Activate in 354, RCD 12, CL 12, a burst of 2; three more sectors,
        // in one bank group CCDL 3 apart: 389, SMX cycle 295, 27 after 268.
        let dram = l2 + 100 + dram_queues;
        assert_eq!(memory(&config, line()), dram + 27 + 6 + 4, "{name}");
        assert_eq!(on_chip(&config, Space::Shared), 5 + 26 + 4, "{name}");
        assert_eq!(on_chip(&config, Space::Constant), 5 + 8 + 4, "{name}");
    }
}

#[test]
fn a_lone_load_of_accelsims_k20c_takes_what_its_readme_states() {
    let config = preset("accelsim-k20c", &[]);
    assert!(!config.l1.global, "no load hits the L1");
    // 4 before the load/store unit, which sends at once; 1 + 5 each way, the L2's 120 and the 3
    // stages of queues around it, 4 at the end.
    let l2 = 4 + 6 + 120 + 3;
    assert_eq!(l2_hit(&config, sector()), l2 + 6 + 4);
    // A warp's line goes out in sectors, one a cycle.
    assert_eq!(l2_hit(&config, line()), l2 + 6 + 4 + 3);
    // Issued in 2, looked up in 132, in the queue in 232: DRAM cycle 427, at 1300 MHz beside 706.
    // Activate in 428, RCD 16, CL 16, a burst of 2: 462, SMX cycle 251, 19 after 232. With the
    // queues of the L2 and the 2 of DRAM 5 later; the phase of DRAM's clock makes no difference.
    assert_eq!(memory(&config, sector()), l2 + 100 + 2 + 19 + 6 + 4);
    assert_eq!(on_chip(&config, Space::Shared), 4 + 24 + 4);
    assert_eq!(on_chip(&config, Space::Constant), 4 + 8 + 4);
}

#[test]
fn a_lone_load_of_k20c_takes_what_its_preset_states() {
    let config = preset("k20c", &[]);
    assert_eq!(l1_hit(&config), 4 + 35 + 4);
    // A line is one packet of 4 flits: 3 cycles after the first flit.
    assert_eq!(l2_hit(&config, line()), 4 + 35 + 6 + 120 + 6 + 3 + 4);
    // In the queue in 267: DRAM cycle 491. Activate in 492, RCD 16, CL 16, a burst of 2, the second
    // one CCDL 4 later: 526 and 530, SMX cycles 286 and 288, 21 after 267. Then the line's 4 flits.
    assert_eq!(memory(&config, line()), 4 + 35 + 6 + 120 + 100 + 21 + 6 + 3 + 4);
    assert_eq!(on_chip(&config, Space::Shared), 4 + 24 + 4);
    assert_eq!(on_chip(&config, Space::Constant), 4 + 8 + 4);
}

#[test]
fn a_lone_load_of_c2050_takes_what_its_preset_states() {
    let config = preset("c2050", &[]);
    assert_eq!(l1_hit(&config), 5 + 35 + 4);
    assert_eq!(l2_hit(&config, line()), 5 + 35 + 6 + 120 + 6 + 3 + 4);
    // In the queue in 268: DRAM cycle 174, at 750 MHz beside 1150. Activate in 175, RCD 12, CL 12,
    // a burst of 2, the second one CCDL 3 later: 204, SMX cycle 313, 45 after 268. Then 4 flits.
    assert_eq!(memory(&config, line()), 5 + 35 + 6 + 120 + 100 + 45 + 6 + 3 + 4);
    assert_eq!(on_chip(&config, Space::Shared), 5 + 26 + 4);
    assert_eq!(on_chip(&config, Space::Constant), 5 + 8 + 4);
}

#[test]
fn a_miss_of_constants_or_textures_takes_the_way_of_a_load_behind_its_own_latency() {
    // GTX 480: a line of 64 bytes is two sectors of 32, a flit of 40 each; one of 128 bytes is
    // four.
    let gtx480 = preset("gtx480", &[]);
    assert_eq!(from_l2(&gtx480, Space::Constant), 5 + 8 + 6 + 120 + 6 + 1 + 4);
    assert_eq!(from_l2(&gtx480, Space::Texture), 5 + 35 + 6 + 120 + 6 + 3 + 4);
    // C2050: the L2 has no sectors, and a reply is a whole line of it in 4 flits.
    let c2050 = preset("c2050", &[]);
    assert_eq!(from_l2(&c2050, Space::Constant), 5 + 8 + 6 + 120 + 6 + 3 + 4);
    assert_eq!(from_l2(&c2050, Space::Texture), 5 + 35 + 6 + 120 + 6 + 3 + 4);
    for config in [&gtx480, &c2050] {
        assert_eq!(on_chip(config, Space::Texture), 5 + 35 + 4);
    }
}

#[test]
fn arithmetic_takes_the_latency_of_its_unit_and_of_the_pipeline_around_it() {
    let of = |name| UNITS.map(|kind| unit(&preset(name, &[]), kind));
    for name in ["accelsim-gtx480", "gtx480", "c2050"] {
        assert_eq!(of(name), [4, 4, 8, 20].map(|cycles| cycles + 6), "{name}");
    }
    for name in ["accelsim-k20c", "k20c"] {
        assert_eq!(of(name), [4, 4, 20, 200].map(|cycles| cycles + 5), "{name}");
    }
}

#[test]
fn a_unit_takes_instructions_as_often_as_the_readme_states() {
    let of = |name| {
        UNITS.map(|kind| {
            let one = ["units.single", "units.double", "units.special"].map(|key| (key, "1"));
            let config = preset(name, &one);
            let two = vec![add(kind, None, None); 2];
            finish(&config, &[], &two) - finish(&config, &[], &two[..1])
        })
    };
    for name in ["accelsim-gtx480", "gtx480", "c2050"] {
        assert_eq!(of(name), [1, 1, 8, 8], "{name}");
    }
    for name in ["accelsim-k20c", "k20c"] {
        assert_eq!(of(name), [1, 1, 2, 2], "{name}");
    }
}

/// Every latency of a load on its way: what a longer one adds to which loads.
#[test]
fn each_latency_lengthens_the_loads_that_pass_it_and_no_other() {
    for name in PRESETS {
        let through_l1 = GpuConfig::preset(name).unwrap().l1.global;
        let measure = |config: &GpuConfig| {
            let l1 = if through_l1 { l1_hit(config) } else { 0 };
            let [shared, constant] = [Space::Shared, Space::Constant].map(|on| on_chip(config, on));
            [l1, l2_hit(config, sector()), memory(config, sector()), shared, constant]
        };
        let plain = preset(name, &[]);
        let before = measure(&plain);
        let l1 = u64::from(through_l1);
        // As many SMX cycles as are whole DRAM cycles in every preset, so that no rounding differs.
        let longer = 25 * 353 * 23;
        for (key, now, times) in [
            ("l1.latency", plain.l1.latency, [l1, l1, l1, 0, 0]),
            ("l2.latency", plain.l2.latency, [0, 1, 1, 0, 0]),
            ("interconnect.latency", plain.interconnect.latency, [0, 2, 2, 0, 0]),
            ("dram.latency", plain.dram.latency, [0, 0, 1, 0, 0]),
            ("latency.memory_issue", plain.latency.memory_issue, [l1, 1, 1, 1, 1]),
            ("latency.memory_return", plain.latency.memory_return, [l1, 1, 1, 1, 1]),
            ("latency.shared", plain.latency.shared, [0, 0, 0, 1, 0]),
            ("latency.constant", plain.latency.constant, [0, 0, 0, 0, 1]),
        ] {
            let value = (u64::from(now) + longer).to_string();
            let after = measure(&preset(name, &[(key, &value)]));
            let added = std::array::from_fn(|load| after[load] - before[load]);
            assert_eq!(added, times.map(|times| times * longer), "{name}: {key}");
        }
    }
}

#[test]
fn every_latency_of_a_preset_names_where_it_comes_from() {
    let sources = ["Accel-Sim's", "GPGPU-Sim", "CLASO", "DTBL", "LaPerm", "SRTF", "IKRA", "as "];
    let admissions = ["stated nowhere", "none; for traces", "not stated"];
    for (name, text) in [
        ("accelsim-gtx480", include_str!("../../../gpu/presets/accelsim-gtx480.toml")),
        ("accelsim-k20c", include_str!("../../../gpu/presets/accelsim-k20c.toml")),
        ("gtx480", include_str!("../../../gpu/presets/gtx480.toml")),
        ("c2050", include_str!("../../../gpu/presets/c2050.toml")),
        ("k20c", include_str!("../../../gpu/presets/k20c.toml")),
    ] {
        let mut table = "";
        for line in text.lines() {
            if line.starts_with('[') {
                table = line.split(']').next().unwrap();
            }
            let timing = matches!(table, "[latency" | "[initiation" | "[channel");
            let latency = line.starts_with("latency =") || timing && line.contains(" = ");
            if latency {
                let (_, comment) = line.split_once('#').unwrap();
                let named = sources.iter().chain(&admissions).any(|part| comment.contains(part));
                let unused = comment.trim() == "none";
                assert!(named || unused, "{name}: {table}] {line}");
            }
        }
    }
}

#[test]
fn lone_loads_of_later_gpus_take_what_was_measured_of_them() {
    // What docs/gpu.md cites: a hit in the L1, a hit in the L2, a load from memory, shared memory.
    for (name, measured) in
        [("v100", [36, 221, 460, 19]), ("a100", [38, 262, 466, 29]), ("h100", [41, 263, 479, 29])]
    {
        let config = preset(name, &[]);
        let got = [
            l1_hit(&config),
            l2_hit(&config, sector()),
            memory(&config, sector()),
            on_chip(&config, Space::Shared),
        ];
        assert_eq!(got, measured, "{name}");
        assert_eq!(u64::from(config.launch.group_fetch), memory(&config, sector()), "{name}");
    }
}
