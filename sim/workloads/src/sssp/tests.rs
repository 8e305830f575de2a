use super::{reference_sssp, Sssp, SsspOptions, FARTHEST, UNREACHED};
use crate::gpu::host::HostProgram;
use crate::graph::{generate, Csr, EdgeList, SetError};
use crate::port::LaunchMode;
use crate::vertex::interpreter::run;

fn weighted(vertices: u32, edges: &[(u32, u32, f64)]) -> Csr {
    let mut list = EdgeList::weighted(vertices);
    edges.iter().for_each(|&(source, target, weight)| list.push_weighted(source, target, weight));
    Csr::from_edges(&list)
}

fn options(settings: &[(&str, &str)]) -> SsspOptions {
    let mut options = SsspOptions::default();
    settings.iter().for_each(|(key, value)| options.set(key, value).unwrap());
    options
}

fn search(csr: Csr, settings: &[(&str, &str)]) -> Result<Sssp, SetError> {
    Sssp::new(csr, &options(settings), 1, LaunchMode::Flat)
}

#[test]
fn the_shorter_way_round_wins() {
    let csr = weighted(4, &[(0, 1, 10.0), (0, 2, 1.0), (2, 3, 2.0), (3, 1, 3.0)]);
    let mut sssp = search(csr, &[]).unwrap();
    run(&mut sssp, 0, |_| {});
    assert_eq!(sssp.distances(), [0, 6, 1, 3]);
    assert_eq!(sssp.verify(), Ok(()));
}

#[test]
fn edges_of_weight_0_end_the_search_all_the_same() {
    let mut sssp = search(weighted(3, &[(0, 1, 0.0), (1, 0, 0.0), (1, 2, 0.0)]), &[]).unwrap();
    run(&mut sssp, 3, |_| {});
    assert_eq!(sssp.distances(), [0, 0, 0]);
}

#[test]
fn distances_stop_short_of_what_stands_for_no_path() {
    let most = f64::from(u32::MAX);
    let csr = weighted(4, &[(0, 1, most), (1, 2, most)]);
    let mut sssp = search(csr.clone(), &[("sssp.source", "0")]).unwrap();
    run(&mut sssp, 0, |_| {});
    assert_eq!(sssp.distances(), [0, FARTHEST, FARTHEST, UNREACHED]);
    assert_eq!(reference_sssp(&csr, sssp.weights(), 0), sssp.distances());
}

#[test]
fn verification_names_the_first_vertex_that_differs() {
    let mut sssp = search(weighted(3, &[(0, 1, 5.0), (1, 2, 1.0)]), &[]).unwrap();
    sssp.start();
    let message = "shortest paths from vertex 0: vertex 1 is not reached, expected at distance 5";
    assert_eq!(sssp.verify(), Err(message.to_owned()));
}

#[test]
fn generated_weights_are_those_of_the_edge_in_both_directions() {
    let csr = generate::grid(8, 8);
    let weights = options(&[]).weights(&csr, 7).unwrap();
    assert!(weights.iter().all(|weight| (1..=100).contains(weight)));
    let of = |source: u32, target: u32| {
        let place = csr.neighbours(source).iter().position(|&next| next == target).unwrap();
        weights[csr.offsets()[source as usize] as usize + place]
    };
    for vertex in 0..64 {
        csr.neighbours(vertex).iter().for_each(|&n| assert_eq!(of(vertex, n), of(n, vertex)));
    }
    assert_ne!(options(&[]).weights(&csr, 8).unwrap(), weights, "the seed counts");
    assert_eq!(options(&[("sssp.max_weight", "1")]).weights(&csr, 7), Ok(vec![1; 224]));
}

#[test]
fn the_weights_of_the_graph_come_first() {
    let csr = weighted(2, &[(0, 1, 7.0)]);
    assert_eq!(options(&[]).weights(&csr, 1), Ok(vec![7]));
    let generated = options(&[("sssp.weights", "generated")]).weights(&csr, 1).unwrap();
    assert_eq!(generated, options(&[]).weights(&generate::grid(2, 1), 1).unwrap()[..1]);
}

#[test]
fn weights_that_are_no_words_are_refused() {
    for (weight, found) in [(-1.0, "has -1"), (0.5, "has 0.5"), (4_294_967_296.0, "has 4294967296")]
    {
        let csr = weighted(3, &[(0, 1, 2.0), (2, 1, weight)]);
        let error = options(&[]).weights(&csr, 1).unwrap_err();
        assert_eq!(error.to_string(), "`sssp.weights` cannot be `listed`");
        let help = miette::Diagnostic::help(&error).unwrap().to_string();
        assert!(help.contains(&format!("from vertex 2 to 1 {found};")), "{help}");
        assert!(help.contains("sssp.weights=generated"), "{help}");
    }
    let error = search(generate::grid(2, 2), &[("sssp.weights", "listed")]).err().unwrap();
    let help = miette::Diagnostic::help(&error).unwrap().to_string();
    assert!(help.contains("this one has no weights"), "{help}");
}

#[test]
fn unknown_keys_and_bad_values_are_refused() {
    let mut options = SsspOptions::default();
    let known = SsspOptions::KEYS;
    for key in ["sssp.blok", "sssp", "bfs.source"] {
        let error = SetError::UnknownKey { key: key.to_owned(), known };
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
        let error = options.set(key, value).unwrap_err();
        assert_eq!(error.to_string(), format!("`{key}` cannot be `{value}`"));
    }
    assert_eq!(options, SsspOptions::default(), "refused settings change nothing");
}
