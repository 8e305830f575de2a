//! `scalarprod`: the scalar products of pairs of vectors, one launch.

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
pub use options::ScalarprodOptions;

/// Sums that the products of a pair are joined to before they meet in a tree.
const ACCUMULATORS: usize = 1024;

/// The host program.
pub struct Scalarprod {
    machine: Rc<Machine>,
    options: ScalarprodOptions,
    vectors: [Array; 2],
    products: Array,
}

impl Scalarprod {
    /// Before its launch, with vectors drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(
        options: &ScalarprodOptions,
        seed: u64,
        _mode: LaunchMode,
    ) -> Result<Self, InputError> {
        let machine = machine("scalarprod/scalarprod.ptx", include_str!("scalarprod.ptx"));
        let mut draw = Draw::new(seed);
        let elements = options.vectors * options.elements;
        let vectors = [
            Array::new(&machine, draw.floats(elements))?,
            Array::new(&machine, draw.floats(elements))?,
        ];
        let products = Array::zeros(&machine, options.vectors)?;
        Ok(Self { machine, options: *options, vectors, products })
    }
}

/// The scalar product of two vectors, summed in the order in which the kernel sums it.
fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = vec![0.0_f32; ACCUMULATORS];
    for (at, (a, b)) in a.iter().zip(b).enumerate() {
        let sum = &mut sums[at % ACCUMULATORS];
        *sum = a.mul_add(*b, *sum);
    }
    while sums.len() > 1 {
        let upper = sums.split_off(sums.len() / 2);
        sums.iter_mut().zip(upper).for_each(|(sum, other)| *sum += other);
    }
    sums[0]
}

impl HostProgram for Scalarprod {
    fn start(&mut self) -> Vec<HostLaunch> {
        let ScalarprodOptions { vectors, elements, blocks, block } = self.options;
        let [a, b] = &self.vectors;
        let arguments = Arguments::new()
            .long(a.address())
            .long(b.address())
            .long(self.products.address())
            .word(vectors)
            .word(elements);
        let extents = (line(blocks.min(vectors)), line(block));
        launch(&self.machine, "scalarprod", extents, arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let elements = self.options.elements as usize;
        let [a, b] =
            [0, 1].map(|side: usize| self.vectors[side].given_floats().collect::<Vec<_>>());
        let of = |vector: usize| vector * elements..(vector + 1) * elements;
        let vectors = 0..self.options.vectors as usize;
        let expected: Vec<f32> =
            vectors.map(|vector| product(&a[of(vector)], &b[of(vector)])).collect();
        let name = |vector| format!("scalarprod: the product of pair {vector}");
        compare::floats(&self.products, &expected, name)
    }
}

impl Computation for Scalarprod {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.products.range()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_small_whole_numbers_are_exact_in_any_order() {
        let a: Vec<f32> = (0..2500_u16).map(|at| f32::from(at % 7)).collect();
        let b: Vec<f32> = (0..2500_u16).map(|at| f32::from(at % 5)).collect();
        let exact: u32 = (0..2500).map(|at| (at % 7) * (at % 5)).sum();
        assert_eq!(product(&a, &b), exact as f32);
        assert_eq!(product(&[], &[]), 0.0);
    }
}
