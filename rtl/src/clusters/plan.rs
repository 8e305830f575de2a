//! GPCs: how many SMXs each has, in order.

use std::ops::Range;

/// SMXs in all.
pub(super) fn smxs(plan: &[usize]) -> usize {
    plan.iter().sum()
}

/// The SMXs of each GPC.
pub(super) fn ranges(plan: &[usize]) -> impl Iterator<Item = Range<usize>> + '_ {
    plan.iter().scan(0, |first, &size| {
        let range = *first..*first + size;
        *first = range.end;
        Some(range)
    })
}
