//! Twin of `ikra/nested_scheduler`: the whole of `ikra/steal` with levels of kernels, behind the
//! Kernel Management Unit with bound pools; the same under every launch mode.
//!
//! Latency: host launch to first dispatch 2 cycles, 65 when chunks are assigned; record to first
//! dispatch 2 cycles; last finish to `finished_kernels` 1 cycle; finish to refill 0 cycles; a block
//! that is stolen, and every refusal before it, 2 cycles.

use super::super::admission::{GateEvents, Gates, ANY_KERNEL};
use super::super::dispatch::{ResourceTable, ResourceTableInputs};
use super::super::kmu::KernelAdmissionInputs;
use super::super::laperm::{ManagementUnit, ManagementUnitInputs};
use super::super::{mask, AdmissionGate, PerSmx, SmxMask, Twin};
use super::host_level::HostLevel;
use super::nested_steps::{Answers, Known, LevelInputs, Step};
use super::{
    ChildLevel, ChildLevelInputs, NestedKernels, NestedKernelsInputs, NestedKernelsOutputs,
    NestedThief, NestedThiefInputs, NestedThiefOutputs, Nesting,
};
use crate::port::{
    Activity, BlockNeeds, Dispatch, Inputs, KernelEntry, Outputs, QueuePlace, Scheduler, SmxLimits,
    MAX_SMX,
};

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct NestedScheduler {
    smx: usize,
    nesting: Nesting,
    unit: ManagementUnit,
    kernels: NestedKernels,
    hosts: HostLevel,
    /// Level 1 first.
    children: Vec<ChildLevel>,
    thieves: Vec<NestedThief>,
    /// Of each SMX.
    resources: Vec<ResourceTable>,
    gates: Gates,
}

impl NestedScheduler {
    /// A scheduler for `smx` SMXs after reset, whose steal queues have `queue` entries each.
    ///
    /// # Panics
    /// When `smx` is not in 1 to [`MAX_SMX`].
    pub fn new(
        smx: usize,
        limits: SmxLimits,
        nesting: Nesting,
        queue: u8,
        gates: Vec<Box<dyn AdmissionGate>>,
    ) -> Self {
        assert!((1..=MAX_SMX).contains(&smx), "{smx} SMXs: expected 1 to {MAX_SMX}");
        let (levels, entries) = (nesting.levels(), usize::from(queue));
        let thief = |number| NestedThief::new(number, smx, levels);
        Self {
            smx,
            nesting,
            unit: ManagementUnit::new(&nesting.pools(), smx),
            kernels: NestedKernels::new(smx),
            hosts: HostLevel::new(smx, entries),
            children: vec![ChildLevel::new(smx, entries); usize::from(levels) - 1],
            thieves: (0..smx).map(thief).collect(),
            resources: vec![ResourceTable::new(1, limits); smx],
            gates: Gates::new(gates),
        }
    }

    /// What follows from the state, and what is asked of it.
    fn known(&self, inputs: &NestedKernelsInputs) -> Known {
        let thief = |thief: &NestedThief| thief.evaluate(&NestedThiefInputs::default());
        let thieves: Vec<_> = self.thieves.iter().map(thief).collect();
        let asked = self.requests(&thieves);
        let level = |(level, inputs): (&ChildLevel, &ChildLevelInputs)| level.evaluate(inputs);
        Known {
            kernels: self.kernels.evaluate(inputs),
            hosts: self.hosts.owned(),
            children: self.children.iter().zip(&asked).map(level).collect(),
            thieves,
        }
    }

    /// What thieves ask of each level from 1 on.
    fn requests(&self, thieves: &[NestedThiefOutputs]) -> Vec<ChildLevelInputs> {
        let of = |level: usize| {
            let asks = |thief: &NestedThiefOutputs| thief.asks && usize::from(thief.level) == level;
            let loot = |thief: &NestedThiefOutputs| {
                thief.loot.filter(|_| usize::from(thief.loot_level) == level)
            };
            ChildLevelInputs {
                asks: thieves.iter().map(asks).collect(),
                victim: thieves.iter().map(|thief| thief.victim).collect(),
                from_chunk: thieves.iter().map(|thief| thief.from_chunk).collect(),
                arrives: thieves.iter().map(loot).collect(),
                owed: thieves.iter().map(|thief| Some(loot(thief)?.home)).collect(),
                ..Default::default()
            }
        };
        (1..=self.children.len()).map(of).collect()
    }

    /// Whether a block with these needs fits on `smx`, on which a block ends that returns `freed`.
    fn resources_of(
        &self,
        smx: usize,
        needs: BlockNeeds,
        freed: Option<BlockNeeds>,
    ) -> (ResourceTableInputs, bool) {
        let of_block = PerSmx::all(freed.unwrap_or_default());
        let mut inputs = ResourceTableInputs { needs, freed: of_block, ..Default::default() };
        inputs.finished.set(0, freed.is_some());
        let room = self.resources[smx].evaluate(&inputs).room[0];
        (inputs, room)
    }

    /// What each SMX does: rules 25 and 26. Gates keep own blocks back here; who has a request at
    /// its victim was allowed when it sent that (rule 31).
    fn steps(
        &self,
        known: &Known,
        inputs: &Inputs,
        allowed: SmxMask,
    ) -> (Vec<Step>, Vec<ResourceTableInputs>) {
        let (mut steps, mut resources) = (Vec::new(), Vec::new());
        for smx in 0..self.smx {
            let freed = inputs.finished[smx].map(|_| known.kernels.freed[smx]);
            let step = known.step(smx);
            let needs = match step {
                Step::Arrives(loot) => self.kernels.needs(loot.kernel),
                Step::Asks { needs } | Step::Own { needs, .. } => needs,
                Step::Rests => BlockNeeds::default(),
            };
            let (mut table, room) = self.resources_of(smx, needs, freed);
            let step = match step {
                Step::Own { .. } | Step::Asks { .. } if !room => Step::Rests,
                Step::Own { .. } if !allowed[smx] => Step::Rests,
                step => step,
            };
            table.take.set(0, matches!(step, Step::Arrives(_) | Step::Own { .. }));
            steps.push(step);
            resources.push(table);
        }
        (steps, resources)
    }

    fn reset(&mut self) -> Activity {
        let reset = true;
        let entries = KernelAdmissionInputs { reset, ..Default::default() };
        let mut edges = vec![
            self.unit.clock(&ManagementUnitInputs { entries, ..Default::default() }),
            self.kernels.clock(&NestedKernelsInputs { reset, ..Default::default() }),
            self.hosts.reset(),
            self.gates.reset(),
        ];
        for level in &mut self.children {
            edges.push(level.clock(&ChildLevelInputs { reset, ..Default::default() }));
        }
        for thief in &mut self.thieves {
            edges.push(thief.clock(&NestedThiefInputs { reset, ..Default::default() }));
        }
        for table in &mut self.resources {
            edges.push(table.clock(&ResourceTableInputs { reset, ..Default::default() }));
        }
        Activity::any(edges)
    }
}

/// The first device kernel in line leaves it (rule 23).
#[derive(Clone, Copy, Debug, Default)]
struct ChildCourse {
    /// It has no blocks, and ends.
    ends: bool,
    /// It begins.
    begins: bool,
}

impl ChildCourse {
    fn of(kernels: &NestedKernelsOutputs, known: &[ChildLevel]) -> Self {
        if kernels.child.is_none() {
            return Self::default();
        }
        let level = known.get(usize::from(kernels.child_level).wrapping_sub(1));
        let free = level.is_some_and(|level| !level.is_taken(kernels.child_home));
        Self { ends: kernels.child_empty, begins: !kernels.child_empty && free }
    }
}

impl Scheduler for NestedScheduler {
    fn smx(&self) -> usize {
        self.smx
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        outputs.clear(inputs, self.smx);
        if inputs.reset {
            return self.reset();
        }

        // What reaches the table of kernels: a record is always accepted.
        let parents = &inputs.device.parents;
        let placed = inputs
            .device
            .management
            .device_launch
            .then(|| self.nesting.place(parents.launch_parent));
        let mut unit_inputs = ManagementUnitInputs {
            entries: KernelAdmissionInputs {
                launch: inputs.launch,
                queue: inputs.device.management.work_queue,
                suspend: inputs.device.management.suspend,
                record: inputs.device.management.record,
                ..Default::default()
            },
            device_launch: placed,
        };
        let decided = self.unit.evaluate(&unit_inputs);
        let of_host = QueuePlace::default();
        let place = inputs.device.management.record.map_or(of_host, |_| parents.record_place);
        let mut kernel_inputs = NestedKernelsInputs {
            launch: decided.offer,
            home: place.queue.into(),
            level: place.level,
            lookup: inputs.lookup,
            ..Default::default()
        };
        kernel_inputs.finished = inputs.finished.iter().copied().collect();

        // Who gets what.
        let known = self.known(&kernel_inputs);
        let finished = mask::of((0..self.smx).filter(|&smx| inputs.finished[smx].is_some()));
        let allowed = self.gates.allow(ANY_KERNEL, mask::of(0..self.smx), 0, finished);
        let (steps, resources) = self.steps(&known, inputs, allowed);
        let mut taken = SmxMask::ZERO;
        for (smx, step) in steps.iter().enumerate() {
            let (kernel, block) = match *step {
                Step::Arrives(loot) => (loot.kernel, loot.block),
                Step::Own { kernel, block, .. } => (kernel, block),
                Step::Asks { .. } | Step::Rests => continue,
            };
            outputs.dispatch[smx] = Some(Dispatch { kernel, block, ..Default::default() });
            kernel_inputs.dispatched[smx] = Some(kernel);
            taken.set(smx, true);
        }

        // What the levels are told, and answer.
        let mut levels = LevelInputs::of(&known, self.requests(&known.thieves), &steps);
        let of_children = self.children.iter().zip(&levels.children);
        let answers = Answers {
            hosts: self.hosts.answers(&known.hosts, &levels.hosts),
            children: of_children.map(|(level, inputs)| level.evaluate(inputs)).collect(),
        };

        // What becomes of kernels.
        let host_owed = known.thieves.iter().any(|t| t.loot.is_some() && t.loot_level == 0);
        let course = self.hosts.control(&known.kernels, &known.hosts, host_owed);
        let child = ChildCourse::of(&known.kernels, &self.children);
        let bit = |entry: Option<KernelEntry>| entry.map_or(0, |entry| 1 << entry.index());
        let mut ends = answers.children.iter().fold(0, |ends, level| ends | level.ends);
        if course.finish {
            ends |= bit(known.kernels.host);
        }
        if child.ends {
            ends |= bit(known.kernels.child);
        }
        if child.begins {
            levels.begin(&known.kernels);
        }

        let entry = known.kernels.launch_ready;
        outputs.launch_ready = entry.filter(|_| decided.host_ready);
        outputs.finished_kernels = ends;
        outputs.context = known.kernels.kernel_context;
        outputs.device.management.record_entry =
            entry.filter(|_| inputs.device.management.record.is_some());
        outputs.device.management.inspect = decided.inspect;
        outputs.device.management.fetch_record = decided.fetch;
        outputs.device.parents.fetch_place = decided.fetch_place;
        outputs.device.parents.launch_place = placed.unwrap_or_default();

        // The clock edge.
        let events = GateEvents {
            taken: (ANY_KERNEL, taken),
            entered: decided.offer.as_ref().zip(entry),
            coalesced: None,
            finished,
            samples: inputs.samples.as_deref(),
        };
        let mut activity = self.gates.clock(&events);
        let child_begins = child.begins.then_some(known.kernels.child_level);
        let begins = course.begins.then_some(0).into_iter().chain(child_begins).min();
        for (smx, thief) in self.thieves.iter_mut().enumerate() {
            let (granted, refused) = answers.to(smx, &known, &levels.hosts);
            activity |= thief.clock(&NestedThiefInputs {
                reset: false,
                begins,
                ends: inputs.finished[smx].is_some(),
                hungry: known.is_hungry(smx) && allowed[smx],
                granted,
                refused,
                // Who asks rests only for want of room.
                no_room: refused && steps[smx] == Step::Rests,
            });
        }
        for (level, inputs) in self.children.iter_mut().zip(&levels.children) {
            activity |= level.clock(inputs);
        }
        activity |= self.hosts.clock(&known.kernels, host_owed, levels.hosts);
        for (table, inputs) in self.resources.iter_mut().zip(&resources) {
            activity |= table.clock(inputs);
        }
        unit_inputs.entries.launch_entry = entry.unwrap_or_default();
        unit_inputs.entries.finished_kernels = ends;
        activity |= self.unit.clock(&unit_inputs);
        kernel_inputs.ends = ends;
        kernel_inputs.host_pop = course.finish;
        kernel_inputs.child_pop = child.ends || child.begins;
        activity |= self.kernels.clock(&kernel_inputs);
        activity
    }

    fn explain(&self) -> String {
        let known = self.known(&NestedKernelsInputs::default());
        let full: Vec<_> = (0..self.smx).filter(|&smx| !known.is_hungry(smx)).collect();
        let left = format!("something is left in chunks or queues of SMXs {full:?}");
        let lines = [self.unit.explain(), self.kernels.explain(), left].into_iter();
        lines.chain(self.gates.explain(ANY_KERNEL)).collect::<Vec<_>>().join("\n")
    }
}

impl Twin for NestedScheduler {
    fn gates_mut(&mut self) -> &mut Gates {
        &mut self.gates
    }
}

#[cfg(test)]
mod tests;
