//! The host of kernels that add two arrays of floats in one launch: `vecadd` and `steal`.

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

/// What a kernel that adds two arrays is told, and what it is.
pub trait SumOptions: Copy {
    /// Its name: of its entry, and in messages.
    const KERNEL: &'static str;
    /// Its PTX.
    const PTX: &'static str;

    /// Elements of an array.
    fn count(&self) -> u32;

    /// Threads of a block.
    fn block(&self) -> u32;
}

/// The host program.
pub struct Sum<O> {
    machine: Rc<Machine>,
    options: O,
    a: Array,
    b: Array,
    c: Array,
}

impl<O: SumOptions> Sum<O> {
    /// Before its launch, with arrays drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &O, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine(&format!("{0}/{0}.ptx", O::KERNEL), O::PTX);
        let mut draw = Draw::new(seed);
        Ok(Self {
            a: Array::new(&machine, draw.floats(options.count()))?,
            b: Array::new(&machine, draw.floats(options.count()))?,
            c: Array::zeros(&machine, options.count())?,
            options: *options,
            machine,
        })
    }
}

impl<O: SumOptions> HostProgram for Sum<O> {
    fn start(&mut self) -> Vec<HostLaunch> {
        let (count, block) = (self.options.count(), self.options.block());
        let arguments = Arguments::new()
            .long(self.a.address())
            .long(self.b.address())
            .long(self.c.address())
            .word(count);
        let extents = (line(count.div_ceil(block)), line(block));
        launch(&self.machine, O::KERNEL, extents, arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let pairs = self.a.given_floats().zip(self.b.given_floats());
        compare::floats(&self.c, pairs.map(|(a, b)| a + b), |at| format!("{}: c[{at}]", O::KERNEL))
    }
}

impl<O: SumOptions> Computation for Sum<O> {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.c.range()]
    }
}
