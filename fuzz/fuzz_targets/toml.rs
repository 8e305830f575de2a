//! Scenarios and GPU presets, with `key=value` settings behind a line `---`. A scenario that is
//! sound on its GPU is run for some cycles.

#![no_main]

use std::sync::LazyLock;

use blockyard_fuzz::{render, with_settings};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::gpu::Gpu;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::Nobody;
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::sched::{build, Composition};
use blockyard_sim::workload::scenario::{KernelSpec, Scenario};
use libfuzzer_sys::fuzz_target;

static K20C: LazyLock<GpuConfig> =
    LazyLock::new(|| GpuConfig::preset("k20c").expect("it is built in"));

/// Most thread blocks of a scenario that is run.
const FEW: u64 = 64;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (text, settings) = with_settings(text);
    let preset = if text.contains("kernel") { None } else { toml::from_str(text).ok() };
    let mut config = preset.unwrap_or_else(|| K20C.clone());
    // As for the tool, the first one that is wrong is the last one that is looked at.
    for (key, value) in settings {
        if let Err(error) = config.set(key, value) {
            render(&error);
            break;
        }
    }
    if let Err(error) = config.validate() {
        render(&error);
        return;
    }
    let scenario = match Scenario::parse("scenario.toml", text) {
        Ok(scenario) => scenario,
        Err(error) => return drop(render(&error)),
    };
    if let Err(error) = scenario.configure(&mut config).and_then(|()| scenario.check(&config)) {
        render(&error);
        return;
    }
    config.validate().expect("a configuration that was taken is sound");
    let blocks = |kernel: &KernelSpec| {
        let grid = kernel.grid.map_or(0, |grid| grid.volume());
        u64::try_from(grid).unwrap_or(u64::MAX).saturating_mul(u64::from(kernel.repeat))
    };
    let all = scenario.kernels().iter().map(blocks).fold(0, u64::saturating_add);
    let program = match scenario.program(LaunchMode::Flat, 1) {
        Ok(program) => program,
        Err(error) => return drop(render(&error)),
    };
    if all > FEW {
        return;
    }
    let composition: Composition = "rr".parse().expect("it is known");
    let mut scheduler = build(&composition, config.smx.count as usize, config.limits());
    let mut gpu = match Gpu::new(config, Box::new(program)) {
        Ok(gpu) => gpu,
        Err(error) => return drop(render(&error)),
    };
    let options = RunOptions { max_cycles: Some(1 << 30), ..RunOptions::default() };
    match run(&mut gpu, &mut *scheduler, &options, &mut Nobody) {
        Ok(_) => assert!(gpu.done()),
        Err(error @ (RunError::Invariant { .. } | RunError::Wrong(_))) => panic!("{error}"),
        Err(error) => drop(error.to_string()),
    }
});
