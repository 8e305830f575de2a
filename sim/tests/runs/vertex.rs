//! The workloads on the reference GPU with the golden `rr`, in every launch mode.

use blockyard_sim::dispatch_log::DispatchLog;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::gpu::host::HostProgram;
use blockyard_sim::gpu::Gpu;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::sched::{build_for, Composition};
use blockyard_sim::stats::{KernelStats, Stats};
use blockyard_sim::workload::bfs::{Bfs, BfsOptions};
use blockyard_sim::workload::clr::{Clr, ClrOptions};
use blockyard_sim::workload::graph::{generate, read, Csr, EdgeList};
use blockyard_sim::workload::sssp::{Sssp, SsspOptions};
use blockyard_sim::workload::vertex::DEFAULT_THRESHOLD;

const WORKLOADS: [&str; 3] = ["bfs", "sssp", "clr"];
const MODES: [LaunchMode; 3] = [LaunchMode::Flat, LaunchMode::Cdp, LaunchMode::Dtbl];

fn program(name: &str, csr: &Csr, threshold: u32, mode: LaunchMode) -> Box<dyn HostProgram> {
    let (key, value) = (format!("{name}.threshold"), threshold.to_string());
    match name {
        "bfs" => {
            let mut options = BfsOptions::default();
            options.set(&key, &value).unwrap();
            Box::new(Bfs::new(csr.clone(), &options).unwrap().with_launch(mode))
        }
        "sssp" => {
            let mut options = SsspOptions::default();
            options.set(&key, &value).unwrap();
            options.set("sssp.weights", "generated").unwrap();
            Box::new(Sssp::new(csr.clone(), &options, 3, mode).unwrap())
        }
        _ => {
            let mut options = ClrOptions::default();
            options.set(&key, &value).unwrap();
            Box::new(Clr::new(csr, &options, 3, mode))
        }
    }
}

/// Runs the workload `name` on four SMXs of k20c to a right result; the log and the figures.
fn on_gpu(name: &str, csr: &Csr, threshold: u32, mode: LaunchMode) -> (String, Stats) {
    let mut config = GpuConfig::preset("k20c").unwrap();
    config.set("smx.count", "4").unwrap();
    let composition: Composition = "rr".parse().unwrap();
    let (table, limits) = (config.launch.table, config.limits());
    let mut scheduler = build_for(&composition, mode, table, 4, limits).unwrap();
    let mut gpu = Gpu::launching(config, mode, program(name, csr, threshold, mode)).unwrap();
    let rules = (&composition).into();
    let options = RunOptions { skip: true, max_cycles: Some(500_000_000), rules };
    let mut log = DispatchLog::new(Vec::new());
    let summary = run(&mut gpu, &mut *scheduler, &options, &mut log)
        .unwrap_or_else(|error| panic!("{name} {mode:?}: {error}"));
    let log = String::from_utf8(log.finish().unwrap()).unwrap();
    (log, Stats::new(&gpu, &summary))
}

fn from_device(name: &str, kernel: &KernelStats) -> bool {
    kernel.name == format!("{name}_expand")
}

/// The thread blocks of children in the log.
fn child_blocks(name: &str, log: &str) -> usize {
    let child = format!("{name}_expand");
    log.lines().filter(|line| line.split(',').nth(2) == Some(child.as_str())).count()
}

#[test]
fn results_are_right_and_a_round_waits_for_everything_that_the_one_before_launched() {
    let csr = generate::rmat(9, 8, 2).symmetric();
    for name in WORKLOADS {
        for mode in MODES {
            let (log, stats) = on_gpu(name, &csr, DEFAULT_THRESHOLD, mode);
            assert_eq!(child_blocks(name, &log) > 0, mode != LaunchMode::Flat, "{name} {mode:?}");
            let rounds: Vec<_> = stats.kernels.iter().filter(|k| !from_device(name, k)).collect();
            assert!(rounds.len() > 3, "{name} {mode:?}");
            for next in &rounds[1..] {
                let before = stats.kernels.iter().filter(|kernel| kernel.arrive < next.arrive);
                for kernel in before {
                    let finish = kernel.finish.expect("it has finished");
                    assert!(
                        finish < next.arrive,
                        "{mode:?}: {kernel:?} is not over before {next:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_run_that_launches_nothing_is_the_flat_one_in_every_mode() {
    let csr = generate::grid(20, 20);
    for name in WORKLOADS {
        let flat = on_gpu(name, &csr, DEFAULT_THRESHOLD, LaunchMode::Flat);
        for mode in MODES {
            let (log, stats) = on_gpu(name, &csr, DEFAULT_THRESHOLD, mode);
            assert_eq!(log, flat.0, "{name} {mode:?}");
            assert_eq!(stats.kernels, flat.1.kernels, "{name} {mode:?}");
        }
    }
}

#[test]
fn without_vertices_a_colouring_ends_at_once() {
    let csr = Csr::from_edges(&EdgeList::new(0));
    for mode in MODES {
        let (log, stats) = on_gpu("clr", &csr, DEFAULT_THRESHOLD, mode);
        assert_eq!((log.lines().count(), stats.kernels.len()), (1, 0));
    }
}

#[test]
fn public_graphs_come_out_right_on_the_gpu() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/graphs");
    if !std::path::Path::new(folder).exists() {
        println!("skipped: ../shared is absent");
        return;
    }
    let csr = read(format!("{folder}/256_16384.gr").as_ref()).unwrap().csr;
    // About half of the vertices are above it.
    let threshold = 64;
    for name in WORKLOADS {
        for mode in MODES {
            let (log, _) = on_gpu(name, &csr, threshold, mode);
            assert_eq!(child_blocks(name, &log) > 0, mode != LaunchMode::Flat, "{name} {mode:?}");
        }
    }
}
