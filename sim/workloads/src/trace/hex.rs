//! Hexadecimal digits, eight at a time: they are most of a trace's bytes.

/// One byte, eight times.
const fn eightfold(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The value of eight ASCII hexadecimal digits, the first in the lowest byte; `None` when one of
/// them is something else.
#[inline(always)]
pub(super) fn eight_digits(text: u64) -> Option<u32> {
    (no_digits(text) == 0).then(|| digits_value(text))
}

/// Overwrites each of `texts`, eight ASCII hexadecimal digits, with the number of which that is the
/// lower half and `high` the upper one. Returns whether all were digits; if not, they mean nothing
/// then.
#[inline]
pub(super) fn lower_halves(high: u32, texts: &mut [u64]) -> bool {
    let mut wrong = 0;
    // Without a branch: several at a time.
    for text in texts {
        wrong |= no_digits(*text);
        *text = u64::from(high) << 32 | u64::from(digits_value(*text));
    }
    wrong == 0
}

/// The digits that `text` begins with, the first in the lowest byte: their value and how many.
#[inline(always)]
pub(super) fn leading_digits(text: u64) -> (u32, usize) {
    let count = no_digits(text).trailing_zeros() as usize / 8;
    if count == 8 {
        return (digits_value(text), 8);
    }
    // In front of them bytes of zero, whose value is that of the digit 0.
    let digits = if count == 0 { 0 } else { text << (64 - 8 * count) };
    (digits_value(digits), count)
}

/// The top bit of each byte that is no ASCII hexadecimal digit.
#[inline(always)]
fn no_digits(text: u64) -> u64 {
    // Below, bytes are under 0x80 and what is added is at most 0x7f: no carry between them.
    // 0 to 9 for decimal digits, and 1 to 6 for letters.
    let decimal = text & eightfold(0x7f) ^ eightfold(b'0');
    let letter = (text & eightfold(0x7f) | eightfold(0x20)) ^ eightfold(0x60);
    let above_nine = decimal + eightfold(0x76);
    let above_six = letter + eightfold(0x79);
    let above_zero = letter + eightfold(0x7f);
    (above_nine & (above_six | !above_zero) | text) & eightfold(0x80)
}

/// The value of eight ASCII hexadecimal digits, the first in the lowest byte.
#[inline(always)]
fn digits_value(text: u64) -> u32 {
    let is_letter = text >> 6 & eightfold(1);
    let nibbles = (text & eightfold(0x0f)) + 9 * is_letter;
    // Each multiplication puts two neighbours together, the first one above: 2, 4 and 8 digits.
    let pairs = nibbles.wrapping_mul(1 << 12 | 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let halves = pairs.wrapping_mul(1 << 24 | 1) >> 16 & 0x0000_ffff_0000_ffff;
    (halves.wrapping_mul(1 << 48 | 1) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str) -> Option<u32> {
        eight_digits(u64::from_le_bytes(text.as_bytes().try_into().unwrap()))
    }

    #[test]
    fn eight_digits_are_read_in_either_case() {
        assert_eq!(digits("00000000"), Some(0));
        assert_eq!(digits("89abcdef"), Some(0x89ab_cdef));
        assert_eq!(digits("01234567"), Some(0x0123_4567));
        assert_eq!(digits("ABCDEFff"), Some(0xabcd_efff));
        assert_eq!(digits("ffffffff"), Some(u32::MAX));
    }

    #[test]
    fn lower_halves_are_read_if_all_are_digits() {
        let texts = [b"00000000", b"89abcdef", b"fFfFfFfF"].map(|text| u64::from_le_bytes(*text));
        let mut read = texts;
        assert!(lower_halves(0x7f40, &mut read));
        assert_eq!(read, [0x7f40_0000_0000, 0x7f40_89ab_cdef, 0x7f40_ffff_ffff]);
        for place in 0..3 {
            let mut texts = texts;
            texts[place] = u64::from_le_bytes(*b"0123 567");
            assert!(!lower_halves(0, &mut texts));
        }
    }

    #[test]
    fn digits_end_with_the_first_byte_that_is_none() {
        let leading = |text: &[u8; 8]| leading_digits(u64::from_le_bytes(*text));
        assert_eq!(leading(b"01fF8901"), (0x01ff_8901, 8));
        assert_eq!(leading(b"7f40 123"), (0x7f40, 4));
        assert_eq!(leading(b"e\n000000"), (0xe, 1));
        assert_eq!(leading(b" 1234567"), (0, 0));
    }

    #[test]
    fn each_byte_that_is_no_digit_is_refused_in_each_place() {
        for byte in 0..=255_u8 {
            for place in 0..8 {
                let mut text = *b"0aF91bC2";
                text[place] = byte;
                let expected = byte.is_ascii_hexdigit();
                let got = eight_digits(u64::from_le_bytes(text)).is_some();
                assert_eq!(got, expected, "{byte:#x} in place {place}");
            }
        }
    }
}
