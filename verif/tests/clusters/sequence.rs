//! Rationale: combinational over a place in a cluster in a grid; every place of every grid of up to
//! three small clusters in each dimension, of every extent of up to 16 blocks, and grids at the
//! limits of their fields.

use crate::dispatch::kernel_table::block;
use crate::harness::fresh;
use blockyard_rtl::clusters::{ClusterExtent, ClusterSequence, Place};
use blockyard_rtl::module::settle;
use blockyard_rtl::port::BlockId;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Cluster, Dim3};
use blockyard_sim::sched::clusters as twin;
use twin::{SequenceInputs, SequenceOutputs};

fn index(at: Dim3) -> BlockId {
    BlockId { x: U::new(at.x.into()), y: U::new(at.y.into()), z: U::new(at.z.into()) }
}

fn agree(module: &mut ClusterSequence, inputs: &SequenceInputs) -> SequenceOutputs {
    let SequenceInputs { at, place, grid, cluster } = *inputs;
    module.at.next = index(at);
    module.grid.next = index(grid);
    module.place.next =
        Place { x: U::new(place.x.into()), y: U::new(place.y.into()), z: U::new(place.z.into()) };
    module.cluster.next = ClusterExtent {
        x: U::new(cluster.x.into()),
        y: U::new(cluster.y.into()),
        z: U::new(cluster.z.into()),
    };
    settle(module);
    let expected = twin::Sequence.evaluate(inputs);
    let after = module.next_place.val();
    let ends = module.ends.val();
    let got = SequenceOutputs {
        block: block(module.block.val()),
        next_place: Dim3::new(after.x.raw() as u32, after.y.raw() as u32, after.z.raw() as u32),
        closes: module.closes.val(),
        beyond: (!ends).then(|| block(module.beyond.val())),
        empty: module.empty.val(),
    };
    assert_eq!(got, expected, "hardware, twin; {inputs:?}");
    expected
}

fn extents() -> impl Iterator<Item = Cluster> {
    let sides = (1..=16).flat_map(|x| (1..=16).flat_map(move |y| (1..=16).map(move |z| (x, y, z))));
    sides.filter_map(|(x, y, z)| Cluster::of(Dim3::new(x, y, z)))
}

#[test]
fn every_grid_is_walked_cluster_by_cluster_each_block_once() {
    let mut module = fresh(ClusterSequence::new());
    for cluster in extents() {
        let Dim3 { x, y, z } = cluster.extent();
        for clusters in (0..27).map(|code| [code % 3 + 1, code / 3 % 3 + 1, code / 9 + 1]) {
            let grid = Dim3::new(clusters[0] * x, clusters[1] * y, clusters[2] * z);
            let (mut at, mut place) = (Dim3::default(), Dim3::default());
            let mut seen = vec![false; grid.volume() as usize];
            loop {
                let outputs = agree(&mut module, &SequenceInputs { at, place, grid, cluster });
                let id = outputs.block.linear(grid) as usize;
                assert!(!std::mem::replace(&mut seen[id], true), "block {id} twice");
                place = outputs.next_place;
                match outputs.beyond {
                    _ if !outputs.closes => {}
                    Some(beyond) => at = beyond,
                    None => break,
                }
            }
            assert!(seen.iter().all(|&seen| seen), "{cluster} in {grid}");
        }
    }
}

#[test]
fn empty_grids_and_the_largest_ones_end_where_they_should() {
    let mut module = fresh(ClusterSequence::new());
    let none = Dim3::default();
    for grid in [none, Dim3::new(0, 2, 2), Dim3::new(4, 0, 2), Dim3::new(4, 2, 0)] {
        let cluster = Cluster { x: 2, y: 2, z: 2 };
        let inputs = SequenceInputs { at: none, place: none, grid, cluster };
        assert!(agree(&mut module, &inputs).empty);
    }
    for (grid, cluster) in [
        (Dim3::new((1 << 31) - 1, 1, 1), Cluster::default()),
        (Dim3::new((1 << 31) - 2, 1, 1), Cluster { x: 2, y: 1, z: 1 }),
        (Dim3::new(2, 65_534, 4), Cluster { x: 2, y: 2, z: 4 }),
        (Dim3::new(1, 3, 65_535), Cluster { x: 1, y: 3, z: 5 }),
    ] {
        let Dim3 { x, y, z } = cluster.extent();
        let at = Dim3::new(grid.x - x, grid.y - y, grid.z - z);
        let place = Dim3::new(x - 1, y - 1, z - 1);
        let last = agree(&mut module, &SequenceInputs { at, place, grid, cluster });
        assert_eq!((last.closes, last.beyond), (true, None), "{grid}");
        assert_eq!(last.block, Dim3::new(grid.x - 1, grid.y - 1, grid.z - 1));
    }
}
