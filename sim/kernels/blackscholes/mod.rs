//! `blackscholes`: what options are worth, by the formula of Black and Scholes.

mod formula;
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
use formula::{worth, RATE, VOLATILITY};
pub use options::BlackscholesOptions;

/// What prices, strikes and years lie between.
const RANGES: [(f32, f32); 3] = [(5.0, 30.0), (1.0, 100.0), (0.25, 10.0)];

/// The host program.
pub struct Blackscholes {
    machine: Rc<Machine>,
    options: BlackscholesOptions,
    /// Prices, strikes, years.
    inputs: [Array; 3],
    calls: Array,
    puts: Array,
    launched: u32,
}

impl Blackscholes {
    /// Before its first launch, with options drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(
        options: &BlackscholesOptions,
        seed: u64,
        _mode: LaunchMode,
    ) -> Result<Self, InputError> {
        let machine = machine("blackscholes/blackscholes.ptx", include_str!("blackscholes.ptx"));
        let mut draw = Draw::new(seed);
        let mut drawn = |(least, end): (f32, f32)| {
            let values = (0..options.count).map(|_| draw.between(least, end).to_bits());
            Array::new(&machine, values.collect())
        };
        let [prices, strikes, years] = RANGES;
        let inputs = [drawn(prices)?, drawn(strikes)?, drawn(years)?];
        let calls = Array::zeros(&machine, options.count)?;
        let puts = Array::zeros(&machine, options.count)?;
        Ok(Self { machine, options: *options, inputs, calls, puts, launched: 0 })
    }

    /// The next launch, from cycle `arrive` on, if there is one left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let BlackscholesOptions { count, blocks, block, launches } = self.options;
        if self.launched == launches || count == 0 {
            return Vec::new();
        }
        self.launched += 1;
        let arrays = self.inputs.iter().chain([&self.calls, &self.puts]);
        let arguments = arrays.fold(Arguments::new(), |all, array| all.long(array.address()));
        let arguments = arguments.word(count).single(RATE).single(VOLATILITY);
        launch(&self.machine, "blackscholes", (line(blocks), line(block)), arguments, arrive)
    }
}

impl HostProgram for Blackscholes {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        if self.launched == 0 {
            return Ok(());
        }
        let [prices, strikes, years] = &self.inputs;
        let both = prices.given_floats().zip(strikes.given_floats()).zip(years.given_floats());
        let (calls, puts): (Vec<_>, Vec<_>) =
            both.map(|((price, strike), years)| worth(price, strike, years)).unzip();
        let name = |what: &'static str| move |at| format!("blackscholes: {what} {at}");
        compare::floats(&self.calls, &calls, name("call"))?;
        compare::floats(&self.puts, &puts, name("put"))
    }
}

impl Computation for Blackscholes {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.calls.range(), self.puts.range()]
    }
}
