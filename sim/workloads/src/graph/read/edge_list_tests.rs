use expect_test::expect;

use super::tests::{diagnostic, parse, refused, refused_file};
use crate::graph::Labels;

#[test]
fn vertex_numbers_are_compacted_in_ascending_order() {
    let graph = parse("g.txt", "# a comment\n70 5\n5\t4294967295\n\n70 70\n").unwrap();
    assert_eq!(graph.labels, Labels::Listed(vec![5, 70, u32::MAX]));
    assert_eq!(graph.csr.to_edges().edges, [(0, 2), (1, 0), (1, 1)]);
    assert_eq!((graph.label(1), graph.label(2)), (70, u32::MAX));
    assert_eq!(graph.csr.weights(), None);
}

#[test]
fn each_line_is_one_directed_edge_and_duplicates_stay() {
    let graph = parse("g.txt", "0 1\n0 1\n1 0\n").unwrap();
    assert_eq!(graph.csr.to_edges().edges, [(0, 1), (0, 1), (1, 0)]);
}

#[test]
fn an_undirected_header_makes_both_directions() {
    let graph = parse("g.txt", "# Undirected graph: x\n# Nodes: 3 Edges: 2\n0 1\n1 2\n").unwrap();
    assert_eq!(graph.csr.to_edges().edges, [(0, 1), (1, 2), (1, 0), (2, 1)]);
}

#[test]
fn a_directed_header_that_speaks_of_unordered_pairs_does_not() {
    let header = "# Directed graph (each unordered pair of nodes is saved once): x";
    assert_eq!(parse("g.txt", &format!("{header}\n0 1\n")).unwrap().csr.edges(), 1);
}

#[test]
fn data_behind_the_vertices_is_checked_and_not_used() {
    for data in ["{}", "{'weight': 3.5, 'a': {}}", "1", "-2.5 1e3 7", "1082040961 {}"] {
        let graph = parse("g.txt", &format!("0 1 {data}\n")).unwrap();
        assert_eq!((graph.csr.vertices(), graph.csr.edges()), (2, 1), "{data}");
    }
    refused("g.txt", "0 1 red\n", 1, "`red` is left over");
    refused("g.txt", "0 1 {'weight': 3\n", 1, "`{'weight':` is left over");
    refused("g.txt", "0 1 NaN\n", 1, "`NaN` is left over");
}

#[test]
fn bad_vertices_are_refused_with_their_line() {
    refused("g.txt", "0 1\n0 x\n", 2, "the target vertex is `x`, which is not a number");
    refused("g.txt", "# c\n\n1.5 2\n", 3, "the source vertex is `1.5`, which is not a number");
    refused("g.txt", "0 1\n2 -3\n", 2, "the target vertex is -3, which is negative");
    refused("g.txt", "-1 1\n", 1, "the source vertex is -1, which is negative");
    let over = "the source vertex is 4294967296, more than 4294967295";
    refused("g.txt", "4294967296 1\n", 1, over);
    refused("g.txt", "0 1\n7\n", 2, "the target vertex is missing");
}

#[test]
fn the_header_of_snap_is_checked() {
    let header = "# Nodes: 3 Edges: 2\n";
    assert_eq!(parse("g.txt", &format!("{header}0 1\n0 1\n")).unwrap().csr.vertices(), 2);
    let cut = "truncated: the header says 2 edges, the file holds 1";
    refused("g.txt", &format!("{header}0 1\n"), 2, cut);
    refused("g.txt", header, 1, "truncated: the header says 2 edges, the file holds 0");
    refused("g.txt", &format!("{header}0 1\n1 2\n2 0\n"), 4, "more than 2 edges");
    refused_file("g.txt", &format!("{header}0 1\n2 3\n"), "more than 3 vertices");
}

#[test]
fn comments_alone_are_no_graph() {
    refused_file("g.txt", "# nothing\n", "the file holds comments and no edge");
}

#[test]
fn the_diagnostic_shows_line_and_value() {
    expect![[r#"
        g.txt, line 2: the target vertex is -3, which is negative
            Diagnostic severity: error
        Begin snippet for g.txt starting at line 2, column 1

        snippet line 2: 2 -3
            label at line 2, columns 3 to 4: the target vertex is -3, which is negative
        diagnostic help: expected a whole number from 0 to 4294967295
        diagnostic code: blockyard::graph
    "#]]
    .assert_eq(&diagnostic("g.txt", "0 1\n2 -3\n"));
}
