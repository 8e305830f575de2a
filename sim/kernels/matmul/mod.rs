//! `matmul`: the product of two matrices of floats, one launch.

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
pub use options::MatmulOptions;

/// Side of a block in threads, and of a tile.
const TILE: u32 = 16;

/// The host program.
pub struct Matmul {
    machine: Rc<Machine>,
    options: MatmulOptions,
    a: Array,
    b: Array,
    c: Array,
}

impl Matmul {
    /// Before its launch, with factors drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &MatmulOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("matmul/matmul.ptx", include_str!("matmul.ptx"));
        let MatmulOptions { rows, columns, inner } = *options;
        let mut draw = Draw::new(seed);
        Ok(Self {
            a: Array::new(&machine, draw.floats(rows * inner))?,
            b: Array::new(&machine, draw.floats(inner * columns))?,
            c: Array::zeros(&machine, rows * columns)?,
            options: *options,
            machine,
        })
    }

    /// The product, each sum in ascending order by fused multiply-adds as in the kernel.
    fn product(&self) -> Vec<f32> {
        let MatmulOptions { rows, columns, inner } = self.options;
        let (rows, columns, inner) = (rows as usize, columns as usize, inner as usize);
        let [a, b] = [&self.a, &self.b].map(|array| array.given_floats().collect::<Vec<_>>());
        let mut product = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let terms = (0..inner).map(|k| (a[row * inner + k], b[k * columns + column]));
                product.push(terms.fold(0.0_f32, |sum, (a, b)| a.mul_add(b, sum)));
            }
        }
        product
    }
}

impl HostProgram for Matmul {
    fn start(&mut self) -> Vec<HostLaunch> {
        let MatmulOptions { rows, columns, inner } = self.options;
        let arguments = Arguments::new()
            .long(self.a.address())
            .long(self.b.address())
            .long(self.c.address())
            .word(rows)
            .word(columns)
            .word(inner);
        let grid = plane(columns.div_ceil(TILE), rows.div_ceil(TILE));
        launch(&self.machine, "matmul", (grid, plane(TILE, TILE)), arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let columns = self.options.columns as usize;
        compare::floats(&self.c, self.product(), |at| {
            format!("matmul: row {}, column {} of the product", at / columns, at % columns)
        })
    }
}

impl Computation for Matmul {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.c.range()]
    }
}
