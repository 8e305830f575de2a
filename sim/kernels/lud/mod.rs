//! `lud`: a matrix as the product of a lower and an upper one, three launches for each tile of the
//! diagonal, one for the last.

mod factors;
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
use factors::{factors, TILE};
pub use options::LudOptions;

/// Those of a tile of the diagonal, in order.
const KERNELS: [&str; 3] = ["lud_diagonal", "lud_perimeter", "lud_internal"];

/// The host program.
pub struct Lud {
    machine: Rc<Machine>,
    tiles: u32,
    matrix: Array,
    /// Three for each tile of the diagonal.
    launched: u32,
}

impl Lud {
    /// Before its first launch, with a matrix drawn from `seed`, whose diagonal outweighs its rows:
    /// it needs no pivots.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(options: &LudOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("lud/lud.ptx", include_str!("lud.ptx"));
        let size = options.tiles * TILE as u32;
        let mut draw = Draw::new(seed);
        let words = (0..size * size).map(|at| {
            let own = draw.between(-1.0, 1.0);
            let number = if at / size == at % size { size as f32 + own } else { own };
            number.to_bits()
        });
        let matrix = Array::new(&machine, words.collect())?;
        Ok(Self { machine, tiles: options.tiles, matrix, launched: 0 })
    }

    fn size(&self) -> u32 {
        self.tiles * TILE as u32
    }

    /// The next launch, from cycle `arrive` on, if there is one left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let (tile, kernel) = (self.launched / 3, self.launched as usize % 3);
        // Of the last tile only the diagonal is there.
        if tile + u32::from(kernel > 0) >= self.tiles {
            return Vec::new();
        }
        let arguments = Arguments::new().long(self.matrix.address()).word(self.size()).word(tile);
        let (left, side) = (self.tiles - tile - 1, TILE as u32);
        let extents = match kernel {
            0 => (line(1), line(side)),
            1 => (line(left), line(2 * side)),
            _ => (plane(left, left), plane(side, side)),
        };
        self.launched += 1;
        launch(&self.machine, KERNELS[kernel], extents, arguments, arrive)
    }
}

impl HostProgram for Lud {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let size = self.size() as usize;
        let given: Vec<f32> = self.matrix.given_floats().collect();
        compare::floats(&self.matrix, factors(&given, size), |at| {
            format!("lud: the number in row {} and column {}", at / size, at % size)
        })
    }
}

impl Computation for Lud {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.matrix.range()]
    }
}
