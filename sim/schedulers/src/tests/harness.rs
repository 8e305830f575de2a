//! A GPU whose blocks take a given number of cycles, for testing schedulers by themselves.

use super::super::{build, build_for, Composition};
use crate::invariants::{Invariants, PolicyRules};
use crate::port::*;
use crate::SmxMask;
use std::collections::VecDeque;

pub(crate) const LIMITS: SmxLimits =
    SmxLimits { threads: 2048, registers: 65536, shared_memory: 49152, thread_block_slots: 16 };

/// Numbers of SMXs at both sides of what a word holds, those of GPUs, and the largest one.
pub(crate) const SMXS: [usize; 10] = [1, 13, 31, 32, 33, 64, 65, 128, 132, 144];

/// No SMX limit but the number of slots.
pub(crate) fn slots(thread_block_slots: u32) -> SmxLimits {
    SmxLimits { thread_block_slots, ..LIMITS }
}

/// A kernel of a one-dimensional grid whose blocks need a slot and a thread.
pub(crate) fn kernel(blocks: u32) -> KernelLaunch {
    grid(Dim3::new(blocks, 1, 1))
}

pub(crate) fn grid(grid: Dim3) -> KernelLaunch {
    KernelLaunch {
        grid,
        block: Dim3::new(1, 1, 1),
        blocks: grid.volume() as u32,
        needs: BlockNeeds { threads: 1, registers: 0, shared_memory: 0 },
        ..KernelLaunch::default()
    }
}

/// A block went to an SMX. `kernel` counts accepted launches, `block` is the linear id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Issue {
    pub(crate) cycle: u64,
    pub(crate) smx: usize,
    pub(crate) kernel: usize,
    pub(crate) block: u64,
}

/// A launch, the cycle from which it is offered, and its blocks' durations by linear id (the last
/// one holds for all further blocks).
#[derive(Clone, Debug)]
pub(crate) struct Work {
    pub(crate) arrive: u64,
    pub(crate) launch: KernelLaunch,
    pub(crate) durations: Vec<u64>,
    /// Cycles after its dispatch in which each block triggers; `None`, and where that is beyond it:
    /// at its end.
    pub(crate) trigger: Option<u64>,
    /// A block asks for another one when its work is done, which takes so many cycles less when it
    /// was not dispatched; `None`: it ends then.
    pub(crate) setup: Option<u64>,
    /// Which of the works it follows, if that is in the Kernel Distributor when it is offered.
    pub(crate) follows: Option<usize>,
}

impl Work {
    pub(crate) fn new(arrive: u64, launch: KernelLaunch, durations: &[u64]) -> Self {
        Self {
            arrive,
            launch,
            durations: durations.to_vec(),
            trigger: None,
            setup: None,
            follows: None,
        }
    }

    fn duration(&self, block: u64) -> u64 {
        self.durations[(block as usize).min(self.durations.len() - 1)]
    }
}

struct Resident {
    end: u64,
    /// Of which work it is, if it does not end in `end` but asks for another block.
    asks: Option<usize>,
    /// The cycle in which it triggers, if it has not; `end` at the latest.
    trigger: Option<u64>,
    slot: u8,
    entry: KernelEntry,
    needs: BlockNeeds,
}

/// What a run did.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) issues: Vec<Issue>,
    /// For each launch, the cycle in which it was accepted and the one in which it finished.
    pub(crate) accepted: Vec<u64>,
    pub(crate) finished: Vec<(usize, u64)>,
    /// Cycle, SMX and kernel of each question, and the block that was the answer.
    pub(crate) answers: Vec<(u64, usize, usize, Option<u64>)>,
    /// Cycles in which a question was held.
    pub(crate) held: Vec<u64>,
    /// Cycle, SMX and kernel of each block's end.
    pub(crate) ends: Vec<(u64, usize, usize)>,
    /// Calls of [`Scheduler::cycle`]; fewer than cycles when quiet ones are skipped.
    pub(crate) simulated: u64,
}

impl Record {
    /// Blocks that each SMX received of a kernel.
    pub(crate) fn share(&self, kernel: usize, smx: usize) -> u64 {
        self.issues.iter().filter(|i| i.kernel == kernel && i.smx == smx).count() as u64
    }
}

/// Cycle, SMX, kernel and block of each dispatch.
pub(crate) fn went(record: &Record) -> Vec<(u64, usize, usize, u64)> {
    let of = |issue: &Issue| (issue.cycle, issue.smx, issue.kernel, issue.block);
    record.issues.iter().map(of).collect()
}

/// A gate with thresholds as small as they can be and differ; a sample every 10 cycles.
pub(crate) const DYNCTA: &str = "+dyncta(period=10,idle=3,low=4,high=6)";
pub(crate) const PERIOD: u64 = 10;
/// Samples, as `(idle, memory)`, that raise its limits, keep them, and lower them.
pub(crate) const MORE: (u16, u16) = (3, 5);
pub(crate) const SAME: (u16, u16) = (2, 5);
pub(crate) const LESS: (u16, u16) = (2, 6);

/// Samples that the SMXs send: every `period` cycles the next row, from the first one again after
/// the last one.
#[derive(Clone, Debug)]
pub(crate) struct Sampling {
    pub(crate) period: u64,
    /// For each period an `(idle, memory)` an SMX; SMXs beyond them repeat the last one.
    pub(crate) rows: Vec<Vec<(u16, u16)>>,
}

impl Sampling {
    pub(crate) fn new(period: u64, rows: &[&[(u16, u16)]]) -> Self {
        Self { period, rows: rows.iter().map(|row| row.to_vec()).collect() }
    }

    /// What `smx` SMXs send in this cycle, if it is the last one of a period.
    pub(crate) fn samples(&self, cycle: u64, smx: usize) -> Option<Vec<CoreSample>> {
        let periods = (cycle + 1) / self.period;
        if !(cycle + 1).is_multiple_of(self.period) {
            return None;
        }
        let row = &self.rows[(periods as usize - 1) % self.rows.len()];
        let of = |smx: usize| row[smx.min(row.len() - 1)];
        Some((0..smx).map(of).map(|(idle, memory)| CoreSample { idle, memory }).collect())
    }

    /// The last cycle of the period that `cycle` is in.
    pub(crate) fn next(&self, cycle: u64) -> u64 {
        cycle / self.period * self.period + self.period - 1
    }
}

/// How to run, beside the work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Setup {
    /// No cycle from this one on is simulated.
    pub(crate) last: u64,
    pub(crate) skip: bool,
    pub(crate) sampling: Option<Sampling>,
    /// What to check in every cycle, from reset on.
    pub(crate) rules: PolicyRules,
    /// SMXs of each GPC; empty: of no shape.
    pub(crate) gpcs: Vec<u32>,
    /// The partitions of the SMXs; empty: one of all.
    pub(crate) partitions: Vec<SmxMask>,
    /// SMXs of each domain; empty: all are one.
    pub(crate) domains: Vec<usize>,
}

impl Setup {
    /// The SMXs as the scheduler is to know them.
    pub(crate) fn plan(&self, smx: usize) -> FloorPlan {
        let mut plan = FloorPlan::new(smx, &self.gpcs);
        if !self.domains.is_empty() {
            plan = plan.in_domains(&self.domains).unwrap();
        }
        match &self.partitions[..] {
            [] => plan,
            partitions => plan.partitioned(partitions).unwrap(),
        }
    }
}

/// Which block on an SMX triggers in `cycle`: the one that ends in it, else the one whose turn it
/// is first.
fn triggers(
    residents: &mut [Resident],
    ended: Option<&Resident>,
    cycle: u64,
) -> Option<KernelEntry> {
    if let Some(ended) = ended.filter(|ended| ended.trigger.is_some()) {
        return Some(ended.entry);
    }
    let due =
        residents.iter_mut().filter(|resident| resident.trigger.is_some_and(|at| at <= cycle));
    let first = due.min_by_key(|resident| resident.trigger)?;
    first.trigger = None;
    Some(first.entry)
}

/// The block that asks for another one in `cycle`, by its SMX and its place there: the one that
/// waits longest, of the lowest SMX.
fn asker(residents: &[Vec<Resident>], cycle: u64) -> Option<(usize, usize)> {
    let all = residents.iter().enumerate().flat_map(|(smx, held)| {
        held.iter().enumerate().map(move |(at, resident)| (smx, at, resident))
    });
    let asks = all.filter(|(.., resident)| resident.asks.is_some() && resident.end <= cycle);
    let first = asks.min_by_key(|&(smx, at, resident)| (resident.end, smx, at));
    first.map(|(smx, at, _)| (smx, at))
}

/// Runs all `work` to its end or to `last` cycles; panics on over-commitment.
pub(crate) fn run(
    scheduler: &mut dyn Scheduler,
    limits: SmxLimits,
    work: &[Work],
    last: u64,
    skip: bool,
) -> Record {
    run_with(scheduler, limits, work, &Setup { last, skip, ..Setup::default() })
}

/// As [`run`], with everything that can be set; panics on a broken invariant.
pub(crate) fn run_with(
    scheduler: &mut dyn Scheduler,
    limits: SmxLimits,
    work: &[Work],
    setup: &Setup,
) -> Record {
    let Setup { last, skip, ref sampling, rules, .. } = *setup;
    let smx = scheduler.smx();
    let slots = rules.slots || rules.laperm.is_some();
    let mut record = Record::default();
    let mut residents: Vec<Vec<Resident>> = (0..smx).map(|_| Vec::new()).collect();
    let mut waiting: VecDeque<usize> = (0..work.len()).collect();
    let mut names = [usize::MAX; KERNEL_ENTRIES];
    let (mut inputs, mut outputs) = (Inputs::idle(smx), Outputs::idle(smx));
    let mut invariants = Invariants::new(limits, smx, rules).on(&setup.plan(smx));
    let mut cycle = 0;
    while record.finished.len() < work.len() && cycle < last {
        let next = waiting.front().copied().filter(|&w| work[w].arrive <= cycle);
        inputs.launch = next.map(|w| KernelLaunch {
            follows: work[w].follows.and_then(|of| {
                let entry = names.iter().position(|&name| name == of)?;
                Some(KernelEntry(entry as u8))
            }),
            ..work[w].launch
        });
        inputs.triggered.clear();
        // Of a hardware work queue of its own, where there are any.
        let queue = next.filter(|_| rules.laperm.is_some());
        inputs.device.management.work_queue = queue.map_or(0, |w| (w % WORK_QUEUES) as u8);
        inputs.clock = rules.slots.then_some(cycle);
        inputs.finished_slots = if slots { vec![0; smx] } else { Vec::new() };
        for (s, resident) in residents.iter_mut().enumerate() {
            let ending = (0..resident.len()).filter(|&i| resident[i].asks.is_none());
            let earliest = ending.min_by_key(|&i| resident[i].end);
            let ended = earliest.filter(|&i| resident[i].end <= cycle).map(|i| resident.remove(i));
            inputs.finished[s] = ended.as_ref().map(|resident| resident.entry);
            record.ends.extend(ended.as_ref().map(|ended| (cycle, s, names[ended.entry.index()])));
            if rules.triggers {
                inputs.triggered.push(triggers(resident, ended.as_ref(), cycle));
            }
            if let (Some(ended), true) = (ended, slots) {
                inputs.finished_slots[s] = ended.slot;
            }
        }
        let asker = asker(&residents, cycle);
        inputs.cancel = asker.map(|(smx, at)| residents[smx][at].entry);
        inputs.samples = sampling.as_ref().and_then(|sampling| sampling.samples(cycle, smx));
        let activity = scheduler.cycle(&inputs, &mut outputs);
        record.simulated += 1;
        if let Err(message) = invariants.check(&inputs, &outputs) {
            panic!("cycle {cycle}: {message}");
        }
        record.held.extend(outputs.cancel_held.then_some(cycle));
        // A question that is held comes again.
        if let Some((smx, at)) = asker.filter(|_| !outputs.cancel_held) {
            let resident = &mut residents[smx][at];
            let kernel = resident.asks.expect("it asks");
            let of = &work[kernel];
            let block = outputs.cancelled.map(|block| block.linear(of.launch.grid));
            record.answers.push((cycle, smx, kernel, block));
            match block {
                Some(block) => {
                    let setup = of.setup.expect("its blocks ask");
                    resident.end = cycle + of.duration(block).saturating_sub(setup).max(1);
                }
                None => (resident.asks, resident.end) = (None, cycle + 1),
            }
        }
        for (smx, dispatch) in outputs.dispatch.iter().enumerate() {
            let Some(Dispatch { kernel: entry, block, slot, .. }) = *dispatch else {
                continue;
            };
            let kernel = names[entry.index()];
            let of = &work[kernel];
            let block = block.linear(of.launch.grid);
            record.issues.push(Issue { cycle, smx, kernel, block });
            let end = cycle + of.duration(block);
            let trigger = Some(of.trigger.map_or(end, |after| end.min(cycle + after)));
            let needs = of.launch.needs;
            let asks = of.setup.map(|_| kernel);
            residents[smx].push(Resident { end, asks, trigger, slot, entry, needs });
            not_overcommitted(&residents[smx], limits);
        }
        for (entry, kernel) in names.iter_mut().enumerate() {
            if outputs.finished_kernels >> entry & 1 == 1 {
                record.finished.push((std::mem::replace(kernel, usize::MAX), cycle));
            }
        }
        if let (Some(w), Some(entry)) = (next, outputs.launch_ready) {
            names[entry.index()] = w;
            record.accepted.push(cycle);
            waiting.pop_front();
        }
        cycle += 1;
        if skip && activity == Activity::Quiet {
            let triggers = residents.iter().flatten().filter_map(|resident| resident.trigger);
            let triggers = triggers.filter(|_| rules.triggers);
            let ends = residents.iter().flatten().map(|resident| resident.end).chain(triggers);
            let arrives = waiting.front().map(|&w| work[w].arrive).filter(|&at| at >= cycle);
            let sampled = sampling.as_ref().map(|sampling| sampling.next(cycle));
            cycle = ends.chain(arrives).chain(sampled).min().unwrap_or(last).max(cycle);
        }
    }
    record
}

/// A golden scheduler of that name runs `work`, every cycle simulated.
pub(crate) fn golden(name: &str, smx: usize, limits: SmxLimits, work: &[Work]) -> Record {
    golden_with(name, smx, limits, work, false, None)
}

/// As [`golden`], skipping or not, and with samples; what the name promises is checked.
pub(crate) fn golden_with(
    name: &str,
    smx: usize,
    limits: SmxLimits,
    work: &[Work],
    skip: bool,
    sampling: Option<Sampling>,
) -> Record {
    let composition: Composition = name.parse().unwrap();
    let rules = (&composition).into();
    let setup = Setup { last: 100_000, skip, sampling, rules, ..Setup::default() };
    run_with(build(&composition, smx, limits).as_mut(), limits, work, &setup)
}

/// As [`golden_with`] on `smx` SMXs in these partitions.
pub(crate) fn golden_in(
    partitions: &[SmxMask],
    name: &str,
    smx: usize,
    limits: SmxLimits,
    work: &[Work],
    skip: bool,
) -> Record {
    let composition: Composition = name.parse().unwrap();
    let rules = (&composition).into();
    let partitions = partitions.to_vec();
    let setup = Setup { last: 100_000, skip, rules, partitions, ..Setup::default() };
    let plan = setup.plan(smx);
    let mut scheduler = build_for(&composition, LaunchMode::Flat, 1, plan, limits).unwrap();
    run_with(scheduler.as_mut(), limits, work, &setup)
}

/// As [`golden_with`] on SMXs in domains of these sizes.
pub(crate) fn golden_domains(
    domains: &[usize],
    name: &str,
    limits: SmxLimits,
    work: &[Work],
    skip: bool,
) -> Record {
    let composition: Composition = name.parse().unwrap();
    let (rules, domains) = ((&composition).into(), domains.to_vec());
    let smx = domains.iter().sum();
    let setup = Setup { last: 1_000_000, skip, rules, domains, ..Setup::default() };
    let plan = setup.plan(smx);
    let mut scheduler = build_for(&composition, LaunchMode::Flat, 1, plan, limits).unwrap();
    run_with(scheduler.as_mut(), limits, work, &setup)
}

fn not_overcommitted(residents: &[Resident], limits: SmxLimits) {
    let sum = |of: fn(&BlockNeeds) -> u32| residents.iter().map(|r| of(&r.needs)).sum::<u32>();
    assert!(residents.len() <= limits.thread_block_slots as usize, "slots");
    assert!(sum(|needs| needs.threads) <= limits.threads, "threads");
    assert!(sum(|needs| needs.registers) <= limits.registers, "registers");
    assert!(sum(|needs| needs.shared_memory) <= limits.shared_memory, "shared memory");
}
