//! `montecarlo`: what calls pay on many paths of the price. One launch makes normal numbers, one
//! uses them.

mod options;
mod paths;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::{place, Array};
use crate::compare;
use crate::draw::Draw;
use crate::launch::{launch, line, machine, Computation};
pub use options::MontecarloOptions;
use paths::{paid, sample, Call};

/// Blocks and threads of the launch that makes normal numbers.
const SAMPLING: (u32, u32) = (128, 128);

/// Threads of an option's block.
const BLOCK: u32 = 256;

/// Without risk, a year, and how much the price moves in one.
const RATE: f32 = 0.06;
const VOLATILITY: f32 = 0.1;

/// The host program.
pub struct Montecarlo {
    machine: Rc<Machine>,
    calls: Vec<Call>,
    /// Where the calls are.
    address: u64,
    samples: Array,
    /// Of each call the sum of what it pays, and that of the squares.
    results: Array,
    paying: bool,
}

impl Montecarlo {
    /// Before its first launch, with options drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(
        options: &MontecarloOptions,
        seed: u64,
        _mode: LaunchMode,
    ) -> Result<Self, InputError> {
        let machine = machine("montecarlo/montecarlo.ptx", include_str!("montecarlo.ptx"));
        let mut draw = Draw::new(seed);
        let calls = (0..options.options).map(|_| {
            let price = draw.between(5.0, 50.0);
            let strike = draw.between(10.0, 25.0);
            let years = draw.between(1.0, 5.0);
            let mean = (RATE - 0.5 * VOLATILITY * VOLATILITY) * years;
            [price, strike, mean, VOLATILITY * years.sqrt()]
        });
        let calls: Vec<Call> = calls.collect();
        let words: Vec<u32> = calls.iter().flatten().map(|value| value.to_bits()).collect();
        let address = place(&machine, &words)?;
        let samples = Array::zeros(&machine, options.paths)?;
        let results = Array::zeros(&machine, 2 * options.options)?;
        Ok(Self { machine, calls, address, samples, results, paying: false })
    }

    fn paths(&self) -> u32 {
        self.samples.given().len() as u32
    }
}

impl HostProgram for Montecarlo {
    fn start(&mut self) -> Vec<HostLaunch> {
        if self.calls.is_empty() {
            return Vec::new();
        }
        let arguments = Arguments::new().long(self.samples.address()).word(self.paths());
        let extents = (line(SAMPLING.0), line(SAMPLING.1));
        launch(&self.machine, "montecarlo_samples", extents, arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        if self.paying {
            return Vec::new();
        }
        self.paying = true;
        let arguments = Arguments::new()
            .long(self.address)
            .long(self.samples.address())
            .long(self.results.address())
            .word(self.paths());
        let extents = (line(self.calls.len() as u32), line(BLOCK));
        launch(&self.machine, "montecarlo_calls", extents, arguments, cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        if self.calls.is_empty() {
            return Ok(());
        }
        let samples: Vec<f32> = (0..self.paths()).map(sample).collect();
        let name = |at| format!("montecarlo: normal number {at}");
        compare::floats(&self.samples, &samples, name)?;
        let paid: Vec<f32> = self.calls.iter().flat_map(|&call| paid(call, &samples)).collect();
        compare::floats(&self.results, &paid, |at| {
            let what = ["payments", "squared payments"][at % 2];
            format!("montecarlo: the sum of the {what} of option {}", at / 2)
        })
    }
}

impl Computation for Montecarlo {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.results.range(), self.samples.range()]
    }
}
