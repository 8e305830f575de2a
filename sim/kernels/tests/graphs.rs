//! Workloads over graphs with their hosts, without timing, in whatever order warps and children
//! run.

#[path = "graphs/bfs.rs"]
mod bfs;
#[path = "graphs/children.rs"]
mod children;
#[path = "graphs/clr.rs"]
mod clr;
#[path = "../../workloads/src/interleaved.rs"]
mod interleaved;
#[path = "graphs/mis.rs"]
mod mis;
#[path = "graphs/pagerank.rs"]
mod pagerank;
#[path = "graphs/results.rs"]
mod results;
#[path = "graphs/sssp.rs"]
mod sssp;

use std::rc::Rc;

use blockyard_contract::port::LaunchMode;
use blockyard_kernels::graphs::{GraphSettings, Refused, WORKLOADS};
use blockyard_kernels::Computation;
use blockyard_workloads::graph::{Csr, EdgeList, SetError};

const MODES: [LaunchMode; 3] = [LaunchMode::Flat, LaunchMode::Cdp, LaunchMode::Dtbl];
const DYNAMIC: [LaunchMode; 2] = [LaunchMode::Cdp, LaunchMode::Dtbl];

/// Decides on weights and priorities.
const SEED: u64 = 5;

fn names() -> impl Iterator<Item = &'static str> {
    WORKLOADS.into_iter().map(|(name, _)| name)
}

fn graph(vertices: u32, edges: &[(u32, u32)]) -> Rc<Csr> {
    let mut list = EdgeList::new(vertices);
    edges.iter().for_each(|&(source, target)| list.push(source, target));
    Rc::new(Csr::from_edges(&list))
}

/// Vertex 0 and `degree` others, with edges from and to it.
fn star(degree: u32) -> Rc<Csr> {
    let to = (1..=degree).map(|vertex| (0, vertex));
    let back = (1..=degree).map(|vertex| (vertex, 0));
    graph(degree + 1, &to.chain(back).collect::<Vec<_>>())
}

/// The workload `name` with `settings`, keys without its name.
fn try_program(
    name: &str,
    csr: &Rc<Csr>,
    settings: &[(&str, &str)],
    mode: LaunchMode,
) -> Result<Box<dyn Computation>, SetError> {
    let mut all = GraphSettings::default();
    for (key, value) in settings {
        assert_eq!(all.set(&format!("{name}.{key}"), value), Ok(true));
    }
    let workload = all.workload(name).expect("one of the workloads");
    workload.program(csr, SEED, mode).map_err(|refused| match refused {
        Refused::Setting(error) => error,
        Refused::Memory(error) => panic!("{error}"),
    })
}

fn program(
    name: &str,
    csr: &Rc<Csr>,
    settings: &[(&str, &str)],
    mode: LaunchMode,
) -> Box<dyn Computation> {
    try_program(name, csr, settings, mode).expect("settings that fit")
}

/// What is expected instead of a value that is refused.
fn expected(error: SetError) -> String {
    match error {
        SetError::BadValue { expected, .. } => expected,
        other => panic!("{other}"),
    }
}

/// What the kernels have left for each vertex.
fn left(program: &dyn Computation) -> Vec<u32> {
    let range = program.results().remove(0);
    let words = program.machine().words(range.start, (range.end - range.start) / 4);
    words.expect("a result")
}

/// Runs `program` to a right result, in an order that `seed` decides; what it leaves, and the
/// number of the host's launches.
fn run(mut program: Box<dyn Computation>, seed: u64) -> (Vec<u32>, usize) {
    let launches = interleaved::run(&mut *program, seed, |_| {}).len();
    assert_eq!(program.verify(), Ok(()));
    (left(&*program), launches)
}
