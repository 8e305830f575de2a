//! A machine whose blocks take a given number of cycles and which launches groups at given times,
//! for testing the whole scheduler. It has a memory for records and groups, and checks every rule
//! of the page that can be seen on the ports.

mod parts;

use super::super::super::super::tests::harness::grid;
use super::counting::Counting;
use super::memory::GroupMemory;
use super::plan::{Command, Event, HostKernel, Plan};
use crate::port::*;
use parts::{Blocks, Group, Kernel, Resident};
use std::collections::{BTreeMap, VecDeque};

pub(super) struct Machine<'p> {
    scheduler: Box<dyn Scheduler>,
    plan: &'p Plan,
    limits: SmxLimits,
    pub(super) cycle: u64,
    hosts: Vec<HostKernel>,
    commands: VecDeque<Command>,
    /// Groups of accepted commands that are still to be taken, with their commands' entry PC.
    groups_due: VecDeque<(u32, AggregatedGroup)>,
    pools: [Vec<KernelLaunch>; 2],
    launches: VecDeque<KernelLaunch>,
    records: VecDeque<(u64, KernelLaunch)>,
    kernels: BTreeMap<KernelEntry, Kernel>,
    /// The hardware work queues of the host's kernels among them.
    queues: BTreeMap<KernelEntry, u8>,
    groups: Vec<Group>,
    /// The group that a reference names.
    names: BTreeMap<GroupReference, usize>,
    memory: GroupMemory,
    counting: Counting,
    residents: Vec<Vec<Resident>>,
    dispatched: usize,
    pub(super) events: Vec<(u64, Event)>,
}

impl<'p> Machine<'p> {
    pub(super) fn new(scheduler: Box<dyn Scheduler>, plan: &'p Plan, limits: SmxLimits) -> Self {
        let smx = scheduler.smx();
        Self {
            scheduler,
            plan,
            limits,
            cycle: 0,
            hosts: plan.hosts.clone(),
            commands: plan.commands.iter().cloned().collect(),
            groups_due: VecDeque::new(),
            pools: [Vec::new(), Vec::new()],
            launches: VecDeque::new(),
            records: VecDeque::new(),
            kernels: BTreeMap::new(),
            queues: BTreeMap::new(),
            groups: Vec::new(),
            names: BTreeMap::new(),
            memory: GroupMemory::new(plan.fetch_latency),
            counting: Counting::new(smx, limits.thread_block_slots as usize),
            residents: (0..smx).map(|_| Vec::new()).collect(),
            dispatched: 0,
            events: Vec::new(),
        }
    }

    /// Runs until everything has ended.
    pub(super) fn run(mut self, last: u64) -> Vec<(u64, Event)> {
        self.run_to(last);
        assert!(self.is_done(), "stuck in cycle {last}:\n{}", self.scheduler.explain());
        let mut outputs = Outputs::default();
        self.scheduler.cycle(&Inputs::idle(self.residents.len()), &mut outputs);
        let explain = self.scheduler.explain();
        assert!(explain.contains("0 entries occupied or promised, 0 work"), "{explain}");
        if self.plan.launch == LaunchMode::Dtbl {
            assert!(explain.contains("\n0 groups are in the Aggregated"), "{explain}");
        }
        assert_eq!(outputs.device.management.inspect, u32::MAX);
        self.events
    }

    /// Runs until everything has ended, or to cycle `last`; the scheduler is as it was left.
    fn run_to(&mut self, last: u64) {
        while !self.is_done() && self.cycle < last {
            self.step();
        }
    }

    /// The scheduler after all cycles below `last`.
    pub(super) fn leave_in(mut self, last: u64) -> Box<dyn Scheduler> {
        self.run_to(last);
        self.scheduler
    }

    fn is_done(&self) -> bool {
        self.hosts.is_empty()
            && self.commands.is_empty()
            && self.groups_due.is_empty()
            && self.launches.is_empty()
            && self.records.is_empty()
            && self.kernels.is_empty()
            && self.counting.is_done()
    }

    fn step(&mut self) {
        // The hardware work queues whose kernel is not in the Kernel Distributor.
        let inspect = self.queues.values().fold(u32::MAX, |bits, queue| bits & !(1 << queue));
        let smx = self.residents.len();
        let mut inputs = Inputs::idle(smx);
        let dtbl = self.plan.launch == LaunchMode::Dtbl;
        if dtbl {
            inputs.finished_slots = vec![0; smx];
        }
        let arrived = |h: &HostKernel| h.arrive <= self.cycle && inspect >> h.queue & 1 == 1;
        let host = self.hosts.iter().position(arrived);
        if let Some(host) = host.map(|host| &self.hosts[host]) {
            inputs.launch = Some(KernelLaunch { entry_pc: host.entry_pc, ..grid(host.grid) });
            inputs.device.management.work_queue = host.queue;
        }
        if let Some(launch) = self.launches.pop_front() {
            let suspended = launch.entry_pc % 2 == 1;
            self.pools[usize::from(suspended)].push(launch);
            (inputs.device.management.device_launch, inputs.device.management.suspend) =
                (!suspended, suspended);
        }
        if self.records.front().is_some_and(|(at, _)| *at == self.cycle) {
            inputs.device.management.record = self.records.pop_front().map(|(_, launch)| launch);
        }
        if !dtbl {
            self.launch_as_kernels();
        }
        inputs.device.groups.command =
            self.commands.front().filter(|c| c.arrive <= self.cycle).map(|c| AggregationCommand {
                entry_pc: c.entry_pc,
                block: Dim3::new(1, 1, 1),
                groups: c.groups.len() as u8,
                wait: c.wait,
            });
        let late = self.plan.late_groups > 0 && self.cycle.is_multiple_of(self.plan.late_groups);
        inputs.device.groups.group =
            self.groups_due.front().filter(|_| !late).map(|(_, group)| *group);
        let kept = self.plan.kept.iter().filter(|(_, until)| self.cycle <= *until && dtbl);
        inputs.device.groups.keep = kept.fold(0, |bits, (entry, _)| bits | 1 << entry);
        inputs.device.group_memory.fetched = self.memory.fetched(self.cycle);
        if let Some(group) = self.counting.begin() {
            let Group { blocks, counted, released, .. } = &mut self.groups[group];
            *counted += 1;
            if u128::from(*counted) == blocks.grid.volume() {
                *released = Some(self.cycle);
            }
        }
        self.end_blocks(&mut inputs);
        self.look_up(&mut inputs);

        let mut outputs = Outputs::idle(smx);
        if self.scheduler.cycle(&inputs, &mut outputs) == Activity::Quiet {
            let mut again = Outputs::idle(smx);
            let activity = self.scheduler.cycle(&inputs, &mut again);
            assert_eq!((activity, &again), (Activity::Quiet, &outputs), "a quiet cycle repeats");
        }
        self.check_context(&inputs, &outputs);
        let out = &outputs.device;
        assert_eq!(out.management.inspect, inspect, "all queues but those whose kernel runs");

        for (smx, dispatch) in outputs.dispatch.iter().enumerate() {
            if let Some(dispatch) = dispatch {
                self.dispatch(smx, dispatch);
            }
        }
        if let Some(outcome) = out.groups.group_taken {
            assert!(inputs.device.groups.group.is_some(), "a group that is not there");
            let entering = inputs.launch.is_some() && outputs.launch_ready.is_some();
            assert!(
                !entering && inputs.device.management.record.is_none(),
                "not while a kernel enters"
            );
            self.taken(outcome);
        }
        if let Some(place) = out.group_memory.fetch_group {
            self.event(Event::FetchGroup(place));
        }
        self.memory.edge(self.cycle, out);
        if let Some(RecordFetch { suspended, index }) = out.management.fetch_record {
            let launch = self.pools[usize::from(suspended)][index as usize];
            self.records.push_back((self.cycle + self.plan.record_latency, launch));
        }
        if let (Some(launch), Some(entry)) =
            (inputs.device.management.record, out.management.record_entry)
        {
            self.event(Event::Record { entry: entry.0 });
            self.enter(entry, launch);
        }
        if let (Some(host), Some(entry)) = (host, outputs.launch_ready) {
            self.event(Event::Accepted { entry: entry.0 });
            let HostKernel { entry_pc, grid: extent, queue, .. } = self.hosts.remove(host);
            self.queues.insert(entry, queue);
            self.enter(entry, KernelLaunch { entry_pc, ..grid(extent) });
        }
        if inputs.device.groups.command.is_some() && out.groups.command_ready {
            self.event(Event::Command);
            let command = self.commands.pop_front().expect("it was offered");
            for (hardware_thread, extent) in command.groups {
                let number = (self.groups.len() + self.groups_due.len()) as u32;
                let group = AggregatedGroup {
                    hardware_thread,
                    pointer: 1000 + number,
                    parameter_address: 7000 + number,
                    grid: extent,
                    blocks: extent.volume() as u32,
                };
                self.memory.put(group.pointer, extent);
                self.groups_due.push_back((command.entry_pc, group));
            }
        }
        assert_eq!(outputs.finished_kernels & inputs.device.groups.keep, 0, "kept");
        self.end_kernels(outputs.finished_kernels);
        self.cycle += 1;
    }

    /// Under `cdp`: each group is a kernel that a block launches.
    fn launch_as_kernels(&mut self) {
        while let Some(command) = self.commands.pop_front_if(|c| c.arrive <= self.cycle) {
            for (_, extent) in command.groups {
                let launch = KernelLaunch { entry_pc: command.entry_pc, ..grid(extent) };
                self.launches.push_back(launch);
            }
        }
    }

    /// Blocks that end: at most one an SMX.
    fn end_blocks(&mut self, inputs: &mut Inputs) {
        for (smx, residents) in self.residents.iter_mut().enumerate() {
            let Some(first) = residents.iter().position(|r| r.end <= self.cycle) else {
                continue;
            };
            let Resident { entry, group, slot, .. } = residents.remove(first);
            inputs.finished[smx] = Some(entry);
            if self.plan.launch == LaunchMode::Dtbl {
                // The registers know the kernel better than the SMX.
                inputs.finished[smx] = Some(KernelEntry(31 - entry.0));
                inputs.finished_slots[smx] = slot;
            }
            let blocks = match group {
                None => &mut self.kernels.get_mut(&entry).expect("it is running").native,
                Some(group) => &mut self.groups[group].blocks,
            };
            blocks.running -= 1;
            if let Some(group) = group.filter(|&group| self.groups[group].on_chip) {
                self.counting.ends(smx, group);
            }
        }
    }

    /// An SMX asks for the context of one of the blocks that are running.
    fn look_up(&self, inputs: &mut Inputs) {
        let running: Vec<_> = self.residents.iter().flatten().collect();
        if let Some(resident) = running.get(self.cycle as usize % running.len().max(1)) {
            inputs.lookup = Some(resident.entry);
            inputs.device.groups.lookup_group = resident.group.map(|group| self.reference(group));
        }
    }

    fn check_context(&self, inputs: &Inputs, outputs: &Outputs) {
        let Some(entry) = inputs.lookup else {
            assert_eq!(outputs.context, None);
            return;
        };
        let launch = &self.kernels[&entry].launch;
        let parameter_address = match inputs.device.groups.lookup_group {
            None => launch.parameter_address,
            Some(group) => match group.pointer() {
                Some(pointer) => pointer,
                None => self.groups[self.names[&group]].parameter_address,
            },
        };
        let block = launch.block;
        let context = KernelContext { entry_pc: launch.entry_pc, parameter_address, block };
        assert_eq!(outputs.context, Some(context));
    }

    fn dispatch(&mut self, smx: usize, dispatch: &Dispatch) {
        let Dispatch { kernel: entry, group, block, slot } = *dispatch;
        assert!(!self.counting.crowded[smx], "SMX {smx} has too many blocks to count");
        let free = |slot: &u8| self.residents[smx].iter().all(|r| r.slot != *slot);
        let lowest = (0..self.limits.thread_block_slots as u8).find(free).expect("a free slot");
        let expected = if self.plan.launch == LaunchMode::Dtbl { lowest } else { 0 };
        assert_eq!(slot, expected, "the lowest free slot, where there are registers");
        let slot = lowest;
        let kernel = self.kernels.get_mut(&entry).expect("a kernel in the Kernel Distributor");
        let number = group.map(|reference| self.names[&reference]);
        let blocks = match number {
            None => &mut kernel.native,
            Some(group) => {
                assert!(!kernel.native.left(), "native blocks go first");
                assert_eq!(kernel.waiting.front(), Some(&group), "in order of coalescing");
                &mut self.groups[group].blocks
            }
        };
        assert!(blocks.left(), "every block goes once");
        let linear = block.linear(blocks.grid);
        assert_eq!(linear, blocks.next, "blocks go in order");
        blocks.next += 1;
        blocks.running += 1;
        if number.is_some() && !blocks.left() {
            kernel.waiting.pop_front();
        }
        let durations = &self.plan.durations;
        let end = self.cycle + durations[self.dispatched % durations.len()];
        self.dispatched += 1;
        self.residents[smx].push(Resident { end, entry, group: number, slot });
        self.event(Event::Dispatch { entry: entry.0, group, block: linear });
    }

    /// A group leaves the port.
    fn taken(&mut self, outcome: GroupOutcome) {
        self.event(Event::Taken(outcome));
        let (entry_pc, group) = self.groups_due.pop_front().expect("it was there");
        let number = self.groups.len();
        let AggregatedGroup { hardware_thread, pointer, parameter_address, .. } = group;
        let blocks = Blocks::new(group.grid);
        let on_chip = matches!(outcome,
            GroupOutcome::Coalesced { reference, .. } if reference.index().is_some());
        let (counted, released) = (0, None);
        self.groups.push(Group { blocks, counted, released, on_chip, parameter_address });
        match outcome {
            GroupOutcome::Coalesced { kernel, reference } => {
                // Rule 11: the entry that the hash names, if it is free since the last edge.
                let index = u32::from(hardware_thread) & (self.plan.storage.table - 1);
                let of_entry = self.names.get(&GroupReference::on_chip(index));
                let taken = of_entry.is_some_and(|&group| {
                    self.groups[group].released.is_none_or(|cycle| cycle == self.cycle)
                });
                let expected =
                    if taken { in_memory(pointer) } else { GroupReference::on_chip(index) };
                assert_eq!(reference, expected, "hash and table");
                self.names.insert(reference, number);
                let kernel = self.kernels.get_mut(&kernel).expect("an occupied entry");
                assert_eq!(kernel.launch.entry_pc, entry_pc, "an eligible kernel");
                kernel.waiting.push_back(number);
            }
            GroupOutcome::NoEligibleKernel => {
                self.launches.push_back(KernelLaunch { entry_pc, ..grid(group.grid) });
            }
        }
    }

    fn enter(&mut self, entry: KernelEntry, launch: KernelLaunch) {
        let native = Blocks::new(launch.grid);
        let kernel = Kernel { launch, native, waiting: VecDeque::new() };
        assert!(self.kernels.insert(entry, kernel).is_none(), "a free entry");
    }

    fn end_kernels(&mut self, bits: u32) {
        for entry in (0..32).map(KernelEntry).filter(|entry| bits >> entry.index() & 1 == 1) {
            let kernel = self.kernels.remove(&entry).expect("an occupied entry");
            assert!(!kernel.native.left() && kernel.waiting.is_empty(), "all distributed");
            let running = self.residents.iter().flatten().any(|r| r.entry == entry);
            assert!(!running, "all ended");
            self.queues.remove(&entry);
            self.event(Event::Ended { entry: entry.0 });
        }
    }

    fn reference(&self, group: usize) -> GroupReference {
        let of = self.names.iter().find(|(_, &number)| number == group);
        *of.expect("a group that was coalesced").0
    }

    fn event(&mut self, event: Event) {
        self.events.push((self.cycle, event));
    }
}

fn in_memory(pointer: u32) -> GroupReference {
    GroupReference::in_memory(pointer)
}
