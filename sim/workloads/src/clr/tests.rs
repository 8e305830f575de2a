use super::{priority, reference_clr, Clr, ClrOptions, ASSIGN_NAME, KERNEL_NAME, UNCOLOURED};
use crate::gpu::host::HostProgram;
use crate::graph::{generate, Csr, EdgeList, SetError};
use crate::port::LaunchMode;
use crate::vertex::interpreter::run;

fn colouring(csr: &Csr) -> Clr {
    Clr::new(csr, &ClrOptions::default(), 5, LaunchMode::Flat)
}

fn coloured(csr: &Csr) -> Vec<u32> {
    let mut clr = colouring(csr);
    run(&mut clr, 2, |_| {});
    assert_eq!(clr.verify(), Ok(()));
    clr.colours()
}

fn directed(vertices: u32, edges: &[(u32, u32)]) -> Csr {
    let mut list = EdgeList::new(vertices);
    edges.iter().for_each(|&(source, target)| list.push(source, target));
    Csr::from_edges(&list)
}

#[test]
fn a_clique_has_as_many_colours_as_vertices_in_order_of_priority() {
    let pairs: Vec<_> = (0..40).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let colours = coloured(&directed(40, &pairs));
    let mut order: Vec<u32> = (0..40).collect();
    order.sort_by_key(|&vertex| colours[vertex as usize]);
    assert!(order.windows(2).all(|pair| priority(pair[0], 5) > priority(pair[1], 5)));
    assert_eq!(colours.iter().max(), Some(&39));
}

#[test]
fn each_round_finds_conflicts_and_then_colours() {
    let csr = generate::grid(9, 7);
    let mut clr = colouring(&csr);
    let launches = run(&mut clr, 0, |_| {});
    let rounds = *clr.colours().iter().max().unwrap() as usize + 1;
    assert_eq!(launches.len(), 2 * rounds);
    for pair in launches.chunks(2) {
        assert_eq!((&*pair[0].name, &*pair[1].name), (KERNEL_NAME, ASSIGN_NAME));
    }
    // The first round takes what is highest among its neighbours.
    let colours = clr.colours();
    for vertex in 0..csr.vertices() {
        let higher = |&next: &u32| priority(next, 5) > priority(vertex, 5);
        let highest = !csr.neighbours(vertex).iter().any(higher);
        assert_eq!(colours[vertex as usize] == 0, highest, "vertex {vertex}");
    }
}

#[test]
fn an_edge_that_is_listed_in_one_direction_is_a_conflict_for_both() {
    for edge in [(0, 1), (1, 0)] {
        let colours = coloured(&directed(2, &[edge]));
        assert_ne!(colours[0], colours[1]);
    }
}

#[test]
fn self_loops_and_copies_of_edges_change_nothing() {
    let plain = [(0, 1), (1, 2), (2, 0), (3, 1)];
    let more: Vec<_> = plain.iter().flat_map(|&edge| [edge, edge, (edge.0, edge.0)]).collect();
    assert_eq!(coloured(&directed(4, &plain)), coloured(&directed(4, &more)));
}

#[test]
fn without_vertices_there_is_nothing_to_launch() {
    let mut clr = colouring(&directed(0, &[]));
    assert!(clr.start().is_empty());
    assert_eq!(clr.verify(), Ok(()));
}

#[test]
fn the_seed_decides_the_colours() {
    let csr = generate::uniform(300, 900, 1).symmetric();
    assert_ne!(reference_clr(&csr, 1), reference_clr(&csr, 2));
}

#[test]
fn verification_tells_conflicts_from_other_colours_than_expected() {
    let csr = generate::grid(3, 1);
    let mut clr = colouring(&csr);
    let of_neighbours =
        "graph colouring: vertices 0 and 1 are neighbours, and both are not coloured";
    assert_eq!(clr.verify(), Err(of_neighbours.to_owned()));
    let expected = reference_clr(&csr, 5);
    let other: Vec<_> = expected.iter().map(|colour| colour + 1).collect();
    clr.state.colours.replace(other);
    let message = format!(
        "graph colouring: vertex 0 is of colour {}, expected of colour {}",
        expected[0] + 1,
        expected[0]
    );
    assert_eq!(clr.verify(), Err(message));
    let mut left_out = expected;
    left_out[2] = UNCOLOURED;
    clr.state.colours.replace(left_out);
    assert!(clr.verify().unwrap_err().contains("vertex 2 is not coloured, expected"));
}

#[test]
fn unknown_keys_and_bad_values_are_refused() {
    let mut options = ClrOptions::default();
    let error = SetError::UnknownKey { key: "clr.source".to_owned(), known: ClrOptions::KEYS };
    assert_eq!(options.set("clr.source", "1"), Err(error));
    for (key, value) in [("clr.block", "1025"), ("clr.child_block", "0"), ("clr.threshold", "x")] {
        let error = options.set(key, value).unwrap_err();
        assert_eq!(error.to_string(), format!("`{key}` cannot be `{value}`"));
    }
    assert_eq!(options, ClrOptions::default(), "refused settings change nothing");
}
