//! Four kernels of which each block runs for a stated time: what a test bench can do by itself.
//!
//! The rules, which the bench of the kit follows on its own:
//!
//! 1. The kernels are offered in order, each until it is accepted, the first one in the first cycle
//!    after reset.
//! 2. A block dispatched in cycle `c` that runs for `d` cycles ends in `c + d`, or in the first
//!    later cycle in which no earlier block ends on its SMX: by the cycle in which they are due,
//!    then by that of their dispatch.
//! 3. Kernel `i` comes from hardware work queue `i`; the number of a cycle is counted from the end
//!    of the reset.
//! 4. Where blocks trigger, each does when it ends.
//! 5. Nothing else happens. The run is over when all kernels have ended.

use super::recording::Recorder;
use super::{KitError, KitSpec};
use crate::engine::Lockstep;
use crate::replay::{self, PortTrace};
use blockyard_sim::port::{
    BlockNeeds, Dim3, Dispatch, Inputs, KernelEntry, KernelLaunch, Outputs, Scheduler,
    KERNEL_ENTRIES,
};
use blockyard_sim::sched::{self, invariants::Invariants};
use std::collections::VecDeque;

/// A run that takes longer is stuck: thirty times what four kernels take on 144 SMXs of one slot
/// each.
const MOST_CYCLES: u64 = 200_000;

/// Cycles behind the last end.
const QUIET_CYCLES: u64 = 4;

/// A kernel, and for how many cycles each of its blocks runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// What the host launches.
    pub launch: KernelLaunch,
    /// Cycles from a block's dispatch to its end.
    pub duration: u64,
}

/// A recording, and what it is of.
pub struct ClosedLoop {
    /// The kernels, in the order in which they are offered.
    pub kernels: Vec<Planned>,
    /// The cycle of the recording in which each of them is offered for the first time.
    pub offered: Vec<usize>,
    /// The recording.
    pub trace: PortTrace,
}

/// The kernels: more blocks than SMXs in one, two and three dimensions, and a single block of one
/// cycle. What they need lets several blocks share an SMX, or fills it by registers or by shared
/// memory.
fn kernels(spec: &KitSpec) -> Vec<Planned> {
    let (smx, limits) = (spec.plan.smx() as u32, spec.limits);
    let kernel = |number: u32, grid: Dim3, block: Dim3, needs: BlockNeeds, duration| Planned {
        launch: KernelLaunch {
            entry_pc: 0x1000 * (number + 1),
            parameter_address: 0x8000_0000 + 0x100 * number,
            grid,
            block,
            blocks: grid.volume() as u32,
            needs: BlockNeeds {
                threads: block.volume().min(limits.threads.into()) as u32,
                ..needs
            },
            ..KernelLaunch::default()
        },
        duration,
    };
    let none = BlockNeeds::default();
    let registers = BlockNeeds { registers: limits.registers / 2, ..none };
    let shared = BlockNeeds { shared_memory: limits.shared_memory, ..none };
    vec![
        kernel(0, Dim3::new(2 * smx + 1, 1, 1), Dim3::new(64, 1, 1), none, 20),
        kernel(1, Dim3::new(smx, 2, 1), Dim3::new(32, 4, 1), registers, 33),
        kernel(2, Dim3::new(1, 1, 1), Dim3::new(32, 1, 1), none, 1),
        kernel(3, Dim3::new(2, 2, smx), Dim3::new(8, 4, 2), shared, 11),
    ]
}

/// Runs twin and hardware on these kernels.
///
/// # Errors
/// When there is no such hardware, twin and hardware differ, a rule of the ports is broken, or not
/// all kernels end.
pub fn run(spec: &KitSpec) -> Result<ClosedLoop, KitError> {
    let (recorder, hardware) = Recorder::watching(spec)?;
    let KitSpec { composition, launch, storage, plan, limits, .. } = spec;
    let twin = sched::build_for(composition, *launch, *storage, plan.clone(), *limits)
        .map_err(|error| KitError::Twin(error.to_string()))?;
    let ports = replay::ports(hardware.module());
    let has = |name: &str| ports.iter().any(|port| port.base_name() == name);
    let smx = plan.smx();
    let mut rest = Inputs::idle(smx);
    if has("finished_slot") {
        rest.finished_slots = vec![0; smx];
    }
    let mut machine = Machine::new(kernels(spec), smx, has("now"));
    machine.triggers = has("triggered");
    let mut lockstep = Lockstep::new(twin, hardware);
    let mismatch = lockstep.mismatch();
    let mut invariants =
        Invariants::new(*limits, smx, composition.into()).launching(*launch, *storage).on(plan);
    let (mut inputs, mut outputs) = (rest, Outputs::idle(smx));
    let mut quiet = 0;
    for cycle in 0..MOST_CYCLES {
        machine.drive(cycle, &mut inputs);
        lockstep.cycle(&inputs, &mut outputs);
        if let Some(mismatch) = mismatch.borrow_mut().take() {
            return Err(KitError::Run(format!("cycle {cycle}: {}", mismatch.difference)));
        }
        let checked = invariants.check(&inputs, &outputs);
        checked.map_err(|broken| KitError::Run(format!("cycle {cycle}: {broken}")))?;
        machine.observe(cycle, &outputs);
        quiet += u64::from(machine.is_over());
        if quiet == QUIET_CYCLES {
            let trace = recorder.trace(ports);
            let reset = trace.cycles.len() - cycle as usize - 1;
            let offered = machine.offered.iter().map(|&cycle| cycle as usize + reset).collect();
            return Ok(ClosedLoop { kernels: machine.kernels, offered, trace });
        }
    }
    Err(KitError::Run(format!("not all kernels have ended after {MOST_CYCLES} cycles")))
}

/// A block on an SMX.
#[derive(Clone, Copy)]
struct Running {
    due: u64,
    kernel: KernelEntry,
    slot: u8,
}

/// The host and the SMXs.
struct Machine {
    kernels: Vec<Planned>,
    /// In which cycle each was offered first.
    offered: Vec<u64>,
    accepted: usize,
    ended: usize,
    /// For how long the blocks run of the kernel that is in an entry.
    durations: [u64; KERNEL_ENTRIES],
    /// What each SMX runs, what ends first in front.
    running: Vec<VecDeque<Running>>,
    timed: bool,
    triggers: bool,
}

impl Machine {
    fn new(kernels: Vec<Planned>, smx: usize, timed: bool) -> Self {
        let running = vec![VecDeque::new(); smx];
        let durations = [0; KERNEL_ENTRIES];
        let (offered, accepted, ended, triggers) = (vec![], 0, 0, false);
        Self { kernels, offered, accepted, ended, durations, running, timed, triggers }
    }

    fn drive(&mut self, cycle: u64, inputs: &mut Inputs) {
        inputs.launch = self.kernels.get(self.accepted).map(|planned| planned.launch);
        if inputs.launch.is_some() {
            inputs.device.management.work_queue = self.accepted as u8;
            if self.offered.len() == self.accepted {
                self.offered.push(cycle);
            }
        }
        inputs.clock = self.timed.then_some(cycle);
        for (smx, running) in self.running.iter_mut().enumerate() {
            let ends = running.front().is_some_and(|block| block.due <= cycle);
            let ended = if ends { running.pop_front() } else { None };
            inputs.finished[smx] = ended.map(|block| block.kernel);
            if let (Some(slot), Some(block)) = (inputs.finished_slots.get_mut(smx), ended) {
                *slot = block.slot;
            }
        }
        if self.triggers {
            inputs.triggered.clone_from(&inputs.finished);
        }
    }

    fn observe(&mut self, cycle: u64, outputs: &Outputs) {
        for (running, block) in self.running.iter_mut().zip(&outputs.dispatch) {
            let Some(Dispatch { kernel, slot, .. }) = *block else { continue };
            let due = cycle + self.durations[usize::from(kernel.0)];
            let behind = running.partition_point(|block| block.due <= due);
            running.insert(behind, Running { due, kernel, slot });
        }
        if let Some(entry) = outputs.launch_ready.filter(|_| self.accepted < self.kernels.len()) {
            self.durations[usize::from(entry.0)] = self.kernels[self.accepted].duration;
            self.accepted += 1;
        }
        self.ended += outputs.finished_kernels.count_ones() as usize;
    }

    fn is_over(&self) -> bool {
        self.ended == self.kernels.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family;
    use blockyard_sim::port::{GroupStorage, SmxLimits};
    use blockyard_sim::sched::Composition;

    fn spec(composition: Composition, launch: blockyard_sim::port::LaunchMode) -> KitSpec {
        let limits = SmxLimits {
            threads: 1536,
            registers: 32_768,
            shared_memory: 49_152,
            thread_block_slots: 8,
        };
        let (storage, about) = (GroupStorage { table: 16, ahead: 4 }, String::new());
        KitSpec { composition, launch, storage, plan: 2.into(), limits, seed: 1, cycles: 1, about }
    }

    #[test]
    fn the_four_kernels_end_under_every_scheduler() {
        for (composition, launch) in family::everything() {
            let name = composition.to_string();
            let ended = run(&spec(composition, launch));
            let ClosedLoop { kernels, offered, trace } =
                ended.unwrap_or_else(|error| panic!("{name} {launch:?}: {error}"));
            assert_eq!((kernels.len(), offered.len()), (4, 4), "{name}");
            // Two cycles of reset come before the first offer.
            assert_eq!(offered[0], 2, "{name}");
            assert!(trace.cycles.len() > 60, "{name}: {} cycles", trace.cycles.len());
        }
    }

    #[test]
    fn what_ends_together_ends_in_the_order_of_its_dispatch_one_block_a_cycle() {
        let composition: Composition = "rr".parse().expect("a scheduler");
        let spec = spec(composition, blockyard_sim::port::LaunchMode::Flat);
        let mut machine = Machine::new(kernels(&spec), 1, false);
        machine.durations = [3; KERNEL_ENTRIES];
        machine.durations[1] = 2;
        let (mut inputs, mut ends) = (Inputs::idle(1), vec![]);
        // Of entry 0 in cycle 0, of entry 1 in cycle 1: both are due in 3, and the one of entry 2
        // in 4.
        for cycle in 0..7 {
            machine.drive(cycle, &mut inputs);
            ends.push(inputs.finished[0].map(|entry| entry.0));
            let mut outputs = Outputs::idle(1);
            let block = Dispatch { kernel: KernelEntry(cycle as u8), ..Dispatch::default() };
            outputs.dispatch[0] = (cycle < 3).then_some(block);
            if cycle == 2 {
                machine.durations[2] = 2;
            }
            machine.observe(cycle, &outputs);
        }
        assert_eq!(ends, [None, None, None, Some(0), Some(1), Some(2), None]);
    }
}
