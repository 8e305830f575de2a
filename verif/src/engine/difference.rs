//! The first port on which two engines disagree.

use blockyard_sim::port::{
    DeviceOutputs, Dispatch, GroupMemoryOutputs, GroupOutputs, KernelContext, KernelEntry,
    ManagementOutputs, Outputs, ParentOutputs, QueueOutputs,
};
use std::fmt;

/// A port with what each side put on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The port, with its SMX or entry: `dispatch[3]`.
    pub port: String,
    /// What the behavioural twin says.
    pub expected: String,
    /// What the hardware says.
    pub got: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "port {}: expected {}, got {}", self.port, self.expected, self.got)
    }
}

/// Compares every output; `None` when all agree. Taken apart by name, so that none is forgotten.
pub fn compare(expected: &Outputs, got: &Outputs) -> Option<Difference> {
    if expected == got {
        return None;
    }
    let Outputs { launch_ready, dispatch, finished_kernels, context, device } = expected;
    let mut found = check("launch_ready", *launch_ready, got.launch_ready, ready);
    for smx in 0..dispatch.len().max(got.dispatch.len()) {
        let port = format!("dispatch[{smx}]");
        let at = |blocks: &[Option<Dispatch>]| blocks.get(smx).copied();
        found = found.or_else(|| check(&port, at(dispatch), at(&got.dispatch), block));
    }
    for entry in 0..32 {
        let port = format!("finished_kernels[{entry}]");
        let bit = |kernels: u32| kernels >> entry & 1;
        let (expected, got) = (bit(*finished_kernels), bit(got.finished_kernels));
        found = found.or_else(|| check(&port, expected, got, |bit| bit.to_string()));
    }
    found
        .or_else(|| check("context", *context, got.context, kernel_context))
        .or_else(|| launches(device, &got.device))
}

/// Compares what concerns launches from the device.
fn launches(expected: &DeviceOutputs, got: &DeviceOutputs) -> Option<Difference> {
    let DeviceOutputs { management, groups, group_memory, parents, queues } = expected;
    management_unit(management, &got.management)
        .or_else(|| {
            let (GroupOutputs { command_ready, group_taken }, got) = (groups, &got.groups);
            check("command_ready", *command_ready, got.command_ready, shown)
                .or_else(|| check("group_taken", *group_taken, got.group_taken, shown))
        })
        .or_else(|| {
            let GroupMemoryOutputs { fetch_group, link_write } = group_memory;
            check("fetch_group", *fetch_group, got.group_memory.fetch_group, shown)
                .or_else(|| check("link_write", *link_write, got.group_memory.link_write, shown))
        })
        .or_else(|| {
            let (ParentOutputs { launch_place, fetch_place }, got) = (parents, &got.parents);
            check("launch_place", *launch_place, got.launch_place, shown)
                .or_else(|| check("fetch_place", *fetch_place, got.fetch_place, shown))
        })
        .or_else(|| priority_queues(queues, &got.queues))
}

fn management_unit(expected: &ManagementOutputs, got: &ManagementOutputs) -> Option<Difference> {
    let ManagementOutputs { inspect, record_entry, fetch_record } = expected;
    check("inspect", *inspect, got.inspect, |mask| format!("{mask:#010x}"))
        .or_else(|| check("record_entry", *record_entry, got.record_entry, ready))
        .or_else(|| check("fetch_record", *fetch_record, got.fetch_record, shown))
}

fn priority_queues(expected: &QueueOutputs, got: &QueueOutputs) -> Option<Difference> {
    let QueueOutputs { level, spill, fetch_entry, refill_taken } = expected;
    check("level", *level, got.level, shown)
        .or_else(|| check("spill", *spill, got.spill, shown))
        .or_else(|| check("fetch_entry", *fetch_entry, got.fetch_entry, shown))
        .or_else(|| check("refill_taken", *refill_taken, got.refill_taken, shown))
}

fn shown<T: fmt::Debug>(value: T) -> String {
    format!("{value:?}")
}

fn check<T: PartialEq + Copy>(
    port: &str,
    expected: T,
    got: T,
    shown: impl Fn(T) -> String,
) -> Option<Difference> {
    let (port, differ) = (port.to_owned(), expected != got);
    differ.then(|| Difference { port, expected: shown(expected), got: shown(got) })
}

fn ready(entry: Option<KernelEntry>) -> String {
    entry.map_or("no entry".to_owned(), |entry| format!("entry {}", entry.0))
}

/// The block at a port; the port may be missing.
fn block(word: Option<Option<Dispatch>>) -> String {
    match word {
        None => "no such port".to_owned(),
        Some(None) => "no block".to_owned(),
        Some(Some(Dispatch { kernel, block, group: None, slot: 0 })) => {
            format!("block {block} of entry {}", kernel.0)
        }
        Some(Some(Dispatch { kernel, block, group: None, slot })) => {
            format!("block {block} of entry {}, in slot {slot}", kernel.0)
        }
        Some(Some(Dispatch { kernel, block, group: Some(group), slot })) => {
            let place = match (group.index(), group.pointer()) {
                (Some(index), _) => format!("on chip at {index}"),
                (None, pointer) => format!("in memory at {:#x}", pointer.unwrap_or_default()),
            };
            format!("block {block} of the group {place}, entry {}, in slot {slot}", kernel.0)
        }
    }
}

fn kernel_context(word: Option<KernelContext>) -> String {
    word.map_or("no context".to_owned(), |word| {
        let KernelContext { entry_pc, parameter_address, block } = word;
        format!("pc {entry_pc:#x}, parameters {parameter_address:#x}, block {block}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockyard_sim::port::{
        Dim3, EntryFetch, GroupOutcome, GroupReference, LinkWrite, RecordFetch, RingPlace, Spill,
    };

    #[test]
    fn every_output_is_compared() {
        let base = Outputs::idle(3);
        let mut changed = vec![base.clone(); 17];
        changed[0].launch_ready = Some(KernelEntry(1));
        changed[1].dispatch[2] = Some(Dispatch {
            kernel: KernelEntry(0),
            block: Dim3::new(1, 0, 0),
            ..Default::default()
        });
        changed[2].finished_kernels = 1 << 31;
        changed[3].context = Some(KernelContext::default());
        changed[4].device.management.inspect = 1;
        changed[5].device.management.record_entry = Some(KernelEntry(0));
        let record = RecordFetch { suspended: false, index: 0 };
        changed[6].device.management.fetch_record = Some(record);
        changed[7].device.groups.command_ready = true;
        changed[8].device.groups.group_taken = Some(GroupOutcome::NoEligibleKernel);
        let place = RingPlace { kernel: KernelEntry(0), index: 0 };
        changed[9].device.group_memory.fetch_group = Some(place);
        let link = LinkWrite { pointer: 0, next: GroupReference::on_chip(0) };
        changed[10].device.group_memory.link_write = Some(link);
        changed[11].device.parents.launch_place.level = 1;
        changed[12].device.parents.fetch_place.queue = 1;
        changed[13].device.queues.level = 1;
        changed[14].device.queues.spill = Some(Spill::default());
        changed[15].device.queues.fetch_entry = Some(EntryFetch::default());
        changed[16].device.queues.refill_taken = true;
        let ports = [
            "launch_ready",
            "dispatch[2]",
            "finished_kernels[31]",
            "context",
            "inspect",
            "record_entry",
            "fetch_record",
            "command_ready",
            "group_taken",
            "fetch_group",
            "link_write",
            "launch_place",
            "fetch_place",
            "level",
            "spill",
            "fetch_entry",
            "refill_taken",
        ];
        assert_eq!(changed.len(), ports.len());
        for (outputs, port) in changed.iter().zip(ports) {
            assert_eq!(compare(&base, outputs).expect("they differ").port, port);
            assert_eq!(compare(outputs, outputs), None);
        }
    }

    #[test]
    fn blocks_are_named_by_index_and_entry() {
        let mut got = Outputs::idle(1);
        let block = Dim3::new(12, 0, 1);
        got.dispatch[0] = Some(Dispatch { kernel: KernelEntry(3), block, ..Default::default() });
        let found = compare(&Outputs::idle(1), &got).expect("they differ");
        let text = "port dispatch[0]: expected no block, got block (12, 0, 1) of entry 3";
        assert_eq!(found.to_string(), text);
    }

    #[test]
    fn a_missing_dispatch_port_is_a_difference() {
        let found = compare(&Outputs::idle(2), &Outputs::idle(1)).expect("they differ");
        assert_eq!(found.port, "dispatch[1]");
    }
}
