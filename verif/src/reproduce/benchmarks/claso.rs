//! Those of CLASO's Table 2. BFS is a workload over graphs, the others are kernels.

use super::{Benchmark, Size};

/// The paper's name, the workload, what gives the grids of the table, and what makes the input
/// small.
type Row = (&'static str, &'static str, [&'static [&'static str]; 2]);

const ROWS: &[Row] = &[
    (
        "SP",
        "scalarprod",
        [
            &["scalarprod.vectors=256", "scalarprod.elements=4096"],
            &["scalarprod.vectors=60", "scalarprod.elements=100", "scalarprod.blocks=30"],
        ],
    ),
    (
        "CP",
        "coulomb",
        [
            &["coulomb.width=1024", "coulomb.height=1024"],
            &["coulomb.height=50", "coulomb.atoms=9", "coulomb.slice=5"],
        ],
    ),
    (
        "BS",
        "blackscholes",
        [&["blackscholes.count=4000000"], &["blackscholes.count=3000", "blackscholes.blocks=40"]],
    ),
    ("FWT", "walsh", [&["walsh.log2=17"], &["walsh.log2=12"]]),
    (
        "MC",
        "montecarlo",
        [&["montecarlo.paths=262144"], &["montecarlo.options=40", "montecarlo.paths=300"]],
    ),
    ("BP", "backprop", [&["backprop.blocks=128"], &["backprop.blocks=20"]]),
    ("SLA", "scan", [&["scan.count=98500"], &["scan.count=12000"]]),
    (
        "ST",
        "stencil3d",
        [
            &["stencil3d.height=128", "stencil3d.depth=32", "stencil3d.steps=1"],
            &["stencil3d.width=50", "stencil3d.height=50", "stencil3d.depth=5"],
        ],
    ),
    ("AES", "aes", [&["aes.states=16448"], &["aes.states=2000"]]),
    // 65,536 vertices in blocks of 512, as in the table; edges as Rodinia's generator draws them:
    // two to four from each vertex, both ways.
    (
        "BFS",
        "bfs",
        [
            &[
                "graph.kind=uniform",
                "graph.vertices=65536",
                "graph.edges=196608",
                "graph.direction=symmetric",
                "bfs.block=512",
            ],
            &[
                "graph.kind=uniform",
                "graph.vertices=3000",
                "graph.edges=9000",
                "graph.direction=symmetric",
                "bfs.block=128",
            ],
        ],
    ),
    ("KMS", "kmeans", [&["kmeans.points=30976"], &["kmeans.points=5000", "kmeans.features=6"]]),
    (
        "LIB",
        "libor",
        [&["libor.paths=8192", "libor.steps=40"], &["libor.paths=320", "libor.steps=1"]],
    ),
    ("NN", "digits", [&["digits.images=5"], &["digits.images=1"]]),
];

/// The benchmarks of CLASO's Table 2.
pub fn claso(size: Size) -> Vec<Benchmark> {
    let of = |&(name, workload, sizes): &Row| Benchmark::new(name, workload, size.of(sizes));
    ROWS.iter().map(of).collect()
}
