use proptest::prelude::*;

use super::{Csr, EdgeList};

fn graph(vertices: u32, edges: &[(u32, u32)]) -> Csr {
    let mut list = EdgeList::new(vertices);
    for &(source, target) in edges {
        list.push(source, target);
    }
    Csr::from_edges(&list)
}

#[test]
fn rows_keep_the_order_of_the_list_with_duplicates_and_self_loops() {
    let csr = graph(4, &[(2, 3), (0, 2), (2, 0), (0, 0), (2, 3), (0, 1)]);
    assert_eq!(csr.offsets(), [0, 3, 3, 6, 6]);
    assert_eq!(csr.columns(), [2, 0, 1, 3, 0, 3]);
    assert_eq!(csr.neighbours(2), [3, 0, 3]);
    assert_eq!((csr.degree(0), csr.degree(1)), (3, 0));
    assert_eq!((csr.vertices(), csr.edges()), (4, 6));
}

#[test]
fn a_vertex_without_edges_is_a_graph() {
    let csr = graph(1, &[]);
    assert_eq!((csr.vertices(), csr.edges()), (1, 0));
    assert_eq!(csr.offsets(), [0, 0]);
    assert_eq!(csr.busiest_vertex(), Some(0));
    assert_eq!(csr.symmetric(), csr);
}

#[test]
fn a_graph_without_vertices_has_no_busiest_one() {
    assert_eq!(graph(0, &[]).busiest_vertex(), None);
}

#[test]
fn of_several_busiest_vertices_the_first_counts() {
    assert_eq!(graph(4, &[(1, 0), (3, 0), (3, 1), (2, 0), (2, 1)]).busiest_vertex(), Some(2));
}

#[test]
fn weights_move_with_their_edges() {
    let mut list = EdgeList::weighted(2);
    assert!(list.is_empty());
    list.push_weighted(1, 0, 5.0);
    assert!(!list.is_empty());
    list.push_weighted(0, 1, 7.0);
    list.push(1, 1);
    let csr = Csr::from_edges(&list);
    assert_eq!(csr.columns(), [1, 0, 1]);
    assert_eq!(csr.weights(), Some([7.0, 5.0, 1.0].as_slice()));
    assert_eq!(csr.symmetric().weights(), csr.weights(), "both directions are there");
}

#[test]
fn missing_reverses_follow_the_edges_of_the_vertex_and_take_the_weight() {
    let mut list = EdgeList::weighted(3);
    list.push_weighted(0, 1, 4.0);
    list.push_weighted(1, 2, 6.0);
    let csr = Csr::from_edges(&list).symmetric();
    assert_eq!(csr.neighbours(0), [1]);
    assert_eq!(csr.neighbours(1), [2, 0]);
    assert_eq!(csr.neighbours(2), [1]);
    assert_eq!(csr.weights(), Some([4.0, 6.0, 4.0, 6.0].as_slice()));
}

#[test]
#[should_panic(expected = "edge (1, 3) in a graph of 3 vertices")]
fn an_edge_to_a_vertex_that_does_not_exist_is_a_bug_of_the_caller() {
    EdgeList::new(3).push(1, 3);
}

/// A number of vertices and edges among them.
pub(super) fn edges() -> impl Strategy<Value = (u32, Vec<(u32, u32)>)> {
    (1u32..70).prop_flat_map(|n| (Just(n), prop::collection::vec((0..n, 0..n), 0..200)))
}

proptest! {
    #[test]
    fn rows_and_list_hold_the_same_edges((vertices, edges) in edges()) {
        let csr = graph(vertices, &edges);
        let mut sorted = edges;
        sorted.sort_by_key(|&(source, _)| source);
        prop_assert_eq!(&csr.to_edges().edges, &sorted);
        prop_assert_eq!(Csr::from_edges(&csr.to_edges()), csr);
    }

    #[test]
    fn an_undirected_graph_has_every_reverse_and_all_that_was_there((n, edges) in edges()) {
        let csr = graph(n, &edges);
        let both = csr.symmetric();
        for &(source, target) in &both.to_edges().edges {
            prop_assert!(both.neighbours(target).contains(&source));
            prop_assert!(edges.contains(&(source, target)) || edges.contains(&(target, source)));
        }
        for vertex in 0..n {
            prop_assert!(both.neighbours(vertex).starts_with(csr.neighbours(vertex)));
        }
        prop_assert_eq!(both.symmetric(), both);
    }
}
