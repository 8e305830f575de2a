use expect_test::expect;

use super::tests::{diagnostic, parse, refused, refused_file};
use crate::graph::Labels;

#[test]
fn arcs_are_directed_and_count_from_one() {
    let graph = parse("g.gr", "c x\np sp 3 2\nc y\n\na 3 1 21\na 1 3 0\n").unwrap();
    assert_eq!(graph.csr.to_edges().edges, [(0, 2), (2, 0)]);
    assert_eq!(graph.csr.weights(), Some([0.0, 21.0].as_slice()));
    assert_eq!(graph.labels, Labels::FromOne);
    assert_eq!(graph.label(2), 3);
}

#[test]
fn a_graph_may_have_no_arcs() {
    assert_eq!(parse("g.gr", "p sp 1 0\n").unwrap().csr.vertices(), 1);
    refused("g.gr", "p sp 0 0\n", 1, "the graph has no vertices");
}

#[test]
fn vertices_are_in_range_on_both_sides() {
    assert!(parse("g.gr", "p sp 4 1\na 1 4 9\n").is_ok());
    refused("g.gr", "p sp 4 1\na 0 4 9\n", 2, "vertex 0 is out of range 1 to 4");
    refused("g.gr", "p sp 4 1\na 1 5 9\n", 2, "vertex 5 is out of range 1 to 4");
    refused("g.gr", "p sp 4 1\na -1 5 9\n", 2, "a vertex is -1, which is negative");
    for word in ["x", "-x", "-", "-1x"] {
        let message = format!("a vertex is `{word}`, which is not a number");
        refused("g.gr", &format!("p sp 4 1\na 1 {word} 9\n"), 2, &message);
    }
}

#[test]
fn the_header_states_the_arcs() {
    let cut = "truncated: the header says 2 arcs, the file holds 1";
    refused("g.gr", "p sp 2 2\na 1 2 1\n", 2, cut);
    assert!(diagnostic("g.gr", "p sp 2 2\na 1 2 1\n").contains("a 1 2 1"), "the last line");
    refused("g.gr", "p sp 2 1\na 1 2 1\na 2 1 1\n", 3, "more than 1 arcs");
    refused_file("g.gr", "c nothing\n", "the problem line is missing");
    refused("g.gr", "a 1 2 1\n", 1, "unexpected line: an arc before the problem line");
    refused("g.gr", "p sp 1 0\np sp 1 0\n", 2, "unexpected line: a second problem line");
}

#[test]
fn the_problem_line_is_checked() {
    refused("g.gr", "p\n", 1, "the kind of problem is missing");
    refused("g.gr", "p max 3 1\n", 1, "the kind of problem `max` is not supported");
    refused("g.gr", "p sp 3\n", 1, "the number of arcs is missing");
    refused("g.gr", "p sp 3 1 1\n", 1, "`1` is left over");
    refused("g.gr", "p sp many 1\n", 1, "the number of vertices is `many`, which is not a number");
    refused("g.gr", "p sp 5 -1\n", 1, "the number of arcs is -1, which is negative");
    let most = "the number of vertices is 67108865, more than 67108864";
    refused("g.gr", "p sp 67108865 1\n", 1, most);
}

#[test]
fn an_arc_has_two_vertices_and_a_whole_weight() {
    refused("g.gr", "p sp 2 1\na 1\n", 2, "the target vertex is missing");
    refused("g.gr", "p sp 2 1\na 1 2\n", 2, "the weight is missing");
    refused("g.gr", "p sp 2 1\na 1 2 1.5\n", 2, "the weight is `1.5`, which is not a number");
    refused("g.gr", "p sp 2 1\na 1 2 3 4\n", 2, "`4` is left over");
}

#[test]
fn other_lines_are_refused() {
    let other = "unexpected line: neither comment nor problem nor arc";
    refused("g.gr", "p sp 2 1\ne 1 2\n", 2, other);
    refused("g.gr", "1 2\n", 1, other);
}

#[test]
fn the_diagnostic_shows_line_and_value() {
    expect![[r#"
        g.gr, line 2: vertex 257 is out of range 1 to 256
            Diagnostic severity: error
        Begin snippet for g.gr starting at line 2, column 1

        snippet line 2: a 12 257 3
            label at line 2, columns 6 to 8: vertex 257 is out of range 1 to 256
        diagnostic help: expected one of the 256 vertices, counted from 1
        diagnostic code: blockyard::graph
    "#]]
    .assert_eq(&diagnostic("g.gr", "p sp 256 1\na 12 257 3\n"));
}
