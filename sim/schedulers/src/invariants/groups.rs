//! Aggregated groups: the rules of the SMX scheduler under DTBL (`docs/dtbl.md`).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::counting::Counting;
use super::entering;
use super::occupant::Occupant;
use super::rings::GroupRings;
use crate::port::{
    AggregatedGroup, AggregationCommand, Dispatch, GroupOutcome, GroupReference, GroupStorage,
    Inputs, KernelEntry, LinkWrite, Outputs, KERNEL_ENTRIES,
};

/// A coalesced group whose blocks have not all ended, or not all been counted if it is on chip.
#[derive(Clone, PartialEq)]
struct Live {
    group: AggregatedGroup,
    kernel: KernelEntry,
    /// Blocks that have not been dispatched.
    waiting: u32,
    /// Blocks that have not ended; of a group on chip, those that have not been counted.
    left: u32,
    /// Whether its information is on chip, at first or since it was fetched.
    known: bool,
}

/// What a thread block control register says.
type Register = (KernelEntry, Option<GroupReference>);

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct GroupRules {
    /// Entries of the Aggregated Group Table; with priority queues there is none.
    table: Option<u32>,
    /// Of each slot of each SMX.
    registers: Vec<Vec<Option<Register>>>,
    /// Commands that have been accepted, with groups left.
    commands: VecDeque<AggregationCommand>,
    live: BTreeMap<GroupReference, Live>,
    /// Blocks of groups on chip, where there is a table.
    counting: Option<Counting>,
    /// Groups that end in this cycle: their references are free from the next one on.
    ending: BTreeSet<GroupReference>,
    /// Those that are left in memory, where there is a table.
    rings: Option<GroupRings>,
    /// The one of them whose last block is dispatched in this cycle.
    distributed: Option<GroupReference>,
}

impl GroupRules {
    pub(super) fn new(storage: Option<GroupStorage>, smx: usize, slots: usize) -> Self {
        Self {
            table: storage.map(|storage| storage.table),
            registers: vec![vec![None; slots]; smx],
            commands: VecDeque::new(),
            live: BTreeMap::new(),
            counting: storage.map(|_| Counting::new(smx, slots)),
            ending: BTreeSet::new(),
            rings: storage.map(|storage| GroupRings::new(storage.ahead)),
            distributed: None,
        }
    }

    /// Where the SMX finds the parameters of blocks of `group`.
    pub(super) fn parameters(&self, group: GroupReference) -> u32 {
        let parameters = self.live.get(&group).map(|live| live.group.parameter_address);
        group.pointer().or(parameters).unwrap_or(0)
    }

    /// A cycle begins: one block is counted, and blocks end.
    pub(super) fn end_blocks(&mut self, inputs: &Inputs) -> Result<(), String> {
        let slots = &inputs.finished_slots;
        if slots.len() != self.registers.len() {
            return Err(format!("{} slots for {} SMXs", slots.len(), self.registers.len()));
        }
        if let Some(counted) = self.counting.as_mut().and_then(Counting::begin) {
            self.leave(counted)?;
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
            match (group, &mut self.counting) {
                (Some(group), Some(counting)) if group.index().is_some() => {
                    counting.end(smx, group);
                }
                (Some(group), _) => self.leave(group)?,
                (None, _) => {}
            }
        }
        Ok(())
    }

    /// A block of this group does not count any more.
    fn leave(&mut self, group: GroupReference) -> Result<(), String> {
        let live = self.live.get_mut(&group).ok_or("a block of no group ends")?;
        live.left -= 1;
        if live.left == 0 {
            self.ending.insert(group);
        }
        Ok(())
    }

    /// Whether blocks of groups on chip are to be counted.
    pub(super) fn is_counting(&self) -> bool {
        self.counting.as_ref().is_some_and(Counting::is_busy)
    }

    /// Whether few enough blocks of `smx` are to be counted.
    pub(super) fn may_go_to(&self, smx: usize) -> bool {
        self.counting.as_ref().is_none_or(|counting| counting.check(smx).is_ok())
    }

    /// A block goes to `smx`.
    pub(super) fn dispatch(&mut self, smx: usize, dispatch: &Dispatch) -> Result<(), String> {
        let Dispatch { kernel, group, slot, .. } = *dispatch;
        self.counting.as_ref().map_or(Ok(()), |counting| counting.check(smx))?;
        let registers = &mut self.registers[smx];
        let free = registers.iter().position(Option::is_none);
        if free != Some(usize::from(slot)) {
            return Err(format!(
                "a block goes to slot {slot} of SMX {smx}, the lowest free one is {free:?}"
            ));
        }
        registers[usize::from(slot)] = Some((kernel, group));
        let Some(group) = group else { return Ok(()) };
        match self.live.get_mut(&group) {
            Some(live) if live.kernel == kernel && !live.known => {
                Err(format!("a block of {group:?} is dispatched, whose information is not there"))
            }
            Some(live) if live.kernel == kernel => {
                live.waiting -= 1;
                let in_memory = self.rings.is_some() && group.pointer().is_some();
                self.distributed = (in_memory && live.waiting == 0).then_some(group);
                Ok(())
            }
            _ => Err(format!("entry {} has no group {group:?}", kernel.0)),
        }
    }

    /// What happens to commands and groups, when the blocks of the cycle have been dispatched; then
    /// the clock edge. `head` is the kernel whose blocks are distributed in this cycle, where there
    /// is one.
    pub(super) fn check(
        &mut self,
        inputs: &Inputs,
        outputs: &Outputs,
        entries: &mut [Option<Occupant>; KERNEL_ENTRIES],
        head: Option<KernelEntry>,
    ) -> Result<(), String> {
        self.check_memory(inputs, outputs, head)?;
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
        for group in std::mem::take(&mut self.ending) {
            self.live.remove(&group);
        }
        Ok(())
    }

    /// Rule 10: what is asked for and what comes, by the state at the start of the cycle.
    fn check_memory(
        &mut self,
        inputs: &Inputs,
        outputs: &Outputs,
        head: Option<KernelEntry>,
    ) -> Result<(), String> {
        let got = outputs.device.group_memory.fetch_group;
        let arrives = inputs.device.group_memory.fetched.is_some();
        let Some(rings) = &mut self.rings else {
            return match (got, arrives) {
                (None, false) => Ok(()),
                _ => Err(format!("fetch_group is {got:?}, and nothing waits in a ring")),
            };
        };
        if arrives {
            let group = rings.arrive().and_then(|group| self.live.get_mut(&group));
            group.ok_or("information of a group comes that was not asked for")?.known = true;
        }
        rings.check(got, head)?;
        self.distributed.take().map_or(Ok(()), |group| rings.release(group))
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
        let in_table = self.table.map(|table| u32::from(group.hardware_thread) & (table - 1));
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
        let known = free.is_some() || self.table.is_none();
        let blocks = group.blocks;
        let live = Live { group, kernel, waiting: blocks, left: blocks, known };
        if self.live.insert(reference, live).is_some() {
            return Err(format!("there are two groups {reference:?}"));
        }
        if let Some(rings) = self.rings.as_mut().filter(|_| !known) {
            rings.leave(kernel, reference);
        }
        let pointer = pointer.filter(|_| self.table.is_some());
        Ok(pointer.map(|pointer| LinkWrite { pointer, next: reference }))
    }
}
