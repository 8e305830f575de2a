//! Aggregated groups: the rules of the SMX scheduler under DTBL (`docs/dtbl.md`).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::entering;
use super::occupant::Occupant;
use crate::port::{
    AggregatedGroup, AggregationCommand, Dispatch, GroupOutcome, GroupReference, GroupStorage,
    Inputs, KernelEntry, LinkWrite, Outputs, RingPlace, KERNEL_ENTRIES,
};

/// A coalesced group whose blocks have not all ended.
#[derive(Clone, PartialEq)]
struct Live {
    group: AggregatedGroup,
    kernel: KernelEntry,
    /// Blocks that have not ended.
    left: u32,
    /// Whether its information is on chip, at first or since it was fetched.
    known: bool,
    /// Blocks that have not been dispatched.
    waiting: u32,
}

/// What a thread block control register says.
type Register = (KernelEntry, Option<GroupReference>);

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct GroupRules {
    /// Where groups are; with priority queues there is none of it.
    storage: Option<GroupStorage>,
    /// Of each slot of each SMX.
    registers: Vec<Vec<Option<Register>>>,
    /// Commands that have been accepted, with groups left.
    commands: VecDeque<AggregationCommand>,
    live: BTreeMap<GroupReference, Live>,
    /// Groups that end in this cycle: their references are free from the next one on.
    ending: BTreeSet<GroupReference>,
    /// Of each entry the groups in memory that have not been asked for, and the place of the first.
    rings: [(u32, VecDeque<GroupReference>); KERNEL_ENTRIES],
    /// Groups whose information is on its way.
    fetching: VecDeque<GroupReference>,
    /// Groups that were asked for and have blocks to distribute at the start of the cycle.
    held: BTreeSet<GroupReference>,
    /// The one of them whose last block goes in this cycle.
    done: Option<GroupReference>,
}

impl GroupRules {
    pub(super) fn new(storage: Option<GroupStorage>, smx: usize, slots: usize) -> Self {
        Self {
            storage,
            registers: vec![vec![None; slots]; smx],
            commands: VecDeque::new(),
            live: BTreeMap::new(),
            ending: BTreeSet::new(),
            rings: Default::default(),
            fetching: VecDeque::new(),
            held: BTreeSet::new(),
            done: None,
        }
    }

    /// Where the SMX finds the parameters of blocks of `group`.
    pub(super) fn parameters(&self, group: GroupReference) -> u32 {
        let parameters = self.live.get(&group).map(|live| live.group.parameter_address);
        group.pointer().or(parameters).unwrap_or(0)
    }

    /// Blocks end.
    pub(super) fn end_blocks(&mut self, inputs: &Inputs) -> Result<(), String> {
        let slots = &inputs.finished_slots;
        if slots.len() != self.registers.len() {
            return Err(format!("{} slots for {} SMXs", slots.len(), self.registers.len()));
        }
        for (smx, (finished, slot)) in inputs.finished.iter().zip(slots).enumerate() {
            let Some(entry) = finished else { continue };
            let register = self.registers[smx].get_mut(usize::from(*slot)).and_then(Option::take);
            let Some((_, group)) = register.filter(|(kernel, _)| kernel == entry) else {
                let entry = entry.0;
                return Err(format!(
                    "a block of entry {entry} ends in slot {slot} of SMX {smx}, which holds {register:?}"
                ));
            };
            if let Some(group) = group {
                let live = self.live.get_mut(&group).ok_or("a block of no group ends")?;
                live.left -= 1;
                if live.left == 0 {
                    self.ending.insert(group);
                }
            }
        }
        Ok(())
    }

    /// A block goes to `smx`.
    pub(super) fn dispatch(&mut self, smx: usize, dispatch: &Dispatch) -> Result<(), String> {
        let Dispatch { kernel, group, slot, .. } = *dispatch;
        let registers = &mut self.registers[smx];
        let free = registers.iter().position(Option::is_none);
        if free != Some(usize::from(slot)) {
            return Err(format!(
                "a block goes to slot {slot} of SMX {smx}, the lowest free one is {free:?}"
            ));
        }
        registers[usize::from(slot)] = Some((kernel, group));
        match group.map(|group| (group, self.live.get_mut(&group))) {
            Some((group, Some(live))) if live.kernel == kernel && !live.known => {
                Err(format!("a block of {group:?} is dispatched, whose information is not there"))
            }
            Some((group, Some(live))) if live.kernel == kernel => {
                live.waiting = live.waiting.saturating_sub(1);
                self.done = self.done.or((live.waiting == 0).then_some(group));
                Ok(())
            }
            Some((group, _)) => Err(format!("entry {} has no group {group:?}", kernel.0)),
            None => Ok(()),
        }
    }

    /// What happens to commands and groups, when the blocks of the cycle have been dispatched; then the
    /// clock edge.
    pub(super) fn check(
        &mut self,
        inputs: &Inputs,
        outputs: &Outputs,
        entries: &mut [Option<Occupant>; KERNEL_ENTRIES],
    ) -> Result<(), String> {
        // Before this cycle's coalescing.
        self.check_fetch(inputs, outputs)?;
        let linked = self.check_group(inputs, outputs, entries)?;
        if outputs.device.group_memory.link_write != linked {
            let got = outputs.device.group_memory.link_write;
            return Err(format!("link_write is {got:?}, not {linked:?}"));
        }
        if let (Some(command), true) =
            (inputs.device.groups.command, outputs.device.groups.command_ready)
        {
            if !(1..=32).contains(&command.groups) {
                return Err(format!("a command of {} groups", command.groups));
            }
            self.commands.push_back(command);
        }
        if let Some(done) = self.done.take() {
            self.held.remove(&done);
        }
        for group in std::mem::take(&mut self.ending) {
            self.live.remove(&group);
        }
        Ok(())
    }

    /// Rules 10 and 14b: information is asked for once, in the order of a ring, of groups of one kernel, for
    /// as many as there is room; kernels that are kept stay.
    fn check_fetch(&mut self, inputs: &Inputs, outputs: &Outputs) -> Result<(), String> {
        let kept = outputs.finished_kernels & inputs.device.groups.keep;
        if kept != 0 {
            return Err(format!(
                "the kernels of the entries {kept:#010x} end although they are kept"
            ));
        }
        if inputs.device.group_memory.fetched.is_some() {
            let fetched = self.fetching.pop_front().and_then(|group| self.live.get_mut(&group));
            fetched.ok_or("information of a group comes that was not asked for")?.known = true;
        }
        let Some(RingPlace { kernel, index }) = outputs.device.group_memory.fetch_group else {
            return Ok(());
        };
        let (first, ring) = &mut self.rings[kernel.index()];
        let place = format!("group {index} in memory of entry {}", kernel.0);
        let ahead = self.storage.map_or(0, |storage| storage.ahead as usize);
        if self.held.len() >= ahead {
            return Err(format!("{place} is asked for beside {}", self.held.len()));
        }
        let of_other = |group: &GroupReference| self.live[group].kernel != kernel;
        if self.held.iter().any(of_other) {
            return Err(format!("{place} is asked for beside those of another kernel"));
        }
        let group = ring.front().copied().filter(|_| index == *first);
        let Some(group) = group else {
            return Err(format!("{place} is asked for, the next one is {first} of {}", ring.len()));
        };
        ring.pop_front();
        *first = first.wrapping_add(1);
        self.fetching.push_back(group);
        self.held.insert(group);
        Ok(())
    }

    /// What becomes of the group at the port; returns the link that has to be written to memory.
    fn check_group(
        &mut self,
        inputs: &Inputs,
        outputs: &Outputs,
        entries: &mut [Option<Occupant>; KERNEL_ENTRIES],
    ) -> Result<Option<LinkWrite>, String> {
        let Some(outcome) = outputs.device.groups.group_taken else { return Ok(None) };
        let command = self.commands.front_mut().ok_or("a group of no command is taken")?;
        let group = inputs.device.groups.group.ok_or("a group is taken that is not there")?;
        if entering(inputs, outputs).next().is_some() {
            return Err("a group is taken while a kernel enters the Kernel Distributor".to_owned());
        }
        let AggregationCommand { entry_pc, block, .. } = *command;
        command.groups -= 1;
        self.commands.pop_front_if(|command| command.groups == 0);
        let GroupOutcome::Coalesced { kernel, reference } = outcome else { return Ok(None) };
        let entry = kernel.0;
        let finished = outputs.finished_kernels >> entry & 1 == 1;
        let occupant = entries[kernel.index()].as_mut().filter(|_| !finished);
        let occupant =
            occupant.ok_or(format!("a group is coalesced to entry {entry}, which is free"))?;
        if (occupant.launch.entry_pc, occupant.launch.block) != (entry_pc, block) {
            return Err(format!(
                "a group is coalesced to entry {entry}, whose kernel is another one"
            ));
        }
        let table = self.storage.map(|storage| storage.table);
        let in_table = table.map(|table| u32::from(group.hardware_thread) & (table - 1));
        let in_table = in_table.map(GroupReference::on_chip);
        let free = in_table.filter(|place| !self.live.contains_key(place));
        let expected = free.unwrap_or(GroupReference::in_memory(group.pointer));
        if reference != expected {
            return Err(format!("a group is kept as {reference:?}, not as {expected:?}"));
        }
        let last = occupant.last_group();
        let pointer = last.and_then(GroupReference::pointer);
        occupant.coalesce(reference, group.grid, group.blocks);
        // A priority queue has the extent of every group, and needs no links.
        let known = free.is_some() || table.is_none();
        let (left, waiting) = (group.blocks, group.blocks);
        let live = Live { group, kernel, left, known, waiting };
        if self.live.insert(reference, live).is_some() {
            return Err(format!("there are two groups {reference:?}"));
        }
        if !known {
            self.rings[kernel.index()].1.push_back(reference);
        }
        let pointer = pointer.filter(|_| table.is_some());
        Ok(pointer.map(|pointer| LinkWrite { pointer, next: reference }))
    }
}
