//! `barrier.cluster`: who waits for whom without timing, and what ends a run. How long it takes is
//! tested where there is a GPU.

mod support;

use std::ops::ControlFlow;

use blockyard_contract::diagnostic::{rendered, InputError};
use blockyard_contract::port::{Cluster, Dim3};
use blockyard_gpu::host::HostLaunch;
use blockyard_gpu::program::Operation;
use blockyard_ptx::{functional, Arguments, Launch, Machine};
use std::rc::Rc;
use support::{kernel, machine};

const BOTH: &str = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";

/// A launch of a `grid` of blocks of `threads` threads in clusters of `extent`; `%a` is `at`.
fn launch(
    machine: &Rc<Machine>,
    (grid, threads): (Dim3, u32),
    extent: Dim3,
    at: u64,
) -> HostLaunch {
    let parameters = Arguments::new().long(at).long(0).into_bytes();
    let block = Dim3::new(threads, 1, 1);
    let launch = Launch { grid, block, shared_memory: 0, parameters };
    let cluster = Some(Cluster::of(extent).expect("a cluster"));
    machine.launch_in_clusters("k", launch, cluster, 0).expect("a launch")
}

/// What is left of `words` words.
fn left(
    body: &str,
    (grid, threads): (Dim3, u32),
    extent: Dim3,
    words: usize,
) -> Result<Vec<u32>, InputError> {
    let machine = machine(&kernel("", body));
    let at = machine.array(&vec![0; words]).unwrap();
    let launch = launch(&machine, (grid, threads), extent, at);
    functional::run(&mut vec![launch])?;
    Ok(machine.words(at, words as u64).unwrap())
}

/// What a user reads when blocks of `threads` threads run `body` in one cluster of `blocks`.
fn complaint(body: &str, blocks: u32, threads: u32) -> String {
    let grid = Dim3::new(blocks, 1, 1);
    let error = left(body, (grid, threads), grid, 4).expect_err(body);
    let text = rendered(&error);
    text.lines().map(|line| line.trim().trim_start_matches("│ ")).collect::<Vec<_>>().join(" ")
}

/// Each thread stores 1 at its place, and reads behind the barrier what all of its cluster have
/// stored.
fn sums(barrier: &str) -> String {
    format!(
        "mov.u32 %r0, %clusterid.y; mad.lo.u32 %r0, %r0, %nclusterid.x, %clusterid.x;
        mov.u32 %r1, %cluster_nctarank; mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, %ntid.x;
        mul.lo.u32 %r4, %r1, %r3; mul.lo.u32 %r0, %r0, %r4;
        mad.lo.u32 %r5, %r2, %r3, %t; add.u32 %r5, %r5, %r0;
        mad.wide.u32 %d0, %r5, 4, %a; mov.u32 %r6, 1; st.global.u32 [%d0], %r6;
        {barrier}
        mad.wide.u32 %d1, %r0, 4, %a; mov.u32 %r7, 0;
        SUM: ld.global.u32 %r6, [%d1]; min.u32 %r6, %r6, 1; add.u32 %r7, %r7, %r6;
        add.u64 %d1, %d1, 4; sub.u32 %r4, %r4, 1; setp.ne.u32 %p0, %r4, 0; @%p0 bra SUM;
        {barrier}
        st.global.u32 [%d0], %r7;"
    )
}

#[test]
fn behind_the_barrier_a_thread_sees_what_all_of_its_cluster_have_stored() {
    for barrier in [
        BOTH,
        "barrier.cluster.arrive.release; mov.u32 %r8, 5; barrier.cluster.wait.acquire;",
        "barrier.cluster.arrive.relaxed; barrier.cluster.wait;",
    ] {
        for (grid, extent) in [
            (Dim3::new(3, 1, 1), Dim3::new(1, 1, 1)),
            (Dim3::new(6, 1, 1), Dim3::new(2, 1, 1)),
            (Dim3::new(4, 6, 1), Dim3::new(2, 3, 1)),
            (Dim3::new(8, 1, 1), Dim3::new(8, 1, 1)),
            // More blocks than run beside each other before the second one of the first cluster
            // comes, row by row.
            (Dim3::new(600, 2, 1), Dim3::new(1, 2, 1)),
        ] {
            let threads = 40;
            let words = 40 * grid.volume() as usize;
            let each = 40 * extent.volume() as u32;
            let found = left(&sums(barrier), (grid, threads), extent, words).unwrap();
            assert_eq!(found, vec![each; words], "{grid} {extent}");
        }
    }
}

#[test]
fn blocks_that_exit_are_not_waited_for() {
    let body = format!(
        "mov.u32 %r0, %cluster_ctarank; setp.eq.u32 %p0, %r0, 1; @%p0 exit;
        setp.lt.u32 %p1, %t, 7; @%p1 exit;
        {BOTH} st.global.u32 [%a], 9;"
    );
    let grid = Dim3::new(3, 1, 1);
    assert_eq!(left(&body, (grid, 64), grid, 1).unwrap(), [9]);
}

#[test]
fn lanes_may_arrive_on_different_ways_and_the_last_ones_exit_instead() {
    let body = "and.b32 %r0, %t, 1; setp.eq.u32 %p0, %r0, 0; setp.eq.u32 %p1, %t, 5;
        @%p0 bra EVEN; @%p1 bra OUT;
        barrier.cluster.arrive; bra MEET;
        EVEN: barrier.cluster.arrive; barrier.cluster.wait; bra BEHIND;
        MEET: barrier.cluster.wait; bra BEHIND;
        OUT: exit;
        BEHIND: atom.global.add.u32 %r1, [%a], 1;";
    let grid = Dim3::new(2, 1, 1);
    assert_eq!(left(body, (grid, 64), grid, 1).unwrap(), [2 * 63]);
}

#[test]
fn the_gpu_sees_each_warp_arrive_and_wait() {
    let machine = machine(&kernel("", BOTH));
    let grid = Dim3::new(2, 1, 1);
    let mut seen = Vec::new();
    let mut host = vec![launch(&machine, (grid, 33), grid, 0)];
    let ended = functional::run_while(&mut host, &mut |instruction| {
        let of = [Operation::ClusterArrive, Operation::ClusterWait];
        seen.extend(of.contains(&instruction.operation).then_some(instruction.operation));
        ControlFlow::Continue(())
    });
    assert!(ended.is_ok());
    let count = |of| seen.iter().filter(|operation| **operation == of).count();
    assert_eq!([count(Operation::ClusterArrive), count(Operation::ClusterWait)], [4, 4]);
}

#[test]
fn a_second_arrival_without_a_wait_names_thread_and_instruction() {
    let body = "setp.lt.u32 %p0, %t, 3;\nbarrier.cluster.arrive;\n@!%p0 barrier.cluster.arrive;";
    let text = complaint(body, 2, 32);
    let message = "kernel `k`, block (0, 0, 0), thread (3, 0, 0): a thread arrives at the barrier of its cluster a second";
    assert!(text.contains(message) && text.contains("@!%p0 barrier.cluster.arrive"), "{text}");
    assert!(text.contains("expected `barrier.cluster.wait` between"), "{text}");
}

#[test]
fn a_wait_without_an_arrival_names_thread_and_instruction() {
    let text = complaint("barrier.cluster.wait.acquire;", 1, 32);
    assert!(text.contains("waits at the barrier of its cluster, and has not arrived"), "{text}");
    assert!(text.contains("expected `barrier.cluster.arrive` before"), "{text}");
}

#[test]
fn a_cluster_that_waits_for_ever_says_for_whom() {
    let body = format!(
        "mov.u32 %r0, %cluster_ctarank; setp.eq.u32 %p0, %r0, 0; setp.lt.u32 %p1, %t, 32;
        @!%p0 bra SYNC; @!%p1 bra SYNC; bar.sync 1, 64;
        SYNC: {BOTH}"
    );
    let text = complaint(&body, 2, 64);
    let awaited = "awaits 1 of 2 warps of the block of rank 0";
    assert!(text.contains("a block waits for ever: the barrier of its cluster"), "{text}");
    assert!(text.contains(awaited) && text.contains("wait at barrier 1"), "{text}");
}

#[test]
fn a_warp_whose_lanes_wait_at_both_kinds_of_barriers_ends_the_run() {
    let body = "barrier.cluster.arrive; setp.lt.u32 %p0, %t, 16; @%p0 bra LOW;
        barrier.cluster.wait; bra END; LOW: bar.sync 0; END:";
    let text = complaint(body, 1, 32);
    assert!(text.contains("wait at a barrier that threads"), "{text}");
}

#[test]
fn other_forms_are_refused() {
    for body in [
        "barrier.cluster;",
        "barrier.cluster.arrive.acquire;",
        "barrier.cluster.wait.release;",
        "barrier.cluster.wait.relaxed.aligned;",
        "barrier.cluster.arrive.aligned.release;",
        "barrier.cluster.sync.aligned;",
        "barrier.cluster.arrive 0;",
        "bar.cluster.arrive;",
    ] {
        let error = blockyard_ptx::load("test.ptx", &kernel("", body)).err().expect(body);
        let message = error.to_string();
        assert!(message.starts_with("kernel `k`: `bar"), "{message}");
    }
}
