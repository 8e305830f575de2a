//! Independent sets.

use std::rc::Rc;

use blockyard_contract::port::LaunchMode;
use blockyard_kernels::graphs::priority;
use blockyard_kernels::mis::{reference_mis, MisOptions, IN, OUT};
use blockyard_workloads::graph::{generate, Csr, SetError};
use proptest::prelude::*;

use super::{graph, interleaved, left, program, run, MODES, SEED};

fn states(csr: &Rc<Csr>) -> Vec<u32> {
    run(program("mis", csr, &[], LaunchMode::Flat), 2).0
}

#[test]
fn a_round_looks_takes_and_leaves_out_until_nothing_was_undecided() {
    // Values rise along the path: a round decides the first two vertices that are left.
    let mut order: Vec<u32> = (0..7).collect();
    order.sort_by_key(|&vertex| priority(vertex, SEED));
    let edges: Vec<_> = order.windows(2).map(|pair| (pair[0], pair[1])).collect();
    let mut mis = program("mis", &graph(7, &edges), &[], LaunchMode::Flat);
    let launches = interleaved::run(&mut *mis, 0, |_| {});
    let names: Vec<_> = launches.iter().map(|launch| &*launch.name).collect();
    assert_eq!(names, ["mis1", "mis2", "mis3"].repeat(5));
    let states = left(&*mis);
    let in_order: Vec<_> = order.iter().map(|&vertex| states[vertex as usize]).collect();
    assert_eq!(in_order, [IN, OUT, IN, OUT, IN, OUT, IN]);
}

#[test]
fn of_a_clique_the_lowest_alone_is_taken() {
    let pairs: Vec<_> = (0..40).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let states = states(&graph(40, &pairs));
    let lowest = (0..40).min_by_key(|&vertex| priority(vertex, SEED)).expect("vertices");
    for vertex in 0..40 {
        assert_eq!(states[vertex as usize], if vertex == lowest { IN } else { OUT }, "{vertex}");
    }
}

#[test]
fn without_edges_all_are_taken_and_self_loops_are_none() {
    for edges in [&[][..], &[(0, 0), (2, 2)]] {
        assert_eq!(states(&graph(3, edges)), [IN; 3]);
    }
}

#[test]
fn an_edge_that_is_listed_in_one_direction_counts_for_both() {
    for edge in [(0, 1), (1, 0)] {
        let mut states = states(&graph(2, &[edge]));
        states.sort_unstable();
        assert_eq!(states, [IN, OUT]);
    }
}

#[test]
fn without_vertices_there_is_nothing_to_launch() {
    for mode in MODES {
        let mut mis = program("mis", &graph(0, &[]), &[], mode);
        assert!(mis.start().is_empty());
        assert_eq!(mis.verify(), Ok(()));
    }
}

#[test]
fn the_seed_decides_the_set() {
    let csr = generate::uniform(300, 900, 1).symmetric();
    assert_ne!(reference_mis(&csr, 1), reference_mis(&csr, 2));
}

#[test]
fn unknown_keys_and_bad_values_are_refused() {
    let mut options = MisOptions::default();
    let error = SetError::unknown("mis.source", MisOptions::KEYS);
    assert_eq!(options.set("mis.source", "1"), Err(error));
    for (key, value) in [("mis.block", "1025"), ("mis.child_block", "0"), ("mis.threshold", "x")] {
        let error = options.set(key, value).expect_err(key);
        assert_eq!(error.to_string(), format!("`{key}` cannot be `{value}`"));
    }
    assert_eq!(options, MisOptions::default(), "refused settings change nothing");
}

proptest! {
    #[test]
    fn no_two_of_the_set_are_neighbours_and_no_other_vertex_would_fit_in(
        edges in prop::collection::vec((0_u32..50, 0_u32..50), 0..200),
    ) {
        let csr = graph(50, &edges);
        let (states, csr) = (states(&csr), csr.symmetric());
        for vertex in 0..50 {
            let beside = |&next: &u32| next != vertex && states[next as usize] == IN;
            let beside = csr.neighbours(vertex).iter().any(beside);
            prop_assert_eq!(states[vertex as usize], if beside { OUT } else { IN });
        }
    }
}
