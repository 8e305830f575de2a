//! Random but legal traffic on a scheduler's ports, for lockstep without a GPU.
//!
//! Kernels of random shape are launched, their blocks end after random times, SMXs look contexts
//! up, and now and then everything is reset. Only the rules of the cycle contract are kept; nothing
//! else is realistic, which is what brings corners together.

mod cancels;
mod clock;
mod clusters;
mod dependents;
mod functions;
mod giants;
mod grids;
mod intensity;
mod lag;
mod launches;
mod needs;
mod phases;
mod priorities;
mod reuse;
mod sampling;
mod spells;

use blockyard_sim::port::{
    BlockNeeds, Cluster, DeviceInputs, Dispatch, FloorPlan, Inputs, KernelEntry, KernelLaunch,
    LaunchMode, Outputs, Relation, SmxLimits, KERNEL_ENTRIES,
};
use blockyard_sim::sched::dyncta::DynctaConfig;
use cancels::Cancels;
use clock::Clock;
use clusters::Clusters;
use dependents::Dependents;
use giants::Giants;
pub use intensity::Intensity;
use lag::Lag;
use launches::Launches;
pub use launches::Resident;
use needs::Needs;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use reuse::Reuse;
use sampling::Sampling;
use spells::{Spell, Spells, Tide};

/// A source of inputs that follows what the scheduler does.
pub struct Traffic {
    random: Pcg64,
    intensity: Intensity,
    limits: SmxLimits,
    needs: Needs,
    spells: Spells,
    spell: Spell,
    giants: Giants,
    /// Kernels of a block or two that are still to come first.
    first: u32,
    /// Where grids are long.
    lag: Option<Lag>,
    offered: Option<KernelLaunch>,
    resident: Vec<Vec<Resident>>,
    sampling: Option<Sampling>,
    launches: Option<Launches>,
    reuse: Option<Reuse>,
    clusters: Option<Clusters>,
    /// Whether kernels have priorities.
    urgent: bool,
    /// Whether they are for partitions.
    partitioned: bool,
    dependents: Option<Dependents>,
    cancels: Option<Cancels>,
    /// For schedulers that measure time.
    clock: Option<Clock>,
    small: bool,
}

impl Traffic {
    /// Traffic for `smx` SMXs with these limits; the same seed gives the same traffic for the same
    /// scheduler.
    pub fn new(smx: usize, limits: SmxLimits, intensity: Intensity, seed: u64) -> Self {
        Self {
            random: Pcg64::seed_from_u64(seed),
            intensity,
            limits,
            needs: Needs::new(limits),
            spells: Spells::default(),
            spell: Spell::default(),
            giants: Giants::default(),
            first: 0,
            lag: (intensity.long > 0).then(Lag::default),
            offered: None,
            resident: vec![Vec::new(); smx],
            sampling: None,
            launches: None,
            reuse: None,
            clusters: None,
            urgent: false,
            partitioned: false,
            dependents: None,
            cancels: None,
            clock: None,
            small: false,
        }
    }

    /// Lets the SMXs send their counts now and then, most of them just at or beside the thresholds
    /// of this configuration (its period is not kept), so that limits rise and fall all the way.
    pub fn sampling(mut self, thresholds: DynctaConfig) -> Self {
        // Any stream but the one of the rest.
        self.sampling = Some(Sampling::new(self.random.clone(), thresholds));
        self
    }

    /// Lets blocks launch kernels, and groups if `mode` is `dtbl`: `table` is the size of the
    /// Aggregated Group Table. The GPU keeps the pools, the groups in memory, and the order of the
    /// work queues.
    pub fn launching(mut self, mode: LaunchMode, table: u32, seed: u64) -> Self {
        self.launches = (mode != LaunchMode::Flat)
            .then(|| Launches::new(mode, table, self.intensity.flood, seed));
        self
    }

    /// As [`Self::launching`] for a scheduler with priority queues, whose ports are there in every
    /// mode.
    pub fn prioritized(mut self, mode: LaunchMode, seed: u64) -> Self {
        let smx = self.resident.len();
        self.launches =
            Some(Launches::new(mode, 1024, self.intensity.flood, seed).prioritized(smx));
        self
    }

    /// As [`Self::launching`] for a scheduler with levels of kernels and no ports of groups.
    pub fn nested(mut self, mode: LaunchMode, seed: u64) -> Self {
        let smx = self.resident.len();
        self.launches = Some(Launches::new(mode, 1, self.intensity.flood, seed).nested(smx));
        self
    }

    /// Lets most kernels have the grid of the one before; if they are `related`, some depend on
    /// earlier kernels or on other blocks.
    pub fn reusing(mut self, related: bool, seed: u64) -> Self {
        self.reuse = Some(Reuse::new(related, seed));
        self
    }

    /// Lets most kernels have their blocks in clusters that fit a GPC of `plan`.
    pub fn clustered(mut self, plan: &FloorPlan, seed: u64) -> Self {
        self.clusters = Some(Clusters::new(plan, seed));
        self
    }

    /// Lets kernels have any priority.
    pub fn urgent(mut self) -> Self {
        self.urgent = true;
        self
    }

    /// Lets kernels be for any partition, also for such as there are not.
    pub fn partitioned(mut self) -> Self {
        self.partitioned = true;
        self
    }

    /// Lets most kernels follow another one, some of them one that ends as they come, and blocks
    /// trigger once each between their dispatch and their end.
    pub fn dependent(mut self, seed: u64) -> Self {
        self.dependents = Some(Dependents::new(self.resident.len(), seed));
        self
    }

    /// Lets running blocks ask for others of their kernels, as often as one in each cycle.
    pub fn cancelling(mut self, seed: u64) -> Self {
        self.cancels = Some(Cancels::new(seed));
        self
    }

    /// Tells the number of the cycle and the slots of blocks that end, as schedulers want that
    /// measure time. Most blocks take as long as their kernel says, which for most kernels is the
    /// time of the one before but for one bit; most kernels are as large as that one, and most
    /// others have more blocks than fit at once.
    pub fn timed(mut self) -> Self {
        // Any stream but the one of the rest.
        self.clock = Some(Clock::new(self.random.clone(), self.resident.len(), self.limits));
        self
    }

    /// From now on other chances, and kernels of a few small blocks: all entries fill and drain in
    /// a short time.
    pub fn hurry(&mut self, intensity: Intensity) {
        (self.intensity, self.small) = (intensity, true);
    }

    /// The inputs of the next cycle.
    pub fn next(&mut self, inputs: &mut Inputs) {
        // By name, so that no port is left as it was in the cycle before.
        let Inputs {
            reset,
            launch,
            finished,
            finished_slots,
            triggered,
            cancel,
            lookup,
            clock,
            samples,
            device,
        } = inputs;
        self.lag.iter_mut().for_each(Lag::next);
        *reset = self.chance(self.intensity.reset);
        *reset |= self.giants.resets();
        *reset |= self.clusters.as_mut().is_some_and(Clusters::resets);
        self.spell = self.next_spell();
        let launch_chance = self.spell.tide.launch(self.intensity.launch);
        if self.offered.is_none() && self.chance(launch_chance) {
            let kernel = self.kernel(true);
            self.offered = self.offer(kernel);
        }
        self.follow();
        *launch = self.offered;
        self.launch_from_device(device);
        finished.clear();
        finished_slots.clear();
        triggered.clear();
        let resident = &self.resident;
        *cancel = self.cancels.as_mut().and_then(|cancels| cancels.next(resident));
        let all: Vec<Option<Resident>> =
            (0..self.resident.len()).map(|smx| self.finish_on(smx)).collect();
        *clock = self.clock.as_mut().map(|clock| clock.next(&all));
        for (smx, ended) in all.into_iter().enumerate() {
            finished.push(ended.map(|block| block.kernel));
            if self.launches.is_some() || self.clock.is_some() {
                finished_slots.push(ended.map_or(0, |block| block.slot));
            }
            if let Some(dependents) = &mut self.dependents {
                let ended = ended.map(|block| block.kernel);
                triggered.push(dependents.trigger(smx, &self.resident[smx], ended));
            }
        }
        let asked = self.chance(250);
        let entry = self.random.random_range(0..KERNEL_ENTRIES as u8);
        *lookup = asked.then_some(KernelEntry(entry));
        if let Some(launches) = &mut self.launches {
            launches.lookup(&self.resident, lookup, device);
        }
        let smx = self.resident.len();
        *samples = self.sampling.as_mut().and_then(|sampling| sampling.next(smx));
    }

    /// What the scheduler did with the inputs of [`Traffic::next`].
    pub fn observe(&mut self, inputs: &Inputs, outputs: &Outputs) {
        if let Some(dependents) = &mut self.dependents {
            dependents.observe(inputs, outputs);
        }
        if let Some(clock) = &mut self.clock {
            clock.observe(inputs, outputs);
        }
        if inputs.reset {
            self.offered = None;
            self.giants = Giants::default();
            self.first = self.random.random_range(0..=self.intensity.first);
            if self.first > 1 && self.chance(500) {
                self.first = self.random.random_range(0..=1);
            }
            self.resident.iter_mut().for_each(Vec::clear);
            self.launches.iter_mut().for_each(Launches::reset);
            return;
        }
        if let Some(launches) = &mut self.launches {
            launches.observe(inputs, outputs);
        }
        if outputs.launch_ready.is_some() {
            self.offered = None;
        }
        self.giants.begun(outputs.dispatch.iter().flatten().count());
        for (held, dispatch) in self.resident.iter_mut().zip(&outputs.dispatch) {
            held.extend(dispatch.map(|Dispatch { kernel, group, slot, .. }| Resident {
                kernel,
                group,
                slot,
            }));
        }
    }

    /// The spell of the next cycle. Where time is measured kernels are like the one before: brief
    /// ones would be no spell.
    fn next_spell(&mut self) -> Spell {
        let Spell { brief, tide } = self.spells.next(self.intensity.brief, &mut self.random);
        Spell {
            brief: brief && self.clock.is_none(),
            tide: if self.intensity.tides { tide } else { Tide::Usual },
        }
    }

    /// A kernel of the host, unless all hardware work queues wait for their heads.
    fn offer(&mut self, kernel: KernelLaunch) -> Option<KernelLaunch> {
        match &mut self.launches {
            None => Some(kernel),
            Some(launches) => {
                launches.choose_queue(kernel.follows).then(|| launches.common(kernel))
            }
        }
    }

    /// A kernel comes that follows one that ends; one that waits at the port does not follow one
    /// that has ended.
    fn follow(&mut self) {
        let Some(mut dependents) = self.dependents.take() else { return };
        if self.offered.is_none() {
            if let Some(follows) = dependents.follows_what_ends() {
                let kernel = KernelLaunch { follows: Some(follows), ..self.kernel(true) };
                self.offered = self.offer(kernel);
            }
        }
        if let Some(kernel) = &mut self.offered {
            kernel.follows = kernel.follows.filter(|&entry| dependents.is_there(entry));
        }
        self.dependents = Some(dependents);
    }

    fn launch_from_device(&mut self, device: &mut DeviceInputs) {
        if let Some(mut launches) = self.launches.take() {
            // What blocks launch follows nothing.
            let brief = self.spell.brief;
            launches.next(device, brief, || KernelLaunch { follows: None, ..self.kernel(false) });
            self.launches = Some(launches);
        }
    }

    fn finish_on(&mut self, smx: usize) -> Option<Resident> {
        let held = self.resident[smx].len() as u32;
        let finish = self.spell.tide.finish(self.intensity.finish);
        let lags = self.lag.is_some_and(|lag| lag.holds(smx, self.resident.len()));
        let lags = lags || self.launches.as_ref().is_some_and(Launches::holds);
        if held == 0 || lags || !self.chance(finish * held) {
            return None;
        }
        let which = self.random.random_range(0..held as usize);
        Some(self.resident[smx].swap_remove(which))
    }

    /// A kernel, long at times if the host launches it: few of these come to their end.
    fn kernel(&mut self, from_host: bool) -> KernelLaunch {
        let brief = self.spell.brief || self.first > 0;
        self.first = self.first.saturating_sub(1);
        let mut grid = match brief {
            true => grids::brief(&mut self.random),
            false => grids::grid(&mut self.random),
        };
        if self.small {
            grid.x = grid.x.min(2);
        }
        let mut relation = Relation::default();
        if let Some(reuse) = &mut self.reuse {
            grid = reuse.grid(grid);
            relation = reuse.relation();
        }
        let mut cluster = Cluster::default();
        let mut ranked = false;
        if !self.small && !brief && self.chance(self.intensity.giant) {
            grid = self.giants.any(self.intensity.early, &mut self.random);
        } else if from_host && self.intensity.long > 0 && self.chance(self.intensity.long) {
            grid = self.giants.long(&mut self.random);
        } else if from_host && self.intensity.ranks > 0 && self.chance(self.intensity.ranks) {
            grid = grids::ranked(&mut self.random);
            ranked = true;
        } else if let Some(clusters) = self.clusters.as_mut().filter(|_| self.intensity.long == 0) {
            cluster = clusters.cluster();
            grid = clusters::grid_of(grid, cluster);
        }
        let priority = if self.urgent { self.random.random_range(0..8) } else { 0 };
        let partition = if self.partitioned { self.random.random_range(0..8) } else { 0 };
        let block = functions::shape(&mut self.random);
        let kernel = KernelLaunch {
            entry_pc: self.random.random(),
            parameter_address: self.random.random(),
            grid,
            block,
            blocks: grid.volume() as u32,
            needs: match self.small {
                true => BlockNeeds::default(),
                false => self.needs.next(brief, &mut self.random),
            },
            relation,
            cluster,
            priority,
            partition,
            follows: self.dependents.as_mut().and_then(Dependents::follows),
        };
        match &mut self.clock {
            Some(clock) if !ranked => clock.kernel(kernel),
            _ => kernel,
        }
    }

    fn chance(&mut self, per_mille: u32) -> bool {
        self.random.random_range(0..1000) < per_mille
    }
}
