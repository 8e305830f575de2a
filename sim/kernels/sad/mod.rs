//! `sad`: how blocks of a picture differ from what is around their places in another one, once.

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
use crate::launch::{launch, line, machine, plane, Computation};
pub use options::SadOptions;

/// Points along a side of a block.
const SIDE: usize = 4;

/// How far a place of the search window is from the block's, along x or y, at most.
const RANGE: usize = 16;

/// Places along a side of the window, and all of them.
const WINDOW: usize = 2 * RANGE + 1;
const PLACES: usize = WINDOW * WINDOW;

/// Threads of a block, of 18 places each.
const THREADS: u32 = PLACES.div_ceil(18) as u32;

/// The host program.
pub struct Sad {
    machine: Rc<Machine>,
    options: SadOptions,
    picture: Array,
    other: Array,
    sums: Array,
}

impl Sad {
    /// Before its launch, with two pictures drawn from `seed`: the second is the first, moved, with
    /// some noise.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &SadOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("sad/sad.ptx", include_str!("sad.ptx"));
        let SadOptions { columns, rows } = *options;
        let mut draw = Draw::new(seed);
        // A word has the four points of a block's row.
        let picture = draw.words(columns * rows * SIDE as u32);
        let mut other = picture.clone();
        let moved = draw.below(8) as usize;
        other.rotate_right(moved.min(picture.len()));
        other.iter_mut().for_each(|word| *word ^= draw.word() & 0x0303_0303);
        let sums = Array::zeros(&machine, columns * rows * PLACES as u32)?;
        let (picture, other) = (Array::new(&machine, picture)?, Array::new(&machine, other)?);
        Ok(Self { machine, options: *options, picture, other, sums })
    }

    /// Points along a row, and rows.
    fn extents(&self) -> (usize, usize) {
        (SIDE * self.options.columns as usize, SIDE * self.options.rows as usize)
    }
}

/// What the points of `block`, by rows, differ from those of a picture with that corner.
fn difference(block: [u8; SIDE * SIDE], other: &[u8], width: usize, (x, y): (isize, isize)) -> u32 {
    let height = other.len() / width;
    let clamped = |at: isize, extent: usize| at.clamp(0, extent as isize - 1) as usize;
    let of_point = |(at, point): (usize, u8)| {
        let column = clamped(x + (at % SIDE) as isize, width);
        let row = clamped(y + (at / SIDE) as isize, height);
        u32::from(point.abs_diff(other[row * width + column]))
    };
    block.into_iter().enumerate().map(of_point).sum()
}

impl HostProgram for Sad {
    fn start(&mut self) -> Vec<HostLaunch> {
        let (width, height) = self.extents();
        let arguments = Arguments::new()
            .long(self.picture.address())
            .long(self.other.address())
            .long(self.sums.address())
            .word(width as u32)
            .word(height as u32);
        let grid = plane(self.options.columns, self.options.rows);
        launch(&self.machine, "sad", (grid, line(THREADS)), arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let (width, height) = self.extents();
        let [picture, other] =
            [&self.picture, &self.other].map(|array| -> Vec<u8> { array.given_bytes().collect() });
        let mut expected = Vec::with_capacity(width * height / (SIDE * SIDE) * PLACES);
        for top in (0..height).step_by(SIDE) {
            for left in (0..width).step_by(SIDE) {
                let block =
                    std::array::from_fn(|at| picture[(top + at / SIDE) * width + left + at % SIDE]);
                expected.extend((0..PLACES).map(|place| {
                    let away = |start: usize, by: usize| (start + by) as isize - RANGE as isize;
                    let corner = (away(left, place % WINDOW), away(top, place / WINDOW));
                    difference(block, &other, width, corner)
                }));
            }
        }
        let columns = self.options.columns as usize;
        compare::words(&self.sums, &expected, |at| {
            let (block, place) = (at / PLACES, at % PLACES);
            format!("sad: place {place} of block ({}, {})", block % columns, block / columns)
        })
    }
}

impl Computation for Sad {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.sums.range()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_differs_from_its_own_place_in_nothing_and_the_rim_goes_on() {
        let width = 8;
        let other: Vec<u8> = (0..64).collect();
        let block = std::array::from_fn(|at| other[(at / SIDE + 2) * width + at % SIDE + 3]);
        assert_eq!(difference(block, &other, width, (3, 2)), 0);
        // One to the right all points are larger by one.
        assert_eq!(difference(block, &other, width, (4, 2)), 16);
        // Far to the upper left there is only the first point, 0.
        let sum: u32 = block.iter().map(|&point| u32::from(point)).sum();
        assert_eq!(difference(block, &other, width, (-9, -9)), sum);
        assert_eq!(THREADS, 61, "SRTF's Table 2");
    }
}
