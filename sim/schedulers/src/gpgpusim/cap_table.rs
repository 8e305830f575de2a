//! Twin of `gpgpusim/cap_table`: most resident blocks of each kernel on one SMX (rule 3).
//!
//! Undefined, and not to be compared: the `cap` of an entry that was not loaded since reset.

use crate::port::{Activity, KernelEntry, KERNEL_ENTRIES};

/// Most that the 6 bits of a cap hold; no SMX has as many slots.
pub(super) const MOST_CAP: u32 = 63;

/// Input ports of [`CapTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CapTableInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The entry that a kernel gets in this cycle.
    pub launch: Option<KernelEntry>,
    /// That kernel's thread blocks; 31 bits.
    pub blocks: u32,
    /// The head's entry.
    pub kernel: KernelEntry,
}

/// Output ports of [`CapTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CapTableOutputs {
    /// The cap of `kernel`; 6 bits.
    pub cap: u32,
}

/// A cap for each entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapTable {
    smx: u32,
    caps: Vec<u32>,
}

impl CapTable {
    /// Caps for `smx` SMXs (at least one).
    pub fn new(smx: usize) -> Self {
        Self { smx: smx as u32, caps: vec![0; KERNEL_ENTRIES] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &CapTableInputs) -> CapTableOutputs {
        CapTableOutputs { cap: self.caps[inputs.kernel.index()] }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &CapTableInputs) -> Activity {
        let before = self.caps.clone();
        if inputs.reset {
            self.caps.fill(0);
        } else if let Some(entry) = inputs.launch {
            self.caps[entry.index()] = inputs.blocks.div_ceil(self.smx).min(MOST_CAP);
        }
        Activity::from(self.caps != before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::MAX_BLOCKS;

    fn load(table: &mut CapTable, entry: u8, blocks: u32) -> Activity {
        let launch = Some(KernelEntry(entry));
        table.clock(&CapTableInputs { launch, blocks, ..CapTableInputs::default() })
    }

    fn cap(table: &CapTable, entry: u8) -> u32 {
        table.evaluate(&CapTableInputs { kernel: KernelEntry(entry), ..Default::default() }).cap
    }

    fn cap_of(smx: usize, blocks: u32) -> u32 {
        let mut table = CapTable::new(smx);
        load(&mut table, 5, blocks);
        cap(&table, 5)
    }

    #[test]
    fn the_cap_is_an_even_share_rounded_up() {
        assert_eq!(
            [0, 1, 12, 13, 14, 26, 27].map(|blocks| cap_of(13, blocks)),
            [0, 1, 1, 1, 2, 2, 3]
        );
        assert_eq!([1, 32, 33].map(|blocks| cap_of(32, blocks)), [1, 1, 2]);
        assert_eq!([144, 145, 288, 289].map(|blocks| cap_of(144, blocks)), [1, 2, 2, 3]);
        assert_eq!([1, 2, 3].map(|blocks| cap_of(1, blocks)), [1, 2, 3]);
    }

    #[test]
    fn it_saturates_at_what_six_bits_hold() {
        assert_eq!([62, 63, 64, MAX_BLOCKS].map(|blocks| cap_of(1, blocks)), [62, 63, 63, 63]);
        assert_eq!(
            [62 * 30, 62 * 30 + 1, 64 * 30, MAX_BLOCKS].map(|b| cap_of(30, b)),
            [62, 63, 63, 63]
        );
    }

    #[test]
    fn a_load_is_read_one_cycle_later_and_by_its_entry_alone() {
        let mut table = CapTable::new(4);
        (0..32).for_each(|entry| {
            load(&mut table, entry, u32::from(entry) * 4);
        });
        let inputs = CapTableInputs {
            launch: Some(KernelEntry(31)),
            blocks: 5,
            kernel: KernelEntry(31),
            reset: false,
        };
        assert_eq!(table.evaluate(&inputs).cap, 31);
        assert_eq!(table.clock(&inputs), Activity::Busy);
        assert_eq!(table.evaluate(&inputs).cap, 2);
        assert_eq!(table.clock(&inputs), Activity::Quiet);
        assert!((0..31).all(|entry| cap(&table, entry) == u32::from(entry)));
    }

    #[test]
    fn reset_wins_over_a_load() {
        let mut table = CapTable::new(4);
        load(&mut table, 1, 9);
        let launch = Some(KernelEntry(2));
        let inputs = CapTableInputs { reset: true, launch, blocks: 9, ..Default::default() };
        assert_eq!(table.clock(&inputs), Activity::Busy);
        assert_eq!(table, CapTable::new(4));
        assert_eq!(table.clock(&inputs), Activity::Quiet);
    }
}
