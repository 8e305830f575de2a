//! The columns of a line as tracers print them: one blank before each, in few digits or in full
//! width.
//!
//! This is the inner loop of reading a trace. It understands less than [`super::fields`], which
//! knows all that a line may have and says what is wrong with any other: where this gives `None`,
//! that decides.

use super::addresses::Addresses;
use super::hex;
use super::tail::Tail;
use crate::program::WARP_LANES;

/// Most decimal digits that surely fit a number.
const MOST_DIGITS: usize = 18;

/// Bytes of an address of full width, and of the blank before it.
const WIDE: usize = 19;

/// Eight bytes of `column`, from byte `AT` on, the first in the lowest byte.
#[inline(always)]
fn eight<const AT: usize>(column: &[u8; WIDE]) -> u64 {
    u64::from_le_bytes(column[AT..AT + 8].try_into().expect("eight bytes"))
}

/// The number of at most eight digits in `text` up to the byte `end`, and what is behind that.
#[inline]
pub(super) fn number(text: &[u8], end: u8) -> Option<(u32, &[u8])> {
    let mut value = 0;
    for (at, &byte) in text.iter().take(9).enumerate() {
        match byte {
            b'0'..=b'9' => value = 10 * value + u32::from(byte - b'0'),
            _ if byte == end && at > 0 => return Some((value, &text[at + 1..])),
            _ => return None,
        }
    }
    None
}

/// What is left of a line, and maybe of those behind it.
pub(super) struct Quick<'a> {
    rest: &'a [u8],
}

impl<'a> Quick<'a> {
    /// The columns of which `text` begins with the blank before the first one.
    pub fn new(text: &'a [u8]) -> Self {
        Self { rest: text }
    }

    /// `mode addresses...` of the lanes `active`. Addresses that have no stride are in `list`.
    #[inline]
    pub fn addresses(&mut self, active: u32, list: &mut [u64; WARP_LANES]) -> Option<Addresses> {
        let (&[b' ', mode], rest) = self.rest.split_first_chunk()? else { return None };
        self.rest = rest;
        if mode == b'1' {
            let first = self.address()?;
            return Some(Addresses::from_first(active, first, self.signed()? as u64));
        }
        let count = active.count_ones() as usize;
        match mode {
            b'0' => self.list(&mut list[..count])?,
            b'2' => self.deltas(&mut list[..count])?,
            _ => return None,
        }
        Some(Addresses::of_list(active, list))
    }

    /// An address, and the differences of the others to the ones before them.
    fn deltas(&mut self, into: &mut [u64]) -> Option<()> {
        let mut address = self.next_address()?;
        for (place, entry) in into.iter_mut().enumerate() {
            if place > 0 {
                address = address.wrapping_add(self.signed()? as u64);
            }
            *entry = address;
        }
        Some(())
    }

    /// Addresses, one after the other.
    #[inline]
    fn list(&mut self, into: &mut [u64]) -> Option<()> {
        if self.wide_list(into).is_none() {
            for entry in into {
                *entry = self.next_address()?;
            }
        }
        Some(())
    }

    /// Addresses of full width, of which the upper half is that of the first one, as it mostly is:
    /// then it is compared instead of read.
    #[inline]
    fn wide_list(&mut self, into: &mut [u64]) -> Option<()> {
        let (columns, rest) = self.rest.split_at_checked(WIDE * into.len())?;
        let (columns, _) = columns.as_chunks::<WIDE>();
        // The blank, `0x` and eight digits are eleven bytes.
        let upper = |column: &[u8; WIDE]| (eight::<0>(column), eight::<3>(column));
        let first = columns.first().filter(|first| first.starts_with(b" 0x"))?;
        let high = hex::eight_digits(eight::<3>(first))?;
        let first = upper(first);
        let mut differ = 0;
        for (column, entry) in columns.iter().zip(into.iter_mut()) {
            let upper = upper(column);
            differ |= (upper.0 ^ first.0) | (upper.1 ^ first.1);
            *entry = eight::<11>(column);
        }
        let sound = hex::lower_halves(high, into) && differ == 0;
        sound.then(|| self.rest = rest)
    }

    #[inline(never)]
    fn next_address(&mut self) -> Option<u64> {
        self.address()
    }

    /// A hexadecimal number of at most 64 bits.
    #[inline(always)]
    fn address(&mut self) -> Option<u64> {
        let rest = self.rest.strip_prefix(b" 0x")?;
        let (text, behind) = rest.split_first_chunk()?;
        let (value, count) = hex::leading_digits(u64::from_le_bytes(*text));
        if count < 8 {
            self.rest = &rest[count..];
            return (count > 0).then_some(u64::from(value));
        }
        let (text, _) = behind.split_first_chunk()?;
        let (low, count) = hex::leading_digits(u64::from_le_bytes(*text));
        self.rest = &behind[count..];
        Some(u64::from(value) << (4 * count) | u64::from(low))
    }

    /// A decimal number that may have a sign.
    #[inline]
    pub fn signed(&mut self) -> Option<i64> {
        match *self.rest {
            [b' ', digit @ b'0'..=b'9', b' ', ..] => {
                self.rest = &self.rest[2..];
                Some(i64::from(digit - b'0'))
            }
            [b' ', b'-', ref rest @ ..] => self.digits(rest).map(|value| -value),
            [b' ', ref rest @ ..] => self.digits(rest),
            _ => None,
        }
    }

    fn digits(&mut self, text: &'a [u8]) -> Option<i64> {
        let (mut value, mut count) = (0, 0);
        while let Some(&digit @ b'0'..=b'9') = text.get(count) {
            value = 10 * value + i64::from(digit - b'0');
            count += 1;
            if count > MOST_DIGITS {
                return None;
            }
        }
        self.rest = &text[count..];
        (count > 0).then_some(value)
    }

    /// [`Quick::end`] behind what a line ends with; of values only that there are none.
    #[inline]
    pub fn tail(mut self, tail: Tail) -> Option<&'a [u8]> {
        if tail != Tail::None {
            self.signed()?;
        }
        if tail == Tail::Values {
            self.signed()?;
            self.rest = self.rest.strip_prefix(b" NoVal")?;
        }
        self.end()
    }

    /// What is behind the last column: nothing, or the end of the line and further lines.
    #[inline]
    pub fn end(mut self) -> Option<&'a [u8]> {
        while let [b' ', rest @ ..] = self.rest {
            self.rest = rest;
        }
        matches!(self.rest, [] | [b'\n', ..]).then_some(self.rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn addresses(active: u32, text: &str) -> Option<(Addresses, Vec<u64>)> {
        let mut list = [0; WARP_LANES];
        let mut quick = Quick::new(text.as_bytes());
        let found = quick.addresses(active, &mut list)?;
        quick.end()?;
        let listed = if found == Addresses::List { active.count_ones() as usize } else { 0 };
        Some((found, list[..listed].to_vec()))
    }

    #[test]
    fn numbers_end_with_the_byte_that_is_asked_for() {
        assert_eq!(number(b"0\nx", b'\n'), Some((0, &b"x"[..])));
        assert_eq!(number(b"99999999,", b','), Some((99_999_999, &b""[..])));
        for text in ["", "1", "\n", "1 \n", "1,\n", "-1\n", "999999999\n"] {
            assert_eq!(number(text.as_bytes(), b'\n'), None, "{text:?}");
        }
    }

    /// `text` and what mostly follows it: numbers are read sixteen bytes at a time.
    fn with_next_line(text: &str) -> String {
        format!("{text}\n0010 ffffffff 1 R1 FADD 0 0 0")
    }

    #[test]
    fn every_mode_says_the_same() {
        let stride = Some((Addresses::Stride { base: 0x7f40_0000_0ff8, stride: 4 }, Vec::new()));
        for text in [
            " 1 0x7f4000001000 4",
            " 0 0x7f4000001000 0x7f4000001004 ",
            " 0 0x00007f4000001000 0x00007f4000001004 ",
            " 0 0x7f4000001000 0x00007f4000001004",
            " 2 0x00007f4000001000 4  ",
        ] {
            assert_eq!(addresses(0b1100, &with_next_line(text)), stride, "{text}");
        }
        let list = [0x1_0000_0000, 0xf, 0xdead_beef_0123_4567];
        for text in [
            " 0 0x0000000100000000 0x000000000000000f 0xdeadbeef01234567",
            " 0 0x100000000 0xf 0xdeadbeef01234567 ",
        ] {
            let found = addresses(0b111, &with_next_line(text));
            assert_eq!(found, Some((Addresses::List, list.to_vec())), "{text}");
        }
        let found = addresses(1, &with_next_line(" 0 0xf"));
        assert_eq!(found, Some((Addresses::Stride { base: 15, stride: 0 }, Vec::new())));
    }

    #[test]
    fn lists_of_full_width_are_read_at_once_if_one_upper_half_is_enough() {
        let wide = |text: &str, count| {
            let mut list = [0; WARP_LANES];
            let read = Quick::new(text.as_bytes()).wide_list(&mut list[..count]);
            read.map(|()| list[..count].to_vec())
        };
        let text = " 0x00007f4000001000 0x00007f40abcdef08 7";
        assert_eq!(wide(text, 1), Some(vec![0x7f40_0000_1000]));
        assert_eq!(wide(text, 2), Some(vec![0x7f40_0000_1000, 0x7f40_abcd_ef08]));
        assert_eq!(wide(text, 3), None, "there is no third one");
        assert_eq!(wide(" 0x00007f4000001000 0x00007f4100001000", 2), None);
        assert_eq!(wide(" 0x00007f4000001000 0x0000ff4000001000", 2), None);
        assert_eq!(wide(" 0x00007f4000001000\t0x00007f4000001000", 2), None);
    }

    #[test]
    fn what_a_line_ends_with_is_read_as_its_tracer_prints_it() {
        let tail = |text: &'static str, tail| Quick::new(text.as_bytes()).tail(tail);
        assert_eq!(tail(" \nx", Tail::None), Some(&b"\nx"[..]));
        assert_eq!(tail(" 7 \nx", Tail::Immediate), Some(&b"\nx"[..]));
        assert_eq!(tail(" -7 0 NoVal\nx", Tail::Values), Some(&b"\nx"[..]));
        assert_eq!(tail(" 7", Tail::None), None);
        assert_eq!(tail("", Tail::Immediate), None);
        assert_eq!(tail(" \nx", Tail::Immediate), None);
        assert_eq!(tail(" 7 0 NoVal", Tail::Immediate), None);
        assert_eq!(tail(" 7 0 Val 1 0x5", Tail::Values), None);
        let longest = tail(" 123456789012345678", Tail::Immediate);
        assert_eq!(longest, Some(&b""[..]), "eighteen digits");
        assert_eq!(tail(" 1234567890123456789", Tail::Immediate), None);
    }

    #[test]
    fn what_is_not_as_tracers_print_it_is_left_to_others() {
        for text in [
            "",
            " ",
            " 3 0x1000000000 4",
            " 1 0x1000000000",
            " 1\t0x1000000000 4 ",
            " 1 0x100000000g 4 ",
            " 1 0x12345678901234567 4 ",
            " 1 0x1000000000 4x ",
            " 1 0x1000000000 - ",
            " 1 0x1000000000 4 7 ",
            " 1 0x1000000000 1234567890123456789 ",
            " 1 7f4000000000 4 ",
            " 0 0x00007f40000000001 ",
            " 0 0x00007f400000000g ",
        ] {
            assert_eq!(addresses(1, text), None, "{text:?}");
            assert_eq!(addresses(1, &with_next_line(text)), None, "{text:?}, and a line");
        }
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_the_standard_library_reads_them(
            list in prop::collection::vec(any::<u64>(), 32), signed in -1_000_000_i64..1_000_000,
            width in 1_usize..17, active in 1_u32..,
        ) {
            let list = &list[..active.count_ones() as usize];
            let text: String = list.iter().map(|address| format!(" 0x{address:0width$x}")).collect();
            let text = format!(" 0{text} {signed} \n 12345678");
            let mut read = [0; WARP_LANES];
            let mut quick = Quick::new(text.as_bytes());
            prop_assert!(quick.addresses(active, &mut read).is_some());
            prop_assert_eq!(&read[..list.len()], list);
            prop_assert_eq!(quick.signed(), Some(signed));
            prop_assert_eq!(quick.end(), Some(&b"\n 12345678"[..]));
        }

        #[test]
        fn no_text_makes_it_panic(active: u32, text: Vec<u8>) {
            let mut quick = Quick::new(&text);
            let _ = quick.addresses(active, &mut [0; WARP_LANES]);
            let _ = quick.signed();
            let _ = quick.end();
        }
    }
}
