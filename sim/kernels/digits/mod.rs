//! `digits`: images through a convolutional network, a launch a layer.

mod network;
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
use network::{inputs, layers, LAYERS, SIDE, SIDES};
pub use options::DigitsOptions;

/// Threads of a block of a dense layer, and its neurons, a warp each.
const DENSE_BLOCK: u32 = 128;
const DENSE_NEURONS: u32 = DENSE_BLOCK / 32;

/// The host program.
pub struct Digits {
    machine: Rc<Machine>,
    options: DigitsOptions,
    images: Array,
    weights: [Array; 4],
    /// The neurons of each layer, image by image.
    neurons: [Array; 4],
    /// Layers so far.
    launched: usize,
}

impl Digits {
    /// Before its first launch, with images and weights drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &DigitsOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("digits/digits.ptx", include_str!("digits.ptx"));
        let mut draw = Draw::new(seed);
        let points = options.images * (SIDE * SIDE) as u32;
        let images = (0..points).map(|_| draw.between(0.0, 1.0).to_bits());
        let images = Array::new(&machine, images.collect())?;
        let mut weights = |layer: usize| {
            let inputs = inputs(layer);
            // So that sums have about the same size, however many inputs there are.
            let most = 1.0 / (inputs as f32).sqrt();
            let count = LAYERS[layer] * (1 + inputs);
            let drawn = (0..count).map(|_| draw.between(-most, most).to_bits());
            Array::new(&machine, drawn.collect())
        };
        let weights = [weights(0)?, weights(1)?, weights(2)?, weights(3)?];
        let neurons = |layer: usize| {
            let side = SIDES.get(layer).copied().unwrap_or(1);
            Array::zeros(&machine, options.images * (LAYERS[layer] * side * side) as u32)
        };
        let neurons = [neurons(0)?, neurons(1)?, neurons(2)?, neurons(3)?];
        Ok(Self { machine, options: *options, images, weights, neurons, launched: 0 })
    }

    /// The next layer, from cycle `arrive` on, if there is one left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        let layer = self.launched;
        let Some(neurons) = self.neurons.get(layer) else { return Vec::new() };
        let before = layer.checked_sub(1).map_or(&self.images, |before| &self.neurons[before]);
        let arguments = Arguments::new()
            .long(before.address())
            .long(self.weights[layer].address())
            .long(neurons.address());
        let (images, units) = (self.options.images, LAYERS[layer] as u32);
        let (kernel, extents, arguments) = if let Some(&side) = SIDES.get(layer) {
            let [maps, width] = if layer == 0 { [1, SIDE] } else { [LAYERS[0], SIDES[0]] };
            let block = plane(side as u32, side as u32);
            let arguments = arguments.word(maps as u32).word(width as u32);
            ("digits_maps", (plane(units, images), block), arguments)
        } else {
            let grid = plane(units.div_ceil(DENSE_NEURONS), images);
            let arguments = arguments.word(inputs(layer) as u32).word(units);
            ("digits_dense", (grid, plane(DENSE_BLOCK, 1)), arguments)
        };
        self.launched += 1;
        launch(&self.machine, kernel, extents, arguments, arrive)
    }
}

impl HostProgram for Digits {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let weights = self.weights.each_ref().map(|array| array.given_floats().collect());
        let images: Vec<f32> = self.images.given_floats().collect();
        let found: Vec<_> =
            images.chunks(SIDE * SIDE).map(|image| layers(image, &weights)).collect();
        for (layer, neurons) in self.neurons.iter().enumerate() {
            let expected: Vec<f32> =
                found.iter().flat_map(|image| image[layer].iter().copied()).collect();
            let each = neurons.given().len() / found.len().max(1);
            compare::floats(neurons, &expected, |at| {
                let (image, neuron) = (at / each, at % each);
                format!("digits: neuron {neuron} of layer {} and image {image}", layer + 1)
            })?;
        }
        Ok(())
    }
}

impl Computation for Digits {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        self.neurons.iter().map(Array::range).collect()
    }
}
