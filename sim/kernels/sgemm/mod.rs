//! `sgemm`: a product of two matrices whose columns lie together, once.

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
use crate::launch::{launch, machine, plane, Computation};
pub use options::SgemmOptions;

/// Threads of a block; as many rows of the product, and as many columns as it is wide.
const BLOCK: (u32, u32) = (16, 8);

/// The host program.
pub struct Sgemm {
    machine: Rc<Machine>,
    options: SgemmOptions,
    /// By columns.
    left: Array,
    /// By rows.
    right: Array,
    product: Array,
}

impl Sgemm {
    /// Before its launch, with factors drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &SgemmOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("sgemm/sgemm.ptx", include_str!("sgemm.ptx"));
        let SgemmOptions { rows, columns, inner } = *options;
        let mut draw = Draw::new(seed);
        let left = Array::new(&machine, draw.floats(rows * inner))?;
        let right = Array::new(&machine, draw.floats(inner * columns))?;
        let product = Array::zeros(&machine, rows * columns)?;
        Ok(Self { machine, options: *options, left, right, product })
    }
}

impl HostProgram for Sgemm {
    fn start(&mut self) -> Vec<HostLaunch> {
        let SgemmOptions { rows, columns, inner } = self.options;
        let arguments = Arguments::new()
            .long(self.left.address())
            .long(self.right.address())
            .long(self.product.address())
            .word(rows)
            .word(columns)
            .word(inner);
        let (x, y) = BLOCK;
        let grid = plane(rows.div_ceil(x * y), columns.div_ceil(x));
        launch(&self.machine, "sgemm", (grid, plane(x, y)), arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let SgemmOptions { rows, columns, inner } = self.options;
        let [rows, columns, inner] = [rows, columns, inner].map(|extent| extent as usize);
        let left: Vec<f32> = self.left.given_floats().collect();
        let right: Vec<f32> = self.right.given_floats().collect();
        let mut product = vec![0.0_f32; rows * columns];
        for (column, of) in product.chunks_mut(rows.max(1)).enumerate() {
            for k in 0..inner {
                let weight = right[k * columns + column];
                let factors = &left[k * rows..][..rows];
                of.iter_mut().zip(factors).for_each(|(sum, a)| *sum = a.mul_add(weight, *sum));
            }
        }
        compare::floats(&self.product, &product, |at| {
            format!("sgemm: row {}, column {} of the product", at % rows, at / rows)
        })
    }
}

impl Computation for Sgemm {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.product.range()]
    }
}
