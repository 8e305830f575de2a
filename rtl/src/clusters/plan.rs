//! GPCs: how many SMXs each has, in order.

/// SMXs in all.
pub(super) fn smxs(plan: &[usize]) -> usize {
    plan.iter().sum()
}
