use expect_test::expect;

use super::tests::{diagnostic, parse, refused};
use crate::graph::Labels;

/// A file of the given kind with `body` from line 2 on.
fn file(kind: &str, body: &str) -> String {
    format!("%%MatrixMarket matrix coordinate {kind}\n{body}")
}

#[test]
fn a_general_matrix_is_a_directed_graph() {
    let text = file("real general", "% c\n\n3 3 3\n1 3 -1.5e2\n3 3 0\n2 1 4\n");
    let graph = parse("g.mtx", &text).unwrap();
    assert_eq!(graph.csr.to_edges().edges, [(0, 2), (1, 0), (2, 2)]);
    assert_eq!(graph.csr.weights(), Some([-150.0, 4.0, 0.0].as_slice()));
    assert_eq!(graph.labels, Labels::FromOne);
}

#[test]
fn a_symmetric_matrix_stores_both_directions_and_the_diagonal_once() {
    let text = file("integer symmetric", "3 3 3\n1 1 5\n2 1 6\n3 2 7\n");
    let graph = parse("g.mtx", &text).unwrap();
    assert_eq!(graph.csr.to_edges().edges, [(0, 0), (0, 1), (1, 0), (1, 2), (2, 1)]);
    assert_eq!(graph.csr.weights(), Some([5.0, 6.0, 6.0, 7.0, 7.0].as_slice()));
}

#[test]
fn the_upper_triangle_is_as_good_but_not_both() {
    let text = file("pattern symmetric", "3 3 2\n1 2\n2 3\n");
    let graph = parse("g.mtx", &text).unwrap();
    assert_eq!(graph.csr.edges(), 4);
    assert_eq!(graph.csr.weights(), None);
    let both = "entry (1, 2) is in the other triangle than the entries before it";
    refused("g.mtx", &file("pattern symmetric", "2 2 2\n2 1\n1 2\n"), 4, both);
}

#[test]
fn the_banner_does_not_care_about_case() {
    let text = "%%matrixmarket MATRIX Coordinate Pattern General\n1 1 0\n";
    assert_eq!(parse("g", text).unwrap().csr.vertices(), 1);
}

#[test]
fn kinds_that_are_no_graph_are_named() {
    for (kind, message) in [
        ("matrix array real general", "the format `array`"),
        ("matrix coordinate complex general", "the field `complex`"),
        ("matrix coordinate real skew-symmetric", "the symmetry `skew-symmetric`"),
        ("matrix coordinate complex hermitian", "the field `complex`"),
        ("matrix coordinate real hermitian", "the symmetry `hermitian`"),
        ("vector coordinate real general", "the object `vector`"),
    ] {
        let text = format!("%%MatrixMarket {kind}\n1 1 0\n");
        refused("g.mtx", &text, 1, &format!("{message} is not supported"));
    }
}

#[test]
fn the_banner_is_complete() {
    refused("g.mtx", "1 1 0\n", 1, "the banner is missing");
    refused("g", "%%MatrixMarket matrix coordinate real\n", 1, "the symmetry is missing");
    refused("g", &file("real general x", ""), 1, "`x` is left over");
}

#[test]
fn the_size_line_is_that_of_a_square_matrix() {
    let size = |line: &str| file("pattern general", &format!("{line}\n"));
    refused("g", &size("% c"), 2, "the size line is missing");
    refused("g", &size("3 4 1"), 2, "the matrix has 3 rows and 4 columns");
    refused("g", &size("0 0 0"), 2, "the graph has no vertices");
    refused("g", &size("3 3"), 2, "the number of entries is missing");
    refused("g", &size("3 3 1 1"), 2, "`1` is left over");
    refused("g", &size("3 x 1"), 2, "the number of columns is `x`, which is not a number");
    refused("g", &size("-3 3 1"), 2, "the number of rows is -3, which is negative");
    let most = "the number of rows is 5000000000, more than 67108864";
    refused("g", &size("5000000000 3 1"), 2, most);
}

#[test]
fn entries_are_counted() {
    let cut = "truncated: the header says 2 entries, the file holds 1";
    refused("g", &file("pattern general", "2 2 2\n1 1\n"), 3, cut);
    refused("g", &file("pattern general", "2 2 1\n1 1\n1 2\n"), 4, "more than 1 entries");
}

#[test]
fn entries_have_the_columns_of_their_field() {
    let entry =
        |field: &str, line: &str| file(&format!("{field} general"), &format!("2 2 1\n{line}\n"));
    refused("g", &entry("pattern", "1"), 3, "the column is missing");
    refused("g", &entry("pattern", "1 2 3"), 3, "`3` is left over");
    refused("g", &entry("real", "1 2"), 3, "the value is missing");
    refused("g", &entry("real", "1 2 x"), 3, "the value is `x`, which is not a number");
    refused("g", &entry("real", "1 2 inf"), 3, "the value is `inf`, which is not a number");
    refused("g", &entry("integer", "1 2 0.5"), 3, "the value is `0.5`, which is not a number");
    refused("g", &entry("pattern", "0 1"), 3, "vertex 0 is out of range 1 to 2");
    refused("g", &entry("pattern", "2 3"), 3, "vertex 3 is out of range 1 to 2");
    for (field, columns) in [("pattern", "`row column`"), ("real", "`row column value`")] {
        let shown = diagnostic("g", &entry(field, "1"));
        assert!(shown.contains(&format!("help: expected {columns}\n")), "{shown}");
    }
}

#[test]
fn the_diagnostic_shows_line_and_value() {
    let text = "%%MatrixMarket matrix coordinate complex hermitian\n1 1 0\n";
    expect![[r#"
        g.mtx, line 1: the field `complex` is not supported
            Diagnostic severity: error
        Begin snippet for g.mtx starting at line 1, column 1

        snippet line 1: %%MatrixMarket matrix coordinate complex hermitian
            label at line 1, columns 34 to 40: the field `complex` is not supported
        diagnostic help: expected `%%MatrixMarket matrix coordinate pattern|real|integer general|symmetric`
        diagnostic code: blockyard::graph
    "#]].assert_eq(&diagnostic("g.mtx", text));
}
