use super::*;
use proptest::prelude::*;

type Point = (u32, u32, u32);

fn dim((x, y, z): Point) -> Dim3 {
    Dim3::new(x, y, z)
}

fn of(at: Point, place: Point, grid: Point, cluster: Point) -> SequenceOutputs {
    let cluster = Cluster::of(dim(cluster)).unwrap();
    let (at, place, grid) = (dim(at), dim(place), dim(grid));
    Sequence.evaluate(&SequenceInputs { at, place, grid, cluster })
}

/// All blocks of a grid in the order in which they go; the last one of a cluster is `true`.
fn walk(grid: Dim3, cluster: Cluster) -> Vec<(Dim3, bool)> {
    let mut inputs = SequenceInputs { grid, cluster, ..Default::default() };
    let mut walked = Vec::new();
    loop {
        let outputs = Sequence.evaluate(&inputs);
        assert!(!outputs.empty);
        walked.push((outputs.block, outputs.closes));
        inputs.place = outputs.next_place;
        match (outputs.closes, outputs.beyond) {
            (true, Some(beyond)) => inputs.at = beyond,
            (true, None) => return walked,
            (false, _) => {}
        }
    }
}

#[test]
fn x_runs_fastest_then_y_then_z_within_a_cluster_and_from_one_to_the_next() {
    let blocks = walk(Dim3::new(4, 2, 2), Cluster { x: 2, y: 2, z: 1 });
    let first = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)];
    let second = [(2, 0, 0), (3, 0, 0), (2, 1, 0), (3, 1, 0)];
    let behind = |points: [Point; 4]| points.map(|(x, y, z)| (x, y, z + 1));
    let expected: Vec<_> =
        [first, second, behind(first), behind(second)].concat().into_iter().map(dim).collect();
    assert_eq!(blocks.iter().map(|(block, _)| *block).collect::<Vec<_>>(), expected);
    let closing: Vec<_> = (0..16).filter(|&at| blocks[at].1).collect();
    assert_eq!(closing, [3, 7, 11, 15]);
}

#[test]
fn a_block_is_its_cluster_s_first_block_plus_its_place() {
    let outputs = of((8, 4, 6), (3, 1, 2), (16, 8, 12), (4, 2, 2));
    assert_eq!(outputs.block, Dim3::new(11, 5, 8));
}

#[test]
fn the_place_returns_to_zero_behind_the_last_block_of_a_cluster_and_not_one_before() {
    let last = of((0, 0, 0), (1, 1, 3), (4, 4, 4), (2, 2, 4));
    assert_eq!((last.closes, last.next_place), (true, Dim3::default()));
    let before = of((0, 0, 0), (0, 1, 3), (4, 4, 4), (2, 2, 4));
    assert_eq!((before.closes, before.next_place), (false, Dim3::new(1, 1, 3)));
    let plane = of((0, 0, 0), (1, 1, 2), (4, 4, 4), (2, 2, 4));
    assert_eq!((plane.closes, plane.next_place), (false, Dim3::new(0, 0, 3)));
}

#[test]
fn clusters_end_with_the_one_that_reaches_the_far_corner() {
    let beyond = |at| of(at, (0, 0, 0), (8, 4, 2), (4, 2, 1)).beyond;
    assert_eq!(beyond((0, 0, 0)), Some(Dim3::new(4, 0, 0)));
    assert_eq!(beyond((4, 0, 0)), Some(Dim3::new(0, 2, 0)));
    assert_eq!(beyond((4, 2, 0)), Some(Dim3::new(0, 0, 1)));
    assert_eq!(beyond((4, 2, 1)), None);
}

#[test]
fn a_cluster_of_one_block_closes_with_every_block() {
    let outputs = of((5, 0, 0), (0, 0, 0), (7, 1, 1), (1, 1, 1));
    assert!(outputs.closes);
    assert_eq!(outputs.beyond, Some(Dim3::new(6, 0, 0)));
    assert_eq!(of((6, 0, 0), (0, 0, 0), (7, 1, 1), (1, 1, 1)).beyond, None);
}

#[test]
fn a_cluster_of_sixteen_in_one_dimension_has_places_of_four_bits() {
    for (axis, cluster) in [(16, 1, 1), (1, 16, 1), (1, 1, 16)].into_iter().enumerate() {
        let along = |length: u32| {
            let mut point = [0; 3];
            point[axis] = length;
            point.into()
        };
        let last = of((0, 0, 0), along(15), cluster, cluster);
        assert_eq!((last.closes, last.beyond), (true, None));
        let before = of((0, 0, 0), along(14), cluster, cluster);
        assert_eq!((before.closes, before.next_place), (false, dim(along(15))));
    }
}

#[test]
fn an_empty_grid_has_no_cluster_and_ends() {
    for grid in [(0, 1, 1), (4, 0, 1), (4, 2, 0), (0, 0, 0)] {
        let outputs = of((0, 0, 0), (0, 0, 0), grid, (4, 2, 1));
        assert_eq!((outputs.empty, outputs.beyond), (true, None), "{grid:?}");
    }
}

#[test]
fn the_largest_grid_in_each_dimension_does_not_overflow() {
    let (x, yz) = ((1 << 31) - 16, 65_520);
    let outputs = of((x - 16, 0, 0), (15, 0, 0), (x, yz, yz), (16, 1, 1));
    assert_eq!(outputs.block, Dim3::new(x - 1, 0, 0));
    assert_eq!(outputs.beyond, Some(Dim3::new(0, 1, 0)));
    assert_eq!(of((x - 16, yz - 1, yz - 1), (15, 0, 0), (x, yz, yz), (16, 1, 1)).beyond, None);
}

proptest! {
    #[test]
    fn every_block_goes_once_and_clusters_are_boxes_of_the_grid(
        cluster in prop_oneof![Just((1, 1, 1)), (1u32..=4, 1u32..=2, 1u32..=2), Just((16, 1, 1))],
        clusters in (1u32..4, 1u32..4, 1u32..4),
    ) {
        let extent = dim(cluster);
        let grid =
            Dim3::new(extent.x * clusters.0, extent.y * clusters.1, extent.z * clusters.2);
        let cluster = Cluster::of(extent).unwrap();
        let walked = walk(grid, cluster);
        prop_assert_eq!(walked.len() as u128, grid.volume());
        let mut seen: Vec<_> = walked.iter().map(|(block, _)| block.linear(grid)).collect();
        seen.sort_unstable();
        prop_assert_eq!(seen, (0..grid.volume() as u64).collect::<Vec<_>>());
        for (at, together) in walked.chunks(cluster.blocks() as usize).enumerate() {
            for (place, (block, closes)) in together.iter().enumerate() {
                let within = Dim3::new(block.x % extent.x, block.y % extent.y, block.z % extent.z);
                let of = Dim3::new(block.x / extent.x, block.y / extent.y, block.z / extent.z);
                prop_assert_eq!(within.linear(extent), place as u64);
                prop_assert_eq!(of.linear(dim(clusters)), at as u64);
                prop_assert_eq!(*closes, place + 1 == together.len());
            }
        }
    }
}
