//! What crossed the ports last, in words.

use crate::engine::each_port;
use blockyard_sim::port::{Inputs, KernelLaunch, Outputs};
use std::collections::VecDeque;

/// Cycles that are kept.
const KEPT: usize = 20;

/// Most things that are told of a cycle.
const MOST: usize = 12;

/// Outputs that say how things stand, and not that something happens.
const STANDING: [&str; 7] =
    ["launch_ready", "context", "inspect", "command_ready", "level", "launch_place", "fetch_place"];

/// The last cycles in which anything happened.
#[derive(Clone, Debug, Default)]
pub struct LastEvents(VecDeque<(u64, Vec<String>)>);

impl LastEvents {
    /// Another cycle, as the inputs and one side's outputs have it.
    pub fn add(&mut self, cycle: u64, inputs: &Inputs, outputs: &Outputs) {
        let events = happening(inputs, outputs);
        if events.is_empty() {
            return;
        }
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back((cycle, events));
    }

    /// A line for each cycle in which something happened, the oldest first.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        self.0.iter().map(|(cycle, events)| {
            let mut line =
                format!("cycle {cycle}: {}", events[..events.len().min(MOST)].join("; "));
            if events.len() > MOST {
                line += &format!("; and {} things more", events.len() - MOST);
            }
            line
        })
    }
}

/// What happens in a cycle, in the order of cause and effect.
fn happening(inputs: &Inputs, outputs: &Outputs) -> Vec<String> {
    if inputs.reset {
        return vec!["reset".to_owned()];
    }
    let mut events = Vec::new();
    if let (Some(kernel), Some(entry)) = (&inputs.launch, outputs.launch_ready) {
        let KernelLaunch { grid, blocks, .. } = kernel;
        events.push(format!("a kernel of {blocks} blocks, grid {grid}, enters entry {}", entry.0));
    }
    let ended = inputs.finished.iter().enumerate();
    let ended = ended.filter_map(|(smx, entry)| Some((smx, (*entry)?)));
    events.extend(
        ended.map(|(smx, entry)| format!("a block of entry {} ends on SMX {smx}", entry.0)),
    );
    events.extend(inputs.samples.is_some().then(|| "the SMXs send their counts".to_owned()));
    let device = &inputs.device;
    let arrives = [
        (device.management.device_launch, "a block launches a kernel"),
        (device.management.suspend, "a block waits for what it launched"),
        (device.management.record.is_some(), "a kernel comes from the pools"),
        (device.groups.group.is_some(), "a block launches a group"),
        (device.group_memory.fetched.is_some(), "a group comes from memory"),
        (device.queues.refill.is_some(), "a unit comes from memory"),
    ];
    events
        .extend(arrives.iter().filter(|(arrives, _)| *arrives).map(|(_, what)| (*what).to_owned()));
    let idle = Outputs::idle(outputs.dispatch.len());
    each_port(&idle, outputs, &mut |port, differs, words| {
        if !differs || STANDING.contains(&port.name) {
            return;
        }
        let [_, words] = words();
        events.push(match (port.name, port.of) {
            ("dispatch", Some(smx)) => format!("SMX {smx} gets {words}"),
            ("finished_kernels", Some(entry)) => format!("the kernel in entry {entry} ends"),
            _ => format!("{port} is {words}"),
        });
    });
    events
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockyard_sim::port::{Dim3, Dispatch, KernelEntry};

    fn idle() -> (Inputs, Outputs) {
        (Inputs::idle(2), Outputs::idle(2))
    }

    #[test]
    fn a_cycle_is_told_from_cause_to_effect() {
        let (mut inputs, mut outputs) = idle();
        inputs.finished[1] = Some(KernelEntry(3));
        let block = Dim3::new(4, 0, 0);
        outputs.dispatch[1] =
            Some(Dispatch { kernel: KernelEntry(2), block, ..Default::default() });
        outputs.finished_kernels = 1 << 5;
        outputs.launch_ready = Some(KernelEntry(0));
        let mut events = LastEvents::default();
        events.add(9, &inputs, &outputs);
        let told =
            "cycle 9: a block of entry 3 ends on SMX 1; SMX 1 gets block (4, 0, 0) of entry 2; \
                    the kernel in entry 5 ends";
        assert_eq!(events.lines().collect::<Vec<_>>(), [told]);
    }

    #[test]
    fn the_last_cycles_are_kept_of_those_in_which_something_happened() {
        let (mut inputs, outputs) = idle();
        let mut events = LastEvents::default();
        for cycle in 0..=KEPT as u64 {
            inputs.reset = true;
            events.add(2 * cycle, &inputs, &outputs);
            inputs.reset = false;
            events.add(2 * cycle + 1, &inputs, &outputs);
        }
        let lines: Vec<String> = events.lines().collect();
        assert_eq!((lines.len(), lines[0].as_str()), (KEPT, "cycle 2: reset"));
        assert_eq!(lines[KEPT - 1], format!("cycle {}: reset", 2 * KEPT));
    }
}
