//! That the memory runs ahead of the SMXs shows nowhere, on their thread or on others: with a miss
//! queue of a limit that nobody reaches it goes on in every cycle.

use blockyard_sim::gpu::memory::load::RunApart;
use proptest::prelude::*;

use super::programs::instruction;
use super::*;

/// As many blocks of these warps, on as many SMXs.
fn run_blocks(blocks: u32, warps: &[Vec<Instruction>], changes: &[(&str, &str)]) -> Seen {
    run_threads((1, RunApart::Measured), blocks, warps, changes)
}

/// The same on so many threads.
fn run_threads(
    (threads, apart): (usize, RunApart),
    blocks: u32,
    warps: &[Vec<Instruction>],
    changes: &[(&str, &str)],
) -> Seen {
    let code = Rc::new(scripts(warps.to_vec()));
    let mut gpu = gpu(config(changes), code, blocks, warps.len() as u32);
    gpu.use_threads(threads, apart);
    run_gpu(gpu, true).0
}

/// With and without running ahead, on one thread and several.
fn agree(blocks: u32, warps: &[Vec<Instruction>], changes: &[(&str, &str)]) -> Seen {
    let ahead = run_blocks(blocks, warps, changes);
    let always = [2, 3, 8].map(|threads| (threads, RunApart::Always));
    for threads in always.into_iter().chain([(2, RunApart::InTurns)]) {
        let apart = run_threads(threads, blocks, warps, changes);
        assert_eq!(ahead, apart, "{changes:?} on {threads:?} threads");
    }
    let each_cycle = [changes, &[("l1.miss_queue", "65536")]].concat();
    let stepwise = run_blocks(blocks, warps, &each_cycle);
    assert_eq!(ahead, stepwise, "{changes:?}");
    ahead
}

/// Loads, stores and atomic operations of all lanes, from line to line.
fn busy_warp(shift: u64) -> Vec<Instruction> {
    let lanes = |instruction: Instruction, from: u64| {
        let addresses = std::array::from_fn(|lane| from + 128 * (7 * lane as u64 % 96));
        Instruction { addresses: addresses.into(), ..instruction }
    };
    let reduce = access(Space::Global, Access::Atomic, 4);
    vec![
        lanes(load(1, None, 4), shift),
        lanes(store(4), 512 * shift),
        lanes(load(2, None, 4), 1 << 20),
        lanes(reduce, 3 << 14),
        lanes(load(3, Some(2), 4), 2048 * shift),
        add(Unit::Integer, Some(4), Some(3)),
        lanes(store(4), shift),
    ]
}

#[test]
fn nor_does_it_show_in_what_constants_and_textures_take() {
    let read = |space, from: u64, stride: u64| {
        let addresses = std::array::from_fn(|lane| from + stride * lane as u64).into();
        Instruction { addresses, destination: Some(1), ..access(space, Access::Load, 0) }
    };
    let warp = |shift: u64| {
        let lines = [(Space::Constant, 192 * shift, 0), (Space::Texture, 4096 * shift, 132)];
        let reads = lines.map(|(space, from, stride)| read(space, from, stride));
        [&reads[..], &busy_warp(shift), &reads].concat()
    };
    let warps: Vec<_> = (0..4).map(warp).collect();
    let seen = agree(3, &warps, &read_only::CACHES);
    let execution = seen.stats.execution.unwrap();
    let [constants, textures] =
        [execution.constant_cache, execution.texture_cache].map(|cache| cache.unwrap());
    assert!(constants.misses >= 4 && textures.misses >= 4 * 32, "{constants:?} {textures:?}");
}

#[test]
fn how_far_the_memory_runs_ahead_shows_nowhere_whatever_the_latencies_and_clocks() {
    let warps: Vec<_> = (0..4).map(busy_warp).collect();
    for changes in [
        &[][..],
        &[("interconnect.latency", "0"), ("l2.latency", "1"), ("dram.latency", "1")],
        &[("l2.latency", "1"), ("dram.latency", "700")],
        &[("l2.latency", "900"), ("dram.latency", "3")],
        &[("clock.interconnect", "1500"), ("clock.l2", "300")],
        &[("clock.interconnect", "250"), ("interconnect.speedup", "1")],
        &[("clock.dram", "200"), ("dram.latency", "2")],
        &[("clock.dram", "20"), ("dram.latency", "1"), ("l2.latency", "1")],
        &[("l1.latency", "400"), ("l1.store_latency", "7")],
        &[("l2.merges", "1"), ("l2.mshrs", "4")],
        &[("l2.sector", "128"), ("l2.index", "linear"), ("interconnect.flit", "8")],
        &[("channel.scheduler", "window"), ("channel.queue", "4")],
        &[("l1.write", "back"), ("l1.store_latency", "35")],
        &[("l1.global", "false")],
        &[("warp.exit_waits_for_stores", "true"), ("l2.sector_acks", "true")],
        &[("fetch.width", "1")],
    ] {
        for smxs in ["1", "5"] {
            let changes = [changes, &[("smx", smxs)]].concat();
            let seen = agree(7, &warps, &changes);
            let execution = seen.stats.execution.unwrap();
            assert!(execution.dram.reads > 0 && execution.l2.writes > 0, "{changes:?}");
        }
    }
}

#[test]
fn nor_does_it_show_where_the_memory_is_in_domains() {
    let warps: Vec<_> = (0..4).map(busy_warp).collect();
    for placement in ["domains", "first-touch", "partitions"] {
        for link in ["7", "768"] {
            for clock in ["250", "706", "1500"] {
                let seen = agree(
                    7,
                    &warps,
                    &[
                        ("smx", "5"),
                        ("smx.domains", "[2, 1, 2]"),
                        ("smx.partitions", "[\"0,2\", \"1,3-4\"]"),
                        ("memory.placement", placement),
                        ("memory.page", "512"),
                        ("interconnect.link", link),
                        ("clock.interconnect", clock),
                    ],
                );
                let locality = seen.stats.execution.unwrap().locality.unwrap();
                assert!(locality.local_requests > 100);
                assert_eq!(locality.remote_requests > 100, placement != "partitions");
            }
        }
    }
}

#[test]
fn how_far_the_memory_runs_ahead_shows_nowhere_whatever_the_number_of_smxs() {
    let warps: Vec<_> = (0..2).map(busy_warp).collect();
    let mesh = [
        ("interconnect.topology", "mesh"),
        ("interconnect.columns", "12"),
        ("interconnect.memory_node", "143"),
    ];
    for smx in [33, 64, 65, 132, 144] {
        let count = [("smx.count", &*smx.to_string())];
        let crossbar = agree(smx, &warps, &count);
        let over_mesh = agree(smx, &warps, &[&count[..], &mesh].concat());
        for seen in [crossbar, over_mesh] {
            assert_eq!(seen.log.lines().count(), 1 + smx as usize);
            assert!(seen.stats.smx.iter().all(|of| of.thread_blocks == 1), "{smx} SMXs");
        }
    }
}

#[test]
fn over_a_mesh_no_request_arrives_in_a_cycle_of_dram_that_is_over_however_slow_its_clock() {
    let warps: Vec<_> = (0..4).map(busy_warp).collect();
    let mesh = [("interconnect.topology", "mesh"), ("interconnect.columns", "4")];
    for megahertz in ["20", "200", "699", "3000"] {
        let changes = [&mesh[..], &[("clock.dram", megahertz), ("dram.latency", "1")]].concat();
        // The channel refuses it.
        let execution = run_blocks(7, &warps, &changes).stats.execution.unwrap();
        assert!(execution.dram.reads > 0 && execution.l2.writes > 0, "{megahertz} MHz");
    }
}

#[test]
fn partitions_that_are_apart_come_back_where_all_has_been_answered_meanwhile() {
    // 32 lines of each warp, which are in the L2 after the first time, and long pauses between.
    let lanes = std::array::from_fn(|lane| 128 * lane as u64);
    let gather = Instruction { addresses: lanes.into(), ..load(1, None, 4) };
    let pause = vec![add(Unit::Integer, Some(1), Some(1)); 80];
    let turn = [&[gather][..], &pause].concat();
    let warp = vec![turn; 3].concat();
    for latency in ["1", "40", "80", "120"] {
        for blocks in [1, 5] {
            let changes = [("smx", "5"), ("l1.global", "false"), ("l2.latency", latency)];
            let seen = agree(blocks, &vec![warp.clone(); 4], &changes);
            let l2 = seen.stats.execution.unwrap().l2;
            assert_eq!(l2.reads, u64::from(blocks) * 4 * 3 * 32, "latency {latency}");
        }
    }
}

#[test]
fn nor_does_it_show_where_much_and_little_is_on_its_way_in_turn() {
    // Little: one warp loads, and waits for it, again and again while the others are at a barrier.
    let script = |warp: u64| {
        let lone = |at: u64| [load(1, None, 128 * (at + 1)), add(Unit::Integer, None, Some(1))];
        let little = (0..40).flat_map(lone).filter(|_| warp == 0);
        let much = (0..16).flat_map(|at| busy_warp(warp + 4 * at));
        let turn: Vec<Instruction> =
            much.chain([barrier()]).chain(little).chain([barrier()]).collect();
        vec![turn; 3].concat()
    };
    let warps: Vec<_> = (0..4).map(script).collect();
    let seen = agree(1, &warps, &[]);
    let loads = seen.stats.execution.expect("it executes").l1.accesses;
    assert!(loads > 3 * (40 + 4 * 16 * 3), "{loads}");
}

#[test]
fn what_is_on_its_way_at_the_end_counts_as_far_as_it_is_decided() {
    // Nobody waits for the stores, made from 3 on: the run ends in 5. The first one crosses in 4
    // and is looked up 125 cycles later; the next one would cross in 6.
    let seen = agree(1, &[vec![store(128)]], &[]);
    let execution = seen.stats.execution.unwrap();
    assert_eq!((seen.stats.cycles, execution.l1.stores, execution.l2.writes), (6, 3, 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn how_far_the_memory_runs_ahead_shows_nowhere_in_random_code(
        warps in prop::collection::vec(prop::collection::vec(instruction(), 0..25), 1..7),
        blocks in 1_u32..8, smxs in 1_u32..6,
        latency in 1_u32..200, mshrs in 2_u32..9, merges in 1_u32..4, waits: bool,
    ) {
        let text = [smxs, latency, mshrs, merges].map(|number| number.to_string());
        let changes = [
            ("smx", &*text[0]),
            ("l2.latency", &text[1]),
            ("l2.mshrs", &text[2]),
            ("l2.merges", &text[3]),
            ("warp.exit_waits_for_stores", if waits { "true" } else { "false" }),
        ];
        agree(blocks, &warps, &changes);
    }
}
