//! Launches from the device, by hand, on the golden engine.

mod cdp;
mod contexts;
mod dispatches;
mod dtbl;
mod laperm;
mod nesting;
mod overflow;
mod parents;
mod queues;
mod random;
mod resident;
mod todays_gpus;
mod wide;

use super::*;
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::{Nobody, Observer, Observers};
use blockyard_sim::sched::build_for;
use blockyard_sim::stats::KernelStats;

/// Runs the scenario `text` on a scheduler with these changes of k20c, under an observer.
fn try_watch(
    scheduler: &str,
    mode: LaunchMode,
    changes: &[(&str, &str)],
    text: &str,
    skip: bool,
    observer: &mut dyn Observer,
) -> Result<Seen, RunError> {
    let scenario = Scenario::parse("test.toml", text)?;
    let mut config = GpuConfig::preset("k20c")?;
    scenario.configure(&mut config)?;
    for (key, value) in changes {
        config.set(key, value)?;
    }
    scenario.check(&config)?;
    let composition: Composition = scheduler.parse().unwrap();
    let (plan, limits) = (config.floor_plan(), config.limits());
    let table = config.launch.storage();
    let mut scheduler = build_for(&composition, mode, table, plan, limits).unwrap();
    let mut gpu = Gpu::launching(config, mode, Box::new(scenario.program(mode, 3)?))?;
    gpu.drive(composition.ports(mode));
    let rules = (&composition).into();
    let options = RunOptions { skip_from: skip.then_some(0), max_cycles: Some(50_000_000), rules };
    let mut log = DispatchLog::new(Vec::new());
    let mut observers = Observers(vec![&mut log, observer]);
    let summary = run(&mut gpu, &mut *scheduler, &options, &mut observers)?;
    let log = String::from_utf8(log.finish().unwrap()).unwrap();
    Ok(Seen { log, stats: Stats::new(&gpu, &summary) })
}

/// What is seen of the scenario `text` on `rr`, with skipping and without: the same.
fn run_both(mode: LaunchMode, changes: &[(&str, &str)], text: &str) -> Seen {
    run_both_on("rr", mode, changes, text)
}

/// As [`run_both`] on another scheduler.
fn run_both_on(scheduler: &str, mode: LaunchMode, changes: &[(&str, &str)], text: &str) -> Seen {
    let run = |skip| try_watch(scheduler, mode, changes, text, skip, &mut Nobody).unwrap();
    let seen = run(true);
    assert_eq!(seen, run(false));
    seen
}

/// A parent of `blocks` blocks of 64 threads that run for 100,000 cycles, with these launches
/// (block, at, thread, child, blocks), and children `C` and `D` of 64 threads that run for 1,000
/// cycles.
fn family(blocks: u32, launches: &[(u32, u64, u32, &str, u32)]) -> String {
    let mut text = format!(
        "[[kernel]]\nname = \"P\"\ngrid = [{blocks}, 1, 1]\nblock = [64, 1, 1]\nduration = 100_000\n"
    );
    for (by, at, thread, child, grid) in launches {
        text += &format!(
            "[[kernel.launch]]\nby = {by}\nat = {at}\nthread = {thread}\nkernel = \"{child}\"\ngrid = [{grid}, 1, 1]\n"
        );
    }
    for child in ["C", "D"] {
        text += &format!(
            "[[kernel]]\nname = \"{child}\"\nchild = true\nblock = [64, 1, 1]\nduration = 1_000\n"
        );
    }
    text
}

/// The figures of an instance.
fn kernel<'a>(seen: &'a Seen, name: &str, instance: u32) -> &'a KernelStats {
    let mut kernels = seen.stats.kernels.iter();
    kernels.find(|kernel| kernel.name == name && kernel.instance == instance).unwrap()
}

/// Call and entry into the Kernel Distributor of each instance of `name`.
fn distributed(seen: &Seen, name: &str) -> Vec<(u64, u64)> {
    let kernels = seen.stats.kernels.iter().filter(|kernel| kernel.name == name);
    kernels.map(|kernel| (kernel.arrive, kernel.distributed.unwrap())).collect()
}

/// The lines of the log of kernel `name`: cycle, instance, group, x.
fn blocks(seen: &Seen, name: &str) -> Vec<(u64, u32, u32, u32)> {
    let lines = seen.log.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let number = |text: &str| text.parse::<u64>().unwrap();
    let of = |fields: Vec<&str>| {
        let rest = [3, 4, 5].map(|field| number(fields[field]) as u32);
        (number(fields[0]), rest[0], rest[1], rest[2])
    };
    lines.filter(|fields| fields[2] == name).map(of).collect()
}

/// A run in which blocks launch groups.
pub fn launching_scenario() -> Seen {
    let text = family(1, &[(0, 0, 0, "C", 1), (0, 50_000, 1, "C", 2)]);
    run_both(LaunchMode::Dtbl, &[], &text)
}
