//! Host programs: what they may launch, and random code.

use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::RoundRobin;
use blockyard_sim::gpu::host::{Durations, HostProgram};
use blockyard_sim::port::{Inputs, Outputs, Relation};
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::{Nobody, Observer};
use blockyard_sim::run::{run, RunOptions, Summary};

fn timed(name: &str, blocks: u32, durations: Durations) -> HostLaunch {
    HostLaunch::new(
        name,
        (Dim3::new(blocks, 1, 1), Dim3::new(32, 1, 1)),
        Body::Durations(durations),
    )
}

/// Launches a kernel, then one more in answer to its end, then says whether that is right.
struct Answers {
    first: Option<HostLaunch>,
    second: Option<HostLaunch>,
    verdict: Result<(), String>,
    ends: Vec<(String, u32, u64)>,
}

impl Answers {
    fn new(first: HostLaunch, second: Option<HostLaunch>) -> Self {
        Self { first: Some(first), second, verdict: Ok(()), ends: Vec::new() }
    }
}

impl HostProgram for Answers {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.first.take().into_iter().collect()
    }

    fn kernel_finished(&mut self, name: &str, instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.ends.push((name.to_owned(), instance, cycle));
        self.second.take().into_iter().collect()
    }

    fn verify(&mut self) -> Result<(), String> {
        self.verdict.clone()?;
        if self.ends.len() == 2 {
            Ok(())
        } else {
            Err(format!("{:?}", self.ends))
        }
    }
}

fn run_program(program: Answers) -> (Gpu, Result<Summary, RunError>) {
    let mut gpu = Gpu::new(config(&[]), Box::new(program)).unwrap();
    let mut scheduler = RoundRobin::new(gpu.config().limits(), 1);
    let result = run(&mut gpu, &mut scheduler, &RunOptions::default(), &mut Nobody);
    (gpu, result)
}

#[test]
fn a_launch_in_answer_to_an_end_arrives_one_cycle_later_as_the_next_instance() {
    let kernel = || timed("K", 1, Durations::Uniform(10));
    let (gpu, result) = run_program(Answers::new(kernel(), Some(kernel())));
    result.unwrap();
    let seen: Vec<_> = gpu.kernels().iter().map(|k| (k.instance, k.arrive, k.finish)).collect();
    assert_eq!(seen, [(0, 0, Some(12)), (1, 13, Some(25))]);
    let [first, second] = [0, 1].map(|kernel| gpu.kernels()[kernel].launch);
    assert_eq!(first.entry_pc, second.entry_pc, "the same code");
    assert_ne!(first.parameter_address, second.parameter_address);
}

#[test]
fn a_launch_carries_its_relation_to_the_scheduler() {
    struct Relations(Vec<Relation>);
    impl Observer for Relations {
        fn cycle(&mut self, _: u64, inputs: &Inputs, _: &Outputs) -> ControlFlow<()> {
            self.0.extend(inputs.launch.map(|launch| launch.relation));
            ControlFlow::Continue(())
        }
    }
    let kernel = |relation| HostLaunch { relation, ..timed("K", 1, Durations::Uniform(10)) };
    let relation = Relation { back: 2, ratio: 3, offset: -4 };
    let program = Answers::new(kernel(relation), Some(kernel(Relation::default())));
    let mut gpu = Gpu::new(config(&[]), Box::new(program)).unwrap();
    let mut scheduler = RoundRobin::new(gpu.config().limits(), 1);
    let mut seen = Relations(Vec::new());
    run(&mut gpu, &mut scheduler, &RunOptions::default(), &mut seen).unwrap();
    assert_eq!(seen.0, [relation, Relation::default()]);
}

#[test]
fn an_empty_grid_ends_without_a_dispatch() {
    let empty = timed("E", 0, Durations::Uniform(10));
    let (gpu, result) =
        run_program(Answers::new(empty, Some(timed("K", 1, Durations::Uniform(1)))));
    result.unwrap();
    let kernel = &gpu.kernels()[0];
    // Accepted in 0, head in 1, its bit is high in 2.
    assert_eq!(
        (kernel.distributed, kernel.first_dispatch, kernel.finish),
        (Some(0), None, Some(2))
    );
}

#[test]
fn a_wrong_result_is_an_error_of_the_run() {
    let kernel = || timed("K", 1, Durations::Uniform(10));
    let mut program = Answers::new(kernel(), Some(kernel()));
    program.verdict = Err("level of vertex 3 is 2, not 1".to_owned());
    let error = run_program(program).1.unwrap_err();
    assert_eq!(error.to_string(), "wrong result: level of vertex 3 is 2, not 1");
}

#[test]
fn a_launch_that_can_never_run_is_refused_at_the_start_and_on_the_way() {
    let good = || timed("K", 1, Durations::Uniform(10));
    let bad = [
        (HostLaunch { grid: Dim3::new(1 << 31, 1, 1), ..good() }, "2147483648 blocks"),
        (HostLaunch { block: Dim3::new(1025, 1, 1), ..good() }, "1025 threads"),
        (HostLaunch { block: Dim3::new(1, 0, 1), ..good() }, "0 threads"),
        (HostLaunch { registers_per_thread: 2049, ..good() }, "needs 65568 registers"),
        (HostLaunch { shared_memory: 49153, ..good() }, "needs 49153 bytes"),
        (timed("K", 1, Durations::Uniform(0)), "0 cycles"),
        (timed("K", 2, Durations::Each([1, 0].into())), "0 cycles"),
        (timed("K", 2, Durations::Each([1].into())), "1 durations, 2 blocks"),
    ];
    for (launch, words) in bad {
        let program = Answers::new(launch.clone(), None);
        let error = Gpu::new(config(&[]), Box::new(program)).err().expect(words).to_string();
        assert!(error.contains(words), "{error}");
        let error = run_program(Answers::new(good(), Some(launch))).1.unwrap_err();
        assert!(matches!(&error, RunError::Input(e) if e.to_string().contains(words)), "{error}");
    }
}

pub(super) fn instruction() -> impl Strategy<Value = Instruction> {
    let register = prop::option::of(0_u8..6);
    let unit = prop::sample::select(vec![Unit::Integer, Unit::Double, Unit::Special]);
    let compute = (unit, register.clone(), register.clone())
        .prop_map(|(unit, destination, source)| add(unit, destination, source));
    let space = prop::sample::select(vec![
        Space::Global,
        Space::Global,
        Space::Shared,
        Space::Constant,
        Space::Unplaced,
        Space::Texture,
    ]);
    let memory = (space, any::<bool>(), 0_u8..6, register, 0_u64..200, any::<u32>()).prop_map(
        |(space, is_load, destination, source, stride, active)| {
            let is_load = is_load || !matches!(space, Space::Global | Space::Shared);
            let kind = if is_load { Access::Load } else { Access::Store };
            Instruction {
                destination: is_load.then_some(destination),
                sources: two_sources([source, None]),
                active,
                ..access(space, kind, stride)
            }
        },
    );
    prop_oneof![4 => compute, 4 => memory, 1 => Just(barrier())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn random_code_ends_issues_every_instruction_and_skips_invisibly(
        warps in prop::collection::vec(prop::collection::vec(instruction(), 0..25), 1..7),
        policy in prop::sample::select(vec!["lrr", "gto", "two-level", "owl", "owl-blp"]),
        width in 1_u32..3, schedulers in 1_u32..4, mshrs in 1_u32..4, queue in 1_u32..4,
        caches in any::<bool>(),
    ) {
        let text = [width, schedulers, mshrs, queue].map(|number| number.to_string());
        let changes = [
            ("warp.policy", policy),
            ("warp.issue_width", &text[0]),
            ("warp.schedulers", &text[1]),
            ("l1.mshrs", &text[2]),
            ("l1.queue", &text[3]),
        ];
        let read_only = if caches { &read_only::CACHES[..] } else { &[] };
        let changes = [&changes, read_only].concat();
        let instructions: usize = warps.iter().map(|warp| warp.len() + 1).sum();
        let execution = seen(&changes, warps).stats.execution.unwrap();
        prop_assert_eq!(execution.warp_instructions, instructions as u64);
    }
}

/// How long the second of two kernels of one block takes that arrives in `arrive`, long after the
/// end of the first. Of its two warps, each with a scheduler of its own, one gets the only
/// double-precision unit first: if the second one, the first waits for it.
fn second_of_two(rest: &str, arrive: u64) -> u64 {
    let changes =
        [("warp.schedulers", "2"), ("warp.turns_rest", rest), ("initiation.double", "100")];
    let double = || add(Unit::Double, None, None);
    let warps = vec![vec![double(), add(Unit::Special, Some(1), None)], vec![double()]];
    let launch = |name: &str, arrive| HostLaunch {
        arrive,
        block: Dim3::new(64, 1, 1),
        body: Body::Code(Rc::new(scripts(warps.clone()))),
        ..timed(name, 1, Durations::Uniform(1))
    };
    let program = Answers::new(launch("first", 0), Some(launch("second", arrive)));
    let (seen, _) = run_gpu(Gpu::new(config(&changes), Box::new(program)).unwrap(), true);
    let second = &seen.stats.kernels[1];
    second.finish.unwrap() - second.first_dispatch.unwrap()
}

#[test]
fn whose_turn_it_is_depends_on_the_cycles_without_a_block_unless_turns_rest_then() {
    let taken = |rest| [1000, 1001, 1002, 1003].map(|arrive| second_of_two(rest, arrive));
    // The unit is taken for 100 cycles, the other operation takes 200.
    assert_eq!(taken("false"), [204, 304, 204, 304]);
    assert_eq!(taken("true"), [204; 4]);
}
