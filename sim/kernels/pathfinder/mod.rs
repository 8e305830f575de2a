//! `pathfinder`: the cheapest ways down a wall, several rows a launch.

mod options;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::Array;
use crate::compare;
use crate::draw::Draw;
use crate::launch::{launch, line, machine, Computation};
pub use options::PathfinderOptions;

/// Threads of a block.
const BLOCK: u32 = 256;

/// What a number is below.
const DIGITS: u32 = 10;

/// The host program.
pub struct Pathfinder {
    machine: Rc<Machine>,
    options: PathfinderOptions,
    /// All rows but the first.
    wall: Array,
    /// What the ways to a row cost: a launch reads one and writes the other.
    costs: [Array; 2],
    launched: u32,
}

impl Pathfinder {
    /// Before its first launch, with a wall drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(
        options: &PathfinderOptions,
        seed: u64,
        _mode: LaunchMode,
    ) -> Result<Self, InputError> {
        let machine = machine("pathfinder/pathfinder.ptx", include_str!("pathfinder.ptx"));
        let PathfinderOptions { columns, rows, .. } = *options;
        let mut draw = Draw::new(seed);
        let mut drawn =
            |count: u32| Array::new(&machine, (0..count).map(|_| draw.below(DIGITS)).collect());
        let (first, wall) = (drawn(columns)?, drawn(rows * columns)?);
        let costs = [first, Array::zeros(&machine, columns)?];
        Ok(Self { machine, options: *options, wall, costs, launched: 0 })
    }

    /// The next launch, from cycle `arrive` on, if there is a row left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let PathfinderOptions { columns, rows, pyramid } = self.options;
        let first = rows.min(self.launched * pyramid);
        if first == rows {
            return Vec::new();
        }
        let [now, next] = [0, 1].map(|later| &self.costs[(self.launched + later) as usize % 2]);
        let arguments = Arguments::new()
            .long(self.wall.address())
            .long(now.address())
            .long(next.address())
            .word(columns)
            .word(first)
            .word(pyramid.min(rows - first))
            .word(pyramid);
        self.launched += 1;
        let extents = (line(columns.div_ceil(BLOCK - 2 * pyramid)), line(BLOCK));
        launch(&self.machine, "pathfinder", extents, arguments, arrive)
    }

    /// What the last launch writes.
    fn result(&self) -> &Array {
        let PathfinderOptions { rows, pyramid, .. } = self.options;
        &self.costs[rows.div_ceil(pyramid) as usize % 2]
    }
}

/// What the ways to a row with these numbers cost, from those to the row above.
fn below(above: &[u32], row: &[u32]) -> Vec<u32> {
    let cheapest = |x: usize| {
        let beside = x.saturating_sub(1)..(x + 2).min(above.len());
        above[beside].iter().min().expect("x itself")
    };
    row.iter().enumerate().map(|(x, number)| number + cheapest(x)).collect()
}

impl HostProgram for Pathfinder {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let columns = self.options.columns.max(1) as usize;
        let rows = self.wall.given().chunks(columns);
        let expected = rows.fold(self.costs[0].given().to_vec(), |above, row| below(&above, row));
        let name = |x| format!("pathfinder: the cheapest way to column {x} of the last row");
        compare::words(self.result(), &expected, name)
    }
}

impl Computation for Pathfinder {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.result().range()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_goes_on_straight_or_aslant_and_not_beyond_the_rim() {
        assert_eq!(below(&[5, 1, 7, 3], &[1, 2, 3, 4]), [2, 3, 4, 7]);
        assert_eq!(below(&[5], &[1]), [6]);
    }
}
