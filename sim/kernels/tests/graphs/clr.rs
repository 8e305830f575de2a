//! Colouring.

use std::rc::Rc;

use blockyard_contract::port::LaunchMode;
use blockyard_kernels::clr::{reference_clr, ClrOptions};
use blockyard_kernels::graphs::priority;
use blockyard_kernels::Computation;
use blockyard_workloads::graph::{generate, Csr, SetError};

use super::{graph, interleaved, left, program, run, MODES, SEED};

fn colouring(csr: &Rc<Csr>) -> Box<dyn Computation> {
    program("clr", csr, &[], LaunchMode::Flat)
}

fn coloured(csr: &Rc<Csr>) -> Vec<u32> {
    run(colouring(csr), 2).0
}

#[test]
fn a_clique_has_as_many_colours_as_vertices_in_order_of_priority() {
    let pairs: Vec<_> = (0..40).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let colours = coloured(&graph(40, &pairs));
    let mut order: Vec<u32> = (0..40).collect();
    order.sort_by_key(|&vertex| colours[vertex as usize]);
    assert!(order.windows(2).all(|pair| priority(pair[0], SEED) > priority(pair[1], SEED)));
    assert_eq!(colours.iter().max(), Some(&39));
}

#[test]
fn each_round_finds_conflicts_and_then_colours() {
    let csr = Rc::new(generate::grid(9, 7));
    let mut clr = colouring(&csr);
    let launches = interleaved::run(&mut *clr, 0, |_| {});
    let colours = left(&*clr);
    let rounds = *colours.iter().max().expect("vertices") as usize + 1;
    assert_eq!(launches.len(), 2 * rounds);
    for pair in launches.chunks(2) {
        assert_eq!((&*pair[0].name, &*pair[1].name), ("clr", "clr_assign"));
    }
    // The first round takes what is highest among its neighbours.
    for vertex in 0..csr.vertices() {
        let higher = |&next: &u32| priority(next, SEED) > priority(vertex, SEED);
        let highest = !csr.neighbours(vertex).iter().any(higher);
        assert_eq!(colours[vertex as usize] == 0, highest, "vertex {vertex}");
    }
}

#[test]
fn an_edge_that_is_listed_in_one_direction_is_a_conflict_for_both() {
    for edge in [(0, 1), (1, 0)] {
        let colours = coloured(&graph(2, &[edge]));
        assert_ne!(colours[0], colours[1]);
    }
}

#[test]
fn self_loops_and_copies_of_edges_change_nothing() {
    let plain = [(0, 1), (1, 2), (2, 0), (3, 1)];
    let more: Vec<_> = plain.iter().flat_map(|&edge| [edge, edge, (edge.0, edge.0)]).collect();
    assert_eq!(coloured(&graph(4, &plain)), coloured(&graph(4, &more)));
}

#[test]
fn without_vertices_there_is_nothing_to_launch() {
    for mode in MODES {
        let mut clr = program("clr", &graph(0, &[]), &[], mode);
        assert!(clr.start().is_empty());
        assert_eq!(clr.verify(), Ok(()));
    }
}

#[test]
fn the_seed_decides_the_colours() {
    let csr = generate::uniform(300, 900, 1).symmetric();
    assert_ne!(reference_clr(&csr, 1), reference_clr(&csr, 2));
}

#[test]
fn verification_tells_conflicts_from_other_colours_than_expected() {
    let csr = Rc::new(generate::grid(3, 1));
    let mut clr = colouring(&csr);
    let of_neighbours =
        "graph colouring: vertices 0 and 1 are neighbours, and both are not coloured";
    assert_eq!(clr.verify(), Err(of_neighbours.to_owned()));
    let right = reference_clr(&csr, SEED);
    let mut verify = |colours: [u32; 3]| {
        let bytes: Vec<u8> = colours.iter().flat_map(|colour| colour.to_le_bytes()).collect();
        assert!(clr.machine().write(clr.results()[0].start, &bytes));
        clr.verify()
    };
    let (own, next) = (right[0], right[0] + 1);
    let message =
        format!("graph colouring: vertex 0 is of colour {next}, expected of colour {own}");
    assert_eq!(verify([right[0] + 1, right[1] + 1, right[2] + 1]), Err(message));
    let left_out = verify([right[0], right[1], u32::MAX]).expect_err("one is left out");
    assert!(left_out.contains("vertex 2 is not coloured, expected"), "{left_out}");
    assert_eq!(verify([right[0], right[1], right[2]]), Ok(()));
}

#[test]
fn unknown_keys_and_bad_values_are_refused() {
    let mut options = ClrOptions::default();
    let error = SetError::unknown("clr.source", ClrOptions::KEYS);
    assert_eq!(options.set("clr.source", "1"), Err(error));
    for (key, value) in [("clr.block", "1025"), ("clr.child_block", "0"), ("clr.threshold", "x")] {
        let error = options.set(key, value).expect_err(key);
        assert_eq!(error.to_string(), format!("`{key}` cannot be `{value}`"));
    }
    assert_eq!(options, ClrOptions::default(), "refused settings change nothing");
}
