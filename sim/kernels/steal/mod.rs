//! `steal`: the sum of two arrays of floats by blocks that take others that have not started, one launch.

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
pub use options::StealOptions;

/// The host program.
pub struct Steal {
    machine: Rc<Machine>,
    options: StealOptions,
    a: Array,
    b: Array,
    c: Array,
}

impl Steal {
    /// Before its launch, with arrays drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &StealOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("steal/steal.ptx", include_str!("steal.ptx"));
        let mut draw = Draw::new(seed);
        Ok(Self {
            a: Array::new(&machine, draw.floats(options.count))?,
            b: Array::new(&machine, draw.floats(options.count))?,
            c: Array::zeros(&machine, options.count)?,
            options: *options,
            machine,
        })
    }
}

impl HostProgram for Steal {
    fn start(&mut self) -> Vec<HostLaunch> {
        let StealOptions { count, block } = self.options;
        let arguments = Arguments::new()
            .long(self.a.address())
            .long(self.b.address())
            .long(self.c.address())
            .word(count);
        let extents = (line(count.div_ceil(block)), line(block));
        launch(&self.machine, "steal", extents, arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let pairs = self.a.given_floats().zip(self.b.given_floats());
        compare::floats(&self.c, pairs.map(|(a, b)| a + b), |at| format!("steal: c[{at}]"))
    }
}

impl Computation for Steal {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.c.range()]
    }
}
