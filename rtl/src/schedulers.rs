//! Whole schedulers: top modules with the ports of the cycle contract.

mod ports;

pub use ports::{
    CompletionInputs, DispatchOutputs, GroupInputs, GroupMemoryOutputs, GroupOutputs, HostInputs,
    HostOutputs, InputPorts, ManagementInputs, ManagementOutputs, OutputPorts, ParentInputs,
    ParentOutputs, QueueInputs, QueueOutputs, SampleInputs,
};

use crate::dtbl::GroupState;
use crate::module::Module;

/// The most SMXs that a scheduler is built for; the fewest are one.
pub const MAX_SMX: usize = 144;

/// A whole scheduler in hardware.
pub trait SchedulerModule: Module {
    /// The same as a plain module.
    fn as_module(&self) -> &dyn Module;
    /// SMXs that it serves.
    fn smx(&self) -> usize;
    /// The ports that it is driven by.
    fn inputs(&mut self) -> InputPorts<'_>;
    /// The ports that it drives.
    fn outputs(&self) -> OutputPorts<'_>;
    /// What is stored of kernels and groups after the last clock edge; `None` without a table of groups.
    fn group_state(&self) -> Option<&dyn GroupState> {
        None
    }
}

/// Makes modules schedulers, by the groups of ports that they have beside those of the host and of the gates.
macro_rules! scheduler_modules {
    ($($module:ident { $($group:ident)* })*) => {$(
        impl crate::schedulers::SchedulerModule for $module {
            fn as_module(&self) -> &dyn crate::module::Module {
                self
            }
            fn smx(&self) -> usize {
                self.finished.val().len()
            }
            fn inputs(&mut self) -> crate::schedulers::InputPorts<'_> {
                #[allow(unused_mut)]
                let mut ports = crate::schedulers::InputPorts {
                    host: crate::schedulers::HostInputs { launch: &mut self.launch, lookup: &mut self.lookup },
                    completions: crate::schedulers::CompletionInputs {
                        finished: &mut self.finished,
                        kernel: &mut [],
                        slot: &mut [],
                    },
                    samples: self.sample.is_present().then_some(crate::schedulers::SampleInputs {
                        valid: &mut self.sample,
                        idle: &mut self.idle,
                        memory: &mut self.memory,
                    }),
                    clock: None,
                    relation: None,
                    management: None,
                    groups: None,
                    parents: None,
                    queues: None,
                };
                $(scheduler_modules!(@inputs $group self ports);)*
                ports
            }
            fn outputs(&self) -> crate::schedulers::OutputPorts<'_> {
                #[allow(unused_mut)]
                let mut ports = crate::schedulers::OutputPorts {
                    host: crate::schedulers::HostOutputs {
                        launch_ready: &self.launch_ready,
                        launch_entry: &self.launch_entry,
                        finished_kernels: &self.finished_kernels,
                        context_valid: &self.context_valid,
                        kernel_context: &self.kernel_context,
                    },
                    dispatch: crate::schedulers::DispatchOutputs { native: &[], grouped: &[], slot: &[] },
                    management: None,
                    groups: None,
                    parents: None,
                    queues: None,
                };
                $(scheduler_modules!(@outputs $group self ports);)*
                ports
            }
            $(scheduler_modules!(@state $group);)*
        }
    )*};

    (@inputs native $self:ident $ports:ident) => {};
    (@outputs native $self:ident $ports:ident) => {
        $ports.dispatch.native = &$self.dispatch;
    };

    // The kernels of blocks that end are named.
    (@inputs kernels $self:ident $ports:ident) => {
        $ports.completions.kernel = &mut $self.finished_kernel;
    };
    (@outputs kernels $self:ident $ports:ident) => {};

    (@inputs slots $self:ident $ports:ident) => {
        $ports.completions.slot = &mut $self.finished_slot;
    };
    (@outputs slots $self:ident $ports:ident) => {
        $ports.dispatch.slot = &$self.slot;
    };

    (@inputs clock $self:ident $ports:ident) => {
        $ports.clock = Some(&mut $self.now);
    };
    (@outputs clock $self:ident $ports:ident) => {};

    (@inputs relation $self:ident $ports:ident) => {
        $ports.relation = Some(&mut $self.relation);
    };
    (@outputs relation $self:ident $ports:ident) => {};

    (@inputs management $self:ident $ports:ident) => {
        $ports.management = Some(crate::schedulers::ManagementInputs {
            work_queue: &mut $self.work_queue,
            device_launch: &mut $self.device_launch,
            suspend: &mut $self.suspend,
            record: &mut $self.record,
        });
    };
    (@outputs management $self:ident $ports:ident) => {
        $ports.management = Some(crate::schedulers::ManagementOutputs {
            inspect: &$self.inspect,
            fetch_record: &$self.fetch_record,
            fetch_suspended: &$self.fetch_suspended,
            fetch_index: &$self.fetch_index,
        });
    };

    (@inputs groups $self:ident $ports:ident) => {
        $ports.groups = Some(crate::schedulers::GroupInputs {
            lookup_group: &mut $self.lookup_group,
            command: &mut $self.command,
            group: &mut $self.group,
            fetched: None,
        });
    };
    (@outputs groups $self:ident $ports:ident) => {
        $ports.dispatch.grouped = &$self.dispatch;
        $ports.groups = Some(crate::schedulers::GroupOutputs {
            command_ready: &$self.command_ready,
            outcome: &$self.outcome,
            memory: None,
        });
    };

    // Groups in the Aggregated Group Table: behind `groups`.
    (@inputs table $self:ident $ports:ident) => {
        if let Some(groups) = &mut $ports.groups {
            groups.fetched = Some(&mut $self.fetched);
        }
    };
    (@outputs table $self:ident $ports:ident) => {
        if let Some(groups) = &mut $ports.groups {
            groups.memory = Some(crate::schedulers::GroupMemoryOutputs {
                fetch_group: &$self.fetch_group,
                fetch_pointer: &$self.fetch_pointer,
                link_write: &$self.link_write,
            });
        }
    };

    (@inputs parents $self:ident $ports:ident) => {
        $ports.parents = Some(crate::schedulers::ParentInputs {
            launch_parent: &mut $self.launch_parent,
            record_place: &mut $self.record_place,
        });
    };
    (@outputs parents $self:ident $ports:ident) => {
        $ports.parents = Some(crate::schedulers::ParentOutputs {
            launch_place: &$self.launch_place,
            record_taken: None,
            fetch_place: &$self.fetch_place,
        });
    };

    // Priority queues: behind `parents`.
    (@inputs queues $self:ident $ports:ident) => {
        $ports.queues = Some(crate::schedulers::QueueInputs {
            group_parent: &mut $self.group_parent,
            refill: &mut $self.refill,
        });
    };
    (@outputs queues $self:ident $ports:ident) => {
        if let Some(parents) = &mut $ports.parents {
            parents.record_taken = Some(&$self.record_taken);
        }
        $ports.queues = Some(crate::schedulers::QueueOutputs {
            level: &$self.level,
            spill: &$self.spill,
            fetch_entry: &$self.fetch_entry,
            refill_taken: &$self.refill_taken,
        });
    };

    (@state table) => {
        fn group_state(&self) -> Option<&dyn crate::dtbl::GroupState> {
            Some(self.state())
        }
    };
    (@state $group:ident) => {};
}

pub(crate) use scheduler_modules;

/// A scheduler, connected.
pub fn connected<M: SchedulerModule + 'static>(mut module: M) -> Box<dyn SchedulerModule> {
    module.connect_all();
    Box::new(module)
}
