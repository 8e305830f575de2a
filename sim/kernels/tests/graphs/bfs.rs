//! Breadth-first search.

use blockyard_contract::port::{Dim3, LaunchMode};
use blockyard_kernels::bfs::BfsOptions;
use blockyard_kernels::Computation;
use blockyard_workloads::graph::{generate, reference_bfs, GraphStatistics, SetError, UNVISITED};
use proptest::prelude::*;
use std::rc::Rc;

use super::children::{columns, loaded_columns};
use super::{expected, graph, interleaved, left, run, star, try_program, MODES};
use blockyard_workloads::graph::Csr;

fn path(vertices: u32) -> Rc<Csr> {
    graph(vertices, &(1..vertices).map(|v| (v - 1, v)).collect::<Vec<_>>())
}

fn search(csr: &Rc<Csr>, settings: &[(&str, &str)]) -> Box<dyn Computation> {
    super::program("bfs", csr, settings, LaunchMode::Flat)
}

#[test]
fn a_launch_covers_the_vertices_that_the_one_before_has_found() {
    for (degree, blocks) in [(1, 1), (255, 1), (256, 1), (257, 2), (1000, 4)] {
        for mode in MODES {
            let mut bfs = super::program("bfs", &star(degree), &[], mode);
            let launches = interleaved::run(&mut *bfs, 0, |_| {});
            let extents: Vec<_> = launches.iter().map(|launch| launch.grid.x).collect();
            assert_eq!(extents, [1, blocks], "{degree} {mode:?}");
            for launch in launches {
                assert_eq!(&*launch.name, "bfs");
                assert_eq!((launch.block, launch.stream), (Dim3::new(256, 1, 1), 0));
            }
        }
    }
}

#[test]
fn rows_are_gathered_edge_by_edge_whatever_their_lengths() {
    // About the lengths at which a warp of 32 and a block of 64 take a row, in one frontier.
    let degrees = [0, 1, 31, 32, 33, 63, 64, 65, 200, 40, 64, 3];
    let first = degrees.len() as u32 + 1;
    let mut edges: Vec<_> = (1..first).map(|vertex| (0, vertex)).collect();
    let mut next = first;
    for (vertex, degree) in (1..).zip(degrees) {
        edges.extend((next..next + degree).map(|target| (vertex, target)));
        next += degree;
    }
    let csr = graph(next, &edges);
    for block in ["1", "31", "64", "100"] {
        let settings = [("block", block), ("source", "0")];
        let mut bfs = search(&csr, &settings);
        let mut looked_at: Vec<u64> = Vec::new();
        interleaved::run(&mut *bfs, 7, |issued| {
            looked_at.extend(loaded_columns(issued.instruction, &csr));
        });
        assert_eq!(bfs.verify(), Ok(()));
        looked_at.sort_unstable();
        let once: Vec<_> = columns(&csr).step_by(4).collect();
        assert!(looked_at == once, "block of {block}: every edge is looked at once");
    }
}

#[test]
fn lanes_gather_consecutive_columns_of_a_long_row() {
    for degree in [33, 70, 500] {
        let csr = star(degree);
        let mut bfs = search(&csr, &[("block", "64"), ("source", "0")]);
        interleaved::run(&mut *bfs, 3, |issued| {
            let addresses = loaded_columns(issued.instruction, &csr);
            if issued.launch == 0 {
                assert!(addresses.windows(2).all(|pair| pair[1] == pair[0] + 4), "{addresses:?}");
            }
        });
        assert_eq!(bfs.verify(), Ok(()));
    }
}

#[test]
fn the_host_launches_the_next_level_only_when_the_flag_is_set() {
    let mut idle = search(&path(3), &[]);
    idle.start();
    assert!(idle.kernel_finished("bfs", 0, 70).is_empty(), "children may be running");
    assert!(idle.all_finished(70).is_empty(), "no warp has run");

    let mut bfs = search(&path(3), &[]);
    let launches = interleaved::run(&mut *bfs, 0, |_| {});
    // The last launch expands the vertex without edges and finds nothing.
    let arrive: Vec<_> = launches.iter().map(|launch| launch.arrive).collect();
    assert_eq!(arrive, [0, 1, 1001]);
    assert_eq!(left(&*bfs), [0, 1, 2]);
}

#[test]
fn one_vertex_without_edges_takes_one_launch() {
    assert_eq!(run(search(&path(1), &[]), 0), (vec![0], 1));
}

#[test]
fn a_self_loop_finds_nothing_new() {
    assert_eq!(run(search(&graph(2, &[(1, 1)]), &[]), 0), (vec![UNVISITED, 0], 1));
}

#[test]
fn an_isolated_source_reaches_itself() {
    let (levels, launches) = run(search(&graph(40, &[(1, 2)]), &[("source", "39")]), 0);
    assert_eq!(launches, 1);
    assert_eq!(levels.iter().filter(|&&level| level != UNVISITED).count(), 1);
}

#[test]
fn verification_names_the_first_vertex_that_differs() {
    let mut bfs = search(&path(4), &[]);
    bfs.start();
    let message =
        "breadth-first search from vertex 0: vertex 1 is not reached, expected at level 1";
    assert_eq!(bfs.verify(), Err(message.to_owned()));
}

#[test]
fn a_larger_search_agrees_with_its_statistics() {
    let csr = Rc::new(generate::rmat(9, 8, 1));
    let source = BfsOptions::default().source(&csr).expect("a graph with vertices");
    let figures = GraphStatistics::of(&csr, source);
    assert_eq!(figures.max_degree, csr.degree(source));
    let (levels, launches) = run(search(&csr, &[]), 2);
    assert_eq!((levels, launches), (reference_bfs(&csr, source), figures.levels as usize));
}

#[test]
fn the_search_begins_at_the_first_busiest_vertex() {
    let csr = graph(4, &[(0, 1), (2, 0), (2, 1), (3, 0), (3, 1)]);
    assert_eq!(BfsOptions::default().source(&csr), Ok(2));
}

#[test]
fn the_source_is_a_vertex() {
    let csr = graph(4, &[]);
    assert_eq!(left(&*search(&csr, &[("source", "3")]))[3], 0);
    let refused = try_program("bfs", &csr, &[("source", "4")], LaunchMode::Flat).err();
    let error = refused.expect("it is none");
    assert_eq!(error.to_string(), "`bfs.source` cannot be `4`");
    assert_eq!(expected(error), "a vertex of the graph, 0 to 3");
}

#[test]
fn a_graph_without_vertices_cannot_be_searched() {
    for name in ["bfs", "sssp"] {
        let refused = try_program(name, &graph(0, &[]), &[], LaunchMode::Flat).err();
        let error = refused.expect("there is no source");
        assert_eq!(error.to_string(), format!("`{name}.source` cannot be `any vertex`"));
        assert_eq!(expected(error), "a graph of at least one vertex");
    }
}

#[test]
fn unknown_keys_and_bad_values_are_refused() {
    let mut options = BfsOptions::default();
    let unknown = SetError::unknown("bfs.sorce", BfsOptions::KEYS);
    assert_eq!(options.set("bfs.sorce", "1"), Err(unknown));
    for bad in ["0", "1025", "-1", "many"] {
        let error = options.set("bfs.block", bad).expect_err(bad);
        assert_eq!(expected(error), "a whole number from 1 to 1024");
    }
    assert_eq!(options, BfsOptions::default(), "refused settings change nothing");
    for good in ["1", "1024"] {
        assert_eq!(options.set("bfs.block", good), Ok(()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn levels_are_those_of_the_queue_in_any_interleaving(
        (vertices, edges, source) in (1u32..150).prop_flat_map(|n| {
            (Just(n), prop::collection::vec((0..n, 0..n), 0..300), 0..n)
        }),
        block in prop::sample::select(vec![1, 31, 32, 33, 64, 100, 256, 1024]),
        seed: u64,
    ) {
        let csr = graph(vertices, &edges);
        let expected = reference_bfs(&csr, source);
        let deepest = expected.iter().filter(|&&level| level != UNVISITED).max().copied();
        let settings = [("source", &*source.to_string()), ("block", &*block.to_string())];
        let (levels, launches) = run(search(&csr, &settings), seed);
        prop_assert_eq!(levels, expected);
        prop_assert_eq!(launches as u32, deepest.expect("the source's") + 1);
    }
}
