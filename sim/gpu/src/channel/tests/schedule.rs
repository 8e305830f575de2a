//! Who is served first.

use super::{commands, read, run, write, Arrival};
use crate::channel::{Channel, ChannelConfig, CommandKind, Policy, Request};

fn window() -> ChannelConfig {
    ChannelConfig::default()
}

fn open_row() -> ChannelConfig {
    ChannelConfig { scheduler: Policy::OpenRow, ..ChannelConfig::default() }
}

fn together(requests: &[Request]) -> Vec<Arrival> {
    requests.iter().map(|&request| (0, request)).collect()
}

#[test]
fn a_closed_bank_a_hit_and_a_conflict_take_29_17_and_41_cycles() {
    for config in [window(), open_row()] {
        let arrivals = [(10, read(0, 3, 5)), (500, read(1, 3, 5)), (1000, read(2, 3, 6))];
        let (_, completed) = run(&config, &arrivals);
        let latencies: Vec<u64> =
            completed.iter().zip(arrivals).map(|(done, (arrive, _))| done.cycle - arrive).collect();
        assert_eq!(latencies, [29, 17, 41]);
        let writes = arrivals.map(|(cycle, request)| (cycle, Request { write: true, ..request }));
        let ends: Vec<u64> = run(&config, &writes).1.iter().map(|done| done.cycle).collect();
        assert_eq!(ends, [10 + 21, 500 + 9, 1000 + 33]);
    }
}

#[test]
fn a_younger_hit_goes_before_an_older_conflict() {
    let requests = together(&[read(0, 0, 1), read(1, 0, 2), read(2, 0, 1)]);
    let expected = ["ACT 0.1@1", "RD 0.1@13", "RD 0.1@17", "PRE 0.1@29", "ACT 0.2@41", "RD 0.2@53"];
    assert_eq!(commands(&window(), &requests), expected);
    assert_eq!(commands(&open_row(), &requests), expected);
}

#[test]
fn at_the_cap_an_older_conflict_goes_before_hits_as_soon_as_it_may() {
    let hits: Vec<Request> = (2..10).map(|id| read(id, 0, 1)).collect();
    let requests = together(&[&[read(0, 0, 1), read(1, 0, 2)][..], &hits].concat());
    let capped = ChannelConfig { row_hit_cap: 4, ..window() };
    let of = |config: &ChannelConfig| commands(config, &requests);
    // RAS ends in 29, in the cycle of the fifth hit; the older request goes first.
    let before = ["ACT 0.1@1", "RD 0.1@13", "RD 0.1@17", "RD 0.1@21", "RD 0.1@25", "PRE 0.1@29"];
    assert_eq!(of(&capped)[..6], before);
    assert_eq!(of(&ChannelConfig { row_hit_cap: 5, ..window() })[5], "RD 0.1@29");
    assert_eq!(of(&window()).iter().filter(|text| text.starts_with("RD 0.1")).count(), 9);
    assert_eq!(of(&window())[10], "PRE 0.1@47", "two cycles behind the last hit");
}

#[test]
fn a_conflict_behind_the_hits_does_not_use_the_cap() {
    let requests = together(&[0, 1, 2, 3, 4, 5].map(|id| read(id, 0, u32::from(id == 5) + 1)));
    let capped = ChannelConfig { row_hit_cap: 2, ..window() };
    assert_eq!(commands(&capped, &requests), commands(&window(), &requests));
}

#[test]
fn a_request_counts_from_the_cycle_after_its_arrival() {
    assert_eq!(commands(&window(), &[(7, read(0, 2, 9))])[0], "ACT 2.9@8");
    let mut channel = Channel::new(&window());
    assert_eq!(channel.next(), None, "an idle channel has nothing to do");
    channel.push(7, read(0, 2, 9));
    assert_eq!((channel.next(), channel.pending()), (Some(7), 1));
    let mut completed = Vec::new();
    channel.tick(7, &mut completed);
    assert_eq!(channel.next(), Some(8), "the activation");
    channel.tick(8, &mut completed);
    assert_eq!((channel.next(), completed.len()), (Some(20), 0), "RCD is skipped");
    channel.tick(20, &mut completed);
    assert_eq!((channel.next(), channel.pending(), completed[0].cycle), (None, 0, 36));
}

#[test]
fn one_request_a_cycle_enters_the_queue() {
    let requests = together(&[0, 1, 2].map(|bank| read(bank, bank as u16, 1)));
    let fast = ChannelConfig { rrd: 0, ..window() };
    assert_eq!(commands(&fast, &requests)[..3], ["ACT 0.1@1", "ACT 1.1@2", "ACT 2.1@3"]);
}

#[test]
fn a_full_queue_hides_what_is_behind_it_until_a_place_is_free() {
    // Two conflicts fill the queue; the hit behind them is seen when the first has left.
    let requests = together(&[read(0, 0, 1), read(1, 0, 2), read(2, 0, 1)]);
    let narrow = ChannelConfig { queue: 1, ..window() };
    let expected = ["ACT 0.1@1", "RD 0.1@13", "PRE 0.1@29", "ACT 0.2@41", "RD 0.2@53"];
    assert_eq!(commands(&narrow, &requests)[..5], expected);
    // A place that a column command frees is taken in the same cycle.
    let hits = together(&[0, 1].map(|id| read(id, 0, 1)));
    assert_eq!(commands(&narrow, &hits), ["ACT 0.1@1", "RD 0.1@13", "RD 0.1@17"]);
}

#[test]
fn a_younger_write_goes_before_a_read_that_the_bus_holds_up() {
    let requests =
        [(0, write(0, 0, 1)), (100, write(1, 0, 1)), (100, read(2, 0, 1)), (105, write(3, 0, 1))];
    let expected = ["ACT 0.1@1", "WR 0.1@13", "WR 0.1@101", "WR 0.1@106", "RD 0.1@119"];
    assert_eq!(commands(&window(), &requests), expected);
    let turned = [(0, read(0, 0, 1)), (100, read(1, 0, 1)), (100, write(2, 0, 1))];
    assert_eq!(commands(&window(), &turned)[2..], ["RD 0.1@101", "WR 0.1@115"]);
}

#[test]
fn under_open_row_a_row_command_may_share_its_cycle_with_a_column_command_of_a_later_visit() {
    let config = ChannelConfig { queue: 64, burst_cycles: 2, ..open_row() };
    let mut requests = together(&[0; 16].map(|bank| read(bank.into(), bank, 1)));
    requests.extend((1..16).map(|bank| (13, read(u32::from(bank), bank, 1))));
    let (channel, _) = run(&config, &requests);
    let shared: Vec<_> =
        channel.commands().windows(2).filter(|pair| pair[0].cycle == pair[1].cycle).collect();
    assert!(!shared.is_empty());
    for pair in shared {
        assert_eq!((pair[0].kind, pair[1].kind), (CommandKind::Activate, CommandKind::Read));
        assert_ne!(pair[0].bank, pair[1].bank);
    }
    let (channel, _) = run(&ChannelConfig { scheduler: Policy::Window, ..config }, &requests);
    assert!(channel.commands().windows(2).all(|pair| pair[0].cycle < pair[1].cycle));
}

#[test]
fn under_open_row_a_burst_that_is_served_has_left_the_queue() {
    let config = ChannelConfig { queue: 1, ..open_row() };
    let mut channel = Channel::new(&config);
    for id in 0..3 {
        channel.push(0, read(id, 0, id));
    }
    let mut completed = Vec::new();
    channel.tick(0, &mut completed);
    assert_eq!(channel.queued(), 1);
    channel.tick(1, &mut completed);
    assert_eq!((channel.queued(), channel.pending()), (1, 3), "the second took its place");
}

#[test]
fn under_open_row_a_request_of_several_bursts_is_one_entry_and_its_bank_serves_nothing_else() {
    let config = ChannelConfig { queue: 1, burst_cycles: 2, ..open_row() };
    let mut channel = Channel::new(&config);
    channel.record_commands();
    for (cycle, request) in [(0, read(0, 0, 1)), (0, read(1, 0, 2)), (5, read(2, 0, 1))] {
        channel.push_bursts(cycle, request, 2);
    }
    let mut completed = Vec::new();
    channel.run(0, &mut completed);
    assert_eq!(channel.queued(), 1, "both its bursts");
    channel.run(200, &mut completed);
    let columns = channel.commands().iter().filter(|command| command.kind == CommandKind::Read);
    let rows: Vec<u32> = columns.map(|command| command.row).collect();
    // The second request is all that fits in when the bank looks for the next one.
    assert_eq!(rows, [1, 1, 2, 2, 1, 1]);
    let ids: Vec<u32> = completed.iter().map(|done| done.id).collect();
    assert_eq!(ids, [0, 1, 2], "complete with the second burst");
    assert_eq!((channel.pending(), channel.counts().row_hits), (0, 3));
}

#[test]
fn counts_tell_hits_from_first_bursts_and_pending_cycles_from_idle_ones() {
    let requests = [(0, read(0, 0, 1)), (0, write(1, 0, 1)), (100, read(2, 0, 2))];
    let (channel, completed) = run(&window(), &requests);
    let counts = channel.counts();
    assert_eq!((counts.reads, counts.writes), (2, 1));
    assert_eq!((counts.activates, counts.precharges, counts.row_hits), (2, 1, 1));
    assert_eq!(counts.data_cycles, 3 * 4);
    // The write ends in 13 + 14 + 8, the last read 41 cycles after its arrival.
    assert_eq!(completed[1].cycle, 35);
    assert_eq!(counts.pending_cycles, 35 + 41);
}

#[test]
fn cycle_numbers_and_places_in_the_queue_may_go_round() {
    let start = 1 << 40;
    let requests: Vec<Arrival> =
        (0..1000).map(|id| (start + u64::from(id), read(id, (id % 5) as u16, id / 40))).collect();
    let config = ChannelConfig { queue: 3, ..window() };
    let (channel, completed) = run(&config, &requests);
    super::naive::check(&config, channel.commands());
    let mut ids: Vec<u32> = completed.iter().map(|done| done.id).collect();
    ids.sort_unstable();
    assert!(ids.into_iter().eq(0..1000), "each request completes once");
}
