//! Blocks of clusters that work together: a sum over a cluster and an exchange with neighbours
//! through each other's shared memory, under the schedulers that place clusters; and what others
//! refuse.

use super::*;
use crate::{run_under, Seen};
use blockyard_ptx::functional;
use blockyard_sim::dispatch_log::DispatchLog;
use blockyard_sim::gpu::memory::load::RunApart;
use blockyard_sim::port::{Cluster, LaunchMode};
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::Nobody;
use blockyard_sim::run::{run, RunOptions};
use blockyard_sim::sched::{build_for, Composition};
use blockyard_sim::stats::Stats;
use expect_test::expect;

const SYNC: &str = "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;";

/// The kernel `k` with `%to` the output, `%t` the thread, `%block` the block, `%rank` and `%blocks`
/// those of the cluster.
fn kernel(body: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 to)
        {{
            .shared .align 16 .b8 sh[512];
            .reg .b32 %t, %block, %rank, %blocks, %x, %y, %z, %at, %n;
            .reg .b64 %to, %place;
            .reg .pred %p, %q;
            ld.param.u64 %to, [to]; mov.u32 %t, %tid.x; mov.u32 %block, %ctaid.x; mov.u32 %n, %ntid.x;
            mov.u32 %rank, %cluster_ctarank; mov.u32 %blocks, %cluster_nctarank;
            {body}
            ret;
        }}"
    )
}

/// Each block leaves the sum of the numbers of all threads of its cluster: it adds up its own, and
/// the first lanes of the first warp fetch those of the others.
fn sum() -> String {
    kernel(&format!(
        "setp.ne.u32 %p, %t, 0; mov.u32 %x, 0; @!%p st.shared.v2.u32 [sh], {{%x, %x}}; bar.sync 0;
        mad.lo.u32 %x, %block, %n, %t; red.shared.add.u32 [sh], %x;
        {SYNC}
        setp.lt.u32 %q, %t, %blocks;
        @!%q bra FETCHED;
        mapa.shared::cluster.u32 %at, sh, %t; ld.shared::cluster.u32 %y, [%at]; red.shared.add.u32 [sh+4], %y;
        FETCHED: {SYNC}
        bar.sync 0;
        ld.shared.u32 %z, [sh+4]; mad.wide.u32 %place, %block, 4, %to; @!%p st.global.u32 [%place], %z;"
    ))
}

/// Each block has a value a thread, and takes in each of three rounds the sum of its own and those
/// beside it in the ring of the cluster.
fn ring() -> String {
    let round = format!(
        "mad.lo.u32 %x, %t, 4, %at; st.shared.u32 [%x], %y; {SYNC}
        sub.u32 %z, %n, 1; setp.ne.u32 %p, %t, %z; add.u32 %z, %x, 4; @%p bra INSIDE;
        add.u32 %z, %rank, 1; rem.u32 %z, %z, %blocks; mapa.shared::cluster.u32 %z, %at, %z;
        INSIDE: ld.shared::cluster.u32 %z, [%z]; {SYNC}
        add.u32 %y, %y, %z;"
    );
    let rounds = [0, 1, 2].map(|number| round.replace("INSIDE", &format!("INSIDE{number}")));
    kernel(&format!(
        "mov.u32 %at, sh; mad.lo.u32 %y, %block, %n, %t; mul.lo.u32 %y, %y, %y; {}
        mad.lo.u32 %x, %block, %n, %t; mad.wide.u32 %place, %x, 4, %to; st.global.u32 [%place], %y;",
        rounds.concat()
    ))
}

fn expected_sums(blocks: u32, threads: u32, cluster: u32) -> Vec<u32> {
    let each = threads * cluster;
    (0..blocks).map(|block| (0..each).map(|at| block / cluster * each + at).sum()).collect()
}

fn expected_rings(blocks: u32, threads: u32, cluster: u32) -> Vec<u32> {
    let each = (threads * cluster) as usize;
    let mut values: Vec<u32> = (0..blocks * threads).map(|at| at * at).collect();
    for ring in values.chunks_mut(each) {
        for _ in 0..3 {
            let before = ring.to_vec();
            for (at, value) in ring.iter_mut().enumerate() {
                *value += before[(at + 1) % each];
            }
        }
    }
    values
}

/// A launch of the kernel `k` of `text` in clusters of so many blocks, and where its `words` words
/// are.
fn launched(
    text: &str,
    (blocks, threads, cluster): (u32, u32, u32),
    words: usize,
) -> (Rc<Machine>, HostLaunch, u64) {
    let machine = machine(text);
    let at = machine.array(&vec![0; words]).unwrap();
    let (grid, block) = (Dim3::new(blocks, 1, 1), Dim3::new(threads, 1, 1));
    let parameters = Arguments::new().long(at).into_bytes();
    let launch = Launch { grid, block, shared_memory: 0, parameters };
    let cluster = Cluster::of(Dim3::new(cluster, 1, 1));
    let launch = machine.launch_in_clusters("k", launch, cluster, 0).expect("a launch");
    (machine, launch, at)
}

/// Dispatches and statistics of a run on a K20c with `changes`, whose words must be `expected`.
fn seen(
    (scheduler, changes): (&str, &[(&str, &str)]),
    text: &str,
    size: (u32, u32, u32),
    (threads, skip): (usize, bool),
    expected: &[u32],
) -> Seen {
    let (machine, launch, at) = launched(text, size, expected.len());
    let mut gpu = gpu(changes, vec![launch]);
    gpu.use_threads(threads, RunApart::Always);
    let mut log = DispatchLog::new(Vec::new());
    let summary = run_under(scheduler, &mut gpu, skip, &mut log);
    let words = machine.words(at, expected.len() as u64).unwrap();
    assert_eq!(words, expected, "{scheduler} {size:?}");
    let log = String::from_utf8(log.finish().unwrap()).unwrap();
    Seen { log, stats: Stats::new(&gpu, &summary) }
}

const PLACING: [&str; 4] = [
    "clusters",
    "clusters(policy=balance)",
    "launch-control(policy=spread)",
    "launch-control(policy=balance)",
];

#[test]
fn sums_and_rings_are_right_in_clusters_of_every_size() {
    for cluster in 1..=8 {
        for threads in [32, 96] {
            let (blocks, size) = (3 * cluster, (3 * cluster, threads, cluster));
            let sums = expected_sums(blocks, threads, cluster);
            let rings = expected_rings(blocks, threads, cluster);
            for (text, expected) in [(sum(), &sums), (ring(), &rings)] {
                for scheduler in PLACING {
                    seen((scheduler, &[]), &text, size, (1, true), expected);
                }
                let (machine, launch, at) = launched(&text, size, expected.len());
                functional::run(&mut vec![launch]).unwrap();
                assert_eq!(machine.words(at, expected.len() as u64).as_ref(), Some(expected));
            }
        }
    }
}

#[test]
fn threads_and_skipping_change_nothing() {
    // An SMX for each block; and eight blocks on two SMXs.
    for (scheduler, smxs) in [("clusters", "8"), ("clusters(policy=balance)", "2")] {
        let (size, changes) = ((24, 64, 8), [("smx", smxs)]);
        for (text, expected) in
            [(sum(), expected_sums(24, 64, 8)), (ring(), expected_rings(24, 64, 8))]
        {
            let of = |how| seen((scheduler, &changes), &text, size, how, &expected);
            let one = of((1, true));
            let first: Vec<_> = one.log.lines().skip(1).take(8).collect();
            let smxs: std::collections::BTreeSet<_> =
                first.iter().map(|line| line.split(',').nth(1).unwrap()).collect();
            assert_eq!(smxs.len().to_string(), changes[0].1, "{first:?}");
            for threads in [2, 3] {
                assert_eq!(of((threads, true)), one, "{threads} threads");
            }
            let not_skipped = of((1, false));
            assert_eq!(not_skipped.log, one.log);
            assert_eq!(not_skipped.stats.kernels, one.stats.kernels);
        }
    }
}

/// What ends the run of the kernel `k` of `text` under `scheduler`.
fn failure(scheduler: &str, text: &str, size: (u32, u32, u32)) -> RunError {
    let (_machine, launch, _) = launched(text, size, 256);
    let mut gpu = gpu(&[("smx", "2")], vec![launch]);
    let composition: Composition = scheduler.parse().unwrap();
    let (plan, limits) = (gpu.config().floor_plan(), gpu.config().limits());
    let mut scheduler = build_for(&composition, LaunchMode::Flat, 1, plan, limits).unwrap();
    gpu.drive(composition.ports(LaunchMode::Flat));
    let options = RunOptions { rules: (&composition).into(), ..RunOptions::default() };
    run(&mut gpu, &mut *scheduler, &options, &mut Nobody).expect_err("it fails")
}

#[test]
fn schedulers_that_do_not_place_clusters_refuse_what_works_together() {
    let only_memory = kernel("mapa.shared::cluster.u32 %x, sh, %rank;");
    for scheduler in ["rr", "most-room", "dependent", "launch-control", "rr+dyncta"] {
        for text in [sum(), only_memory.clone()] {
            let error = failure(scheduler, &text, (4, 32, 4));
            assert!(matches!(error, RunError::Input(_)), "{scheduler}: {error}");
            let message = "kernel `k`: the 4 blocks of a cluster use its barrier or each other's shared memory, and the \
                           scheduler does not place them together";
            assert_eq!(error.to_string(), message, "{scheduler}");
        }
        // A cluster of one block is placed by all of them, and one whose blocks have nothing to do
        // with each other.
        let sums = expected_sums(4, 32, 1);
        seen((scheduler, &[]), &sum(), (4, 32, 1), (1, true), &sums);
        let ranks = kernel("mad.wide.u32 %place, %block, 4, %to; st.global.u32 [%place], %rank;");
        seen((scheduler, &[]), &ranks, (4, 32, 2), (1, true), &[0, 1, 0, 1]);
    }
}

#[test]
fn a_cluster_that_waits_for_ever_is_named_with_those_that_it_awaits() {
    let text = kernel(&format!(
        "setp.eq.u32 %p, %rank, 1; setp.lt.u32 %q, %t, 32; @!%p bra ALL; @!%q bra ALL; bar.sync 3, 64; ALL: {SYNC}"
    ));
    expect![[r#"
        stuck in cycle 316: nothing can happen any more
          kernel k instance 0 in entry 0: 0 of 2 blocks not distributed, 2 in execution
          SMX 0: 1 blocks, 64 threads, 640 registers, 512 B shared memory
          SMX 1: 1 blocks, 64 threads, 640 registers, 512 B shared memory
          kernel k, block (0, 0, 0): the barrier of its cluster (`barrier.cluster.wait`) awaits 1 of 2 warps of the block of rank 1
          kernel k, block (1, 0, 0): the barrier of its cluster (`barrier.cluster.wait`) awaits 1 of 2 warps of the block of rank 1
          the scheduler has no kernel to distribute
          the scheduler counts 1 blocks, 64 threads on SMX 0
          the scheduler counts 1 blocks, 64 threads on SMX 1"#]]
    .assert_eq(&failure("clusters", &text, (2, 64, 2)).to_string());
}

#[test]
fn misuse_ends_the_run_with_the_instruction() {
    let late = format!(
        "{SYNC} setp.eq.u32 %p, %rank, 1; @%p exit; xor.b32 %x, %rank, 1; mapa.shared::cluster.u32 %x, sh, %x;
        {} ld.shared::cluster.u32 %y, [%x];",
        "add.u32 %z, %z, 1;".repeat(50)
    );
    for (body, message) in [
        ("barrier.cluster.arrive; barrier.cluster.arrive;", "a second time"),
        ("barrier.cluster.wait;", "and has not arrived"),
        (
            "mapa.shared::cluster.u32 %x, sh, %n;",
            "an address of the block of rank 32 of a cluster of 2",
        ),
        (&late, "a load of 4 bytes goes to the block of rank 1, (1, 0, 0), which has ended"),
    ] {
        let error = failure("clusters", &kernel(body), (2, 32, 2));
        assert!(matches!(error, RunError::Input(_)), "{error}");
        assert!(error.to_string().ends_with(message), "{error}");
    }
}

/// Cycles of a chain of `loads` loads of one thread of the second block, each of what the one
/// before has loaded.
fn chain(preset: &str, changes: &[(&str, &str)], (rank, loads): (u32, usize)) -> u64 {
    let load = "ld.shared::cluster.u32 %at, [%at];".repeat(loads);
    let text = kernel(&format!(
        "mov.u32 %x, {rank}; mapa.shared::cluster.u32 %at, sh, %x; st.shared.u32 [sh], %at; {SYNC}
        setp.eq.u32 %p, %rank, 0; @%p bra END; {load} add.u32 %at, %at, 1; END: {SYNC}"
    ));
    let (_machine, launch, _) = launched(&text, (2, 1, 2), 1);
    let mut config = GpuConfig::preset(preset).unwrap();
    // Instructions are always there: how many there are costs nothing.
    for (key, value) in changes.iter().chain(&[("fetch.width", "0")]) {
        config.set(key, value).unwrap();
    }
    let mut gpu = Gpu::new(config, Box::new(vec![launch])).unwrap();
    run_under("clusters", &mut gpu, true, &mut Nobody).cycles
}

#[test]
fn a_load_from_another_block_takes_as_long_as_was_measured_on_an_h100() {
    let each = |preset: &str, changes: &[(&str, &str)], rank| {
        (chain(preset, changes, (rank, 17)) - chain(preset, changes, (rank, 1))) / 16
    };
    assert_eq!(each("h100", &[], 0), 180);
    assert_eq!(each("h100", &[], 1), 29, "its own");
    assert_eq!(each("h100", &[("latency.cluster", "0")], 0), 29);
    assert_eq!(each("k20c", &[("latency.cluster", "100")], 0), 108);
}

/// The blocks of a cluster add 1 at their places in it for the cluster at hand, while the first of
/// them asks for another one for all.
fn steal() -> String {
    kernel(&format!(
        ".reg .b128 %answer; .reg .b32 %phase, %first, %place_in;
        setp.ne.u32 %p, %t, 0; mov.u32 %phase, 0; sub.u32 %first, %block, %rank;
        @!%p mbarrier.init.shared.b64 [sh+16], 1; {SYNC}
        WORK: add.u32 %place_in, %first, %rank; mad.wide.u32 %place, %place_in, 4, %to;
        @%p bra ASKED;
        red.global.add.u32 [%place], 1; mbarrier.arrive.expect_tx.shared.b64 _, [sh+16], 16;
        ASKED: {SYNC}
        or.b32 %x, %rank, %t; setp.ne.u32 %q, %x, 0;
        @!%q clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [sh], [sh+16];
        WAIT: mbarrier.try_wait.parity.shared.b64 %q, [sh+16], %phase; @!%q bra WAIT;
        xor.b32 %phase, %phase, 1; ld.shared.b128 %answer, [sh];
        clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %q, %answer;
        @%q clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %first, %answer;
        {SYNC} @%q bra WORK;"
    ))
}

#[test]
fn a_cluster_takes_whole_clusters_under_schedulers_that_cancel_them() {
    let changes = [("smx", "4"), ("thread_block_slots", "2"), ("launch.cancel", "20")];
    for cluster in [1, 2, 4] {
        let (size, ones) = ((48, 64, cluster), vec![1; 48]);
        for (scheduler, cancels) in [
            ("launch-control(policy=spread)", true),
            ("launch-control(policy=balance)", true),
            ("clusters", false),
        ] {
            let of = |how| seen((scheduler, &changes), &steal(), size, how, &ones);
            let one = of((1, true));
            for threads in [2, 3] {
                assert_eq!(of((threads, true)), one, "{scheduler} {cluster}");
            }
            assert_eq!(of((1, false)).log, one.log);
            let dispatched = one.log.lines().skip(1).count();
            assert!(dispatched == 48 || cancels && (8..24).contains(&dispatched), "{dispatched}");
            assert_eq!(dispatched < 48, cancels, "{scheduler} {cluster}");
        }
    }
    let error = failure("launch-control", &steal(), (8, 32, 2));
    assert!(error.to_string().contains("does not place them together"), "{error}");
}
