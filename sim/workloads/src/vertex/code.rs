//! The instructions of a kernel over vertices and of its child: the lines that all have, around those
//! of the workload.
//!
//! ```text
//! bounds    v = block * threads + thread            IMAD   r0
//!           v < vertices ?  branch, else exit       ISETP  r1 <- r0      BRA <- r1
//! frontier  address of state[v]                     IADD   r2 <- r0
//!           load state[v]                           LDG    r3 <- r2
//!           on the frontier ?  branch, else exit    ISETP  r4 <- r3      BRA <- r4
//!           the workload's own values of v
//! row       address of offset[v]                    IADD   r5 <- r0
//!           load offset[v], offset[v + 1]           LDG    r6, r7 <- r5
//! test      e < end ?  branch, else exit            ISETP  r8 <- r6, r7  BRA <- r8
//! edge      address of column[e]                    IADD   r9 <- r6
//!           what the workload loads of e
//!           load u = column[e]                      LDG    r10 <- r9
//!           what the workload does with u
//!           e = e + 1                               IADD   r6 <- r6      back to test
//! exit
//! launch    end - e > threshold ?  branch           ISETP  r8 <- r6, r7  BRA <- r8
//!           launch a child over e .. end            CALL   <- r6, r7     back to test, without those
//! ```
//!
//! A warp comes to `launch` after `row` if one of its lanes has a degree above the threshold; otherwise
//! it issues what it issues without children. The child's code:
//!
//! ```text
//! bounds    e = begin + block * threads + thread    IMAD   r6
//!           e < end ?  branch, else exit            ISETP  r8 <- r6      BRA <- r8
//!           the workload's own values of v          from the constant bank
//! edge      as above, without the step to the next edge
//! exit
//! ```

use std::rc::Rc;

use super::line::{
    branch, branch_on, exit, integer, integer_then, jump, launch, load, one, two, Flow, Lanes,
    Line, To, NONE,
};
use super::registers::*;
use super::{each, Addresses, Expand, Kernel, Threads};

/// How many places a branch can lead to.
const PLACES: usize = To::Exit as usize + 1;

/// The children that a kernel launches.
pub(crate) struct Child<K: Kernel> {
    /// Name of the kernel.
    pub name: Rc<str>,
    /// Threads of a block.
    pub block: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// A vertex with more edges than that launches one.
    pub threshold: u32,
    /// Its instructions.
    pub code: Rc<Code<K>>,
    /// What its lanes get from the launching one.
    pub argument: fn(&K::Own, usize) -> K::Own,
}

/// The instructions of a kernel.
pub(crate) struct Code<K: Kernel> {
    pub lines: Vec<Line<K>>,
    /// Where each [`To`] is.
    places: [usize; PLACES],
    pub child: Option<Child<K>>,
}

impl<K: Kernel> Code<K> {
    /// A kernel that looks at the vertices of the frontier alone: `lines`, then `rest` at [`To::Rest`].
    pub fn of_vertices(lines: &[Line<K>], rest: &[Line<K>]) -> Self {
        let mut code = Self::new(Self::on_frontier());
        code.lines.extend_from_slice(lines);
        code.here(To::Rest);
        code.lines.extend_from_slice(rest);
        code.ends()
    }

    /// The number of the line at `to`.
    pub fn place(&self, to: To) -> usize {
        self.places[to as usize]
    }

    fn new(lines: Vec<Line<K>>) -> Self {
        Self { lines, places: [usize::MAX; PLACES], child: None }
    }

    fn on_frontier() -> Vec<Line<K>> {
        vec![
            integer(VERTEX, NONE),
            integer(IN_BOUNDS, one(VERTEX)),
            branch_on(IN_BOUNDS, within, Flow::Keep),
            integer(STATE_ADDRESS, one(VERTEX)),
            load(STATE, STATE_ADDRESS, Lanes::Active, K::frontier),
            integer(ON_FRONTIER, one(STATE)),
            branch(ON_FRONTIER, Flow::Keep),
        ]
    }

    /// The next line is that at `to`.
    fn here(&mut self, to: To) {
        self.places[to as usize] = self.lines.len();
    }

    fn ends(mut self) -> Self {
        self.here(To::Exit);
        self.lines.push(exit());
        self
    }
}

impl<K: Expand> Code<K> {
    /// A kernel whose threads walk the edges of the vertices on the frontier, apart from those for
    /// which they launch a `child`.
    pub fn of_edges(child: Option<Child<K>>) -> Self {
        let mut code = Self::new(Self::on_frontier());
        code.lines.extend_from_slice(K::OWN);
        let row_end = load(ROW_END, ROW_ADDRESS, Lanes::Active, load_row_end);
        code.lines.extend([
            integer(ROW_ADDRESS, one(VERTEX)),
            load(EDGE, ROW_ADDRESS, Lanes::Active, load_row),
            Line { flow: if child.is_some() { Flow::Degree } else { Flow::On }, ..row_end },
        ]);
        code.here(To::Test);
        code.lines.push(integer(MORE, two(EDGE, ROW_END)));
        code.lines.push(branch_on(MORE, with_edges, Flow::Keep));
        code.edge();
        code.here(To::NextEdge);
        code.lines.push(integer_then(EDGE, one(EDGE), next_edge, Flow::Go(To::Test)));
        let mut code = code.ends();
        if child.is_some() {
            code.here(To::Launch);
            code.lines.extend([
                integer(MORE, two(EDGE, ROW_END)),
                branch(MORE, Flow::On),
                launch(two(EDGE, ROW_END)),
                jump(To::Test),
            ]);
            code.child = child;
        }
        code
    }

    /// The child: one thread an edge of one vertex.
    pub fn of_one_row() -> Self {
        let mut code = Self::new(vec![
            integer(EDGE, NONE),
            integer(MORE, one(EDGE)),
            branch_on(MORE, within, Flow::Keep),
        ]);
        code.lines.extend_from_slice(K::ARGUMENTS);
        code.edge();
        code.here(To::NextEdge);
        code.ends()
    }

    fn edge(&mut self) {
        self.lines.push(integer(COLUMN_ADDRESS, one(EDGE)));
        self.lines.extend_from_slice(K::EDGE);
        self.lines.push(load(TARGET, COLUMN_ADDRESS, Lanes::Active, load_column));
        self.lines.extend_from_slice(K::TARGET);
    }
}

fn within<K: Kernel>(_: &K, threads: &mut Threads<K::Own>, _: &mut Addresses) {
    threads.chosen = threads.within;
}

fn with_edges<K: Kernel>(_: &K, threads: &mut Threads<K::Own>, _: &mut Addresses) {
    threads.chosen = threads.with_edges();
}

fn load_row<K: Kernel>(kernel: &K, threads: &mut Threads<K::Own>, to: &mut Addresses) {
    for lane in each(threads.active) {
        let vertex = threads.vertex(lane);
        to[lane] = kernel.arrays().offset(vertex);
        threads.edge[lane] = kernel.csr().offsets()[vertex as usize];
    }
}

fn load_row_end<K: Kernel>(kernel: &K, threads: &mut Threads<K::Own>, to: &mut Addresses) {
    for lane in each(threads.active) {
        let after = threads.vertex(lane) + 1;
        to[lane] = kernel.arrays().offset(after);
        threads.end[lane] = kernel.csr().offsets()[after as usize];
    }
}

fn load_column<K: Kernel>(kernel: &K, threads: &mut Threads<K::Own>, to: &mut Addresses) {
    for lane in each(threads.active) {
        let edge = threads.edge[lane];
        to[lane] = kernel.arrays().column(edge);
        threads.target[lane] = kernel.csr().columns()[edge as usize];
    }
}

fn next_edge<K: Kernel>(_: &K, threads: &mut Threads<K::Own>, _: &mut Addresses) {
    for lane in each(threads.active) {
        threads.edge[lane] += 1;
    }
}
