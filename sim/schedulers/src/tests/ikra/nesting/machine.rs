//! A GPU whose blocks take a given number of cycles and launch kernels, with the pools of these in
//! memory.

use crate::invariants::Invariants;
use crate::port::*;
use crate::tests::harness::Sampling;
use crate::{build_for, Composition};
use std::collections::{BTreeMap, VecDeque};

/// A kernel that is launched once: by the host, or by the block that another plan names.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) launch: KernelLaunch,
    /// The cycle from which the host offers it; `None`: a block launches it.
    pub(super) arrive: Option<u64>,
    /// By linear id; the last one holds for all further blocks.
    pub(super) durations: Vec<u64>,
    /// What its blocks launch: the block, how many cycles after its start, the number of the plan.
    pub(super) launches: Vec<(u64, u64, usize)>,
}

impl Plan {
    pub(super) fn host(launch: KernelLaunch, arrive: u64, durations: &[u64]) -> Self {
        let (arrive, durations) = (Some(arrive), durations.to_vec());
        Self { launch, arrive, durations, launches: vec![] }
    }

    pub(super) fn child(launch: KernelLaunch, durations: &[u64]) -> Self {
        Self { arrive: None, ..Self::host(launch, 0, durations) }
    }

    pub(super) fn launching(mut self, launches: &[(u64, u64, usize)]) -> Self {
        self.launches.extend(launches);
        self
    }

    fn duration(&self, block: u64) -> u64 {
        self.durations[(block as usize).min(self.durations.len() - 1)]
    }
}

/// A block went to an SMX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ran {
    pub(super) cycle: u64,
    pub(super) smx: usize,
    /// The number of its plan.
    pub(super) kernel: usize,
    pub(super) block: u64,
}

/// What became of the plans.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) ran: Vec<Ran>,
    /// For each plan, where its record waited, the cycle in which it was accepted, and that of its
    /// end.
    pub(super) places: BTreeMap<usize, QueuePlace>,
    pub(super) accepted: BTreeMap<usize, u64>,
    pub(super) finished: BTreeMap<usize, u64>,
    /// Cycles that the scheduler saw.
    pub(super) simulated: u64,
}

impl Run {
    /// The linear ids of a kernel that an SMX received, in order of time.
    pub(super) fn order(&self, kernel: usize, smx: usize) -> Vec<u64> {
        let of = self.ran.iter().filter(|ran| (ran.kernel, ran.smx) == (kernel, smx));
        of.map(|ran| ran.block).collect()
    }

    /// The cycles in which blocks of a kernel were dispatched, without repetition.
    pub(super) fn cycles(&self, kernel: usize) -> Vec<u64> {
        let of = self.ran.iter().filter(|ran| ran.kernel == kernel);
        let mut cycles: Vec<_> = of.map(|ran| ran.cycle).collect();
        cycles.dedup();
        cycles
    }
}

struct Resident {
    end: u64,
    entry: KernelEntry,
}

struct Machine<'a> {
    plans: &'a [Plan],
    sampling: Option<&'a Sampling>,
    /// Cycles from a pool to the scheduler.
    dispatch: u64,
    residents: Vec<Vec<Resident>>,
    hosts: VecDeque<usize>,
    /// Launches by cycle, parent and plan, and those that have come to the port.
    calls: Vec<(u64, Parent, usize)>,
    arrived: VecDeque<(Parent, usize)>,
    pools: BTreeMap<QueuePlace, (u32, VecDeque<usize>)>,
    on_way: VecDeque<(u64, QueuePlace, usize)>,
    names: [usize; KERNEL_ENTRIES],
    run: Run,
}

/// As [`run_with`], without samples.
pub(super) fn run(
    name: &str,
    smx: usize,
    limits: SmxLimits,
    plans: &[Plan],
    dispatch: u64,
    skip: bool,
) -> Run {
    run_with(name, smx, limits, plans, dispatch, skip, None)
}

/// Runs the plans to their end on a golden scheduler; panics on a broken invariant, and if
/// they do not end.
pub(super) fn run_with(
    name: &str,
    smx: usize,
    limits: SmxLimits,
    plans: &[Plan],
    dispatch: u64,
    skip: bool,
    sampling: Option<&Sampling>,
) -> Run {
    assert!(plans.len() <= WORK_QUEUES, "each kernel of the host has a work queue of its own");
    let composition: Composition = name.parse().unwrap();
    let mut scheduler = build_for(&composition, LaunchMode::Cdp, 1, smx, limits).unwrap();
    let rules = (&composition).into();
    let mut invariants = Invariants::new(limits, smx, rules).launching(LaunchMode::Cdp, 1);
    let mut hosts: Vec<usize> = (0..plans.len()).filter(|&p| plans[p].arrive.is_some()).collect();
    hosts.sort_by_key(|&plan| plans[plan].arrive);
    let mut machine = Machine {
        plans,
        sampling,
        dispatch,
        residents: (0..smx).map(|_| Vec::new()).collect(),
        hosts: hosts.into(),
        calls: vec![],
        arrived: VecDeque::new(),
        pools: BTreeMap::new(),
        on_way: VecDeque::new(),
        names: [usize::MAX; KERNEL_ENTRIES],
        run: Run::default(),
    };
    let (mut inputs, mut outputs) = (Inputs::idle(smx), Outputs::idle(smx));
    let mut cycle = 0;
    while machine.run.finished.len() < plans.len() {
        assert!(cycle < 1_000_000, "not finished: {:?}\n{}", machine.run, scheduler.explain());
        machine.inputs(cycle, &mut inputs);
        let activity = scheduler.cycle(&inputs, &mut outputs);
        machine.run.simulated += 1;
        if let Err(message) = invariants.check(&inputs, &outputs) {
            panic!("cycle {cycle}: {message}");
        }
        machine.apply(cycle, &inputs, &outputs);
        let next = cycle + 1;
        let quiet = skip && activity == Activity::Quiet;
        cycle = if quiet { machine.next_change(next) } else { next };
    }
    machine.run
}

impl Machine<'_> {
    fn inputs(&mut self, cycle: u64, inputs: &mut Inputs) {
        inputs.samples = self.sampling.and_then(|of| of.samples(cycle, self.residents.len()));
        let offered = self.hosts.front().filter(|&&plan| self.plans[plan].arrive <= Some(cycle));
        inputs.launch = offered.map(|&plan| self.plans[plan].launch);
        inputs.device.management.work_queue = offered.map_or(0, |&plan| plan as u8);
        for (smx, residents) in self.residents.iter_mut().enumerate() {
            let earliest = (0..residents.len()).min_by_key(|&at| residents[at].end);
            let ended = earliest.filter(|&at| residents[at].end <= cycle);
            inputs.finished[smx] = ended.map(|at| residents.remove(at).entry);
        }
        let due: Vec<_> = self.calls.extract_if(.., |(at, ..)| *at <= cycle).collect();
        self.arrived.extend(due.into_iter().map(|(_, parent, plan)| (parent, plan)));
        let launch = self.arrived.front();
        inputs.device.management.device_launch = launch.is_some();
        inputs.device.parents.launch_parent = launch.map_or(Parent::default(), |of| of.0);
        let record = self.on_way.front().filter(|(at, ..)| *at <= cycle);
        inputs.device.management.record = record.map(|&(.., plan)| self.plans[plan].launch);
        inputs.device.parents.record_place = record.map_or(QueuePlace::default(), |of| of.1);
    }

    fn apply(&mut self, cycle: u64, inputs: &Inputs, outputs: &Outputs) {
        for entry in 0..KERNEL_ENTRIES {
            if outputs.finished_kernels >> entry & 1 == 1 {
                self.run.finished.insert(self.names[entry], cycle);
            }
        }
        if let (Some(_), Some(entry)) = (inputs.launch, outputs.launch_ready) {
            let plan = self.hosts.pop_front().unwrap();
            self.enters(plan, entry, cycle);
        }
        if let (Some(_), Some(entry)) =
            (inputs.device.management.record, outputs.device.management.record_entry)
        {
            let (_, place, plan) = self.on_way.pop_front().unwrap();
            self.run.places.insert(plan, place);
            self.enters(plan, entry, cycle);
        }
        if inputs.device.management.device_launch {
            let (_, plan) = self.arrived.pop_front().unwrap();
            self.pools.entry(outputs.device.parents.launch_place).or_default().1.push_back(plan);
        }
        if let Some(fetch) = outputs.device.management.fetch_record {
            let place = outputs.device.parents.fetch_place;
            let (first, pool) = self.pools.get_mut(&place).unwrap();
            assert_eq!(fetch.index, *first);
            *first += 1;
            self.on_way.push_back((cycle + self.dispatch, place, pool.pop_front().unwrap()));
        }
        for (smx, dispatch) in outputs.dispatch.iter().enumerate() {
            let Some(Dispatch { kernel: entry, block, .. }) = *dispatch else { continue };
            let kernel = self.names[entry.index()];
            let plan = &self.plans[kernel];
            let block = block.linear(plan.launch.grid);
            self.run.ran.push(Ran { cycle, smx, kernel, block });
            let end = cycle + plan.duration(block);
            self.residents[smx].push(Resident { end, entry });
            let level = self.run.places.get(&kernel).map_or(0, |place| place.level);
            let parent = Parent { smx: smx as u8, level };
            let of_block = plan.launches.iter().filter(|(by, ..)| *by == block);
            self.calls.extend(of_block.map(|&(_, at, plan)| (cycle + 1 + at, parent, plan)));
        }
    }

    fn enters(&mut self, plan: usize, entry: KernelEntry, cycle: u64) {
        self.names[entry.index()] = plan;
        self.run.accepted.insert(plan, cycle);
    }

    /// The first cycle from `next` on in which an input may change.
    fn next_change(&self, next: u64) -> u64 {
        let ends = self.residents.iter().flatten().map(|resident| resident.end);
        let hosts = self.hosts.front().and_then(|&plan| self.plans[plan].arrive);
        let hosts = hosts.filter(|&at| at >= next);
        let calls = self.calls.iter().map(|(at, ..)| *at);
        let records = self.on_way.iter().map(|(at, ..)| *at);
        let arrived = self.arrived.front().map(|_| next);
        let sampled = self.sampling.map(|sampling| sampling.next(next));
        let changes = ends.chain(hosts).chain(calls).chain(records).chain(arrived).chain(sampled);
        changes.min().unwrap_or(next).max(next)
    }
}
