//! The undirected networks: those of cage, citation, road and flight.

use expect_test::expect;
use proptest::prelude::*;

use super::tests::digest;
use super::{cage, citation, flight, road};
use crate::graph::Csr;

fn networks(vertices: u32, seed: u64) -> [(&'static str, Csr); 4] {
    [
        ("cage", cage(vertices, 18, 64, 15, seed)),
        ("citation", citation(vertices, 9, 200, seed)),
        ("road", road(vertices, seed)),
        ("flight", flight(vertices, 14, seed)),
    ]
}

fn edges(csr: &Csr) -> Vec<(u32, u32)> {
    csr.to_edges().edges
}

fn mean_degree(csr: &Csr) -> f64 {
    f64::from(csr.edges()) / f64::from(csr.vertices())
}

fn degrees(csr: &Csr) -> impl Iterator<Item = u32> + '_ {
    (0..csr.vertices()).map(|vertex| csr.degree(vertex))
}

#[test]
fn networks_are_the_same_for_ever() {
    let digests = networks(500, 3).map(|(name, csr)| format!("{name} {}", digest(&csr)));
    expect![[r#"
        cage 7c0e914e6a7fc9b3
        citation adb2cc4c74687615
        road 9b4c53c53f097383
        flight 4a1daea91b67747b"#]]
    .assert_eq(&digests.join("\n"));
}

#[test]
fn the_seed_decides_on_networks() {
    for ((name, one), (_, other)) in networks(200, 1).into_iter().zip(networks(200, 2)) {
        assert_ne!(one, other, "{name}");
    }
}

/// Fixed seeds, wide margins.
#[test]
fn degrees_are_those_of_the_networks_that_they_stand_for() {
    for (csr, mean, deviation, most) in [
        (cage(30_000, 18, 64, 15, 1), 18.0, 5.0..6.5, 30..50),
        (citation(30_000, 9, 200, 1), 9.0, 10.0..20.0, 300..3000),
        (road(30_000, 1), 2.4, 0.8..1.2, 4..9),
        (flight(3_883, 14, 1), 13.9, 15.0..25.0, 200..320),
    ] {
        let got = mean_degree(&csr);
        assert!((got / mean - 1.0).abs() < 0.1, "{got} instead of {mean}");
        let squares = degrees(&csr).map(|degree| (f64::from(degree) - got).powi(2));
        let got = (squares.sum::<f64>() / f64::from(csr.vertices())).sqrt();
        assert!(deviation.contains(&got), "{got} is not in {deviation:?}");
        let got = degrees(&csr).max().expect("vertices");
        assert!(most.contains(&got), "{got} is not in {most:?}");
    }
}

#[test]
fn the_band_of_a_cage_is_as_wide_as_its_spread() {
    let n = 20_000;
    for spread in [1, 16, 256] {
        let csr = cage(n, 4, spread, 0, 2);
        let distances = edges(&csr).into_iter().map(|(one, other)| one.abs_diff(other));
        let sum: u64 = distances.map(u64::from).sum();
        let mean = sum as f64 / f64::from(csr.edges());
        // What a vertex draws twice it draws again, mostly farther away.
        let expected = f64::from(spread)..f64::from(spread) * 1.5 + 1.0;
        assert!(expected.contains(&mean), "{mean} at {spread}");
    }
}

#[test]
fn of_a_cage_as_many_edges_lead_far_away_as_asked() {
    let n = 100_000;
    for (far, expected) in [(0, 0.0), (15, 0.015), (500, 0.5), (1000, 1.0)] {
        let all = edges(&cage(n, 18, 32, far, 2));
        let away = all.iter().filter(|(one, other)| one.abs_diff(*other) > 32 * 28).count();
        let share = away as f64 / all.len() as f64;
        assert!((share - expected).abs() < 0.02, "{share} instead of {expected}");
    }
}

#[test]
fn citations_stay_in_communities_but_for_those_that_leave_them() {
    let n = 60_000;
    let close = |far| {
        let all = edges(&citation(n, 9, far, 4));
        let close = all.iter().filter(|(one, other)| one.abs_diff(*other) < 2048).count();
        close as f64 / all.len() as f64
    };
    assert!(close(0) > 0.99);
    assert!((0.75..0.9).contains(&close(200)));
    assert!(close(1000) < 0.2);
}

#[test]
fn a_few_publications_are_cited_by_very_many() {
    let csr = citation(60_000, 9, 200, 4);
    let mut degrees: Vec<_> = degrees(&csr).collect();
    degrees.sort_unstable();
    let top: u32 = degrees[59_400..].iter().sum();
    let share = f64::from(top) / f64::from(csr.edges());
    assert!(share > 0.1, "the first hundredth has {share} of the edges");
    assert!(degrees[30_000] < 8, "and the middle one {}", degrees[30_000]);
}

#[test]
fn roads_lead_to_the_next_crossing() {
    // 29 in a row, 28 rows and a bit.
    let csr = road(29 * 28 + 5, 1);
    for (source, target) in edges(&csr) {
        let (dx, dy) = ((source % 29).abs_diff(target % 29), (source / 29).abs_diff(target / 29));
        assert!(dx.max(dy) == 1, "{source} to {target}");
    }
}

/// A power law of exponent -1 gives 2; it is cut off, and every airport has some flights besides.
#[test]
fn of_airports_with_twice_as_many_neighbours_there_are_a_half_to_a_fifth() {
    let csr = flight(40_000, 14, 6);
    let busier = |than: u32| degrees(&csr).filter(|&degree| degree > than).count() as f64;
    for neighbours in [20, 30, 40] {
        let ratio = busier(neighbours) / busier(2 * neighbours);
        assert!((2.0..5.0).contains(&ratio), "{ratio} at {neighbours}");
    }
}

#[test]
fn a_flight_weighs_its_distance_and_leads_to_a_near_airport() {
    let csr = flight(3_000, 14, 6);
    let list = csr.to_edges();
    let weights = csr.weights().expect("distances");
    assert!(weights.iter().all(|km| km.fract() == 0.0 && (1.0..=6364.0).contains(km)));
    let of = |pair: (u32, u32)| weights[list.edges.binary_search(&pair).expect("an edge")];
    for &(one, other) in &list.edges {
        assert_eq!(of((one, other)), of((other, one)));
    }
    // Between two points of a square it is 0.52 of the side on the average.
    let mean = weights.iter().sum::<f64>() / weights.len() as f64;
    assert!((700.0..1600.0).contains(&mean), "{mean} km");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn networks_of_any_size_are_undirected_without_loops_and_copies(
        vertices in 1u32..300,
        degree in 2u32..60,
        spread in 1u32..100,
        far in 0u32..=1000,
        seed: u64,
    ) {
        let all = [
            cage(vertices, degree, spread, far, seed),
            citation(vertices, degree, far, seed),
            road(vertices, seed),
            flight(vertices, degree, seed),
        ];
        for csr in all {
            prop_assert_eq!(csr.vertices(), vertices);
            prop_assert_eq!(&csr.symmetric(), &csr);
            let list = edges(&csr);
            prop_assert!(list.windows(2).all(|pair| pair[0] < pair[1]), "in order, each once");
            prop_assert!(list.iter().all(|(one, other)| one != other));
        }
    }
}
