//! The columns of a line: words, numbers and registers apart by blanks.
//!
//! This knows all that a line may have and says what is wrong with any other. Most of a trace is as
//! tracers print it, and read by [`super::quick`].

use std::ops::Range;

use super::fault::{Fault, Parsed};
use super::hex;
use crate::program::Register;

/// A line and how far it has been read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    /// Before the first column of `text`.
    pub fn new(text: &'a [u8]) -> Self {
        Self::from(text, 0)
    }

    /// Behind the first `at` bytes of `text`, which end with a column.
    pub fn from(text: &'a [u8], at: usize) -> Self {
        Self { text, at }
    }

    /// Bytes of the line that have been read.
    pub fn at(&self) -> usize {
        self.at
    }

    #[inline(always)]
    fn skip_blanks(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Whether the byte `at` is not of a word.
    fn ends(&self, at: usize) -> bool {
        matches!(self.text.get(at), None | Some(b' ' | b'\t'))
    }

    /// The bytes of the word that begins or continues at the current place.
    fn rest_of_word(&self) -> Range<usize> {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|&byte| byte == b' ' || byte == b'\t');
        self.at..self.at + length.unwrap_or(rest.len())
    }

    /// How many columns are left, up to `most`.
    pub fn count(mut self, most: usize) -> usize {
        let mut found = 0;
        while found < most {
            self.skip_blanks();
            if self.at == self.text.len() {
                break;
            }
            self.at = self.rest_of_word().end;
            found += 1;
        }
        found
    }

    /// The next word, and where it is in the line.
    pub fn word(
        &mut self,
        field: &str,
        expected: &'static str,
    ) -> Parsed<(&'a [u8], Range<usize>)> {
        self.skip_blanks();
        let span = self.rest_of_word();
        if span.is_empty() {
            return Err(self.missing(field, expected));
        }
        self.at = span.end;
        Ok((&self.text[span.clone()], span))
    }

    /// Refuses further columns.
    pub fn end(&mut self, expected: &'static str) -> Parsed<()> {
        self.skip_blanks();
        if self.at == self.text.len() {
            return Ok(());
        }
        let span = self.rest_of_word();
        let word = super::fault::shown(&self.text[span.clone()]);
        Err(Fault::new(span, format!("`{word}` is left over"), expected))
    }

    #[cold]
    fn missing(&self, field: &str, expected: &'static str) -> Box<Fault> {
        Fault::new(self.at..self.at, format!("{field} is missing"), expected)
    }

    /// The word at the current place is not what `field` needs.
    #[cold]
    fn wrong(&self, field: &str, what: &str, expected: impl Into<String>) -> Box<Fault> {
        let span = self.rest_of_word();
        if span.is_empty() {
            return Fault::new(span, format!("{field} is missing"), expected.into());
        }
        Fault::value(self.text, span, field, what, expected.into())
    }

    /// A decimal number of at most `limit`.
    #[inline(always)]
    pub fn decimal(&mut self, field: &str, limit: u64) -> Parsed<u64> {
        self.skip_blanks();
        match self.one_digit() {
            Some(value) if value <= limit => {
                self.at += 1;
                Ok(value)
            }
            _ => self.long_decimal(field, limit),
        }
    }

    /// The number of one digit that begins here, as most numbers of a trace are: they count
    /// operands.
    #[inline(always)]
    fn one_digit(&self) -> Option<u64> {
        match self.text.get(self.at..self.at + 2)? {
            &[digit @ b'0'..=b'9', b' '] => Some(u64::from(digit - b'0')),
            _ => None,
        }
    }

    #[inline(never)]
    fn long_decimal(&mut self, field: &str, limit: u64) -> Parsed<u64> {
        let (value, at) = self.digits();
        match value {
            Some(value) if value <= limit => {
                self.at = at;
                Ok(value)
            }
            _ => {
                let rest = &self.text[self.rest_of_word()];
                let number = !rest.is_empty() && rest.iter().all(u8::is_ascii_digit);
                let what =
                    if number { "which is too large" } else { "which is not a whole number" };
                let expected = format!("a whole number from 0 to {limit}");
                Err(self.wrong(field, what, expected))
            }
        }
    }

    /// A decimal number that may have a sign, of at most 64 bits.
    #[inline(always)]
    pub fn signed(&mut self, field: &str) -> Parsed<i64> {
        self.skip_blanks();
        if let Some(value) = self.one_digit() {
            self.at += 1;
            return Ok(value as i64);
        }
        self.long_signed(field)
    }

    #[inline(never)]
    fn long_signed(&mut self, field: &str) -> Parsed<i64> {
        let start = self.at;
        let negative = self.text.get(start) == Some(&b'-');
        self.at += usize::from(negative);
        let (value, at) = self.digits();
        // Two's complement of either sign: tracers print differences of addresses.
        match value {
            Some(value) if !negative || value <= 1 << 63 => {
                self.at = at;
                Ok(if negative { (value as i64).wrapping_neg() } else { value as i64 })
            }
            _ => {
                self.at = start;
                let what = "which is not a whole number of 64 bits";
                Err(self.wrong(field, what, "a whole number"))
            }
        }
    }

    /// The number whose digits begin here and end with the word, and where that is.
    fn digits(&self) -> (Option<u64>, usize) {
        let (mut value, mut at) = (0_u64, self.at);
        while let Some(digit) = self.text.get(at).map(|byte| byte.wrapping_sub(b'0')) {
            if digit > 9 {
                break;
            }
            let more = value.checked_mul(10).and_then(|v| v.checked_add(u64::from(digit)));
            let Some(more) = more else { return (None, at) };
            value = more;
            at += 1;
        }
        (Some(value).filter(|_| at > self.at && self.ends(at)), at)
    }

    /// A hexadecimal number of 32 bits, without prefix.
    pub fn hexadecimal32(&mut self, field: &str) -> Parsed<u32> {
        self.skip_blanks();
        if self.ends(self.at + 8) {
            if let Some(value) = self.eight(self.at) {
                self.at += 8;
                return Ok(value);
            }
        }
        match self.hexadecimal(self.at, 8) {
            Some((value, end)) => {
                self.at = end;
                Ok(value as u32)
            }
            None => {
                let what = "which is not a hexadecimal number of 32 bits";
                Err(self.wrong(field, what, "1 to 8 hexadecimal digits"))
            }
        }
    }

    /// A hexadecimal number of 64 bits, with or without the prefix `0x`.
    pub fn address(&mut self, field: &str) -> Parsed<u64> {
        self.skip_blanks();
        let prefix = matches!(self.text.get(self.at..self.at + 2), Some(b"0x" | b"0X"));
        let start = self.at + if prefix { 2 } else { 0 };
        match self.hexadecimal(start, 16) {
            Some((value, end)) => {
                self.at = end;
                Ok(value)
            }
            None => {
                let what = "which is not a hexadecimal number of 64 bits";
                Err(self.wrong(field, what, "`0x` and 1 to 16 hexadecimal digits"))
            }
        }
    }

    /// The hexadecimal number of at most `most` digits from byte `start` to the end of the word.
    fn hexadecimal(&self, start: usize, most: usize) -> Option<(u64, usize)> {
        let (mut value, mut at) = (0_u64, start);
        for &byte in self.text.get(start..)?.iter().take(most) {
            let digit = DIGITS[usize::from(byte)];
            if digit > 15 {
                break;
            }
            value = value << 4 | u64::from(digit);
            at += 1;
        }
        (at > start && self.ends(at)).then_some((value, at))
    }

    /// The eight hexadecimal digits from byte `start` on, if that is what is there.
    fn eight(&self, start: usize) -> Option<u32> {
        let bytes = self.text.get(start..start + 8)?;
        hex::eight_digits(u64::from_le_bytes(bytes.try_into().ok()?))
    }

    /// A general-purpose register, `R0` to `R255`.
    pub fn register(&mut self, field: &str) -> Parsed<Register> {
        self.skip_blanks();
        let start = self.at;
        if self.text.get(start) == Some(&b'R') {
            self.at += 1;
            let (value, at) = self.digits();
            if let Some(Ok(register)) = value.map(Register::try_from) {
                self.at = at;
                return Ok(register);
            }
            self.at = start;
        }
        Err(self.wrong(field, "which is not a register", "R0 to R255"))
    }

    /// Passes over a uniform register or a predicate, `UR0`, `P0` or `UP0`, if that is what is
    /// next.
    pub fn other_register(&mut self) -> bool {
        self.skip_blanks();
        let word = &self.text[self.rest_of_word()];
        let number = [&b"UR"[..], b"UP", b"P"].iter().find_map(|kind| word.strip_prefix(*kind));
        let is_one = number.is_some_and(|number| {
            (1..=3).contains(&number.len()) && number.iter().all(u8::is_ascii_digit)
        });
        self.at += if is_one { word.len() } else { 0 };
        is_one
    }

    /// Whether a decimal number is next, which may have a sign.
    pub fn number_follows(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.text.get(self.at), Some(b'0'..=b'9' | b'-'))
    }

    /// Whether nothing is left.
    pub fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.at == self.text.len()
    }
}

/// The value of each byte as a hexadecimal digit; 16 for one that is none.
static DIGITS: [u8; 256] = {
    let mut digits = [16; 256];
    let mut value = 0;
    while value < 16 {
        let digit = b"0123456789abcdef"[value];
        digits[digit as usize] = value as u8;
        digits[digit.to_ascii_uppercase() as usize] = value as u8;
        value += 1;
    }
    digits
};

#[cfg(test)]
mod tests;
