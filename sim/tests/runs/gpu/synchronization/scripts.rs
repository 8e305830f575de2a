//! What a suspended block takes along, and in which cycle one goes on that stays.

use super::*;
use blockyard_sim::gpu::host::{DeviceLaunch, Durations};
use blockyard_sim::port::Cluster;

/// Hands out scripts, one a warp; `launches` are those of the first one.
struct Launching {
    warps: Vec<Vec<Instruction>>,
    launches: Vec<DeviceLaunch>,
}

struct LaunchingWarp(Script, Vec<DeviceLaunch>);

impl WarpProgram for LaunchingWarp {
    fn next(&mut self, instruction: &mut Instruction) {
        self.0.next(instruction);
    }

    fn launches(&mut self) -> Vec<DeviceLaunch> {
        std::mem::take(&mut self.1)
    }
}

impl KernelCode for Launching {
    fn block(
        &self,
        _: Dim3,
        _: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        for list in &self.warps {
            let mut list = list.clone();
            list.push(Instruction::default());
            programs.push(Box::new(LaunchingWarp(Script(list.into_iter()), self.launches.clone())));
        }
        Ok(())
    }
}

/// Runs `blocks` blocks of such warps, each of whose launch instructions launches a kernel of one
/// block that takes 1,000 cycles; returns cycles, warp instructions and suspensions.
fn run_scripts(
    changes: &[(&str, &str)],
    blocks: u32,
    warps: &[Vec<Instruction>],
) -> Result<(u64, u64, u64), RunError> {
    run_scripts_on(("rr", Cluster::default()), changes, blocks, warps)
}

/// The same on a scheduler, with the blocks in such clusters.
fn run_scripts_on(
    (scheduler, cluster): (&str, Cluster),
    changes: &[(&str, &str)],
    blocks: u32,
    warps: &[Vec<Instruction>],
) -> Result<(u64, u64, u64), RunError> {
    let composition: Composition = scheduler.parse().expect("a known scheduler");
    let outcome = |skip: bool| {
        let child = DeviceLaunch {
            thread: 0,
            name: "C".into(),
            grid: Dim3::new(1, 1, 1),
            block: Dim3::new(32, 1, 1),
            registers_per_thread: 0,
            shared_memory: 0,
            cluster: Default::default(),
            body: Body::Durations(Durations::Uniform(1000)),
        };
        let code = Launching { warps: warps.to_vec(), launches: vec![child] };
        let launch = HostLaunch {
            cluster,
            ..HostLaunch::new(
                "K",
                (Dim3::new(blocks, 1, 1), Dim3::new(32 * warps.len() as u32, 1, 1)),
                Body::Code(Rc::new(code)),
            )
        };
        let config = config(changes);
        let (limits, table) = (config.limits(), config.launch.storage());
        let mode = LaunchMode::Cdp;
        let mut gpu = Gpu::launching(config, mode, Box::new(vec![launch]))?;
        gpu.drive(composition.ports(mode));
        let smx = gpu.smxs().len();
        let mut twin = build_for(&composition, mode, table, smx, limits).unwrap();
        let rules = (&composition).into();
        let options =
            RunOptions { skip_from: skip.then_some(0), max_cycles: Some(1_000_000), rules };
        let summary = run(&mut gpu, &mut *twin, &options, &mut Nobody)?;
        let stats = Stats::new(&gpu, &summary);
        let issued = stats.execution.expect("code").warp_instructions;
        Ok::<_, RunError>((summary.cycles, issued, gpu.device().counts().suspensions))
    };
    let skipping = outcome(true)?;
    assert_eq!(skipping, outcome(false)?);
    Ok(skipping)
}

fn launch() -> Instruction {
    instruction(Operation::Launch)
}

fn synchronize() -> Instruction {
    instruction(Operation::Synchronize)
}

/// 200 cycles.
fn slow() -> Instruction {
    add(Unit::Special, Some(1), Some(1))
}

#[test]
fn suspended_blocks_of_a_cluster_come_back_one_by_one() {
    let pair = Cluster::of(Dim3::new(2, 1, 1)).expect("two blocks");
    let warps = [vec![launch(), synchronize(), slow()]];
    let changes = [IDEAL, ("smx.count", "2"), ("smx.thread_block_slots", "1")];
    let run = |of| run_scripts_on(of, &changes, 2, &warps).expect("they end");
    let (_, issued, suspensions) = run(("clusters", pair));
    assert_eq!((issued, suspensions), (2 * 4, 2));
    assert_eq!(run(("rr", Cluster::default())).2, 2, "so it is without clusters");
}

#[test]
fn a_resident_block_goes_on_in_the_cycle_after_the_end_of_its_last_launch() {
    // The call begins in 2; the record is fetched in 3 and comes in 4, its block goes in 5 and ends
    // in 1005. The bit of the kernel is high in 1006: the first warp issues in 1007, 1207 and 1407,
    // and the run ends with the bit in 1409.
    let warps = [vec![launch(), synchronize(), slow(), slow()], vec![slow(); 7]];
    assert_eq!(run_scripts(&[IDEAL], 1, &warps).unwrap(), (1410, 5 + 8, 0));
    // The second one is done before: the block goes and comes back, three cycles later.
    let warps = [warps[0].clone(), vec![slow(); 4]];
    assert_eq!(run_scripts(&[IDEAL], 1, &warps).unwrap(), (1413, 5 + 5, 1));
}

#[test]
fn values_and_stores_on_their_way_arrive_before_a_block_gives_back_its_slot() {
    // The second warp waits at the barrier with loads, a slow operation and stores on their way.
    let first = vec![launch(), synchronize(), barrier()];
    for pending in [
        vec![load(1, None, 128)],
        vec![load(1, None, 4), load(2, None, 128)],
        vec![add(Unit::Special, Some(3), None)],
        vec![store(128)],
        vec![load(1, None, 128), store(128), add(Unit::Special, Some(3), None)],
    ] {
        let uses = vec![add(Unit::Integer, Some(4), Some(1)), add(Unit::Integer, None, Some(3))];
        let second = [pending.clone(), vec![barrier()], uses].concat();
        for stores in ["true", "false"] {
            for ideal in ["true", "false"] {
                let changes = [
                    ("warp.exit_waits_for_stores", stores),
                    ("launch.ideal", ideal),
                    ("thread_block_slots", "2"),
                    ("fetch.width", "8"),
                ];
                let warps = [first.clone(), second.clone()];
                let (_, issued, suspensions) = run_scripts(&changes, 5, &warps).unwrap();
                let each = warps.iter().map(|warp| warp.len() as u64 + 1).sum::<u64>();
                assert_eq!((issued, suspensions), (5 * each, 5), "{pending:?}");
            }
        }
    }
}

#[test]
fn arrivals_at_barriers_are_taken_along() {
    let named = |waits| {
        let barrier = NamedBarrier { id: 3, warps: Some(3), waits };
        instruction(Operation::NamedBarrier(barrier))
    };
    // One has counted and exited, one waits; the third comes after the synchronization.
    let warps = [vec![named(false)], vec![named(true)], vec![launch(), synchronize(), named(true)]];
    let changes = [IDEAL, ("thread_block_slots", "1")];
    let (_, issued, suspensions) = run_scripts(&changes, 3, &warps).unwrap();
    assert_eq!((issued, suspensions), (3 * (2 + 2 + 4), 3));
    // A barrier that nobody completes is found after the return, with the threads' own numbers.
    let warps = [vec![], vec![named(true)], vec![launch(), synchronize(), named(true)]];
    let error = run_scripts(&changes, 1, &warps).unwrap_err().to_string();
    assert_eq!(
        error,
        "kernel `K`, block (0, 0, 0) can never go on: \
         threads 32-95 wait at barrier 3, where 2 of 3 warps have arrived"
    );
}

#[test]
fn a_later_launch_of_another_warp_is_waited_for_too() {
    let warps = [vec![launch(), synchronize()], [vec![slow(); 3], vec![launch()]].concat()];
    let (cycles, issued, suspensions) = run_scripts(&[IDEAL], 1, &warps).unwrap();
    assert_eq!((issued, suspensions), (3 + 5, 1), "{cycles}");
}
