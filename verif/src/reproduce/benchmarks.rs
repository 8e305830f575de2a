//! The benchmarks of DTBL's Table 4, LaPerm's Table II, CLASO's Table 2, IKRA's Table 3 and SRTF's
//! Table 2, and the inputs that stand for theirs.

mod claso;
mod ikra;
mod srtf;

use blockyard_kernels::graphs;
use blockyard_sim::workload::graph::GraphKind;
use serde::Serialize;

pub use claso::claso;
pub use ikra::{group, ikra, Group};
pub use srtf::srtf;

/// The key of a graph's family.
pub const GRAPH_KIND: &str = "graph.kind";

/// Which papers have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Both,
    Dtbl,
    Laperm,
}

/// A benchmark with its input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Benchmark {
    /// As in the papers' figures: `bfs_cage15`.
    pub name: String,
    /// The workload that it is.
    pub workload: String,
    /// Its settings, `key=value`, of which later ones win.
    pub settings: Vec<String>,
}

/// A size for each input: the whole study, and one that takes a blink for each run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Inputs of the papers' kind and, as far as minutes allow, size.
    Full,
    /// Inputs on which a run takes a part of a second.
    Reduced,
}

/// Name, workload, papers, what makes the input, what makes it full, and what makes it small.
type Row = (&'static str, &'static str, Of, &'static [&'static str], [&'static [&'static str]; 2]);

const CAGE: &[&str] = &["graph.kind=cage"];
const CITATION: &[&str] = &["graph.kind=citation"];
const GRAPH500: &[&str] = &["graph.kind=rmat", "graph.direction=symmetric"];
const ROAD: &[&str] = &["graph.kind=road"];
const FLIGHT: &[&str] = &["graph.kind=flight"];
const VERTICES: [&[&str]; 2] = [&["graph.vertices=200000"], &["graph.vertices=3000"]];
const SCALE: [&[&str]; 2] = [&["graph.scale=18"], &["graph.scale=10"]];
// Reduced inputs of those whose hosts go over all vertices in each round are smaller.
const IN_ROUNDS: [&[&str]; 2] = [&["graph.vertices=200000"], &["graph.vertices=2000"]];
// The size of the world's network.
const AIRPORTS: [&[&str]; 2] = [&["graph.vertices=3883"], &["graph.vertices=2000"]];
const COLOURED: [&[&str]; 2] = [&["graph.vertices=200000"], &["graph.vertices=1000"]];
// With hubs there are hundreds of rounds: each doubling takes three and a half times as long.
const COLOURED_SCALE: [&[&str]; 2] = [&["graph.scale=12"], &["graph.scale=9"]];
// Of what follows, as of graphs, there are more blocks than the 208 that 13 SMXs take at once, as
// far as minutes allow: else the flat programs leave most of the GPU empty, and children have
// nothing to overtake.
const MESH: [&[&str]; 2] =
    [&["amr.width=160", "amr.height=128", "amr.spots=53"], &["amr.width=16", "amr.height=12"]];
const BODIES: [&[&str]; 2] = [&["bht.bodies=8192"], &["bht.bodies=300"]];
const PACKETS: [&[&str]; 2] = [&["regx.packets=16000"], &["regx.packets=60"]];
const DARPA_PACKETS: [&[&str]; 2] = [&["regx.packets=14000"], &["regx.packets=3"]];
// MovieLens 100k.
const RATINGS: [&[&str]; 2] = [
    &["pre.users=943", "pre.items=1682", "pre.ratings=100000", "pre.every=4"],
    &["pre.users=40", "pre.items=60", "pre.ratings=600"],
];
const TABLES: [&[&str]; 2] = [
    &["join.left=200000", "join.right=200000", "join.distinct=20000"],
    &["join.left=600", "join.right=600", "join.distinct=60"],
];

const ROWS: &[Row] = &[
    ("amr", "amr", Of::Both, &["amr.refine=8"], MESH),
    ("bht", "bht", Of::Both, &["bht.points=uniform"], BODIES),
    ("bfs_citation", "bfs", Of::Both, CITATION, VERTICES),
    ("bfs_usa_road", "bfs", Of::Dtbl, ROAD, IN_ROUNDS),
    ("bfs_graph500", "bfs", Of::Laperm, GRAPH500, SCALE),
    ("bfs_cage15", "bfs", Of::Both, CAGE, VERTICES),
    ("clr_citation", "clr", Of::Both, CITATION, COLOURED),
    ("clr_graph500", "clr", Of::Both, GRAPH500, COLOURED_SCALE),
    ("clr_cage15", "clr", Of::Both, CAGE, COLOURED),
    ("regx_darpa", "regx", Of::Both, &["regx.input=darpa"], DARPA_PACKETS),
    ("regx_string", "regx", Of::Both, &["regx.input=strings"], PACKETS),
    ("pre", "pre", Of::Both, &[], RATINGS),
    ("join_uniform", "join", Of::Both, &["join.keys=uniform"], TABLES),
    ("join_gaussian", "join", Of::Both, &["join.keys=gaussian"], TABLES),
    ("sssp_citation", "sssp", Of::Both, CITATION, IN_ROUNDS),
    ("sssp_flight", "sssp", Of::Dtbl, FLIGHT, AIRPORTS),
    ("sssp_graph500", "sssp", Of::Laperm, GRAPH500, SCALE),
    ("sssp_cage15", "sssp", Of::Both, CAGE, IN_ROUNDS),
];

/// The benchmarks of DTBL's Table 4.
pub fn dtbl(size: Size) -> Vec<Benchmark> {
    of(size, |of| of != Of::Laperm)
}

/// The benchmarks of LaPerm's Table II.
pub fn laperm(size: Size) -> Vec<Benchmark> {
    of(size, |of| of != Of::Dtbl)
}

/// The workloads of CLASO's, IKRA's and SRTF's tables that walk no graph, each once on a small
/// input, by their own names: what one paper calls NN, another one does not.
pub fn flat_kernels() -> Vec<Benchmark> {
    let mut all: Vec<Benchmark> = Vec::new();
    let papers: [fn(Size) -> Vec<Benchmark>; 3] = [claso, ikra, srtf];
    let of_papers = papers.into_iter().flat_map(|of_paper| of_paper(Size::Reduced));
    for benchmark in of_papers.filter(|benchmark| !benchmark.walks_graph()) {
        if all.iter().all(|known| known.workload != benchmark.workload) {
            all.push(Benchmark { name: benchmark.workload.clone(), ..benchmark });
        }
    }
    all
}

fn of(size: Size, has: impl Fn(Of) -> bool) -> Vec<Benchmark> {
    let rows = ROWS.iter().filter(|(_, _, of, ..)| has(*of));
    let benchmarks = rows.map(|(name, workload, _, input, sizes)| {
        Benchmark::new(name, workload, input.iter().chain(size.of(*sizes)))
    });
    benchmarks.collect()
}

impl Size {
    /// Of what makes an input full and what makes it small, the one that counts.
    fn of<T>(self, [full, reduced]: [T; 2]) -> T {
        match self {
            Self::Full => full,
            Self::Reduced => reduced,
        }
    }
}

impl Benchmark {
    fn new<'a>(
        name: &str,
        workload: &str,
        settings: impl IntoIterator<Item = &'a &'static str>,
    ) -> Self {
        let settings = settings.into_iter().map(|&setting| setting.to_owned()).collect();
        Self { name: name.to_owned(), workload: workload.to_owned(), settings }
    }

    /// Whether `wanted` names it: its name, or its workload.
    pub fn is(&self, wanted: &str) -> bool {
        self.name == wanted || self.workload == wanted
    }

    /// Whether it walks a graph.
    pub fn walks_graph(&self) -> bool {
        graphs::WORKLOADS.iter().any(|(name, _)| *name == self.workload)
    }

    /// Whether `key` is for it: one of its workload, or one that its graph is made by.
    pub fn takes(&self, key: &str) -> bool {
        match key.split_once('.') {
            Some(("graph", _)) => self.walks_graph() && self.is_made_by(key),
            Some((table, _)) => table == self.workload,
            None => false,
        }
    }

    fn is_made_by(&self, key: &str) -> bool {
        let settings = self.settings.iter().rev();
        let mut kinds =
            settings.filter_map(|setting| setting.strip_prefix(GRAPH_KIND)?.strip_prefix('='));
        let kind = kinds.next().and_then(|kind| kind.parse().ok());
        // Of a file, the direction.
        let made_by = kind.map_or(&[][..], GraphKind::keys);
        [GRAPH_KIND, "graph.direction"].contains(&key) || made_by.contains(&key)
    }
}
