//! Priority queues in random traffic: who launches, pools by place, and the overflow queues in
//! memory.

use blockyard_sim::port::{
    DeviceInputs, DeviceOutputs, Inputs, KernelLaunch, Outputs, Parent, ParentInputs, QueueEntry,
    QueueInputs, QueuePlace, RecordFetch, Refill, MAX_LEVELS,
};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::collections::{BTreeMap, VecDeque};

/// Chance in 1,000 that a unit that was asked for arrives in a cycle, in phases that follow each
/// other.
const ARRIVALS: [u32; 3] = [900, 30, 300];

/// Chance in 1,000, where queues are to be deep, that a parent is the same as ever.
const SAME: u32 = 980;

/// Cycles of a phase.
const PHASE: u64 = 700;

/// See the module.
#[derive(Default)]
pub struct Priorities {
    smx: u8,
    cycle: u64,
    /// Kernels in each pool, and how many were ever asked of it; suspended ones are at level 0.
    pools: BTreeMap<QueuePlace, (u32, VecDeque<KernelLaunch>)>,
    /// Asked of a pool, in that order.
    records: VecDeque<(QueuePlace, KernelLaunch)>,
    /// At the port until it is taken.
    record: bool,
    /// What each overflow queue holds, and how many were ever put there and asked of it.
    memory: BTreeMap<QueuePlace, (u32, u32, VecDeque<QueueEntry>)>,
    /// Asked of memory, in that order.
    refills: VecDeque<Refill>,
    /// At the port until it is taken.
    refill: bool,
}

impl Priorities {
    /// For a GPU with `smx` SMXs.
    pub fn new(smx: usize) -> Self {
        Self { smx: smx as u8, ..Self::default() }
    }

    fn parent(&self, deep: bool, random: &mut Pcg64) -> Parent {
        if deep && random.random_range(0..1000) < SAME {
            return Parent { smx: 0, level: 0 };
        }
        // Mostly few SMXs, others in each phase, so that some queues are long.
        let smx = match random.random_range(0..3) {
            0 => random.random_range(0..self.smx),
            _ => {
                let first = (self.cycle / PHASE % u64::from(self.smx)) as u8;
                (first + random.random_range(0..self.smx.div_ceil(4))) % self.smx
            }
        };
        Parent { smx, level: random.random_range(0..=MAX_LEVELS) }
    }

    /// The ports of the next cycle; `record` says whether a record may arrive.
    pub fn next(
        &mut self,
        device: &mut DeviceInputs,
        record: bool,
        deep: bool,
        random: &mut Pcg64,
    ) {
        self.cycle += 1;
        self.record |= record;
        let front = self.records.front().filter(|_| self.record);
        let phase = (self.cycle / PHASE) as usize % ARRIVALS.len();
        self.refill |= random.random_range(0..1000) < ARRIVALS[phase];
        device.management.record = front.map(|(_, kernel)| *kernel);
        device.parents = ParentInputs {
            launch_parent: self.parent(deep, random),
            record_place: front.map(|(place, _)| *place).unwrap_or_default(),
        };
        device.queues = QueueInputs {
            group_parent: self.parent(deep, random),
            refill: self.refills.front().copied().filter(|_| self.refill),
        };
    }

    /// A kernel is put into the pool of suspended kernels, or of device kernels.
    pub fn put(&mut self, suspended: bool, kernel: KernelLaunch, outputs: &Outputs) {
        let place = match suspended {
            true => QueuePlace::default(),
            false => outputs.device.parents.launch_place,
        };
        assert_eq!(place.level == 0, suspended, "a device kernel has a level");
        self.pools.entry(place).or_default().1.push_back(kernel);
    }

    /// What the scheduler did.
    ///
    /// # Panics
    /// When it loses or reorders what memory holds.
    pub fn observe(&mut self, inputs: &Inputs, outputs: &Outputs) {
        let DeviceOutputs { parents, queues, .. } = &outputs.device;
        if outputs.device.management.record_entry.is_some() {
            self.record = false;
            self.records.pop_front();
        }
        if let Some(RecordFetch { suspended, index }) = outputs.device.management.fetch_record {
            let place = parents.fetch_place;
            assert_eq!(place.level == 0, suspended, "a device kernel has a level");
            let (asked, pool) = self.pools.get_mut(&place).expect("a pool with records");
            assert_eq!(index, *asked, "records are asked for in order");
            *asked += 1;
            let kernel = pool.pop_front().expect("only what waits is asked for");
            self.records.push_back((place, kernel));
        }
        if queues.refill_taken {
            assert!(inputs.device.queues.refill.is_some(), "there was one");
            self.refill = false;
            self.refills.pop_front();
        }
        if let Some(spill) = queues.spill {
            let (put, _, queue) = self.memory.entry(spill.place).or_default();
            assert_eq!(spill.index, *put, "units are spilled in order");
            *put += 1;
            queue.push_back(spill.entry);
        }
        if let Some(fetch) = queues.fetch_entry {
            let (_, asked, queue) = self.memory.get_mut(&fetch.place).expect("it was spilled");
            assert_eq!(fetch.index, *asked, "units are asked for in order");
            *asked += 1;
            let entry = queue.pop_front().expect("only what is there is asked for");
            self.refills.push_back(Refill { place: fetch.place, entry });
        }
    }
}
