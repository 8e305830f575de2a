//! Clusters of thread blocks, from a scenario to the SMXs of a GPC.

use blockyard_sim::dispatch_log::DispatchLog;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::gpu::Gpu;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::sched::{build_for, Composition};
use blockyard_sim::workload::scenario::Scenario;
use expect_test::expect;

/// Runs `text` on an H100; the dispatches as `cycle,smx,x,y`.
fn on_h100(scheduler: &str, text: &str) -> Result<Vec<[u64; 4]>, RunError> {
    let scenario = Scenario::parse("clusters.toml", text).unwrap();
    let mut config = GpuConfig::preset("h100").unwrap();
    scenario.configure(&mut config).unwrap();
    scenario.check(&config).unwrap();
    let composition: Composition = scheduler.parse().unwrap();
    let (plan, limits) = (config.floor_plan(), config.limits());
    let mut scheduler = build_for(&composition, LaunchMode::Flat, 1, plan, limits).unwrap();
    let program = scenario.program(LaunchMode::Flat, 0).unwrap();
    let mut gpu = Gpu::new(config, Box::new(program)).unwrap();
    let options = RunOptions { rules: (&composition).into(), ..RunOptions::default() };
    let mut log = DispatchLog::new(Vec::new());
    run(&mut gpu, &mut *scheduler, &options, &mut log)?;
    let log = String::from_utf8(log.finish().unwrap()).unwrap();
    let mut lines = log.lines();
    let names: Vec<_> = lines.next().unwrap().split(',').collect();
    let columns = ["cycle", "smx", "x", "y"]
        .map(|name| names.iter().position(|other| *other == name).expect(name));
    let of = |line: &str| {
        let fields: Vec<_> = line.split(',').collect();
        columns.map(|column| fields[column].parse().unwrap())
    };
    Ok(lines.map(of).collect())
}

#[test]
fn the_preset_has_the_gpcs_that_the_schedulers_are_tested_on() {
    let plan = GpuConfig::preset("h100").unwrap().floor_plan();
    assert_eq!(plan.gpcs(), [16, 16, 16, 16, 18, 18, 18, 14]);
}

#[test]
fn the_example_of_the_page_runs_on_an_h100_in_whole_clusters() {
    let text = "[[kernel]]\nname = \"K\"\ngrid = [4, 34, 1]\ncluster = [4, 2, 1]\n\
        block = [32, 1, 1]\nduration = 1000\n";
    let blocks = on_h100("clusters", text).unwrap();
    assert_eq!(blocks.len(), 17 * 8);
    let plan = GpuConfig::preset("h100").unwrap().floor_plan();
    for (number, cluster) in blocks.chunks(8).enumerate() {
        let number = number as u64;
        assert!(cluster.windows(2).all(|pair| pair[1][0] == pair[0][0] + 1), "{cluster:?}");
        assert!(cluster.iter().all(|[_, _, _, y]| y / 2 == number), "{cluster:?}");
        let first = cluster[0][1] as usize;
        let gpc = plan.ranges().find(|gpc| gpc.contains(&first)).unwrap();
        assert!(cluster.iter().all(|[_, smx, ..]| gpc.contains(&(*smx as usize))), "{cluster:?}");
    }
}

#[test]
fn a_run_whose_cluster_fits_no_gpc_ends_with_a_message_that_names_it() {
    let text = "gpu = { smx = 3 }\n[[kernel]]\nname = \"K\"\ngrid = [8, 1, 1]\n\
        cluster = [4, 1, 1]\nblock = [64, 1, 1]\nduration = 100\n";
    let message = on_h100("clusters", text).unwrap_err().to_string();
    expect![[r#"
        stuck in cycle 5001: nothing can happen any more
          kernel K instance 0 in entry 0: 8 of 8 blocks not distributed, 0 in execution
          SMX 0: 0 blocks, 0 threads, 0 registers, 0 B shared memory; has room for the next block of K
          SMX 1: 0 blocks, 0 threads, 0 registers, 0 B shared memory; has room for the next block of K
          SMX 2: 0 blocks, 0 threads, 0 registers, 0 B shared memory; has room for the next block of K
          the scheduler distributes the kernel in entry 0
          a cluster (4, 1, 1) of 4 blocks fits no GPC, even an empty one: the largest has 3 SMXs and room for 3 blocks of a cluster"#]]
    .assert_eq(&message);
}
