//! Shared memory of the blocks of a cluster: `mapa`, `getctarank`, and loads, stores and atomics of
//! `.shared::cluster`, without timing; and what ends a run.

mod support;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::{Cluster, Dim3};
use blockyard_gpu::program::{Operation, Space};
use blockyard_ptx::{functional, Arguments, Launch};
use std::ops::ControlFlow;
use support::{kernel, machine};

const ITEMS: &str = ".shared .align 16 .b8 pad[16]; .shared .align 16 .b8 sh[64];";
const SYNC: &str = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";

/// A kernel of which each block has its number in `%r8`, its rank in `%r7` and its cluster's blocks
/// in `%r6`.
fn text(body: &str) -> String {
    let body = format!(
        "mov.u32 %r8, %ctaid.z; mad.lo.u32 %r8, %r8, %nctaid.y, %ctaid.y; mad.lo.u32 %r8, %r8, %nctaid.x, %ctaid.x;
        mov.u32 %r7, %cluster_ctarank; mov.u32 %r6, %cluster_nctarank; {body}"
    );
    kernel(ITEMS, &body)
}

/// What is left of `words` words when the blocks of `grid`, of one thread each, run `body` in
/// clusters of `extent`.
fn ran(body: &str, grid: [u32; 3], extent: [u32; 3], words: usize) -> Result<Vec<u32>, InputError> {
    let dim = |[x, y, z]: [u32; 3]| Dim3::new(x, y, z);
    let machine = machine(&text(body));
    let at = machine.array(&vec![0; words]).unwrap();
    let parameters = Arguments::new().long(at).long(0).into_bytes();
    let (grid, block) = (dim(grid), Dim3::new(1, 1, 1));
    let launch = Launch { grid, block, shared_memory: 0, parameters };
    let launch = machine.launch_in_clusters("k", launch, Cluster::of(dim(extent)), 0)?;
    functional::run(&mut vec![launch])?;
    Ok(machine.words(at, words as u64).unwrap())
}

fn left(body: &str, grid: [u32; 3], extent: [u32; 3], words: usize) -> Vec<u32> {
    ran(body, grid, extent, words).unwrap()
}

/// What is wrong with it in a cluster of two blocks, of which one is named.
fn wrong(body: &str) -> String {
    let error = ran(body, [2, 1, 1], [2, 1, 1], 4).err();
    error.map_or(String::new(), |error| error.to_string())
}

#[test]
fn a_block_reads_what_others_of_its_cluster_have_stored_in_their_own() {
    // Each block stores 100 and its number, and adds up what all of its cluster have.
    let sum = |begin: &str, at: &str, load: &str| {
        format!(
            "add.u32 %r0, %r8, 100; st.shared.u32 [sh+4], %r0; {SYNC}
            mov.u32 %r1, 0; mov.u32 %r2, 0; {begin}
            SUM: {at} {load} add.u32 %r1, %r1, %r4; add.u32 %r2, %r2, 1;
            setp.ne.u32 %p0, %r2, %r6; @%p0 bra SUM; {SYNC}
            mad.wide.u32 %d0, %r8, 4, %a; st.global.u32 [%d0], %r1;"
        )
    };
    let generic = "mov.u64 %d1, sh; cvta.shared.u64 %d1, %d1;";
    for body in [
        sum("", "mapa.shared::cluster.u32 %r3, sh+4, %r2;", "ld.shared::cluster.u32 %r4, [%r3];"),
        sum(
            "mov.u64 %d1, sh;",
            "mapa.shared::cluster.u64 %d2, %d1, %r2;",
            "ld.shared::cluster.u32 %r4, [%d2+4];",
        ),
        sum(generic, "mapa.u64 %d2, %d1, %r2;", "ld.u32 %r4, [%d2+4];"),
        sum(
            generic,
            "mapa.u64 %d2, %d1, %r2; cvta.to.shared::cluster.u64 %d2, %d2;",
            "ld.shared::cluster.u32 %r4, [%d2+4];",
        ),
        sum(
            "",
            "mapa.shared::cluster.u32 %r3, sh, %r2;",
            "atom.shared::cluster.add.u32 %r4, [%r3+4], 0;",
        ),
    ] {
        for (grid, extent) in [
            ([3, 1, 1], [1, 1, 1]),
            ([4, 1, 1], [2, 1, 1]),
            ([4, 6, 2], [2, 3, 1]),
            ([8, 2, 1], [8, 1, 1]),
            ([2, 2, 4], [2, 2, 2]),
            ([16, 1, 1], [16, 1, 1]),
        ] {
            let blocks = grid.iter().product::<u32>() as usize;
            let mut expected = vec![0; blocks];
            let number = |[x, y, z]: [u32; 3]| (z * grid[1] + y) * grid[0] + x;
            for block in (0..blocks as u32)
                .map(|at| [at % grid[0], at / grid[0] % grid[1], at / grid[0] / grid[1]])
            {
                let first = [0, 1, 2].map(|axis| block[axis] - block[axis] % extent[axis]);
                for z in 0..extent[2] {
                    for y in 0..extent[1] {
                        for x in 0..extent[0] {
                            let other = [first[0] + x, first[1] + y, first[2] + z];
                            expected[number(block) as usize] += 100 + number(other);
                        }
                    }
                }
            }
            assert_eq!(left(&body, grid, extent, blocks), expected, "{grid:?} {extent:?} {body}");
        }
    }
}

#[test]
fn a_block_stores_to_its_neighbour_and_adds_to_the_first_one() {
    let body = format!(
        "mov.u32 %r0, 0; st.shared.u32 [sh], %r0; {SYNC}
        add.u32 %r1, %r7, 1; rem.u32 %r1, %r1, %r6; mapa.shared::cluster.u32 %r2, sh, %r1;
        add.u32 %r3, %r7, 50; st.shared::cluster.v2.u32 [%r2+8], {{%r3, %r7}};
        mov.u32 %r4, 0; mapa.shared::cluster.u32 %r5, sh, %r4;
        add.u32 %r3, %r7, 1; red.shared::cluster.add.u32 [%r5], %r3;
        {SYNC}
        ld.shared.v2.u32 {{%r0, %r1}}, [sh+8]; ld.shared::cluster.u32 %r2, [sh];
        mad.wide.u32 %d0, %r8, 16, %a; st.global.v2.u32 [%d0], {{%r0, %r1}}; st.global.u32 [%d0+8], %r2;"
    );
    let expected = [[52, 2, 6, 0], [50, 0, 0, 0], [51, 1, 0, 0]].concat();
    assert_eq!(left(&body, [3, 1, 1], [3, 1, 1], 12), expected);
}

#[test]
fn an_address_has_a_rank_and_a_space() {
    let body = "mov.u32 %r0, 1; mapa.shared::cluster.u32 %r1, sh, %r0; getctarank.shared::cluster.u32 %r2, %r1;
        getctarank.shared::cluster.u32 %r3, sh;
        mov.u64 %d1, sh; cvta.shared::cluster.u64 %d1, %d1; mapa.u64 %d2, %d1, %r0; getctarank.u64 %r4, %d2;
        isspacep.shared::cta %p0, %d2; isspacep.shared::cluster %p1, %d2; isspacep.shared %p2, %d1;
        isspacep.shared::cluster %p3, %d1; isspacep.shared::cluster %p4, %a; isspacep.global %p5, %d2;
        selp.u32 %r5, 1, 0, %p0; @%p1 add.u32 %r5, %r5, 2; @%p2 add.u32 %r5, %r5, 4;
        @%p3 add.u32 %r5, %r5, 8; @%p4 add.u32 %r5, %r5, 16; @%p5 add.u32 %r5, %r5, 32;
        mad.wide.u32 %d0, %r8, 16, %a; st.global.v4.u32 [%d0], {%r2, %r3, %r4, %r5};";
    // The address of rank 1 is one of its own to the second block.
    assert_eq!(left(body, [2, 1, 1], [2, 1, 1], 8), [1, 0, 1, 14, 1, 1, 1, 15]);
}

#[test]
fn an_address_of_the_own_block_that_mapa_has_given_is_one_of_its_shared_memory() {
    let body = "mapa.shared::cluster.u32 %r0, sh, %r7; mov.u32 %r1, 7; st.shared.u32 [%r0], %r1;
        ld.shared.u32 %r2, [sh]; atom.shared.add.u32 %r3, [%r0], 1; ld.shared::cta.u32 %r4, [%r0];
        mad.wide.u32 %d0, %r8, 16, %a; st.global.v2.u32 [%d0], {%r2, %r3}; st.global.u32 [%d0+8], %r4;";
    assert_eq!(left(body, [2, 1, 1], [2, 1, 1], 8), [7, 7, 8, 0, 7, 7, 8, 0]);
}

#[test]
fn the_gpu_sees_which_accesses_leave_the_block() {
    let body = format!(
        "mov.u32 %r0, 0; mapa.shared::cluster.u32 %r1, sh, %r0; {SYNC}
        st.shared::cluster.u32 [%r1], %r0; atom.shared::cluster.add.u32 %r2, [%r1], 1; {SYNC}"
    );
    let machine = machine(&text(&body));
    let grid = Dim3::new(2, 1, 1);
    let parameters = Arguments::new().long(0).long(0).into_bytes();
    let block = Dim3::new(1, 1, 1);
    let launch = Launch { grid, block, shared_memory: 0, parameters };
    let launch = machine.launch_in_clusters("k", launch, Cluster::of(grid), 0).unwrap();
    let mut seen = Vec::new();
    let mut host = vec![launch];
    let ended = functional::run_while(&mut host, &mut |instruction| {
        if let Operation::Memory {
            space: space @ (Space::Shared | Space::Cluster), access, ..
        } = instruction.operation
        {
            seen.push(format!("{space:?} {access:?}"));
        }
        ControlFlow::Continue(())
    });
    assert!(ended.is_ok());
    seen.sort();
    assert_eq!(seen, ["Cluster Load", "Cluster Store", "Shared Load", "Shared Store"]);
}

#[test]
fn what_the_manual_leaves_undefined_ends_the_run() {
    let other = "xor.b32 %r0, %r7, 1; mapa.shared::cluster.u32 %r1, sh, %r0;";
    for (body, message) in [
        (
            format!("{other} ld.shared::cluster.u32 %r2, [%r1];"),
            "a load of 4 bytes goes to the block of rank 1, (1, 0, 0), which has not begun",
        ),
        (
            format!("{SYNC} setp.eq.u32 %p0, %r7, 1; @%p0 exit; {other} st.shared::cluster.u8 [%r1], %r0;"),
            "a store of 1 byte goes to the block of rank 1, (1, 0, 0), which has ended",
        ),
        (
            format!("{SYNC} {other} ld.shared.u32 %r2, [%r1];"),
            "a load of 4 bytes at 0x5000010 of shared memory is outside of it",
        ),
        (
            format!("{SYNC} {other} ld.shared::cluster.u32 %r2, [%r1+64];"),
            "a load of 4 bytes at 0x50 of shared memory of rank 0 is outside of it",
        ),
        (
            format!("{SYNC} {other} red.shared::cluster.add.u32 [%r1+2], 1;"),
            "an atomic access of 4 bytes at 0x5000012 is misaligned",
        ),
        (
            "mov.u32 %r1, 0x5400000; ld.shared::cluster.u32 %r2, [%r1];".to_owned(),
            "a load of 4 bytes goes to the block of rank 2 of a cluster of 2",
        ),
        (
            "mov.u32 %r1, 0x2000000; ld.shared::cluster.u32 %r2, [%r1];".to_owned(),
            "a load of 4 bytes at 0x2000000 is in shared memory of no block",
        ),
        (
            "mapa.shared::cluster.u32 %r1, sh, %r6;".to_owned(),
            "an address of the block of rank 2 of a cluster of 2",
        ),
        ("mapa.u64 %d0, %a, %r7;".to_owned(), "0x10000000 is no address of shared memory"),
        ("mov.u64 %d1, sh; getctarank.u64 %r0, %d1;".to_owned(), "0x10 is no address of shared memory"),
        (
            "mov.u64 %d1, sh; cvta.shared.u64 %d1, %d1; mov.u32 %r0, 1; mapa.u64 %d1, %d1, %r0;
            mbarrier.init.b64 [%d1], 1;"
                .to_owned(),
            "an mbarrier at 0x6200010 is not in shared memory",
        ),
    ] {
        let found = wrong(&body);
        assert!(found.ends_with(&format!(": {message}")), "{body}\n{found}");
    }
}

#[test]
fn blocks_arrive_at_the_mbarrier_of_the_first_one_and_complete_its_transactions() {
    // Of four blocks three store 8 bytes each in the first one, and say so.
    let body = |arrive: &str| {
        format!(
        "setp.ne.u32 %p0, %r7, 0; @!%p0 mbarrier.init.shared.b64 [pad], 3; {SYNC}
        mov.u32 %r0, 0; mapa.shared::cluster.u32 %r1, sh, %r0; mapa.shared::cluster.u32 %r2, pad, %r0;
        @!%p0 bra WAIT;
        mad.lo.u32 %r3, %r7, 8, %r1; st.shared::cluster.v2.u32 [%r3], {{%r7, %r8}};
        {arrive} bra DONE;
        WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [pad], 0; @!%p1 bra WAIT;
        ld.shared.v4.u32 {{%r0, %r1, %r2, %r3}}, [sh+16]; st.global.v4.u32 [%a], {{%r0, %r1, %r2, %r3}};
        DONE: {SYNC}"
    )
    };
    for arrive in [
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];",
        "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r2], 8;
        mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r2], 8;",
        "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r2], 8;
        mbarrier.complete_tx.shared::cluster.b64 [%r2], 8; mbarrier.arrive.shared::cluster.b64 _, [%r2], 1;",
    ] {
        assert_eq!(left(&body(arrive), [4, 1, 1], [4, 1, 1], 4), [2, 2, 3, 3], "{arrive}");
    }
}

/// Thread 0 of each cluster asks for another one, and each block adds its work to that of the
/// cluster at hand: 1 at the place of the block at its own place there.
const STEAL: &str = ".reg .b128 %x; mov.u32 %r3, 0; mov.u32 %r0, %cluster_ctaid.x; sub.u32 %r1, %r8, %r0;
    mbarrier.init.shared.b64 [pad], 1; barrier.cluster.arrive; barrier.cluster.wait; setp.ne.u32 %p0, %r7, 0;
    WORK: add.u32 %r2, %r1, %r0; mad.wide.u32 %d0, %r2, 4, %a; red.global.add.u32 [%d0], 1;
    mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 _, [pad], 16;
    barrier.cluster.arrive; barrier.cluster.wait;
    @!%p0 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [sh], [pad];
    WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [pad], %r3; @!%p1 bra WAIT;
    xor.b32 %r3, %r3, 1; ld.shared.b128 %x, [sh];
    clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %x;
    @%p2 clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r1, %x;
    barrier.cluster.arrive; barrier.cluster.wait; @%p2 bra WORK;";

#[test]
fn a_cluster_takes_whole_clusters_and_each_of_its_blocks_has_the_answer() {
    for (blocks, extent) in [(1, 1), (12, 1), (12, 2), (24, 4), (8, 8)] {
        let ones = vec![1; blocks as usize];
        assert_eq!(left(STEAL, [blocks, 1, 1], [extent, 1, 1], blocks as usize), ones, "{extent}");
    }
}

#[test]
fn an_answer_needs_an_mbarrier_in_each_block_of_the_cluster() {
    let body = STEAL
        .replace("mbarrier.init", "setp.eq.u32 %p0, %r7, 0; @%p0 mbarrier.init")
        .replace("mbarrier.arrive.expect_tx", "@!%p0 mbarrier.arrive.expect_tx");
    let message = wrong(&body);
    assert!(message.ends_with("no mbarrier is at 0x0"), "{message}");
}

#[test]
fn reads_of_what_nobody_has_written_are_found_in_other_blocks_too() {
    let run = |store: &str| {
        let body = format!(
            "{store} {SYNC} xor.b32 %r1, %r7, 1; mapa.shared::cluster.u32 %r1, sh, %r1;
            ld.shared::cluster.u32 %r2, [%r1]; st.shared::cluster.u32 [%r1], %r2; {SYNC}"
        );
        let machine = machine(&text(&body));
        machine.check_shared();
        let parameters = Arguments::new().long(0).long(0).into_bytes();
        let grid = Dim3::new(2, 1, 1);
        let launch = Launch { grid, block: Dim3::new(1, 1, 1), shared_memory: 0, parameters };
        let launch = machine.launch_in_clusters("k", launch, Cluster::of(grid), 0).unwrap();
        let ran = functional::run(&mut vec![launch]);
        ran.err().map_or(String::new(), |error| error.to_string())
    };
    assert_eq!(run("st.shared.u32 [sh], %r7;"), "");
    let message = run("");
    assert!(message.ends_with("shared memory is read, and nobody has written it"), "{message}");
}

#[test]
fn other_forms_are_refused() {
    for body in [
        "mapa.shared.u32 %r0, sh, %r1;",
        "mapa.shared::cluster.s32 %r0, sh, %r1;",
        "mapa.u64 %d0, %d1;",
        "mapa.u64 %d0, %d1, %d2;",
        "getctarank.u32 %d0, %r1;",
        "getctarank.shared::cta.u32 %r0, %r1;",
        "ld.shared::cluster.u32 %r0, [a];",
        "ldmatrix.sync.aligned.m8n8.x1.shared::cluster.b16 {%r0}, [%r1];",
        "cp.async.ca.shared::cluster.global [%r0], [%d0], 4;",
        "red.shared::cluster.add.v2.f32 [%r0], {%r1, %r2};",
        "mbarrier.arrive.release.cluster.shared::cluster.b64 %d0, [%r0];",
        "mbarrier.arrive.noComplete.shared::cluster.b64 _, [%r0], 1;",
        "mbarrier.init.shared::cluster.b64 [%r0], 1;",
        "mbarrier.test_wait.parity.shared::cluster.b64 %p0, [%r0], 0;",
        "mbarrier.inval.shared::cluster.b64 [%r0];",
    ] {
        let opcode = body.split(['.', ' ']).next().unwrap();
        let error = blockyard_ptx::load("test.ptx", &text(body)).err().expect(body);
        let message = error.to_string();
        assert!(message.contains("kernel `k`") && message.contains(opcode), "{body}: {message}");
    }
}
