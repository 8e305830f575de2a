use expect_test::expect;

use super::tests::{diagnostic, parse, refused, refused_file};
use crate::graph::Labels;

#[test]
fn a_plain_graph_has_offsets_and_targets() {
    let graph = parse("g.adj", "AdjacencyGraph\n3\n4\n0\n2\n2\n1\n2\n0\n0\n").unwrap();
    assert_eq!(graph.csr.offsets(), [0, 2, 2, 4]);
    assert_eq!(graph.csr.columns(), [1, 2, 0, 0]);
    assert_eq!(graph.csr.weights(), None);
    assert_eq!(graph.labels, Labels::FromZero);
    assert_eq!(graph.label(2), 2);
}

#[test]
fn a_weighted_graph_has_weights_of_either_sign() {
    let graph = parse("g", "WeightedAdjacencyGraph\n2\n2\n0\n1\n1\n0\n-5\n7\n").unwrap();
    assert_eq!(graph.csr.weights(), Some([-5.0, 7.0].as_slice()));
}

#[test]
fn words_may_share_a_line() {
    let lines = parse("g", "AdjacencyGraph\n2\n1\n0\n1\n1\n").unwrap();
    assert_eq!(parse("g", "\n AdjacencyGraph 2 1\n0 1\n\n 1").unwrap(), lines);
}

#[test]
fn the_smallest_graph_is_one_vertex() {
    let graph = parse("g", "AdjacencyGraph\n1\n0\n0\n").unwrap();
    assert_eq!((graph.csr.vertices(), graph.csr.edges()), (1, 0));
    refused_file("g", "AdjacencyGraph\n0\n0\n", "the graph has no vertices");
}

#[test]
fn offsets_begin_at_0_and_go_up_to_the_edges() {
    let file = |offsets: &str| format!("AdjacencyGraph\n3\n2\n{offsets}\n1\n2\n");
    assert!(parse("g", &file("0\n0\n2")).is_ok());
    let order = |offset, least, most| {
        format!("offset {offset} is out of order: it must be {least} to {most}")
    };
    refused("g", &file("1\n1\n2"), 4, &order(1, 0, 0));
    refused("g", &file("0\n2\n1"), 6, &order(1, 2, 2));
    refused("g", &file("0\n3\n3"), 5, &order(3, 0, 2));
}

#[test]
fn targets_are_vertices() {
    let file = |target: &str| format!("AdjacencyGraph\n2\n1\n0\n1\n{target}\n");
    assert!(parse("g", &file("1")).is_ok());
    refused("g", &file("2"), 6, "vertex 2 is out of range 0 to 1");
    refused("g", &file("-1"), 6, "a vertex is -1, which is negative");
    refused("g", &file("b"), 6, "a vertex is `b`, which is not a number");
    refused("g", &file("99999999999"), 6, "a vertex is 99999999999, more than 4294967295");
}

#[test]
fn a_file_that_is_cut_off_says_where() {
    let full = "WeightedAdjacencyGraph\n2\n2\n0\n1\n1\n0\n5\n7\n";
    let upto = |lines: usize| full.lines().take(lines).collect::<Vec<_>>().join("\n");
    refused("g", &upto(1), 1, "the number of vertices is missing");
    refused("g", &upto(2), 2, "the number of edges is missing");
    refused("g", &upto(4), 4, "truncated: the header says 2 offsets, the file holds 1");
    refused("g", &upto(6), 6, "truncated: the header says 2 edges, the file holds 1");
    refused("g", &upto(8), 8, "truncated: the header says 2 weights, the file holds 1");
    assert!(parse("g", full).is_ok());
    refused("g", &format!("{full}3\n"), 10, "`3` is left over");
}

#[test]
fn headers_that_promise_too_much_are_refused_before_anything_is_allocated() {
    let most = "the number of vertices is 4294967295, more than 67108864";
    refused("g", "AdjacencyGraph\n4294967295\n0\n", 2, most);
    let most = "the number of edges is 4294967295, more than 1073741824";
    refused("g", "AdjacencyGraph\n1\n4294967295\n", 3, most);
    let cut = "truncated: the header says 67108864 offsets, the file holds 1";
    refused("g", "AdjacencyGraph\n67108864\n1073741824\n0", 4, cut);
}

#[test]
fn other_first_words_are_refused() {
    refused("g.adj", "AdjacencyHypergraph\n1\n", 1, "not a graph file that this tool knows");
}

#[test]
fn the_diagnostic_shows_line_and_value() {
    expect![[r#"
        g.adj, line 6: offset 1 is out of order: it must be 2 to 2
            Diagnostic severity: error
        Begin snippet for g.adj starting at line 6, column 1

        snippet line 6: 1
            label at line 6, column 1: offset 1 is out of order: it must be 2 to 2
        diagnostic help: expected offsets that begin at 0, never decrease and stay within the edges
        diagnostic code: blockyard::graph
    "#]]
    .assert_eq(&diagnostic("g.adj", "AdjacencyGraph\n3\n2\n0\n2\n1\n1\n2\n"));
}
