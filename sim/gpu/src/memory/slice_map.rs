//! Lines as a slice of the L2 numbers its own: without the bits that chose the slice, so that
//! neighbouring lines of a slice fall into neighbouring sets.

use crate::channel::{AddressMap, Location};
use crate::config::GpuConfig;

/// See the module.
#[derive(Clone, Debug)]
pub struct SliceMap {
    map: AddressMap,
    line_shift: u32,
    /// Slices of a channel.
    slices: u16,
    /// Bits, of an address without its channel, that number the slice of the channel: the bit for
    /// the low bit of the number first.
    number_bits: Vec<u32>,
    /// The same bits, lowest first.
    slice_bits: Vec<u32>,
    /// Where they are neighbours in the order of the number, as when there are none or one: the
    /// first and their count.
    run: Option<(u32, u32)>,
}

impl SliceMap {
    /// The map of `config`.
    pub fn new(config: &GpuConfig) -> Self {
        let bits = config.l2.slices.trailing_zeros() as usize;
        let number_bits = config.address.bank[..bits].to_vec();
        let mut slice_bits = number_bits.clone();
        slice_bits.sort_unstable();
        let first = number_bits.first().copied().unwrap_or(0);
        let neighbours = (first..).zip(&number_bits).all(|(bit, &next)| bit == next);
        Self {
            map: AddressMap::new(&config.address_map()),
            line_shift: config.l1.line.trailing_zeros(),
            slices: config.l2.slices as u16,
            number_bits,
            slice_bits,
            run: neighbours.then_some((first, bits as u32)),
        }
    }

    /// The slice of `line`, and its number there.
    #[inline]
    pub fn place(&self, line: u64) -> (u16, u64) {
        let (channel, rest) = self.map.split(line << self.line_shift);
        let slice = channel as u16 * self.slices;
        let (number, rest) = match self.run {
            Some((first, bits)) => (
                (rest >> first & low_bits(bits)) as u16,
                rest >> (first + bits) << first | rest & low_bits(first),
            ),
            None => self.number_and_rest(rest),
        };
        (slice + number, rest >> self.line_shift)
    }

    /// The number of the slice in its channel, and the address without it.
    fn number_and_rest(&self, mut rest: u64) -> (u16, u64) {
        let mut number = 0;
        for (place, &bit) in (0..).zip(&self.number_bits) {
            number |= ((rest >> bit & 1) as u16) << place;
        }
        for &bit in self.slice_bits.iter().rev() {
            rest = rest >> (bit + 1) << bit | rest & low_bits(bit);
        }
        (number, rest)
    }

    /// Where `address` is.
    #[inline]
    pub fn locate(&self, address: u64) -> Location {
        self.map.locate(address)
    }

    /// The line that is number `local` in the slice to which `other` belongs.
    #[inline]
    pub fn line(&self, local: u64, other: u64) -> u64 {
        let (channel, other) = self.map.split(other << self.line_shift);
        let mut rest = local << self.line_shift;
        for &bit in &self.slice_bits {
            rest = rest >> bit << (bit + 1) | other & 1 << bit | rest & low_bits(bit);
        }
        self.map.join(channel, rest) >> self.line_shift
    }
}

const fn low_bits(count: u32) -> u64 {
    (1 << count) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn preset(name: &str) -> SliceMap {
        SliceMap::new(&GpuConfig::preset(name).unwrap())
    }

    #[test]
    fn the_lines_of_a_slice_are_numbered_without_gaps() {
        for name in GpuConfig::names() {
            let slices = preset(name);
            let lines = 1 << 14;
            let mut numbers: BTreeMap<u16, Vec<u64>> = BTreeMap::new();
            for line in 0..lines {
                let (slice, number) = slices.place(line);
                assert_eq!(slice, slices.locate(line << slices.line_shift).slice);
                numbers.entry(slice).or_default().push(number);
            }
            for mut of_slice in numbers.into_values() {
                of_slice.sort_unstable();
                of_slice.dedup();
                let count = of_slice.len() as u64;
                // Pieces at the end may be cut.
                assert!(of_slice[of_slice.len() - 1] < count + 256, "{name}: {count} lines");
            }
        }
    }

    proptest! {
        #[test]
        fn a_number_in_a_slice_leads_back_to_its_line(line in 0_u64..1 << 40) {
            for name in GpuConfig::names() {
                let slices = preset(name);
                prop_assert_eq!(slices.line(slices.place(line).1, line), line);
            }
        }
    }
}
