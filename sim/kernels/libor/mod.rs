//! `libor`: what swaptions are worth on many paths of the rates; a launch that finds how they
//! depend on the rates, too, then one that does not.

mod market;
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
use market::{Market, MATURITIES, SPAN, SWAP_RATES};
pub use options::LiborOptions;

/// Threads of a block, as in CLASO's Table 2.
const BLOCK: u32 = 64;

/// The host program.
pub struct Libor {
    machine: Rc<Machine>,
    options: LiborOptions,
    market: Market,
    /// Of the first step for all paths, then of the second one.
    normals: Array,
    /// Of both launches.
    values: [Array; 2],
    sensitivities: Array,
    launched: bool,
}

impl Libor {
    /// Before its first launch, with market and normal numbers drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &LiborOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("libor/libor.ptx", include_str!("libor.ptx"));
        let mut draw = Draw::new(seed);
        let rates = options.steps as usize + SPAN;
        let market = Market {
            start: (0..rates).map(|_| draw.between(0.045, 0.055)).collect(),
            volatilities: (0..rates).map(|_| draw.between(0.15, 0.25)).collect(),
        };
        let normals = (0..options.paths * options.steps).map(|_| normal(&mut draw).to_bits());
        let normals = Array::new(&machine, normals.collect())?;
        let array = || Array::zeros(&machine, options.paths);
        let (values, sensitivities) = ([array()?, array()?], array()?);
        let options = *options;
        Ok(Self { machine, options, market, normals, values, sensitivities, launched: false })
    }

    fn set_market(&self) {
        let floats = |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let constants: [(&str, Vec<u8>); 4] = [
            ("libor_start", floats(&self.market.start)),
            ("libor_volatilities", floats(&self.market.volatilities)),
            ("libor_maturities", MATURITIES.into_iter().flat_map(u32::to_le_bytes).collect()),
            ("libor_swap_rates", floats(&SWAP_RATES)),
        ];
        for (name, bytes) in constants {
            assert!(self.machine.set_constant(name, &bytes), "the module has room for {name}");
        }
    }

    fn launch(&self, kernel: &str, results: &[&Array], arrive: u64) -> Vec<HostLaunch> {
        let LiborOptions { paths, steps } = self.options;
        let arrays = [&self.normals].into_iter().chain(results.iter().copied());
        let arguments = arrays.fold(Arguments::new(), |all, array| all.long(array.address()));
        let extents = (line(paths.div_ceil(BLOCK)), line(BLOCK));
        launch(&self.machine, kernel, extents, arguments.word(paths).word(steps), arrive)
    }
}

/// A sum of twelve numbers from 0 to 1, less its mean: deviation 1.
fn normal(draw: &mut Draw) -> f32 {
    (0..12).map(|_| draw.between(0.0, 1.0)).sum::<f32>() - 6.0
}

impl HostProgram for Libor {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.set_market();
        self.launch("libor_sensitivities", &[&self.values[0], &self.sensitivities], 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        if std::mem::replace(&mut self.launched, true) {
            return Vec::new();
        }
        self.launch("libor_values", &[&self.values[1]], cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let paths = self.options.paths as usize;
        let normals: Vec<f32> = self.normals.given_floats().collect();
        let of = |path: usize| -> Vec<f32> {
            normals.iter().skip(path).step_by(paths).copied().collect()
        };
        let found: Vec<_> = (0..paths).map(|path| self.market.sensitivity(&of(path))).collect();
        let (values, sensitivities): (Vec<f32>, Vec<f32>) = found.into_iter().unzip();
        let name = |what: &'static str| move |path| format!("libor: the {what} of path {path}");
        compare::floats(&self.values[0], &values, name("value"))?;
        compare::floats(&self.sensitivities, &sensitivities, name("sensitivity"))?;
        // The other kernel discounts in another order.
        let values: Vec<f32> = (0..paths).map(|path| self.market.value(&of(path))).collect();
        compare::floats(&self.values[1], &values, name("value alone"))
    }
}

impl Computation for Libor {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        let [first, second] = &self.values;
        vec![first.range(), second.range(), self.sensitivities.range()]
    }
}
