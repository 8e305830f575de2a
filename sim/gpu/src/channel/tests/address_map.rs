//! Where addresses go: the layouts of the oracle data, gtx480 and k20c.

use proptest::prelude::*;

use crate::channel::{AddressMap, AddressMapConfig, Location};

/// `dramid@8;...RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS`.
fn gtx480() -> AddressMapConfig {
    AddressMapConfig {
        interleave: 256,
        channels: 6,
        slices: 2,
        bank_bits: vec![8, 13, 14, 15],
        row_low: 16,
        row_high: 27,
    }
}

/// 32-byte atoms, banks above the column bits.
fn k20c() -> AddressMapConfig {
    AddressMapConfig {
        interleave: 256,
        channels: 10,
        slices: 2,
        bank_bits: vec![7, 12, 13, 14],
        row_low: 15,
        row_high: 27,
    }
}

fn locate(config: &AddressMapConfig, address: u64) -> (u16, u16, u16, u32) {
    let place = AddressMap::new(config).locate(address);
    (place.channel, place.slice, place.bank, place.row)
}

#[test]
fn the_oracles_layout_is_row_bank_in_group_group_line() {
    let config = AddressMapConfig::default();
    // Row 777, bank 2 of group 3, line 63.
    let address = 777 << 17 | 2 << 15 | 3 << 13 | 63 << 7 | 5;
    assert_eq!(locate(&config, address), (0, 0, 2 * 4 + 3, 777));
    assert_eq!(AddressMap::new(&config).column(address), 63 << 7 | 5);
    assert_eq!(11 % 4, 3, "the bank group is the bank modulo the number of groups");
}

#[test]
fn channels_take_turns_every_256_bytes_though_there_are_six() {
    let config = gtx480();
    for block in 0..100 {
        let channel = (block % 6) as u16;
        for address in [block * 256, block * 256 + 255] {
            let place = AddressMap::new(&config).locate(address);
            assert_eq!(place.channel, channel);
            // The low bank bit is bit 8 of the rest: blocks of a channel alternate between slices.
            assert_eq!(place.slice, channel * 2 + (block / 6 % 2) as u16);
        }
    }
    // The rest of this address is 0xabc_e5ff: row 0xabc, bank bits 7 and 1.
    let rest = 0xabc_e5ffu64;
    let address = (rest >> 8) * 6 * 256 + 4 * 256 + (rest & 255);
    assert_eq!(locate(&config, address), (4, 9, 0b1111, 0xabc));
    let rest = 0xabc_a400u64;
    assert_eq!(locate(&config, (rest >> 8) * 6 * 256), (0, 0, 0b1010, 0xabc));
}

/// The bits of `text`, highest first, that are one of `letters`, packed as GPGPU-Sim packs them:
/// the lowest to bit 0. `text` describes bits 0 up to its length, dots left out.
fn packed(text: &str, letters: &str, value: u64) -> u64 {
    let bits = text.chars().filter(|&letter| letter != '.').rev().enumerate();
    let named = bits.filter(|(_, letter)| letters.contains(*letter));
    named.enumerate().fold(0, |sum, (to, (from, _))| sum | (value >> from & 1) << to)
}

proptest! {
    #[test]
    fn places_are_those_of_a_map_written_letter_by_letter(address in 0u64..1 << 31) {
        let maps = [
            (gtx480(), "0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS"),
            (k20c(), "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS"),
        ];
        for (config, text) in maps {
            let channels = u64::from(config.channels);
            let rest = (((address >> 8) / channels) << 8) | (address & 0xff);
            let place = AddressMap::new(&config).locate(address);
            let channel = (address >> 8) % channels;
            let bank = packed(text, "B", rest);
            prop_assert_eq!(u64::from(place.channel), channel);
            prop_assert_eq!(u64::from(place.bank), bank);
            prop_assert_eq!(u64::from(place.slice), channel * 2 + bank % 2);
            prop_assert_eq!(u64::from(place.row), packed(text, "R", rest));
        }
    }

    #[test]
    fn every_address_has_a_place_of_its_own(
        address in 0u64..1 << 50,
        channels in 1u32..129,
        interleave in 5u32..14,
        bits in prop::sample::subsequence((5u32..30).collect::<Vec<_>>(), 0..=6).prop_shuffle(),
        rows in (30u32..40, 0u32..20),
    ) {
        let config = AddressMapConfig {
            interleave: 1 << interleave,
            channels,
            slices: 1,
            bank_bits: bits,
            row_low: rows.0,
            row_high: rows.0 + rows.1,
        };
        prop_assert!(config.validate().is_ok());
        let map = AddressMap::new(&config);
        let place = map.locate(address);
        prop_assert!(u32::from(place.channel) < channels);
        prop_assert!(u32::from(place.bank) < config.banks());
        // The way back exists, so no two addresses share channel, bank, row and column.
        prop_assert_eq!(map.address(&place, map.column(address)), address);
        let moved = Location { bank: config.banks() as u16 - 1 - place.bank, ..place };
        let there = map.address(&moved, map.column(address));
        prop_assert_eq!(map.locate(there).bank, moved.bank);
    }
}

#[test]
fn a_map_in_which_places_overlap_is_refused_by_name() {
    let refused = |change: fn(&mut AddressMapConfig), key: &str| {
        let mut config = AddressMapConfig::default();
        change(&mut config);
        let message = config.validate().unwrap_err().to_string();
        assert!(message.starts_with(&format!("address.{key} = ")), "{message}");
    };
    refused(|config| config.interleave = 48, "interleave");
    refused(|config| config.interleave = 16, "interleave");
    refused(|config| config.channels = 0, "channels");
    refused(|config| config.channels = 129, "channels");
    refused(|config| config.row_high = 16, "row_high");
    refused(|config| config.row_high = 49, "row_high");
    refused(|config| config.bank_bits = vec![13, 13], "bank_bits");
    refused(|config| config.bank_bits = vec![17], "bank_bits");
    refused(|config| config.bank_bits = vec![64], "bank_bits");
    refused(|config| config.bank_bits = (6..13).collect(), "bank_bits");
    refused(|config| config.slices = 3, "slices");
    refused(|config| config.slices = 32, "slices");
}
