//! What busy vertices launch under CDP and DTBL.

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::port::{Dim3, LaunchMode};
use blockyard_gpu::program::{Access, Instruction, Operation, Space, WARP_LANES};
use blockyard_workloads::graph::Csr;

use super::interleaved::run;
use super::{graph, names, program, star, DYNAMIC};

/// Children of a whole run to a right result.
fn children(name: &str, csr: &Rc<Csr>, threshold: u32, mode: LaunchMode) -> usize {
    let mut program = program(name, csr, &[("threshold", &threshold.to_string())], mode);
    let mut children = 0;
    run(&mut *program, 1, |issued| children += issued.children.len());
    assert_eq!(program.verify(), Ok(()));
    children
}

/// Whether `kernel` is what a kernel of the workload `name` launches.
fn is_child(kernel: &str, name: &str) -> bool {
    kernel.starts_with(name) && kernel.ends_with("_expand")
}

/// Where the row offsets are.
const FIRST: u64 = 0x1000_0000;

const LOAD: Operation = Operation::Memory { space: Space::Global, access: Access::Load, bytes: 4 };

/// Where the columns are: behind the row offsets, which come first.
pub(super) fn columns(csr: &Csr) -> Range<u64> {
    let first = FIRST + (4 * (u64::from(csr.vertices()) + 1)).next_multiple_of(256);
    first..first + 4 * u64::from(csr.edges())
}

/// The addresses that the lanes load, of an instruction that loads columns.
pub(super) fn loaded_columns(instruction: &Instruction, csr: &Csr) -> Vec<u64> {
    if instruction.operation != LOAD {
        return Vec::new();
    }
    lanes(instruction).filter(|address| columns(csr).contains(address)).collect()
}

/// The addresses of the active lanes.
fn lanes(instruction: &Instruction) -> impl Iterator<Item = u64> + '_ {
    let lanes = (0..WARP_LANES).filter(|lane| instruction.active >> lane & 1 == 1);
    lanes.map(|lane| instruction.addresses.of(lane))
}

#[test]
fn a_vertex_launches_a_child_from_one_edge_above_the_threshold_on() {
    for name in names() {
        for mode in DYNAMIC {
            for threshold in [1, 5, 32, 100] {
                assert_eq!(children(name, &star(threshold), threshold, mode), 0, "{name}");
                assert!(children(name, &star(threshold + 1), threshold, mode) > 0, "{name}");
            }
            // Every vertex that has an edge.
            assert!(children(name, &star(3), 0, mode) >= 4, "{name}");
        }
        assert_eq!(children(name, &star(6), 5, LaunchMode::Flat), 0, "{name}");
    }
}

#[test]
fn a_child_has_a_thread_for_each_edge_in_whole_blocks() {
    for name in names() {
        for (degree, child_block, blocks) in
            [(33, 64, 1), (64, 64, 1), (65, 64, 2), (100, 40, 3), (50, 1, 50), (90, 1024, 1)]
        {
            let settings = [("child_block", &*child_block.to_string())];
            let csr = star(degree);
            let mut program = program(name, &csr, &settings, LaunchMode::Cdp);
            let mut edges = 0;
            run(&mut *program, 4, |issued| {
                for child in issued.children {
                    assert!(is_child(&child.name, name), "{}", child.name);
                    assert_eq!(child.grid, Dim3::new(blocks, 1, 1));
                    assert_eq!(child.block, Dim3::new(child_block, 1, 1));
                    assert_eq!(child.thread, 0, "vertex 0 is the busy one");
                }
                if issued.launch == 0 && is_child(issued.name, name) {
                    edges += loaded_columns(issued.instruction, &csr).len();
                }
            });
            assert_eq!(edges as u32, degree, "{name}: each edge is looked at once");
            assert_eq!(program.verify(), Ok(()));
        }
    }
}

#[test]
fn the_lanes_of_a_child_load_consecutive_columns() {
    let csr = star(150);
    for name in names() {
        let mut program = program(name, &csr, &[("child_block", "40")], LaunchMode::Dtbl);
        let mut warps = 0;
        run(&mut *program, 9, |issued| {
            let addresses = loaded_columns(issued.instruction, &csr);
            if is_child(issued.name, name) && !addresses.is_empty() {
                let active = issued.instruction.active;
                assert_eq!(active.trailing_ones(), active.count_ones());
                assert!(addresses.windows(2).all(|pair| pair[1] == pair[0] + 4), "{addresses:?}");
                warps += 1;
            }
        });
        assert!(warps >= 150 / 40 * 2, "{name}: {warps}");
    }
}

#[test]
fn a_child_loads_the_bounds_of_its_row_from_memory() {
    let csr = star(70);
    for name in names() {
        for mode in DYNAMIC {
            let mut program = program(name, &csr, &[], mode);
            let mut loaded = [0, 0];
            run(&mut *program, 9, |issued| {
                if is_child(issued.name, name) && issued.instruction.operation == LOAD {
                    for lane in lanes(issued.instruction) {
                        let bounds = [FIRST, FIRST + 4];
                        let bound = bounds.iter().position(|at| *at == lane);
                        bound.into_iter().for_each(|bound| loaded[bound] += 1);
                    }
                }
            });
            // Every thread of two blocks of 64, in each round in which vertex 0 is expanded.
            assert!(loaded[0] >= 128 && loaded[0] == loaded[1], "{name}: {loaded:?}");
            assert_eq!(loaded[0] % 128, 0, "{name}: {loaded:?}");
        }
    }
}

#[test]
fn the_threads_of_busy_vertices_launch_and_walk_no_edges_themselves() {
    // Vertices 0 to 69; the even ones have 40 edges, the others 3.
    let degree = |vertex| if vertex % 2 == 0 { 40 } else { 3 };
    let row = |vertex| (1..=degree(vertex)).map(move |step| (vertex, (vertex + step) % 70));
    let csr = graph(70, &(0..70).flat_map(row).collect::<Vec<_>>());
    for name in ["bfs", "sssp"] {
        let mut program = program(name, &csr, &[], LaunchMode::Cdp);
        let mut seen = 0;
        run(&mut *program, 0, |issued| {
            seen += issued.children.len();
            if issued.name == name {
                for address in loaded_columns(issued.instruction, &csr) {
                    let edge = ((address - columns(&csr).start) / 4) as u32;
                    let vertex = csr.offsets().partition_point(|&offset| offset <= edge) as u32 - 1;
                    assert_eq!(vertex % 2, 1, "{name}: a child walks the row of {vertex}");
                }
            }
        });
        assert!(seen >= 35, "{name}: {seen}");
        assert_eq!(program.verify(), Ok(()));
    }
}
