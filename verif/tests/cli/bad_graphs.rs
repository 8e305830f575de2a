//! Graph files that are missing, cut off or wrong, in each format.

use super::command::Place;

fn refused(name: &str, contents: impl AsRef<[u8]>, expected: &[&str]) {
    let place = Place::new();
    place.write(name, contents);
    let args = ["run", "--scheduler", "rr", "--workload", "bfs", "--input", name];
    place.refused(&args, expected);
    assert_eq!(place.names(), [name]);
}

#[test]
fn a_missing_graph_is_named() {
    let args = ["run", "--scheduler", "rr", "--workload", "bfs", "--input", "missing.txt"];
    Place::new().refused(&args, &["missing.txt", "cannot be read", "expected a graph file"]);
}

#[test]
fn a_cut_off_graph_is_shown_with_the_line_at_which_it_ends() {
    refused("t.txt", "# c\n0 1\n1", &["[t.txt:3:1]", "the target vertex is missing", "expected"]);
    let ligra = "AdjacencyGraph\n3\n2\n0\n1\n";
    refused("t.adj", ligra, &["[t.adj:5:1]", "the header says 3 offsets, the file holds 2"]);
    let dimacs = "p sp 3 2\na 1 2 1\n";
    refused("t.gr", dimacs, &["[t.gr:2:1]", "the header says 2 arcs, the file holds 1"]);
    let matrix = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n";
    refused("t.mtx", matrix, &["[t.mtx:3:1]", "the header says 2 entries, the file holds 1"]);
}

#[test]
fn garbage_is_shown_with_what_was_expected() {
    refused("g.txt", "0 1\nx y\n", &["[g.txt:2:1]", "`x`", "expected a whole number"]);
    let ligra = "AdjacencyGraph\n2\nfoo\n";
    refused("g.adj", ligra, &["[g.adj:3:1]", "`foo`", "expected a whole number"]);
    refused("g.gr", "p sp 3 1\nq\n", &["[g.gr:2:1]", "unexpected line", "expected a `c` comment"]);
    let matrix = "%%MatrixMarket junk\n";
    refused("g.mtx", matrix, &["[g.mtx:1:1]", "the format is missing", "expected"]);
    refused("g.bin", [0x7f, 0xff, 0xfe, 0x00, b'\n'], &["g.bin, line 1", "not valid UTF-8"]);
    refused("empty", "", &["empty: the file is empty", "expected an edge list"]);
}

#[test]
fn a_vertex_out_of_range_is_shown_with_the_range_of_its_format() {
    let ligra = |vertex| format!("AdjacencyGraph\n2\n1\n0\n1\n{vertex}\n");
    refused("v.adj", ligra(2), &["[v.adj:6:1]", "vertex 2 is out of range 0 to 1"]);
    let dimacs = |vertex| format!("p sp 3 1\na 1 {vertex} 1\n");
    refused("v.gr", dimacs(4), &["[v.gr:2:5]", "vertex 4 is out of range 1 to 3"]);
    refused("v.gr", dimacs(0), &["[v.gr:2:5]", "vertex 0 is out of range 1 to 3"]);
    let matrix =
        |vertex| format!("%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 {vertex}\n");
    refused("v.mtx", matrix(4), &["[v.mtx:3:3]", "vertex 4 is out of range 1 to 3"]);
    // The last vertex of each is in range.
    for (name, contents) in [("v.adj", ligra(1)), ("v.gr", dimacs(3)), ("v.mtx", matrix(3))] {
        let place = Place::new();
        place.write(name, contents);
        place.fine(&["run", "--scheduler", "rr", "--workload", "bfs", "--input", name]);
    }
}
