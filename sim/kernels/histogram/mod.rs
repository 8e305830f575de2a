//! `histogram`: how often each byte occurs, one launch.

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
pub use options::HistogramOptions;

/// Values of a byte.
const BINS: u32 = 256;

/// The host program.
pub struct Histogram {
    machine: Rc<Machine>,
    options: HistogramOptions,
    /// Four bytes a word; the last word may have some that do not count.
    bytes: Array,
    bins: Array,
}

impl Histogram {
    /// Before its launch, with bytes drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(
        options: &HistogramOptions,
        seed: u64,
        _mode: LaunchMode,
    ) -> Result<Self, InputError> {
        let machine = machine("histogram/histogram.ptx", include_str!("histogram.ptx"));
        let bytes = Draw::new(seed).words(options.count.div_ceil(4));
        Ok(Self {
            bytes: Array::new(&machine, bytes)?,
            bins: Array::zeros(&machine, BINS)?,
            options: *options,
            machine,
        })
    }
}

impl HostProgram for Histogram {
    fn start(&mut self) -> Vec<HostLaunch> {
        let HistogramOptions { count, blocks, block } = self.options;
        let (bytes, bins) = (self.bytes.address(), self.bins.address());
        let arguments = Arguments::new().long(bytes).long(bins).word(count);
        launch(&self.machine, "histogram", (line(blocks), line(block)), arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let mut expected = [0; BINS as usize];
        for byte in self.bytes.given_bytes().take(self.options.count as usize) {
            expected[usize::from(byte)] += 1;
        }
        compare::words(&self.bins, &expected, |byte| format!("histogram: the count of byte {byte}"))
    }
}

impl Computation for Histogram {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.bins.range()]
    }
}
