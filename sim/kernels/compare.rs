//! Comparing what kernels have left with what is right, to the last bit.

use std::borrow::Borrow;

use crate::array::Array;

/// Compares words; `name` says which element one is.
///
/// # Errors
/// The first that differs, with both values.
pub(crate) fn words(
    array: &Array,
    expected: &[u32],
    name: impl Fn(usize) -> String,
) -> Result<(), String> {
    shown(array, expected, name, |word| word.to_string())
}

/// Compares words; `name` says which element one is, `shown` what it stands for.
///
/// # Errors
/// The first that differs, with what both values stand for.
pub(crate) fn shown(
    array: &Array,
    expected: &[u32],
    name: impl Fn(usize) -> String,
    shown: impl Fn(u32) -> String,
) -> Result<(), String> {
    array.look(|got| compare(got, expected.iter().copied(), name, shown))?
}

/// Compares f32 by their bits; `name` says which element one is.
///
/// # Errors
/// The first that differs, with both values and their bits.
pub(crate) fn floats(
    array: &Array,
    expected: impl IntoIterator<Item = impl Borrow<f32>>,
    name: impl Fn(usize) -> String,
) -> Result<(), String> {
    let shown = |word| format!("{:?} ({word:#010x})", f32::from_bits(word));
    let expected = expected.into_iter().map(|value| value.borrow().to_bits());
    array.look(|got| compare(got, expected, name, shown))?
}

fn compare(
    got: &[[u8; 4]],
    expected: impl Iterator<Item = u32>,
    name: impl Fn(usize) -> String,
    shown: impl Fn(u32) -> String,
) -> Result<(), String> {
    let got = got.iter().map(|word| u32::from_le_bytes(*word));
    let mut both = got.zip(expected).enumerate();
    let differs = both.find(|(_, (got, expected))| got != expected);
    differs.map_or(Ok(()), |(at, (got, expected))| {
        let (name, got, expected) = (name(at), shown(got), shown(expected));
        Err(format!("{name} is {got}, expected {expected}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(got: &[u32], expected: &[u32]) -> Result<(), String> {
        let got: Vec<_> = got.iter().map(|word| word.to_le_bytes()).collect();
        compare(&got, expected.iter().copied(), |at| format!("c[{at}]"), |word| word.to_string())
    }

    #[test]
    fn the_first_difference_is_named_with_both_values() {
        assert_eq!(compared(&[1, 2, 3], &[1, 2, 3]), Ok(()));
        let message = "c[1] is 9, expected 2".to_owned();
        assert_eq!(compared(&[1, 9, 9], &[1, 2, 3]), Err(message));
    }

    #[test]
    fn zeros_of_different_sign_differ() {
        let machine =
            crate::launch::machine("vecadd/vecadd.ptx", include_str!("vecadd/vecadd.ptx"));
        let array = Array::new(&machine, vec![1 << 31]).expect("room");
        let message = floats(&array, [0.0], |_| "it".to_owned()).expect_err("a difference");
        assert_eq!(message, "it is -0.0 (0x80000000), expected 0.0 (0x00000000)");
        assert_eq!(floats(&array, [-0.0], |_| "it".to_owned()), Ok(()));
    }
}
