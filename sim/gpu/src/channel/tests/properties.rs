//! Random requests on random channels.

use proptest::prelude::*;

use super::naive::{agree, Naive};
use super::{run, run_bursts, Arrival};
use crate::channel::{Channel, ChannelConfig, Policy, Request};

fn config() -> impl Strategy<Value = ChannelConfig> {
    let shape = (
        prop_oneof![Just((1, 1)), Just((4, 2)), Just((16, 4)), Just((12, 3)), Just((64, 16))],
        prop_oneof![
            Just((Policy::Window, 0u32)),
            (1u32..5).prop_map(|cap| (Policy::Window, cap)),
            Just((Policy::OpenRow, 0))
        ],
        1u32..40,
        1u32..6,
    );
    let bank = (1u32..20, 1u32..20, 1u32..20, 1u32..40, 1u32..60, 0u32..10);
    let bus = (1u32..20, 0u32..10, 1u32..5, 1u32..8, 0u32..15, 0u32..10, 0u32..6, 0u32..6, 0u32..4);
    (shape, bank, bus).prop_map(|(shape, bank, bus)| {
        let ((banks, bank_groups), (scheduler, row_hit_cap), queue, burst_cycles) = shape;
        let (rcd, rcd_write, rp, ras, rc, rrd) = bank;
        let (cl, wl, ccd, ccdl, wr, wtr, rtp, rtpl, turnaround) = bus;
        ChannelConfig {
            banks,
            bank_groups,
            scheduler,
            row_hit_cap,
            queue,
            burst_cycles,
            rcd,
            rcd_write,
            rp,
            ras,
            rc,
            rrd,
            cl,
            wl,
            ccd,
            ccdl,
            wr,
            wtr,
            rtp,
            rtpl,
            turnaround,
            burst_bytes: 64,
        }
    })
}

/// Requests for few rows, in clumps and with pauses.
fn arrivals() -> impl Strategy<Value = Vec<Arrival>> {
    let gap = prop_oneof![4 => Just(0u64), 3 => 1u64..4, 2 => 4u64..40, 1 => 40u64..400];
    let request = (gap, any::<u16>(), 0u32..4, prop::bool::weighted(0.3), 0u16..3);
    prop::collection::vec(request, 1..120).prop_map(|requests| {
        let mut cycle = 0;
        let mut arrivals = Vec::new();
        for (id, (gap, bank, row, write, spread)) in (0..).zip(requests) {
            cycle += gap;
            // Few banks or all: conflicts and parallelism.
            let bank = [bank % 2, bank % 5, bank][usize::from(spread)];
            arrivals.push((cycle, Request { id, bank, row, write }));
        }
        arrivals
    })
}

fn on_banks(config: &ChannelConfig, arrivals: &[Arrival]) -> Vec<Arrival> {
    let fit = |request: &Request| Request { bank: request.bank % config.banks as u16, ..*request };
    arrivals.iter().map(|(cycle, request)| (*cycle, fit(request))).collect()
}

proptest! {
    #[test]
    fn every_command_is_the_naive_channels_and_keeps_every_rule(
        config in config(), arrivals in arrivals()
    ) {
        let arrivals = on_banks(&config, &arrivals);
        let channel = agree(&config, &arrivals);
        let counts = channel.counts();
        prop_assert_eq!(counts.reads + counts.writes, arrivals.len() as u64);
        prop_assert_eq!(counts.data_cycles, arrivals.len() as u64 * u64::from(config.burst_cycles));
        prop_assert!(counts.data_cycles <= counts.pending_cycles);
        prop_assert_eq!(channel.pending(), 0);
    }

    #[test]
    fn cycles_that_are_left_out_change_nothing_and_the_others_do_something(
        config in config(), arrivals in arrivals()
    ) {
        let arrivals = on_banks(&config, &arrivals);
        let (skipping, expected) = run(&config, &arrivals);
        let mut channel = Channel::new(&config);
        channel.record_commands();
        let mut completed = Vec::new();
        let mut coming = arrivals.iter().peekable();
        let mut cycle = 0;
        while coming.peek().is_some() || channel.next().is_some() {
            while let Some((_, request)) = coming.next_if(|arrival| arrival.0 == cycle) {
                channel.push(cycle, *request);
            }
            let promised = channel.next();
            let state = |channel: &Channel| {
                (channel.commands().len(), channel.queued(), channel.waiting.len())
            };
            let before = state(&channel);
            channel.tick(cycle, &mut completed);
            prop_assert_eq!(state(&channel) != before, promised == Some(cycle), "cycle {}", cycle);
            cycle += 1;
        }
        prop_assert_eq!(&completed, &expected);
        prop_assert_eq!(channel.commands(), skipping.commands());
        prop_assert_eq!(channel.counts(), skipping.counts());
    }

    #[test]
    fn requests_of_several_bursts_that_are_known_ahead_are_the_naive_channels(
        config in config(), arrivals in arrivals(), bursts in 1u8..4, ahead in 1u64..300
    ) {
        let arrivals = on_banks(&config, &arrivals);
        let mut channel = Channel::new(&config);
        channel.record_commands();
        let mut completed = Vec::new();
        let mut coming = arrivals.iter().peekable();
        let mut last = 0;
        while coming.peek().is_some() || channel.next().is_some() {
            // Up to `ahead` cycles after the run that follows.
            while let Some((cycle, request)) = coming.next_if(|arrival| arrival.0 <= last + ahead) {
                channel.push_bursts(*cycle, *request, bursts);
            }
            channel.run(last, &mut completed);
            last += ahead;
        }
        let (commands, completions) = Naive::run(&config, &arrivals, bursts);
        prop_assert_eq!(&completed, &completions);
        prop_assert_eq!(channel.commands(), commands);
        let (skipping, _) = run_bursts(&config, &arrivals, bursts);
        prop_assert_eq!(channel.counts(), skipping.counts());
        prop_assert_eq!(channel.pending(), 0);
    }
}
