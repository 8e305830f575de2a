//! LaPerm: which block goes where, and what waits in the priority queues and their overflow queues
//! (`docs/laperm.md`).

mod pools;
mod selection;
mod units;

pub(super) use pools::BoundPools;
pub(super) use selection::Selection;

use crate::laperm::LapermConfig;
use crate::port::{
    GroupOutcome, Inputs, KernelEntry, LaunchMode, Outputs, Parent, ParentOutputs, QueueEntry,
    QueueOutputs, QueuePlace,
};
use units::Queues;

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct PriorityRules {
    config: LapermConfig,
    /// SMXs of a queue.
    cluster: usize,
    queues: Queues,
    selection: Selection,
}

impl PriorityRules {
    /// Empty queues of `smx` SMXs under `mode`; `gated` when a block that fits may be refused.
    pub(super) fn new(config: LapermConfig, smx: usize, mode: LaunchMode, gated: bool) -> Self {
        Self {
            config,
            cluster: config.cluster_size(smx),
            queues: Queues::new(&config, smx, mode == LaunchMode::Dtbl),
            selection: Selection::new(&config, smx, gated),
        }
    }

    /// Rule 1: where what a block launches waits.
    pub(super) fn place(&self, parent: Parent) -> QueuePlace {
        let queue = usize::from(parent.smx) / self.cluster;
        let level = parent.level.saturating_add(1).min(self.config.levels);
        QueuePlace { queue: queue as u8, level }
    }

    /// Rule 8: whether the record at the port is accepted.
    pub(super) fn takes_record(&self, inputs: &Inputs) -> bool {
        let place = inputs.device.parents.record_place;
        let none = inputs.device.queues.refill.is_none();
        inputs.device.management.record.is_some()
            && none
            && (place.level == 0 || self.queues.takes(place))
    }

    /// Checks one cycle, and the clock edge. `fits` says whether an SMX has room for a block of a
    /// kernel, those that end in this cycle gone.
    pub(super) fn check(
        &mut self,
        inputs: &Inputs,
        outputs: &Outputs,
        fits: impl Fn(usize, KernelEntry) -> bool,
    ) -> Result<(), String> {
        let launch_place = outputs.device.parents.launch_place;
        let expected = inputs
            .device
            .management
            .device_launch
            .then(|| self.place(inputs.device.parents.launch_parent));
        if launch_place != expected.unwrap_or_default() {
            return Err(format!("launch_place is {launch_place:?}, not {expected:?}"));
        }
        let leaving = self.selection.visit(outputs, &mut self.queues, fits)?;
        let entering = self.entering(inputs, outputs)?;
        self.queues.check(inputs, &outputs.device.queues, entering)?;
        self.queues.clock(inputs, &outputs.device.queues, entering, leaving);
        if let (Some(launch), Some(entry)) = (inputs.launch, outputs.launch_ready) {
            self.queues.host_kernel(entry, launch.grid);
        }
        let record = inputs.device.management.record.zip(outputs.device.management.record_entry);
        if let Some((record, entry)) = record.filter(|_| host_place(inputs)) {
            self.queues.host_kernel(entry, record.grid);
        }
        Ok(())
    }

    /// Whether a unit is on its way to its place in a queue.
    pub(super) fn is_inserting(&self) -> bool {
        self.queues.is_inserting()
    }

    /// Which SMX is visited, and what is known of each.
    pub(super) fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The SMX that is visited next.
    #[cfg(test)]
    pub(super) fn turn(&self) -> usize {
        self.selection.turn()
    }

    /// The unit that enters a priority queue, and which place it goes to.
    fn entering(
        &self,
        inputs: &Inputs,
        outputs: &Outputs,
    ) -> Result<Option<(QueuePlace, QueueEntry)>, String> {
        let device = &inputs.device;
        let place = self.place(device.queues.group_parent);
        if outputs.device.groups.group_taken.is_some() {
            if device.queues.refill.is_some() {
                return Err("a group is taken while a unit from memory is at the port".to_owned());
            }
            if !self.queues.takes(place) {
                return Err(format!("a group is taken for {place:?}, which takes none"));
            }
        }
        if let Some(GroupOutcome::Coalesced { kernel, reference }) =
            outputs.device.groups.group_taken
        {
            let grid = device.groups.group.map(|group| group.grid).unwrap_or_default();
            return Ok(Some((place, QueueEntry { kernel, group: Some(reference), grid })));
        }
        let record = device
            .management
            .record
            .zip(outputs.device.management.record_entry)
            .filter(|_| !host_place(inputs));
        Ok(record.map(|(record, kernel)| {
            let entry = QueueEntry { kernel, group: None, grid: record.grid };
            (device.parents.record_place, entry)
        }))
    }
}

/// Whether the record at the port is that of a kernel that was suspended.
fn host_place(inputs: &Inputs) -> bool {
    inputs.device.parents.record_place.level == 0
}

/// What a scheduler without priority queues says of them.
pub(super) fn check_absent(outputs: &Outputs) -> Result<(), String> {
    let (parents, queues) = (&outputs.device.parents, &outputs.device.queues);
    if (parents, queues) != (&ParentOutputs::default(), &QueueOutputs::default()) {
        return Err(format!("priority queues in their absence: {parents:?}, {queues:?}"));
    }
    Ok(())
}
