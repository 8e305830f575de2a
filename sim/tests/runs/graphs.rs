//! The workloads over graphs on the reference GPU with the golden `rr`, in every launch mode.

use std::rc::Rc;

use blockyard_kernels::graphs::{GraphSettings, WORKLOADS};
use blockyard_kernels::Computation;
use blockyard_sim::dispatch_log::DispatchLog;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::gpu::Gpu;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::sched::{build_for, Composition};
use blockyard_sim::stats::{KernelStats, Stats};
use blockyard_sim::workload::graph::{generate, read, Csr, EdgeList};

const MODES: [LaunchMode; 3] = [LaunchMode::Flat, LaunchMode::Cdp, LaunchMode::Dtbl];

/// As many edges as a thread walks itself by default.
const DEFAULT_THRESHOLD: u32 = 32;

fn program(name: &str, csr: &Csr, threshold: u32, mode: LaunchMode) -> Box<dyn Computation> {
    let mut settings = GraphSettings::default();
    let threshold = (format!("{name}.threshold"), threshold.to_string());
    for (key, value) in [(&*threshold.0, &*threshold.1), ("sssp.weights", "generated")] {
        assert_eq!(settings.set(key, value), Ok(true));
    }
    let workload = settings.workload(name).expect("a workload");
    let program = workload.program(&Rc::new(csr.clone()), 3, mode);
    program.unwrap_or_else(|refused| panic!("{name}: {refused:?}"))
}

/// Runs the workload `name` on four SMXs of k20c to a right result; the log and the figures.
fn on_gpu(name: &str, csr: &Csr, threshold: u32, mode: LaunchMode) -> (String, Stats) {
    on_changed_gpu(name, csr, threshold, mode, &[])
}

/// As [`on_gpu`], with these changes.
fn on_changed_gpu(
    name: &str,
    csr: &Csr,
    threshold: u32,
    mode: LaunchMode,
    changes: &[(&str, &str)],
) -> (String, Stats) {
    let mut config = GpuConfig::preset("k20c").unwrap();
    for (key, value) in [("smx.count", "4")].iter().chain(changes) {
        config.set(key, value).unwrap();
    }
    let composition: Composition = "rr".parse().unwrap();
    let (table, limits) = (config.launch.storage(), config.limits());
    let mut scheduler = build_for(&composition, mode, table, 4, limits).unwrap();
    let mut gpu = Gpu::launching(config, mode, program(name, csr, threshold, mode)).unwrap();
    let rules = (&composition).into();
    let options = RunOptions { skip_from: Some(0), max_cycles: Some(500_000_000), rules };
    let mut log = DispatchLog::new(Vec::new());
    let summary = run(&mut gpu, &mut *scheduler, &options, &mut log)
        .unwrap_or_else(|error| panic!("{name} {mode:?}: {error}"));
    let log = String::from_utf8(log.finish().unwrap()).unwrap();
    (log, Stats::new(&gpu, &summary))
}

/// Whether `kernel` is what a kernel of the workload `name` launches.
fn is_child(name: &str, kernel: &str) -> bool {
    kernel.starts_with(name) && kernel.ends_with("_expand")
}

fn of_child(name: &str, kernel: &KernelStats) -> bool {
    is_child(name, &kernel.name)
}

/// The thread blocks of children in the log.
fn child_blocks(name: &str, log: &str) -> usize {
    let of_child =
        |line: &&str| line.split(',').nth(2).is_some_and(|kernel| is_child(name, kernel));
    log.lines().filter(of_child).count()
}

#[test]
fn results_are_right_and_a_round_waits_for_everything_that_the_one_before_launched() {
    let csr = generate::rmat(9, 8, 2).symmetric();
    for (name, _) in WORKLOADS {
        for mode in MODES {
            let (log, stats) = on_gpu(name, &csr, DEFAULT_THRESHOLD, mode);
            assert_eq!(child_blocks(name, &log) > 0, mode != LaunchMode::Flat, "{name} {mode:?}");
            let rounds: Vec<_> = stats.kernels.iter().filter(|k| !of_child(name, k)).collect();
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
fn all_groups_match_the_resident_child() {
    let csr = generate::rmat(9, 8, 2).symmetric();
    for (name, _) in WORKLOADS {
        let (log, stats) = on_gpu(name, &csr, DEFAULT_THRESHOLD, LaunchMode::Dtbl);
        let launches = stats.launches.expect("launches");
        assert!(launches.groups > 1, "{name}");
        assert_eq!((launches.match_rate, launches.fallbacks), (Some(1.0), 0), "{name}");
        let mut of_child = log.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let native = |line: Vec<&str>| is_child(name, line[2]) && line[4] == "0";
        assert!(!of_child.any(native), "{name}: no native block");
    }
}

#[test]
fn children_load_their_parameters_from_memory_where_they_are_there() {
    let csr = generate::rmat(9, 8, 2).symmetric();
    for mode in MODES {
        let accesses = ["true", "false"].map(|memory| {
            let changes = [("launch.parameters_in_memory", memory)];
            let (log, stats) = on_changed_gpu("bfs", &csr, DEFAULT_THRESHOLD, mode, &changes);
            let l1 = &stats.execution.as_ref().expect("its kernels have code").l1;
            (l1.accesses, stats.cycles, child_blocks("bfs", &log))
        });
        let [(memory, slow, blocks), (bank, fast, same)] = accesses;
        assert_eq!(blocks, same, "{mode:?}: the levels do not depend on it");
        if mode == LaunchMode::Flat {
            assert_eq!((memory, slow), (bank, fast));
        } else {
            // Each warp of a child loads at least one parameter.
            assert!(memory >= bank + blocks as u64, "{mode:?}: {memory} and {bank}");
            assert!(slow != fast, "{mode:?}");
        }
    }
}

#[test]
fn without_busy_vertices_nothing_is_launched() {
    let csr = generate::grid(20, 20);
    for (name, _) in WORKLOADS {
        let rounds = MODES.map(|mode| {
            let (log, stats) = on_gpu(name, &csr, DEFAULT_THRESHOLD, mode);
            assert_eq!((child_blocks(name, &log), stats.launches), (0, None), "{name} {mode:?}");
            stats.kernels.iter().filter(|kernel| !of_child(name, kernel)).count()
        });
        // How many rounds distances take depends on the order of execution.
        assert!(name == "sssp" || rounds == [rounds[0]; 3], "{name}: {rounds:?}");
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
    for (name, _) in WORKLOADS {
        for mode in MODES {
            let (log, _) = on_gpu(name, &csr, threshold, mode);
            assert_eq!(child_blocks(name, &log) > 0, mode != LaunchMode::Flat, "{name} {mode:?}");
        }
    }
}
