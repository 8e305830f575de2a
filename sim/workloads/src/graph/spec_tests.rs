use super::{generate, Direction, GraphKind, GraphSpec, GraphStatistics, SetError};

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
    for kind in ["cage", "citation", "road", "flight"] {
        assert_eq!(size(&[("graph.kind", kind), ("graph.vertices", "77")]).0, 77, "{kind}");
    }
}

#[test]
fn degree_spread_and_far_edges_reach_the_generators() {
    let built = |settings: &[(&str, &str)]| spec(settings).build(7).unwrap().csr;
    let cage = [("graph.kind", "cage"), ("graph.degree", "6"), ("graph.far", "40")];
    let wide = [&cage[..], &[("graph.spread", "9")]].concat();
    assert_eq!(built(&cage), generate::cage(1024, 6, 64, 40, 7));
    assert_eq!(built(&wide), generate::cage(1024, 6, 9, 40, 7));
    let citation = [("graph.kind", "citation"), ("graph.degree", "20"), ("graph.far", "0")];
    assert_eq!(built(&citation), generate::citation(1024, 20, 0, 7));
    let flight = [("graph.kind", "flight"), ("graph.degree", "5")];
    assert_eq!(built(&flight), generate::flight(1024, 5, 7));
    for (kind, csr) in [
        ("cage", generate::cage(1024, 18, 64, 15, 7)),
        ("citation", generate::citation(1024, 9, 200, 7)),
        ("flight", generate::flight(1024, 14, 7)),
    ] {
        assert_eq!(built(&[("graph.kind", kind)]), csr, "the defaults of {kind}");
    }
}

#[test]
fn the_direction_counts_for_every_kind() {
    for kind in GraphKind::ALL.map(GraphKind::name) {
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
        ("graph.degree", 2, 1024),
        ("graph.spread", 1, 1 << 16),
        ("graph.far", 0, 1000),
    ] {
        spec(&[(key, &most.to_string())]);
        spec(&[(key, &least.to_string())]);
        let expected = format!("a whole number from {least} to {most}");
        for bad in
            [(most + 1).to_string(), (i64::from(least) - 1).to_string(), "x".into(), "".into()]
        {
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
        assert!(help.contains(key.name), "{help}");
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
    let error = spec(&[("graph.kind", "road"), ("graph.degree", "3")]).build(0).unwrap_err();
    assert_eq!(error.to_string(), "`graph.degree` does nothing with `graph.kind=road`");
}

#[test]
fn what_is_too_large_together_is_refused() {
    let grid = [("graph.kind", "grid"), ("graph.width", "16777216"), ("graph.height", "2")];
    let error = spec(&grid).build(0).unwrap_err();
    assert_eq!(error.to_string(), "the number of vertices is 33554432, more than 16777216");
    let error = spec(&[("graph.scale", "24"), ("graph.edge_factor", "17")]).build(0).unwrap_err();
    assert_eq!(error.to_string(), "the number of edges is 285212672, more than 268435456");
    assert!(matches!(error, SetError::TooLarge { .. }));
    let most = spec(&[("graph.scale", "24"), ("graph.edge_factor", "16")]);
    assert!(most.check().is_ok(), "as many edges as there may be");
    for kind in ["cage", "citation", "flight"] {
        let spec =
            spec(&[("graph.kind", kind), ("graph.vertices", "16777216"), ("graph.degree", "17")]);
        let error = spec.build(0).unwrap_err();
        assert_eq!(error.to_string(), "the number of edges is 285212672, more than 268435456");
    }
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

#[test]
fn every_key_can_be_set_to_its_default_which_changes_nothing() {
    for key in GraphSpec::KEYS {
        let mut spec = GraphSpec::default();
        // What is said in words is decided later.
        if !key.default.contains(' ') {
            spec.set(key.name, key.default).unwrap();
        }
        spec.given.clear();
        assert_eq!(spec, GraphSpec::default(), "{}", key.name);
    }
}
