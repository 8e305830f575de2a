//! Which channel, L2 slice, bank and row an address belongs to.

use serde::{Deserialize, Serialize};

use crate::diagnostic::InputError;
use crate::divisor::Divisor;

/// How addresses are spread over channels, banks and rows.
///
/// The channel number is taken out first, by division, so that their number need not be a power of
/// two: `channel = (address / interleave) % channels`. Bits of bank and row are those of what
/// remains, `(address / (interleave * channels)) * interleave + address % interleave`. All other
/// bits are the column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddressMapConfig {
    /// Bytes in a row that go to one channel; a power of two, at least 32.
    pub interleave: u32,
    /// Channels, 1 to 128.
    pub channels: u32,
    /// L2 slices of a channel: the low bits of the bank number are the slice. A power of two, up
    /// to the number of banks.
    pub slices: u32,
    /// Which bits of the remaining address are the bank number, its low bit first: up to 6.
    pub bank_bits: Vec<u32>,
    /// Lowest bit of the row number.
    pub row_low: u32,
    /// Highest bit of the row number, at most 31 above the lowest. Bits above it are ignored.
    pub row_high: u32,
}

impl Default for AddressMapConfig {
    /// The layout of the oracle data: one channel, 16 banks whose low bits are the bank group, rows
    /// of 8 KB.
    fn default() -> Self {
        Self {
            interleave: 256,
            channels: 1,
            slices: 1,
            bank_bits: vec![13, 14, 15, 16],
            row_low: 17,
            row_high: 27,
        }
    }
}

impl AddressMapConfig {
    /// Banks that the bank bits can name.
    pub fn banks(&self) -> u32 {
        1 << self.bank_bits.len()
    }

    /// Checks that every address has one place.
    ///
    /// # Errors
    /// The first key that is out of range, with its value and what was expected.
    pub fn validate(&self) -> Result<(), InputError> {
        let refused = |key: &str, value: String, expected: String| {
            Err(InputError::new(format!("address.{key} = {value}"))
                .help(format!("expected {expected}")))
        };
        if !self.interleave.is_power_of_two() || !(32..=1 << 20).contains(&self.interleave) {
            let expected = "a power of two from 32 to 1048576".to_owned();
            return refused("interleave", self.interleave.to_string(), expected);
        }
        if !(1..=128).contains(&self.channels) {
            return refused("channels", self.channels.to_string(), "1 to 128".to_owned());
        }
        let row = self.row_low..=self.row_high;
        if self.row_high > 63 || self.row_low > self.row_high || row.clone().count() > 32 {
            let expected = format!("{} to {}", self.row_low, (self.row_low.min(63) + 31).min(63));
            return refused("row_high", self.row_high.to_string(), expected);
        }
        let bits = &self.bank_bits;
        let sound = |index: usize, bit: u32| {
            bit < 64 && !row.contains(&bit) && !bits[..index].contains(&bit)
        };
        if bits.len() > 6 || !bits.iter().enumerate().all(|(index, &bit)| sound(index, bit)) {
            let expected = "up to 6 different bits below 64 that are no row bits".to_owned();
            return refused("bank_bits", format!("{bits:?}"), expected);
        }
        if !self.slices.is_power_of_two() || self.slices > self.banks() {
            let expected = format!("a power of two up to {}, the number of banks", self.banks());
            return refused("slices", self.slices.to_string(), expected);
        }
        Ok(())
    }
}

/// Where an address is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Channel.
    pub channel: u16,
    /// L2 slice, counted over all channels: those of channel `c` begin at `c * slices`.
    pub slice: u16,
    /// Bank of the channel.
    pub bank: u16,
    /// Row of the bank.
    pub row: u32,
}

/// See [`AddressMapConfig`].
#[derive(Clone, Debug)]
pub struct AddressMap {
    interleave_bits: u32,
    channels: Divisor,
    slices: u16,
    /// Runs of adjacent bank bits.
    bank_runs: Vec<Run>,
    row: Run,
    /// Bits that are neither bank nor row.
    column: u64,
}

/// `mask` bits of the address from bit `from` on go to bit `to` on.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: u32,
    mask: u64,
    to: u32,
}

impl Run {
    fn take(&self, address: u64) -> u64 {
        (address >> self.from & self.mask) << self.to
    }

    fn give(&self, number: u64) -> u64 {
        (number >> self.to & self.mask) << self.from
    }

    fn bits(&self) -> u64 {
        self.mask << self.from
    }
}

impl AddressMap {
    /// The map of a configuration.
    ///
    /// # Panics
    /// When the configuration is one that [`AddressMapConfig::validate`] refuses.
    pub fn new(config: &AddressMapConfig) -> Self {
        config.validate().expect("a map in which every address has one place");
        let mut bank_runs: Vec<Run> = Vec::new();
        for (to, &from) in (0..).zip(&config.bank_bits) {
            match bank_runs.last_mut() {
                Some(run) if run.from + run.mask.count_ones() == from => {
                    run.mask = run.mask << 1 | 1
                }
                _ => bank_runs.push(Run { from, mask: 1, to }),
            }
        }
        let row_mask = u64::MAX >> (63 - (config.row_high - config.row_low));
        let row = Run { from: config.row_low, mask: row_mask, to: 0 };
        let named = bank_runs.iter().fold(row.bits(), |bits, run| bits | run.bits());
        Self {
            interleave_bits: config.interleave.trailing_zeros(),
            channels: Divisor::new(u64::from(config.channels)),
            slices: config.slices as u16,
            bank_runs,
            row,
            column: !named,
        }
    }

    /// Where `address` is.
    #[inline]
    pub fn locate(&self, address: u64) -> Location {
        let (channel, rest) = self.split(address);
        let bank = self.bank_runs.iter().fold(0, |bank, run| bank | run.take(rest)) as u16;
        let slice = channel as u16 * self.slices + (bank & (self.slices - 1));
        Location { channel: channel as u16, slice, bank, row: self.row.take(rest) as u32 }
    }

    /// What tells the addresses of one row apart: the remaining address without the bits of bank
    /// and row.
    pub fn column(&self, address: u64) -> u64 {
        self.split(address).1 & self.column
    }

    /// The address at `location` with this [`column`](Self::column). Its slice follows from its
    /// channel and bank, and is not looked at.
    pub fn address(&self, location: &Location, column: u64) -> u64 {
        let bank = u64::from(location.bank);
        let rest = self.bank_runs.iter().fold(column, |rest, run| rest | run.give(bank))
            | self.row.give(u64::from(location.row));
        self.join(u64::from(location.channel), rest)
    }

    /// The address of which [`split`](Self::split) gives this.
    pub fn join(&self, channel: u64, rest: u64) -> u64 {
        let block = (rest >> self.interleave_bits) * self.channels.get() + channel;
        block << self.interleave_bits | rest & self.offset()
    }

    /// The channel of `address`, and what remains of it without the channel.
    #[inline]
    pub fn split(&self, address: u64) -> (u64, u64) {
        // Below 2^63 because an interleave is never less than 32 bytes.
        let (block, channel) = self.channels.split(address >> self.interleave_bits);
        (channel, block << self.interleave_bits | address & self.offset())
    }

    fn offset(&self) -> u64 {
        (1 << self.interleave_bits) - 1
    }
}
