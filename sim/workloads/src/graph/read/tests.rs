//! What holds for all formats.

use std::path::Path;

use expect_test::expect;
use miette::{GraphicalReportHandler, GraphicalTheme, NarratableReportHandler};
use proptest::prelude::*;

use super::{detect, lines::MAX_LINE, read, read_from, Direction, Format};
use crate::graph::{csr_tests::edges, Csr, EdgeList, Graph, GraphError, Problem};

/// The graph in `text`, from a file called `name`.
pub(super) fn parse(name: &str, text: &str) -> Result<Graph, GraphError> {
    read_from(text.as_bytes(), Path::new(name), Direction::AsListed)
}

/// Asserts that `text` is refused in line `line` with `message`.
pub(super) fn refused(name: &str, text: &str, line: u64, message: &str) {
    match parse(name, text) {
        Ok(_) => panic!("accepted: {text:?}"),
        Err(error) => {
            let full = format!("{name}, line {line}: {message}");
            assert_eq!(error.to_string(), full, "for {text:?}");
            assert_eq!(error.line(), Some(line));
        }
    }
}

/// Asserts that `text` is refused as a whole with `message`.
pub(super) fn refused_file(name: &str, text: &str, message: &str) {
    let error = parse(name, text).expect_err(text);
    assert_eq!((error.to_string(), error.line()), (format!("{name}: {message}"), None));
}

/// The diagnostic for `text` as plain text.
pub(super) fn diagnostic(name: &str, text: &str) -> String {
    let error = parse(name, text).expect_err(text);
    let mut shown = String::new();
    NarratableReportHandler::new().render_report(&mut shown, &error).unwrap();
    shown
}

#[test]
fn a_missing_file_is_named() {
    let path = Path::new("no/such/graph.gr");
    let error = read(path).unwrap_err();
    assert!(error.to_string().starts_with("no/such/graph.gr: cannot be read: "), "{error}");
    assert!(matches!(error.problem(), Problem::Unreadable(_)));
    assert_eq!(error.path(), path);
}

#[test]
fn a_folder_is_not_a_graph() {
    let error = read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap_err();
    assert!(matches!(error.problem(), Problem::Unreadable(_)), "{error}");
}

#[test]
fn a_file_on_disk_is_read_like_text() {
    let file = tempfile::Builder::new().suffix(".gr").tempfile().unwrap();
    std::fs::write(file.path(), "p sp 2 1\na 2 1 9\n").unwrap();
    assert_eq!(read(file.path()).unwrap(), parse("x.gr", "p sp 2 1\na 2 1 9\n").unwrap());
}

#[test]
fn empty_and_blank_files_are_refused_whatever_their_name() {
    for name in ["g.gr", "g.mtx", "g.adj", "g.txt", "g"] {
        for text in ["", "\n", " \r\n\t\n"] {
            refused_file(name, text, "the file is empty");
        }
    }
}

#[test]
fn garbage_is_refused_with_the_formats() {
    expect![[r#"
        notes.txt, line 2: not a graph file that this tool knows
            Diagnostic severity: error
        Begin snippet for notes.txt starting at line 2, column 1

        snippet line 2: hello world
            label at line 2, columns 1 to 11: not a graph file that this tool knows
        diagnostic help: expected an edge list (`source target` a line, comments with #), a Ligra AdjacencyGraph, a DIMACS .gr file (`p sp vertices arcs`) or a MatrixMarket coordinate file (`%%MatrixMarket matrix coordinate ...`)
        diagnostic code: blockyard::graph
    "#]].assert_eq(&diagnostic("notes.txt", "\nhello world\n"));
}

#[test]
fn a_binary_file_is_refused() {
    let bytes: &[u8] = &[0x1f, 0x8b, 0x08, 0xff, 0xfe, b'\n', 1, 2];
    let error = read_from(bytes, Path::new("g.txt.gz"), Direction::AsListed).unwrap_err();
    assert_eq!(error.to_string(), "g.txt.gz, line 1: not text: the line is not valid UTF-8");
}

#[test]
fn a_line_may_be_a_mebibyte_long_and_no_longer() {
    let line = |bytes: usize| format!("#{}\n0 1\n", "x".repeat(bytes - 2));
    assert_eq!(parse("g.txt", &line(MAX_LINE)).unwrap().csr.edges(), 1);
    refused("g.txt", &line(MAX_LINE + 1), 1, "the line has more than 1048576 bytes");
}

#[test]
fn content_decides_before_the_extension() {
    use Format::*;
    for (first, name, expected) in [
        ("AdjacencyGraph", "g.gr", Some(Ligra)),
        ("WeightedAdjacencyGraph", "g.mtx", Some(Ligra)),
        ("%%MatrixMarket matrix", "g.gr", Some(MatrixMarket)),
        ("%%matrixmarket matrix", "g", Some(MatrixMarket)),
        ("c hello", "g.txt", Some(Dimacs)),
        ("p sp 1 1", "g.txt", Some(Dimacs)),
        ("# Nodes: 5", "g.gr", Some(EdgeList)),
        ("1 2", "g.gr", Some(Dimacs)),
        ("1 2", "g.MTX", Some(MatrixMarket)),
        ("hello", "g.adj", Some(Ligra)),
        ("hello", "g.el", Some(EdgeList)),
        ("1 2", "g.txt", Some(EdgeList)),
        ("-1 2", "g", Some(EdgeList)),
        ("hello", "g.txt", None),
        ("case", "g.txt", None),
    ] {
        assert_eq!(detect(first, Path::new(name)), expected, "{first} in {name}");
    }
}

#[test]
fn windows_line_ends_are_line_ends() {
    for (name, text) in [
        ("g.txt", "# c\n0 1\n1 2 {}\n"),
        ("g.gr", "c x\np sp 2 1\na 1 2 3\n"),
        ("g.adj", "AdjacencyGraph\n2\n1\n0\n1\n1\n"),
        ("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"),
    ] {
        let unix = parse(name, text).unwrap();
        assert_eq!(parse(name, &text.replace('\n', "\r\n")).unwrap(), unix, "{name}");
        assert_eq!(parse(name, text.trim_end()).unwrap(), unix, "{name} without last line end");
    }
}

#[test]
fn both_directions_can_be_asked_for() {
    let text = "p sp 2 1\na 1 2 3\n";
    let graph = read_from(text.as_bytes(), Path::new("g"), Direction::Symmetric).unwrap();
    assert_eq!(graph.csr.columns(), [1, 0]);
}

#[test]
fn a_diagnostic_shows_the_part_of_a_long_line_that_matters() {
    let text = format!("0 1 {} oops {}\n", "5 ".repeat(100), "6 ".repeat(100));
    let shown = diagnostic("g.txt", &text);
    assert!(shown.contains("oops"), "{shown}");
    assert!(shown.lines().all(|line| line.len() < 200), "{shown}");
}

#[test]
fn the_fault_is_marked_in_a_terminal_too() {
    let error = parse("g.gr", "c x\np sp 256 1\na 12 \u{1b}257 3\n").unwrap_err();
    let mut shown = String::new();
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::none());
    handler.render_report(&mut shown, &error).unwrap();
    expect![[r#"
        blockyard::graph

          x g.gr, line 3: a vertex is `?257`, which is not a number
           ,-[g.gr:3:6]
         3 | a 12 ?257 3
           :      ^^|^
           :        `-- a vertex is `?257`, which is not a number
           `----
          help: expected a whole number from 0 to 4294967295
    "#]]
    .assert_eq(&shown);
}

#[test]
fn messages_repeat_only_the_beginning_of_a_long_word() {
    let start = "x".repeat(40);
    let message = format!("the source vertex is `{start}`, which is not a number");
    refused("g.el", &format!("{start} 1\n"), 1, &message);
    let message = format!("the source vertex is `{start}...`, which is not a number");
    refused("g.el", &format!("{start}y 1\n"), 1, &message);
}

/// Each format's text of one graph.
fn written(csr: &Csr) -> [(&'static str, String); 3] {
    let (n, m) = (csr.vertices(), csr.edges());
    let lines = |words: &[u32]| words.iter().map(|w| format!("{w}\n")).collect::<String>();
    let list = csr.to_edges();
    let pairs = |row: fn(u32, u32) -> String| -> String {
        list.edges.iter().map(|&(s, t)| row(s + 1, t + 1)).collect()
    };
    let offsets = lines(&csr.offsets()[..n as usize]);
    let banner = "%%MatrixMarket matrix coordinate pattern general";
    [
        ("g.adj", format!("AdjacencyGraph\n{n}\n{m}\n{offsets}{}", lines(csr.columns()))),
        ("g.gr", format!("p sp {n} {m}\n{}", pairs(|s, t| format!("a {s} {t} 1\n")))),
        ("g.mtx", format!("{banner}\n{n} {n} {m}\n{}", pairs(|s, t| format!("{s} {t}\n")))),
    ]
}

proptest! {
    #[test]
    fn every_format_gives_back_what_was_written((vertices, edges) in edges()) {
        let mut list = EdgeList::new(vertices);
        edges.iter().for_each(|&(source, target)| list.push(source, target));
        let csr = Csr::from_edges(&list);
        for (name, text) in written(&csr) {
            let got = parse(name, &text).unwrap().csr;
            prop_assert_eq!((got.offsets(), got.columns()), (csr.offsets(), csr.columns()));
        }
    }

    #[test]
    fn a_file_cut_off_before_its_last_number_is_refused((n, edges) in edges(), cut in 0.0..1.0) {
        prop_assume!(!edges.is_empty());
        let mut list = EdgeList::new(n);
        edges.iter().for_each(|&(source, target)| list.push(source, target));
        for (name, text) in written(&Csr::from_edges(&list)) {
            let last_line = text.trim_end().rfind('\n').unwrap() + 1;
            let cut = (last_line as f64 * cut) as usize;
            prop_assert!(parse(name, &text[..cut]).is_err(), "{}", &text[..cut]);
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(
        start in "(# Nodes: 3 Edges: 2|AdjacencyGraph|WeightedAdjacencyGraph|p sp 3 2|\
            %%MatrixMarket matrix coordinate (real|pattern) (general|symmetric))?",
        rest in "([-a{}#%. \n]|[0-9]{1,2}|[0-9]{12}| ){0,40}",
    ) {
        let text = format!("{start}\n{rest}");
        if let Ok(graph) = parse("g", &text) {
            prop_assert!(graph.csr.vertices() > 0);
            prop_assert!(graph.csr.columns().iter().all(|&c| c < graph.csr.vertices()));
        }
    }
}
