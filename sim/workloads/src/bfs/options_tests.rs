use super::{Bfs, BfsOptions, DEFAULT_BLOCK};
use crate::graph::{Csr, EdgeList, SetError};

fn edges(vertices: u32, list: &[(u32, u32)]) -> Csr {
    let mut edges = EdgeList::new(vertices);
    list.iter().for_each(|&(source, target)| edges.push(source, target));
    Csr::from_edges(&edges)
}

#[test]
fn the_search_begins_at_the_first_busiest_vertex() {
    let csr = edges(4, &[(0, 1), (2, 0), (2, 1), (3, 0), (3, 1)]);
    assert_eq!(BfsOptions::default().source(&csr), Ok(2));
    assert_eq!(BfsOptions::default().block(), DEFAULT_BLOCK);
}

#[test]
fn the_source_is_a_vertex() {
    let csr = edges(4, &[]);
    let mut options = BfsOptions::default();
    options.set("bfs.source", "3").unwrap();
    assert_eq!(options.source(&csr), Ok(3));
    options.set("bfs.source", "4").unwrap();
    let Err(error) = Bfs::new(csr, &options) else { panic!("accepted") };
    assert_eq!(error.to_string(), "`bfs.source` cannot be `4`");
    let help = miette::Diagnostic::help(&error).unwrap().to_string();
    assert_eq!(help, "expected a vertex of the graph, 0 to 3");
}

#[test]
fn a_graph_without_vertices_cannot_be_searched() {
    let error = BfsOptions::default().source(&edges(0, &[])).unwrap_err();
    assert!(matches!(error, SetError::BadValue { .. }));
}

#[test]
fn blocks_have_1_to_1024_threads() {
    let mut options = BfsOptions::default();
    for good in ["1", "1024"] {
        options.set("bfs.block", good).unwrap();
        assert_eq!(options.block().to_string(), good);
    }
    for bad in ["0", "1025", "-1", "many"] {
        assert!(options.set("bfs.block", bad).is_err(), "{bad}");
    }
    assert_eq!(options.block(), 1024, "a refused setting changes nothing");
}

#[test]
fn unknown_keys_are_refused() {
    let error = BfsOptions::default().set("bfs.sorce", "1").unwrap_err();
    let known = BfsOptions::KEYS;
    assert_eq!(error, SetError::UnknownKey { key: "bfs.sorce".to_owned(), known });
}
