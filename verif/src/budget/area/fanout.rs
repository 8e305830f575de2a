//! Trees of buffers where a net drives more than a cell can.
//!
//! ABC puts buffers within a module, and does not see what a net drives in others. Such a net gets
//! a tree: buffers that drive eight inputs like their own each, in as many levels as it takes.

use super::liberty::{At, Cell, Library};

/// How many inputs like its own a buffer drives: the usual limit of fan-out in synthesis.
pub const FAN_OUT: f64 = 8.0;

/// The buffer that trees are made of.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Its name in the library.
    pub name: String,
    /// Square micrometres.
    pub area: f64,
    /// The load that it is, in picofarads.
    pub input: f64,
    /// The delay of one among others in a tree, for a rising and a falling edge, in nanoseconds.
    pub delay: [f64; 2],
    /// The slew behind it.
    pub slew: [f64; 2],
}

/// A tree for one net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tree {
    /// Buffers on the way to each sink.
    pub levels: u32,
    /// Buffers in all.
    pub buffers: u64,
    /// The load of what is left at the driver.
    pub root: f64,
}

impl Buffer {
    /// The fastest buffer of a library, driving eight like itself.
    pub fn fastest(library: &Library) -> Option<Self> {
        let buffers = library.cells.iter().filter(|cell| cell.is_buffer()).filter_map(Self::of);
        let slowest = |buffer: &Self| buffer.delay[0].max(buffer.delay[1]);
        buffers.min_by(|left, right| slowest(left).total_cmp(&slowest(right)))
    }

    fn of(cell: &Cell) -> Option<Self> {
        let input = cell.pins.iter().find(|pin| !pin.is_output)?.capacitance;
        let arc = cell.arcs.first()?;
        let edges = [arc.rise.as_ref()?, arc.fall.as_ref()?];
        let load = FAN_OUT * input;
        // The slew of a buffer behind many others no longer changes.
        let slew =
            edges.map(|edge| (0..8).fold(0.0, |slew, _| edge.slew.at(At { slew, load }).max(0.0)));
        let delay = [0, 1].map(|at| edges[at].delay.at(At { slew: slew[at], load }));
        Some(Self { name: cell.name.clone(), area: cell.area, input, delay, slew })
    }

    /// The tree for a load of so many picofarads; without buffers where one like this drives it.
    pub fn tree(&self, load: f64) -> Tree {
        let each = FAN_OUT * self.input;
        let mut tree = Tree { levels: 0, buffers: 0, root: load };
        while tree.root > each * 1.000_001 {
            let buffers = (tree.root / each - 1e-6).ceil();
            tree.levels += 1;
            tree.buffers += buffers as u64;
            tree.root = buffers * self.input;
        }
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_have_as_many_levels_as_it_takes_and_none_for_eight_inputs() {
        let buffer = Buffer {
            name: "BUF".to_owned(),
            area: 1.0,
            input: 0.5,
            delay: [1.0; 2],
            slew: [0.0; 2],
        };
        let tree = |inputs: f64| {
            let Tree { levels, buffers, root } = buffer.tree(inputs * 0.5);
            (levels, buffers, root / 0.5)
        };
        assert_eq!(tree(8.0), (0, 0, 8.0));
        assert_eq!(tree(9.0), (1, 2, 2.0));
        assert_eq!(tree(64.0), (1, 8, 8.0));
        assert_eq!(tree(65.0), (2, 9 + 2, 2.0));
        assert_eq!(tree(4096.0), (3, 512 + 64 + 8, 8.0));
    }
}
