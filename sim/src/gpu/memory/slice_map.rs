//! Lines as a slice of the L2 numbers its own: without the bits that chose the slice, so that
//! neighbouring lines of a slice fall into neighbouring sets.

use crate::gpu::config::GpuConfig;

/// See the module.
#[derive(Clone, Debug)]
pub struct SliceMap {
    line_shift: u32,
    interleave_shift: u32,
    channels: u64,
    /// Bits, of an address without its channel, that number the slice of the channel; lowest first.
    slice_bits: Vec<u32>,
}

impl SliceMap {
    /// The map of `config`.
    pub fn new(config: &GpuConfig) -> Self {
        let bits = config.l2.slices.trailing_zeros() as usize;
        let mut slice_bits = config.address.bank[..bits].to_vec();
        slice_bits.sort_unstable();
        Self {
            line_shift: config.l1.line.trailing_zeros(),
            interleave_shift: config.address.interleave.trailing_zeros(),
            channels: u64::from(config.dram.channels),
            slice_bits,
        }
    }

    /// The number of `line` in its slice.
    pub fn local(&self, line: u64) -> u64 {
        let address = line << self.line_shift;
        let piece = address >> self.interleave_shift;
        let mut rest = (piece / self.channels) << self.interleave_shift
            | address & low_bits(self.interleave_shift);
        for &bit in self.slice_bits.iter().rev() {
            rest = rest >> (bit + 1) << bit | rest & low_bits(bit);
        }
        rest >> self.line_shift
    }

    /// The line that is number `local` in the slice to which `other` belongs.
    pub fn line(&self, local: u64, other: u64) -> u64 {
        let other = other << self.line_shift;
        let other_piece = other >> self.interleave_shift;
        let other_rest = (other_piece / self.channels) << self.interleave_shift
            | other & low_bits(self.interleave_shift);
        let mut rest = local << self.line_shift;
        for &bit in &self.slice_bits {
            rest = rest >> bit << (bit + 1) | other_rest & 1 << bit | rest & low_bits(bit);
        }
        let piece = (rest >> self.interleave_shift) * self.channels + other_piece % self.channels;
        let address = piece << self.interleave_shift | rest & low_bits(self.interleave_shift);
        address >> self.line_shift
    }
}

const fn low_bits(count: u32) -> u64 {
    (1 << count) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::channel::AddressMap;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn preset(name: &str) -> (SliceMap, AddressMap) {
        let config = GpuConfig::preset(name).unwrap();
        (SliceMap::new(&config), AddressMap::new(&config.address_map()))
    }

    #[test]
    fn the_lines_of_a_slice_are_numbered_without_gaps() {
        for name in GpuConfig::names() {
            let (slices, map) = preset(name);
            let lines = 1 << 14;
            let shift = slices.line_shift;
            let mut numbers: BTreeMap<u16, Vec<u64>> = BTreeMap::new();
            for line in 0..lines {
                let slice = map.locate(line << shift).slice;
                numbers.entry(slice).or_default().push(slices.local(line));
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
                let (slices, _) = preset(name);
                prop_assert_eq!(slices.line(slices.local(line), line), line);
            }
        }
    }
}
