//! The longest path through a mapped design: between flip-flops, SRAMs and ports.
//!
//! Static timing as in every timer: delays and slews of a library's tables, the worst edge of each
//! net, an ideal clock, setup times at the end. Ports are driven at once and end a path; wires are
//! nothing.

use super::fanout::{Buffer, Tree};
use super::flat::{Flat, NONE};
use super::liberty::{At, Cell, Edge, Library, Sense};

/// The longest path of a design.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Nanoseconds from the clock's edge or an input to the next edge, with setup, or an output.
    pub nanoseconds: f64,
    /// Cells on it, with the flip-flop that it starts at.
    pub cells: usize,
    /// Buffers of trees on it.
    pub buffers: usize,
    /// The places that it goes through, from its start to its end, each once in a row, and the
    /// nanoseconds at which it leaves each.
    pub through: Vec<(String, f64)>,
}

/// What timing finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Nothing where no path ends.
    pub longest: Option<Path>,
    /// Cells in combinational loops, which are on no path.
    pub in_loops: usize,
    /// Buffers in trees between modules.
    pub buffers: u64,
}

/// Rising and falling.
const EDGES: [usize; 2] = [0, 1];

#[derive(Clone, Copy)]
struct Net {
    arrival: [f32; 2],
    slew: [f32; 2],
    /// The net and edge before, as `net * 2 + edge`; [`NONE`] at a start.
    before: [u32; 2],
    driver: u32,
}

struct Timer<'a> {
    flat: &'a Flat,
    library: &'a Library,
    buffer: &'a Buffer,
    nets: Vec<Net>,
    trees: Vec<Tree>,
    /// The tree of each net, if it has one.
    tree_of: Vec<u32>,
    loads: Vec<f32>,
}

/// Finds the longest path.
pub fn longest(flat: &Flat, library: &Library, buffer: &Buffer) -> Timing {
    let mut timer = Timer::new(flat, library, buffer);
    timer.grow_trees();
    let in_loops = timer.propagate();
    let ends = timer.ends();
    let worst = ends.into_iter().max_by(|left, right| left.0.total_cmp(&right.0));
    Timing {
        longest: worst.map(|end| timer.path(end)),
        in_loops,
        buffers: timer.trees.iter().map(|tree| tree.buffers).sum(),
    }
}

impl<'a> Timer<'a> {
    fn new(flat: &'a Flat, library: &'a Library, buffer: &'a Buffer) -> Self {
        let unknown = Net {
            arrival: [f32::NEG_INFINITY; 2],
            slew: [0.0; 2],
            before: [NONE; 2],
            driver: NONE,
        };
        let mut nets = vec![unknown; flat.nets];
        let mut loads = vec![0.0; flat.nets];
        for cell in 0..flat.kinds.len() {
            let pins = &library.cells[flat.kinds[cell] as usize].pins;
            for (pin, &net) in pins.iter().zip(flat.pins_of(cell)).filter(|(_, &net)| net != NONE) {
                match pin.is_output {
                    true => nets[net as usize].driver = cell as u32,
                    false => loads[net as usize] += pin.capacitance as f32,
                }
            }
        }
        for &net in flat.inputs.iter().filter(|&&net| net != NONE) {
            nets[net as usize].arrival = [0.0; 2];
        }
        let tree_of = vec![NONE; flat.nets];
        Self { flat, library, buffer, nets, trees: Vec::new(), tree_of, loads }
    }

    fn cell(&self, cell: usize) -> &'a Cell {
        &self.library.cells[self.flat.kinds[cell] as usize]
    }

    /// Nets at the clock of a flip-flop: ideal, without trees.
    fn clocks(&self) -> Vec<bool> {
        let mut clocks = vec![false; self.flat.nets];
        for cell in 0..self.flat.kinds.len() {
            for arc in self.cell(cell).arcs.iter().filter(|arc| arc.is_clocked) {
                let net = self.flat.pins_of(cell)[arc.from];
                if net != NONE {
                    clocks[net as usize] = true;
                }
            }
        }
        clocks
    }

    /// A tree for every net that drives more than a buffer would, where that is faster or the cell
    /// may not drive so much.
    fn grow_trees(&mut self) {
        let clocks = self.clocks();
        for (net, is_clock) in clocks.into_iter().enumerate() {
            let load = f64::from(self.loads[net]);
            let tree = self.buffer.tree(load);
            if tree.levels == 0 || is_clock || !self.wants(net, load, tree) {
                continue;
            }
            self.tree_of[net] = self.trees.len() as u32;
            self.trees.push(tree);
            self.loads[net] = tree.root as f32;
        }
    }

    fn wants(&self, net: usize, load: f64, tree: Tree) -> bool {
        let driver = self.nets[net].driver;
        // An input may drive as much as a buffer.
        if driver == NONE {
            return true;
        }
        let cell = self.cell(driver as usize);
        let pins = self.flat.pins_of(driver as usize);
        let to_net = |to: usize| pins[to] as usize == net;
        let Some(arc) = cell.arcs.iter().find(|arc| to_net(arc.to)) else { return false };
        if cell.pins[arc.to].max_capacitance.is_some_and(|most| load > most) {
            return true;
        }
        let edges = [&arc.rise, &arc.fall];
        let worst = |load: f64| {
            let delays = edges
                .iter()
                .filter_map(|edge| edge.as_ref())
                .map(|edge| edge.delay.at(At { slew: self.buffer.slew[0], load }));
            delays.fold(0.0, f64::max)
        };
        let of_tree = f64::from(tree.levels) * self.buffer.delay[0].max(self.buffer.delay[1]);
        worst(tree.root) + of_tree < worst(load)
    }

    /// Arrivals at all nets, each cell after those before it; the number of cells that wait for
    /// ever.
    fn propagate(&mut self) -> usize {
        let count = self.flat.kinds.len();
        let mut waiting = vec![0u32; count];
        let mut starts = vec![0u32; self.flat.nets + 1];
        // Inputs of gates whose nets have a driver.
        let inputs = |timer: &Self, cell: usize, see: &mut dyn FnMut(usize)| {
            let kind = timer.cell(cell);
            if kind.is_flip_flop {
                return;
            }
            for (pin, &net) in kind.pins.iter().zip(timer.flat.pins_of(cell)) {
                if !pin.is_output && net != NONE && timer.nets[net as usize].driver != NONE {
                    see(net as usize);
                }
            }
        };
        for (cell, waiting) in waiting.iter_mut().enumerate() {
            inputs(self, cell, &mut |net| {
                *waiting += 1;
                starts[net + 1] += 1;
            });
        }
        for net in 0..self.flat.nets {
            starts[net + 1] += starts[net];
        }
        let mut readers = vec![0u32; starts[self.flat.nets] as usize];
        let mut filled = starts.clone();
        for cell in 0..count {
            inputs(self, cell, &mut |net| {
                readers[filled[net] as usize] = cell as u32;
                filled[net] += 1;
            });
        }
        for net in 0..self.flat.nets {
            if self.nets[net].driver == NONE {
                self.through_tree(net);
            }
        }
        let mut ready: Vec<u32> =
            (0..count).filter(|&cell| waiting[cell] == 0).map(|cell| cell as u32).collect();
        let mut done = 0;
        while let Some(cell) = ready.pop() {
            done += 1;
            self.evaluate(cell as usize);
            let kind = self.cell(cell as usize);
            let flat = self.flat;
            for (pin, &net) in kind.pins.iter().zip(flat.pins_of(cell as usize)) {
                if !pin.is_output || net == NONE {
                    continue;
                }
                self.through_tree(net as usize);
                let net = net as usize;
                for &reader in &readers[starts[net] as usize..starts[net + 1] as usize] {
                    waiting[reader as usize] -= 1;
                    if waiting[reader as usize] == 0 {
                        ready.push(reader);
                    }
                }
            }
        }
        count - done
    }

    fn evaluate(&mut self, cell: usize) {
        let kind = self.cell(cell);
        let flat = self.flat;
        let pins = flat.pins_of(cell);
        for arc in kind.arcs.iter().filter(|arc| arc.is_clocked == kind.is_flip_flop) {
            let (from, to) = (pins[arc.from], pins[arc.to]);
            if to == NONE || from == NONE && !arc.is_clocked {
                continue;
            }
            let load = f64::from(self.loads[to as usize]);
            for (edge, tables) in [&arc.rise, &arc.fall].into_iter().enumerate() {
                let Some(tables) = tables else { continue };
                if arc.is_clocked {
                    self.arrive(to, edge, (0.0, 0.0, NONE), tables, load);
                    continue;
                }
                for before in EDGES {
                    let fits = match arc.sense {
                        Sense::Positive => before == edge,
                        Sense::Negative => before != edge,
                        Sense::Both => true,
                    };
                    let net = self.nets[from as usize];
                    if fits && net.arrival[before].is_finite() {
                        let (arrival, slew) = (net.arrival[before], net.slew[before]);
                        let start = (f64::from(arrival), f64::from(slew), from * 2 + before as u32);
                        self.arrive(to, edge, start, tables, load);
                    }
                }
            }
        }
    }

    /// A change that starts at this time with this slew reaches the net `to`.
    fn arrive(
        &mut self,
        to: u32,
        edge: usize,
        (arrival, slew, before): (f64, f64, u32),
        tables: &Edge,
        load: f64,
    ) {
        let at = At { slew, load };
        let net = &mut self.nets[to as usize];
        let arrival = (arrival + tables.delay.at(at)) as f32;
        if arrival > net.arrival[edge] {
            net.arrival[edge] = arrival;
            net.before[edge] = before;
        }
        net.slew[edge] = net.slew[edge].max(tables.slew.at(at).max(0.0) as f32);
    }

    /// What sinks of a net with a tree see.
    fn through_tree(&mut self, net: usize) {
        if self.tree_of[net] == NONE {
            return;
        }
        let levels = self.trees[self.tree_of[net] as usize].levels;
        for edge in EDGES {
            self.nets[net].arrival[edge] += (f64::from(levels) * self.buffer.delay[edge]) as f32;
            self.nets[net].slew[edge] = self.buffer.slew[edge] as f32;
        }
    }

    /// When each path ends, with the last net and edge, and the cell there.
    fn ends(&self) -> Vec<(f32, u32, Option<u32>)> {
        let mut ends = Vec::new();
        let mut end = |net: u32, setup: [f64; 2], cell: Option<u32>| {
            for edge in EDGES {
                let arrival = self.nets[net as usize].arrival[edge];
                if arrival.is_finite() {
                    ends.push((arrival + setup[edge] as f32, net * 2 + edge as u32, cell));
                }
            }
        };
        for &net in self.flat.outputs.iter().filter(|&&net| net != NONE) {
            end(net, [0.0; 2], None);
        }
        for cell in 0..self.flat.kinds.len() {
            for setup in &self.cell(cell).setups {
                let net = self.flat.pins_of(cell)[setup.pin];
                if net == NONE {
                    continue;
                }
                let slew = self.nets[net as usize].slew;
                let time = EDGES.map(|edge| {
                    let at = At { slew: f64::from(slew[edge]), load: 0.0 };
                    setup.rise_and_fall[edge].as_ref().map_or(0.0, |table| table.at(at))
                });
                end(net, time, Some(cell as u32));
            }
        }
        ends
    }

    fn path(&self, (time, last, cell): (f32, u32, Option<u32>)) -> Path {
        let mut path =
            Path { nanoseconds: f64::from(time), cells: 0, buffers: 0, through: Vec::new() };
        let place_of = |cell: u32| self.flat.place_of[cell as usize];
        let mut through: Vec<(u32, f32)> =
            cell.map(|cell| (place_of(cell), time)).into_iter().collect();
        let mut at = last;
        while at != NONE {
            let (net, edge) = ((at / 2) as usize, (at % 2) as usize);
            if self.tree_of[net] != NONE {
                path.buffers += self.trees[self.tree_of[net] as usize].levels as usize;
            }
            let Net { driver, arrival, before, .. } = self.nets[net];
            if driver != NONE {
                path.cells += 1;
                through.push((place_of(driver), arrival[edge]));
            }
            at = before[edge];
        }
        // Backwards the first of several in one place is the last that the path passes.
        through.dedup_by_key(|(place, _)| *place);
        let name = |(place, time): &(u32, f32)| {
            (self.flat.places[*place as usize].clone(), f64::from(*time))
        };
        path.through = through.iter().rev().map(name).collect();
        path
    }
}

#[cfg(test)]
mod tests;
