//! The first port on which two engines disagree.

use blockyard_sim::port::{
    DeviceOutputs, Dispatch, KernelContext, KernelEntry, Outputs, PriorityOutputs,
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

/// Compares every output; `None` when all agree.
pub fn compare(expected: &Outputs, got: &Outputs) -> Option<Difference> {
    if expected == got {
        return None;
    }
    let mut found = check("launch_ready", expected.launch_ready, got.launch_ready, ready);
    for smx in 0..expected.dispatch.len().max(got.dispatch.len()) {
        let port = format!("dispatch[{smx}]");
        let at = |outputs: &Outputs| outputs.dispatch.get(smx).copied();
        found = found.or_else(|| check(&port, at(expected), at(got), dispatch));
    }
    for entry in 0..32 {
        let port = format!("finished_kernels[{entry}]");
        let bit = |outputs: &Outputs| outputs.finished_kernels >> entry & 1;
        found = found.or_else(|| check(&port, bit(expected), bit(got), |bit| bit.to_string()));
    }
    found
        .or_else(|| check("context", expected.context, got.context, context))
        .or_else(|| device(&expected.device, &got.device))
}

/// Compares what concerns launches from the device.
fn device(expected: &DeviceOutputs, got: &DeviceOutputs) -> Option<Difference> {
    let (e, g) = (expected, got);
    let bits = |mask: u32| format!("{mask:#010x}");
    check("inspect", e.inspect, g.inspect, bits)
        .or_else(|| check("record_entry", e.record_entry, g.record_entry, ready))
        .or_else(|| check("fetch_record", e.fetch_record, g.fetch_record, shown))
        .or_else(|| check("command_ready", e.command_ready, g.command_ready, shown))
        .or_else(|| check("group_taken", e.group_taken, g.group_taken, shown))
        .or_else(|| check("fetch_group", e.fetch_group, g.fetch_group, shown))
        .or_else(|| check("link_write", e.link_write, g.link_write, shown))
        .or_else(|| priority(&e.priority, &g.priority))
}

/// Compares what concerns priority queues.
fn priority(expected: &PriorityOutputs, got: &PriorityOutputs) -> Option<Difference> {
    let (e, g) = (expected, got);
    check("launch_place", e.launch_place, g.launch_place, shown)
        .or_else(|| check("record_place", e.record_place, g.record_place, shown))
        .or_else(|| check("level", e.level, g.level, shown))
        .or_else(|| check("spill", e.spill, g.spill, shown))
        .or_else(|| check("fetch_entry", e.fetch_entry, g.fetch_entry, shown))
        .or_else(|| check("refill_taken", e.refill_taken, g.refill_taken, shown))
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
fn dispatch(word: Option<Option<Dispatch>>) -> String {
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

fn context(word: Option<KernelContext>) -> String {
    word.map_or("no context".to_owned(), |word| {
        let KernelContext { entry_pc, parameter_address, block } = word;
        format!("pc {entry_pc:#x}, parameters {parameter_address:#x}, block {block}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockyard_sim::port::Dim3;

    #[test]
    fn every_output_is_compared() {
        let base = Outputs::idle(3);
        let mut changed = vec![base.clone(); 4];
        changed[0].launch_ready = Some(KernelEntry(1));
        changed[1].dispatch[2] = Some(Dispatch {
            kernel: KernelEntry(0),
            block: Dim3::new(1, 0, 0),
            ..Default::default()
        });
        changed[2].finished_kernels = 1 << 31;
        changed[3].context = Some(KernelContext::default());
        let ports = ["launch_ready", "dispatch[2]", "finished_kernels[31]", "context"];
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
