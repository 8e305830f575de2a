//! A vector addition whose blocks take others that have not started.

use super::*;
use crate::run_under;
use blockyard_ptx::functional;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::Nobody;
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::sched::{build_for, Composition};
use proptest::prelude::*;

/// c = a + b, and one more at the block's place of `times`; thread 0 asks for the next block while
/// all do the work of the one at hand. It is the loop of the CUDA C++ programming guide, "work
/// stealing with cluster launch control".
const STEAL: &str = ".visible .entry steal(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 times, .param .u32 count)
{
    .shared .align 16 .b8 answer[16];
    .shared .align 8 .b64 bar;
    .reg .b32 %t, %block, %n, %i, %phase, %x, %y, %count;
    .reg .b64 %a, %b, %c, %times, %to;
    .reg .b128 %answer;
    .reg .pred %first, %p, %cancelled;
    ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u64 %c, [c];
    ld.param.u64 %times, [times]; ld.param.u32 %count, [count];
    mov.u32 %t, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %block, %ctaid.x; mov.u32 %phase, 0;
    setp.eq.u32 %first, %t, 0;
    @%first mbarrier.init.shared::cta.b64 [bar], 1;
    bar.sync 0;
WORK:
    @!%first bra ASKED;
    mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 _, [bar], 16;
    clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [answer], [bar];
    mad.wide.u32 %to, %block, 4, %times;
    red.global.add.u32 [%to], 1;
ASKED:
    mad.lo.u32 %i, %block, %n, %t;
    setp.ge.u32 %p, %i, %count;
    @%p bra WAIT;
    mad.wide.u32 %to, %i, 4, %a; ld.global.u32 %x, [%to];
    mad.wide.u32 %to, %i, 4, %b; ld.global.u32 %y, [%to];
    add.u32 %x, %x, %y;
    mad.wide.u32 %to, %i, 4, %c; st.global.u32 [%to], %x;
WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], %phase;
    @!%p bra WAIT;
    ld.shared.b128 %answer, [answer];
    clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %cancelled, %answer;
    @%cancelled clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%block, _, _, _}, %answer;
    xor.b32 %phase, %phase, 1;
    bar.sync 0;
    @%cancelled bra WORK;
    ret;
}";

/// The vectors of a run.
struct Vectors {
    machine: Rc<Machine>,
    launch: HostLaunch,
    a: Vec<u32>,
    b: Vec<u32>,
    /// Where the sum and the counts are.
    places: [u64; 2],
    blocks: u32,
}

impl Vectors {
    fn new(count: u32, threads: u32) -> Self {
        let (machine, blocks) = (machine(STEAL), count.div_ceil(threads));
        let a: Vec<u32> = (0..count).map(|at| at.wrapping_mul(0x9e37_79b9)).collect();
        let b: Vec<u32> = (0..count).map(|at| at ^ 0x5555).collect();
        let given = [&a, &b].map(|words| machine.array(words).unwrap());
        let places = [count, blocks].map(|words| machine.array(&vec![0; words as usize]).unwrap());
        let addresses = given.iter().chain(&places);
        let arguments = addresses.fold(Arguments::new(), |all, at| all.long(*at)).word(count);
        let launch = launch(&machine, "steal", (blocks, threads), arguments);
        Self { machine, launch, a, b, places, blocks }
    }

    /// Whether the sum is the CPU's and each block's work was done once.
    fn check(&self) {
        let [sum, times] = self.places;
        let expected = self.a.iter().zip(&self.b).map(|(a, b)| a.wrapping_add(*b)).collect();
        assert_eq!(self.machine.words(sum, self.a.len() as u64), Some(expected));
        let once = vec![1; self.blocks as usize];
        assert_eq!(self.machine.words(times, u64::from(self.blocks)), Some(once));
    }
}

/// Blocks that were dispatched and cancelled, and the cycles of the run.
fn under(
    scheduler: &str,
    changes: &[(&str, &str)],
    (count, threads): (u32, u32),
) -> (u64, u64, u64) {
    let run = |skip| {
        let vectors = Vectors::new(count, threads);
        let mut gpu = gpu(changes, vec![vectors.launch.clone()]);
        let cycles = run_under(scheduler, &mut gpu, skip, &mut Nobody).cycles;
        vectors.check();
        let kernel = &gpu.kernels()[0];
        (kernel.dispatched, kernel.cancelled, cycles)
    };
    let seen = run(true);
    assert_eq!(run(false), seen);
    seen
}

#[test]
fn every_block_is_done_once_under_every_scheduler() {
    // 8 blocks of 256 threads are on an SMX at once.
    let (size, changes) = ((100_000, 256), [("smx", "4")]);
    let with_a_policy = ["launch-control(policy=spread)", "launch-control(policy=balance)"];
    for scheduler in ["launch-control", "launch-control+claso"].into_iter().chain(with_a_policy) {
        let (dispatched, cancelled, _) = under(scheduler, &changes, size);
        assert_eq!(dispatched + cancelled, 391);
        assert!((32..64).contains(&dispatched), "{scheduler}: {dispatched}");
    }
    for scheduler in ["rr", "dependent", "most-room", "rr+dyncta"] {
        let (dispatched, cancelled, _) = under(scheduler, &changes, size);
        assert_eq!((dispatched, cancelled), (391, 0), "{scheduler}");
    }
}

#[test]
fn an_answer_that_takes_longer_makes_the_run_longer() {
    let cycles = |latency| {
        let changes = [("smx", "1"), ("launch.cancel", latency)];
        under("launch-control", &changes, (40_000, 128)).2
    };
    let [fast, slow] = ["0", "5000"].map(cycles);
    assert!(slow > fast + 5000, "{fast} {slow}");
}

#[test]
fn without_timing_every_block_is_done_once_too() {
    for (count, threads) in [(0, 32), (1, 1), (1000, 64), (5000, 1024)] {
        let vectors = Vectors::new(count, threads);
        let counts = functional::run(&mut vec![vectors.launch.clone()]).unwrap();
        vectors.check();
        assert_eq!(counts.blocks, u64::from(count.div_ceil(threads)));
    }
}

#[test]
fn an_mbarrier_that_is_gone_when_the_answer_comes_ends_the_run() {
    let text = ".visible .entry gone() {
        .shared .align 16 .b8 answer[16]; .shared .align 8 .b64 bar;
        mbarrier.init.shared.b64 [bar], 1;
        clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [answer], [bar];
        mbarrier.inval.shared.b64 [bar];
        ret;
    }";
    for scheduler in ["launch-control", "rr"] {
        let machine = machine(text);
        let launch = launch(&machine, "gone", (3, 1), Arguments::new());
        let mut gpu = gpu(&[("smx", "1"), ("launch.cancel", "2000")], vec![launch]);
        let composition: Composition = scheduler.parse().unwrap();
        let (plan, limits) = (gpu.config().floor_plan(), gpu.config().limits());
        let mut twin = build_for(&composition, LaunchMode::Flat, 1, plan, limits).unwrap();
        gpu.drive(composition.ports(LaunchMode::Flat));
        let options = RunOptions { rules: (&composition).into(), ..RunOptions::default() };
        let error = run(&mut gpu, &mut *twin, &options, &mut Nobody).expect_err("it fails");
        let RunError::Input(error) = error else { panic!("{error}") };
        let message = "kernel `gone`, block (0, 0, 0), thread (0, 0, 0): no mbarrier is at 0x10";
        assert_eq!(error.to_string(), message);
        let shown = blockyard_sim::diagnostic::rendered(&error);
        assert!(shown.contains("test.ptx:7") && shown.contains("try_cancel.async"), "{shown}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_grid_is_done_once(
        count in 0_u32..6000, threads in 1_u32..300, smx in 1_u32..4, latency in 0_u32..300,
        scheduler in prop::sample::select(vec!["launch-control", "launch-control+dyncta", "launch-control(policy=spread)", "rr"]),
    ) {
        let (smx, latency) = (smx.to_string(), latency.to_string());
        let changes = [("smx", &*smx), ("launch.cancel", &*latency)];
        let (dispatched, cancelled, _) = under(scheduler, &changes, (count, threads));
        prop_assert_eq!(dispatched + cancelled, u64::from(count.div_ceil(threads)));
    }
}
