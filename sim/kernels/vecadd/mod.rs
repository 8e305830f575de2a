//! `vecadd`: the sum of two arrays of floats, one launch.

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
pub use options::VecaddOptions;

/// The host program.
pub struct Vecadd {
    machine: Rc<Machine>,
    options: VecaddOptions,
    a: Array,
    b: Array,
    c: Array,
}

impl Vecadd {
    /// Before its launch, with arrays drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &VecaddOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("vecadd/vecadd.ptx", include_str!("vecadd.ptx"));
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

impl HostProgram for Vecadd {
    fn start(&mut self) -> Vec<HostLaunch> {
        let VecaddOptions { count, block } = self.options;
        let arguments = Arguments::new()
            .long(self.a.address())
            .long(self.b.address())
            .long(self.c.address())
            .word(count);
        let extents = (line(count.div_ceil(block)), line(block));
        launch(&self.machine, "vecadd", extents, arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let pairs = self.a.given_floats().zip(self.b.given_floats());
        compare::floats(&self.c, pairs.map(|(a, b)| a + b), |at| format!("vecadd: c[{at}]"))
    }
}

impl Computation for Vecadd {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.c.range()]
    }
}
