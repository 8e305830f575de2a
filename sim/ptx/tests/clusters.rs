//! What blocks know of their clusters: the special registers, against what the manual says of each.

mod support;

use blockyard_contract::port::{Cluster, Dim3};
use blockyard_ptx::{functional, Arguments, Launch};
use support::{kernel, machine};

/// Each block leaves 16 words, at its linear number.
const BODY: &str = "
    mov.u32 %r0, %ctaid.z; mad.lo.u32 %r0, %r0, %nctaid.y, %ctaid.y; mad.lo.u32 %r0, %r0, %nctaid.x, %ctaid.x;
    mad.wide.u32 %d0, %r0, 64, %a;
    mov.u32 %r1, %clusterid.x; mov.u32 %r2, %clusterid.y; mov.u32 %r3, %clusterid.z;
    st.global.v2.u32 [%d0], {%r1, %r2}; st.global.u32 [%d0+8], %r3;
    mov.u32 %r1, %nclusterid.x; mov.u32 %r2, %nclusterid.y; mov.u32 %r3, %nclusterid.z;
    st.global.u32 [%d0+12], %r1; st.global.v2.u32 [%d0+16], {%r2, %r3};
    mov.u32 %r1, %cluster_ctaid.x; mov.u32 %r2, %cluster_ctaid.y; mov.u32 %r3, %cluster_ctaid.z;
    st.global.v2.u32 [%d0+24], {%r1, %r2}; st.global.u32 [%d0+32], %r3;
    mov.u32 %r1, %cluster_nctaid.x; mov.u32 %r2, %cluster_nctaid.y; mov.u32 %r3, %cluster_nctaid.z;
    st.global.u32 [%d0+36], %r1; st.global.v2.u32 [%d0+40], {%r2, %r3};
    mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank;
    st.global.v2.u32 [%d0+48], {%r1, %r2};
    mov.pred %p0, %is_explicit_cluster; selp.u32 %r3, 1, 0, %p0;
    st.global.u32 [%d0+56], %r3; st.global.u32 [%d0+60], 99;";

fn left(grid: Dim3, cluster: Option<Cluster>) -> Vec<u32> {
    let machine = machine(&kernel("", BODY));
    let words = 16 * grid.volume() as usize;
    let at = machine.array(&vec![0; words]).unwrap();
    let parameters = Arguments::new().long(at).long(0).into_bytes();
    let launch = Launch { grid, block: Dim3::new(1, 1, 1), shared_memory: 0, parameters };
    let launch = machine.launch_in_clusters("k", launch, cluster, 0).unwrap();
    assert_eq!(launch.cluster, cluster.unwrap_or_default());
    functional::run(&mut vec![launch]).unwrap();
    machine.words(at, words as u64).unwrap()
}

/// The manual's words for the blocks of a `grid` in clusters of `extent`, x first.
fn expected(grid: [u32; 3], extent: [u32; 3], explicit: u32) -> Vec<u32> {
    let mut words = Vec::new();
    for z in 0..grid[2] {
        for y in 0..grid[1] {
            for x in 0..grid[0] {
                let block = [x, y, z];
                let each = |of: fn(u32, u32) -> u32, of_what: [u32; 3]| {
                    [0, 1, 2].map(|axis| of(of_what[axis], extent[axis]))
                };
                let place = each(|block, extent| block % extent, block);
                words.extend(each(|block, extent| block / extent, block));
                words.extend(each(|grid, extent| grid / extent, grid));
                words.extend(place);
                words.extend(extent);
                words.push((place[2] * extent[1] + place[1]) * extent[0] + place[0]);
                words.extend([extent.iter().product(), explicit, 99]);
            }
        }
    }
    words
}

#[test]
fn a_block_knows_its_place_in_its_cluster_and_that_of_the_cluster() {
    for (grid, extent) in [
        ([4, 1, 1], [2, 1, 1]),
        ([6, 4, 4], [3, 2, 2]),
        ([2, 6, 1], [1, 3, 1]),
        ([3, 1, 1], [1, 1, 1]),
    ] {
        let dim = |[x, y, z]: [u32; 3]| Dim3::new(x, y, z);
        let found = left(dim(grid), Cluster::of(dim(extent)));
        assert_eq!(found, expected(grid, extent, 1), "{grid:?} {extent:?}");
    }
}

#[test]
fn where_no_cluster_is_stated_each_block_is_one() {
    assert_eq!(left(Dim3::new(3, 2, 1), None), expected([3, 2, 1], [1, 1, 1], 0));
}

#[test]
fn a_guard_may_be_whether_a_cluster_is_stated() {
    let body = "mov.u32 %r0, 1; setp.eq.and.u32 %p1, %r0, 1, %is_explicit_cluster;
        @%p1 st.global.u32 [%a], 5;";
    let machine = machine(&kernel("", body));
    let run = |cluster| {
        let at = machine.array(&[0]).unwrap();
        let parameters = Arguments::new().long(at).long(0).into_bytes();
        let one = Dim3::new(1, 1, 1);
        let launch = Launch { grid: one, block: one, shared_memory: 0, parameters };
        let launch = machine.launch_in_clusters("k", launch, cluster, 0).unwrap();
        functional::run(&mut vec![launch]).unwrap();
        machine.words(at, 1).unwrap()[0]
    };
    assert_eq!([run(None), run(Some(Cluster::default()))], [0, 5]);
}

#[test]
fn a_grid_that_is_not_made_of_whole_clusters_is_refused() {
    let machine = machine(&kernel("", ""));
    let parameters = Arguments::new().long(0).long(0).into_bytes();
    let (grid, block) = (Dim3::new(4, 3, 1), Dim3::new(1, 1, 1));
    let launch = Launch { grid, block, shared_memory: 0, parameters };
    let cluster = Cluster::of(Dim3::new(2, 2, 1));
    let error = machine.launch_in_clusters("k", launch, cluster, 0).expect_err("refused");
    let message = "the grid (4, 3, 1) of kernel `k` is not made of whole clusters";
    assert_eq!(error.to_string(), message);
}

#[test]
fn a_block_of_a_larger_cluster_may_not_ask_for_another_one() {
    let items = ".shared .align 16 .b8 answer[16]; .shared .align 8 .b64 bar;";
    let body = "mbarrier.init.shared.b64 [bar], 1;
        clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [answer], [bar];";
    let machine = machine(&kernel(items, body));
    let run = |extent| {
        let parameters = Arguments::new().long(0).long(0).into_bytes();
        let (grid, block) = (Dim3::new(4, 1, 1), Dim3::new(1, 1, 1));
        let launch = Launch { grid, block, shared_memory: 0, parameters };
        let cluster = Cluster::of(Dim3::new(extent, 1, 1));
        let launch = machine.launch_in_clusters("k", launch, cluster, 0).unwrap();
        functional::run(&mut vec![launch]).map_err(|error| error.to_string())
    };
    assert!(run(1).is_ok());
    let message = run(2).expect_err("it fails");
    assert!(message.ends_with("a block of a cluster of 2 asks for another one"), "{message}");
}
