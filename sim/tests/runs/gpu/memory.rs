//! k20c: L1 35 cycles, network 1 + 5 each way and a cycle a flit, L2 120, DRAM 100 and the access.

use super::*;

/// From the look-up in the L1 to the look-up in the L2: the L1's pipe, the way there, the L2's
/// pipe.
const REQUEST: u64 = 35 + 6 + 120;
/// From the look-up in the L1 to the data of an L2 hit. Two sectors of 64 bytes come in packets of
/// two flits, one after the other.
const L2_HIT: u64 = REQUEST + 6 + 1 + 2;
/// A closed row in DRAM cycles: arrival to activate 1, RCD 16, CL 16, two bursts of 2, which are
/// CCD 2 or, in one bank group, CCDL 4 apart. 1300 MHz beside 706 MHz.
const ACCESS: u64 = 22;
/// The second sector comes when the first one has left.
const DRAM: u64 = REQUEST + 100 + ACCESS + 6 + 1;

/// Flits that hold a sector, so that replies do not wait for one another.
const WIDE: [(&str, &str); 1] = [("interconnect.flit", "72")];

/// From the look-up in the L1 to the data with such flits.
const WIDE_DRAM: u64 = DRAM - 1;

/// A load of `lines` lines, each in another channel.
fn lines_of_channels(lines: u32) -> Instruction {
    Instruction { active: (1 << lines) - 1, ..load(1, None, 256) }
}

#[test]
fn a_load_misses_to_dram_and_blocks_its_consumer() {
    // Issue in 2, look-up in 3.
    assert_eq!(exit_of(&[], vec![vec![load(1, None, 4)]]), 3 + DRAM);
    let consumer = vec![vec![load(1, None, 4), add(Unit::Integer, None, Some(1))]];
    assert_eq!(exit_of(&[], consumer), 3 + DRAM + 1);
}

#[test]
fn a_load_does_not_block_its_warp() {
    let others = vec![vec![load(1, None, 4), add(Unit::Integer, Some(2), Some(3))]];
    assert_eq!(exit_of(&[], others), 3 + DRAM);
}

#[test]
fn each_line_is_a_transaction_and_one_goes_out_a_cycle() {
    for lines in [1, 2, 3] {
        let exit = exit_of(&WIDE, vec![vec![lines_of_channels(lines)]]);
        assert_eq!(exit, 2 + u64::from(lines) + WIDE_DRAM, "{lines} lines");
    }
}

#[test]
fn a_line_that_has_come_hits() {
    let seen = seen(&[], vec![vec![load(1, None, 4), load(2, Some(1), 4)]]);
    // The second one issues when the data are there and looks up a cycle later.
    assert_eq!(seen.stats.kernels[0].finish, Some(3 + DRAM + 1 + 35 + 2));
    let execution = seen.stats.execution.unwrap();
    assert_eq!((execution.l1.accesses, execution.l1.hits, execution.l1.merged), (2, 1, 0));
    assert_eq!(execution.l1.hit_rate, Some(0.5));
}

#[test]
fn a_load_of_a_line_on_its_way_comes_with_it() {
    let seen = seen(&[], vec![vec![load(1, None, 4), load(2, None, 4)]]);
    assert_eq!(seen.stats.kernels[0].finish, Some(3 + DRAM + 2));
    let execution = seen.stats.execution.unwrap();
    assert_eq!((execution.l1.hits, execution.l1.merged, execution.dram.reads), (0, 1, 2));
}

#[test]
fn a_store_allocates_in_the_l2_where_a_load_finds_it() {
    // The store looks up in 3, the load in 4.
    let seen = seen(&[], vec![vec![store(4), load(1, None, 4)]]);
    assert_eq!(seen.stats.kernels[0].finish, Some(4 + L2_HIT + 2));
    let execution = seen.stats.execution.unwrap();
    assert_eq!((execution.l2.accesses, execution.l2.hits, execution.dram.accesses), (4, 2, 0));
}

#[test]
fn a_store_evicts_its_line_from_the_l1() {
    let reload = Instruction { sources: two_sources([Some(1), None]), ..store(4) };
    let seen = seen(&[], vec![vec![load(1, None, 4), reload, load(2, Some(1), 4)]]);
    assert_eq!(seen.stats.execution.unwrap().l1.hits, 0);
}

#[test]
fn a_store_completes_for_the_warp_when_it_has_issued() {
    assert_eq!(exit_of(&[], vec![vec![store(4)]]), 3);
    assert_eq!(exit_of(&[], vec![vec![store(128)]]), 3);
}

/// The kernel of one store whose warp waits for the acknowledgement: when it ends, and the flits of
/// replies.
fn acknowledged(store: Instruction, changes: &[(&str, &str)]) -> (u64, u64) {
    let waits = [("warp.exit_waits_for_stores", "true")];
    let seen = seen(&[&waits[..], changes].concat(), vec![vec![store]]);
    let execution = seen.stats.execution.unwrap();
    (seen.stats.kernels[0].finish.unwrap(), execution.traffic.reply_flits)
}

#[test]
fn a_store_that_is_passed_on_takes_its_latency_where_it_goes_through_the_l1() {
    for (write, global, later) in
        [("evict", "true", 35), ("through", "true", 35), ("back", "true", 0), ("evict", "false", 0)]
    {
        let latency = |cycles| {
            let keys = [("l1.write", write), ("l1.global", global), ("l1.store_latency", cycles)];
            acknowledged(store(4), &keys).0
        };
        assert_eq!(latency("35") - latency("0"), later, "{write}, {global}");
    }
}

#[test]
fn a_store_is_acknowledged_at_once_or_sector_by_sector() {
    let eight_lanes = Instruction { active: 0xff, ..store(4) };
    for (store, sectors) in [(store(4), 4), (eight_lanes, 1)] {
        let acks = |by_sector| {
            acknowledged(store.clone(), &[("l2.sector", "32"), ("l2.sector_acks", by_sector)])
        };
        let ((whole, one), (split, each)) = (acks("false"), acks("true"));
        assert_eq!((one, each), (1, sectors));
        // Packets of one flit follow one another a cycle apart.
        assert_eq!(split - whole, sectors - 1, "{sectors} sectors");
    }
}

#[test]
fn an_access_waits_while_the_queue_is_full() {
    let two = || vec![vec![store(128), store(128)]];
    assert_eq!(exit_of(&[("l1.queue", "2")], two()), 4);
    // The first one's transactions go out in 3 to 34, which makes room.
    assert_eq!(exit_of(&[("l1.queue", "1")], two()), 35);
}

/// A store of 32 lines, each in a packet of nine flits, and `then` what waits until it is through.
fn store_and(then: Instruction, changes: &[(&str, &str)]) -> Seen {
    let narrow = [("interconnect.flit", "8"), ("l1.queue", "1")];
    seen(&[&narrow[..], changes].concat(), vec![vec![store(128), then]])
}

#[test]
fn accesses_that_would_send_a_request_wait_while_the_miss_queue_is_full() {
    let load_store = |seen: &Seen| seen.stats.smx[0].execution.as_ref().unwrap().load_store.clone();
    let stalls = |seen: &Seen| load_store(seen).stall_cycles;
    let unlimited = store_and(store(128), &[]);
    assert_eq!((unlimited.stats.kernels[0].finish, stalls(&unlimited)), (Some(35 + 2), 0));
    // A packet has its port for ten steps, five cycles.
    let mut before = u64::MAX;
    for limit in [1_u64, 2, 7, 26] {
        let changes = [("l1.miss_queue", &*limit.to_string())];
        let seen = store_and(store(128), &changes);
        // Made in 3, it leaves in 4, and the next but one behind it each 5 cycles.
        let last = 10 + 5 * (32 - 2 - limit);
        assert_eq!(seen.stats.kernels[0].finish, Some(last.max(34) + 1 + 2), "{limit}");
        assert!(stalls(&seen) < before, "{limit}");
        before = stalls(&seen);
        let seen = store_and(load(1, None, 4), &changes);
        assert_eq!(load_store(&seen).past_l1, 32, "nothing is lost");
        let execution = seen.stats.execution.unwrap();
        assert_eq!(execution.l1.misses, 1, "nor the load behind");
    }
}

#[test]
fn over_a_mesh_the_miss_queue_is_left_when_the_port_has_sent_all_before() {
    let mesh = [("interconnect.topology", "mesh"), ("interconnect.columns", "4")];
    let exit = |limit| {
        let changes = [&mesh[..], &[("l1.miss_queue", limit)]].concat();
        store_and(store(128), &changes).stats.kernels[0].finish.unwrap()
    };
    let (one, two, unlimited) = (exit("1"), exit("2"), exit("0"));
    assert!(one > two && two > unlimited, "{one}, {two}, {unlimited}");
}

#[test]
fn a_transaction_without_a_free_miss_register_tries_again_after_a_fill() {
    let exit = |mshrs| exit_of(&[WIDE[0], ("l1.mshrs", mshrs)], vec![vec![lines_of_channels(2)]]);
    assert_eq!(exit("2"), 4 + WIDE_DRAM);
    assert_eq!(exit("1"), 3 + 2 * WIDE_DRAM);
}

#[test]
fn a_load_of_no_lane_answers_at_once() {
    let nothing = Instruction { active: 0, ..load(1, None, 4) };
    assert_eq!(exit_of(&[], vec![vec![nothing]]), 3);
}

#[test]
fn a_load_without_a_destination_is_not_waited_for() {
    let prefetch = Instruction { destination: None, ..load(1, None, 4) };
    assert_eq!(exit_of(&[], vec![vec![prefetch]]), 3);
}

#[test]
fn the_l1_forgets_its_lines_when_its_smx_runs_empty() {
    let hits = |invalidate| {
        let changes = [("thread_block_slots", "1"), ("l1.invalidate_when_empty", invalidate)];
        let code = Rc::new(scripts(vec![vec![load(1, None, 4)]]));
        let (seen, _) = run_gpu(gpu(config(&changes), code, 3, 1), true);
        seen.stats.execution.unwrap().l1.hits
    };
    assert_eq!((hits("true"), hits("false")), (0, 2));
}
