//! A machine whose blocks take a given number of cycles and launch, for testing the whole
//! scheduler. It has a memory for records and overflow queues, and checks every rule of the page
//! that can be seen on the ports; without gates and empty grids, also which block has to go in each
//! cycle.

mod entering;
mod stimulus;

use super::super::super::super::tests::harness::grid;
use super::super::super::Binding;
use super::plan::{Call, Event, HostKernel, Origin, Plan, When};
use super::queues::Queues;
use crate::port::*;
use std::collections::{BTreeMap, VecDeque};

/// The blocks of a kernel or group: all below `next` have been dispatched.
#[derive(Clone, Debug)]
struct Unit {
    origin: Origin,
    /// None in queue 0.
    place: Option<QueuePlace>,
    entry: QueueEntry,
    next: u64,
    running: u32,
    on_chip: bool,
}

impl Unit {
    fn left(&self) -> bool {
        u128::from(self.next) < self.entry.grid.volume()
    }
}

struct Resident {
    end: u64,
    unit: usize,
    slot: u8,
}

/// A kernel on its way, where from, and the pool that it waits in.
#[derive(Clone, Copy)]
struct Record {
    launch: KernelLaunch,
    origin: Origin,
    place: QueuePlace,
}

pub(super) struct Machine<'p> {
    pub(super) scheduler: Box<dyn Scheduler>,
    plan: &'p Plan,
    strict: bool,
    pub(super) cycle: u64,
    hosts: Vec<(usize, HostKernel)>,
    suspended: VecDeque<(u64, Record)>,
    /// Calls that were made, in order of their cycles: which one, and by which block.
    calls: BTreeMap<(u64, usize), Parent>,
    /// Groups of accepted commands that are still to be taken, with their commands' entry PC.
    groups_due: VecDeque<(u32, AggregatedGroup, Parent, Origin)>,
    /// Kernels that blocks launch, on their way to the pools.
    launches: VecDeque<(Record, Parent)>,
    /// Every record that was ever put into a pool, and how many are still there.
    pools: BTreeMap<(bool, QueuePlace), Vec<Record>>,
    pending: usize,
    /// Records on their way, and the cycle in which they come.
    records: VecDeque<(u64, Record)>,
    /// Units on their way, and the cycle in which they come.
    refills: VecDeque<(u64, usize)>,
    kernels: BTreeMap<KernelEntry, KernelLaunch>,
    /// The hardware work queues of the host's kernels among them.
    work_queues: BTreeMap<KernelEntry, u8>,
    units: Vec<Unit>,
    queues: Queues,
    turn: usize,
    residents: Vec<Vec<Resident>>,
    dispatched: usize,
    pub(super) launched: usize,
    pub(super) blocks: u128,
    pub(super) events: Vec<(u64, Event)>,
}

impl<'p> Machine<'p> {
    pub(super) fn new(scheduler: Box<dyn Scheduler>, plan: &'p Plan) -> Self {
        let groups = plan.launch == LaunchMode::Dtbl;
        let made = (0..).zip(&plan.calls).filter_map(|(number, call)| match call.when {
            When::At(cycle, parent) => Some(((cycle, number), parent)),
            When::Dispatched(..) | When::Native(..) => None,
        });
        let suspended = (0..).zip(&plan.suspended).map(|(number, &(at, extent))| {
            let launch = KernelLaunch { entry_pc: 1000, ..grid(extent) };
            let origin = Origin::Suspended(number);
            (at, Record { launch, origin, place: QueuePlace::default() })
        });
        Self {
            scheduler,
            plan,
            strict: plan.is_strict(),
            cycle: 0,
            hosts: plan.hosts.iter().cloned().enumerate().collect(),
            suspended: suspended.collect(),
            calls: made.collect(),
            groups_due: VecDeque::new(),
            launches: VecDeque::new(),
            pools: BTreeMap::new(),
            pending: 0,
            records: VecDeque::new(),
            refills: VecDeque::new(),
            kernels: BTreeMap::new(),
            work_queues: BTreeMap::new(),
            units: Vec::new(),
            queues: Queues::new(&plan.config, plan.smx, groups),
            turn: 0,
            residents: (0..plan.smx).map(|_| Vec::new()).collect(),
            dispatched: 0,
            launched: 0,
            blocks: 0,
            events: Vec::new(),
        }
    }

    /// Runs until everything has ended, which is before cycle `last`.
    pub(super) fn run(&mut self, last: u64) {
        self.run_to(last);
        assert!(self.is_done(), "stuck in cycle {last}:\n{}", self.scheduler.explain());
        let mut outputs = Outputs::default();
        self.scheduler.cycle(&Inputs::idle(self.plan.smx), &mut outputs);
        let explain = self.scheduler.explain();
        assert!(explain.contains("0 entries occupied or promised, 0 work"), "{explain}");
        assert!(explain.contains("0 device and 0 suspended"), "{explain}");
        assert!(!explain.contains("priority queue"), "{explain}");
        assert_eq!(outputs.device.management.inspect, u32::MAX);
        assert_eq!(self.dispatched as u128, self.blocks, "every block went");
    }

    /// Runs until everything has ended, or to cycle `last`.
    pub(super) fn run_to(&mut self, last: u64) {
        while !self.is_done() && self.cycle < last {
            self.step();
        }
    }

    fn is_done(&self) -> bool {
        self.hosts.is_empty()
            && self.suspended.is_empty()
            && self.calls.is_empty()
            && self.groups_due.is_empty()
            && self.launches.is_empty()
            && self.pending == 0
            && self.records.is_empty()
            && self.kernels.is_empty()
    }

    pub(super) fn step(&mut self) {
        let inputs = self.inputs();
        let expected = self.strict.then(|| self.expected()).flatten();
        let mut outputs = Outputs::idle(self.plan.smx);
        if self.scheduler.cycle(&inputs, &mut outputs) == Activity::Quiet {
            let mut again = Outputs::idle(self.plan.smx);
            let activity = self.scheduler.cycle(&inputs, &mut again);
            assert_eq!((activity, &again), (Activity::Quiet, &outputs), "a quiet cycle repeats");
        }
        let device = &outputs.device;
        assert_eq!(device.management.inspect, inspect(&self.work_queues));
        assert_eq!(
            (device.group_memory.fetch_group, device.group_memory.link_write),
            (None, None),
            "at rest"
        );
        self.check_context(&inputs, &outputs);

        // By the state at the start of the cycle: what is taken, and what is asked of memory.
        let entering = self.entering(&inputs, &outputs);
        let new = entering.filter(|_| self.strict);
        let into = new.and_then(|unit| self.units[unit].place);
        let inserted = into.filter(|place| !self.queues.spills(*place)).map(|place| place.queue);
        if self.strict {
            let fetch = self.queues.fetch(inserted);
            assert_eq!(device.queues.fetch_entry, fetch, "cycle {}", self.cycle);
        }
        let heads = self.queues.any_head();
        self.edge(&inputs, &outputs, entering);
        let removed = self.dispatches(&outputs, expected);
        if let (true, Some(unit)) = (self.strict, removed) {
            self.queues.remove(unit);
        }
        if self.strict {
            self.queues.settle(self.cycle);
        }
        self.turn = (self.turn + usize::from(heads)) % self.plan.smx;
        self.fetches(&inputs, &outputs);
        self.end_kernels(outputs.finished_kernels);
        self.cycle += 1;
    }

    fn check_context(&self, inputs: &Inputs, outputs: &Outputs) {
        let expected = inputs.lookup.map(|entry| {
            let KernelLaunch { entry_pc, parameter_address, block, .. } = self.kernels[&entry];
            let group = inputs.device.groups.lookup_group.and_then(GroupReference::pointer);
            let parameter_address = group.unwrap_or(parameter_address);
            KernelContext { entry_pc, parameter_address, block }
        });
        assert_eq!(outputs.context, expected);
    }

    /// The unit whose block has to go in this cycle, if any; of the backups any head will do.
    fn expected(&self) -> Option<Vec<usize>> {
        let used = self.residents[self.turn].len();
        if used == self.plan.limits.thread_block_slots as usize {
            return None;
        }
        let own = self.turn / self.plan.config.cluster_size(self.plan.smx);
        if let Some(unit) = self.queues.head(own).or(self.queues.zero.front().copied()) {
            return Some(vec![unit]);
        }
        let adaptive = self.plan.config.binding == Binding::Adaptive;
        let queues = 0..self.plan.config.queues(self.plan.smx);
        let backups: Vec<_> = queues.filter_map(|queue| self.queues.head(queue)).collect();
        Some(backups).filter(|backups| adaptive && !backups.is_empty())
    }

    /// The dispatch of this cycle; the unit that leaves its queue with it.
    fn dispatches(&mut self, outputs: &Outputs, expected: Option<Vec<usize>>) -> Option<usize> {
        let mut all = outputs.dispatch.iter().enumerate();
        let sent = all.find_map(|(smx, dispatch)| dispatch.map(|dispatch| (smx, dispatch)));
        assert!(all.all(|(_, dispatch)| dispatch.is_none()), "one block a cycle");
        let level = outputs.device.queues.level;
        let Some((smx, Dispatch { kernel, group, block, slot })) = sent else {
            assert_eq!((level, &expected), (0, &None), "cycle {}: nothing goes", self.cycle);
            return None;
        };
        let free = |slot: &u8| self.residents[smx].iter().all(|r| r.slot != *slot);
        let lowest = (0..self.plan.limits.thread_block_slots as u8).find(free);
        assert_eq!(Some(slot), lowest, "the lowest free slot");
        let is_this = |unit: &Unit| {
            let of = unit.entry.kernel == kernel && unit.entry.group == group;
            of && unit.left() && unit.on_chip
        };
        let number = self.units.iter().position(is_this).expect("a unit on chip with blocks left");
        if self.strict {
            assert_eq!(smx, self.turn, "the SMX whose turn it is");
            let expected = expected.unwrap_or_default();
            assert!(expected.contains(&number), "cycle {}: {number}, not {expected:?}", self.cycle);
        }
        let cluster = self.plan.config.cluster_size(self.plan.smx);
        let unit = &mut self.units[number];
        assert_eq!(level, unit.place.map_or(0, |place| place.level), "its level");
        if let (true, Some(place)) = (self.plan.binds(), unit.place) {
            assert_eq!(smx / cluster, usize::from(place.queue), "bound to that SMX");
        }
        let linear = block.linear(unit.entry.grid);
        assert_eq!(linear, unit.next, "blocks go in order, each once");
        unit.next += 1;
        unit.running += 1;
        let (origin, left) = (unit.origin, unit.left());
        let end = self.cycle + self.plan.durations[self.dispatched % self.plan.durations.len()];
        self.residents[smx].push(Resident { end, unit: number, slot });
        self.events.push((self.cycle, Event::Dispatch { smx, origin, block: linear, level }));

        // What this block will launch.
        let parent = Parent { smx: smx as u8, level };
        for (call, Call { when, .. }) in self.plan.calls.iter().enumerate() {
            let after = match *when {
                When::Dispatched(n, after) if n == self.dispatched => after,
                When::Native(n, after) if origin == Origin::Host(0) && n == linear => after,
                _ => continue,
            };
            self.calls.insert((self.cycle + 1 + after, call), parent);
        }
        self.dispatched += 1;
        (!left).then_some(number)
    }

    /// Records and commands: what is asked for and accepted.
    fn fetches(&mut self, inputs: &Inputs, outputs: &Outputs) {
        let out = &outputs.device;
        let launched = self.launches.pop_front_if(|_| inputs.device.management.device_launch);
        let place = launched.map_or(QueuePlace::default(), |(record, _)| record.place);
        assert_eq!(out.parents.launch_place, place);
        if let Some(RecordFetch { suspended, index }) = out.management.fetch_record {
            let pool = &self.pools[&(suspended, out.parents.fetch_place)];
            self.records.push_back((self.cycle + self.plan.record_latency, pool[index as usize]));
            self.pending -= 1;
        } else {
            assert_eq!(out.parents.fetch_place, QueuePlace::default());
        }
        if inputs.device.groups.command.is_some() && out.groups.command_ready {
            let ((_, number), parent) = self.calls.pop_first().expect("it was offered");
            let Call { entry_pc, ref grids, .. } = self.plan.calls[number];
            for (which, &extent) in grids.iter().enumerate() {
                let group = AggregatedGroup {
                    pointer: (100 * number + which) as u32,
                    grid: extent,
                    blocks: extent.volume() as u32,
                    ..AggregatedGroup::default()
                };
                let origin = Origin::Called(number, which);
                self.groups_due.push_back((entry_pc, group, parent, origin));
            }
        }
    }

    fn end_kernels(&mut self, bits: u32) {
        for entry in (0..32).map(KernelEntry).filter(|entry| bits >> entry.index() & 1 == 1) {
            self.kernels.remove(&entry).expect("an occupied entry");
            for unit in self.units.iter_mut().filter(|unit| unit.entry.kernel == entry) {
                assert!(!unit.left() && unit.running == 0, "all ended");
                // The entry will name another kernel.
                unit.entry.grid = Dim3::default();
                unit.next = u64::MAX;
            }
            self.work_queues.remove(&entry);
            self.events.push((self.cycle, Event::Ended(entry.0)));
        }
    }
}

/// The hardware work queues whose kernel is not in the Kernel Distributor.
fn inspect(work_queues: &BTreeMap<KernelEntry, u8>) -> u32 {
    work_queues.values().fold(u32::MAX, |bits, queue| bits & !(1 << queue))
}
