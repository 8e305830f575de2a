use proptest::prelude::*;

use super::*;

#[test]
fn columns_are_counted_up_to_so_many() {
    let count = |most| Fields::new(b" a\tbc  d ").count(most);
    assert_eq!([0, 1, 2, 3, 4].map(count), [0, 1, 2, 3, 3]);
}

#[test]
fn numbers_with_a_sign_have_64_bits() {
    let signed = |text: &str| Fields::new(text.as_bytes()).signed("a number").ok();
    assert_eq!(signed("-9223372036854775808"), Some(i64::MIN));
    assert_eq!(signed("-9223372036854775809"), None);
    // Differences of addresses.
    assert_eq!(signed("18446744073709551615"), Some(-1));
    assert_eq!(signed("18446744073709551616"), None);
}

proptest! {
    #[test]
    fn numbers_are_read_as_the_standard_library_reads_them(
        value: u64, narrow: u32, signed: i64, width in 1_usize..17,
    ) {
        let text = format!(" {value:#x}\t{value:0width$x} {narrow:x} {narrow:08X} {value} {signed} ");
        let mut fields = Fields::new(text.as_bytes());
        prop_assert_eq!(fields.count(9), 6);
        prop_assert_eq!(fields.address("a").unwrap(), value);
        prop_assert_eq!(fields.address("b").unwrap(), value);
        prop_assert_eq!(fields.hexadecimal32("c").unwrap(), narrow);
        prop_assert_eq!(fields.hexadecimal32("d").unwrap(), narrow);
        prop_assert_eq!(fields.decimal("e", u64::MAX).unwrap(), value);
        prop_assert_eq!(fields.signed("f").unwrap(), signed);
        prop_assert!(fields.end("nothing").is_ok());
    }

    #[test]
    fn no_text_makes_the_columns_panic(text: Vec<u8>) {
        type Read = fn(&mut Fields<'_>) -> bool;
        let readers: [Read; 6] = [
            |fields| fields.address("x").is_ok(),
            |fields| fields.hexadecimal32("x").is_ok(),
            |fields| fields.decimal("x", 9).is_ok(),
            |fields| fields.signed("x").is_ok(),
            |fields| fields.register("x").is_ok(),
            |fields| fields.word("x", "a word").is_ok(),
        ];
        for read in readers {
            let mut fields = Fields::new(&text);
            let before = fields.count(usize::MAX);
            let mut found = 0;
            while read(&mut fields) {
                found += 1;
            }
            prop_assert!(found <= before);
        }
    }
}
