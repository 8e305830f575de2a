//! `backprop`: steps of learning by back propagation. Each is a launch that sums up, the host's
//! part, and a launch that adjusts the weights.

mod network;
mod options;

use std::ops::Range;
use std::rc::Rc;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::{Dim3, LaunchMode};
use blockyard_gpu::host::{HostLaunch, HostProgram};
use blockyard_ptx::{Arguments, Machine};

use crate::array::Array;
use crate::compare;
use crate::draw::Draw;
use crate::launch::{launch, machine, plane, Computation};
use network::{Network, MOMENTUM, RATE, UNITS};
pub use options::BackpropOptions;

/// The host program.
pub struct Backprop {
    machine: Rc<Machine>,
    options: BackpropOptions,
    /// As it is drawn.
    network: Network,
    inputs: Array,
    weights: Array,
    changes: Array,
    /// What blocks have summed up.
    sums: Array,
    /// Of the hidden units, as the host has found them.
    errors: Array,
    /// Two a step.
    launched: u32,
}

impl Backprop {
    /// Before its first launch, with a network and inputs drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(
        options: &BackpropOptions,
        seed: u64,
        _mode: LaunchMode,
    ) -> Result<Self, InputError> {
        let machine = machine("backprop/backprop.ptx", include_str!("backprop.ptx"));
        let mut draw = Draw::new(seed);
        let inputs = options.blocks as usize * UNITS;
        let network = Network {
            inputs: (0..inputs).map(|_| draw.between(0.0, 1.0)).collect(),
            // Small, so that no unit's sum is far from where errors reach it.
            weights: (0..inputs * UNITS).map(|_| draw.between(-0.05, 0.05)).collect(),
            changes: vec![0.0; inputs * UNITS],
            output: std::array::from_fn(|_| draw.between(-1.0, 1.0)),
        };
        let array = |values: &[f32]| {
            Array::new(&machine, values.iter().map(|value| value.to_bits()).collect())
        };
        let (inputs, weights) = (array(&network.inputs)?, array(&network.weights)?);
        let changes = array(&network.changes)?;
        let sums = Array::zeros(&machine, options.blocks * UNITS as u32)?;
        let errors = Array::zeros(&machine, UNITS as u32)?;
        let options = *options;
        Ok(Self { machine, options, network, inputs, weights, changes, sums, errors, launched: 0 })
    }

    /// The next launch, from cycle `arrive` on, if there is one left.
    fn next(&mut self, arrive: u64) -> Vec<HostLaunch> {
        if self.launched == 2 * self.options.steps {
            return Vec::new();
        }
        let arguments = Arguments::new().long(self.inputs.address()).long(self.weights.address());
        let (kernel, arguments) = if self.launched.is_multiple_of(2) {
            ("backprop_forward", arguments.long(self.sums.address()))
        } else {
            self.find_errors();
            let arguments = arguments.long(self.changes.address()).long(self.errors.address());
            ("backprop_adjust", arguments.single(RATE).single(MOMENTUM))
        };
        self.launched += 1;
        let extents = (Dim3::new(1, self.options.blocks, 1), plane(UNITS as u32, UNITS as u32));
        launch(&self.machine, kernel, extents, arguments, arrive)
    }

    /// What the host computes between two launches.
    fn find_errors(&self) {
        let sums = self.sums.left().expect("no kernel gives memory back");
        let sums: Vec<f32> = sums.into_iter().map(f32::from_bits).collect();
        let errors = self.network.errors(&sums);
        let bytes: Vec<u8> = errors.iter().flat_map(|error| error.to_le_bytes()).collect();
        assert!(self.machine.write(self.errors.address(), &bytes), "they are an array");
    }
}

impl HostProgram for Backprop {
    fn start(&mut self) -> Vec<HostLaunch> {
        self.next(0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, cycle: u64) -> Vec<HostLaunch> {
        self.next(cycle + 1)
    }

    fn verify(&mut self) -> Result<(), String> {
        let mut network = self.network.clone();
        (0..self.options.steps).for_each(|_| network.step());
        let name = |what: &'static str| {
            move |at| {
                format!("backprop: the {what} of input {} and unit {}", at / UNITS, at % UNITS)
            }
        };
        compare::floats(&self.weights, &network.weights, name("weight"))?;
        compare::floats(&self.changes, &network.changes, name("last change"))
    }
}

impl Computation for Backprop {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.weights.range(), self.changes.range()]
    }
}
