//! The network on the CPU, rounded where the kernels round.

use crate::approximate::exponential;

/// Points along a side of an image.
pub const SIDE: usize = 29;

/// Points along a side of a window, and from one to the next.
const WINDOW: usize = 5;
const APART: usize = 2;

/// Lanes of a warp, which take the inputs of a neuron in turn.
const LANES: usize = 32;

/// How many maps, or neurons, each layer has.
pub const LAYERS: [usize; 4] = [6, 50, 100, 10];

/// Neurons along a side of the maps of the first two layers.
pub const SIDES: [usize; 2] = [side(SIDE), side(side(SIDE))];

/// Of maps that look at maps of `width`.
const fn side(width: usize) -> usize {
    (width - WINDOW) / APART + 1
}

/// What neurons of each layer look at, for the dense ones all neurons before.
pub const fn inputs(layer: usize) -> usize {
    match layer {
        0 => WINDOW * WINDOW,
        1 => LAYERS[0] * WINDOW * WINDOW,
        2 => LAYERS[1] * SIDES[1] * SIDES[1],
        _ => LAYERS[2],
    }
}

fn squash(x: f32) -> f32 {
    let grown = exponential(4.0 / 3.0 * x);
    1.7159 * (1.0 - 2.0 / (grown + 1.0))
}

/// The neurons of maps over `maps` maps of `width` by `width` points.
fn maps(points: &[f32], width: usize, weights: &[f32]) -> Vec<f32> {
    let side = side(width);
    let maps = points.len() / (width * width);
    let of_map = |weights: &[f32]| -> Vec<f32> {
        let neuron = |at: usize| {
            let corner = APART * (at / side * width + at % side);
            let window = (0..maps * WINDOW * WINDOW).map(|at| {
                let (map, point) = (at / (WINDOW * WINDOW), at % (WINDOW * WINDOW));
                map * width * width + corner + point / WINDOW * width + point % WINDOW
            });
            let weighted = window.zip(&weights[1..]);
            squash(weighted.fold(weights[0], |sum, (at, weight)| weight.mul_add(points[at], sum)))
        };
        (0..side * side).map(neuron).collect()
    };
    weights.chunks(1 + maps * WINDOW * WINDOW).flat_map(of_map).collect()
}

/// Neurons that look at all of `inputs`.
fn dense(inputs: &[f32], weights: &[f32]) -> Vec<f32> {
    let neuron = |weights: &[f32]| {
        let mut sums = [0.0_f32; LANES];
        for (at, (weight, input)) in weights[1..].iter().zip(inputs).enumerate() {
            sums[at % LANES] = weight.mul_add(*input, sums[at % LANES]);
        }
        let mut step = LANES / 2;
        while step > 0 {
            (0..step).for_each(|lane| sums[lane] += sums[lane + step]);
            step /= 2;
        }
        squash(weights[0] + sums[0])
    };
    weights.chunks(1 + inputs.len()).map(neuron).collect()
}

/// What all layers make of an image, one after the other.
pub fn layers(image: &[f32], weights: &[Vec<f32>; 4]) -> [Vec<f32>; 4] {
    let first = maps(image, SIDE, &weights[0]);
    let second = maps(&first, SIDES[0], &weights[1]);
    let third = dense(&second, &weights[2]);
    let fourth = dense(&third, &weights[3]);
    [first, second, third, fourth]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_have_the_sizes_of_the_published_network() {
        assert_eq!(SIDES, [13, 5]);
        assert_eq!([0, 1, 2, 3].map(inputs), [25, 150, 1250, 100]);
        let weights = [0, 1, 2, 3].map(|layer| vec![0.01; LAYERS[layer] * (1 + inputs(layer))]);
        let lengths = layers(&vec![0.5; SIDE * SIDE], &weights).map(|layer| layer.len());
        assert_eq!(lengths, [6 * 169, 50 * 25, 100, 10]);
    }

    #[test]
    fn a_neuron_squashes_its_bias_and_what_its_window_shows() {
        // A point in the middle of the fourth window of the second row, and in two beside it.
        let mut image = vec![0.0; SIDE * SIDE];
        image[4 * SIDE + 8] = 1.0;
        let mut weights = vec![0.0; 26];
        (weights[0], weights[1 + 2 * WINDOW + 2]) = (0.25, 0.5);
        let neurons = maps(&image, SIDE, &weights);
        let seen = f64::from(neurons[13 + 3]);
        assert!((seen - 1.7159 * libm::tanh(0.75 * 2.0 / 3.0)).abs() < 1e-6, "{seen}");
        assert!(neurons[0] > 0.0 && neurons[0] < neurons[13 + 3]);
        assert_eq!(neurons.iter().filter(|&&neuron| neuron != neurons[0]).count(), 1);
    }

    #[test]
    fn a_dense_neuron_sums_up_all_inputs() {
        let inputs: Vec<f32> = (0..40).map(|at| at as f32 / 64.0).collect();
        let weights: Vec<f32> = (0..41).map(|at| if at == 0 { -1.0 } else { 0.125 }).collect();
        let sum: f32 = inputs.iter().sum::<f32>() / 8.0 - 1.0;
        assert_eq!(dense(&inputs, &weights), [squash(sum)]);
    }
}
