//! Scenarios that leave SMXs full for long, so that a scheduler has nothing to do but turn.

use blockyard::session::{Engine, Session, Workload, ONE_THREAD};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::gpu::Gpu;
use blockyard_sim::port::{LaunchMode, Scheduler};
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::Nobody;
use blockyard_sim::run::{run, RunOptions, Summary};
use blockyard_sim::sched::Composition;
use blockyard_sim::workload::scenario::Scenario;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::rc::Rc;

/// A few kernels of long blocks on a few SMXs of one or two slots; blocks launch under `cdp` and
/// `dtbl`.
fn text(launch: LaunchMode) -> impl Strategy<Value = String> {
    let gpu = (2_u32..6, 1_u32..3);
    let kernel = (3_u32..12, 200_u32..900, 0_u32..500, 0_u32..2);
    let children = (0_u32..3, 1_u32..150, 1_u32..6, 100_u32..700);
    (gpu, (kernel.clone(), kernel), children).prop_map(move |(gpu, kernels, children)| {
        let (smx, slots) = gpu;
        let mut text = format!("gpu = {{ smx = {smx}, thread_block_slots = {slots} }}\n");
        for (name, (blocks, duration, arrive, stream)) in ["A", "B"].iter().zip([kernels.0, kernels.1]) {
            text += &format!(
                "[[kernel]]\nname = \"{name}\"\ngrid = [{blocks}, 1, 1]\nblock = [64, 1, 1]\n\
                 duration = {{ mean = {duration}, rsd = 0.3 }}\narrive = {arrive}\nstream = {stream}\n"
            );
            if launch != LaunchMode::Flat {
                let (by, at, grid, _) = children;
                text += &format!(
                    "[[kernel.launch]]\nby = {by}\nat = {at}\nkernel = \"C\"\ngrid = [{grid}, 1, 1]\n"
                );
            }
        }
        if launch != LaunchMode::Flat {
            let (_, _, _, duration) = children;
            text += &format!(
                "[[kernel]]\nname = \"C\"\nchild = true\nblock = [64, 1, 1]\nduration = {duration}\n"
            );
        }
        text
    })
}

/// The scenario of that number for a scheduler, in lockstep.
pub fn session(scheduler: &Composition, launch: LaunchMode, seed: u64) -> Session {
    let bytes: Vec<u8> = seed.to_le_bytes().repeat(4);
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let text = text(launch).new_tree(&mut runner).expect("a scenario").current();
    let scenario = Scenario::parse("full-smxs.toml", &text).expect(&text);
    let mut gpu = GpuConfig::preset("k20c").expect("a preset");
    scenario.configure(&mut gpu).expect(&text);
    Session {
        scheduler: scheduler.clone(),
        engine: Engine::Lockstep,
        gpu,
        workload: Workload::Scenario(Rc::new(scenario)),
        launch,
        seed,
        skip_from: Some(0),
        max_cycles: Some(1_000_000),
        faults: Vec::new(),
        footprint: false,
        intervals: None,
        threads: ONE_THREAD,
    }
}

/// Runs a session's scenario on a scheduler of the caller's making, with every cycle evaluated.
pub fn run_on(session: &Session, scheduler: &mut dyn Scheduler) -> Result<Summary, RunError> {
    let Workload::Scenario(scenario) = &session.workload else { unreachable!("see `session`") };
    let program = scenario.program(session.launch, session.seed).expect("a sound scenario");
    let gpu = Gpu::launching(session.gpu.clone(), session.launch, Box::new(program));
    let mut gpu = gpu.expect("a GPU");
    gpu.drive(session.scheduler.ports(session.launch));
    gpu.sample_every(session.scheduler.sample_period().unwrap_or(0));
    let rules = (&session.scheduler).into();
    let options = RunOptions { skip_from: None, max_cycles: session.max_cycles, rules };
    run(&mut gpu, scheduler, &options, &mut Nobody)
}
