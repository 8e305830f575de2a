use expect_test::expect;

use super::{grid, rmat, uniform};
use crate::graph::Csr;

/// A short name of the exact graph: FNV-1a over offsets and columns.
pub(super) fn digest(csr: &Csr) -> String {
    let words = csr.offsets().iter().chain(csr.columns());
    let digest = words.fold(0xcbf2_9ce4_8422_2325u64, |hash, &word| {
        (hash ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{digest:016x}")
}

#[test]
fn graphs_are_the_same_for_ever() {
    let digests = [
        digest(&rmat(8, 16, 1)),
        digest(&rmat(8, 16, 2)),
        digest(&uniform(100, 500, 1)),
        digest(&grid(5, 7)),
    ];
    expect![[r#"
        807a09b3404f0c9b
        1d423933d07a4ad7
        49f60163e6567ba5
        387c7eabec273f19"#]]
    .assert_eq(&digests.join("\n"));
}

#[test]
fn the_seed_decides() {
    assert_eq!(rmat(6, 8, 5), rmat(6, 8, 5));
    assert_ne!(rmat(6, 8, 5), rmat(6, 8, 6));
    assert_eq!(uniform(64, 99, 5), uniform(64, 99, 5));
    assert_ne!(uniform(64, 99, 5), uniform(64, 99, 6));
}

#[test]
fn sizes_are_as_asked() {
    for scale in 1..=10 {
        for factor in [0, 1, 3, 16] {
            let csr = rmat(scale, factor, 9);
            assert_eq!((csr.vertices(), csr.edges()), (1 << scale, factor << scale));
        }
    }
    for (vertices, edges) in [(1, 0), (1, 3), (33, 1000)] {
        let csr = uniform(vertices, edges, 4);
        assert_eq!((csr.vertices(), csr.edges()), (vertices, edges));
    }
}

/// Two standard deviations would fail one seed in twenty; the seed is fixed, the margin wide.
#[test]
fn one_step_of_rmat_takes_the_quadrants_with_their_probabilities() {
    let edges = 40_000;
    let csr = rmat(1, edges / 2, 3);
    let mut counts = [0u32; 4];
    for (source, target) in csr.to_edges().edges {
        counts[(2 * source + target) as usize] += 1;
    }
    // The permutation may have swapped the two vertices.
    if counts[3] > counts[0] {
        counts.reverse();
    }
    let share = counts.map(|n| f64::from(n) / f64::from(edges));
    for (got, expected) in share.into_iter().zip([0.57, 0.19, 0.19, 0.05]) {
        assert!((got - expected).abs() < 0.01, "{share:?}");
    }
}

#[test]
fn rmat_is_skewed_and_uniform_is_not() {
    let highest = |csr: &Csr| (0..csr.vertices()).map(|v| csr.degree(v)).max().unwrap();
    let (skewed, even) = (highest(&rmat(10, 16, 1)), highest(&uniform(1024, 16_384, 1)));
    assert!(skewed > 200, "{skewed}");
    assert!((17..60).contains(&even), "{even}");
}

#[test]
fn the_busiest_vertices_of_rmat_are_spread_by_the_permutation() {
    let csr = rmat(10, 16, 1);
    let mut by_degree: Vec<u32> = (0..1024).collect();
    by_degree.sort_by_key(|&v| std::cmp::Reverse(csr.degree(v)));
    let upper_half = by_degree[..64].iter().filter(|&&v| v >= 512).count();
    assert!((16..=48).contains(&upper_half), "{upper_half}");
}

#[test]
fn a_grid_joins_each_vertex_to_its_neighbours_alone() {
    assert_eq!(grid(1, 1).edges(), 0);
    assert_eq!(grid(3, 1).columns(), [1, 0, 2, 1]);
    assert_eq!(grid(3, 3).neighbours(4), [1, 3, 5, 7]);
    for (width, height) in [(1, 5), (2, 2), (3, 4), (7, 5)] {
        let csr = grid(width, height);
        assert_eq!(csr.edges(), 2 * ((width - 1) * height + (height - 1) * width));
        assert_eq!(csr.symmetric(), csr);
        for (source, target) in csr.to_edges().edges {
            let (dx, dy) = (
                (source % width).abs_diff(target % width),
                (source / width).abs_diff(target / width),
            );
            assert_eq!(dx + dy, 1, "{source} to {target} in {width} x {height}");
        }
    }
}
