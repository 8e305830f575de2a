//! Rules of all workloads over vertices, flat and with children.

use std::collections::HashMap;

use proptest::prelude::*;

use super::interpreter::run;
use super::{DEFAULT_CHILD_BLOCK, DEFAULT_THRESHOLD};
use crate::bfs::{Bfs, BfsOptions};
use crate::clr::{Clr, ClrOptions};
use crate::gpu::host::HostProgram;
use crate::graph::{generate, read_with, Csr, Direction, EdgeList};
use crate::port::{Dim3, LaunchMode};
use crate::program::{Instruction, Operation, WARP_LANES};
use crate::sssp::{Sssp, SsspOptions};

pub(super) const WORKLOADS: [&str; 3] = ["bfs", "sssp", "clr"];
const DYNAMIC: [LaunchMode; 2] = [LaunchMode::Cdp, LaunchMode::Dtbl];

/// Settings that all of them have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub block: u32,
    pub child_block: u32,
    pub threshold: u32,
}

impl Default for Settings {
    fn default() -> Self {
        let (child_block, threshold) = (DEFAULT_CHILD_BLOCK, DEFAULT_THRESHOLD);
        Self { block: super::DEFAULT_BLOCK, child_block, threshold }
    }
}

pub(super) fn program(
    name: &str,
    csr: &Csr,
    settings: Settings,
    mode: LaunchMode,
) -> Box<dyn HostProgram> {
    let Settings { block, child_block, threshold } = settings;
    let settings = [("block", block), ("child_block", child_block), ("threshold", threshold)];
    let settings = settings.map(|(key, value)| (format!("{name}.{key}"), value.to_string()));
    macro_rules! options {
        ($type:ident) => {{
            let mut options = $type::default();
            settings.iter().for_each(|(key, value)| options.set(key, value).unwrap());
            options
        }};
    }
    match name {
        "bfs" => {
            let bfs = Bfs::new(csr.clone(), &options!(BfsOptions)).unwrap();
            Box::new(bfs.with_launch(mode))
        }
        "sssp" => {
            let mut options = options!(SsspOptions);
            options.set("sssp.weights", "generated").unwrap();
            Box::new(Sssp::new(csr.clone(), &options, 3, mode).unwrap())
        }
        _ => Box::new(Clr::new(csr, &options!(ClrOptions), 3, mode)),
    }
}

/// What one warp issues, and its children's names and extents.
type Stream = (Vec<Instruction>, Vec<(u32, String, Dim3, Dim3)>);

/// The streams of all warps by launch, kernel, block and warp; those of equal children one after the
/// other.
fn streams(program: &mut dyn HostProgram, seed: u64) -> HashMap<(u32, String, u32, u32), Stream> {
    let mut streams: HashMap<_, Stream> = HashMap::new();
    run(program, seed, |issued| {
        let key = (issued.launch, issued.name.to_owned(), issued.block, issued.warp);
        let (instructions, children) = streams.entry(key).or_default();
        let mut instruction = issued.instruction.clone();
        for lane in 0..WARP_LANES {
            let memory = matches!(instruction.operation, Operation::Memory { .. });
            if !memory || instruction.active >> lane & 1 == 0 {
                instruction.addresses.list_mut()[lane] = 0;
            }
        }
        instructions.push(instruction);
        let shown = issued.children.iter();
        children.extend(shown.map(|c| (c.thread, c.name.to_string(), c.grid, c.block)));
    });
    streams
}

/// Vertex 0 and `degree` others, with edges from and to it.
fn star(degree: u32) -> Csr {
    let mut list = EdgeList::new(degree + 1);
    (1..=degree).for_each(|vertex| list.push(0, vertex));
    (1..=degree).for_each(|vertex| list.push(vertex, 0));
    Csr::from_edges(&list)
}

fn count_launches(program: &mut dyn HostProgram, seed: u64) -> usize {
    let mut launches = 0;
    run(program, seed, |issued| launches += issued.children.len());
    assert_eq!(program.verify(), Ok(()));
    launches
}

#[test]
fn a_vertex_launches_a_child_from_one_edge_above_the_threshold_on() {
    for name in WORKLOADS {
        for threshold in [0, 1, 5, 32, 100] {
            let settings = Settings { threshold, ..Settings::default() };
            for mode in DYNAMIC {
                let launches = |degree| {
                    // Vertices of one edge stay below, unless the threshold is 0.
                    let mut program = program(name, &star(degree), settings, mode);
                    count_launches(&mut *program, 1)
                };
                if threshold > 0 {
                    assert_eq!(launches(threshold), 0, "{name} {threshold}");
                    assert!(launches(threshold + 1) > 0, "{name} {threshold}");
                } else {
                    // Every vertex that has an edge.
                    assert!(launches(3) >= 4, "{name}");
                }
            }
            let mut flat = program(name, &star(threshold + 1), settings, LaunchMode::Flat);
            assert_eq!(count_launches(&mut *flat, 1), 0, "{name}");
        }
    }
}

#[test]
fn a_child_has_a_thread_for_each_edge_in_whole_blocks() {
    for name in WORKLOADS {
        for (degree, child_block, blocks) in
            [(33, 64, 1), (64, 64, 1), (65, 64, 2), (100, 40, 3), (50, 1, 50), (90, 1024, 1)]
        {
            let settings = Settings { child_block, ..Settings::default() };
            let mut program = program(name, &star(degree), settings, LaunchMode::Cdp);
            let mut edges = 0;
            run(&mut *program, 4, |issued| {
                for child in issued.children {
                    assert_eq!(&*child.name, format!("{name}_expand"));
                    assert_eq!(child.grid, Dim3::new(blocks, 1, 1));
                    assert_eq!(child.block, Dim3::new(child_block, 1, 1));
                    assert_eq!(child.thread, 0, "vertex 0 is the busy one");
                }
                // The load of the column: the only one into this register.
                let loads = issued.instruction.destination == Some(super::registers::TARGET);
                if issued.launch == 0 && issued.name == format!("{name}_expand") && loads {
                    edges += issued.instruction.active.count_ones();
                }
            });
            assert_eq!(edges, degree, "{name}: each edge is looked at once");
            assert_eq!(program.verify(), Ok(()));
        }
    }
}

#[test]
fn the_lanes_of_a_child_load_consecutive_columns() {
    let settings = Settings { child_block: 40, ..Settings::default() };
    for name in WORKLOADS {
        let mut program = program(name, &star(150), settings, LaunchMode::Dtbl);
        let mut warps = 0;
        run(&mut *program, 9, |issued| {
            let instruction = issued.instruction;
            let loads = instruction.destination == Some(super::registers::TARGET);
            if issued.name == format!("{name}_expand") && loads {
                let count = instruction.active.count_ones() as usize;
                assert_eq!(instruction.active.trailing_ones() as usize, count);
                let addresses = &instruction.addresses.list().unwrap()[..count];
                assert!(addresses.windows(2).all(|pair| pair[1] == pair[0] + 4), "{addresses:?}");
                warps += 1;
            }
        });
        assert!(warps >= 150 / 40 * 2, "{name}: {warps}");
    }
}

#[test]
fn the_threads_of_busy_vertices_launch_in_order_and_their_lanes_are_out_of_the_loop() {
    // Vertices 0 to 69; the even ones have 40 edges, the others 3.
    let mut list = EdgeList::new(70);
    for vertex in 0..70 {
        let degree = if vertex % 2 == 0 { 40 } else { 3 };
        (1..=degree).for_each(|step| list.push(vertex, (vertex + step) % 70));
    }
    let csr = Csr::from_edges(&list);
    for name in ["bfs", "sssp"] {
        let mut program = program(name, &csr, Settings::default(), LaunchMode::Cdp);
        let mut seen = 0;
        run(&mut *program, 0, |issued| {
            let instruction = issued.instruction;
            if instruction.operation == Operation::Launch {
                assert_eq!(instruction.active & 0xaaaa_aaaa, 0, "odd vertices have few edges");
                seen += instruction.active.count_ones();
            } else if issued.name == name
                && instruction.destination == Some(super::registers::TARGET)
            {
                assert_eq!(instruction.active & 0x5555_5555, 0, "{name}: a child walks them");
            }
        });
        assert!(seen >= 20, "{name}: {seen}");
        assert_eq!(program.verify(), Ok(()));
    }
}

/// What the warps of kernel `name` issue in the first launch of its program over a star of three edges,
/// one line an instruction: address, lanes, operation, registers.
fn listing(workload: &str, name: &str) -> String {
    let settings = Settings { block: 4, child_block: 4, threshold: 2 };
    let mut program = program(workload, &star(3), settings, LaunchMode::Cdp);
    let mut lines: Vec<String> = Vec::new();
    run(&mut *program, 0, |issued| {
        if (issued.launch, issued.name) != (0, name) {
            return;
        }
        let Instruction { pc, active, destination, sources, .. } = issued.instruction;
        let operation = match issued.instruction.operation {
            Operation::Compute(unit) => format!("{unit:?}"),
            Operation::Memory { access, .. } => format!("{access:?}"),
            other => format!("{other:?}"),
        };
        let names = |registers: &[Option<u8>]| {
            let names: Vec<_> = registers.iter().flatten().map(|r| format!("r{r}")).collect();
            names.join(" ")
        };
        let (to, from) = (names(&[*destination]), names(sources));
        lines.push(
            format!("{pc:3} {active:04b} {operation:7} {to:3} <- {from}").trim_end().to_owned(),
        );
    });
    lines.join("\n")
}

#[test]
fn each_workload_has_the_instructions_that_its_page_lists() {
    let mut listings = String::new();
    for workload in WORKLOADS {
        for name in [workload.to_owned(), format!("{workload}_expand")] {
            listings += &format!("{name}\n{}\n\n", listing(workload, &name));
        }
    }
    expect_test::expect_file!["listings.txt"].assert_eq(&listings);
}

#[test]
fn without_a_vertex_above_the_threshold_all_modes_issue_the_same() {
    let csr = generate::uniform(300, 1500, 4).symmetric();
    let busiest = (0..csr.vertices()).map(|vertex| csr.degree(vertex)).max().unwrap();
    let settings = Settings { block: 96, threshold: busiest, ..Settings::default() };
    for name in WORKLOADS {
        let of = |mode, settings| streams(&mut *program(name, &csr, settings, mode), 6);
        let flat = of(LaunchMode::Flat, settings);
        for mode in DYNAMIC {
            assert!(of(mode, settings) == flat, "{name} {mode:?}");
            let below = Settings { threshold: busiest - 1, ..settings };
            assert!(of(mode, below) != flat, "{name}: the comparison can tell");
        }
    }
}

#[test]
fn graphs_of_every_odd_kind_come_out_right() {
    let edges = |vertices: u32, edges: &[(u32, u32)]| {
        let mut list = EdgeList::new(vertices);
        edges.iter().for_each(|&(source, target)| list.push(source, target));
        Csr::from_edges(&list)
    };
    let graphs = [
        ("one vertex", edges(1, &[])),
        ("a self loop", edges(1, &[(0, 0)])),
        ("many self loops", edges(2, &[(0, 0); 40])),
        ("isolated vertices", edges(70, &[(3, 4), (4, 5)])),
        ("copies of an edge", edges(3, &[(0, 1); 50])),
        ("no edges", edges(100, &[])),
        ("a star", star(200)),
    ];
    for (what, csr) in graphs {
        for name in WORKLOADS {
            for mode in [LaunchMode::Flat, LaunchMode::Cdp, LaunchMode::Dtbl] {
                for block in [1, 31, 100, 256] {
                    let settings = Settings { block, child_block: 33, threshold: 2 };
                    let mut program = program(name, &csr, settings, mode);
                    run(&mut *program, u64::from(block), |_| {});
                    assert_eq!(program.verify(), Ok(()), "{what}: {name} {mode:?} {block}");
                }
            }
        }
    }
}

#[test]
fn public_graphs_come_out_right() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/graphs");
    if !std::path::Path::new(folder).exists() {
        println!("skipped: ../shared is absent");
        return;
    }
    for file in ["256_16384.gr", "bcsstk13.mtx"] {
        let path = format!("{folder}/{file}");
        let csr = read_with(path.as_ref(), Direction::AsListed).unwrap().csr;
        for name in WORKLOADS {
            for mode in [LaunchMode::Flat, LaunchMode::Dtbl] {
                let mut program = program(name, &csr, Settings::default(), mode);
                let launches = count_launches(&mut *program, 1);
                assert_eq!(launches > 0, mode != LaunchMode::Flat, "{file} {name}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn results_are_right_in_whatever_order_warps_and_children_run(
        (vertices, edges) in (1u32..60).prop_flat_map(|n| {
            (Just(n), prop::collection::vec((0..n, 0..n), 0..400))
        }),
        block in prop::sample::select(vec![1u32, 31, 32, 33, 64, 100]),
        child_block in prop::sample::select(vec![1u32, 7, 32, 33, 64]),
        threshold in 0u32..12,
        seed: u64,
    ) {
        let mut list = EdgeList::new(vertices);
        edges.iter().for_each(|&(source, target)| list.push(source, target));
        let csr = Csr::from_edges(&list);
        for name in WORKLOADS {
            for mode in [LaunchMode::Flat, LaunchMode::Cdp] {
                let settings = Settings { block, child_block, threshold };
                let mut program = program(name, &csr, settings, mode);
                let mut launches = 0;
                run(&mut *program, seed, |issued| launches += issued.children.len());
                prop_assert_eq!(program.verify(), Ok(()), "{} {:?}", name, mode);
                // The searches begin at the busiest vertex; the colouring begins everywhere, and sees
                // reverse edges too.
                let walked = if name == "clr" { csr.symmetric() } else { csr.clone() };
                let busy = walked.degree(walked.busiest_vertex().unwrap()) > threshold;
                prop_assert_eq!(launches > 0, busy && mode != LaunchMode::Flat);
            }
        }
    }
}
