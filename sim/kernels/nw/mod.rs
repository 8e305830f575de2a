//! `nw`: the best alignment of two sequences, a launch for each anti-diagonal of tiles.

mod alignment;
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
use alignment::{scores, PENALTY};
pub use options::NwOptions;

/// Letters along a side of a tile, threads of a block.
const TILE: u32 = 8;

/// Different letters, as many as there are amino acids.
const LETTERS: u32 = 20;

/// The host program.
pub struct Nw {
    machine: Rc<Machine>,
    tiles: u32,
    /// Of each letter of one sequence to each of the other one.
    similarities: Array,
    scores: Array,
    /// Anti-diagonals so far.
    launched: u32,
}

impl Nw {
    /// Before its first launch, with sequences, and how much like each other letters are, drawn
    /// from `seed`.
    ///
    /// # Errors
    /// When there is no memory for the table.
    pub fn new(options: &NwOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("nw/nw.ptx", include_str!("nw.ptx"));
        let length = TILE * options.tiles;
        let mut draw = Draw::new(seed);
        // As in substitution matrices: letters are most like themselves.
        let mut alike: Vec<i32> =
            (0..LETTERS * LETTERS).map(|_| draw.below(6) as i32 - 4).collect();
        (0..LETTERS).for_each(|letter| alike[(letter * (LETTERS + 1)) as usize] = 6);
        let mut sequence = || -> Vec<u32> { (0..length).map(|_| draw.below(LETTERS)).collect() };
        let (rows, columns) = (sequence(), sequence());
        let similarities = rows.iter().flat_map(|row| {
            let alike = &alike;
            columns.iter().map(move |column| alike[(row * LETTERS + column) as usize] as u32)
        });
        let similarities = Array::new(&machine, similarities.collect())?;
        let rim = |at: u32| -> u32 {
            let (row, column) = (at / (length + 1), at % (length + 1));
            let gaps = if row == 0 { column } else { row };
            let on_rim = row == 0 || column == 0;
            if on_rim {
                (-PENALTY * gaps as i32) as u32
            } else {
                0
            }
        };
        let table = (0..(length + 1) * (length + 1)).map(rim).collect();
        let scores = Array::new(&machine, table)?;
        Ok(Self { machine, tiles: options.tiles, similarities, scores, launched: 0 })
    }

    /// The next anti-diagonal, from cycle `arrive` on, if there is one left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let diagonal = self.launched;
        if diagonal + 1 >= 2 * self.tiles {
            return Vec::new();
        }
        let first = (diagonal + 1).saturating_sub(self.tiles);
        let arguments = Arguments::new()
            .long(self.similarities.address())
            .long(self.scores.address())
            .word(TILE * self.tiles)
            .word(diagonal)
            .word(first)
            .word(PENALTY as u32);
        self.launched += 1;
        let blocks = diagonal + 1 - 2 * first;
        launch(&self.machine, "nw", (line(blocks), line(TILE)), arguments, arrive)
    }
}

impl HostProgram for Nw {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let length = (TILE * self.tiles) as usize;
        let similar: Vec<i32> = self.similarities.given().iter().map(|&word| word as i32).collect();
        let expected = scores(&similar, length);
        let expected: Vec<u32> = expected.into_iter().map(|score| score as u32).collect();
        compare::shown(
            &self.scores,
            &expected,
            |at| {
                let (row, column) = (at / (length + 1), at % (length + 1));
                format!("nw: the score of {row} and {column} letters")
            },
            |word| (word as i32).to_string(),
        )
    }
}

impl Computation for Nw {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.scores.range()]
    }
}
