//! `amr`: a grid is refined where it burns. Flat a thread refines all of its cell; under CDP and
//! DTBL its kernel launches itself for hot cells, level by level.

mod field;
mod options;
mod tree;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::{place, Array};
use crate::compare;
use crate::launch::{launch, machine, plane, ptx, Computation};
use crate::options::MAX_COUNT;
use field::Field;
pub use options::AmrOptions;
use tree::Left;

/// Words that say where a block lies.
const BLOCK_WORDS: u32 = 4;

/// The host program.
pub struct Amr {
    machine: Rc<Machine>,
    field: Field,
    /// Addresses of the initial energies and of the bands.
    inputs: [u64; 2],
    energies: Array,
    children: Array,
    blocks: Array,
    count: Array,
}

impl Amr {
    /// Before its launch, with hot spots drawn from `seed`.
    ///
    /// # Errors
    /// When the refined grid is larger than an array may be, or there is no memory for it.
    pub fn new(options: &AmrOptions, seed: u64, mode: LaunchMode) -> Result<Self, InputError> {
        let (file, text) = ptx!("amr", mode);
        let machine = machine(file, text);
        let field = Field::drawn(options, seed);
        let grid = options.width * options.height;
        let most = MAX_COUNT.saturating_sub(grid) / options.cells();
        let blocks = field.blocks(u64::from(most));
        if blocks > u64::from(most) {
            let message = format!("the refined grid has more than {MAX_COUNT} cells");
            return Err(InputError::new(message).help("lower amr.levels, amr.spots or amr.band"));
        }
        let (blocks, words) = (blocks as u32, |floats: &[f32]| {
            floats.iter().map(|f| f.to_bits()).collect::<Vec<_>>()
        });
        let cells = grid + blocks * options.cells();
        Ok(Self {
            inputs: [
                place(&machine, &words(&field.initial))?,
                place(&machine, &words(&field.bands))?,
            ],
            energies: Array::zeros(&machine, cells)?,
            children: Array::zeros(&machine, cells)?,
            blocks: Array::zeros(&machine, BLOCK_WORDS * blocks)?,
            count: Array::zeros(&machine, 1)?,
            field,
            machine,
        })
    }
}

impl HostProgram for Amr {
    fn start(&mut self) -> Vec<HostLaunch> {
        let AmrOptions { width, height, refine, levels, .. } = self.field.options;
        let (whole, grid) = (self.field.options.whole(), 0);
        let arrays = [&self.energies, &self.children, &self.blocks, &self.count];
        let addresses = self.inputs.into_iter().chain(arrays.map(Array::address));
        let arguments = addresses
            .fold(Arguments::new(), Arguments::long)
            .word(width)
            .word(height)
            .word(refine)
            .word(levels)
            .word(whole)
            .word(self.field.threshold().to_bits())
            .word(self.field.scale().to_bits())
            .word(grid);
        let blocks = plane(width.div_ceil(refine), height.div_ceil(refine));
        launch(&self.machine, "amr", (blocks, plane(refine, refine)), arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let blocks = self.blocks.given().len() as u32 / BLOCK_WORDS;
        compare::words(&self.count, &[blocks], |_| "amr: the number of blocks".to_owned())?;
        let left = Left { energies: self.energies.left()?, children: self.children.left()? };
        left.check(&self.field)
    }
}

impl Computation for Amr {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    /// The blocks are not among them: which number each has depends on the order of execution.
    fn results(&self) -> Vec<Range<u64>> {
        let grid = self.energies.range().start;
        vec![grid..grid + 4 * self.field.initial.len() as u64, self.count.range()]
    }
}
