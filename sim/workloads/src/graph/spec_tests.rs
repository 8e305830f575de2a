use super::{Direction, GraphKind, GraphSpec, GraphStatistics, SetError};

fn spec(settings: &[(&str, &str)]) -> GraphSpec {
    let mut spec = GraphSpec::default();
    for (key, value) in settings {
        spec.set(key, value).unwrap();
    }
    spec
}

fn refused(key: &str, value: &str) -> SetError {
    let mut spec = GraphSpec::default();
    let error = spec.set(key, value).unwrap_err();
    assert_eq!(spec, GraphSpec::default(), "a refused setting changes nothing");
    error
}

#[test]
fn the_default_is_graph500_of_scale_10() {
    let csr = GraphSpec::default().build(1).unwrap().csr;
    assert_eq!((csr.vertices(), csr.edges()), (1024, 16 * 1024));
}

#[test]
fn each_kind_is_built_from_its_keys() {
    let size = |settings: &[(&str, &str)]| {
        let csr = spec(settings).build(7).unwrap().csr;
        (csr.vertices(), csr.edges())
    };
    let rmat = [("graph.kind", "rmat"), ("graph.scale", "3"), ("graph.edge_factor", "2")];
    assert_eq!(size(&rmat), (8, 16));
    let grid = [("graph.kind", "grid"), ("graph.width", "3"), ("graph.height", "2")];
    assert_eq!(size(&grid), (6, 14));
    let uniform = [("graph.kind", "uniform"), ("graph.vertices", "5"), ("graph.edges", "9")];
    assert_eq!(size(&uniform), (5, 9));
}

#[test]
fn the_direction_counts_for_every_kind() {
    for kind in ["rmat", "grid", "uniform"] {
        let listed = spec(&[("graph.kind", kind), ("graph.direction", "listed")]);
        let both = spec(&[("graph.kind", kind), ("graph.direction", "symmetric")]);
        assert_eq!(both.direction(), Direction::Symmetric);
        let listed = listed.build(3).unwrap().csr;
        assert_eq!(both.build(3).unwrap().csr, listed.symmetric(), "{kind}");
    }
}

#[test]
fn limits_are_inclusive() {
    for (key, least, most) in [
        ("graph.scale", 1, 24),
        ("graph.edge_factor", 0, 1024),
        ("graph.width", 1, 1 << 24),
        ("graph.height", 1, 1 << 24),
        ("graph.vertices", 1, 1 << 24),
        ("graph.edges", 0, 1 << 28),
    ] {
        spec(&[(key, &most.to_string())]);
        spec(&[(key, &least.to_string())]);
        let expected = format!("a whole number from {least} to {most}");
        for bad in [(most + 1).to_string(), (least - 1).to_string(), "x".into(), "".into()] {
            let error = refused(key, &bad);
            let SetError::BadValue { expected: got, value, .. } = &error else { panic!("{error}") };
            assert_eq!((got, value), (&expected, &bad));
        }
    }
}

#[test]
fn unknown_keys_and_words_are_refused_with_what_there_is() {
    let error = refused("graph.size", "3");
    assert_eq!(error.to_string(), "unknown key `graph.size`");
    let help = miette::Diagnostic::help(&error).unwrap().to_string();
    for key in GraphSpec::KEYS {
        assert!(help.contains(key), "{help}");
    }
    assert_eq!(refused("graph.kind", "tree").to_string(), "`graph.kind` cannot be `tree`");
    assert_eq!(refused("graph.direction", "up").to_string(), "`graph.direction` cannot be `up`");
}

#[test]
fn a_key_of_another_kind_is_refused_whatever_the_order() {
    for settings in [
        [("graph.scale", "4"), ("graph.kind", "grid")],
        [("graph.kind", "grid"), ("graph.scale", "4")],
    ] {
        let error = spec(&settings).build(0).unwrap_err();
        assert_eq!(error.to_string(), "`graph.scale` does nothing with `graph.kind=grid`");
        let help = miette::Diagnostic::help(&error).unwrap().to_string();
        assert_eq!(help, "the keys that count there are graph.width, graph.height");
    }
}

#[test]
fn what_is_too_large_together_is_refused() {
    let grid = [("graph.kind", "grid"), ("graph.width", "16777216"), ("graph.height", "2")];
    let error = spec(&grid).build(0).unwrap_err();
    assert_eq!(error.to_string(), "the number of vertices is 33554432, more than 16777216");
    let error = spec(&[("graph.scale", "24"), ("graph.edge_factor", "17")]).build(0).unwrap_err();
    assert_eq!(error.to_string(), "the number of edges is 285212672, more than 268435456");
    assert!(matches!(error, SetError::TooLarge { .. }));
}

#[test]
fn keys_of_the_generator_are_told_from_the_direction() {
    assert_eq!(spec(&[("graph.direction", "symmetric")]).generator_key(), None);
    assert_eq!(spec(&[("graph.kind", "grid")]).generator_key(), Some("graph.kind"));
    assert_eq!(spec(&[("graph.kind", "grid")]).kind(), GraphKind::Grid);
}

#[test]
fn statistics_describe_graph_and_search() {
    let csr = spec(&[("graph.kind", "grid"), ("graph.width", "4"), ("graph.height", "3")]);
    let figures = GraphStatistics::of(&csr.build(0).unwrap().csr, 0);
    assert_eq!(
        figures.to_string(),
        "12 vertices, 34 edges, max degree 4; from vertex 0: 12 reachable in 6 levels"
    );
    let lonely = spec(&[("graph.kind", "uniform"), ("graph.edges", "0")]).build(0).unwrap();
    let figures = GraphStatistics::of(&lonely.csr, 3);
    assert_eq!((figures.max_degree, figures.reachable, figures.levels), (0, 1, 1));
}
