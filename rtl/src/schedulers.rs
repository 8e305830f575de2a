//! Whole schedulers: top modules with the ports of the cycle contract.

mod ports;

pub use ports::{CompletionInputs, DispatchOutputs, InputPorts, OutputPorts};

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
    /// What is stored of kernels and groups after the last clock edge; `None` without a table of
    /// groups.
    fn group_state(&self) -> Option<&dyn GroupState> {
        None
    }
}

/// Makes modules schedulers, by the groups of ports that they have beside those of the host and of
/// the gates.
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
                    launch: &mut self.launch_ports,
                    lookup: &mut self.lookup_ports,
                    completions: crate::schedulers::CompletionInputs {
                        finished: &mut self.finished,
                        kernel: &mut [],
                        slot: &mut [],
                    },
                    samples: self.sample_ports.sample.is_present().then_some(&mut self.sample_ports),
                    clock: None,
                    relation: None,
                    cluster: None,
                    urgency: None,
                    partition: None,
                    dependents: None,
                    cancels: None,
                    management: None,
                    record: None,
                    groups: None,
                    group_memory: None,
                    parents: None,
                    queues: None,
                };
                $(scheduler_modules!(@inputs $group self ports);)*
                ports
            }
            fn outputs(&self) -> crate::schedulers::OutputPorts<'_> {
                #[allow(unused_mut)]
                let mut ports = crate::schedulers::OutputPorts {
                    launch: &self.launch_ports,
                    lookup: &self.lookup_ports,
                    finished_kernels: &self.finished_kernels,
                    dispatch: crate::schedulers::DispatchOutputs { native: &[], grouped: &[], slot: &[] },
                    samples: self.sample_ports.sample.is_present().then_some(&self.sample_ports),
                    cancels: None,
                    management: None,
                    groups: None,
                    group_memory: None,
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

    (@inputs clusters $self:ident $ports:ident) => {
        $ports.cluster = Some(&mut $self.cluster);
    };
    (@outputs clusters $self:ident $ports:ident) => {};

    (@inputs priority $self:ident $ports:ident) => {
        $ports.urgency = Some(&mut $self.urgency);
    };
    (@outputs priority $self:ident $ports:ident) => {};

    (@inputs partition $self:ident $ports:ident) => {
        $ports.partition = Some(&mut $self.partition);
    };
    (@outputs partition $self:ident $ports:ident) => {};

    (@inputs dependents $self:ident $ports:ident) => {
        $ports.dependents = Some(&mut $self.dependent_ports);
    };
    (@outputs dependents $self:ident $ports:ident) => {};

    (@inputs cancels $self:ident $ports:ident) => {
        $ports.cancels = $self.cancel_ports.cancel.is_present().then_some(&mut $self.cancel_ports);
    };
    (@outputs cancels $self:ident $ports:ident) => {
        $ports.cancels = $self.cancel_ports.cancel.is_present().then_some(&$self.cancel_ports);
    };

    (@inputs management $self:ident $ports:ident) => {
        $ports.management = Some(&mut $self.management_ports);
        $ports.record = Some(&mut $self.record);
    };
    (@outputs management $self:ident $ports:ident) => {
        $ports.management = Some(&$self.management_ports);
    };

    (@inputs groups $self:ident $ports:ident) => {
        $ports.groups = Some(&mut $self.group_ports);
    };
    (@outputs groups $self:ident $ports:ident) => {
        $ports.dispatch.grouped = &$self.dispatch;
        $ports.groups = Some(&$self.group_ports);
    };

    // Groups in the Aggregated Group Table.
    (@inputs table $self:ident $ports:ident) => {
        $ports.group_memory = Some(&mut $self.memory_ports);
    };
    (@outputs table $self:ident $ports:ident) => {
        $ports.group_memory = Some(&$self.memory_ports);
    };

    (@inputs parents $self:ident $ports:ident) => {
        $ports.parents = Some(&mut $self.parent_ports);
    };
    (@outputs parents $self:ident $ports:ident) => {
        $ports.parents = Some(&$self.parent_ports);
    };

    (@inputs queues $self:ident $ports:ident) => {
        $ports.queues = Some(&mut $self.queue_ports);
    };
    (@outputs queues $self:ident $ports:ident) => {
        $ports.queues = Some(&$self.queue_ports);
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
