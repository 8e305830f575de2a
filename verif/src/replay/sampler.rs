//! The values of a module's ports, cycle after cycle.
//!
//! rust-hdl's probes visit all that is in a module and format the name of each element of an array:
//! they say once where the ports are.

use super::ports::{visit, Direction};
use blockyard_rtl::changes::own_signals;
use blockyard_rtl::module::Module;

/// Where the ports of a module are among its own signals.
#[derive(Clone, Debug)]
pub struct Sampler {
    /// For each signal that is a port, its direction and its first word in the rows of that.
    places: Vec<Option<(Direction, usize)>>,
    /// Words of a row of inputs.
    inputs: usize,
    /// Words of a row of outputs.
    outputs: usize,
}

impl Sampler {
    /// For `module`, and others of its kind and parameters.
    pub fn new(module: &dyn Module) -> Self {
        let mut sampler = Self { places: Vec::new(), inputs: 0, outputs: 0 };
        visit(module, &mut |_, direction, atom| {
            let place = direction.map(|direction| {
                let words = match direction {
                    Direction::Input => &mut sampler.inputs,
                    Direction::Output => &mut sampler.outputs,
                };
                let first = *words;
                *words += atom.bits().div_ceil(32);
                (direction, first)
            });
            sampler.places.push(place);
        });
        sampler
    }

    /// The values of all input ports and of all output ports of `module`, which has settled, each in
    /// words of 32 bits, the lowest first.
    ///
    /// # Panics
    /// When `module` has other signals than the one that this was made for.
    pub fn sample(&self, module: &dyn Module) -> (Vec<u32>, Vec<u32>) {
        let (mut inputs, mut outputs) = (vec![0; self.inputs], vec![0; self.outputs]);
        // Of the signal that is looked at, the bits that there were.
        let (mut last, mut place) = (0, 0);
        let signals = own_signals(module, &mut |signal, width, bits| {
            if signal != last {
                (last, place) = (signal, 0);
            }
            let Some((direction, first)) = self.places[signal] else { return };
            let row = match direction {
                Direction::Input => &mut inputs,
                Direction::Output => &mut outputs,
            };
            // Up to 64 bits are in three words at most.
            let mut rest = u128::from(bits) << (place % 32);
            let mut word = first + place / 32;
            while rest != 0 {
                row[word] |= rest as u32;
                rest >>= 32;
                word += 1;
            }
            place += width;
        });
        assert_eq!(signals, self.places.len(), "the module shows its signals");
        (inputs, outputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::{cases, Check};
    use rust_hdl::prelude::VCDValue;

    /// Bits of all ports of a direction, by rust-hdl's own dump.
    fn dumped(module: &dyn Module, wanted: Direction) -> Vec<u32> {
        let mut row = Vec::new();
        visit(module, &mut |_, direction, atom| {
            if direction == Some(wanted) {
                let first = row.len();
                row.resize(first + atom.bits().div_ceil(32), 0);
                let mut place = 0;
                each_value(&atom.vcd(), &mut |value| {
                    row[first + place / 32] |= u32::from(value) << (place % 32);
                    place += 1;
                });
            }
        });
        row
    }

    /// Shows the bits of a value, the lowest first; a word of a dump begins with its highest.
    fn each_value(value: &VCDValue, see: &mut impl FnMut(bool)) {
        let is_one = |bit: &vcd::Value| VCDValue::Single(*bit) == VCDValue::from(true);
        match value {
            VCDValue::Single(bit) => see(is_one(bit)),
            VCDValue::Vector(bits) => bits.iter().rev().for_each(|bit| see(is_one(bit))),
            VCDValue::Composite(fields) => fields.iter().for_each(|field| each_value(field, see)),
            VCDValue::String(_) => unreachable!("no signal of ours is a text"),
        }
    }

    #[test]
    fn what_is_sampled_is_what_rust_hdl_dumps_of_the_ports_of_every_module() {
        let mut compared = 0;
        for case in cases().into_iter().filter(|case| case.check == Check::Icarus && case.first) {
            let mut sampler = None;
            case.watched_trace(1, 40, &mut |module| {
                let sampler = sampler.get_or_insert_with(|| Sampler::new(module));
                let dumped = [Direction::Input, Direction::Output].map(|way| dumped(module, way));
                assert_eq!(<[Vec<u32>; 2]>::from(sampler.sample(module)), dumped, "{}", case.id);
                compared += 1;
            });
        }
        assert!(compared > 40 * 80, "{compared} cycles");
    }
}
