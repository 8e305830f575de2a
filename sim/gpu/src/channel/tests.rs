//! The channel against a naive model of both policies, and rule by rule.

mod address_map;
mod naive;
mod properties;
mod schedule;
mod timing_probes;

use super::{Channel, ChannelConfig, Command, Completion, Request};

/// A request and when it arrives.
type Arrival = (u64, Request);

fn read(id: u32, bank: u16, row: u32) -> Request {
    Request { id, bank, row, write: false }
}

fn write(id: u32, bank: u16, row: u32) -> Request {
    Request { id, bank, row, write: true }
}

/// Runs a channel on requests in order of arrival, only in the cycles that it asks for.
fn run(config: &ChannelConfig, arrivals: &[Arrival]) -> (Channel, Vec<Completion>) {
    run_bursts(config, arrivals, 1)
}

/// As [`run`], of so many bursts each.
fn run_bursts(
    config: &ChannelConfig,
    arrivals: &[Arrival],
    bursts: u8,
) -> (Channel, Vec<Completion>) {
    let mut channel = Channel::new(config);
    channel.record_commands();
    let mut completed = Vec::new();
    let mut arrivals = arrivals.iter().peekable();
    loop {
        let arrival = arrivals.peek().map(|arrival| arrival.0);
        let Some(cycle) = channel.next().into_iter().chain(arrival).min() else {
            return (channel, completed);
        };
        while let Some((_, request)) = arrivals.next_if(|arrival| arrival.0 == cycle) {
            channel.push_bursts(cycle, *request, bursts);
        }
        channel.tick(cycle, &mut completed);
    }
}

/// The commands that requests lead to, as text: `ACT 1.5@12` opens row 5 of bank 1 in cycle 12.
fn commands(config: &ChannelConfig, arrivals: &[Arrival]) -> Vec<String> {
    use super::CommandKind::{Activate, Precharge, Read, Write};
    let text = |command: &Command| {
        let name = match command.kind {
            Activate => "ACT",
            Precharge => "PRE",
            Read => "RD",
            Write => "WR",
        };
        format!("{name} {}.{}@{}", command.bank, command.row, command.cycle)
    };
    run(config, arrivals).0.commands().iter().map(text).collect()
}
