use expect_test::expect;
use proptest::prelude::*;

use super::{interpreter::run, reference_bfs, Bfs, BfsOptions, UNVISITED};
use crate::gpu::host::HostProgram;
use crate::graph::{generate, Csr, EdgeList};
use crate::program::{Access, Instruction, Operation, WARP_LANES};

fn graph(vertices: u32, edges: &[(u32, u32)]) -> Csr {
    let mut list = EdgeList::new(vertices);
    for &(source, target) in edges {
        list.push(source, target);
    }
    Csr::from_edges(&list)
}

fn search(csr: Csr, source: u32, block: u32) -> Bfs {
    let mut options = BfsOptions::default();
    options.set("bfs.source", &source.to_string()).unwrap();
    options.set("bfs.block", &block.to_string()).unwrap();
    Bfs::new(csr, &options).unwrap()
}

/// One instruction as text: operation, lanes, registers, addresses relative to their arrays.
fn shown(instruction: &Instruction, bfs: &Bfs) -> String {
    let layout = bfs.layout();
    let registers = |r: &[Option<u8>]| {
        let names: Vec<_> = r.iter().flatten().map(|r| format!("r{r}")).collect();
        names.join(" ")
    };
    let name = |address: u64| match address {
        a if a >= layout.changed => "changed".to_owned(),
        a if a >= layout.levels => format!("level[{}]", (a - layout.levels) / 4),
        a if a >= layout.columns => format!("column[{}]", (a - layout.columns) / 4),
        a => format!("offset[{}]", (a - layout.offsets) / 4),
    };
    let lanes = (0..WARP_LANES).filter(|lane| instruction.active >> lane & 1 == 1);
    let (operation, addresses) = match instruction.operation {
        Operation::Compute(unit) => (format!("{unit:?}"), String::new()),
        Operation::Memory { access, .. } => {
            let names: Vec<_> = lanes.map(|lane| name(instruction.addresses.of(lane))).collect();
            (format!("{access:?}"), names.join(" "))
        }
        other => (format!("{other:?}"), String::new()),
    };
    let line = format!(
        "{:032b} {operation:7} {:4}<- {:6} {addresses}",
        instruction.active,
        registers(&[instruction.destination]),
        registers(&instruction.sources)
    );
    line.trim_end().trim_start_matches("00000000000000000000000000").to_owned()
}

/// Everything that launch `launch` of a search issues, in a single warp.
fn trace(csr: Csr, source: u32, launch: u32) -> String {
    let mut bfs = search(csr.clone(), source, 4);
    let names = search(csr, source, 4);
    let mut lines = Vec::new();
    run(&mut bfs, 0, |issued| {
        if issued.launch == launch {
            lines.push(shown(issued.instruction, &names));
        }
    });
    lines.join("\n")
}

#[test]
fn a_thread_on_the_frontier_walks_its_edges() {
    expect![[r#"
        001111 Integer r0  <-
        001111 Integer r1  <- r0
        001111 Integer     <- r1
        000111 Integer r2  <- r0
        000111 Load    r3  <- r2     level[0] level[1] level[2]
        000111 Integer r4  <- r3
        000111 Integer     <- r4
        000001 Integer r5  <- r0
        000001 Load    r6  <- r5     offset[0]
        000001 Load    r7  <- r5     offset[1]
        000001 Integer r8  <- r6 r7
        000001 Integer     <- r8
        000001 Integer r9  <- r6
        000001 Load    r10 <- r9     column[0]
        000001 Integer r11 <- r10
        000001 Load    r12 <- r11    level[1]
        000001 Integer r13 <- r12
        000001 Integer     <- r13
        000001 Store       <- r11    level[1]
        000001 Store       <-        changed
        000001 Integer r6  <- r6
        000001 Integer r8  <- r6 r7
        000001 Integer     <- r8
        000001 Integer r9  <- r6
        000001 Load    r10 <- r9     column[1]
        000001 Integer r11 <- r10
        000001 Load    r12 <- r11    level[0]
        000001 Integer r13 <- r12
        000001 Integer     <- r13
        000001 Integer r6  <- r6
        000001 Integer r8  <- r6 r7
        000001 Integer     <- r8
        001111 Exit        <-"#]]
    .assert_eq(&trace(graph(3, &[(0, 1), (0, 0)]), 0, 0));
}

#[test]
fn lanes_leave_the_loop_one_by_one() {
    // Vertices 1 to 3 are the frontier of the second launch, with 2, 1 and no edges.
    let edges = [(0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (2, 3)];
    let trace = trace(graph(4, &edges), 0, 1);
    let columns: Vec<_> = trace.lines().filter(|line| line.contains("column[")).collect();
    assert_eq!(columns.len(), 2, "{trace}");
    assert!(columns[0].starts_with("000110 ") && columns[0].ends_with("column[3] column[5]"));
    assert!(columns[1].starts_with("000010 ") && columns[1].ends_with("column[4]"));
    assert!(!trace.contains("Store"), "all were visited: {trace}");
}

#[test]
fn a_warp_without_a_frontier_vertex_leaves_after_one_load() {
    let mut lonely = search(graph(64, &[(0, 1)]), 0, 64);
    let mut second_warp = Vec::new();
    run(&mut lonely, 0, |issued| {
        if (issued.launch, issued.block, issued.warp) == (0, 0, 1) {
            second_warp.push(issued.instruction.operation);
        }
    });
    let loads = second_warp.iter().filter(|o| matches!(o, Operation::Memory { .. })).count();
    assert_eq!((loads, second_warp.len()), (1, 8));
}

#[test]
fn lanes_without_a_thread_or_a_vertex_never_access_memory() {
    for (vertices, block) in [(1, 256), (31, 32), (33, 32), (70, 48), (257, 256), (5, 1)] {
        let mut bfs = search(generate::uniform(vertices, 4 * vertices, 3), 0, block);
        let layout = bfs.layout();
        let mut level_loads = 0;
        run(&mut bfs, 1, |issued| {
            let instruction = issued.instruction;
            let threads = block - issued.warp * 32;
            if threads < 32 {
                assert_eq!(instruction.active >> threads, 0);
            }
            if let Operation::Memory { bytes, .. } = instruction.operation {
                assert_eq!(bytes, 4);
                for lane in (0..WARP_LANES).filter(|l| instruction.active >> l & 1 == 1) {
                    let address = instruction.addresses.of(lane);
                    assert!((layout.offsets..layout.end).contains(&address));
                    assert_eq!(address % 4, 0);
                }
            }
            if instruction.destination == Some(3) && issued.launch == 0 {
                level_loads += instruction.active.count_ones();
            }
        });
        assert_eq!(level_loads, vertices, "each vertex is looked at once a launch");
    }
}

#[test]
fn loads_of_a_warp_s_own_level_are_coalesced() {
    let mut bfs = search(generate::grid(40, 2), 0, 64);
    let layout = bfs.layout();
    run(&mut bfs, 0, |issued| {
        if issued.instruction.destination == Some(3) {
            let first = issued.block * 64 + issued.warp * 32;
            for lane in 0..issued.instruction.active.count_ones() {
                let address = issued.instruction.addresses.of(lane as usize);
                assert_eq!(address, layout.level(first + lane));
            }
        }
    });
}

#[test]
fn only_new_vertices_are_stored_and_the_flag_follows() {
    let mut bfs = search(generate::grid(6, 6), 0, 32);
    let layout = bfs.layout();
    let (mut levels, mut flags) = (0, 0);
    run(&mut bfs, 5, |issued| {
        let instruction = issued.instruction;
        if matches!(instruction.operation, Operation::Memory { access: Access::Store, .. }) {
            let lane = instruction.active.trailing_zeros() as usize;
            match instruction.addresses.of(lane) == layout.changed {
                true => flags += 1,
                false => levels += 1,
            }
        }
    });
    assert!(levels > 0);
    assert_eq!(levels, flags);
    assert_eq!(bfs.verify(), Ok(()));
}

proptest! {
    #[test]
    fn kernels_agree_with_the_queue_in_any_interleaving(
        (vertices, edges, source) in (1u32..150).prop_flat_map(|n| {
            (Just(n), prop::collection::vec((0..n, 0..n), 0..300), 0..n)
        }),
        block in prop::sample::select(vec![1, 31, 32, 33, 64, 100, 256, 1024]),
        seed: u64,
    ) {
        let csr = graph(vertices, &edges);
        let expected = reference_bfs(&csr, source);
        let deepest = expected.iter().filter(|&&l| l != UNVISITED).max().copied().unwrap();
        let mut bfs = search(csr, source, block);
        let launches = run(&mut bfs, seed, |_| {});
        prop_assert_eq!(bfs.levels(), expected);
        prop_assert_eq!(bfs.verify(), Ok(()));
        prop_assert_eq!(launches.len() as u32, deepest + 1);
        for launch in launches {
            prop_assert_eq!(launch.grid.x, vertices.div_ceil(block));
        }
    }
}
