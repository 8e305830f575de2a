//! Memory in the domains of the SMXs: what is far takes longer, and pages lie where they are
//! touched first.

use super::*;
use blockyard_sim::stats::LocalityStats;

/// For each block of one warp its instructions.
fn code(blocks: Vec<Vec<Instruction>>) -> Rc<dyn KernelCode> {
    Rc::new(OfBlocks(move |block: Dim3, _| blocks[block.x as usize].clone()))
}

/// Two SMXs, each a domain with three of the six channels, and DRAM in the SMXs' clock.
const TWO: [(&str, &str); 3] = [("smx", "2"), ("smx.domains", "[1, 1]"), ("clock.dram", "706")];

/// Two SMXs run a block each.
fn run(placement: &str, changes: &[(&str, &str)], blocks: [Vec<Instruction>; 2]) -> Seen {
    let all = [&TWO[..], &[("memory.placement", placement)], changes].concat();
    run_gpu(gpu(config(&all), code(blocks.into()), 2, 1), true).0
}

fn locality(seen: &Seen) -> LocalityStats {
    seen.stats.execution.as_ref().unwrap().locality.clone().unwrap()
}

/// A load of the whole line at `address`.
fn line(address: u64) -> Instruction {
    of_line(address, load(1, None, 4))
}

/// A load from 32 lines of channels of domain `domain`, which have two lines in a row.
fn lines_of(domain: u64) -> Vec<Instruction> {
    let mut lines = (0..).filter(|line| line / 2 % 6 / 3 == domain);
    let addresses = std::array::from_fn(|_| 128 * lines.next().expect("there are more"));
    vec![Instruction { addresses: addresses.into(), ..load(1, None, 4) }]
}

/// The local and the remote requests, and the pages of each domain.
fn counts(seen: &Seen) -> (u64, u64, Vec<u64>) {
    let LocalityStats { local_requests, remote_requests, pages, .. } = locality(seen);
    (local_requests, remote_requests, pages.unwrap_or_default())
}

/// Work without memory, so that the other block comes first.
fn late() -> Vec<Instruction> {
    vec![add(Unit::Integer, Some(9), Some(9)); 20]
}

#[test]
fn a_lone_load_from_another_domain_takes_the_way_there_and_back_longer() {
    for between in [0, 32, 100] {
        let changes = [("interconnect.between", &*between.to_string())];
        let cycles = |address| run("domains", &changes, [vec![line(address)], vec![]]);
        // Channel 0 is SMX 0's, and channel 3 is not; rows and banks are the same.
        let (near, far) = (cycles(0), cycles(3 * 256));
        assert_eq!((counts(&near).0, counts(&far).1), (1, 1));
        assert_eq!(far.stats.cycles, near.stats.cycles + 2 * between);
        let one_memory = run("interleaved", &changes, [vec![line(0)], vec![]]);
        assert_eq!(near.stats.cycles, one_memory.stats.cycles, "near is as before");
    }
}

#[test]
fn a_page_lies_where_it_is_touched_first_and_is_remote_for_others() {
    let page = 1 << 16;
    let late_line = |address| [&late()[..], &[line(address)]].concat();
    for (first, second, expected) in [
        (vec![line(0)], late_line(128), (1, 1, vec![1, 0])),
        (late_line(0), vec![line(128)], (1, 1, vec![0, 1])),
        (vec![line(0)], vec![line(page)], (2, 0, vec![1, 1])),
        (vec![line(0), line(page)], late_line(page - 128), (2, 1, vec![2, 0])),
    ] {
        let seen = run("first-touch", &[], [first, second]);
        assert_eq!(counts(&seen), expected);
    }
}

#[test]
fn the_lines_of_a_page_are_spread_over_the_channels_of_its_domain() {
    let lines: Vec<_> = (0..24).map(|number| line(128 * number)).collect();
    let seen = run("first-touch", &[], [late(), lines]);
    let channels = seen.stats.execution.unwrap().dram.channels;
    let reads: Vec<u64> = channels.iter().map(|channel| channel.reads).collect();
    // Bursts of 64 bytes: eight lines each.
    assert_eq!(reads, [0, 0, 0, 16, 16, 16]);
}

#[test]
fn links_take_their_bytes_a_cycle_and_only_of_what_crosses() {
    let cycles = |domain, width| {
        let changes = [("interconnect.link", width)];
        let seen = run("domains", &changes, [lines_of(domain), vec![]]);
        (seen.stats.cycles, locality(&seen))
    };
    let ((near, _), (slow_near, local)) = (cycles(0, "768"), cycles(0, "1"));
    assert_eq!((near, local.remote_requests, local.remote_bytes), (slow_near, 0, 0));
    let ((far, _), (slow_far, remote)) = (cycles(1, "768"), cycles(1, "1"));
    // A request is a flit of 40 bytes; a reply two packets of a sector of 64 bytes and a header,
    // two flits each.
    assert_eq!((remote.remote_requests, remote.remote_bytes), (32, 32 * (40 + 160)));
    assert_eq!(remote.remote_rate, Some(1.0));
    assert!(far < near + 100, "a wide link costs its latency: {near}, {far}");
    let replies = 32 * 160;
    assert!((replies..replies + far).contains(&slow_far), "{slow_far}");
}

#[test]
fn partitions_share_neither_slices_nor_channels() {
    let all = [("smx.partitions", "[\"0\", \"1\"]")];
    let seen = run("partitions", &all, [lines_of(0), [&late()[..], &lines_of(0)].concat()]);
    let execution = seen.stats.execution.as_ref().unwrap();
    let reads = execution.dram.channels.iter().map(|channel| channel.reads);
    // 32 lines in two bursts each for either, though the L2 of one memory would have them for the
    // second.
    let halves = reads.collect::<Vec<u64>>().chunks(3).map(|half| half.iter().sum()).collect();
    assert_eq!((halves, execution.l2.hits), (vec![64_u64, 64], 0));
    assert_eq!(counts(&seen), (64, 0, vec![]));
}

#[test]
fn what_the_host_copied_is_in_the_l2_only_where_its_page_has_a_home() {
    use blockyard_sim::gpu::host::HostCopy;
    let hits = |placement| {
        let all = [&TWO[..], &[("memory.placement", placement)]].concat();
        let code = code(vec![vec![line(0)]]);
        let copies = vec![HostCopy { address: 0, bytes: 128 }];
        let launch = HostLaunch { copies, ..launch(code, 1, 1) };
        let gpu = Gpu::new(config(&all), Box::new(vec![launch])).unwrap();
        run_gpu(gpu, true).0.stats.execution.unwrap().l2.hits
    };
    assert_eq!(["interleaved", "domains", "first-touch"].map(hits), [2, 2, 0]);
}

#[test]
fn without_domains_of_memory_their_keys_change_nothing() {
    let blocks = || [lines_of(1), lines_of(0)];
    let keys =
        [("memory.page", "512"), ("interconnect.between", "900"), ("interconnect.link", "1")];
    let (plain, set) = (run("interleaved", &[], blocks()), run("interleaved", &keys, blocks()));
    assert_eq!(plain, set);
    assert!(plain.stats.execution.unwrap().locality.is_none());
}
