use super::{
    interpreter::run, reference_bfs, Bfs, BfsOptions, Layout, KERNEL_NAME, REGISTERS_PER_THREAD,
    UNVISITED,
};
use crate::gpu::host::HostProgram;
use crate::graph::{generate, Csr, EdgeList, GraphStatistics};
use crate::port::{BlockNeeds, Dim3};

fn path(vertices: u32) -> Csr {
    let mut list = EdgeList::new(vertices);
    (1..vertices).for_each(|v| list.push(v - 1, v));
    Csr::from_edges(&list)
}

fn search(csr: Csr) -> Bfs {
    Bfs::new(csr, &BfsOptions::default()).unwrap()
}

#[test]
fn a_launch_covers_all_vertices() {
    for (vertices, blocks) in [(1, 1), (255, 1), (256, 1), (257, 2), (1000, 4)] {
        let launches = search(path(vertices)).start();
        assert_eq!(launches.len(), 1);
        let launch = &launches[0];
        assert_eq!(&*launch.name, KERNEL_NAME);
        assert_eq!((launch.grid, launch.block), (Dim3::new(blocks, 1, 1), Dim3::new(256, 1, 1)));
        assert_eq!((launch.arrive, launch.stream), (0, 0));
        let needs =
            BlockNeeds { threads: 256, registers: 256 * REGISTERS_PER_THREAD, shared_memory: 0 };
        assert_eq!(launch.needs(), needs);
    }
}

#[test]
fn the_host_launches_the_next_level_only_when_the_flag_is_set() {
    let mut idle = search(path(3));
    idle.start();
    assert!(idle.kernel_finished("bfs", 0, 70).is_empty(), "no warp has run");

    let mut bfs = search(path(3));
    let launches = run(&mut bfs, 0, |_| {});
    // The last launch expands the vertex without edges and finds nothing.
    let arrive: Vec<_> = launches.iter().map(|launch| launch.arrive).collect();
    assert_eq!(arrive, [0, 1, 1001]);
    assert_eq!(bfs.levels(), [0, 1, 2]);
}

#[test]
fn one_vertex_without_edges_takes_one_launch() {
    let mut bfs = search(path(1));
    assert_eq!(run(&mut bfs, 0, |_| {}).len(), 1);
    assert_eq!(bfs.verify(), Ok(()));
    assert_eq!(bfs.levels(), [0]);
}

#[test]
fn a_self_loop_finds_nothing_new() {
    let mut list = EdgeList::new(2);
    list.push(1, 1);
    let mut bfs = search(Csr::from_edges(&list));
    assert_eq!(bfs.source(), 1);
    assert_eq!(run(&mut bfs, 0, |_| {}).len(), 1);
    assert_eq!(bfs.levels(), [UNVISITED, 0]);
    assert_eq!(bfs.verify(), Ok(()));
}

#[test]
fn an_isolated_source_reaches_itself() {
    let mut list = EdgeList::new(40);
    list.push(1, 2);
    let mut options = BfsOptions::default();
    options.set("bfs.source", "39").unwrap();
    let mut bfs = Bfs::new(Csr::from_edges(&list), &options).unwrap();
    assert_eq!(run(&mut bfs, 0, |_| {}).len(), 1);
    assert_eq!(bfs.levels().iter().filter(|&&l| l != UNVISITED).count(), 1);
    assert_eq!(bfs.verify(), Ok(()));
}

#[test]
fn verification_names_the_first_vertex_that_differs() {
    let mut bfs = search(path(4));
    bfs.start();
    let message =
        "breadth-first search from vertex 0: vertex 1 is not reached, expected at level 1";
    assert_eq!(bfs.verify(), Err(message.to_owned()));
}

#[test]
fn a_larger_search_agrees_with_its_statistics() {
    let csr = generate::rmat(9, 8, 1);
    let mut bfs = search(csr.clone());
    let figures = GraphStatistics::of(&csr, bfs.source());
    assert_eq!(figures.max_degree, csr.degree(bfs.source()));
    let launches = run(&mut bfs, 2, |_| {});
    assert_eq!(launches.len() as u32, figures.levels);
    assert_eq!(bfs.levels(), reference_bfs(&csr, bfs.source()));
}

#[test]
fn arrays_are_aligned_and_do_not_overlap() {
    for (vertices, edges) in [(1, 0), (63, 64), (64, 64), (65, 1000)] {
        let csr = generate::uniform(vertices, edges, 1);
        let layout = Layout::of(&csr);
        let bases = [layout.offsets, layout.columns, layout.levels, layout.changed];
        assert!(bases.iter().all(|base| base % 256 == 0), "{layout:?}");
        assert!(layout.offset(vertices) + 4 <= layout.columns);
        assert!(layout.column(edges) <= layout.levels);
        assert!(layout.level(vertices) <= layout.changed);
        assert_eq!(layout.end, layout.changed + 4);
    }
}
