//! Whole runs: GPU, scheduler and workload in the run loop.

mod clusters;
mod device;
mod gpu;
mod graphs;
mod ikra;
#[path = "../shared/nest.rs"]
mod nest;
mod overlaps;
mod persistence;
mod round_robin;
mod skipping;
mod stats;
mod timing;
mod todays_gpus;
mod watchdog;

use blockyard_sim::dispatch_log::DispatchLog;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::gpu::Gpu;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::run::observer::Observer;
use blockyard_sim::run::{run, RunOptions, Summary};
use blockyard_sim::sched::{build_for, Composition};
use blockyard_sim::stats::Stats;
use blockyard_sim::workload::scenario::Scenario;
use round_robin::RoundRobin;

/// The whole of what a user sees of a run.
#[derive(Debug, PartialEq)]
struct Seen {
    log: String,
    stats: Stats,
}

impl Seen {
    /// The lines of the log after the header as `cycle,smx,kernel,instance,x`.
    fn dispatches(&self) -> Vec<String> {
        let line = |line: &str| {
            let fields: Vec<&str> = line.split(',').collect();
            [&fields[..4], &fields[5..6]].concat().join(",")
        };
        self.log.lines().skip(1).map(line).collect()
    }
}

/// Runs `gpu` on the tests' round robin, with quiet cycles skipped or not.
fn run_gpu(gpu: Gpu, skip: bool) -> (Seen, Summary) {
    run_gpu_skipping(gpu, skip.then_some(0))
}

/// The same, with quiet cycles skipped from that one on.
fn run_gpu_skipping(mut gpu: Gpu, skip_from: Option<u64>) -> (Seen, Summary) {
    let mut scheduler = RoundRobin::new(gpu.config().limits(), gpu.smxs().len());
    let rules = (&"rr".parse::<Composition>().unwrap()).into();
    let options = RunOptions { skip_from, max_cycles: Some(50_000_000), rules };
    let mut log = DispatchLog::new(Vec::new());
    let summary = run(&mut gpu, &mut scheduler, &options, &mut log).unwrap();
    let log = String::from_utf8(log.finish().unwrap()).unwrap();
    (Seen { log, stats: Stats::new(&gpu, &summary) }, summary)
}

/// The GPU that runs the scenario `text`.
fn gpu_of(text: &str) -> Gpu {
    let scenario = Scenario::parse("test.toml", text).unwrap();
    let mut config = GpuConfig::preset("k20c").unwrap();
    scenario.configure(&mut config).unwrap();
    scenario.check(&config).unwrap();
    let program = scenario.program(LaunchMode::Flat, 0).unwrap();
    Gpu::new(config, Box::new(program)).unwrap()
}

/// Runs `gpu` on the twin of `scheduler`.
fn run_under(scheduler: &str, gpu: &mut Gpu, skip: bool, observer: &mut dyn Observer) -> Summary {
    let composition: Composition = scheduler.parse().unwrap();
    let (plan, limits) = (gpu.config().floor_plan(), gpu.config().limits());
    let mut scheduler = build_for(&composition, LaunchMode::Flat, 1, plan, limits).unwrap();
    gpu.drive(composition.ports(LaunchMode::Flat));
    let rules = (&composition).into();
    let options = RunOptions { skip_from: skip.then_some(0), rules, max_cycles: Some(10_000_000) };
    run(gpu, &mut *scheduler, &options, observer).unwrap()
}

/// Runs the scenario `text`, skipping.
fn run_scenario(text: &str) -> Seen {
    run_gpu(gpu_of(text), true).0
}
