//! `walsh`: the dyadic convolution of a signal with a filter. Both are transformed, multiplied, and
//! transformed back, in launches one after the other.

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
pub use options::WalshOptions;

/// Threads of a block but in tiles, which have a thread for every four values.
const BLOCK: u32 = 256;

/// Blocks that multiply.
const PRODUCT_BLOCKS: u32 = 128;

/// What is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Two steps between values so far apart.
    Strided(Side, u32),
    Tile(Side),
    Product,
}

/// Of what is transformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Signal,
    Filter,
}

/// The host program.
pub struct Walsh {
    machine: Rc<Machine>,
    options: WalshOptions,
    signal: Array,
    filter: Array,
    steps: std::vec::IntoIter<Step>,
}

impl Walsh {
    /// Before its first launch, with signal and filter drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &WalshOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("walsh/walsh.ptx", include_str!("walsh.ptx"));
        let mut draw = Draw::new(seed);
        let signal = Array::new(&machine, draw.floats(1 << options.log2))?;
        let filter = Array::new(&machine, draw.floats(1 << options.log2))?;
        let transform = |side| {
            let strides = (options.tile()..options.log2).step_by(2).rev();
            let strided = strides.map(move |stride| Step::Strided(side, 1 << stride));
            strided.chain([Step::Tile(side)])
        };
        let steps: Vec<Step> = transform(Side::Signal)
            .chain(transform(Side::Filter))
            .chain([Step::Product])
            .chain(transform(Side::Signal))
            .collect();
        Ok(Self { machine, options: *options, signal, filter, steps: steps.into_iter() })
    }

    /// One of all values: what a transform there and back multiplies by.
    fn scale(&self) -> f32 {
        1.0 / (1 << self.options.log2) as f32
    }

    /// The next launch, from cycle `arrive` on, if there is one left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let Some(step) = self.steps.next() else { return Vec::new() };
        let (count, tile) = (1_u32 << self.options.log2, 1 << self.options.tile());
        let values = |side| {
            let array = if side == Side::Signal { &self.signal } else { &self.filter };
            Arguments::new().long(array.address())
        };
        let (kernel, extents, arguments) = match step {
            Step::Strided(side, stride) => {
                ("walsh_strided", (count / 4 / BLOCK, BLOCK), values(side).word(stride))
            }
            Step::Tile(side) => ("walsh_tile", (count / tile, tile / 4), values(side).word(tile)),
            Step::Product => {
                let filter = values(Side::Signal).long(self.filter.address());
                let arguments = filter.word(count).single(self.scale());
                ("walsh_product", (PRODUCT_BLOCKS, BLOCK), arguments)
            }
        };
        let (blocks, threads) = extents;
        launch(&self.machine, kernel, (line(blocks), line(threads)), arguments, arrive)
    }
}

/// The Walsh-Hadamard transform, a step between halves, quarters and so on.
fn transform(values: &mut [f32]) {
    let mut half = values.len() / 2;
    while half > 0 {
        for whole in values.chunks_mut(2 * half) {
            let (first, second) = whole.split_at_mut(half);
            for (a, b) in first.iter_mut().zip(second) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half /= 2;
    }
}

impl HostProgram for Walsh {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let [mut signal, mut filter] =
            [&self.signal, &self.filter].map(|array| array.given_floats().collect::<Vec<_>>());
        transform(&mut signal);
        transform(&mut filter);
        compare::floats(&self.filter, &filter, |at| format!("walsh: value {at} of the filter"))?;
        let scale = self.scale();
        signal.iter_mut().zip(filter).for_each(|(value, filter)| *value = *value * scale * filter);
        transform(&mut signal);
        compare::floats(&self.signal, &signal, |at| format!("walsh: value {at} of the signal"))
    }
}

impl Computation for Walsh {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.signal.range(), self.filter.range()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transform_sums_with_the_sign_of_the_common_bits_and_twice_gives_all_back() {
        let given: Vec<f32> = (0..64_u16).map(|at| f32::from(at * at % 37)).collect();
        let mut values = given.clone();
        transform(&mut values);
        for (row, &value) in (0_u32..).zip(&values) {
            let sign = |at: u32| if (row & at).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
            let sum: f32 = (0..).zip(&given).map(|(at, value)| sign(at) * value).sum();
            assert_eq!(value, sum, "{row}");
        }
        transform(&mut values);
        assert!(values.iter().zip(&given).all(|(value, given)| *value == 64.0 * given));
    }

    #[test]
    fn a_tile_takes_all_steps_or_what_steps_by_twos_leave_of_them() {
        let tile = |log2| WalshOptions { log2 }.tile();
        assert_eq!([2, 10, 11, 12, 13, 14, 17, 24].map(tile), [2, 10, 11, 10, 11, 10, 11, 10]);
    }
}
