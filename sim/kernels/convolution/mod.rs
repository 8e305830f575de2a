//! `convolution`: a picture through a separable filter; a launch for the rows, one for the columns.

mod filter;
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
use filter::{columns, rows, Filter};
pub use options::ConvolutionOptions;

/// Points of a thread.
const STEPS: u32 = 8;

/// Threads of a block for rows, and for columns.
const ROWS_BLOCK: (u32, u32) = (16, 4);
const COLUMNS_BLOCK: (u32, u32) = (16, 8);

/// The host program.
pub struct Convolution {
    machine: Rc<Machine>,
    options: ConvolutionOptions,
    filter: Filter,
    picture: Array,
    /// After its rows, and after its columns, too.
    filtered: [Array; 2],
    both: bool,
}

impl Convolution {
    /// Before its first launch, with picture and filter drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(
        options: &ConvolutionOptions,
        seed: u64,
        _mode: LaunchMode,
    ) -> Result<Self, InputError> {
        let machine = machine("convolution/convolution.ptx", include_str!("convolution.ptx"));
        let mut draw = Draw::new(seed);
        let filter = std::array::from_fn(|_| draw.between(0.0, 1.0));
        let points = options.width * options.height;
        let picture = Array::new(&machine, draw.floats(points))?;
        let filtered = [Array::zeros(&machine, points)?, Array::zeros(&machine, points)?];
        Ok(Self { machine, options: *options, filter, picture, filtered, both: false })
    }
}

impl HostProgram for Convolution {
    fn start(&mut self) -> Vec<HostLaunch> {
        let bytes: Vec<u8> = self.filter.iter().flat_map(|value| value.to_le_bytes()).collect();
        assert!(self.machine.set_constant("convolution_filter", &bytes), "the module has room");
        let ConvolutionOptions { width, height } = self.options;
        let arguments = Arguments::new()
            .long(self.picture.address())
            .long(self.filtered[0].address())
            .word(width)
            .word(height);
        let (x, y) = ROWS_BLOCK;
        let grid = plane(width.div_ceil(STEPS * x), height.div_ceil(y));
        launch(&self.machine, "convolution_rows", (grid, plane(x, y)), arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        if std::mem::replace(&mut self.both, true) {
            return Vec::new();
        }
        let ConvolutionOptions { width, height } = self.options;
        let [rows, both] = &self.filtered;
        let arguments =
            Arguments::new().long(rows.address()).long(both.address()).word(width).word(height);
        let (x, y) = COLUMNS_BLOCK;
        let grid = plane(width.div_ceil(x), height.div_ceil(STEPS * y));
        launch(&self.machine, "convolution_columns", (grid, plane(x, y)), arguments, cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let width = self.options.width as usize;
        let picture: Vec<f32> = self.picture.given_floats().collect();
        let after_rows = rows(&picture, width, &self.filter);
        let after_both = columns(&after_rows, width, &self.filter);
        let name = |what: &'static str| {
            move |at| format!("convolution: point ({}, {}) {what}", at % width, at / width)
        };
        compare::floats(&self.filtered[0], &after_rows, name("after rows"))?;
        compare::floats(&self.filtered[1], &after_both, name("after rows and columns"))
    }
}

impl Computation for Convolution {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        self.filtered.iter().map(Array::range).collect()
    }
}
