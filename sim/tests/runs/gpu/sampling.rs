//! Samples of the SMXs at the scheduler's port.

use std::ops::ControlFlow;

use super::*;
use crate::RoundRobin;
use blockyard_sim::dispatch_log::DispatchLog;
use blockyard_sim::port::*;
use blockyard_sim::run::observer::{DispatchedBlock, Nobody, Observer};
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::stats::Stats;

/// Runs one kernel, and gives each SMX one block in each cycle after a sample.
struct AfterSamples {
    smx: usize,
    kernel: Option<KernelLaunch>,
    next: u32,
    running: u32,
    sampled: bool,
}

impl AfterSamples {
    fn new(smx: usize) -> Self {
        Self { smx, kernel: None, next: 0, running: 0, sampled: false }
    }
}

impl Scheduler for AfterSamples {
    fn smx(&self) -> usize {
        self.smx
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        *outputs = Outputs::idle(self.smx);
        outputs.launch_ready = Some(KernelEntry(u8::from(self.kernel.is_some())));
        let ended = inputs.finished.iter().flatten().count() as u32;
        self.running -= ended;
        let sampled = std::mem::replace(&mut self.sampled, inputs.samples.is_some());
        let mut busy = ended > 0 || sampled != self.sampled;
        if let Some(KernelLaunch { entry_pc, parameter_address, block, blocks, .. }) = self.kernel {
            if inputs.lookup.is_some() {
                outputs.context = Some(KernelContext { entry_pc, parameter_address, block });
            }
            if self.next == blocks && self.running + ended == 0 {
                outputs.finished_kernels = 1;
                self.kernel = None;
                return Activity::Busy;
            }
            for dispatch in outputs.dispatch.iter_mut().filter(|_| sampled) {
                if self.next < blocks {
                    let block = Dim3::new(self.next, 0, 0);
                    *dispatch =
                        Some(Dispatch { kernel: KernelEntry(0), block, ..Default::default() });
                    self.next += 1;
                    self.running += 1;
                    busy = true;
                }
            }
        } else if inputs.launch.is_some() {
            self.kernel = inputs.launch;
            busy = true;
        }
        Activity::from(busy)
    }
}

/// The dispatch log, and the samples by cycle.
struct Samples {
    log: DispatchLog<Vec<u8>>,
    seen: Vec<(u64, Vec<CoreSample>)>,
}

impl Observer for Samples {
    fn cycle(&mut self, cycle: u64, inputs: &Inputs, _: &Outputs) -> ControlFlow<()> {
        self.seen.extend(inputs.samples.clone().map(|samples| (cycle, samples)));
        ControlFlow::Continue(())
    }

    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        self.log.dispatched(block);
    }
}

type Sampled = (String, Stats, u64, Vec<(u64, Vec<CoreSample>)>);

fn sampled(mut gpu: Gpu, scheduler: &mut dyn Scheduler, period: u16, skip: bool) -> Sampled {
    gpu.sample_every(period);
    let options = RunOptions {
        skip_from: skip.then_some(0),
        max_cycles: Some(1_000_000),
        ..RunOptions::default()
    };
    let mut observer = Samples { log: DispatchLog::new(Vec::new()), seen: Vec::new() };
    let summary = run(&mut gpu, scheduler, &options, &mut observer).unwrap();
    let log = String::from_utf8(observer.log.finish().unwrap()).unwrap();
    (log, Stats::new(&gpu, &summary), summary.cycles, observer.seen)
}

/// Loads and their consumers on two SMXs.
fn loads() -> Gpu {
    let script = vec![load(1, None, 4), add(Unit::Integer, None, Some(1)), load(2, None, 4096)];
    gpu(config(&[("smx", "2")]), Rc::new(scripts(vec![script; 2])), 7, 2)
}

#[test]
fn samples_come_in_every_multiple_of_the_period_until_the_gpu_is_done_skipping_or_not() {
    for period in [1, 2, 7, 64, 100, 1024] {
        let run = |skip| sampled(loads(), &mut AfterSamples::new(2), period, skip);
        let (skipping, every) = (run(true), run(false));
        assert_eq!((&skipping.0, &skipping.1), (&every.0, &every.1), "period {period}");
        let (log, _, cycles, seen) = every;
        // Samples in adjoining cycles may be equal, which is no change and is skipped.
        assert!(period == 1 || skipping.3 == seen, "period {period}");
        let at: Vec<u64> = seen.iter().map(|(cycle, _)| *cycle).collect();
        let expected: Vec<u64> = (1..cycles).filter(|c| c.is_multiple_of(period.into())).collect();
        assert_eq!(at, expected, "period {period}");
        let first: Vec<&str> = log.lines().skip(1).take(2).collect();
        let after = |smx| format!("{},{smx},K,0", period + 1);
        assert!(first[0].starts_with(&after(0)) && first[1].starts_with(&after(1)), "{first:?}");
    }
}

#[test]
fn a_scheduler_that_ignores_samples_decides_the_same_with_them() {
    let run = |period, skip| {
        let gpu = loads();
        let mut scheduler = RoundRobin::new(gpu.config().limits(), 2);
        sampled(gpu, &mut scheduler, period, skip)
    };
    let (log, stats, cycles, none) = run(0, true);
    assert_eq!(none, []);
    for (period, skip) in [(1, true), (50, true), (50, false)] {
        let with = run(period, skip);
        assert_eq!((&with.0, &with.1, with.2), (&log, &stats, cycles));
        assert!(!with.3.is_empty());
    }
}

#[test]
fn a_sample_holds_what_the_smx_did_since_the_last_one() {
    // Dispatched in 1; the load issues in 2, its consumer when the data are there, in 293.
    let code = Rc::new(scripts(vec![vec![load(1, None, 4), add(Unit::Integer, None, Some(1))]]));
    let gpu = gpu(config(&[]), code, 1, 1);
    let mut scheduler = RoundRobin::new(gpu.config().limits(), 1);
    let (_, _, cycles, seen) = sampled(gpu, &mut scheduler, 98, true);
    let samples: Vec<_> = seen.iter().map(|(c, s)| (*c, s[0].idle, s[0].memory)).collect();
    // Of 0 to 97 two are before the first issue, and 3 to 97 wait; the exit issues in 294.
    assert_eq!((cycles, samples), (297, vec![(98, 2, 95), (196, 0, 98), (294, 0, 97)]));
}

#[test]
fn the_same_cycle_has_the_same_samples_however_often_it_is_asked() {
    let mut gpu = loads();
    gpu.sample_every(10);
    let mut ask = |cycle| {
        let mut inputs = Inputs::idle(2);
        gpu.advance(cycle);
        gpu.inputs(cycle, &mut inputs);
        inputs
    };
    let first = ask(10);
    assert_eq!(first.samples, Some(vec![CoreSample { idle: 10, memory: 0 }; 2]));
    assert_eq!(ask(10), first);
    assert_eq!(ask(11).samples, None);
}

#[test]
fn a_scheduler_that_never_decides_is_stuck_in_spite_of_samples() {
    for skip in [true, false] {
        let mut gpu = loads();
        gpu.sample_every(16);
        // It believes that all 7 blocks are distributed and one has not ended.
        let mut scheduler = AfterSamples { next: 7, running: 1, ..AfterSamples::new(2) };
        let options = RunOptions { skip_from: skip.then_some(0), ..RunOptions::default() };
        let error = run(&mut gpu, &mut scheduler, &options, &mut Nobody).unwrap_err();
        assert!(error.to_string().starts_with("stuck in cycle"), "{error}");
    }
}
