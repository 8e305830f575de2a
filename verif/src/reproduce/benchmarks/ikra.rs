//! The applications of IKRA's Table 3, in its three groups.

use super::{Benchmark, Size};

/// How the paper groups its applications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Section 6.2: launched again and again.
    Iterative,
    /// Section 6.3: over graphs.
    Irregular,
    /// Section 6.4.
    Single,
}

/// The paper's name, the workload, what gives the inputs of the table, and what makes them small.
type Row = (&'static str, &'static str, Group, [&'static [&'static str]; 2]);

// The graphs of the table are not distributed with this. Vertices are those of its blocks of 256.
// Edges follow from what PageRank reads, 382 and 2,607 KB with three words a vertex: 47,600 and
// 402,600, 2.8 and 4.6 of a vertex, so that each pair of neighbours is listed once.
const COND_MAT: [&[&str]; 2] = [
    &["graph.kind=citation", "graph.vertices=16726", "graph.degree=3"],
    &["graph.kind=citation", "graph.vertices=600", "graph.degree=3"],
];
const OLESNIK: [&[&str]; 2] = [
    &["graph.kind=cage", "graph.vertices=88263", "graph.degree=5"],
    &["graph.kind=cage", "graph.vertices=600", "graph.degree=5"],
];

const ROWS: &[Row] = &[
    (
        "HS",
        "hotspot",
        Group::Iterative,
        [
            &["hotspot.width=256", "hotspot.height=256", "hotspot.steps=20", "hotspot.pyramid=1"],
            &["hotspot.width=50", "hotspot.height=50", "hotspot.steps=3", "hotspot.pyramid=1"],
        ],
    ),
    // The paper does not say how often it looks for the nearest centres: as often as SD1 steps.
    (
        "KM",
        "kmeans",
        Group::Iterative,
        [
            &["kmeans.points=25000", "kmeans.features=35", "kmeans.block=64", "kmeans.steps=10"],
            &["kmeans.points=1500", "kmeans.features=5", "kmeans.block=64"],
        ],
    ),
    ("LUD", "lud", Group::Iterative, [&["lud.tiles=48"], &["lud.tiles=3"]]),
    ("NW", "nw", Group::Iterative, [&["nw.tiles=64"], &["nw.tiles=7"]]),
    (
        "PF",
        "pathfinder",
        Group::Iterative,
        [
            &["pathfinder.columns=100000", "pathfinder.rows=10", "pathfinder.pyramid=1"],
            &["pathfinder.columns=4000", "pathfinder.rows=3", "pathfinder.pyramid=1"],
        ],
    ),
    (
        "SD1",
        "srad1",
        Group::Iterative,
        [
            &["srad1.width=256", "srad1.height=256", "srad1.steps=10"],
            &["srad1.width=90", "srad1.height=80", "srad1.steps=1"],
        ],
    ),
    (
        "SD2",
        "srad2",
        Group::Iterative,
        [
            &["srad2.width=512", "srad2.height=512", "srad2.steps=10"],
            &["srad2.width=64", "srad2.height=64", "srad2.steps=1"],
        ],
    ),
    (
        "ST",
        "stencil3d",
        Group::Iterative,
        [
            &["stencil3d.height=128", "stencil3d.depth=8", "stencil3d.steps=10"],
            &["stencil3d.width=50", "stencil3d.height=50", "stencil3d.depth=5"],
        ],
    ),
    ("BP", "backprop", Group::Single, [&["backprop.blocks=2048"], &["backprop.blocks=20"]]),
    (
        "CP",
        "convolution",
        Group::Single,
        [
            &["convolution.width=1024", "convolution.height=512"],
            &["convolution.width=150", "convolution.height=70"],
        ],
    ),
    ("LM", "lavamd", Group::Single, [&["lavamd.boxes=2"], &["lavamd.boxes=1"]]),
    ("NN", "nearest", Group::Single, [&["nearest.places=171056"], &["nearest.places=9000"]]),
    (
        "SG",
        "sgemm",
        Group::Single,
        [
            &["sgemm.rows=1024", "sgemm.columns=1056", "sgemm.inner=992"],
            &["sgemm.rows=150", "sgemm.columns=60", "sgemm.inner=20"],
        ],
    ),
    ("DJ1", "sssp", Group::Irregular, COND_MAT),
    ("DJ2", "sssp", Group::Irregular, OLESNIK),
    ("CL1", "clr", Group::Irregular, COND_MAT),
    ("CL2", "clr", Group::Irregular, OLESNIK),
    ("MI1", "mis", Group::Irregular, COND_MAT),
    ("MI2", "mis", Group::Irregular, OLESNIK),
    ("PR1", "pagerank", Group::Irregular, COND_MAT),
    ("PR2", "pagerank", Group::Irregular, OLESNIK),
];

/// The applications of IKRA's Table 3.
pub fn ikra(size: Size) -> Vec<Benchmark> {
    let of = |&(name, workload, _, sizes): &Row| Benchmark::new(name, workload, size.of(sizes));
    ROWS.iter().map(of).collect()
}

/// The group of one of them, or of a workload over another graph.
pub fn group(benchmark: &Benchmark) -> Group {
    let row = ROWS.iter().find(|row| row.0 == benchmark.name);
    row.map_or(Group::Irregular, |row| row.2)
}
