//! The first port on which two engines disagree.

use blockyard_sim::port::{
    DeviceOutputs, Dispatch, GroupMemoryOutputs, GroupOutputs, KernelContext, KernelEntry,
    ManagementOutputs, Outputs, ParentOutputs, QueueOutputs, KERNEL_ENTRIES,
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

/// An output port of a scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name, as in the hardware.
    pub name: &'static str,
    /// Which SMX's or entry's it is, where each has one.
    pub of: Option<usize>,
}

/// `dispatch[3]`
impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Some(of) => write!(f, "{}[{of}]", self.name),
            None => f.write_str(self.name),
        }
    }
}

/// Told of a port, whether the two sides differ there, and how to put both in words.
pub type See<'a> = dyn FnMut(Port, bool, &dyn Fn() -> [String; 2]) + 'a;

/// Compares every output; `None` when all agree.
pub fn compare(expected: &Outputs, got: &Outputs) -> Option<Difference> {
    if expected == got {
        return None;
    }
    let mut found = None;
    each_port(expected, got, &mut |port, differs, words| {
        if differs && found.is_none() {
            let [expected, got] = words();
            found = Some(Difference { port: port.to_string(), expected, got });
        }
    });
    found
}

/// Shows `see` every output port of both sides, always in the same order. Taken apart by name, so
/// that none is forgotten.
pub fn each_port(expected: &Outputs, got: &Outputs, see: &mut See<'_>) {
    let Outputs {
        launch_ready,
        dispatch,
        finished_kernels,
        context,
        cancelled,
        cancel_held,
        running_limits,
        device,
    } = expected;
    check(see, "launch_ready", *launch_ready, got.launch_ready, ready);
    for smx in 0..dispatch.len().max(got.dispatch.len()) {
        let port = Port { name: "dispatch", of: Some(smx) };
        let at = |blocks: &[Option<Dispatch>]| blocks.get(smx).copied();
        check_at(see, port, at(dispatch), at(&got.dispatch), block);
    }
    for entry in 0..KERNEL_ENTRIES {
        let port = Port { name: "finished_kernels", of: Some(entry) };
        let bit = |kernels: u32| kernels >> entry & 1;
        check_at(see, port, bit(*finished_kernels), bit(got.finished_kernels), shown);
    }
    check(see, "context", *context, got.context, kernel_context);
    check(see, "cancelled", *cancelled, got.cancelled, |block| {
        block.map_or("no block".to_owned(), |block| format!("block {block}"))
    });
    check(see, "cancel_held", *cancel_held, got.cancel_held, shown);
    for smx in 0..running_limits.len().max(got.running_limits.len()) {
        let port = Port { name: "running_limit", of: Some(smx) };
        let at = |limits: &[u8]| limits.get(smx).copied();
        check_at(see, port, at(running_limits), at(&got.running_limits), shown);
    }
    launches(device, &got.device, see);
}

/// What concerns launches from the device.
fn launches(expected: &DeviceOutputs, got: &DeviceOutputs, see: &mut See<'_>) {
    let DeviceOutputs { management, groups, group_memory, parents, queues } = expected;
    management_unit(management, &got.management, see);
    let GroupOutputs { command_ready, group_taken } = groups;
    check(see, "command_ready", *command_ready, got.groups.command_ready, shown);
    check(see, "group_taken", *group_taken, got.groups.group_taken, shown);
    let GroupMemoryOutputs { fetch_group, link_write } = group_memory;
    check(see, "fetch_group", *fetch_group, got.group_memory.fetch_group, shown);
    check(see, "link_write", *link_write, got.group_memory.link_write, shown);
    let ParentOutputs { launch_place, fetch_place } = parents;
    check(see, "launch_place", *launch_place, got.parents.launch_place, shown);
    check(see, "fetch_place", *fetch_place, got.parents.fetch_place, shown);
    priority_queues(queues, &got.queues, see);
}

fn management_unit(expected: &ManagementOutputs, got: &ManagementOutputs, see: &mut See<'_>) {
    let ManagementOutputs { inspect, record_entry, fetch_record } = expected;
    check(see, "inspect", *inspect, got.inspect, |mask| format!("{mask:#010x}"));
    check(see, "record_entry", *record_entry, got.record_entry, ready);
    check(see, "fetch_record", *fetch_record, got.fetch_record, shown);
}

fn priority_queues(expected: &QueueOutputs, got: &QueueOutputs, see: &mut See<'_>) {
    let QueueOutputs { level, spill, fetch_entry, refill_taken } = expected;
    check(see, "level", *level, got.level, shown);
    check(see, "spill", *spill, got.spill, shown);
    check(see, "fetch_entry", *fetch_entry, got.fetch_entry, shown);
    check(see, "refill_taken", *refill_taken, got.refill_taken, shown);
}

fn shown<T: fmt::Debug>(value: T) -> String {
    format!("{value:?}")
}

fn check<T: PartialEq + Copy>(
    see: &mut See<'_>,
    name: &'static str,
    expected: T,
    got: T,
    words: impl Fn(T) -> String,
) {
    check_at(see, Port { name, of: None }, expected, got, words);
}

fn check_at<T: PartialEq + Copy>(
    see: &mut See<'_>,
    port: Port,
    expected: T,
    got: T,
    words: impl Fn(T) -> String,
) {
    see(port, expected != got, &|| [words(expected), words(got)]);
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
        let mut changed = vec![base.clone(); 20];
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
        changed[17].cancelled = Some(Dim3::default());
        changed[18].cancel_held = true;
        changed[19].running_limits = vec![1];
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
            "cancelled",
            "cancel_held",
            "running_limit[0]",
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
