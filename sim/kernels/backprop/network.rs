//! The network on the CPU, rounded where the kernels round, and what the host computes itself.

/// Hidden units, and inputs of a block.
pub const UNITS: usize = 16;

/// How much of an error weights take over, and of their last change.
pub const RATE: f32 = 0.3;
pub const MOMENTUM: f32 = 0.3;

/// What the single output is to be.
const TARGET: f32 = 0.1;

/// Inputs, weights and their last changes by input and hidden unit, weights of the output by hidden
/// unit.
#[derive(Clone)]
pub struct Network {
    pub inputs: Vec<f32>,
    pub weights: Vec<f32>,
    pub changes: Vec<f32>,
    pub output: [f32; UNITS],
}

impl Network {
    /// The sums of the kernel's blocks: each hidden unit's over 16 inputs, in a tree.
    fn sums(&self) -> Vec<f32> {
        let blocks = self.weights.chunks(UNITS * UNITS).zip(self.inputs.chunks(UNITS));
        let of_block = |(weights, inputs): (&[f32], &[f32])| {
            let rows = weights.chunks(UNITS).zip(inputs);
            let row = |(row, input): (&[f32], &f32)| row.iter().map(|w| w * input).collect();
            let mut rows: Vec<Vec<f32>> = rows.map(row).collect();
            while rows.len() > 1 {
                let lower = rows.split_off(rows.len() / 2);
                for (sum, other) in rows.iter_mut().flatten().zip(lower.iter().flatten()) {
                    *sum += other;
                }
            }
            rows.remove(0)
        };
        blocks.flat_map(of_block).collect()
    }

    /// The errors of the hidden units, from the sums of all blocks: the host's part of a step. All
    /// it rounds is decided here.
    pub fn errors(&self, sums: &[f32]) -> [f32; UNITS] {
        let mut hidden = [0.0; UNITS];
        for block in sums.chunks(UNITS) {
            hidden.iter_mut().zip(block).for_each(|(all, sum)| *all += sum);
        }
        let hidden = hidden.map(logistic);
        let sum: f32 = hidden.iter().zip(&self.output).map(|(value, weight)| value * weight).sum();
        let output = logistic(sum);
        let error = output * (1.0 - output) * (TARGET - output);
        std::array::from_fn(|unit| hidden[unit] * (1.0 - hidden[unit]) * error * self.output[unit])
    }

    /// One step of learning.
    pub fn step(&mut self) {
        let errors = self.errors(&self.sums());
        let of = self.weights.iter_mut().zip(&mut self.changes).enumerate();
        for (at, (weight, change)) in of {
            let last = MOMENTUM * *change;
            *change = (RATE * errors[at % UNITS]).mul_add(self.inputs[at / UNITS], last);
            *weight += *change;
        }
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two blocks.
    fn network() -> Network {
        let value = |at: usize| (at * 7 % 11) as f32 / 64.0 - 0.07;
        Network {
            inputs: (0..2 * UNITS).map(value).collect(),
            weights: (0..2 * UNITS * UNITS).map(value).collect(),
            changes: vec![0.0; 2 * UNITS * UNITS],
            output: std::array::from_fn(|at| value(at) + 0.5),
        }
    }

    /// How far the output is from what it is to be.
    fn distance(network: &Network) -> f32 {
        let weights = network.weights.chunks(UNITS).zip(&network.inputs);
        let mut hidden = [0.0; UNITS];
        for (row, input) in weights {
            hidden.iter_mut().zip(row).for_each(|(all, weight)| *all += weight * input);
        }
        let values = hidden.map(logistic);
        let sum: f32 = values.iter().zip(&network.output).map(|(value, w)| value * w).sum();
        (logistic(sum) - TARGET).abs()
    }

    #[test]
    fn each_step_brings_the_output_nearer_to_its_target() {
        let mut network = network();
        for step in 0..5 {
            let before = distance(&network);
            network.step();
            assert!(distance(&network) < before, "step {step}");
        }
    }

    #[test]
    fn a_weight_whose_input_is_zero_keeps_its_value() {
        let mut network = network();
        network.inputs[3] = 0.0;
        let before = network.weights.clone();
        network.step();
        let row = 3 * UNITS..4 * UNITS;
        assert_eq!(network.weights[row.clone()], before[row]);
        assert!(
            network.weights.iter().zip(&before).filter(|(now, then)| now != then).count() > 300
        );
    }
}
