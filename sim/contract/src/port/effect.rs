//! Whether a cycle had an effect on the GPU.

use super::{
    DeviceInputs, DeviceOutputs, GroupInputs, GroupMemoryInputs, GroupMemoryOutputs, GroupOutputs,
    Inputs, ManagementInputs, ManagementOutputs, Outputs, ParentInputs, ParentOutputs, QueueInputs,
    QueueOutputs,
};

impl Outputs {
    /// Whether anything crossed the ports in a cycle with these outputs and `inputs`, so that the
    /// GPU may be another one after it. What only states something (which entry is free, what is at
    /// the ports until it is taken, what SMXs counted, how many blocks may run) has no effect.
    pub fn have_effect(&self, inputs: &Inputs) -> bool {
        // All by name, so that nobody adds a port and forgets it here.
        let Inputs {
            reset,
            launch,
            finished,
            finished_slots: _,
            triggered,
            cancel,
            lookup,
            clock: _,
            samples: _,
            device:
                DeviceInputs {
                    management: ManagementInputs { work_queue: _, device_launch, suspend, record },
                    groups: GroupInputs { lookup_group: _, command, group: _, keep: _ },
                    group_memory: GroupMemoryInputs { fetched },
                    parents: ParentInputs { launch_parent: _, record_place: _ },
                    queues: QueueInputs { group_parent: _, refill: _ },
                },
        } = inputs;
        let Self {
            launch_ready,
            dispatch,
            finished_kernels,
            context: _,
            // There only with `cancel`.
            cancelled: _,
            cancel_held,
            // Others than before only behind samples, which are inputs that change.
            running_limits: _,
            device:
                DeviceOutputs {
                    management: ManagementOutputs { inspect: _, record_entry, fetch_record },
                    groups: GroupOutputs { command_ready, group_taken },
                    group_memory: GroupMemoryOutputs { fetch_group, link_write },
                    parents: ParentOutputs { launch_place: _, fetch_place: _ },
                    queues: QueueOutputs { level: _, spill, fetch_entry, refill_taken },
                },
        } = self;
        // Inputs that are there for one cycle.
        let passing = *reset
            || lookup.is_some()
            // One that is held comes again.
            || cancel.is_some() && !*cancel_held
            || *device_launch
            || *suspend
            || fetched.is_some()
            || finished.iter().any(Option::is_some)
            || triggered.iter().any(Option::is_some);
        let accepted = launch.is_some() && launch_ready.is_some()
            || record.is_some() && record_entry.is_some()
            || command.is_some() && *command_ready;
        passing
            || accepted
            || *finished_kernels != 0
            || fetch_record.is_some()
            || group_taken.is_some()
            || fetch_group.is_some()
            || link_write.is_some()
            || spill.is_some()
            || fetch_entry.is_some()
            || *refill_taken
            || dispatch.iter().any(Option::is_some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::{Dim3, KernelEntry};

    #[test]
    fn a_question_has_an_effect_when_it_is_answered_and_not_while_it_is_held() {
        let asks = Inputs { cancel: Some(KernelEntry(0)), ..Inputs::idle(1) };
        let answers =
            |cancelled, cancel_held| Outputs { cancelled, cancel_held, ..Outputs::idle(1) };
        assert!(answers(Some(Dim3::default()), false).have_effect(&asks));
        assert!(answers(None, false).have_effect(&asks));
        assert!(!answers(None, true).have_effect(&asks));
        assert!(!answers(None, false).have_effect(&Inputs::idle(1)));
        // What ends beside it does.
        let ends = Inputs { finished: vec![Some(KernelEntry(0))], ..asks };
        assert!(answers(None, true).have_effect(&ends));
    }
}
