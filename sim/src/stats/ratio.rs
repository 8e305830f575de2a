//! Rates and sums.

/// `part` by `whole`; `None`, which is `null` in JSON, when there is no whole.
pub(super) fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The sum of a count over `all`.
pub(super) fn sum<T>(all: &[T], count: impl Fn(&T) -> u64) -> u64 {
    all.iter().map(count).sum()
}
