//! Launches from the device in random traffic: what memory, host queues and SMXs do beside the
//! scheduler.

use super::functions::Functions;
use super::grids;
use super::phases::{Phase, Phases};
use super::priorities::Priorities;
use blockyard_sim::port::{
    AggregatedGroup, AggregationCommand, DeviceInputs, Dim3, FetchedGroup, GroupInputs,
    GroupMemoryInputs, GroupOutcome, GroupReference, Inputs, KernelEntry, KernelLaunch, LaunchMode,
    ManagementInputs, Outputs, ParentInputs, QueueInputs, RecordFetch, RingPlace, KERNEL_ENTRIES,
    WORK_QUEUES,
};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::collections::{BTreeMap, VecDeque};

/// A block that an SMX holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resident {
    /// The kernel's entry.
    pub kernel: KernelEntry,
    /// Its group; `None` for a native block.
    pub group: Option<GroupReference>,
    /// The slot that it takes.
    pub slot: u8,
}

/// Chance in 1,000 that a kernel that follows the one of a queue is in that queue.
const FOLLOWS_IN_QUEUE: u32 = 800;

/// Chance in 1,000, for each kernel and command, that functions are others from then on.
const OTHER_FUNCTIONS: u32 = 4;

/// Chance in 1,000, in a flood, that a kernel or command is of the same function.
const FLOOD_ALIKE: u32 = 900;

/// How many times fewer kernels there are where groups pile up.
const FEWER: u32 = 30;

/// Chance in 1,000, for each kernel that is kept, that it is not any more.
const RELEASE: u32 = 20;

/// What is asked of memory for a group.
struct Fetch {
    pointer: u32,
    /// What memory answers, once it has read.
    read: Option<FetchedGroup>,
}

/// See the module.
pub struct Launches {
    random: Pcg64,
    mode: LaunchMode,
    /// Whether the scheduler has the ports of groups: kernels can be kept.
    groups: bool,
    table: u32,
    /// Cycles of the flood that comes first, or zero.
    flood: u32,
    functions: Functions,
    phases: Phases,
    /// Kernels in the two pools that were not asked for, device kernels first.
    pools: [VecDeque<KernelLaunch>; 2],
    /// How many were ever asked for.
    fetched: [u32; 2],
    records: VecDeque<KernelLaunch>,
    /// For each hardware work queue the entry of its head, once accepted.
    queues: [Option<KernelEntry>; WORK_QUEUES],
    queue: u8,
    put: [Option<KernelLaunch>; 2],
    offered: Option<(AggregationCommand, VecDeque<AggregatedGroup>)>,
    /// For each command that was accepted the groups that are still to come.
    accepted: VecDeque<VecDeque<AggregatedGroup>>,
    /// What memory holds of the groups that are there.
    memory: BTreeMap<u32, FetchedGroup>,
    /// For each entry the groups that were left in memory and not asked for, and the place of the
    /// first.
    rings: [(u32, VecDeque<u32>); KERNEL_ENTRIES],
    /// In the order of the requests.
    fetches: VecDeque<Fetch>,
    /// Kernels that are kept.
    keep: u32,
    pointers: u32,
    /// Kernels so far, counted from anything on.
    kernels: u32,
    /// Of a scheduler with priority queues.
    priorities: Option<Priorities>,
    smx: usize,
}

impl Launches {
    pub fn new(mode: LaunchMode, table: u32, flood: u32, seed: u64) -> Self {
        let mut random = Pcg64::seed_from_u64(seed ^ 0x6c61_756e_6368);
        let phases = Phases::draw(flood, &mut random);
        Self {
            functions: Functions::draw(&mut random),
            random,
            mode,
            groups: mode == LaunchMode::Dtbl,
            table,
            flood,
            phases,
            pools: Default::default(),
            fetched: [0; 2],
            records: VecDeque::new(),
            queues: [None; WORK_QUEUES],
            queue: 0,
            put: [None; 2],
            offered: None,
            accepted: VecDeque::new(),
            memory: BTreeMap::new(),
            rings: Default::default(),
            fetches: VecDeque::new(),
            keep: 0,
            pointers: 0,
            kernels: seed as u32,
            priorities: None,
            smx: 0,
        }
    }

    /// For a scheduler with priority queues on a GPU with `smx` SMXs.
    pub fn prioritized(mut self, smx: usize) -> Self {
        (self.priorities, self.smx) = (Some(Priorities::new(smx)), smx);
        self.groups = true;
        self
    }

    /// For a scheduler with pools by place on a GPU with `smx` SMXs, and no ports of groups.
    pub fn nested(self, smx: usize) -> Self {
        Self { groups: false, ..self.prioritized(smx) }
    }

    /// Gives a kernel one of few functions and block configurations; while all is held, one of as
    /// many as there are entries, in turn.
    pub fn common(&mut self, mut kernel: KernelLaunch) -> KernelLaunch {
        self.kernels = self.kernels.wrapping_add(1);
        (kernel.entry_pc, kernel.block) = match self.holds() {
            true => self.functions.near(self.kernels % KERNEL_ENTRIES as u32),
            false => self.function(),
        };
        kernel
    }

    fn function(&mut self) -> (u32, Dim3) {
        if self.chance(OTHER_FUNCTIONS) {
            self.functions = Functions::draw(&mut self.random);
        }
        match self.phases.is_flood() && self.chance(FLOOD_ALIKE) {
            true => self.functions.first(),
            false => self.functions.any(&mut self.random),
        }
    }

    /// Whether the host may offer a kernel that `follows` another one or none: the queue that it
    /// would take, mostly that of the one that it follows, if there is one.
    pub fn choose_queue(&mut self, follows: Option<KernelEntry>) -> bool {
        let queues = |held: Option<KernelEntry>| -> Vec<u8> {
            (0..WORK_QUEUES as u8).filter(|&q| self.queues[usize::from(q)] == held).collect()
        };
        let of_followed = follows.map_or(Vec::new(), |_| queues(follows));
        let free = queues(None);
        let behind = !of_followed.is_empty() && self.chance(FOLLOWS_IN_QUEUE);
        let chosen = if behind { of_followed } else { free };
        match chosen.choose(&mut self.random) {
            Some(&queue) => self.queue = queue,
            None => return false,
        }
        true
    }

    /// The device's part of the inputs of the next cycle. `kernel` makes kernels; whether those are
    /// `brief`, groups are too.
    pub fn next(
        &mut self,
        device: &mut DeviceInputs,
        brief: bool,
        mut kernel: impl FnMut() -> KernelLaunch,
    ) {
        let phase = self.phases.next();
        // Where groups pile up, they are what there is to come to an end.
        let share = if self.holds() && self.mode == LaunchMode::Dtbl { FEWER } else { 1 };
        for (pool, chance) in [phase.device, phase.suspend].into_iter().enumerate() {
            self.put[pool] = None;
            if self.mode != LaunchMode::Flat && self.chance(chance / share) {
                let kernel = kernel();
                self.put[pool] = Some(self.common(kernel));
            }
        }
        let record = self.records.front().copied().filter(|_| self.chance(phase.reply));
        if self.mode == LaunchMode::Dtbl && self.offered.is_none() && self.chance(phase.command) {
            self.offered = Some(self.command(brief));
        }
        let fetched = self.fetches.front().and_then(|fetch| fetch.read);
        let fetched = fetched.filter(|_| self.chance(phase.reply));
        self.choose_kept(phase);
        let group = self.accepted.front().and_then(VecDeque::front).copied();
        let group = group.filter(|_| self.random.random_range(0..10) > 0);
        *device = DeviceInputs {
            management: ManagementInputs {
                work_queue: self.queue,
                device_launch: self.put[0].is_some(),
                suspend: self.put[1].is_some(),
                record,
            },
            groups: GroupInputs {
                lookup_group: None,
                command: self.offered.as_ref().map(|(command, _)| *command),
                group,
                keep: self.keep,
            },
            group_memory: GroupMemoryInputs { fetched },
            parents: ParentInputs::default(),
            queues: QueueInputs::default(),
        };
        if let Some(priorities) = &mut self.priorities {
            let arrives = self.random.random_range(0..1000) < phase.reply;
            priorities.next(device, arrives, self.flood > 0, &mut self.random);
        }
    }

    /// Whether no block ends: what is launched piles up.
    pub fn holds(&self) -> bool {
        self.flood > 0 && self.phases.is_flood()
    }

    /// Which entries' kernels, now or to come, are kept; none where there are no ports of groups.
    fn choose_kept(&mut self, phase: Phase) {
        for entry in 0..KERNEL_ENTRIES {
            if self.keep >> entry & 1 == 1 && self.chance(RELEASE) {
                self.keep &= !(1 << entry);
            }
        }
        if self.groups && self.chance(phase.keep) {
            self.keep |= 1 << self.random.random_range(0..KERNEL_ENTRIES);
        }
    }

    /// Sometimes the lookup is about a block that runs.
    pub fn lookup(
        &mut self,
        resident: &[Vec<Resident>],
        lookup: &mut Option<KernelEntry>,
        device: &mut DeviceInputs,
    ) {
        if self.mode == LaunchMode::Dtbl && self.chance(500) {
            let all: Vec<&Resident> = resident.iter().flatten().collect();
            if let Some(block) = all.choose(&mut self.random) {
                *lookup = Some(block.kernel);
                device.groups.lookup_group = block.group;
            }
        }
    }

    /// Up to 32 groups of one function; mostly small ones, in one to three dimensions.
    fn command(&mut self, brief: bool) -> (AggregationCommand, VecDeque<AggregatedGroup>) {
        // Half of them are one kernel's while all is held, and half of the rest another one's.
        let (entry_pc, block) = match self.holds() {
            true => self.functions.near(self.random.random::<u32>().leading_zeros()),
            false => self.function(),
        };
        let most = [1, 1, 3, 32][self.random.random_range(0..4)];
        let groups: VecDeque<_> = (0..self.random.random_range(1..=most))
            .map(|_| {
                self.pointers += 1;
                let mut side = |most: u32| self.random.random_range(1..=most);
                let grid = match side(100) {
                    _ if brief => grids::brief(&mut self.random),
                    1 => Dim3::new(1, 300, 1),
                    2 => Dim3::new(1, 1, 258),
                    3..=25 => Dim3::new(1, 1, 1),
                    26..=50 => Dim3::new(side(3), side(2), side(2)),
                    _ => Dim3::new(side(12), 1, 1),
                };
                let threads = (2 * self.table).clamp(1, 1 << 16);
                AggregatedGroup {
                    hardware_thread: self.random.random_range(0..threads) as u16,
                    pointer: self.pointers,
                    parameter_address: self.random.random(),
                    grid,
                    blocks: grid.volume() as u32,
                }
            })
            .collect();
        let wait = if self.chance(500) { 0 } else { self.random.random_range(0..64) };
        (AggregationCommand { entry_pc, block, groups: groups.len() as u8, wait }, groups)
    }

    /// What the scheduler did.
    pub fn observe(&mut self, inputs: &Inputs, outputs: &Outputs) {
        for entry in 0..KERNEL_ENTRIES {
            if outputs.finished_kernels >> entry & 1 == 1 {
                for queue in &mut self.queues {
                    queue.take_if(|held| held.index() == entry);
                }
            }
        }
        if let (Some(entry), Some(_)) = (outputs.launch_ready, inputs.launch) {
            self.queues[usize::from(self.queue)] = Some(entry);
        }
        if let Some(priorities) = &mut self.priorities {
            for (pool, put) in self.put.iter_mut().enumerate() {
                if let Some(kernel) = put.take() {
                    priorities.put(pool == 1, kernel, outputs);
                }
            }
            priorities.observe(inputs, outputs);
        } else {
            self.observe_pools(inputs, outputs);
        }
        self.observe_groups(inputs, outputs);
    }

    fn observe_pools(&mut self, inputs: &Inputs, outputs: &Outputs) {
        let device = &outputs.device;
        if inputs.device.management.record.is_some() {
            self.records.pop_front();
        }
        for (pool, put) in self.put.iter_mut().enumerate() {
            self.pools[pool].extend(put.take());
        }
        if let Some(RecordFetch { suspended, index }) = device.management.fetch_record {
            let pool = usize::from(suspended);
            assert_eq!(index, self.fetched[pool], "records are asked for in order");
            self.fetched[pool] += 1;
            let record = self.pools[pool].pop_front().expect("only what waits is asked for");
            self.records.push_back(record);
        }
    }

    fn observe_groups(&mut self, inputs: &Inputs, outputs: &Outputs) {
        let device = &outputs.device;
        if inputs.device.group_memory.fetched.is_some() {
            self.fetches.pop_front();
        }
        // Memory reads what it was asked for some time between the question and the answer.
        for fetch in self.fetches.iter_mut().filter(|fetch| fetch.read.is_none()) {
            if self.random.random_range(0..1000) < 200 {
                fetch.read = Some(self.memory[&fetch.pointer]);
            }
        }
        if let Some(outcome) = device.groups.group_taken {
            let command = self.accepted.front_mut().expect("groups are taken of a command");
            let group = command.pop_front().expect("it was offered");
            if command.is_empty() {
                self.accepted.pop_front();
            }
            if let GroupOutcome::Coalesced { kernel, reference } = outcome {
                if let Some(pointer) = reference.pointer() {
                    assert_eq!(pointer, group.pointer, "it stays where it is");
                    self.rings[kernel.index()].1.push_back(pointer);
                    self.memory.insert(pointer, FetchedGroup { grid: group.grid, next: None });
                }
            }
        }
        if let Some(link) = device.group_memory.link_write {
            self.memory.get_mut(&link.pointer).expect("a group in memory").next = Some(link.next);
        }
        if let Some(RingPlace { kernel, index }) = device.group_memory.fetch_group {
            let (first, waiting) = &mut self.rings[kernel.index()];
            assert_eq!(index, *first, "groups are asked for in order");
            *first = first.wrapping_add(1);
            let pointer = waiting.pop_front().expect("only what waits is asked for");
            let read = self.chance(300).then(|| self.memory[&pointer]);
            self.fetches.push_back(Fetch { pointer, read });
        }
        if device.groups.command_ready {
            let accepted = self.offered.take();
            self.accepted.extend(accepted.map(|(_, groups)| groups));
        }
    }

    /// Everything begins anew.
    pub fn reset(&mut self) {
        let seed = self.random.random();
        let priorities = self.priorities.as_ref().map(|_| Priorities::new(self.smx));
        let (smx, groups) = (self.smx, self.groups);
        *self =
            Self { priorities, smx, groups, ..Self::new(self.mode, self.table, self.flood, seed) };
    }

    fn chance(&mut self, per_mille: u32) -> bool {
        self.random.random_range(0..1000) < per_mille
    }
}
