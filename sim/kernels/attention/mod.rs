//! `attention`: what each query attends to, in tiles with an online softmax, one launch.

mod options;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::LaunchMode;
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::approximate::exponential;
use crate::array::Array;
use crate::compare;
use crate::draw::Draw;
use crate::launch::{launch, line, machine, plane, Computation};
pub use options::AttentionOptions;

/// Numbers of a query, key and value.
const DIM: usize = 32;

/// Threads of a block, and queries.
const TILE: u32 = 64;

/// The square root of [`DIM`] divides a score.
const SCALE: f32 = 0.176_776_7;

/// The host program.
pub struct Attention {
    machine: Rc<Machine>,
    options: AttentionOptions,
    /// Queries, keys, values: by head, then by row.
    inputs: [Array; 3],
    out: Array,
}

impl Attention {
    /// Before its launch, with queries, keys and values drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(
        options: &AttentionOptions,
        seed: u64,
        _mode: LaunchMode,
    ) -> Result<Self, InputError> {
        let machine = machine("attention/attention.ptx", include_str!("attention.ptx"));
        let numbers = options.heads * options.length * DIM as u32;
        let mut draw = Draw::new(seed);
        let mut drawn = || {
            let numbers = (0..numbers).map(|_| draw.between(-2.0, 2.0).to_bits());
            Array::new(&machine, numbers.collect())
        };
        let inputs = [drawn()?, drawn()?, drawn()?];
        let out = Array::zeros(&machine, numbers)?;
        Ok(Self { machine, options: *options, inputs, out })
    }

    /// What the kernel computes, query by query and key by key.
    fn attended(&self) -> Vec<f32> {
        let [q, k, v] =
            self.inputs.each_ref().map(|array| array.given_floats().collect::<Vec<_>>());
        let head = self.options.length as usize * DIM;
        let mut out = Vec::with_capacity(q.len());
        for (at, query) in q.chunks(DIM).enumerate() {
            let first = at * DIM / head * head;
            let rows = |all: &[f32]| all[first..first + head].to_vec();
            out.extend(row(query, &rows(&k), &rows(&v)));
        }
        out
    }
}

/// The mean of `values`, each weighed by how much its key is like `query`.
fn row(query: &[f32], keys: &[f32], values: &[f32]) -> Vec<f32> {
    let (mut most, mut weights, mut sums) = (-3.0e38_f32, 0.0_f32, vec![0.0_f32; DIM]);
    for (key, value) in keys.chunks(DIM).zip(values.chunks(DIM)) {
        let products = query.iter().zip(key);
        let score = SCALE * products.fold(0.0_f32, |sum, (q, k)| q.mul_add(*k, sum));
        let larger = most.max(score);
        let (keep, weight) = (exponential(most - larger), exponential(score - larger));
        weights = weights.mul_add(keep, weight);
        for (sum, value) in sums.iter_mut().zip(value) {
            *sum = weight.mul_add(*value, *sum * keep);
        }
        most = larger;
    }
    sums.into_iter().map(|sum| sum / weights).collect()
}

impl HostProgram for Attention {
    fn start(&mut self) -> Vec<HostLaunch> {
        let AttentionOptions { heads, length } = self.options;
        let arrays = self.inputs.iter().chain([&self.out]);
        let arguments = arrays.fold(Arguments::new(), |all, array| all.long(array.address()));
        let arguments = arguments.word(length).single(SCALE);
        let grid = plane(length.div_ceil(TILE), heads);
        launch(&self.machine, "attention", (grid, line(TILE)), arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let length = self.options.length as usize;
        compare::floats(&self.out, self.attended(), |at| {
            let row = at / DIM;
            format!("attention: head {}, row {}, {}", row / length, row % length, at % DIM)
        })
    }
}

impl Computation for Attention {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.out.range()]
    }
}
