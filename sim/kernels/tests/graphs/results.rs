//! Results are right on all kinds of graphs, in every launch mode, and in any order.

use std::rc::Rc;

use blockyard_contract::port::LaunchMode;
use blockyard_ptx::functional;
use blockyard_workloads::graph::{read_with, Direction};
use proptest::prelude::*;

use super::{graph, interleaved, names, program, star, MODES};

#[test]
fn graphs_of_every_odd_kind_come_out_right() {
    let graphs = [
        ("one vertex", graph(1, &[])),
        ("a self loop", graph(1, &[(0, 0)])),
        ("many self loops", graph(2, &[(0, 0); 40])),
        ("isolated vertices", graph(70, &[(3, 4), (4, 5)])),
        ("copies of an edge", graph(3, &[(0, 1); 50])),
        ("no edges", graph(100, &[])),
        ("a star", star(200)),
    ];
    for (what, csr) in graphs {
        for name in names() {
            for mode in MODES {
                for block in ["1", "31", "100", "256"] {
                    let settings = [("block", block), ("child_block", "33"), ("threshold", "2")];
                    let mut program = program(name, &csr, &settings, mode);
                    interleaved::run(&mut *program, block.len() as u64, |_| {});
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
        let csr = read_with(path.as_ref(), Direction::AsListed).expect("a graph").csr;
        let csr = Rc::new(csr);
        for name in names() {
            // The weights of one of them are no whole numbers.
            let settings = if name == "sssp" { &[("weights", "generated")][..] } else { &[] };
            for mode in [LaunchMode::Flat, LaunchMode::Dtbl] {
                let mut program = program(name, &csr, settings, mode);
                let ended = functional::run(&mut *program);
                assert!(ended.is_ok(), "{file} {name}: {ended:?}");
                assert_eq!(program.verify(), Ok(()), "{file} {name} {mode:?}");
            }
        }
    }
}

#[test]
fn a_word_that_is_wrong_is_noticed_wherever_it_is() {
    let csr = star(100);
    for name in names() {
        let mut program = program(name, &csr, &[], LaunchMode::Flat);
        interleaved::run(&mut *program, 2, |_| {});
        let range = program.results().remove(0);
        for address in [range.start, range.start + 200, range.end - 4] {
            let right = program.machine().read(address, 4).expect("a result");
            assert!(program
                .machine()
                .write(address, &[right[0] ^ 2, right[1], right[2], right[3]]));
            let message = program.verify().expect_err("it is wrong");
            let vertex = (address - range.start) / 4;
            assert!(message.contains(&format!("vertex {vertex} is")), "{name}: {message}");
            assert!(program.machine().write(address, &right));
            assert_eq!(program.verify(), Ok(()), "{name}: it is right again");
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
        let csr = graph(vertices, &edges);
        let [block, child_block, most] = [block, child_block, threshold].map(|n| n.to_string());
        let settings = [("block", &*block), ("child_block", &*child_block), ("threshold", &*most)];
        for name in names() {
            for mode in MODES {
                let mut program = program(name, &csr, &settings, mode);
                let mut children = 0;
                interleaved::run(&mut *program, seed, |issued| children += issued.children.len());
                prop_assert_eq!(program.verify(), Ok(()), "{} {:?}", name, mode);
                // The searches begin at the busiest vertex, the others everywhere; two see reverse
                // edges too.
                let both = ["clr", "mis"].contains(&name);
                let walked = if both { csr.symmetric() } else { (*csr).clone() };
                let busiest = walked.busiest_vertex().expect("a vertex");
                let busy = walked.degree(busiest) > threshold;
                prop_assert_eq!(children > 0, busy && mode != LaunchMode::Flat);
            }
        }
    }
}
