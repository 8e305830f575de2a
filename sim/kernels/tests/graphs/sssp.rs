//! Shortest paths.

use std::rc::Rc;

use blockyard_contract::port::LaunchMode;
use blockyard_kernels::sssp::{reference_sssp, SsspOptions, FARTHEST, UNREACHED};
use blockyard_workloads::graph::{generate, Csr, EdgeList, SetError};

use super::{expected, program, run, try_program, MODES};

fn weighted(vertices: u32, edges: &[(u32, u32, f64)]) -> Rc<Csr> {
    let mut list = EdgeList::weighted(vertices);
    edges.iter().for_each(|&(source, target, weight)| list.push_weighted(source, target, weight));
    Rc::new(Csr::from_edges(&list))
}

fn options(settings: &[(&str, &str)]) -> SsspOptions {
    let mut options = SsspOptions::default();
    settings.iter().for_each(|(key, value)| options.set(key, value).expect("a good setting"));
    options
}

/// The distances under `mode`, where children walk every row under CDP and DTBL.
fn distances(csr: &Rc<Csr>, settings: &[(&str, &str)], mode: LaunchMode) -> Vec<u32> {
    let settings = [settings, &[("threshold", "0")]].concat();
    run(program("sssp", csr, &settings, mode), 3).0
}

#[test]
fn the_shorter_way_round_wins() {
    let csr = weighted(4, &[(0, 1, 10.0), (0, 2, 1.0), (2, 3, 2.0), (3, 1, 3.0)]);
    for mode in MODES {
        assert_eq!(distances(&csr, &[], mode), [0, 6, 1, 3]);
    }
}

#[test]
fn edges_of_weight_0_end_the_search_all_the_same() {
    let csr = weighted(3, &[(0, 1, 0.0), (1, 0, 0.0), (1, 2, 0.0)]);
    for mode in MODES {
        assert_eq!(distances(&csr, &[], mode), [0, 0, 0]);
    }
}

#[test]
fn distances_stop_short_of_what_stands_for_no_path() {
    let most = f64::from(u32::MAX);
    // The sum wraps around, is the one word that stands for no path, or is the largest distance.
    for (first, second) in [(most, most), (most - 1.0, 1.0), (most - 2.0, 1.0), (1.0, most)] {
        let csr = weighted(4, &[(0, 1, first), (1, 2, second)]);
        let weights = options(&[]).weights(&csr, 1).expect("words");
        let right = reference_sssp(&csr, &weights, 0);
        assert_eq!(right[2..], [FARTHEST, UNREACHED]);
        for mode in MODES {
            assert_eq!(distances(&csr, &[("source", "0")], mode), right, "{mode:?}");
        }
    }
}

#[test]
fn verification_names_the_first_vertex_that_differs() {
    let csr = weighted(3, &[(0, 1, 5.0), (1, 2, 1.0)]);
    let mut sssp = program("sssp", &csr, &[], LaunchMode::Flat);
    sssp.start();
    let message = "shortest paths from vertex 0: vertex 1 is not reached, expected at distance 5";
    assert_eq!(sssp.verify(), Err(message.to_owned()));
}

#[test]
fn generated_weights_are_those_of_the_edge_in_both_directions() {
    let csr = generate::grid(8, 8);
    let weights = options(&[]).weights(&csr, 7).expect("weights");
    assert!(weights.iter().all(|weight| (1..=100).contains(weight)));
    let of = |source: u32, target: u32| {
        let place = csr.neighbours(source).iter().position(|&next| next == target);
        weights[csr.offsets()[source as usize] as usize + place.expect("an edge")]
    };
    for vertex in 0..64 {
        csr.neighbours(vertex).iter().for_each(|&n| assert_eq!(of(vertex, n), of(n, vertex)));
    }
    assert_ne!(options(&[]).weights(&csr, 8), Ok(weights), "the seed counts");
    assert_eq!(options(&[("sssp.max_weight", "1")]).weights(&csr, 7), Ok(vec![1; 224]));
}

#[test]
fn the_weights_of_the_graph_come_first() {
    let csr = weighted(2, &[(0, 1, 7.0)]);
    assert_eq!(options(&[]).weights(&csr, 1), Ok(vec![7]));
    let generated = options(&[("sssp.weights", "generated")]).weights(&csr, 1);
    let of_edges = options(&[]).weights(&generate::grid(2, 1), 1).expect("weights");
    assert_eq!(generated, Ok(of_edges[..1].to_vec()));
}

#[test]
fn weights_that_are_no_words_are_refused() {
    for (weight, found) in [(-1.0, "has -1"), (0.5, "has 0.5"), (4_294_967_296.0, "has 4294967296")]
    {
        let csr = weighted(3, &[(0, 1, 2.0), (2, 1, weight)]);
        let error = options(&[]).weights(&csr, 1).expect_err(found);
        assert_eq!(error.to_string(), "`sssp.weights` cannot be `listed`");
        let expected = expected(error);
        assert!(
            expected.contains(&format!("from vertex 2 to 1, counted from 0, {found};")),
            "{expected}"
        );
        assert!(expected.contains("sssp.weights=generated"), "{expected}");
    }
    let csr = Rc::new(generate::grid(2, 2));
    let refused = try_program("sssp", &csr, &[("weights", "listed")], LaunchMode::Flat).err();
    let expected = expected(refused.expect("it has none"));
    assert!(expected.contains("this one has no weights"), "{expected}");
}

#[test]
fn unknown_keys_and_bad_values_are_refused() {
    let mut options = SsspOptions::default();
    for key in ["sssp.blok", "sssp", "bfs.source"] {
        let error = SetError::unknown(key, SsspOptions::KEYS);
        assert_eq!(options.set(key, "1"), Err(error));
    }
    for (key, value) in [
        ("sssp.block", "0"),
        ("sssp.child_block", "1025"),
        ("sssp.threshold", "-1"),
        ("sssp.max_weight", "0"),
        ("sssp.weights", "random"),
        ("sssp.source", "x"),
    ] {
        let error = options.set(key, value).expect_err(key);
        assert_eq!(error.to_string(), format!("`{key}` cannot be `{value}`"));
    }
    assert_eq!(options, SsspOptions::default(), "refused settings change nothing");
}
