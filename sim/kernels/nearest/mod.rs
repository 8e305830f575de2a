//! `nearest`: how far places are from one that is asked for, once.

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
pub use options::NearestOptions;

/// The place that is asked for: latitude and longitude in degrees.
const ASKED: (f32, f32) = (30.0, 90.0);

/// The host program.
pub struct Nearest {
    machine: Rc<Machine>,
    options: NearestOptions,
    /// Latitude and longitude of each.
    places: Array,
    distances: Array,
}

impl Nearest {
    /// Before its launch, with places drawn from `seed`.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(options: &NearestOptions, seed: u64, _mode: LaunchMode) -> Result<Self, InputError> {
        let machine = machine("nearest/nearest.ptx", include_str!("nearest.ptx"));
        let mut draw = Draw::new(seed);
        let place = |_| [draw.between(0.0, 60.0), draw.between(0.0, 180.0)].map(f32::to_bits);
        let places = (0..options.places).flat_map(place).collect();
        let places = Array::new(&machine, places)?;
        let distances = Array::zeros(&machine, options.places)?;
        Ok(Self { machine, options: *options, places, distances })
    }
}

/// From the place that is asked for, rounded where the kernel rounds.
fn distance(latitude: f32, longitude: f32) -> f32 {
    let (north, east) = (latitude - ASKED.0, longitude - ASKED.1);
    north.mul_add(north, east * east).sqrt()
}

impl HostProgram for Nearest {
    fn start(&mut self) -> Vec<HostLaunch> {
        let NearestOptions { places, block } = self.options;
        let arguments = Arguments::new()
            .long(self.places.address())
            .long(self.distances.address())
            .word(places)
            .single(ASKED.0)
            .single(ASKED.1);
        let extents = (line(places.div_ceil(block)), line(block));
        launch(&self.machine, "nearest", extents, arguments, 0)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        let places: Vec<f32> = self.places.given_floats().collect();
        let places = places.as_chunks::<2>().0.iter();
        let expected: Vec<f32> = places.map(|&[north, east]| distance(north, east)).collect();
        compare::floats(&self.distances, &expected, |at| {
            format!("nearest: the distance of place {at}")
        })
    }
}

impl Computation for Nearest {
    fn machine(&self) -> &Rc<Machine> {
        &self.machine
    }

    fn results(&self) -> Vec<Range<u64>> {
        vec![self.distances.range()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_as_far_as_the_third_side_of_the_triangle() {
        assert_eq!(distance(ASKED.0 + 3.0, ASKED.1 - 4.0), 5.0);
        assert_eq!(distance(ASKED.0, ASKED.1), 0.0);
    }
}
