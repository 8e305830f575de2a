//! The DRAM model on its own: lists of requests in, completion cycles out.

mod requests;
mod settings;
mod summary;
#[cfg(test)]
mod tests;

pub use requests::{Case, LineRequest};
pub use settings::Settings;
pub use summary::Summary;

use super::{AddressMap, Channel, ChannelCounts, Command, Completion, Location, Request};

/// Bytes of a line: what a request of a list asks for.
pub const LINE_BYTES: u64 = 128;

/// What became of a case.
#[derive(Clone, Debug)]
pub struct CaseRun {
    /// For each request of the case the cycle in which the last of its data end.
    pub complete: Vec<u64>,
    /// What the channel did.
    pub counts: ChannelCounts,
    /// Every command, in order.
    pub commands: Vec<Command>,
}

/// Runs one case on a channel that starts afresh.
///
/// # Panics
/// When [`Settings::validate`] refuses the settings, or an address has another channel than 0.
pub fn run(settings: &Settings, case: &Case) -> CaseRun {
    let map = AddressMap::new(&settings.address);
    let burst = u64::from(settings.channel.burst_bytes);
    let mut channel = Channel::new(&settings.channel);
    channel.record_commands();
    // A queue is in order of arrival, whatever the order of the list.
    let mut order: Vec<usize> = (0..case.requests.len()).collect();
    order.sort_by_key(|&index| case.requests[index].arrive_cycle);
    let mut order = order.into_iter().peekable();
    let mut complete = vec![0; case.requests.len()];
    let mut completed: Vec<Completion> = Vec::new();
    loop {
        let arrival = order.peek().map(|&index| case.requests[index].arrive_cycle);
        let Some(cycle) = channel.next().into_iter().chain(arrival).min() else {
            break;
        };
        while let Some(index) = order.next_if(|&index| case.requests[index].arrive_cycle == cycle) {
            let line = &case.requests[index];
            let first = line.address - line.address % LINE_BYTES;
            let bursts = (first..first + LINE_BYTES).step_by(burst as usize);
            let places: Vec<Location> = bursts.map(|address| map.locate(address)).collect();
            // One request, unless its bursts lie in several rows.
            for bursts in places.chunk_by(|one, other| one == other) {
                let Location { channel: number, bank, row, .. } = bursts[0];
                assert_eq!(number, 0, "one channel is modelled");
                let request = Request { id: index as u32, bank, row, write: line.write };
                channel.push_bursts(cycle, request, bursts.len() as u8);
            }
        }
        channel.tick(cycle, &mut completed);
        for done in completed.drain(..) {
            let last = &mut complete[done.id as usize];
            *last = done.cycle.max(*last);
        }
    }
    CaseRun { complete, counts: *channel.counts(), commands: channel.commands().to_vec() }
}
