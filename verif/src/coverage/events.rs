//! Events at the ports, and pairs of them in one cycle.

use super::ports::Ports;
use blockyard_sim::port::{DeviceInputs, DeviceOutputs, GroupOutcome, Inputs, Outputs};

/// Its name, and which ports it needs.
type Event = (&'static str, Ports);

/// All events; the place of one is its bit.
const EVENTS: [Event; 23] = [
    ("a host kernel enters", Ports::All),
    ("a block ends", Ports::All),
    ("a block is dispatched", Ports::All),
    ("a kernel ends", Ports::All),
    ("a context is looked up", Ports::All),
    ("samples arrive", Ports::Samples),
    ("a block launches a kernel", Ports::Kernels),
    ("a kernel is suspended", Ports::Kernels),
    ("a record is asked for", Ports::Kernels),
    ("a record enters", Ports::Kernels),
    ("a command is accepted", Ports::Groups),
    ("a group is coalesced", Ports::Groups),
    ("a group is sent back", Ports::Groups),
    ("a group is asked of memory", Ports::Memory),
    ("a group arrives from memory", Ports::Memory),
    ("a link is written", Ports::Memory),
    ("a unit is spilled", Ports::Queues),
    ("a refill is taken", Ports::Queues),
    ("a kernel that follows another one enters", Ports::Triggers),
    ("a block triggers", Ports::Triggers),
    ("a block asks for another one", Ports::Cancels),
    ("a block is cancelled", Ports::Cancels),
    ("a question is held", Ports::Cancels),
];

const HOST: usize = 0;
const DISPATCHED: usize = 2;
const RECORD: usize = 9;
const COALESCED: usize = 11;
const BACK: usize = 12;
const LINK: usize = 15;
const SPILL: usize = 16;
const REFILL: usize = 17;
const FOLLOWER: usize = 18;
const CANCELLED: usize = 21;
const HELD: usize = 22;

const ONE_ENTERS: &str =
    "one of a host's kernel, a record and a group enters in a cycle: dtbl.md, \
    rules 4 and 13; laperm.md, rule 8";
const OF_A_GROUP: &str =
    "a link is that of a group that is coalesced in this cycle: dtbl.md, rule 10";
const NOTHING_BESIDE: &str = "a refill lets nothing else into a priority queue: laperm.md, rule 8";
const NOT_QUEUE_ZERO: &str = "a unit that is spilled has entered in this cycle: laperm.md, rule 6";
const ONE_GOES: &str =
    "in a cycle in which a block is cancelled none is dispatched: launch-control.md, rule 4";

const NOT_BOTH: &str = "a question that is held is not answered: launch-control.md, rule 8";

/// Pairs that no cycle has, and why.
const NEVER: [(usize, usize, &str); 18] = [
    (HOST, RECORD, ONE_ENTERS),
    (HOST, COALESCED, ONE_ENTERS),
    (HOST, BACK, ONE_ENTERS),
    (RECORD, COALESCED, ONE_ENTERS),
    (RECORD, BACK, ONE_ENTERS),
    (COALESCED, BACK, ONE_ENTERS),
    (HOST, LINK, OF_A_GROUP),
    (RECORD, LINK, OF_A_GROUP),
    (BACK, LINK, OF_A_GROUP),
    (RECORD, FOLLOWER, ONE_ENTERS),
    (RECORD, REFILL, NOTHING_BESIDE),
    (COALESCED, REFILL, NOTHING_BESIDE),
    (BACK, REFILL, NOTHING_BESIDE),
    (SPILL, REFILL, NOTHING_BESIDE),
    (HOST, SPILL, NOT_QUEUE_ZERO),
    (BACK, SPILL, NOT_QUEUE_ZERO),
    (DISPATCHED, CANCELLED, ONE_GOES),
    (CANCELLED, HELD, NOT_BOTH),
];

/// The events of a cycle, a bit each.
pub(super) fn of(inputs: &Inputs, outputs: &Outputs) -> u32 {
    let DeviceInputs { management, groups, group_memory, .. } = &inputs.device;
    let DeviceOutputs { management: said, groups: answers, group_memory: asked, queues, .. } =
        &outputs.device;
    let accepted = inputs.launch.is_some() && outputs.launch_ready.is_some();
    let happened = [
        accepted,
        inputs.finished.iter().any(Option::is_some),
        outputs.dispatch.iter().any(Option::is_some),
        outputs.finished_kernels != 0,
        inputs.lookup.is_some(),
        inputs.samples.is_some(),
        management.device_launch,
        management.suspend,
        said.fetch_record.is_some(),
        said.record_entry.is_some(),
        groups.command.is_some() && answers.command_ready,
        matches!(answers.group_taken, Some(GroupOutcome::Coalesced { .. })),
        answers.group_taken == Some(GroupOutcome::NoEligibleKernel),
        asked.fetch_group.is_some(),
        group_memory.fetched.is_some(),
        asked.link_write.is_some(),
        queues.spill.is_some(),
        queues.refill_taken,
        accepted && inputs.launch.is_some_and(|kernel| kernel.follows.is_some()),
        inputs.triggered.iter().any(Option::is_some),
        inputs.cancel.is_some(),
        outputs.cancelled.is_some(),
        outputs.cancel_held,
    ];
    happened.iter().enumerate().fold(0, |bits, (at, &is)| bits | u32::from(is) << at)
}

/// Every pair of events of which a scheduler has the ports: their bits, a name, and why no cycle
/// has both.
pub(super) fn pairs(
    has: impl Fn(Ports) -> bool,
) -> impl Iterator<Item = (u32, String, Option<&'static str>)> {
    let mine: Vec<usize> = (0..EVENTS.len()).filter(|&at| has(EVENTS[at].1)).collect();
    let all = mine.clone().into_iter().enumerate().flat_map(move |(place, first)| {
        mine[place + 1..].iter().map(move |&second| (first, second)).collect::<Vec<_>>()
    });
    all.map(|(first, second)| {
        let never = NEVER.iter().find(|(a, b, _)| (*a, *b) == (first, second));
        let name = format!("pair: {}, {}", EVENTS[first].0, EVENTS[second].0);
        (1 << first | 1 << second, name, never.map(|(_, _, why)| *why))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheduler_has_the_pairs_of_its_own_ports() {
        let count = |ports: &[Ports]| pairs(|needed| ports.contains(&needed)).count();
        assert_eq!(count(&[Ports::All]), 5 * 4 / 2);
        assert_eq!(count(&[Ports::All, Ports::Samples, Ports::Kernels]), 10 * 9 / 2);
    }

    #[test]
    fn impossible_pairs_are_written_in_the_order_of_the_events() {
        assert!(NEVER.iter().all(|(first, second, _)| first < second && *second < EVENTS.len()));
        let never = pairs(|_| true).filter(|(_, _, never)| never.is_some());
        assert_eq!(never.count(), NEVER.len());
    }

    #[test]
    fn a_cycle_of_nothing_has_no_event() {
        assert_eq!(of(&Inputs::idle(3), &Outputs::idle(3)), 0);
        let mut inputs = Inputs::idle(3);
        inputs.finished[1] = Some(Default::default());
        assert_eq!(of(&inputs, &Outputs::idle(3)), 0b10);
    }
}
