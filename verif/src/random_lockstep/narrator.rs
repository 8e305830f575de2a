//! Tells of random traffic what a GPU tells of a workload: which kernel enters, which block goes
//! where and when it ends. Kernels are called `k` and numbered as they come.

use blockyard_sim::port::{
    Dispatch, GroupOutcome, GroupReference, Inputs, KernelEntry, Outputs, KERNEL_ENTRIES,
};
use blockyard_sim::run::observer::{CoalescedGroup, DispatchedBlock, EnteredKernel, Observer};
use std::collections::HashMap;

const NAME: &str = "k";

/// Follows the ports of a scheduler.
pub struct Narrator {
    /// For each SMX and slot, whose block is there.
    held: Vec<Vec<Option<KernelEntry>>>,
    /// For each entry, the number of its kernel, and of the groups that were coalesced to it.
    kernels: [(u32, u32); KERNEL_ENTRIES],
    /// By where its information is, the number of a group among those of its kernel.
    groups: HashMap<GroupReference, u32>,
    entered: u32,
}

impl Narrator {
    /// Of an empty GPU.
    pub fn new(smx: usize, slots: usize) -> Self {
        let held = vec![vec![None; slots]; smx];
        let kernels = [(0, 0); KERNEL_ENTRIES];
        Self { held, kernels, groups: HashMap::new(), entered: 0 }
    }

    /// Another cycle.
    pub fn tell(
        &mut self,
        cycle: u64,
        inputs: &Inputs,
        outputs: &Outputs,
        observer: &mut dyn Observer,
    ) {
        let _ = observer.cycle(cycle, inputs, outputs);
        if inputs.reset {
            self.reset(cycle, observer);
            return;
        }
        self.ends(cycle, inputs, observer);
        let from_host = outputs.launch_ready.filter(|_| inputs.launch.is_some());
        for entry in from_host.into_iter().chain(outputs.device.management.record_entry) {
            self.kernels[entry.index()] = (self.entered, 0);
            let (kernel, instance) = (NAME, self.entered);
            observer.entered(&EnteredKernel { cycle, entry, kernel, instance });
            self.entered = self.entered.wrapping_add(1);
        }
        if let Some(GroupOutcome::Coalesced { kernel: entry, reference }) =
            outputs.device.groups.group_taken
        {
            let (instance, groups) = &mut self.kernels[entry.index()];
            *groups += 1;
            self.groups.insert(reference, *groups);
            observer.coalesced(&CoalescedGroup {
                cycle,
                kernel: NAME,
                instance: *instance,
                group: *groups,
                in_memory: reference.pointer().is_some(),
            });
        }
        self.dispatches(cycle, outputs, observer);
    }

    fn ends(&mut self, cycle: u64, inputs: &Inputs, observer: &mut dyn Observer) {
        for (smx, ended) in inputs.finished.iter().enumerate() {
            // The ports do not tell blocks of a kernel from each other.
            let Some(entry) = ended else { continue };
            let slot = self.held[smx].iter().position(|held| held == &Some(*entry));
            if let Some(slot) = slot {
                self.held[smx][slot] = None;
                observer.block_ended(cycle, smx, slot as u8);
            }
        }
    }

    fn dispatches(&mut self, cycle: u64, outputs: &Outputs, observer: &mut dyn Observer) {
        for (smx, dispatch) in outputs.dispatch.iter().enumerate() {
            let Some(Dispatch { kernel: entry, block, group, .. }) = *dispatch else { continue };
            if let Some(slot) = self.held[smx].iter_mut().find(|held| held.is_none()) {
                *slot = Some(entry);
            }
            let (instance, _) = self.kernels[entry.index()];
            let group = group.and_then(|reference| self.groups.get(&reference).copied());
            let group = group.unwrap_or_default();
            observer.dispatched(&DispatchedBlock {
                cycle,
                smx,
                kernel: NAME,
                instance,
                group,
                block,
            });
        }
    }

    /// What was resident is gone.
    fn reset(&mut self, cycle: u64, observer: &mut dyn Observer) {
        for (smx, slots) in self.held.iter_mut().enumerate() {
            for (slot, held) in slots.iter_mut().enumerate() {
                if held.take().is_some() {
                    observer.block_ended(cycle, smx, slot as u8);
                }
            }
        }
    }
}
