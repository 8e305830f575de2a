use super::*;
use proptest::prelude::*;

/// The entry with the field of that index set to `value`, all others zero.
fn with_field(index: usize, value: u32) -> Entry {
    let mut bits: BitVec<u64, Lsb0> = BitVec::repeat(false, Entry::bits());
    let from: usize = FIELDS[..index].iter().map(|(_, width)| width).sum();
    bits[from..from + FIELDS[index].1].store_le(value);
    Entry::unpack(&bits).unwrap()
}

#[test]
fn an_entry_has_the_widths_of_the_page() {
    let addresses = 2 * 32;
    let grid_and_next_block = 2 * (31 + 16 + 16);
    let block = 11 + 11 + 7;
    let needs = 12 + 17 + 17;
    assert_eq!(Entry::bits(), addresses + grid_and_next_block + block + needs + 14);
    assert_eq!(Entry::default().pack().unwrap().len(), Entry::bits());
}

#[test]
fn every_field_packs_at_its_maximum_and_returns_alone() {
    for (index, (field, width)) in FIELDS.into_iter().enumerate() {
        let most = (u64::MAX >> (64 - width)) as u32;
        let entry = with_field(index, most);
        let packed = entry.pack().unwrap();
        assert_eq!(packed.count_ones(), width, "{field}");
        assert_eq!(Entry::unpack(&packed), Some(entry), "{field}");
    }
}

#[test]
fn a_field_one_past_its_maximum_is_refused_by_name() {
    let mut entry = Entry { executing: 16_383, ..Entry::default() };
    assert!(entry.pack().is_ok());
    entry.executing = 16_384;
    assert_eq!(entry.pack(), Err(FieldTooWide { field: "executing", width: 14, value: 16_384 }));
    let entry = Entry { grid: Dim3::new(1 << 31, 0, 0), ..Entry::default() };
    assert_eq!(entry.pack().unwrap_err().field, "grid.x");
}

#[test]
fn the_wrong_number_of_bits_is_no_entry() {
    let bits: BitVec<u64, Lsb0> = BitVec::repeat(false, Entry::bits() + 1);
    assert_eq!(Entry::unpack(&bits), None);
    assert_eq!(Entry::unpack(&bits[2..]), None);
    assert_eq!(Entry::unpack(&bits[1..]), Some(Entry::default()));
}

proptest! {
    #[test]
    fn packing_and_unpacking_returns_the_entry(raw in prop::collection::vec(any::<bool>(), Entry::bits())) {
        let bits: BitVec<u64, Lsb0> = raw.into_iter().collect();
        let entry = Entry::unpack(&bits).unwrap();
        prop_assert_eq!(entry.pack().unwrap(), bits);
    }

    #[test]
    fn blocks_follow_one_another_by_linear_id(x in 1u32..5, y in 1u32..5, z in 1u32..5) {
        let grid = Dim3::new(x, y, z);
        let mut entry = Entry { grid, ..Entry::default() };
        for linear in 0..u64::from(x * y * z) {
            prop_assert_eq!(entry.next_block.linear(grid), linear);
            prop_assert_eq!(entry.is_last(), linear + 1 == u64::from(x * y * z));
            entry.next_block = entry.following();
        }
    }

    #[test]
    fn a_grid_is_empty_when_any_dimension_is_zero(x in 0u32..3, y in 0u32..3, z in 0u32..3) {
        let entry = Entry { grid: Dim3::new(x, y, z), ..Entry::default() };
        prop_assert_eq!(entry.is_empty(), x == 0 || y == 0 || z == 0);
        prop_assert!(!(entry.is_empty() && entry.is_last()));
    }
}
