//! Numbers on the command line, refused in plain words.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A whole number of 64 bits: a cycle, a seed, a count.
///
/// # Errors
/// What was expected instead.
pub fn whole(text: &str) -> Result<u64, String> {
    within(text, 0..=u64::MAX)
}

/// A number of cycles, at least one.
///
/// # Errors
/// What was expected instead.
pub fn cycles(text: &str) -> Result<u64, String> {
    within(text, 1..=u64::MAX)
}

/// A count of things that may be none.
///
/// # Errors
/// What was expected instead.
pub fn count(text: &str) -> Result<usize, String> {
    within(text, 0..=usize::MAX)
}

/// A count of things of which there is at least one.
///
/// # Errors
/// What was expected instead.
pub fn some(text: &str) -> Result<NonZeroUsize, String> {
    within(text, NonZeroUsize::MIN..=NonZeroUsize::MAX)
}

/// A number within `range`.
///
/// # Errors
/// What was expected instead.
pub fn within<N: FromStr + PartialOrd + Display>(
    text: &str,
    range: RangeInclusive<N>,
) -> Result<N, String> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| digits && range.contains(number));
    number
        .ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_up_to_their_limits_and_refused_in_plain_words() {
        assert_eq!((whole("0"), whole("18446744073709551615")), (Ok(0), Ok(u64::MAX)));
        for text in ["", "-1", "+1", "1.5", "seven", "18446744073709551616", "0x10"] {
            let refused = whole(text).expect_err(text);
            assert_eq!(refused, "expected a whole number from 0 to 18446744073709551615");
        }
        assert_eq!((some("1"), count("0")), (Ok(NonZeroUsize::MIN), Ok(0)));
        assert!(some("0").expect_err("none").starts_with("expected a whole number from 1 to "));
        assert_eq!((within("3", 3..=4), within::<u8>("4", 3..=4)), (Ok(3), Ok(4)));
        assert!(within("5", 3..=4).is_err() && within("2", 3..=4).is_err());
    }
}
