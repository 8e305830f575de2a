//! Runs that cannot end, and runs that are ended.

use std::ops::ControlFlow;

use expect_test::expect;

use super::{gpu_of, RoundRobin};
use blockyard_sim::gpu::Gpu;
use blockyard_sim::port::{Activity, Inputs, Outputs, Scheduler};
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::{Nobody, Observer};
use blockyard_sim::run::{run, RunOptions, Summary};

const TWO_KERNELS: &str = "gpu = { smx = 2, thread_block_slots = 2, registers = 4096 }\n\
    [[kernel]]\nname = \"A\"\ngrid = [2, 1, 1]\nblock = [64, 1, 1]\nregisters_per_thread = 48\n\
    duration = 100\n\
    [[kernel]]\nname = \"B\"\ngrid = [3, 1, 1]\nblock = [32, 1, 1]\nregisters_per_thread = 48\n\
    duration = 100\n";

/// Round robin that stops dispatching after some blocks.
struct Lazy {
    inner: RoundRobin,
    blocks: usize,
    activity: Option<Activity>,
}

impl Scheduler for Lazy {
    fn smx(&self) -> usize {
        self.inner.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        let activity = if self.blocks > 0 || inputs.finished.iter().any(Option::is_some) {
            self.inner.cycle(inputs, outputs)
        } else {
            *outputs = Outputs::idle(self.smx());
            outputs.launch_ready = Some(blockyard_sim::port::KernelEntry(2));
            outputs.context = self.inner.context(inputs);
            Activity::Quiet
        };
        if self.blocks == 0 {
            outputs.dispatch.fill(None);
            outputs.finished_kernels = 0;
        }
        self.blocks = self.blocks.saturating_sub(outputs.dispatch.iter().flatten().count());
        self.activity.unwrap_or(activity)
    }

    fn explain(&self) -> String {
        "credits: none left\nand nothing else".to_owned()
    }
}

fn stuck(mut gpu: Gpu, blocks: usize, activity: Option<Activity>, options: &RunOptions) -> String {
    let inner = RoundRobin::new(gpu.config().limits(), gpu.smxs().len());
    let mut scheduler = Lazy { inner, blocks, activity };
    run(&mut gpu, &mut scheduler, options, &mut Nobody).unwrap_err().to_string()
}

#[test]
fn a_stuck_run_says_what_is_left_what_each_smx_holds_and_what_lacks() {
    let options = RunOptions { max_cycles: Some(50), ..RunOptions::default() };
    let message = stuck(gpu_of(TWO_KERNELS), 3, Some(Activity::Busy), &options);
    expect![[r#"
        stuck in cycle 50: not finished after 50 cycles
          kernel A instance 0 in entry 0: 0 of 2 blocks not distributed, 2 in execution
          kernel B instance 0 in entry 1: 3 of 3 blocks not distributed, 0 in execution
          SMX 0: 1 blocks, 64 threads, 3072 registers, 0 B shared memory; lacks registers for the next block of B
          SMX 1: 1 blocks, 64 threads, 3072 registers, 0 B shared memory; lacks registers for the next block of B
          credits: none left
          and nothing else"#]]
    .assert_eq(&message);
}

#[test]
fn a_scheduler_that_goes_to_sleep_is_found_with_and_without_skipping() {
    let asleep = |skip: bool| {
        let options = RunOptions { skip_from: skip.then_some(0), ..RunOptions::default() };
        stuck(gpu_of(TWO_KERNELS), 2, Some(Activity::Quiet), &options)
    };
    let message = asleep(true);
    assert!(message.contains("nothing can happen any more"), "{message}");
    assert!(message.contains("B instance 0 in entry 1: 3 of 3 blocks"), "{message}");
    assert!(message.contains("SMX 0: 0 blocks"), "{message}");
    assert!(message.contains("has room for the next block of B"), "{message}");
    assert_eq!(message, asleep(false));
}

#[test]
fn a_scheduler_that_is_busy_without_effect_is_found() {
    // A kernel of which all blocks have run would break a rule before.
    let message = stuck(gpu_of(TWO_KERNELS), 1, Some(Activity::Busy), &RunOptions::default());
    assert!(message.contains("busy for 100000 cycles without effect"), "{message}");
}

#[test]
fn the_limit_is_the_number_of_cycles_that_a_run_may_have() {
    let text = "gpu = { smx = 1 }\n[[kernel]]\nname = \"A\"\ngrid = [1, 1, 1]\nblock = [1, 1, 1]\n\
                duration = 1000";
    for skip in [true, false] {
        let limited = |cycles| {
            let mut gpu = gpu_of(text);
            let mut scheduler = RoundRobin::new(gpu.config().limits(), 1);
            let options = RunOptions {
                skip_from: skip.then_some(0),
                max_cycles: Some(cycles),
                ..RunOptions::default()
            };
            run(&mut gpu, &mut scheduler, &options, &mut Nobody)
        };
        assert_eq!(limited(1003).unwrap().cycles, 1003);
        assert!(matches!(limited(1002), Err(RunError::Stuck { cycle: 1002, .. })));
        assert!(matches!(limited(500), Err(RunError::Stuck { cycle: 500, .. })));
    }
}

#[test]
fn an_observer_sees_every_cycle_once_and_may_end_the_run() {
    #[derive(Default)]
    struct Watch {
        next: u64,
        stop: Option<u64>,
    }
    impl Observer for Watch {
        fn cycle(&mut self, cycle: u64, _: &Inputs, _: &Outputs) -> ControlFlow<()> {
            assert_eq!(cycle, self.next);
            self.next += 1;
            if self.stop == Some(cycle) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        }
        fn skipped(&mut self, from: u64, to: u64) {
            assert_eq!(from, self.next);
            assert!(to > from);
            self.next = to;
        }
    }
    let watched = |stop| {
        let mut gpu = gpu_of(TWO_KERNELS);
        let mut scheduler = RoundRobin::new(gpu.config().limits(), 2);
        let mut watch = Watch { next: 0, stop };
        let result = run(&mut gpu, &mut scheduler, &RunOptions::default(), &mut watch);
        (result, watch.next)
    };
    let (result, next) = watched(None);
    assert_eq!(result.unwrap().cycles, next);
    let stopped = watched(Some(2)).0;
    assert!(matches!(stopped, Err(RunError::Stopped(Summary { cycles: 2, .. }))), "{stopped:?}");
}

#[test]
fn a_scheduler_for_another_number_of_smxs_is_refused() {
    let mut gpu = gpu_of(TWO_KERNELS);
    let mut scheduler = RoundRobin::new(gpu.config().limits(), 3);
    let error = run(&mut gpu, &mut scheduler, &RunOptions::default(), &mut Nobody).unwrap_err();
    assert!(matches!(error, RunError::Input(_)), "{error}");
}
