//! Rules that hold whatever the policy, checked on the ports alone: they trust neither the twins
//! nor the RTL nor the GPU.

mod busy;
mod cancels;
mod clusters;
mod counting;
mod device;
mod domains;
mod ends;
mod entries;
mod groups;
mod held;
mod ikra;
mod issue;
mod limits;
mod nesting;
mod occupant;
mod partitions;
mod priority;
mod rings;
mod rules;
mod triggers;
mod turning;

pub use rules::{BlockOrder, EntryRule, IssueRule, PolicyRules};
pub use turning::Turning;

use clusters::ClusterRules;
use device::Management;
use domains::DomainRules;
use ends::Ends;
use groups::GroupRules;
use held::Held;
use ikra::IkraRules;
use issue::{Issued, Turn};
use limits::Limits;
use nesting::NestingRules;
use occupant::Occupant;
use partitions::PartitionRules;
use priority::{BoundPools, PriorityRules};
use triggers::TriggerRules;

use crate::ikra::IkraConfig;
use crate::port::{
    Dispatch, FloorPlan, GroupStorage, Inputs, KernelEntry, KernelLaunch, LaunchMode, Outputs,
    SmxLimits, KERNEL_ENTRIES,
};

/// See the module.
#[derive(Clone, PartialEq)]
pub struct Invariants {
    limits: SmxLimits,
    rules: PolicyRules,
    turn: Turn,
    /// Of DYNCTA, where the policy has it.
    throttle: Option<Limits>,
    entries: [Option<Occupant>; KERNEL_ENTRIES],
    /// Without groups.
    ends: Option<Ends>,
    /// The entry after the one that was taken last.
    next_entry: usize,
    smxs: Vec<Held>,
    /// With launches from the device.
    management: Option<Management>,
    /// With aggregated groups.
    groups: Option<GroupRules>,
    /// With priority queues.
    priority: Option<PriorityRules>,
    /// With chunks and steal queues, and kernels one after the other.
    ikra: Option<IkraRules>,
    /// With chunks and steal queues, and levels of kernels.
    nesting: Option<NestingRules>,
    /// With clusters of blocks.
    clusters: Option<ClusterRules>,
    /// With partitions of the SMXs.
    partitions: Option<PartitionRules>,
    /// With kernels that wait for triggers.
    triggers: Option<TriggerRules>,
    /// With domains of the SMXs.
    domains: Option<DomainRules>,
    /// The blocks of one cycle; kept between calls so that a check allocates nothing.
    dispatched: Vec<Issued>,
}

impl Invariants {
    /// A GPU of `smx` SMXs with these `limits`, after reset, under a policy that promises `rules`.
    pub fn new(limits: SmxLimits, smx: usize, rules: PolicyRules) -> Self {
        let slots = limits.thread_block_slots;
        Self {
            limits,
            rules,
            turn: Turn::new(&rules, smx),
            throttle: rules.dyncta.map(|config| {
                let steals = matches!(rules.ikra, Some(IkraConfig::Steal(_)));
                Limits::new(config, smx, slots, steals)
            }),
            entries: [const { None }; KERNEL_ENTRIES],
            ends: None,
            next_entry: 0,
            smxs: vec![Held::default(); smx],
            management: None,
            groups: None,
            priority: None,
            ikra: rules.ikra.and_then(|config| match config.nesting() {
                None => Some(IkraRules::new(config, smx)),
                Some(_) => None,
            }),
            nesting: rules.ikra.and_then(|config| config.nesting()).map(NestingRules::new),
            clusters: rules
                .clusters
                .map(|policy| ClusterRules::new(policy, rules.gated, &smx.into())),
            partitions: rules.partitions.then(|| PartitionRules::new(&smx.into())),
            triggers: rules.triggers.then(|| TriggerRules::new(smx)),
            domains: rules.domains.map(|config| DomainRules::new(config, &smx.into())),
            dispatched: Vec::new(),
        }
        .launching(LaunchMode::Flat, 1)
    }

    /// The same where the SMXs belong together as `plan` says; all of them, unless this is called.
    /// To be called before the first cycle.
    #[must_use]
    pub fn on(mut self, plan: &FloorPlan) -> Self {
        self.clusters = self.clusters.map(|clusters| clusters.on(plan));
        self.partitions = self.partitions.map(|_| PartitionRules::new(plan));
        self.domains = self.domains.map(|domains| domains.on(plan));
        self
    }

    /// The same with launches from the device under `mode`, and groups in `storage`.
    #[must_use]
    pub fn launching(mut self, mode: LaunchMode, storage: impl Into<GroupStorage>) -> Self {
        let slots = self.limits.thread_block_slots as usize;
        let smx = self.smxs.len();
        let soon = self.rules.laperm.is_none() && self.rules.domains.is_none();
        self.ends = (soon && mode != LaunchMode::Dtbl).then(Ends::new);
        if let Some(config) = self.rules.laperm {
            // Its ports and registers are there under every mode.
            self.management = Some(Management::bound(BoundPools::new(&config, smx)));
            self.groups = Some(GroupRules::new(None, smx, slots));
            self.priority = Some(PriorityRules::new(config, smx, mode, self.rules.gated));
            return self;
        }
        if let Some(nesting) = self.rules.ikra.and_then(|config| config.nesting()) {
            let pools = BoundPools::new(&nesting.pools(), smx);
            self.management = Some(Management::bound(pools));
            return self;
        }
        self.management = (mode != LaunchMode::Flat).then(Management::default);
        self.groups =
            (mode == LaunchMode::Dtbl).then(|| GroupRules::new(Some(storage.into()), smx, slots));
        if self.rules.slots {
            self.groups = Some(GroupRules::new(None, smx, slots));
        }
        self
    }

    /// Checks one cycle.
    ///
    /// # Errors
    /// The first broken rule, with the numbers that break it.
    pub fn check(&mut self, inputs: &Inputs, outputs: &Outputs) -> Result<(), String> {
        let answers = outputs.dispatch.len();
        if answers != self.smxs.len() || inputs.finished.len() != self.smxs.len() {
            return Err(format!("{answers} dispatch ports for {} SMXs", self.smxs.len()));
        }
        if let Some(samples) = inputs.samples.as_ref().map(Vec::len) {
            if samples != self.smxs.len() {
                return Err(format!("{samples} samples for {} SMXs", self.smxs.len()));
            }
        }
        self.check_entries(inputs, outputs)?;
        self.check_question(inputs, outputs)?;
        if let Some(groups) = &mut self.groups {
            groups.end_blocks(inputs)?;
        }
        for (smx, finished) in inputs.finished.iter().enumerate() {
            if let Some(entry) = finished {
                self.finish(smx, *entry)?;
            }
        }
        match &mut self.triggers {
            Some(triggers) => triggers.trigger(inputs, &self.smxs)?,
            None if !inputs.triggered.is_empty() => {
                return Err("triggers for a scheduler that does not look at them".to_owned());
            }
            None => {}
        }
        match &self.throttle {
            Some(throttle) => throttle.check_stated(&outputs.running_limits)?,
            None => limits::none_stated(&outputs.running_limits)?,
        }
        if let Some(throttle) = &mut self.throttle {
            for (smx, held) in self.smxs.iter().enumerate() {
                throttle.staying(smx, held.slots);
            }
        }
        self.check_priority(inputs, outputs)?;
        let due = self.must_dispatch();
        for (smx, dispatch) in outputs.dispatch.iter().enumerate() {
            if let Some(dispatch) = dispatch {
                self.dispatch(smx, dispatch)?;
            }
        }
        self.check_answer(inputs, outputs)?;
        self.check_order()?;
        if let Some(groups) = &mut self.groups {
            groups.check(inputs, outputs, &mut self.entries, self.turn.head())?;
        }
        for issued in &mut self.dispatched {
            let occupant = self.entries[issued.kernel.index()].as_ref();
            issued.blocks = occupant.map_or(0, Occupant::blocks);
        }
        match (&mut self.partitions, &mut self.domains) {
            (Some(partitions), _) => partitions.check(&self.dispatched, |entry| {
                self.entries[entry.index()].as_ref().map(|occupant| occupant.launch)
            })?,
            (None, Some(domains)) => domains.check(&self.dispatched)?,
            (None, None) => self.turn.check(&mut self.dispatched)?,
        }
        // A cluster that is cancelled goes nowhere; it has been checked with the answer.
        if let (Some(clusters), None) = (&mut self.clusters, outputs.cancelled) {
            clusters.check(&self.dispatched, |entry| self.entries[entry.index()].as_ref())?;
        }
        self.check_idle(due)?;
        self.dispatched.clear();
        if let Some(ends) = &mut self.ends {
            ends.check(&self.entries, outputs.finished_kernels)?;
        }
        if let Some(ikra) = &mut self.ikra {
            ikra.check(inputs, outputs)?;
        }
        // At the clock edge: entries are released and taken, limits follow the samples.
        let entries = &self.entries;
        let has_blocks = |entry: KernelEntry| {
            entries[entry.index()].as_ref().is_some_and(|occupant| occupant.left() > 0)
        };
        if let Some(triggers) = &mut self.triggers {
            let mark = triggers.clock(entering(inputs, outputs).next(), entries)?;
            self.turn.clock(outputs, mark.into_iter(), has_blocks);
        } else if let Some(partitions) = &mut self.partitions {
            partitions.clock(has_blocks, entering(inputs, outputs));
        } else if let Some(domains) = &mut self.domains {
            domains.clock(entering(inputs, outputs));
        } else {
            self.turn.clock(outputs, entering(inputs, outputs), has_blocks);
        }
        if let Some(management) = &mut self.management {
            management.clock(inputs, outputs);
        }
        if let (Some(throttle), Some(samples)) = (&mut self.throttle, &inputs.samples) {
            throttle.sample(samples);
        }
        for entry in 0..KERNEL_ENTRIES {
            if outputs.finished_kernels >> entry & 1 == 1 {
                self.entries[entry] = None;
            }
        }
        for (launch, entry) in entering(inputs, outputs) {
            let in_order = self.priority.is_none();
            self.entries[entry.index()] = Some(Occupant::new(launch, in_order));
            self.next_entry = (entry.index() + 1) % KERNEL_ENTRIES;
        }
        Ok(())
    }

    /// Which block goes where with priority queues or levels of kernels, and what happens to these.
    fn check_priority(&mut self, inputs: &Inputs, outputs: &Outputs) -> Result<(), String> {
        let Self { priority, nesting, entries, smxs, limits, .. } = self;
        let Some(priority) = priority else {
            return match nesting {
                Some(nesting) => nesting.check(inputs, outputs),
                None => priority::check_absent(outputs),
            };
        };
        let fits = |smx: usize, kernel: KernelEntry| {
            let needs = entries[kernel.index()].as_ref().map(|occupant| occupant.launch.needs);
            needs.is_some_and(|needs| smxs[smx].has_room(needs, *limits))
        };
        priority.check(inputs, outputs, fits)
    }

    fn finish(&mut self, smx: usize, entry: KernelEntry) -> Result<(), String> {
        let held = &mut self.smxs[smx];
        let (1.., Some(occupant)) = (held.blocks_of(entry), &mut self.entries[entry.index()])
        else {
            return Err(format!("a block of entry {} ends on SMX {smx}, which has none", entry.0));
        };
        occupant.running -= 1;
        held.give_back(entry, occupant.launch.needs);
        Ok(())
    }

    fn dispatch(&mut self, smx: usize, dispatch: &Dispatch) -> Result<(), String> {
        let Dispatch { kernel, block, group, .. } = *dispatch;
        let Some(occupant) = self.entries.get_mut(kernel.index()).and_then(Option::as_mut) else {
            return Err(format!("SMX {smx} receives a block of entry {}, which is free", kernel.0));
        };
        let id = occupant.mark(block, group).map_err(|what| {
            let of = group.map_or(String::new(), |group| format!(" of {group:?}"));
            format!("block {block}{of} of entry {} {what}", kernel.0)
        })?;
        match &mut self.groups {
            Some(groups) => groups.dispatch(smx, dispatch)?,
            None if dispatch.slot != 0 => {
                return Err(format!("SMX {smx} receives a block in slot {}", dispatch.slot));
            }
            None => {}
        }
        if let Some(partitions) = &self.partitions {
            partitions.check_smx(smx, &occupant.launch)?;
        }
        if let Some(triggers) = &mut self.triggers {
            triggers.dispatch(smx, kernel)?;
        }
        occupant.running += 1;
        let needs = occupant.launch.needs;
        if self.rules.most_room && !self.rules.gated {
            let room = |smx: &usize| self.smxs[*smx].room_in_blocks(needs, self.limits);
            let may =
                |smx: &usize| self.groups.as_ref().is_none_or(|groups| groups.may_go_to(*smx));
            let most = (0..self.smxs.len()).filter(may).max_by_key(room).unwrap_or(smx);
            if room(&smx) < room(&most) {
                let (fit, more) = (room(&smx), room(&most));
                return Err(format!(
                    "SMX {smx} receives a block of which {fit} fit, but {more} fit SMX {most}"
                ));
            }
        }
        let held = &mut self.smxs[smx];
        if let Some(throttle) = &mut self.throttle {
            throttle.check(smx, held.slots)?;
        }
        let resident = held.take(kernel, needs);
        self.dispatched.push(Issued { smx, kernel, id, blocks: 0, resident });
        for (what, used, limit) in [
            ("threads", held.threads, self.limits.threads),
            ("registers", held.registers, self.limits.registers),
            ("bytes of shared memory", held.shared_memory, self.limits.shared_memory),
            ("thread-block slots", held.slots, self.limits.thread_block_slots),
        ] {
            if used > u64::from(limit) {
                let entry = kernel.0;
                return Err(format!(
                    "SMX {smx} is over-committed by block {block} of entry {entry}: {used} of {limit} {what}"
                ));
            }
        }
        Ok(())
    }

    /// With [`BlockOrder::Increasing`], no kernel may have a gap when all blocks of a cycle are
    /// taken together.
    fn check_order(&self) -> Result<(), String> {
        for &Issued { kernel, id, .. } in &self.dispatched {
            let occupant = self.entries[kernel.index()].as_ref().expect("it was dispatched from");
            let expected = occupant.next();
            if self.rules.order == BlockOrder::Increasing && id >= expected {
                let entry = kernel.0;
                return Err(format!(
                    "entry {entry} dispatched block {id} out of order: {expected} was to come first"
                ));
            }
        }
        Ok(())
    }
}

/// The kernels that enter the Kernel Distributor in this cycle, with their entries.
fn entering(
    inputs: &Inputs,
    outputs: &Outputs,
) -> impl Iterator<Item = (KernelLaunch, KernelEntry)> {
    let host = inputs.launch.zip(outputs.launch_ready);
    let record = inputs.device.management.record.zip(outputs.device.management.record_entry);
    host.into_iter().chain(record)
}

#[cfg(test)]
mod tests;
