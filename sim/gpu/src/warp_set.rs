//! Sets of warps of an SMX.

/// A set of warp slots, one bit each.
pub type WarpSet = u64;

/// The slots in `set`, lowest first.
#[inline]
pub fn slots(mut set: WarpSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let slot = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(slot)
    })
}
