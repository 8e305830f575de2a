mod device;
mod round_robin;
mod skipping;
mod timing;
mod watchdog;

pub(crate) use device::launching_scenario;
pub(crate) use round_robin::RoundRobin;

use super::*;
use crate::dispatch_log::DispatchLog;
use crate::gpu::config::GpuConfig;
use crate::port::LaunchMode;
use crate::sched::Composition;
use crate::stats::Stats;
use crate::workload::scenario::Scenario;

/// The whole of what a user sees of a run.
#[derive(Debug, PartialEq)]
pub(crate) struct Seen {
    pub log: String,
    pub stats: Stats,
}

impl Seen {
    /// The lines of the log after the header as `cycle,smx,kernel,instance,x`.
    pub fn dispatches(&self) -> Vec<String> {
        let line = |line: &str| {
            let fields: Vec<&str> = line.split(',').collect();
            [&fields[..4], &fields[5..6]].concat().join(",")
        };
        self.log.lines().skip(1).map(line).collect()
    }
}

/// Runs `gpu` on the tests' round robin.
pub(crate) fn run_gpu(mut gpu: Gpu, skip: bool) -> (Seen, Summary) {
    let mut scheduler = RoundRobin::new(gpu.config().limits(), gpu.smxs().len());
    let rules = (&"rr".parse::<Composition>().unwrap()).into();
    let options = RunOptions { skip, max_cycles: Some(50_000_000), rules };
    let mut log = DispatchLog::new(Vec::new());
    let summary = run(&mut gpu, &mut scheduler, &options, &mut log).unwrap();
    let log = String::from_utf8(log.finish().unwrap()).unwrap();
    (Seen { log, stats: Stats::new(&gpu, &summary) }, summary)
}

/// The GPU that runs the scenario `text`.
pub(crate) fn gpu_of(text: &str) -> Gpu {
    let scenario = Scenario::parse("test.toml", text).unwrap();
    let mut config = GpuConfig::preset("k20c").unwrap();
    scenario.configure(&mut config).unwrap();
    scenario.check(&config).unwrap();
    let program = scenario.program(LaunchMode::Flat, 0).unwrap();
    Gpu::new(config, Box::new(program)).unwrap()
}

/// Runs the scenario `text`, skipping.
pub(crate) fn run_scenario(text: &str) -> Seen {
    run_gpu(gpu_of(text), true).0
}
