//! Values of registers as bytes of memory.

/// Up to 8 bytes as a value.
#[inline]
pub(crate) fn value_of(bytes: &[u8]) -> u64 {
    match bytes {
        [a, b, c, d] => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
        _ => bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)),
    }
}

/// Overwrites `bytes` with the low bytes of `value`.
#[inline]
pub(crate) fn put(bytes: &mut [u8], value: u64) {
    let count = bytes.len();
    bytes.copy_from_slice(&value.to_le_bytes()[..count]);
}
